// Table of data sets × models, compared with the reference model that the reader chose.

const WORSE = "●";
const BETTER = "○";
const markSigns = { "-": WORSE, "+": BETTER };
const markWords = { "-": "significantly worse", "+": "significantly better" };

// Content of the shown table, for the page and for the export.
function shownTable() {
  const measure = measures.get(state.measure);
  const columns = [...state.shown];
  const wanted = state.filter.trim().toLowerCase();
  const cells = summary.cells[measure.key];
  const marks = summary.marks[measure.key][state.reference];
  const rows = datasets
    .map((name, d) => ({ name, cells: columns.map((m) => tableCell(cells[d][m], marks[d][m], measure)), d }))
    .filter((row) => row.name.toLowerCase().includes(wanted));
  for (const row of rows) markBest(row.cells, measure);
  sortRows(rows, columns);
  const averages = (summary.averages || {})[measure.key] || [];
  const counts = ((summary.win_tie_loss || {})[measure.key] || [])[state.reference] || [];
  const pick = (list, write) => columns.map((m) => (list[m] ? write(list[m]) : "–"));
  const n = (summary.shared || []).length;
  return {
    measure,
    columns,
    names: columns.map((m) => models[m]),
    reference: models[state.reference],
    rows,
    footer: [
      { title: "Average", explained: `over the ${n} shared data sets`, cells: pick(averages, (a) => writeNumber(a.mean, measure.decimals)) },
      { title: "Mean rank", explained: `over the ${n} shared data sets`, cells: pick(averages, (a) => writeNumber(a.rank, 2)) },
      {
        title: "W/T/L",
        explained: "wins, ties and losses against the reference over all data sets",
        cells: columns.map((m) => (m === state.reference || !counts[m] ? "–" : counts[m].join("/"))),
      },
    ],
  };
}

function tableCell(cell, mark, measure) {
  if (!cell) return { mean: null, text: "–", std: "", mark: "", best: false };
  return {
    mean: cell.mean,
    text: writeNumber(cell.mean, measure.decimals),
    std: cell.std === null ? "" : writeNumber(cell.std, measure.decimals),
    mark: markSigns[mark] || "",
    words: markWords[mark] || "",
    best: false,
  };
}

// Cells with equal text are equally good.
function markBest(cells, measure) {
  const known = cells.filter((cell) => cell.mean !== null);
  if (known.length < 2) return;
  const means = known.map((cell) => cell.mean);
  const best = measure.higher_is_better ? Math.max(...means) : Math.min(...means);
  const text = writeNumber(best, measure.decimals);
  for (const cell of known) cell.best = cell.text === text;
}

function sortRows(rows, columns) {
  const { column, direction } = state.sort;
  if (column === null) return;
  const place = columns.indexOf(column);
  const value = column === "name" ? (row) => row.name : (row) => row.cells[place].mean;
  rows.sort((a, b) => compareValues(value(a), value(b), direction) || a.d - b.d);
}

function pressHeading(column) {
  const higher = measures.get(state.measure).higher_is_better;
  const first = column === "name" || !higher ? "ascending" : "descending";
  const same = state.sort.column === column;
  const direction = same ? opposite[state.sort.direction] : first;
  change({ sort: { column, direction } });
  announce(`Sorted by ${column === "name" ? "data set" : models[column]}, ${direction}.`);
  const again = byId("results").querySelector(`button[data-column="${column}"]`);
  if (again) again.focus();
}

function heading(column, title, attributes) {
  const sorted = state.sort.column === column ? state.sort.direction : null;
  const button = make("button", { type: "button", "data-column": column }, title);
  button.addEventListener("click", () => pressHeading(column));
  return make("th", { scope: "col", "aria-sort": sorted, ...attributes }, button);
}

function renderTable() {
  const shown = shownTable();
  const table = byId("results");
  const isReference = (k) => shown.columns[k] === state.reference;
  const tone = (k) => (isReference(k) ? "reference" : null);
  table.caption.textContent = `${shown.measure.title} of models on data sets, compared with ${shown.reference}`;
  table.tHead.replaceChildren(make("tr", {},
    heading("name", "Data set", { class: "name" }),
    shown.columns.map((m, k) => heading(m, models[m], { class: tone(k), title: models[m] })),
  ));
  table.tBodies[0].replaceChildren(...shown.rows.map((row) => make("tr", {},
    make("th", { scope: "row", class: "name", title: row.name }, row.name),
    row.cells.map((cell, k) => resultCell(cell, tone(k))),
  )));
  if (!shown.rows.length) {
    const words = `No name of a data set contains “${state.filter.trim()}”.`;
    table.tBodies[0].append(make("tr", {}, make("td", { class: "text", colspan: shown.columns.length + 1 }, words)));
  }
  table.tFoot.replaceChildren(...shown.footer.map((line) => make("tr", {},
    make("th", { scope: "row", class: "name", title: `${line.title} ${line.explained}` }, line.title, hidden(` ${line.explained}`)),
    line.cells.map((text, k) => make("td", { class: tone(k) }, text, make("span", { class: "mark", "aria-hidden": "true" }))),
  )));
  const unit = shown.measure.unit ? `, ${shown.measure.unit}` : "";
  const better = shown.measure.higher_is_better ? "higher" : "lower";
  const some = shown.rows.length === datasets.length ? "" : ` ${shown.rows.length} of ${datasets.length} data sets are shown; the last three lines use all.`;
  byId("table-lead").textContent = `${shown.measure.title}${unit}: mean ± standard deviation over the ${datasets.length && summary.datasets.every((dataset) => dataset.table_size) ? "runs" : "folds"}; ${better} is better.${some}`;
  byId("legend-reference").textContent = shown.reference;
}

function resultCell(cell, tone) {
  const classes = [tone, cell.best ? "best" : null].filter(Boolean).join(" ");
  const sign = { [WORSE]: "worse", [BETTER]: "better" }[cell.mark] || "";
  return make("td", { class: classes || null, title: cell.words || null },
    cell.text,
    cell.std ? make("span", { class: "std" }, ` ± ${cell.std}`) : null,
    make("span", { class: `mark ${sign}`, "aria-hidden": "true" }, cell.mark),
    cell.words ? hidden(` ${cell.words}`) : null,
  );
}

atStart(() => {
  byId("filter").addEventListener("input", (event) => change({ filter: event.target.value }));
  const chooser = byId("columns");
  const choose = (shown) => change({
    shown,
    sort: shown.has(state.sort.column) || state.sort.column === "name" ? state.sort : { column: null, direction: "ascending" },
  });
  const refresh = fillChooser(chooser, () => state.shown, 1, choose);
  for (const button of chooser.querySelectorAll("[data-all]")) {
    const all = button.dataset.all === "yes";
    button.addEventListener("click", () => choose(new Set(all ? models.keys() : [state.reference])));
  }
  onChange(refresh);
  onChange(renderTable);
});
