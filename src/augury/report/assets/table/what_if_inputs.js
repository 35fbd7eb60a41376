// Inputs of the what-if form: a list of labels, or a slider and a field for numbers and dates.

// Steps of a slider: a round number, a hundredth of the range or less.
function sliderRange(column) {
  const width = column.high - column.low || 1;
  const power = 10 ** Math.floor(Math.log10(width / 100));
  const step = [5, 2, 1].map((factor) => factor * power).find((each) => each <= width / 100) || power;
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const fix = (x) => Number(x.toFixed(Math.min(digits, 20)));
  return { min: fix(Math.floor(column.low / step) * step), max: fix(Math.ceil(column.high / step) * step), step: fix(step) || step };
}

const dayOfText = (text) => Math.round(Date.parse(`${text}T00:00:00Z`) / 86400000);

// A column that is closed takes no label but its own.
function labelInput(column, id, changed) {
  const select = make("select", { id },
    column.labels.map((label, i) => make("option", { value: i }, label)),
    column.closed ? null : make("option", { value: column.labels.length }, "(another label)"),
    make("option", { value: "" }, "(missing)"));
  select.addEventListener("change", () => changed(select.value === "" ? null : Number(select.value)));
  return { elements: [select], show: (value) => { select.value = value === null ? "" : String(value); } };
}

function numberInput(column, id, treatment, changed) {
  const isDate = treatment === "date";
  const range = sliderRange(column);
  const field = make("input", { id, type: isDate ? "date" : "number", step: isDate ? null : "any", class: "number-field" });
  const slider = make("input", { type: "range", ...range, class: "slider", "aria-label": `${column.name}, slider` });
  const read = () => {
    if (field.value === "") return null;
    const value = isDate ? dayOfText(field.value) : Number(field.value);
    return Number.isFinite(value) ? value : null;
  };
  const showSlider = (value) => {
    slider.value = String(value === null ? (range.min + range.max) / 2 : value);
    slider.classList.toggle("unknown", value === null);
    const text = value === null ? "missing" : isDate ? writeDay(value) : writePlain(value);
    slider.setAttribute("aria-valuetext", text);
  };
  const showField = (value) => {
    if (value === null) field.value = "";
    else field.value = isDate ? writeDay(value) : String(value);
  };
  field.addEventListener("input", () => {
    const value = read();
    showSlider(value);
    changed(value);
  });
  slider.addEventListener("input", () => {
    const value = Number(slider.value);
    showField(value);
    showSlider(value);
    changed(value);
  });
  return { elements: [slider, field], show: (value) => { showField(value); showSlider(value); } };
}
