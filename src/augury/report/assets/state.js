// The summary, the choices of the reader, and the functions that are called when they change.

const summary = JSON.parse(byId("summary").textContent);
const models = summary.models.map((model) => model.name);
const datasets = summary.datasets.map((dataset) => dataset.name);
const measures = new Map(summary.measures.map((measure) => [measure.key, measure]));

const state = {
  measure: summary.measures[0].key,
  reference: Math.max(models.indexOf(summary.experiment.reference), 0),
  shown: new Set(models.keys()), // columns of the table
  filter: "",
  sort: { column: null, direction: "ascending" }, // column: a model, "name", or null for the store's order
};

const listeners = [];
const starters = [];

// Call a function once, after all scripts are read.
function atStart(starter) {
  starters.push(starter);
}

function onChange(listener) {
  listeners.push(listener);
}

function change(changes) {
  Object.assign(state, changes);
  for (const listener of listeners) listener();
}

// Fill a list of checkboxes; `chosen` returns the set of chosen indices.
function fillChooser(details, chosen, least, changed) {
  const boxes = models.map((name, i) => {
    const box = make("input", { type: "checkbox", value: i, checked: chosen().has(i) });
    box.addEventListener("change", () => {
      const next = new Set(chosen());
      if (box.checked) next.add(i);
      else next.delete(i);
      if (next.size < least) {
        box.checked = true;
        announce(`At least ${least} must be chosen.`);
        return;
      }
      changed(new Set([...next].sort((a, b) => a - b)));
    });
    return box;
  });
  details.querySelector(".checks").replaceChildren(
    ...models.map((name, i) => make("label", {}, boxes[i], make("span", {}, name))),
  );
  const refresh = () => {
    boxes.forEach((box, i) => { box.checked = chosen().has(i); });
    details.querySelector("summary").textContent = `Models: ${chosen().size} of ${models.length}`;
  };
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    details.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => {
    if (details.open && !details.contains(event.target)) details.open = false;
  });
  refresh();
  return refresh;
}
