// Title, headline table, differences between methods, notes.
function showOpening() {
  const about = data.about;
  at("title").textContent = about.title ?? "CuSeT report";
  at("subtitle").textContent = about.subtitle ?? "";
  at("subtitle").hidden = !about.subtitle;
  const created = about.created && !Number.isNaN(Date.parse(about.created)) ?
      new Date(about.created).toLocaleString("en-GB", {dateStyle: "long", timeStyle: "short"}) :
      about.created;
  const facts = [
    ["Made", created], ["Machine", about.machine],
    ["Took", Number.isFinite(about.seconds) ? durationText(about.seconds) : undefined],
    ["Command", about.command && make("code", {}, about.command)]
  ];
  for (const [name, value] of facts)
    if (value) at("about").append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
}

// What each method was made with: one row each, what differs from the defaults behind a switch.
function showSetup() {
  const known = methods.filter(method => method.made && Object.keys(method.made).length);
  if (!known.length) return;
  const columns = [["model", "Model"], ["objective", "Objective"], ["data", "Data"], ["created", "Begun"]];
  const used = columns.filter(([key]) => known.some(method => method.made[key]));
  const element = section("setup", "How it was made");
  const rows = known.map(method => [method.name, ...used.map(([key]) => method.made[key] ?? "–")]);
  if (used.length)
    element.append(make("div", {class: "scroll"}, table([["Method", ...used.map(([, name]) => name)], ...rows])));
  for (const method of known) {
    const {command, settings} = method.made;
    if (command) element.append(make("p", {class: "note"}, methodName(method), " ", make("code", {}, command)));
    if (!settings?.length) continue;
    element.append(make(
        "details", {class: "numbers"}, make("summary", {}, `Settings of ${method.name} that are not the defaults`),
        make("div", {class: "scroll"}, table([["Setting", "Value", "Set by"], ...settings]))));
  }
}

const kRates = [
  ["compile_pass", "1", "Compiles", "pass@1"], ["compile_pass", "3", "Compiles", "pass@3"],
  ["function_pass", "1", "Right result", "pass@1"], ["function_pass", "3", "Right result", "pass@3"],
  ["function_pass_of_all", "1", "Right, of all", "pass@1"]
];
const rateOf = (method, kind, k) => method.summary?.[kind]?.[k]?.unbiased;

function showHeadline() {
  const judged = methods.filter(method => kRates.some(([kind, k]) => rateOf(method, kind, k)));
  if (!judged.length) {
    showNotes(at("overview"));
    return;
  }
  const unjudged = Math.max(...judged.map(method => method.summary.unjudged ?? 0));
  const rates = kRates.filter(
      ([kind, k]) =>
          (kind !== "function_pass_of_all" || unjudged > 0) && judged.some(method => rateOf(method, kind, k)));
  const element = section("results", "Results");
  const most = Math.max(...judged.map(method => method.summary.tasks ?? 0));
  element.append(make(
      "p", {class: "lead"},
      `${plural(most, "task")}, ${
          plural(Math.max(...judged.map(method => method.summary.answers ?? 0)), "answer")} of each method, ` +
          "compiled, run and compared. pass@k: the chance that one of k answers does it. " +
          "Intervals are 95 %, from resampling tasks." +
          (unjudged > 0 ? ` Up to ${plural(unjudged, "answer")} of a method got no verdict ` +
                   "(the executor cannot run it, or the task is faulty): “of all” counts them as wrong, the other rates leave them out." :
                          "")));
  element.append(headlineTable(judged, rates));
  showDifferences(element);
  showNotes(element);
}

function headlineTable(judged, rates) {
  const head = make(
      "tr", {role: "row"}, make("th", {scope: "col", role: "columnheader"}, make("span", {class: "hidden"}, "Method")),
      ...rates.map(([, , title, k]) => make("th", {scope: "col", role: "columnheader"}, title, make("small", {}, k))),
      make("th", {scope: "col", role: "columnheader", class: "number"}, "Tokens", make("small", {}, "mean")));
  const body = judged.map(
      method => make(
          "tr", {role: "row"}, make("th", {scope: "row", role: "rowheader"}, methodName(method)),
          ...rates.map(
              ([kind, k, title, pass]) => rateCell(rateOf(method, kind, k), colorOf(method), title + " " + pass)),
          make(
              "td", {role: "cell", class: "number", "data-label": "Tokens, mean"},
              make(
                  "b", {},
                  Number.isFinite(method.summary.mean_tokens) ? numberText(Math.round(method.summary.mean_tokens)) :
                                                                "–"))));
  return make(
      "table", {class: "headline", role: "table"},
      make("caption", {class: "hidden"}, "How often each method's programs compile and give the right result"),
      make("thead", {role: "rowgroup"}, head), make("tbody", {role: "rowgroup"}, ...body));
}

function rateCell(rate, color, label) {
  if (!rate) return make("td", {role: "cell", "data-label": label}, make("b", {}, "–"));
  return make(
      "td", {role: "cell", "data-label": label}, make("b", {}, percentText(rate.value)), whisker(rate, {color}),
      make("small", {}, `${(100 * rate.low).toFixed(1)} to ${(100 * rate.high).toFixed(1)}`));
}

function differenceText({low, high}) {
  if (low > 0) return "higher, beyond the noise";
  if (high < 0) return "lower, beyond the noise";
  return "within the noise";
}

function showDifferences(element) {
  if (!data.differences.length) return;
  const reach = Math.max(0.05, ...data.differences.flatMap(row => [Math.abs(row.low), Math.abs(row.high)]));
  const rows = data.differences.map(row => {
    const method = methods[row.to];
    return make(
        "tr", {}, make("th", {scope: "row"}, methodName(method), " against ", methodName(methods[row.from])),
        make("td", {class: "number"}, make("b", {}, pointsText(row.value))),
        make("td", {class: "wide"}, whisker(row, {from: -reach, to: reach, zero: 0, color: colorOf(method)})),
        make("td", {class: "number interval"}, `${pointsText(row.low)} to ${pointsText(row.high)}`),
        make("td", {class: "reading"}, differenceText(row)));
  });
  const head = make(
      "tr", {},
      ...["Methods", "Points", "", "95 %", "Reading"].map(
          (text, i) => make(
              "th",
              {scope: "col",
               class: i === 1 || i === 3 ? "number" :
                   i === 2               ? "wide" :
                                           undefined},
              text)));
  element.append(
      make("h3", {}, "Differences, task by task"),
      make(
          "p", {class: "note"},
          `Function pass@1 in percentage points over the same tasks (${
              numberText(Math.max(...data.differences.map(
                  row => row.tasks)))}). Where the interval holds 0, the tasks cannot tell the two apart.`),
      make(
          "div", {class: "scroll"},
          make("table", {class: "differences"}, make("thead", {}, head), make("tbody", {}, ...rows))));
}

function showNotes(element) {
  const notes = data.about.notes ?? [];
  if (notes.length) element.append(make("ul", {class: "notes"}, ...notes.map(note => make("li", {}, note))));
}
