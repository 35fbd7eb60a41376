// The what-if form of a model that the page cannot compute: the server is asked for each row.

const pause = 150; // milliseconds without a change, after which the server is asked
const anotherLabel = "(another label)";

// A text for each value of a column; a number without a known range has no slider.
function askedInput(column, id, changed) {
  if (column.kind === "labels") {
    const choices = { labels: column.labels.map(String), closed: !column.takes_text };
    const input = labelInput(choices, id, (k) => changed(k === null ? null : k < column.labels.length ? column.labels[k] : anotherLabel));
    return { elements: input.elements, start: () => input.show(column.labels.length ? 0 : null), value: column.labels.length ? column.labels[0] : null };
  }
  const isDate = column.kind === "date";
  const send = (value) => changed(value !== null && isDate ? writeDay(value) : value);
  const value = column.typical === null ? null : isDate ? Math.round(column.typical) : column.typical;
  if (column.low !== null) {
    const input = numberInput(column, id, column.kind, send);
    return { elements: input.elements, start: () => input.show(value), value: value !== null && isDate ? writeDay(value) : value };
  }
  const field = make("input", { id, type: isDate ? "date" : "number", step: isDate ? null : "any", class: "number-field" });
  field.addEventListener("input", () => changed(field.value === "" ? null : isDate ? field.value : Number(field.value)));
  return { elements: [field], start: () => {}, value: null };
}

async function ask(content, signal) {
  const answer = await fetch("predict", {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(content), signal,
  });
  const found = await answer.json();
  if (!answer.ok) {
    const message = found.detail.map((each) => each.msg).join("; ");
    throw Object.assign(new Error(message), { status: answer.status });
  }
  return found;
}

function describeFailure(error) {
  if (error.status === 422) return `The server refused the values: ${error.message}.`;
  if (error.status) return `The server refused the request: ${error.message}.`;
  return `The server did not answer: ${error.message}`;
}

// The name of a class; answers have true for True and 1 for 1.0.
function labelOf(classes, value) {
  const text = String(value);
  const isSame = (label) => typeof value === "boolean" ? label.toLowerCase() === text : typeof value === "number" && Number(label) === value;
  return classes.includes(text) ? text : classes.find(isSame) ?? text;
}

function showAnswer(classes, found) {
  const predicted = labelOf(classes, found.predicted);
  const { probabilities } = found;
  byId("asked-probabilities").replaceChildren(
    ...(probabilities ? probabilityTable({ classes }, classes.map((label) => probabilities[label])) : []));
  const rule = found.decision ? `, by the rule: ${found.decision.rule}` : "";
  byId("asked-decision").textContent = `Predicted: ${predicted}${rule}.`;
  const share = probabilities ? ` ${percent(probabilities[predicted])}` : "";
  byId("asked-now").textContent = `${predicted}${share}`;
  byId("asked-result").hidden = false;
  announce(`Predicted: ${predicted}${share}.`);
}

function showExplanation(classes, row, explanation) {
  const columns = Object.entries(explanation.contributions)
    .map(([name, value]) => ({ name, value, text: row[name] === null || row[name] === undefined ? "missing" : String(row[name]) }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const lines = [{ name: "prior", value: explanation.prior, text: "without any column" }, ...columns];
  byId("asked-contributions").replaceChildren(...contributionRows(lines, explanation.log_odds));
  byId("asked-explanation").hidden = false;
  const [over, under] = [explanation.positive, explanation.negative].map((value) => labelOf(classes, value));
  byId("asked-directions").textContent = `Bars to the right are for ${over}, bars to the left for ${under}.`;
}

function clearAnswer() {
  byId("asked-result").hidden = true;
  byId("asked-now").textContent = "";
}

function startAskedForm(served) {
  // Without a prototype: a column may have the name __proto__.
  const row = Object.create(null);
  const problem = byId("asked-problem");
  let running = null;
  let timer = 0;

  async function refresh() {
    if (running) running.abort();
    const own = new AbortController();
    running = own;
    const asked = Object.assign(Object.create(null), row);
    let isAnswered = false;
    try {
      showAnswer(served.classes, await ask({ row: asked }, own.signal));
      isAnswered = true;
      showExplanation(served.classes, asked, (await ask({ row: asked, explain: true }, own.signal)).explanation);
      problem.hidden = true;
    } catch (error) {
      if (error.name === "AbortError") return;
      if (isAnswered) byId("asked-explanation").hidden = true;
      else clearAnswer();
      problem.textContent = describeFailure(error);
      problem.hidden = false;
    }
  }

  const cards = served.columns.map((column, k) => {
    const id = `asked-value-${k}`;
    const input = askedInput(column, id, (value) => {
      row[column.name] = value;
      clearTimeout(timer);
      timer = setTimeout(refresh, pause);
    });
    row[column.name] = input.value;
    const card = make("div", { class: "value-card", "data-column": column.name },
      make("div", { class: "value-line" }, make("label", { for: id }, column.name)),
      make("div", { class: "value-inputs" }, input.elements));
    return { card, input };
  });
  byId("asked-columns").replaceChildren(...cards.map((each) => each.card));
  cards.forEach((each) => each.input.start());
  refresh();
}
