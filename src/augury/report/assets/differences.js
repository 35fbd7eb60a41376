// Stacked signed bars: bias and variance of one model minus those of another, for each data set.

const differenceLeft = 54; // room for a minus sign
const PARTS = ["bias", "variance"];
const partFill = { bias: seriesColour(0), variance: "url(#hatch-difference)" };
const partEdge = { bias: seriesColour(0), variance: seriesColour(1) };

// Equidistant round numbers that cover a range, and as many decimals as their distance needs.
function roundTicks(low, high, mostSteps) {
  const smallest = (high - low) / mostSteps;
  const power = 10 ** Math.floor(Math.log10(smallest));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= smallest * (1 - 1e-9));
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return { ticks, texts: ticks.map((tick) => writeNumber(Math.abs(tick) < step / 2 ? 0 : tick, decimals)) };
}

// The data sets that have both models, with the first model's parts minus those of the second.
function differencesOf(view) {
  const part = partOf(view.method);
  return datasets.flatMap((name, d) => {
    const [first, second] = [view.first, view.second].map((m) => (part.datasets[d] || [])[m] || null);
    if (!first || !second) return [];
    // Sums in another order differ by rounding: these are no differences.
    const minus = (key) => (Math.abs(first[key] - second[key]) < 1e-12 ? 0 : first[key] - second[key]);
    return [{ name, first, second, bias: minus("bias"), variance: minus("variance"), error: minus("error") }];
  });
}

// Parts above 0 are stacked upwards, parts below 0 downwards, bias next to the line.
function stack(row) {
  const ends = { up: 0, down: 0 };
  return PARTS.map((key) => {
    const side = row[key] >= 0 ? "up" : "down";
    const from = ends[side];
    ends[side] += row[key];
    return { key, from, to: ends[side] };
  });
}

function drawDifferences(view, room) {
  const rows = differencesOf(view).map((row) => ({ ...row, parts: stack(row) }));
  const ends = rows.flatMap((row) => row.parts.map((part) => part.to));
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const { ticks, texts } = high > low ? roundTicks(low, high, 6) : roundTicks(-0.01, 0.01, 2);
  const bar = Math.min(Math.max((room - differenceLeft - 40) / rows.length - 6, 12), chart.thickest);
  const step = bar + 6;
  const width = Math.max(differenceLeft + rows.length * step + 24, 300);
  const bottom = chart.top + chart.plot;
  const place = (value) => bottom - ((value - ticks[0]) / (ticks.at(-1) - ticks[0])) * chart.plot;
  const [first, second] = [models[view.first], models[view.second]];
  return draw("svg", { viewBox: `0 0 ${width} ${bottom + chart.labels}`, width, height: bottom + chart.labels, role: "img", "font-size": 12 },
    draw("title", {}, `Bias and variance of ${first} minus those of ${second}`),
    draw("desc", {}, `Stacked signed bars for ${rows.length} data sets; the table below has the numbers.`),
    draw("defs", {}, draw("pattern", { id: "hatch-difference", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      draw("rect", { width: 5, height: 5, fill: "var(--raised)" }), draw("rect", { width: 2.2, height: 5, fill: seriesColour(1) }))),
    ticks.map((tick, i) => [
      draw("path", { d: `M${differenceLeft} ${place(tick)}H${width - 8}`, stroke: "var(--grid)" }),
      draw("text", { x: differenceLeft - 7, y: place(tick) + 4, "text-anchor": "end", fill: "var(--faint-ink)" }, texts[i]),
    ]).flat(),
    rows.map((row, i) => drawDifference(row, `${first} − ${second}`, differenceLeft + 8 + i * step, bar, place, bottom)),
    draw("path", { d: `M${differenceLeft} ${place(0)}H${width - 8}`, stroke: "var(--axis)", "stroke-width": 1.5 }));
}

function drawDifference(row, pair, x, width, place, bottom) {
  return draw("g", { "data-dataset": row.name },
    draw("title", {}, `${pair} on ${row.name}: bias ${signed(row.bias)}, variance ${signed(row.variance)}, error ${signed(row.error)}`),
    row.parts.map(({ key, from, to }) => draw("rect", {
      "data-part": key, x, width, y: Math.min(place(from), place(to)), height: Math.abs(place(from) - place(to)),
      fill: partFill[key], stroke: partEdge[key], "stroke-width": from === to ? 0 : 0.8,
    })),
    rotatedName(row.name, x + width / 2, bottom + 12));
}

const signed = (value) => (value > 0 ? "+" : "") + writeNumber(value, 3);

function differencesLegend(view) {
  const swatch = (key) => draw("svg", { class: "swatch", width: 14, height: 14, "aria-hidden": "true" },
    draw("rect", { x: 1, y: 1, width: 12, height: 12, fill: partFill[key], stroke: partEdge[key] }));
  const rows = differencesOf(view);
  const count = (key) => {
    const [above, below] = [rows.filter((row) => row[key] > 0), rows.filter((row) => row[key] < 0)];
    return `${key}: higher on ${above.length}, equal on ${rows.length - above.length - below.length}, lower on ${below.length}`;
  };
  return [make("span", {}, `Above 0, ${models[view.first]} has more than ${models[view.second]}; below 0, less. ${rows.length} data sets: `),
    ...PARTS.map((key) => make("span", { class: "key long" }, swatch(key), count(key)))];
}

function differencesTable(view) {
  const keys = [...PARTS, "error"];
  const header = keys.flatMap((key) => [models[view.first], models[view.second], "difference"].map((who) => `${key}: ${who}`));
  return [
    make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "name" }, "Data set"), header.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, differencesOf(view).map((row) => make("tr", {}, make("th", { scope: "row", class: "name" }, row.name),
      keys.flatMap((key) => [writeNumber(row.first[key], 3), writeNumber(row.second[key], 3), signed(row[key])].map((text) => make("td", {}, text)))))),
  ];
}

atStart(() => {
  const box = byId("differences-chart");
  if (!box) return;
  const { method, chosen } = biasVarianceState();
  const other = [...chosen].find((m) => m !== state.reference) ?? state.reference;
  const view = { method, first: state.reference, second: other };
  const numbers = byId("differences-numbers");
  const selects = { first: byId("difference-first"), second: byId("difference-second") };
  const refresh = () => {
    for (const [side, select] of Object.entries(selects)) select.value = view[side];
    box.replaceChildren(drawDifferences(view, box.clientWidth));
    byId("differences-legend").replaceChildren(...differencesLegend(view));
    if (numbers.open) numbers.querySelector("table").replaceChildren(...differencesTable(view));
  };
  // The two models change places if the reader chooses the same model twice.
  const choose = (side, model) => {
    const opposite = side === "first" ? "second" : "first";
    if (view[opposite] === model) view[opposite] = view[side];
    view[side] = model;
    refresh();
  };
  for (const [side, select] of Object.entries(selects)) {
    select.addEventListener("change", () => choose(side, Number(select.value)));
  }
  for (const input of document.querySelectorAll('input[name="decomposition"]')) {
    input.addEventListener("change", () => {
      view.method = input.value;
      refresh();
    });
  }
  let reference = state.reference;
  onChange(() => {
    if (state.reference === reference) return;
    reference = state.reference;
    choose("first", reference);
  });
  numbers.addEventListener("toggle", refresh);
  refresh();
});
