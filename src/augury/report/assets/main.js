// Start of the page.

function setUpToolbar() {
  for (const input of document.querySelectorAll('input[name="measure"]')) {
    input.addEventListener("change", () => {
      // Rows that are sorted from best to worst stay so if the direction of the measure changes.
      const turned = measures.get(input.value).higher_is_better !== measures.get(state.measure).higher_is_better;
      const { column, direction } = state.sort;
      const next = turned && typeof column === "number" ? opposite[direction] : direction;
      change({ measure: input.value, sort: { column, direction: next } });
    });
  }
  byId("reference").addEventListener("change", (event) => change({ reference: Number(event.target.value) }));
  byId("toolbar").addEventListener("submit", (event) => event.preventDefault());
}

const figureChoices = document.querySelectorAll("select[data-figures]");

// Show the figures of the chosen measure and, in a section with a choice, of that choice.
function showFigures() {
  for (const figure of document.querySelectorAll("figure")) {
    const { measure } = figure.dataset;
    const isChosen = [...figureChoices].every((select) => {
      const choice = figure.getAttribute(`data-${select.dataset.figures}`);
      return choice === null || choice === select.value;
    });
    figure.hidden = !isChosen || (measure !== undefined && measure !== state.measure);
  }
}

for (const element of document.querySelectorAll(".scripted, #toolbar")) element.hidden = false;
for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
// Browsers keep choices when a page is loaded again; the page starts with its defaults.
for (const form of document.querySelectorAll("form")) form.reset();
setUpTheme();
setUpToolbar();
onChange(showFigures);
for (const select of figureChoices) select.addEventListener("change", showFigures);
for (const starter of starters) starter();
change({});
