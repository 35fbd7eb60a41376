// Drawing of the scales of a nomogram: values of a column over their points, and of the sum.

const scale = { left: 8, right: 8, top: 26, height: 46, letter: 7 };

const writePlain = (x) => {
  const size = Math.abs(x);
  let text = String(Number(x.toPrecision(4)));
  if (size >= 1e4) text = size < 1e9 ? String(Math.round(x)) : x.toPrecision(3);
  else if (x !== 0 && size < 1e-3) text = x.toPrecision(3);
  return text.replace("-", "−");
};

const writeDay = (days) => {
  const moment = new Date(Math.round(days) * 86400000);
  return Number.isNaN(moment.getTime()) ? `${writePlain(days)} days` : moment.toISOString().slice(0, 10);
};

const writeOdds = (value) => `${value <= -0.005 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

const percent = (p) => (p > 0 && p < 0.001 ? "< 0.1 %" : p < 1 && p > 0.999 ? "> 99.9 %" : `${(100 * p).toFixed(1)} %`);

// Equidistant round numbers inside a range.
function roundNumbers(low, high, most) {
  if (!(high > low)) return [low];
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= raw * (1 - 1e-9));
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first;
  return Array.from({ length: count + 1 }, (_, k) => (first + k) * step);
}

// Texts that have room, the first ones first; each has a place and a width in pixels.
function withRoom(marks, width) {
  const taken = [];
  return marks.filter((mark) => {
    const half = (mark.text.length * scale.letter) / 2 + 4;
    const start = Math.max(0, Math.min(mark.x - half, width - 2 * half));
    if (taken.some(([a, b]) => start < b && start + 2 * half > a)) return false;
    taken.push([start, start + 2 * half]);
    return true;
  });
}

function drawScale({ title, width, largest, marks, at, tone }) {
  const room = width - scale.left - scale.right;
  const place = (share) => scale.left + share * room;
  const placed = marks.map((mark) => ({ ...mark, x: place(mark.share) }));
  const named = new Set(withRoom(placed, width));
  const x = place(Math.max(0, Math.min(at, 1)));
  return draw("svg", { viewBox: `0 0 ${width} ${scale.height}`, width, height: scale.height, role: "img", class: "scale", "font-size": 11 },
    draw("title", {}, title),
    draw("path", { d: `M${scale.left} ${scale.top}H${place(largest)}`, stroke: "var(--axis)", "stroke-width": 1.5 }),
    placed.map((mark) => draw("g", {},
      draw("path", { d: `M${mark.x} ${scale.top}v${named.has(mark) ? 6 : 4}`, stroke: "var(--axis)" }),
      named.has(mark) ? draw("text", { x: Math.max(mark.text.length * scale.letter / 2, Math.min(mark.x, width - mark.text.length * scale.letter / 2)), y: scale.top + 17, "text-anchor": "middle", fill: "var(--faint-ink)" }, mark.text) : null,
      draw("title", {}, mark.text))),
    draw("path", { d: `M${x} ${scale.top - 3}l-6 -11h12Z`, fill: `var(--${tone || "accent"})` }));
}

// The values of a column over their points.
function columnMarks(column, k, treatment, nomogram, positive, negative) {
  const shareOf = (scores) => nomogram.points(k, scores[positive] - scores[negative]) / 100;
  const marks = [];
  if (!isNumber(column)) {
    marks.push(...column.labels.map((text, i) => ({ text, share: shareOf(column.scores[i]) })));
  } else {
    const write = treatment === "date" ? writeDay : writePlain;
    const isStepped = column.coefficients.every((own) => own.length === 1);
    const numbers = isStepped
      ? [column.low, ...column.edges.map((edge, i) => (i + 1 < column.edges.length ? (edge + column.edges[i + 1]) / 2 : Math.max(edge, column.high)))]
      : roundNumbers(column.low, column.high, 6);
    const texts = isStepped ? intervalTexts(column.edges, write) : numbers.map(write);
    marks.push(...numbers.map((x, i) => ({ text: texts[i], share: shareOf(scoresOfValue(column, x)) })));
  }
  marks.push({ text: "missing", share: shareOf(column.missing) });
  // The ends of the scale are named first.
  const ends = [Math.max(...marks.map((mark) => mark.share)), Math.min(...marks.map((mark) => mark.share))];
  const rank = (mark) => (ends.includes(mark.share) ? 0 : mark.text === "missing" ? 2 : 1);
  return marks.sort((a, b) => rank(a) - rank(b));
}

function intervalTexts(edges, write) {
  if (!edges.length) return ["any"];
  const between = edges.slice(1).map((edge, i) => `${write(edges[i])}–${write(edge)}`);
  return [`≤ ${write(edges[0])}`, ...between, `> ${write(edges[edges.length - 1])}`];
}

const shown = [0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999];

// The probability of the positive class of two classes, over the sum of points.
function probabilityMarks(nomogram) {
  return shown.map((p) => {
    const total = (Math.log(p / (1 - p)) - nomogram.base) / nomogram.unit;
    return { text: String(p), share: total / (nomogram.largestTotal || 1) };
  }).filter((mark) => mark.share >= 0 && mark.share <= 1)
    .sort((a, b) => Math.abs(a.share - 0.5) - Math.abs(b.share - 0.5));
}

function totalMarks(nomogram) {
  return roundNumbers(0, nomogram.largestTotal, 8).map((total) => ({ text: String(total), share: total / (nomogram.largestTotal || 1) }));
}
