// p(c | x) and contributions of columns, from the compact form of an additive model.
// A value is the index of a label, a number, or null if it is missing; the number of the labels
// of a column stands for a label that is none of them.

// Piece k has the numbers above edges[k - 1], up to edges[k].
function pieceOf(edges, x) {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isNumber = (column) => column.coefficients.length > 0;

function polynomial(coefficients, c, away) {
  let total = 0;
  for (let power = coefficients.length - 1; power >= 0; power -= 1) total = total * away + coefficients[power][c];
  return total;
}

// Scores of one value, for each class.
function scoresOfValue(column, value) {
  if (value === null) return column.missing;
  if (!isNumber(column)) return value < column.labels.length ? column.scores[value] : column.unseen;
  const piece = pieceOf(column.edges, value);
  const away = value - column.origins[piece];
  return column.missing.map((_, c) => polynomial(column.coefficients[piece], c, away));
}

// log p(c | x) up to a constant.
function scoresOfRow(form, values) {
  const terms = form.columns.map((column, k) => scoresOfValue(column, values[k]));
  return form.intercept.map((own, c) => terms.reduce((total, term) => total + term[c], own));
}

function probabilitiesOf(form, values) {
  const scores = scoresOfRow(form, values);
  const highest = Math.max(...scores.filter((_, c) => form.is_known[c]));
  const shares = scores.map((score, c) => (form.is_known[c] ? Math.exp(score - highest) : 0));
  const total = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / total);
}

// What the columns add to log p(positive | x) - log p(negative | x); with the prior they sum to it.
function contributionsOf(form, values, positive, negative) {
  const columns = form.columns.map((column, k) => {
    const scores = scoresOfValue(column, values[k]);
    return scores[positive] - scores[negative];
  });
  const prior = form.intercept[positive] - form.intercept[negative];
  return { prior, columns, logOdds: columns.reduce((total, part) => total + part, prior) };
}
