// Stacked bars: the models side by side for each data set, bias below, variance above.

const chart = { left: 46, top: 16, plot: 240, gap: 16, labels: 110, thinnest: 8, thickest: 22 };

function biasVarianceState() {
  const board = summary.leaderboard.map((row) => models.indexOf(row.model));
  const other = board.find((m) => m !== state.reference);
  const chosen = new Set([state.reference, other ?? state.reference]);
  return { method: "webb", chosen: new Set([...chosen].sort((a, b) => a - b)) };
}

const partOf = (method) => (method === "webb" ? summary.bias_variance : summary.bias_variance[method]);

const seriesColour = (k) => `var(--series-${(k % 5) + 1})`;

function hatch(k) {
  return draw("pattern", { id: `hatch-${k}`, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    draw("rect", { width: 5, height: 5, fill: "var(--raised)" }),
    draw("rect", { width: 2.2, height: 5, fill: seriesColour(k) }));
}

function drawBars(view, room) {
  const part = partOf(view.method);
  const chosen = [...view.chosen];
  const { ticks, texts } = summary.layout.bias_variance[view.method];
  const groups = datasets
    .map((name, d) => ({ name, cells: chosen.map((m) => (part.datasets[d] || [])[m] || null) }))
    .filter((group) => group.cells.some(Boolean));
  const wanted = ((room - chart.left - 40) / groups.length - chart.gap) / chosen.length;
  const bar = Math.min(Math.max(wanted, chart.thinnest), chart.thickest);
  const step = chosen.length * bar + chart.gap;
  const width = Math.max(chart.left + groups.length * step + 24, 300);
  const bottom = chart.top + chart.plot;
  const place = (value) => bottom - (value / ticks.at(-1)) * chart.plot;
  const names = chosen.map((m) => models[m]).join(", ");
  return draw("svg", { viewBox: `0 0 ${width} ${bottom + chart.labels}`, width, height: bottom + chart.labels, role: "img", "font-size": 12 },
    draw("title", {}, `Bias and variance of ${names}`),
    draw("desc", {}, `Stacked bars for ${groups.length} data sets; the table below has the numbers.`),
    draw("defs", {}, chosen.map((m, k) => hatch(k))),
    ticks.map((tick, i) => [
      draw("path", { d: `M${chart.left} ${place(tick)}H${width - 8}`, stroke: i ? "var(--grid)" : "var(--axis)" }),
      draw("text", { x: chart.left - 7, y: place(tick) + 4, "text-anchor": "end", fill: "var(--faint-ink)" }, texts[i]),
    ]).flat(),
    groups.map((group, g) => {
      const x = chart.left + 8 + g * step;
      return draw("g", { "data-dataset": group.name },
        group.cells.map((cell, k) => (cell ? drawBar(cell, models[chosen[k]], group.name, x + k * bar, bar - 1.5, place, k) : null)),
        rotatedName(group.name, x + (chosen.length * bar) / 2, bottom + 12));
    }));
}

function drawBar(cell, model, dataset, x, width, place, k) {
  const base = place(0);
  const middle = place(cell.bias);
  const top = place(cell.bias + cell.variance);
  return draw("g", { "data-model": model },
    draw("title", {}, `${model} on ${dataset}: error ${writeNumber(cell.error, 3)} = bias ${writeNumber(cell.bias, 3)} + variance ${writeNumber(cell.variance, 3)}`),
    draw("rect", { x, y: middle, width, height: base - middle, fill: seriesColour(k) }),
    draw("rect", { x, y: top, width, height: middle - top, fill: `url(#hatch-${k})`, stroke: seriesColour(k), "stroke-width": 0.8 }));
}

function rotatedName(name, x, y) {
  const short = name.length > 16 ? `${name.slice(0, 15)}…` : name;
  return draw("text", { x, y, "text-anchor": "end", fill: "var(--ink)", transform: `rotate(-55 ${x} ${y})` },
    short, draw("title", {}, name));
}

function biasVarianceLegend(view) {
  const swatch = (k, variance) => draw("svg", { class: "swatch", width: 14, height: 14, "aria-hidden": "true" },
    draw("rect", { x: 1, y: 1, width: 12, height: 12, fill: variance ? `url(#hatch-${k})` : seriesColour(k), stroke: seriesColour(k) }));
  const order = [...view.chosen].map((m, k) => make("span", { class: "key" }, swatch(k, false), models[m]));
  return [make("span", {}, "From left to right: "), ...order,
    make("span", { class: "key" }, "Filled: bias; "), make("span", { class: "key" }, swatch(0, true), "hatched: variance.")];
}

function biasVarianceTable(view) {
  const part = partOf(view.method);
  const chosen = [...view.chosen];
  const numbers = (cell) => ["error", "bias", "variance"].map((key) => make("td", {}, cell ? writeNumber(cell[key], 3) : "–"));
  const line = (name, cells) => make("tr", {}, make("th", { scope: "row", class: "name" }, name), chosen.map((m) => numbers(cells[m])).flat());
  const rows = datasets.map((name, d) => line(name, part.datasets[d] || []));
  return [
    make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "name" }, "Data set"),
      chosen.map((m) => ["error", "bias", "variance"].map((key) => make("th", { scope: "col" }, `${models[m]}: ${key}`))).flat())),
    make("tbody", {}, rows),
    part.averages ? make("tfoot", {}, line("Average", part.averages)) : null,
  ].filter(Boolean);
}

atStart(() => {
  const box = byId("bias-variance-chart");
  if (!box) return;
  const view = biasVarianceState();
  const numbers = byId("bias-variance-numbers");
  const refresh = () => {
    box.replaceChildren(drawBars(view, box.clientWidth));
    byId("bias-variance-legend").replaceChildren(...biasVarianceLegend(view));
    if (numbers.open) numbers.querySelector("table").replaceChildren(...biasVarianceTable(view));
  };
  const refreshChooser = fillChooser(byId("bias-variance-models"), () => view.chosen, 1, (chosen) => {
    view.chosen = chosen;
    refreshChooser();
    refresh();
  });
  for (const input of document.querySelectorAll('input[name="decomposition"]')) {
    input.addEventListener("change", () => {
      view.method = input.value;
      refresh();
    });
  }
  numbers.addEventListener("toggle", refresh);
  refresh();
});
