// One data set: its classes, the confusion matrix and the model summary of a model.

function barTable(title, header, rows) {
  const largest = Math.max(...rows.map((row) => Math.abs(row.value)), 1e-12);
  return make("table", { class: "bars" },
    make("caption", { class: "visually-hidden" }, title),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, header[0]), make("td", {}),
      make("th", { scope: "col", class: "number" }, header[2]))),
    make("tbody", {}, rows.map((row) => {
      const bar = make("span", { class: "bar" });
      bar.style.width = `${(100 * Math.abs(row.value)) / largest}%`;
      return make("tr", {}, make("th", { scope: "row" }, row.name, row.detail ? make("small", {}, row.detail) : null),
        make("td", { class: "track", "aria-hidden": "true" }, bar), make("td", { class: "number" }, row.text));
    })));
}

function datasetFacts(dataset) {
  const whole = (value) => (value === null || value === undefined ? null : value.toLocaleString("en"));
  const facts = [
    ["Rows", whole(dataset.n_rows)], ["Columns", whole(dataset.n_columns)],
    ["Numeric", whole(dataset.n_numeric)], ["Missing values", whole(dataset.n_missing)],
    ["Target", dataset.target], ["Source", dataset.source],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  return make("dl", { class: "facts-list full" },
    facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, String(value)))));
}

function classBalance(dataset) {
  const total = dataset.class_counts.reduce((a, b) => a + b, 0);
  const rows = dataset.classes.map((label, c) => {
    const n = dataset.class_counts[c];
    const share = total ? ` (${writeNumber((100 * n) / total, 1)} %)` : "";
    return { name: String(label), value: n, text: `${n.toLocaleString("en")}${share}` };
  });
  return make("div", {}, make("h3", {}, "Classes"), barTable("Rows of each class", ["Class", "", "Rows"], rows));
}

function confusionTable(dataset, matrix, model) {
  if (!matrix) return make("p", { class: "none" }, "There is no complete run of this model whose predictions were kept.");
  const labels = dataset.classes.map(String);
  const decimals = matrix.flat().every(Number.isInteger) ? 0 : 1;
  const columns = matrix[0].map((_, j) => (j < labels.length ? labels[j] : "no class"));
  const body = matrix.map((row, i) => {
    const total = row.reduce((a, b) => a + b, 0);
    return make("tr", {}, make("th", { scope: "row", class: "name", title: labels[i] }, labels[i]),
      row.map((n, j) => {
        const share = total ? n / total : 0;
        const tip = `${labels[i]} predicted as ${columns[j]}: ${writeNumber(n, 1)} (${writeNumber(100 * share, 1)} %)`;
        const cell = make("td", { class: i === j ? "right" : null, title: tip }, n ? writeNumber(n, decimals) : "·");
        const hue = i === j ? "var(--series-1)" : "var(--series-2)";
        // At most half of the colour, so that the number stays readable.
        if (n) cell.style.backgroundColor = `color-mix(in srgb, ${hue} ${(8 + 37 * share).toFixed(0)}%, var(--raised))`;
        return cell;
      }));
  });
  return make("div", {},
    scrollBox(`Confusion matrix of ${model}`, make("table", { class: "data confusion" },
      make("caption", { class: "visually-hidden" }, `Rows of each class by the prediction of ${model}`),
      make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "name" }, "true ↓ predicted →"),
        columns.map((name) => make("th", { scope: "col", title: name }, name)))),
      make("tbody", {}, body))),
    make("p", { class: "legend" }, "Mean number of rows in a run; framed: correct predictions."));
}

// A drawing is shown as an image: it can neither run scripts nor load files.
function networkDrawing(learned, model) {
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(learned.svg)}`;
  const image = make("img", { src: address, alt: learned.text || `Drawing of ${model}` });
  return make("div", { class: "drawing", tabindex: 0, role: "region", "aria-label": `Drawing of ${model}` }, image);
}

function influenceTable(learned) {
  if (!learned || !learned.influence || !learned.influence.length) return null;
  const unit = learned.influence_unit || "";
  const rows = learned.influence.map((row) => ({
    name: row.feature, value: row.value, detail: row.detail, text: writeNumber(row.value, 3),
  }));
  const header = ["Feature", "", "Influence"];
  const left = learned.n_features > rows.length ? `${learned.n_features - rows.length} features with less influence are not shown.` : null;
  const few = rows.slice(0, 12);
  const more = rows.slice(12);
  return make("div", {}, make("h3", {}, "Influence of the features"),
    unit ? make("p", { class: "legend" }, unit) : null,
    barTable(`Influence of the features, ${unit}`, header, few),
    more.length ? make("details", {}, make("summary", {}, `${more.length} more`),
      barTable(`Influence of further features, ${unit}`, header, more)) : null,
    left ? make("p", { class: "legend" }, left) : null);
}

function learnedPart(learned, model) {
  const notes = (learned && learned.notes) || [];
  if (!learned || !(learned.svg || learned.text || notes.length)) return null;
  return make("div", { class: "full" }, make("h3", {}, `Structure of ${model}`),
    notes.map((note) => make("p", { class: "legend" }, note)),
    learned.svg ? networkDrawing(learned, model) : null,
    learned.text ? make("details", { open: !learned.svg }, make("summary", {}, "As text"), make("pre", { tabindex: 0 }, learned.text)) : null);
}

// Small tables are side by side; a matrix of many classes takes the whole width.
function renderDatasetPanel(d, m) {
  const dataset = summary.datasets[d];
  const learned = ((summary.model_summaries || [])[d] || {})[models[m]];
  const matrix = ((summary.confusion || [])[d] || [])[m];
  const isLarge = matrix && dataset.classes.length > 6;
  const confusion = make("div", { class: isLarge ? "full" : null },
    make("h3", {}, `Confusion matrix of ${models[m]}`), confusionTable(dataset, matrix, models[m]));
  const influence = influenceTable(learned);
  const classes = classBalance(dataset);
  const columns = isLarge || !influence ? [classes, influence, confusion] : [make("div", {}, classes, confusion), influence];
  byId("dataset-panel").replaceChildren(make("div", { class: "panel" },
    datasetFacts(dataset), columns, learnedPart(learned, models[m])));
}

atStart(() => {
  const pickSet = byId("dataset");
  const pickModel = byId("dataset-model");
  // The panel starts with a model that has a drawing, if there is one.
  const drawn = Object.entries((summary.model_summaries || [])[0] || {}).find(([, learned]) => learned && learned.svg);
  pickModel.value = String(drawn ? models.indexOf(drawn[0]) : state.reference);
  const refresh = () => {
    renderDatasetPanel(Number(pickSet.value), Number(pickModel.value));
    announce(`${datasets[Number(pickSet.value)]}, ${models[Number(pickModel.value)]}.`);
  };
  const step = (by) => {
    pickSet.value = String((Number(pickSet.value) + by + datasets.length) % datasets.length);
    refresh();
  };
  pickSet.value = "0";
  pickSet.addEventListener("change", refresh);
  pickModel.addEventListener("change", refresh);
  byId("dataset-before").addEventListener("click", () => step(-1));
  byId("dataset-after").addEventListener("click", () => step(1));
  if (datasets.length) renderDatasetPanel(0, Number(pickModel.value));
});
