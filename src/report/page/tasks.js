// The list of tasks with its filters, and the page of one task: prompt, each method's program, what became of it.
const tasks = data.verdicts?.tasks ?? [];
const kTasksAtOnce = 60;
const isRight = index => data.verdicts.words[index] === "correct";
const rightShare = results => results.length ? results.filter(isRight).length / results.length : 0;

const kTaskFilters = {
  all: ["All tasks", () => true],
  differ: ["Methods differ", task => new Set(task.results.map(rightShare)).size > 1],
  gained: ["Better than the first method", task => rightShare(task.results.at(-1)) > rightShare(task.results[0])],
  lost: ["Worse than the first method", task => rightShare(task.results.at(-1)) < rightShare(task.results[0])],
  none: ["Solved by none", task => !task.results.some(results => results.some(isRight))],
  every: ["Always solved", task => task.results.every(results => results.length && results.every(isRight))],
};

// A long id in two parts: what tells tasks apart last.
const shortId = id => id.replace(/^gym\//, "").replace(/\/held_out\//, " ").replace(/\/train\//, " ");
const taskLink = (task, sample) => "#task/" + encodeURIComponent(task.id) + (sample ? "/" + sample : "");

function verdictSigns(results) {
  if (!results.length) return make("span", {class: "note"}, "–");
  const words = results.map(index => data.verdicts.words[index] ?? "no verdict");
  return make("span", {class: "signs", role: "img", "aria-label": words.map(wordText).join(", ")},
    ...words.map(word => make("span", {class: "sign", style: verdictStyle(word), title: wordText(word), "aria-hidden": "true"}, verdictSign(word))));
}

function showTasks() {
  if (!tasks.length) return;
  const element = section("tasks", "Tasks", "Every task with the verdicts of each method's answers. A task opens with its prompt and the programs side by side.");
  const search = make("input", {type: "search", id: "task-search", placeholder: "Search tasks, prompts, programs", "aria-label": "Search tasks, prompts and programs"});
  const filter = make("select", {id: "task-filter", "aria-label": "Which tasks"}, ...Object.entries(kTaskFilters)
    .filter(([key]) => methods.length > 1 || !["differ", "gained", "lost"].includes(key))
    .map(([key, [name]]) => make("option", {value: key}, key === "gained" || key === "lost" ? name.replace("Better", methods.at(-1).name + " better").replace("Worse", methods.at(-1).name + " worse").replace("the first method", methods[0].name) : name)));
  const families = [...new Set(tasks.map(task => task.family).filter(Boolean))].sort();
  const family = make("select", {id: "task-family", "aria-label": "Family"}, make("option", {value: ""}, "All families"), ...families.map(name => make("option", {value: name}, wordText(name))));
  const count = make("p", {class: "note", id: "task-count", "aria-live": "polite"});
  const list = make("tbody");
  const more = make("button", {type: "button", class: "quiet more"}, "Show more");
  const head = make("tr", {}, make("th", {scope: "col"}, "Task"), ...methods.map(method => make("th", {scope: "col"}, methodName(method))));
  element.append(make("div", {class: "controls tools", role: "search"}, search, filter, families.length > 1 ? family : null), count,
    make("div", {class: "scroll"}, make("table", {class: "tasks"}, make("thead", {}, head), list)), more);

  let found = [];
  const extend = () => {
    const shown = list.children.length;
    list.append(...found.slice(shown, shown + kTasksAtOnce).map(taskRow));
    more.hidden = list.children.length >= found.length;
  };
  const update = () => {
    const wanted = search.value.trim().toLowerCase();
    found = tasks.filter((task, i) => kTaskFilters[filter.value][1](task) && (!family.value || task.family === family.value) && (!wanted || textOfTask(i).includes(wanted)));
    const leftOut = data.verdicts.left_out ? `; ${numberText(data.verdicts.left_out)} more are not in this page` : "";
    count.textContent = (found.length === tasks.length ? plural(tasks.length, "task") : `${numberText(found.length)} of ${plural(tasks.length, "task")}`) + leftOut;
    list.replaceChildren();
    extend();
  };
  more.addEventListener("click", extend);
  for (const control of [search, filter, family]) control.addEventListener("input", update);
  update();
}

function taskRow(task) {
  return make("tr", {}, make("th", {scope: "row"}, make("a", {href: taskLink(task)}, shortId(task.id))), ...task.results.map(results => make("td", {}, verdictSigns(results))));
}

// Prompts and programs are packed; they are unpacked once, when first needed.
let details = null;
let detailsFault = null;
async function unpackDetails() {
  try {
    const bytes = Uint8Array.from(atob(at("details").textContent), character => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    details = JSON.parse(await new Response(stream).text());
  } catch (fault) {
    detailsFault = typeof DecompressionStream === "undefined" ? "This browser is too old to unpack the programs: one of 2023 or later can." : String(fault);
  }
}

const searchTexts = [];
function textOfTask(i) {
  if (!details) return tasks[i].id.toLowerCase() + " " + tasks[i].family.toLowerCase();
  return searchTexts[i] ??= [tasks[i].id, tasks[i].family, details[i].prompt, ...details[i].answers.flat().flatMap(answer => [answer.text, answer.explanation])].join("\n").toLowerCase();
}

// The page of one task. `sample` counts from 1, as it stands in the address.
function showTask(id, sample) {
  const i = tasks.findIndex(task => task.id === id);
  const article = at("task");
  if (i < 0) {
    article.replaceChildren(backLink(), make("h1", {tabindex: -1}, "No such task"), make("p", {}, id));
    return;
  }
  const task = tasks[i];
  const samples = Math.max(1, ...task.results.map(results => results.length));
  const chosen = Math.min(Math.max(1, sample || 1), samples) - 1;
  article.replaceChildren(make("div", {class: "task-nav"}, backLink(), neighbours(i)),
    make("p", {class: "eyebrow"}, task.family ? wordText(task.family) : "task"), make("h1", {tabindex: -1}, shortId(task.id)));
  if (!details) { article.append(make("p", {class: "note"}, detailsFault ?? "The programs are being unpacked.")); return; }
  if (details[i].prompt) article.append(make("h2", {class: "small-heading"}, "Prompt"), make("p", {class: "prompt"}, details[i].prompt));
  if (samples > 1) article.append(sampleTabs(task, samples, chosen));
  showAnswers(article, task, details[i], chosen);
}

const backLink = () => make("a", {href: "#tasks", class: "back"}, "← All tasks");

function neighbours(i) {
  const link = (task, text, key) => task ? make("a", {href: taskLink(task), "data-key": key, title: shortId(task.id)}, text) : make("span", {class: "note"}, text);
  return make("nav", {"aria-label": "Neighbouring tasks"}, link(tasks[i - 1], "‹ Previous", "previous"), link(tasks[i + 1], "Next ›", "next"));
}

function sampleTabs(task, samples, chosen) {
  return make("nav", {class: "tabs", "aria-label": "Samples"}, ...Array.from({length: samples}, (_, k) =>
    make("a", {href: taskLink(task, k + 1), "aria-current": k === chosen ? "true" : undefined}, "Sample " + (k + 1),
      ...task.results.map(results => results[k] === undefined ? null : make("span", {class: "sign", "aria-hidden": "true", style: verdictStyle(data.verdicts.words[results[k]])}, verdictSign(data.verdicts.words[results[k]]))))));
}

function showAnswers(article, task, detail, sample) {
  const shown = methods.filter(method => detail.answers[method.index]?.[sample]);
  const columns = make("div", {class: "columns"});
  const wrap = make("input", {type: "checkbox", id: "wrap", checked: true});
  wrap.addEventListener("change", () => columns.classList.toggle("unwrapped", !wrap.checked));
  const controls = make("div", {class: "controls"});
  const draw = base => columns.replaceChildren(...shown.map(method => answerColumn(method, task, detail, sample, base)));
  // A right program is the best measure for the others.
  const first = shown.find(method => isRight(task.results[method.index][sample])) ?? shown[0];
  if (shown.length > 1) {
    const choice = make("select", {id: "compare", "aria-label": "Mark differences against"}, ...shown.map(method => make("option", {value: method.index, selected: method === first}, method.name)), make("option", {value: -1}, "nothing"));
    choice.addEventListener("change", () => draw(methods[choice.value]));
    controls.append(make("label", {}, "Differences against ", choice));
  }
  controls.append(make("label", {}, wrap, " Wrap long lines"));
  draw(shown.length > 1 ? first : undefined);
  article.append(controls, columns);
}

function answerColumn(method, task, detail, sample, base) {
  const answer = detail.answers[method.index][sample];
  const word = data.verdicts.words[task.results[method.index][sample]];
  const head = make("header", {}, methodName(method), word ? make("span", {class: "chip", style: verdictStyle(word)}, verdictSign(word) + " " + wordText(word)) : null,
    Number.isFinite(answer.tokens) && answer.tokens >= 0 ? make("span", {class: "note"}, plural(answer.tokens, "token")) : null);
  const column = make("section", {class: "answer", "aria-label": method.name, style: `--colour: ${colourOf(method)}`}, head);
  if (answer.explanation) column.append(make("p", {class: "explanation"}, answer.explanation));
  if (answer.messages) column.append(make("pre", {class: "code small message", tabindex: 0, "aria-label": "Compiler message"}, answer.messages));
  if (answer.wrong) column.append(wrongElements(answer.wrong));
  for (const finding of (answer.findings ?? []).slice(0, 5)) column.append(make("p", {class: "explanation"}, findingText(finding)));
  column.append(program(method, answer, base && base !== method ? detail.answers[base.index]?.[sample]?.text : undefined, base));
  return column;
}

const findingText = ({kind, kernel, line, text, count}) =>
  `${wordText(kind ?? "finding")} in ${kernel || "the program"}` + (line > 0 ? `, line ${line}` : "") + `: ${text ?? ""}` + (count > 1 ? ` (${numberText(count)} times)` : "");

function wrongElements(wrong) {
  const rows = [["Index", "Got", "Wanted", "Inputs there"], ...(wrong.first ?? []).map(element => [String(element.index), element.got, element.wanted, element.inputs ?? "–"])];
  return make("details", {class: "wrong", open: true}, make("summary", {}, `${wrong.name}: ${numberText(wrong.wrong)} of ${numberText(wrong.elements)} wrong on ${wordText(wrong.trial || "the first")} inputs`),
    make("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "First wrong elements"}, table(rows)));
}

// An answer's fenced program and the prose around it; all of it is the program where there is no fence.
function splitAnswer(text) {
  const lines = text.split("\n");
  const open = lines.findIndex(line => line.startsWith("```"));
  if (open < 0) return {before: [], code: lines, after: []};
  const length = lines.slice(open + 1).findIndex(line => line.startsWith("```"));
  const close = length < 0 ? lines.length : open + 1 + length;
  return {before: lines.slice(0, open + 1), code: lines.slice(open + 1, close), after: lines.slice(close)};
}

// The program with line numbers, as the compiler counts them. Prose around it stands back; what differs from the
// program in `base` is marked, and so are the lines that the compiler complains about.
function program(method, answer, base, baseMethod) {
  const parts = splitAnswer(answer.text ?? "");
  const marked = base === undefined ? null : differences(splitAnswer(base).code, parts.code);
  const lines = marked ? marked.lines : parts.code.map(line => ({parts: [[line, false]], isNew: false, missing: 0}));
  const code = make("pre", {class: "code program", tabindex: 0, "aria-label": "Program of " + method.name});
  const prose = line => make("span", {class: "row prose"}, line, "\n");
  code.append(...parts.before.map(prose));
  const faults = faultyLines(answer.messages ?? "");
  lines.forEach((line, i) => {
    if (line.missing) code.append(missingLines(line.missing, baseMethod));
    code.append(make("span", {class: "row numbered" + (line.isNew ? " new" : "") + (faults.has(i + 1) ? " faulty" : "")}, ...line.parts.map(([part, isNew]) => isNew && part.trim() ? make("ins", {}, part) : part), "\n"));
  });
  if (marked?.atEnd) code.append(missingLines(marked.atEnd, baseMethod));
  code.append(...parts.after.map(prose));
  const element = make("div", {class: "program-box"});
  if (base !== undefined && !marked) element.append(make("p", {class: "note"}, `Too little in common with ${baseMethod.name} to mark differences.`));
  element.append(code);
  return element;
}

// Numbers of the lines with errors, as "answer.cu:38:26: error: ..." or nvcc's "answer.cu(38): error: ...".
const faultyLines = messages => new Set([...messages.matchAll(/^answer\.cu[:(](\d+)[^\n]*\berror\b/gm)].map(match => Number(match[1])));

const missingLines = (count, method) => make("span", {class: "row missing"}, `${plural(count, "line")} of ${method.name} not here\n`);
