// A whole kernel as the CuSeT objective sees it: window confidence over its tokens, and its code as a heat map.
// The chosen token is shown in full: by pointer, by arrow keys, from either of the two.
const kHeatModes = {
  probability: ["Probability", "strong color: the model did not expect the token"],
  window: ["Window", "strong color: an uncertain region"],
  weight: ["Weight", "strong color: much weight in the loss; none: no part in it"],
};

function showKernels() {
  const kernels = (data.analysis?.kernels ?? []).filter(kernel => kernel.tokens?.length);
  if (!kernels.length) return;
  const element = section(
      "kernel", "A kernel, token by token",
      "Window confidence over the tokens of an answer, and its code as a heat map. Underlined: the CUDA mask. " +
          "Move over the code or the curve, or use the arrow keys.");
  const body = make("div");
  if (kernels.length > 1) {
    const choice = make(
        "select", {id: "kernel-choice", "aria-label": "Kernel"},
        ...kernels.map((kernel, i) => make("option", {value: i}, kernel.id ?? "kernel " + (i + 1))));
    choice.addEventListener("change", () => body.replaceChildren(kernelView(kernels[choice.value])));
    element.append(make("p", {class: "controls"}, make("label", {}, "Sample ", choice)));
  }
  body.append(kernelView(kernels[0]));
  element.append(body);
}

// Tokens with everything that is shown of them.
function readTokens(kernel) {
  let supervised = 0;
  const tokens = kernel.tokens.map(([text, p, flags]) => {
    const isSupervised = Boolean(flags & 1);
    const weight = isSupervised ?
        kernel.weight_of_sample * (Number(Boolean(flags & 4)) + kernel.lambda * Number(Boolean(flags & 2))) :
        0;
    return {
      text,
      p,
      isSupervised,
      isCuda: Boolean(flags & 2),
      isConfident: Boolean(flags & 4),
      weight,
      kinds: [],
      window: isSupervised ? kernel.window_confidence?.[supervised++] : undefined
    };
  });
  for (const [begin, end, kind] of kernel.kinds ?? []) {
    for (let i = begin; i < Math.min(end, tokens.length); ++i) tokens[i].kinds.push(kind);
  }
  return tokens;
}

function kernelView(kernel) {
  const tokens = readTokens(kernel);
  const info = make("div", {class: "token-info", "aria-live": "polite"});
  const code = make("pre", {
    class: "code heat kernel-code",
    tabindex: 0,
    role: "group",
    "aria-label": "Code; arrow keys step through its tokens"
  });
  const spans =
      tokens.map((token, i) => make("span", {"data-i": i, class: token.isCuda ? "cuda" : undefined}, token.text));
  code.append(...spans);
  let chosen = -1;
  let markCurve = () => {};
  const lowest = tokens.reduce(
      (best, token, i) => token.isSupervised && token.text.trim() &&
              (best < 0 || (token.window ?? token.p) < (tokens[best].window ?? tokens[best].p)) ?
          i :
          best,
      -1);
  const choose = (i, scroll) => {
    spans[chosen]?.classList.remove("at");
    chosen = i;
    markCurve(i);
    if (i < 0) return;
    spans[i].classList.add("at");
    if (scroll)
      code.scrollTop += spans[i].getBoundingClientRect().top - code.getBoundingClientRect().top - code.clientHeight / 2;
    info.replaceChildren(...tokenInfo(tokens[i], kernel));
  };
  paint(spans, tokens, "probability");
  listenToCode(code, tokens, () => chosen, choose);
  const curve = windowFigure(tokens, kernel, i => choose(i, true), mark => {
    markCurve = mark;
    mark(chosen);
  });
  choose(lowest);
  const view = make(
      "div", {class: "kernel"}, curve, heatControls(spans, tokens), make("div", {class: "kernel-body"}, code, info));
  if (kernel.prompt)
    view.prepend(make(
        "details", {class: "kernel-prompt"}, make("summary", {}, "Prompt"),
        make("p", {class: "prompt"}, kernel.prompt)));
  return view;
}

function heatControls(spans, tokens) {
  const note = make("span", {class: "note"}, kHeatModes.probability[1]);
  const modes = Object.entries(kHeatModes).map(([mode, [name, meaning]], i) => {
    const input = make("input", {type: "radio", name: "heat", value: mode, checked: i === 0});
    input.addEventListener("change", () => {
      paint(spans, tokens, mode);
      note.textContent = meaning;
    });
    return make("label", {}, input, make("span", {}, name));
  });
  return make(
      "fieldset", {class: "controls"}, make("legend", {class: "hidden"}, "Color by"),
      make("span", {class: "choices"}, ...modes), note);
}

function paint(spans, tokens, mode) {
  const most = Math.max(...tokens.map(token => token.weight), 1e-9);
  tokens.forEach((token, i) => {
    const heat =
        mode === "weight" ? 0.75 * token.weight / most : heatOf(mode === "window" ? token.window ?? 1 : token.p);
    spans[i].style.setProperty("--q", token.isSupervised ? heat : 0);
    spans[i].classList.toggle("out", mode === "weight" && token.weight === 0);
  });
}

function listenToCode(code, tokens, current, choose) {
  code.addEventListener("pointerover", event => {
    if (event.target.dataset.i) choose(Number(event.target.dataset.i));
  });
  code.addEventListener("click", event => {
    if (event.target.dataset.i) choose(Number(event.target.dataset.i));
  });
  code.addEventListener("keydown", event => {
    const by = {
      ArrowRight: 1,
      ArrowDown: 1,
      ArrowLeft: -1,
      ArrowUp: -1,
      PageDown: 20,
      PageUp: -20,
      Home: -tokens.length,
      End: tokens.length
    }[event.key];
    if (!by) return;
    event.preventDefault();
    choose(Math.min(Math.max(current() + by, 0), tokens.length - 1), true);
  });
}

function tokenInfo(token, kernel) {
  const mark = (isOn, text) => make("span", {class: isOn ? "mask on" : "mask"}, (isOn ? "✓ " : "– ") + text);
  const sum = `${figureText(kernel.weight_of_sample)} × (${Number(token.isConfident)} + ${
      figureText(kernel.lambda)} × ${Number(token.isCuda)})`;
  const facts = [
    ["Probability", figureText(token.p)],
    ["Window confidence", token.window === undefined ? "–" : figureText(token.window)],
    ["Weight", token.isSupervised ? `${figureText(token.weight)} = ${sum}` : "0, not supervised"],
    ["Part of", token.kinds.length ? [...new Set(token.kinds)].map(wordText).join(", ") : "neutral code"]
  ];
  return [
    make("code", {class: "token"}, JSON.stringify(token.text)),
    make(
        "p", {class: "masks"}, mark(token.isConfident, `confidence mask, p > ${figureText(kernel.tau)}`),
        mark(token.isCuda, "CUDA mask")),
    make("dl", {}, ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]))
  ];
}

// [begin, end) of neighboring tokens in the CUDA mask.
function cudaStretches(tokens) {
  const stretches = [];
  tokens.forEach((token, i) => {
    if (!token.isCuda) return;
    if (stretches.at(-1)?.[1] === i)
      stretches.at(-1)[1] = i + 1;
    else
      stretches.push([i, i + 1]);
  });
  return stretches;
}

function windowFigure(tokens, kernel, choose, giveMark) {
  const places = tokens.map((token, i) => i).filter(i => tokens[i].window !== undefined);
  const draw = (svg, width, height, read) => {
    const margin = {left: 48, right: 12, top: 10, bottom: 42};
    const x = d3.scale.linear().domain([0, tokens.length - 1]).range([margin.left, width - margin.right]);
    const y = d3.scale.linear()
                  .domain([Math.max(0, Math.floor(10 * d3.min(places, i => tokens[i].window) - 0.5) / 10), 1])
                  .range([height - margin.bottom, margin.top]);
    const floor = height - margin.bottom;
    for (const [begin, end] of cudaStretches(tokens)) {
      svg.append("rect").attr(
          {class: "cuda-band", x: x(begin - 0.5), width: x(end) - x(begin), y: margin.top, height: floor - margin.top});
    }
    axes(svg, x, y, {width, height, margin, xLabel: "token", yFormat: figureText, xFormat: numberText, yTicks: 3});
    const line = d3.svg.line().x(i => x(i)).y(i => y(tokens[i].window));
    svg.append("path").attr({class: "line", d: line(places)}).style("stroke", "var(--accent)");
    const lowest = places.reduce((a, b) => tokens[b].window < tokens[a].window ? b : a, places[0]);
    svg.append("circle").attr({cx: x(lowest), cy: y(tokens[lowest].window), r: 4}).style("fill", "var(--accent)");
    svg.append("text")
        .attr({
          class: "value",
          x: Math.min(x(lowest) + 8, width - 120),
          y: y(tokens[lowest].window) + (floor - y(tokens[lowest].window) < 26 ? -10 : 18)
        })
        .text("lowest: " + figureText(tokens[lowest].window));
    const rule = svg.append("line").attr({class: "rule", y1: margin.top, y2: floor, visibility: "hidden"});
    giveMark(i => {
      rule.attr({visibility: i < 0 ? "hidden" : "visible", x1: x(i), x2: x(i)});
      read(i < 0 ? "" : `token ${numberText(i)}: window ${figureText(tokens[i].window)}, p ${figureText(tokens[i].p)}`);
    });
    explore(svg, {
      count: tokens.length,
      placeOf: pixel => Math.round(Math.max(0, Math.min(tokens.length - 1, x.invert(pixel)))),
      show: i => {
        if (i >= 0) choose(i);
      }
    });
  };
  const rows = () => [
      ["token", "text", "probability", "window confidence", "weight"],
      ...tokens.map(
          (token, i) => [numberText(i), JSON.stringify(token.text), token.p, token.window ?? "–", token.weight])];
  return figure(
      {title: "Window confidence; shaded: CUDA mask", draw: places.length ? draw : undefined, rows, height: 190});
}
