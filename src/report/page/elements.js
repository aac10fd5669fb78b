// Elements, numbers and the page's data. Everything that comes from data becomes a text node: whatever it holds, it
// stays text.
const data = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);

// make("a", {href: "#x", class: "quiet"}, "text", element, ...)
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true)
      element.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false)
      element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== undefined && child !== null));
  return element;
}

const numberText = value => Number(value).toLocaleString("en-US", {maximumFractionDigits: 2});
const percentText = (share, digits = 1) => Number.isFinite(share) ? (100 * share).toFixed(digits) + " %" : "–";
const pointsText = share => (share > 0 ? "+" : share < 0 ? "−" : "") + Math.abs(100 * share).toFixed(1);
const wordText = word => word.replaceAll("_", " ");
const plural = (count, one, many) => numberText(count) + " " + (count === 1 ? one : many ?? one + "s");

// A number of any size in few characters: 0.0123, 12.3, 4.56e-9.
function figureText(value) {
  if (typeof value !== "number" || !Number.isFinite(value))
    return value === null || value === undefined ? "–" : String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toExponential(2);
  return String(+value.toPrecision(4));
}

function durationText(seconds) {
  if (seconds < 90) return figureText(+seconds.toPrecision(3)) + " s";
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? minutes + " min" :
                        Math.floor(minutes / 60) + " h " + String(minutes % 60).padStart(2, "0") + " min";
}

// A section of the page: heading, what it shows, and a link in the bar.
function section(id, title, lead) {
  const heading =
      make("h2", {}, title, " ", make("a", {class: "anchor", href: "#" + id, "aria-label": "Link to " + title}, "#"));
  const element = make("section", {id, "aria-label": title}, heading);
  if (lead) element.append(make("p", {class: "lead"}, ...[lead].flat()));
  at("overview").append(element);
  at("sections").append(make("a", {href: "#" + id}, title));
  return element;
}

// rows[0] is the head; numbers stand right.
function table(rows, caption) {
  const cell = (tag, value, scope) => make(
      tag, {scope, class: typeof value === "number" ? "number" : undefined},
      typeof value === "number" ? figureText(value) : value ?? "–");
  const head = make("tr", {}, ...rows[0].map(value => cell("th", value, "col")));
  const body = rows.slice(1).map(
      row => make("tr", {}, ...row.map((value, i) => i ? cell("td", value) : cell("th", value, "row"))));
  return make(
      "table", {class: "plain"}, caption ? make("caption", {}, caption) : null, make("thead", {}, head),
      make("tbody", {}, ...body));
}

// One color per method, by what it is called; others in order.
const kMethodColors = [[/^(vanilla|base)/i, "grey"], [/cuset/i, "vermilion"], [/^sft/i, "blue"], [/profit/i, "green"]];
const methods = data.methods.map((method, i) => {
  const known = kMethodColors.find(([pattern]) => pattern.test(method.name));
  return {...method, index: i, color: known ? known[1] : undefined};
});
const kSpareColors = ["purple", "sky", "olive", "blue", "green", "vermilion", "grey"];
for (const method of methods) {
  const isTaken = methods.some(other => other !== method && other.index < method.index && other.color === method.color);
  if (!method.color || isTaken) {
    method.color = kSpareColors.find(color => !methods.some(other => other.color === color)) ?? "grey";
  }
}
const colorOf = method => `var(--${method.color})`;
const methodName = method => make("span", {class: "method", style: `--color: ${colorOf(method)}`}, method.name);

// What became of an answer, in groups that share a color, as docs/verdicts.md orders them.
const kVerdictGroups = {
  correct: "ok",
  wrong_output: "wrong",
  wrong_shape: "wrong-2",
  undefined_behavior: "wrong",
  no_kernel: "trick",
  host_work: "trick",
  hack: "trick-2",
  launch_error: "run",
  crash: "run-2",
  timeout: "run-3",
  out_of_memory: "run-4",
  compile_error: "build",
  link_error: "build-2",
  rejected: "none-2",
  no_code: "none",
  unsupported: "void",
  faulty_task: "void",
};
const kVerdictOrder = Object.keys(kVerdictGroups);
const kVerdictMeanings = {
  correct: "right on every trial",
  wrong_output: "an element is outside of the tolerance",
  wrong_shape: "an output is missing or of another size",
  undefined_behavior: "right here by luck: it races, leaves its memory or reads what nobody wrote",
  host_work: "its kernels ran, but the host computed what they should have",
  no_kernel: "no kernel of the answer's own did the work",
  hack: "works around the judgement",
  launch_error: "a kernel could not be launched or failed",
  crash: "the program ended badly",
  timeout: "took too long",
  out_of_memory: "ran out of memory",
  compile_error: "the compiler says no",
  link_error: "the linker says no",
  rejected: "asks for what no answer needs",
  no_code: "the answer holds no program",
  unsupported: "no verdict: the executor cannot run it",
  faulty_task: "no verdict: the task is at fault",
};
const verdictColor = word => `var(--verdict-${kVerdictGroups[word] ?? "void"})`;
// What stands on that color.
const verdictInk =
    word => ["wrong", "wrong-2", "run-3", "build-2", "none", "void"].includes(kVerdictGroups[word] ?? "void") ?
    "var(--on-light)" :
    "var(--on-dark)";
const verdictStyle = word => `--color: ${verdictColor(word)}; --on: ${verdictInk(word)}`;
// A sign beside the color: right, ran but wrong, did not run.
function verdictSign(word) {
  const group = (kVerdictGroups[word] ?? "void").replace(/-\d/, "");
  return {ok: "✓", wrong: "≠", trick: "!", run: "↯", build: "✕", none: "∅", void: "·"}[group];
}
