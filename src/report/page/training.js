// Training curves, and what masks and weights did during training. Names are those of docs/checkpoints.md.
const kTrainingCurves = [
  ["loss", "Loss", "objectives weigh tokens differently: compare shapes, not heights"],
  ["eval_loss", "Evaluation loss", "cross-entropy per token on samples left out: the same measure for all"],
  ["accuracy", "Tokens the model would choose itself", null, percentShort],
  ["mean_confidence", "Mean probability of the right token"],
  ["grad_norm", "Gradient norm"],
  ["learning_rate", "Learning rate"],
];
const kMaskCurves = [
  ["masked_in", "Share of tokens with a weight above 0", null, percentShort],
  [
    "mean_sample_weight", "Mean weight of a sample, w",
    "1 − the confidence of its least certain window; 1 where a method has no such weight"
  ],
];

// Without zeros at the end: an axis may reach from 99.2 % to 100 %.
function percentShort(share) {
  return Number.isFinite(share) ? Number((100 * share).toFixed(2)) + " %" : "–";
}

function curveFigures(curves) {
  const trained = methods.filter(method => method.training);
  return curves.flatMap(([name, title, note, format]) => {
    const series = trained.filter(method => method.training.curves[name]?.x.length)
                       .map(method => ({name: method.name, color: colorOf(method), ...method.training.curves[name]}));
    return series.length ? [lineFigure({title, series, note, format: format ?? figureText})] : [];
  });
}

function trainedLegend() {
  return legend(methods.filter(method => method.training).map(method => [method.name, colorOf(method)]));
}

function showTraining() {
  const figures = curveFigures(kTrainingCurves);
  if (!figures.length) return;
  section("training", "Training").append(trainedLegend(), make("div", {class: "grid"}, ...figures));
}

function showMasks() {
  const figures = curveFigures(kMaskCurves);
  const windows = methods.filter(method => method.training?.windows.length);
  if (!figures.length && !windows.length) return;
  const element = section(
      "masks", "Masks and weights",
      "What the objective let in: CuSeT gives weight to tokens the model already believes in and to " +
          "CUDA-sensitive code, and more to samples with an uncertain region.");
  element.append(trainedLegend(), make("div", {class: "grid"}, ...figures));
  for (const method of windows) {
    element.append(
        make("h3", {}, "Least certain windows, ", methodName(method)),
        make("p", {class: "note"}, "The region that set a sample's weight, at a few steps of the run."),
        make("div", {class: "cards"}, ...method.training.windows.map(windowCard)));
  }
}

function windowCard(window) {
  return make(
      "div", {class: "card"},
      make(
          "p", {class: "card-head"}, make("b", {}, "step " + numberText(window.step)),
          make("span", {}, "confidence " + figureText(window.confidence))),
      make("pre", {class: "code small", tabindex: 0, "aria-label": "Code at step " + window.step}, window.text ?? ""),
      make("p", {class: "note"}, window.place ?? ""));
}
