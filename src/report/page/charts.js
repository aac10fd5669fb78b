// Charts in SVG with D3's scales and shapes. Colors are CSS variables, so a change of theme redraws nothing.
//
// A figure is a chart, a line that reads out what is under the pointer or the arrow keys, and the same numbers as a
// table behind a switch. Where the program was built without D3, the tables are open and the charts are missing.
const hasCharts = typeof d3 !== "undefined";

// figure({title, draw(svg, width), rows, readout}): `draw` is called again when the width changes.
function figure({title, note, draw, rows, height = 230}) {
  const readout = make("span", {class: "readout", "aria-live": "polite"});
  const caption = make("figcaption", {}, make("span", {class: "figure-title"}, title), readout);
  const element = make("figure", {}, caption);
  if (hasCharts && draw) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", title + ". The numbers are in the table below.");
    element.append(svg);
    let drawnWidth = 0;
    const redraw = () => {
      const width = Math.floor(element.clientWidth);
      if (!width || width === drawnWidth) return;
      drawnWidth = width;
      svg.replaceChildren();
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("height", height);
      draw(d3.select(svg), width, height, text => {
        readout.textContent = text;
      });
    };
    new ResizeObserver(redraw).observe(element);
  }
  if (note) element.append(make("p", {class: "note"}, note));
  if (rows) {
    const details = make("details", {class: "numbers"}, make("summary", {}, "Numbers"));
    const fill = () => {
      if (details.children.length === 1)
        details.append(make("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": title}, table(rows())));
    };
    details.addEventListener("toggle", fill);
    if (!hasCharts || !draw) {
      details.open = true;
      fill();
    }
    element.append(details);
  }
  return element;
}

// Each tick's text, with as many digits as it takes to tell them apart.
function tickTexts(ticks, format) {
  const texts = ticks.map(format);
  const isPercent = texts.every(text => String(text).endsWith("%"));
  for (let digits = 2; new Set(texts).size < texts.length && digits <= 12; ++digits) {
    ticks.forEach((tick, i) => {
      texts[i] = isPercent ? Number((100 * tick).toPrecision(digits)) + " %" : String(Number(tick.toPrecision(digits)));
    });
  }
  return texts;
}

function axes(svg, x, y, {width, height, margin, xLabel, yFormat, xFormat, yTicks = 4}) {
  const left = margin.left, bottom = height - margin.bottom;
  const yPlaces = y.ticks(yTicks), yTexts = tickTexts(yPlaces, yFormat);
  yPlaces.forEach((tick, i) => {
    svg.append("line").attr({class: "grid", x1: left, x2: width - margin.right, y1: y(tick), y2: y(tick)});
    svg.append("text").attr({class: "tick", x: left - 8, y: y(tick) + 4, "text-anchor": "end"}).text(yTexts[i]);
  });
  const wanted = Math.max(2, Math.min(6, Math.floor(width / 80)));
  const xPlaces = x.ticks(wanted), xTexts = tickTexts(xPlaces, xFormat);
  xPlaces.forEach((tick, i) => {
    svg.append("text").attr({class: "tick", x: x(tick), y: bottom + 18, "text-anchor": "middle"}).text(xTexts[i]);
  });
  svg.append("line").attr({class: "axis", x1: left, x2: width - margin.right, y1: bottom, y2: bottom});
  if (xLabel)
    svg.append("text")
        .attr({class: "label", x: width - margin.right, y: height - 3, "text-anchor": "end"})
        .text(xLabel);
}

// Pointer and arrow keys move over `count` places; `show` gets one of them, or -1.
function explore(svg, {count, placeOf, show}) {
  let place = -1;
  const go = next => {
    place = next < 0 ? -1 : Math.min(next, count - 1);
    show(place);
  };
  svg.attr("tabindex", 0);
  svg.on("pointermove", () => go(placeOf(d3.mouse(svg.node())[0])));
  svg.on("pointerleave", () => go(-1));
  svg.on("blur", () => go(-1));
  svg.on("keydown", () => {
    const by = {ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10}[d3.event.key];
    if (!by) return;
    d3.event.preventDefault();
    go(Math.max(0, place + by));
  });
  return go;
}

// series: [{name, color, x: [], y: [], isDotted}]
function lineFigure({title, series, xLabel = "step", format = figureText, domain, note}) {
  const steps = [...new Set(series.flatMap(line => line.x))].sort((a, b) => a - b);
  const valueAt = (line, step) => {
    const i = line.x.indexOf(step);
    return i < 0 ? null : line.y[i];
  };
  const draw = (svg, width, height, read) => {
    const margin = {left: 48, right: 12, top: 10, bottom: 42};
    const values = series.flatMap(line => line.y).filter(Number.isFinite);
    const x = d3.scale.linear().domain(d3.extent(steps)).range([margin.left, width - margin.right]);
    const y = d3.scale.linear().domain(domain ?? padded(d3.extent(values))).range([height - margin.bottom, margin.top]);
    if (!domain) y.nice(4);
    axes(svg, x, y, {width, height, margin, xLabel, yFormat: format, xFormat: numberText});
    const path = d3.svg.line().defined(p => Number.isFinite(p[1])).x(p => x(p[0])).y(p => y(p[1]));
    for (const line of series) {
      const points = line.x.map((step, i) => [step, line.y[i]]);
      svg.append("path")
          .attr({class: "line" + (line.isDotted ? " dotted" : ""), d: path(points)})
          .style("stroke", line.color);
      if (points.length < 12)
        for (const p of points) svg.append("circle").attr({cx: x(p[0]), cy: y(p[1]), r: 2.5}).style("fill", line.color);
    }
    const rule =
        svg.append("line").attr({class: "rule", y1: margin.top, y2: height - margin.bottom, visibility: "hidden"});
    explore(svg, {
      count: steps.length,
      placeOf: pixel => nearest(steps, x.invert(pixel)),
      show: i => {
        rule.attr({visibility: i < 0 ? "hidden" : "visible", x1: x(steps[i] ?? 0), x2: x(steps[i] ?? 0)});
        const known =
            i < 0 ? [] : series.map(line => [line.name, valueAt(line, steps[i])]).filter(([, value]) => value !== null);
        read(
            i < 0 ? "" :
                    `${xLabel} ${numberText(steps[i])}: ` +
                    known.map(([name, value]) => `${name} ${format(value)}`).join(", "));
      },
    });
  };
  const rows = () => [
      [xLabel, ...series.map(line => line.name)],
      ...steps.map(step => [numberText(step), ...series.map(line => valueAt(line, step))])];
  return figure({title, draw, rows, note});
}

function padded([low, high]) {
  if (low === undefined) return [0, 1];
  const room = high > low ? 0 : Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}

// The index of the value that is nearest to `wanted`; `values` ascend.
function nearest(values, wanted) {
  const i = d3.bisectLeft(values, wanted);
  if (i === 0) return 0;
  if (i === values.length) return values.length - 1;
  return wanted - values[i - 1] < values[i] - wanted ? i - 1 : i;
}

// A rate with its interval as a dot on a track; `low`..`high` is what the track spans.
function whisker({value, low, high}, {from = 0, to = 1, color, zero}) {
  const place = v => 100 * (Math.min(Math.max(v, from), to) - from) / (to - from);
  const element = make("span", {class: "whisker", "aria-hidden": "true", style: `--color: ${color}`});
  if (zero !== undefined) element.append(make("i", {class: "zero", style: `left: ${place(zero)}%`}));
  element.append(
      make("i", {class: "span", style: `left: ${place(low)}%; width: ${place(high) - place(low)}%`}),
      make("i", {class: "dot", style: `left: ${place(value)}%`}));
  return element;
}

const legend = entries => make(
    "ul", {class: "legend"},
    ...entries.map(
        ([name, color, isDotted]) =>
            make("li", {style: `--color: ${color}`, class: isDotted ? "dotted" : undefined}, name)));
