// Points of a nomogram: a value that adds f to the log odds has (f - smallest f) / unit points, and
// the column with the largest range has 100 points.

// Numbers of a piece at which its polynomial may have an extremum.
function turningPoints(coefficients, positive, negative, origin) {
  const [, slope = 0, square = 0, cube = 0] = coefficients.map((own) => own[positive] - own[negative]);
  if (cube !== 0) {
    const root = Math.sqrt(square * square - 3 * cube * slope); // NaN without extrema
    return [(-square + root) / (3 * cube), (-square - root) / (3 * cube)].map((away) => origin + away);
  }
  return square === 0 ? [] : [origin - slope / (2 * square)];
}

function rangeOfNumbers(column, positive, negative) {
  const { edges } = column;
  const low = Math.min(column.low, ...edges.slice(0, 1));
  const high = Math.max(column.high, ...edges.slice(-1));
  return column.coefficients.flatMap((coefficients, k) => {
    const origin = column.origins[k];
    const first = k === 0 ? low : Math.max(low, edges[k - 1]);
    const last = k === edges.length ? high : Math.min(high, edges[k]);
    if (first > last) return [];
    const inside = turningPoints(coefficients, positive, negative, origin).filter((x) => x > first && x < last);
    return [first, last, ...inside].map((x) => {
      const away = x - origin;
      return polynomial(coefficients, positive, away) - polynomial(coefficients, negative, away);
    });
  });
}

// The smallest and the largest log odds that the values of a column add.
function rangeOfColumn(column, positive, negative) {
  const difference = (scores) => scores[positive] - scores[negative];
  const found = [difference(column.missing)];
  if (isNumber(column)) found.push(...rangeOfNumbers(column, positive, negative));
  else found.push(difference(column.unseen), ...column.scores.map(difference));
  return { smallest: Math.min(...found), largest: Math.max(...found) };
}

function makeNomogram(form, positive, negative) {
  const ranges = form.columns.map((column) => rangeOfColumn(column, positive, negative));
  const widest = Math.max(0, ...ranges.map((range) => range.largest - range.smallest));
  const unit = widest / 100 || 1;
  const prior = form.intercept[positive] - form.intercept[negative];
  return {
    ranges,
    unit,
    base: ranges.reduce((total, range) => total + range.smallest, prior),
    largestTotal: ranges.reduce((total, range) => total + (range.largest - range.smallest) / unit, 0),
    order: ranges.map((_, k) => k).sort((a, b) => (ranges[b].largest - ranges[b].smallest) - (ranges[a].largest - ranges[a].smallest) || a - b),
    points: (k, logOdds) => (logOdds - ranges[k].smallest) / unit,
  };
}
