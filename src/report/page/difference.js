// What one program has that another has not: a difference of lines, and of words inside lines that were changed.
//
// Both are longest common subsequences (Myers 1986: an edit graph searched by number of edits). A search that would
// need more than kMostEdits edits is given up: the texts then count as different throughout.
const kMostEdits = 600;

// Pairs [i, j] of equal items of a and b, ascending; null where the search was given up.
function commonItems(a, b, mostEdits = kMostEdits) {
  const trace = [];
  let reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(a.length + b.length, mostEdits); ++edits) {
    trace.push(new Map(reach));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? reach.get(k + 1) : reach.get(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) ++x;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a, b);
    }
  }
  return null;
}

function walkBack(trace, a, b) {
  const pairs = [];
  let x = a.length, y = b.length;
  for (let edits = trace.length - 1; edits >= 0; --edits) {
    const reach = trace[edits], k = x - y;
    const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = edits ? reach.get(fromK) : 0, fromY = edits ? fromX - fromK : 0;
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    x = fromX;
    y = fromY;
  }
  return pairs.reverse();
}

const wordsOf = line => line.match(/\s+|\w+|[^\s\w]/g) ?? [];

// For every line of `after`: {parts: [[text, isNew], ...], isNew, missing: lines of `before` that stood in front}.
// `atEnd`: lines of `before` missing at the end. Null where the two have too little in common for marks to mean
// anything.
function differences(before, after) {
  const pairs = commonItems(before.map(line => line.trim()), after.map(line => line.trim()));
  if (!pairs || pairs.length < 0.3 * Math.min(before.length, after.length)) return null;
  const lines = [];
  let i = 0, j = 0;
  for (const [nextI, nextJ] of [...pairs, [before.length, after.length]]) {
    lines.push(...changedLines(before.slice(i, nextI), after.slice(j, nextJ)));
    const rest = Math.max(0, (nextI - i) - (nextJ - j));
    if (nextJ < after.length)
      lines.push({parts: [[after[nextJ], false]], isNew: false, missing: rest});
    else
      return {lines, atEnd: rest};
    i = nextI + 1;
    j = nextJ + 1;
  }
  return {lines, atEnd: 0};
}

// Lines in the place of others are compared word by word, in order; those beyond are new.
function changedLines(before, after) {
  return after.map((line, k) => {
    if (k >= before.length) return {parts: [[line, true]], isNew: true, missing: 0};
    const a = wordsOf(before[k]), b = wordsOf(line);
    const pairs = commonItems(a, b, 60) ?? [];
    const kept = new Set(pairs.map(([, j]) => j));
    if (pairs.filter(([i]) => a[i].trim()).length < 0.4 * b.filter(word => word.trim()).length)
      return {parts: [[line, true]], isNew: true, missing: 0};
    return {parts: b.map((word, j) => [word, !kept.has(j)]), isNew: true, missing: 0};
  });
}
