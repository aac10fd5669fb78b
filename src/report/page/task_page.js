// The page of one task: prompt, each method's program side by side, what became of it.

// `sample` counts from 0, as it stands in the address and as cuset verify names answers: TASK#0.
function showTask(id, sample) {
  const i = tasks.findIndex(task => task.id === id);
  const article = at("task");
  if (i < 0) {
    article.replaceChildren(backLink(), make("h1", {tabindex: -1}, "No such task"), make("p", {}, id));
    return;
  }
  const task = tasks[i];
  const samples = Math.max(1, ...task.results.map(results => results.length));
  const chosen = Math.min(Math.max(0, sample || 0), samples - 1);
  article.replaceChildren(
      make("div", {class: "task-nav"}, backLink(), neighbors(i)),
      make("p", {class: "eyebrow"}, task.family ? wordText(task.family) : "task"),
      make("h1", {tabindex: -1}, shortId(task.id)));
  if (!details) {
    article.append(make("p", {class: "note"}, detailsFault ?? "The programs are being unpacked."));
    return;
  }
  if (details[i].prompt)
    article.append(make("h2", {class: "small-heading"}, "Prompt"), make("p", {class: "prompt"}, details[i].prompt));
  if (samples > 1) article.append(sampleTabs(task, samples, chosen));
  showAnswers(article, task, details[i], chosen);
}

const backLink = () => make("a", {href: "#tasks", class: "back"}, "← All tasks");

function neighbors(i) {
  const link = (task, text, key) => task ?
      make("a", {href: taskLink(task), "data-key": key, title: shortId(task.id)}, text) :
      make("span", {class: "note"}, text);
  return make(
      "nav", {"aria-label": "Neighboring tasks"}, link(tasks[i - 1], "‹ Previous", "previous"),
      link(tasks[i + 1], "Next ›", "next"));
}

function sampleTabs(task, samples, chosen) {
  const tab = k => {
    const marks = task.results.filter(results => results[k] !== undefined).map(results => verdictMark(results[k]));
    const isChosen = k === chosen ? "true" : undefined;
    return make("a", {href: taskLink(task, k), "aria-current": isChosen}, "Sample " + k, ...marks);
  };
  return make("nav", {class: "tabs", "aria-label": "Samples"}, ...Array.from({length: samples}, (_, k) => tab(k)));
}

function showAnswers(article, task, detail, sample) {
  const shown = methods.filter(method => detail.answers[method.index]?.[sample]);
  const columns = make("div", {class: "columns"});
  const wrap = make("input", {type: "checkbox", id: "wrap", checked: true});
  wrap.addEventListener("change", () => columns.classList.toggle("unwrapped", !wrap.checked));
  const controls = make("div", {class: "controls"});
  const draw = base =>
      columns.replaceChildren(...shown.map(method => answerColumn(method, task, detail, sample, base)));
  // A right program is the best measure for the others.
  const first = shown.find(method => isRight(task.results[method.index][sample])) ?? shown[0];
  if (shown.length > 1) {
    const choice = make(
        "select", {id: "compare", "aria-label": "Mark differences against"},
        ...shown.map(method => make("option", {value: method.index, selected: method === first}, method.name)),
        make("option", {value: -1}, "nothing"));
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
  const head = make(
      "header", {}, methodName(method),
      word ? make("span", {class: "chip", style: verdictStyle(word)}, verdictSign(word) + " " + wordText(word)) : null,
      Number.isFinite(answer.tokens) && answer.tokens >= 0 ?
          make("span", {class: "note"}, plural(answer.tokens, "token")) :
          null);
  const column =
      make("section", {class: "answer", "aria-label": method.name, style: `--color: ${colorOf(method)}`}, head);
  if (answer.explanation) column.append(make("p", {class: "explanation"}, answer.explanation));
  if (answer.messages)
    column.append(
        make("pre", {class: "code small message", tabindex: 0, "aria-label": "Compiler message"}, answer.messages));
  if (answer.wrong) column.append(wrongElements(answer.wrong));
  for (const finding of (answer.findings ?? []).slice(0, 5))
    column.append(make("p", {class: "explanation"}, findingText(finding)));
  column.append(
      program(method, answer, base && base !== method ? detail.answers[base.index]?.[sample]?.text : undefined, base));
  return column;
}

const findingText = ({kind, kernel, line, text, count}) =>
    `${wordText(kind ?? "finding")} in ${kernel || "the program"}` + (line > 0 ? `, line ${line}` : "") +
    `: ${text ?? ""}` + (count > 1 ? ` (${numberText(count)} times)` : "");

function wrongElements(wrong) {
  const rows = [
    ["Index", "Got", "Wanted", "Inputs there"],
    ...(wrong.first ?? []).map(element => [String(element.index), element.got, element.wanted, element.inputs ?? "–"])
  ];
  return make(
      "details", {class: "wrong", open: true},
      make(
          "summary", {},
          `${wrong.name}: ${numberText(wrong.wrong)} of ${numberText(wrong.elements)} wrong on ${
              wordText(wrong.trial || "the first")} inputs`),
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
    code.append(make(
        "span", {class: "row numbered" + (line.isNew ? " new" : "") + (faults.has(i + 1) ? " faulty" : "")},
        ...line.parts.map(([part, isNew]) => isNew && part.trim() ? make("ins", {}, part) : part), "\n"));
  });
  if (marked?.atEnd) code.append(missingLines(marked.atEnd, baseMethod));
  code.append(...parts.after.map(prose));
  const element = make("div", {class: "program-box"});
  if (base !== undefined && !marked)
    element.append(make("p", {class: "note"}, `Too little in common with ${baseMethod.name} to mark differences.`));
  element.append(code);
  return element;
}

// Numbers of the lines with errors, as "answer.cu:38:26: error: ..." or nvcc's "answer.cu(38): error: ...".
const faultyLines = messages =>
    new Set([...messages.matchAll(/^answer\.cu[:(](\d+)[^\n]*\berror\b/gm)].map(match => Number(match[1])));

const missingLines = (count, method) =>
    make("span", {class: "row missing"}, `${plural(count, "line")} of ${method.name} not here\n`);
