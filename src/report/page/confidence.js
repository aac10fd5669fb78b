// Confidence of CUDA-sensitive and neutral tokens, and low-confidence windows: docs/analyze.md.
function showConfidence() {
  const analysis = data.analysis;
  if (!analysis) return;
  const element = section("confidence", "Confidence", [
    "How probable the model finds the right next token, for CUDA-sensitive code and for the rest. ",
    `${plural(analysis.samples ?? 0, "sample")} of `, make("code", {}, (analysis.data ?? []).join(", ")), ", model ",
    make("code", {}, analysis.model ?? ""), analysis.adapter ? " with " : null,
    analysis.adapter ? make("code", {}, analysis.adapter) : null, "."
  ].filter(Boolean));
  if (analysis.confidence)
    element.append(densityFigure(analysis.confidence), ksSentence(analysis), spreadTable(analysis));
  if (analysis.windows) showWindows(element, analysis);
}

// A model that knows its data well is nearly certain of most tokens: the others are then visible on a logarithmic
// scale only.
const kSteepDensity = 12;

function densityScale(values, range) {
  const most = Math.max(...values), least = Math.min(...values.filter(value => value > 0));
  if (most <= kSteepDensity) return d3.scale.linear().domain([0, most]).nice(4).range(range);
  const scale = d3.scale.log()
                    .domain([10 ** Math.floor(Math.log10(least)), 10 ** Math.ceil(Math.log10(most))])
                    .range(range)
                    .clamp(true);
  const decades = d3.range(Math.floor(Math.log10(least)), Math.ceil(Math.log10(most)) + 1).map(power => 10 ** power);
  scale.ticks = () => decades.filter((_, i) => decades.length < 6 || i % 2 === 0);
  return scale;
}

const kTokenGroups = [["sensitive", "CUDA-sensitive", "var(--sensitive)"], ["neutral", "Neutral", "var(--neutral)"]];

function densityFigure({edges, ...groups}) {
  const known = kTokenGroups.filter(([key]) => groups[key]?.density);
  const values = known.flatMap(([key]) => groups[key].density);
  const heightOf = (y, value) => y(value > 0 ? value : y.domain()[0]);
  const draw = (svg, width, height, read) => {
    const margin = {left: 48, right: 12, top: 10, bottom: 42};
    const x = d3.scale.linear().domain([edges[0], edges[edges.length - 1]]).range([margin.left, width - margin.right]);
    const y = densityScale(values, [height - margin.bottom, margin.top]);
    const floor = height - margin.bottom;
    axes(
        svg, x, y,
        {width, height, margin, xLabel: "probability of the right token", yFormat: figureText, xFormat: figureText});
    for (const [key, , color] of known) {
      const points = groups[key].density.flatMap((value, i) => [[edges[i], value], [edges[i + 1], value]]);
      svg.append("path")
          .attr({class: "area", d: d3.svg.area().x(p => x(p[0])).y0(floor).y1(p => heightOf(y, p[1]))(points)})
          .style("fill", color);
      svg.append("path")
          .attr({class: "line", d: d3.svg.line().x(p => x(p[0])).y(p => heightOf(y, p[1]))(points)})
          .style("stroke", color);
      const median = groups[key].median;
      if (Number.isFinite(median))
        svg.append("line")
            .attr({class: "line dotted", x1: x(median), x2: x(median), y1: margin.top, y2: floor})
            .style("stroke", color);
    }
    const rule =
        svg.append("rect").attr({class: "bin", y: margin.top, height: floor - margin.top, visibility: "hidden"});
    explore(svg, {
      count: edges.length - 1,
      placeOf: pixel => Math.max(0, Math.min(edges.length - 2, d3.bisectRight(edges, x.invert(pixel)) - 1)),
      show: i => {
        if (i < 0) {
          rule.attr("visibility", "hidden");
          read("");
          return;
        }
        rule.attr({visibility: "visible", x: x(edges[i]), width: x(edges[i + 1]) - x(edges[i])});
        read(
            `${figureText(edges[i])} to ${figureText(edges[i + 1])}: ` +
            known.map(([key, name]) => `${name} ${percentText(groups[key].density[i] * (edges[i + 1] - edges[i]))}`)
                .join(", "));
      },
    });
  };
  const rows = () => [
      ["from", "to", ...known.map(([, name]) => name + ", density")],
      ...edges.slice(1).map((end, i) => [figureText(edges[i]), end, ...known.map(([key]) => groups[key].density[i])])];
  const element = figure({
    title: Math.max(...values) > kSteepDensity ? "Density of the confidence, logarithmic; medians dotted" :
                                                 "Density of the confidence; medians dotted",
    draw,
    rows,
    height: 260
  });
  element.prepend(legend(known.map(([, name, color]) => [name, color])));
  return element;
}

// p below the range of double is given by its logarithm.
function probability({p_value: p, log10_p_value: log}) {
  if (p > 1e-4) return ["p = " + figureText(p)];
  const exponent = Number.isFinite(log) ? log : Math.log10(p);
  if (!Number.isFinite(exponent)) return ["p = 0"];
  const digits = 10 ** (exponent - Math.floor(exponent));
  return [`p = ${digits.toFixed(1)} · 10`, make("sup", {}, String(Math.floor(exponent)).replace("-", "−"))];
}

function ksSentence({ks, confidence}) {
  if (!ks) return make("p");
  return make(
      "p", {class: "finding", id: "ks"}, make("b", {}, `D = ${figureText(ks.statistic)}, `, ...probability(ks)),
      ` (two-sample Kolmogorov–Smirnov test, ${numberText(ks.sensitive)} sensitive and ${
          numberText(ks.neutral)} neutral tokens). ` +
          (ks.p_value < 0.01 ? "The two are not drawn from one distribution. " : "The difference could be chance. ") +
          meansText(confidence));
}

function meansText({sensitive, neutral}) {
  if (!Number.isFinite(sensitive?.mean) || !Number.isFinite(neutral?.mean)) return "";
  const word = sensitive.mean < neutral.mean ? "less" : "more";
  return `On average the model is ${word} certain of CUDA-sensitive tokens: ${figureText(sensitive.mean)} against ${
      figureText(neutral.mean)}.`;
}

function spreadTable({confidence, tokens}) {
  const rows = [["Tokens", "Number", "Mean", "Lower quartile", "Median", "Upper quartile"]];
  for (const [key, name] of kTokenGroups) {
    const group = confidence[key];
    if (group)
      rows.push(
          [name, numberText(tokens?.[key] ?? 0), group.mean, group.quartiles?.[0], group.median, group.quartiles?.[1]]);
  }
  return make("div", {class: "scroll"}, table(rows));
}

function showWindows(element, {windows, lowest}) {
  element.append(
      make("h3", {}, "Low-confidence windows"),
      make(
          "p", {class: "lead"},
          `${numberText(windows.low)} of ${numberText(windows.count)} windows of ${windows.size} tokens are low` +
              (Number.isFinite(windows.threshold) ? ` (below ${figureText(windows.threshold)})` : "") +
              `. ${percentText(windows.samples_with_low)} of the samples have one; ${
                  percentText(windows.low_in_sensitive)} of the low windows touch a CUDA-sensitive structure` +
              (Number.isFinite(windows.all_in_sensitive) ?
                   `, against ${percentText(windows.all_in_sensitive)} of all windows.` :
                   ".")));
  if (windows.rule)
    element.append(make("p", {class: "note"}, windows.rule[0].toUpperCase() + windows.rule.slice(1) + "."));
  if (windows.by_kind?.length) element.append(kindFigure(windows.by_kind));
  if (lowest?.length) {
    element.append(
        make("h3", {}, "The lowest windows"), make("div", {class: "cards"}, ...lowest.slice(0, 12).map(lowestCard)));
  }
}

function kindFigure(kinds) {
  const shown = [...kinds].sort((a, b) => b.share - a.share);
  const row = 30;
  const draw = (svg, width) => {
    const left = Math.min(170, width * 0.4), right = 56;
    const x =
        d3.scale.linear().domain([0, d3.max(shown, kind => Math.max(kind.share, kind.all_share ?? 0)) || 1]).range([
          left, width - right
        ]);
    shown.forEach((kind, i) => {
      const y = i * row + 6;
      const color = kind.sensitive === false ? "var(--neutral)" : "var(--sensitive)";
      svg.append("text").attr({class: "tick", x: left - 10, y: y + 14, "text-anchor": "end"}).text(wordText(kind.kind));
      svg.append("rect")
          .attr({x: left, y, width: Math.max(1, x(kind.share) - left), height: 18, rx: 2})
          .style("fill", color);
      if (Number.isFinite(kind.all_share))
        svg.append("line").attr({class: "mark", x1: x(kind.all_share), x2: x(kind.all_share), y1: y - 3, y2: y + 21});
      svg.append("text")
          .attr({class: "value", x: x(Math.max(kind.share, kind.all_share ?? 0)) + 8, y: y + 14})
          .text(percentText(kind.share));
    });
  };
  const rows = () => [
      ["Kind", "Low windows", "Share of low windows", "Share of all windows"],
      ...shown.map(
          kind => [wordText(kind.kind), numberText(kind.low), percentText(kind.share), percentText(kind.all_share)])];
  const note = shown.some(kind => Number.isFinite(kind.all_share)) ?
      "Bars: share of low windows that hold the kind. Ticks: share of all windows that do." :
      undefined;
  const element = figure({title: "Low windows by what they hold", draw, rows, note, height: shown.length * row + 8});
  element.classList.add("spaced");
  return element;
}

function lowestCard(window) {
  const code = make("pre", {class: "code small heat", tabindex: 0, "aria-label": "Code of the window"});
  if (window.tokens)
    code.append(...window.tokens.map(
        ([text, p]) => make("span", {style: `--q: ${heatOf(p)}`, title: `p = ${figureText(p)}`}, text)));
  else
    code.textContent = window.text ?? "";
  return make(
      "div", {class: "card"},
      make(
          "p", {class: "card-head"}, make("b", {}, "confidence " + figureText(window.confidence)),
          make("span", {}, (window.kinds ?? []).map(wordText).join(", "))),
      code, make("p", {class: "note"}, `${window.sample ?? ""}, line ${window.line ?? "–"}`));
}

// How strongly a token is colored: nothing at p = 1.
const heatOf = p => (0.85 * (1 - p)).toFixed(2);
