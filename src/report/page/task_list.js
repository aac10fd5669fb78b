// The list of tasks, with search and filters.
const tasks = data.verdicts?.tasks ?? [];
const kTasksAtOnce = 60;
const isRight = index => data.verdicts.words[index] === "correct";
const rightShare = results => results.length ? results.filter(isRight).length / results.length : 0;

const kTaskFilters = {
  all: ["All tasks", () => true],
  differ: ["Methods differ", task => new Set(task.results.map(rightShare)).size > 1],
  gained: ["Better", task => rightShare(task.results.at(-1)) > rightShare(task.results[0])],
  lost: ["Worse", task => rightShare(task.results.at(-1)) < rightShare(task.results[0])],
  none: ["Solved by none", task => !task.results.some(results => results.some(isRight))],
  every: ["Always solved", task => task.results.every(results => results.length && results.every(isRight))],
};

// A long id in two parts: what tells tasks apart last.
const shortId = id => id.replace(/^gym\//, "").replace(/\/held_out\//, " ").replace(/\/train\//, " ");
const taskLink = (task, sample) => "#task/" + encodeURIComponent(task.id) + (sample === undefined ? "" : "/" + sample);

// One verdict as a small sign, for the eye only.
function verdictMark(index) {
  const word = data.verdicts.words[index] ?? "no verdict";
  const look = {class: "sign", style: verdictStyle(word), title: wordText(word), "aria-hidden": "true"};
  return make("span", look, verdictSign(word));
}

function verdictSigns(results) {
  if (!results.length) return make("span", {class: "note"}, "–");
  const words = results.map(index => wordText(data.verdicts.words[index] ?? "no verdict"));
  return make("span", {class: "signs", role: "img", "aria-label": words.join(", ")}, ...results.map(verdictMark));
}

function filterName(key) {
  const first = methods[0].name, last = methods.at(-1).name;
  return {gained: `${last} better than ${first}`, lost: `${last} worse than ${first}`}[key] ?? kTaskFilters[key][0];
}

// Search, filter by outcome, filter by family.
function taskControls() {
  const search = make("input", {
    type: "search",
    id: "task-search",
    placeholder: "Search tasks, prompts, programs",
    "aria-label": "Search tasks, prompts and programs"
  });
  const useful =
      Object.keys(kTaskFilters).filter(key => methods.length > 1 || !["differ", "gained", "lost"].includes(key));
  const filter = make(
      "select", {id: "task-filter", "aria-label": "Which tasks"},
      ...useful.map(key => make("option", {value: key}, filterName(key))));
  const names = [...new Set(tasks.map(task => task.family).filter(Boolean))].sort();
  const family = make(
      "select", {id: "task-family", "aria-label": "Family", hidden: names.length < 2},
      make("option", {value: ""}, "All families"), ...names.map(name => make("option", {value: name}, wordText(name))));
  return {search, filter, family};
}

function foundTasks({search, filter, family}) {
  const wanted = search.value.trim().toLowerCase();
  return tasks.filter(
      (task, i) => kTaskFilters[filter.value][1](task) && (!family.value || task.family === family.value) &&
          (!wanted || textOfTask(i).includes(wanted)));
}

function countText(found) {
  const leftOut = data.verdicts.left_out ? `; ${numberText(data.verdicts.left_out)} more are not in this page` : "";
  return (found < tasks.length ? numberText(found) + " of " : "") + plural(tasks.length, "task") + leftOut;
}

function showTasks() {
  if (!tasks.length) return;
  const element = section(
      "tasks", "Tasks",
      "Every task with the verdicts of each method's answers. " +
          "A task opens with its prompt and the programs side by side.");
  const controls = taskControls();
  const count = make("p", {class: "note", id: "task-count", "aria-live": "polite"});
  const list = make("tbody");
  const more = make("button", {type: "button", class: "quiet more"}, "Show more");
  const head = make(
      "tr", {}, make("th", {scope: "col"}, "Task"),
      ...methods.map(method => make("th", {scope: "col"}, methodName(method))));
  element.append(make("div", {class: "controls tools", role: "search"}, ...Object.values(controls)), count);
  element.append(make("div", {class: "scroll"}, make("table", {class: "tasks"}, make("thead", {}, head), list)), more);

  let found = [];
  const extend = () => {
    const shown = list.children.length;
    list.append(...found.slice(shown, shown + kTasksAtOnce).map(taskRow));
    more.hidden = list.children.length >= found.length;
  };
  const update = () => {
    found = foundTasks(controls);
    count.textContent = countText(found.length);
    list.replaceChildren();
    extend();
  };
  more.addEventListener("click", extend);
  for (const control of Object.values(controls)) control.addEventListener("input", update);
  update();
}

function taskRow(task) {
  return make(
      "tr", {}, make("th", {scope: "row"}, make("a", {href: taskLink(task)}, shortId(task.id))),
      ...task.results.map(results => make("td", {}, verdictSigns(results))));
}

const searchTexts = [];
function textOfTask(i) {
  if (!details) return tasks[i].id.toLowerCase() + " " + tasks[i].family.toLowerCase();
  return searchTexts[i] ??= [
    tasks[i].id, tasks[i].family, details[i].prompt,
    ...details[i].answers.flat().flatMap(answer => [answer.text, answer.explanation])
  ].join("\n").toLowerCase();
}
