// What became of the answers, by kind and method.
function showFailures() {
  const judged = methods.map(method => ({method, words: countWords(method)})).filter(({words}) => words.size);
  if (!judged.length) return;
  const words = [...new Set(judged.flatMap(({words}) => [...words.keys()]))].sort(
      (a, b) => kVerdictOrder.indexOf(a) - kVerdictOrder.indexOf(b));
  const total = ({words}) => [...words.values()].reduce((a, b) => a + b, 0);
  const element = section(
      "failures", "Failures by kind",
      "Every answer gets one word: the first that applies, from no code at all to wrong numbers.");
  const row = 54;
  const draw = (svg, width, height, read) => {
    judged.forEach((entry, k) => {
      const y = k * row;
      svg.append("text").attr({class: "row-name", x: 0, y: y + 14}).text(entry.method.name);
      let x = 0;
      for (const word of words) {
        const count = entry.words.get(word) ?? 0;
        const size = width * count / total(entry);
        if (!count) continue;
        const part = svg.append("rect")
                         .attr({class: "part", x, y: y + 22, width: Math.max(0.5, size - 1.5), height: 22, rx: 2})
                         .style("fill", verdictColor(word));
        part.append("title").text(`${wordText(word)}: ${count} of ${total(entry)}`);
        part.on(
            "pointerenter",
            () => read(
                `${entry.method.name}: ${wordText(word)} ${numberText(count)}, ${percentText(count / total(entry))}`));
        part.on("pointerleave", () => read(""));
        if (size > 30)
          svg.append("text")
              .attr({class: "in-bar", x: x + 7, y: y + 37})
              .style("fill", verdictInk(word))
              .text(numberText(count));
        x += size;
      }
    });
  };
  const rows = () => [
      ["Verdict", ...judged.map(({method}) => method.name)],
      ...words.map(
          word =>
              [wordText(word),
               ...judged.map(
                   entry => `${numberText(entry.words.get(word) ?? 0)} (${
                       percentText((entry.words.get(word) ?? 0) / total(entry))})`)])];
  element.append(
      figure({title: "Answers", draw, rows, height: judged.length * row}),
      make(
          "ul", {class: "legend words"},
          ...words.map(
              word => make(
                  "li", {style: `--color: ${verdictColor(word)}`},
                  make("span", {}, make("b", {}, wordText(word)), " ", kVerdictMeanings[word] ?? "")))));
}

// From the summary where there is one, else from the verdicts of the tasks.
function countWords(method) {
  if (method.summary?.words) return new Map(Object.entries(method.summary.words));
  const counts = new Map();
  for (const task of data.verdicts.tasks) {
    for (const index of task.results[method.index]) {
      const word = data.verdicts.words[index];
      if (word) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}
