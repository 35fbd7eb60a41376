// The interactive nomogram and the what-if form: values, points, odds, probabilities, contributions.

const first = 12; // columns that are shown at once
const block = 24; // further columns that are shown on demand

const manyClasses = 12; // more classes than these are shown as the most probable and one sum
const mostProbable = 10;

function probabilityRow(label, probability, key) {
  const bar = make("span", { class: "bar" });
  bar.style.width = `${100 * probability}%`;
  return make("tr", { "data-class": key }, make("th", { scope: "row" }, label),
    make("td", { class: "track", "aria-hidden": "true" }, bar),
    make("td", { class: "number", "data-value": probability }, percent(probability)));
}

function probabilityTable(form, probabilities) {
  const classes = form.classes.map((_, c) => c);
  const rowOf = (c) => probabilityRow(form.classes[c], probabilities[c], form.classes[c]);
  if (classes.length <= manyClasses) return classes.map(rowOf);
  classes.sort((a, b) => probabilities[b] - probabilities[a] || a - b);
  const others = classes.slice(mostProbable);
  const rest = others.reduce((sum, c) => sum + probabilities[c], 0);
  return [...classes.slice(0, mostProbable).map(rowOf), probabilityRow(`${others.length} other classes`, rest, null)];
}

// Bars to the right favour the positive class, bars to the left the negative one.
function contributionRows(lines, total) {
  const largest = Math.max(...lines.map((line) => Math.abs(line.value)), 1e-12);
  const rows = lines.map((line) => {
    const bar = make("span", { class: `signed ${line.value >= 0 ? "for" : "against"}` });
    const width = (50 * Math.abs(line.value)) / largest;
    bar.style.width = `${width}%`;
    bar.style.marginLeft = `${line.value >= 0 ? 50 : 50 - width}%`;
    return make("tr", { "data-column": line.name }, make("th", { scope: "row" }, line.name, line.text ? make("small", {}, line.text) : null),
      make("td", { class: "track zero", "aria-hidden": "true" }, bar),
      make("td", { class: "number", "data-value": line.value }, writeOdds(line.value)));
  });
  rows.push(make("tr", { class: "total" }, make("th", { scope: "row" }, "Sum: log odds"), make("td", {}),
    make("td", { class: "number", "data-value": total }, writeOdds(total))));
  return rows;
}

function describeValue(column, treatment, value) {
  if (value === null) return "missing";
  if (!isNumber(column)) return value < column.labels.length ? column.labels[value] : "another label";
  return treatment === "date" ? writeDay(value) : writePlain(value);
}

// The other columns, by descending range: a block of them at a time, or those of a name.
function furtherColumns(columns, nameOf, cardOf, refresh) {
  const list = make("div", { class: "what-if-columns" });
  const next = make("button", { type: "button", class: "quiet" });
  const find = make("input", { type: "search", id: "what-if-find", autocomplete: "off" });
  let matching = columns;
  const show = (count) => {
    const shown = matching.slice(0, count);
    const left = matching.length - shown.length;
    list.replaceChildren(...shown.map(cardOf));
    next.hidden = left === 0;
    next.textContent = `Show ${Math.min(block, left)} more of ${left}`;
    refresh(shown);
  };
  find.addEventListener("input", () => {
    const part = find.value.trim().toLowerCase();
    matching = columns.filter((k) => nameOf(k).toLowerCase().includes(part));
    show(block);
    announce(`${matching.length} columns.`);
  });
  next.addEventListener("click", () => {
    const before = list.childElementCount;
    show(before + block);
    list.children[before]?.querySelector("input, select")?.focus();
  });
  const search = columns.length > block ? make("label", { class: "field", for: "what-if-find" }, "Find a column", find) : null;
  const more = make("details", {}, make("summary", {}, `${columns.length} columns with smaller ranges`), search, list, next);
  more.addEventListener("toggle", () => { if (more.open) show(Math.max(list.childElementCount, block)); });
  return more;
}

function startWhatIf(found) {
  const { form, treatments } = found;
  const known = form.classes.map((_, c) => c).filter((c) => form.is_known[c]);
  const view = { values: [...found.typical], positive: known[1] ?? known[0], negative: known[0] };
  const box = byId("what-if-columns");
  const positive = byId("what-if-positive");
  const negative = byId("what-if-negative");
  let nomogram = makeNomogram(form, view.positive, view.negative);

  // A card is made when it is first shown: a table may have thousands of columns.
  const cards = new Map();
  function cardOf(k) {
    if (!cards.has(k)) cards.set(k, makeCard(k));
    return cards.get(k);
  }

  function makeCard(k) {
    const column = form.columns[k];
    const changed = (value) => {
      view.values[k] = value;
      refreshColumns([k]);
      refreshResult();
    };
    const id = `what-if-value-${k}`;
    const input = isNumber(column) ? numberInput(column, id, treatments[k], changed) : labelInput(column, id, changed);
    const points = make("span", { class: "points" });
    const drawing = make("div", { class: "scale-box" });
    const card = make("div", { class: "value-card", "data-column": column.name },
      make("div", { class: "value-line" }, make("label", { for: id }, column.name), points),
      make("div", { class: "value-inputs" }, input.elements), drawing);
    input.show(view.values[k]);
    return { card, input, points, drawing };
  }

  // All widths are read before anything is drawn, so that the page is laid out once.
  function refreshColumns(columns) {
    const widths = columns.map((k) => cardOf(k).drawing.clientWidth);
    columns.forEach((k, place) => refreshColumn(k, widths[place]));
  }

  function refreshColumn(k, width) {
    const { points, drawing } = cardOf(k);
    const scores = scoresOfValue(form.columns[k], view.values[k]);
    const found = nomogram.points(k, scores[view.positive] - scores[view.negative]);
    points.textContent = `${found.toFixed(1).replace("-", "−")} points`;
    points.setAttribute("data-value", found);
    if (!width) return;
    const range = nomogram.ranges[k];
    drawing.replaceChildren(drawScale({
      title: `${form.columns[k].name}: points of its values`, width, at: found / 100,
      largest: (range.largest - range.smallest) / nomogram.unit / 100,
      marks: columnMarks(form.columns[k], k, treatments[k], nomogram, view.positive, view.negative),
    }));
  }

  function refreshResult() {
    const probabilities = probabilitiesOf(form, view.values);
    const parts = contributionsOf(form, view.values, view.positive, view.negative);
    const total = (parts.logOdds - nomogram.base) / nomogram.unit;
    byId("what-if-probabilities").replaceChildren(...probabilityTable(form, probabilities));
    const [over, under] = [form.classes[view.positive], form.classes[view.negative]];
    const share = 1 / (1 + Math.exp(-parts.logOdds));
    byId("what-if-odds").textContent = `${total.toFixed(1)} points; log odds of ${over} against ${under}: ${writeOdds(parts.logOdds)}` +
      (known.length > 2 ? `; ${over} among these two: ${percent(share)}` : "");
    const lines = parts.columns.map((value, k) => ({ name: form.columns[k].name, value, text: describeValue(form.columns[k], treatments[k], view.values[k]) }));
    lines.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const others = lines.slice(first + 8);
    const shownLines = [{ name: "prior", value: parts.prior, text: "without any column" }, ...lines.slice(0, first + 8)];
    if (others.length) shownLines.push({ name: `${others.length} other columns`, value: others.reduce((a, line) => a + line.value, 0), text: "" });
    byId("what-if-contributions").replaceChildren(...contributionRows(shownLines, parts.logOdds));
    byId("what-if-directions").textContent = `Bars to the right are for ${over}, bars to the left for ${under}.`;
    const best = probabilities.indexOf(Math.max(...probabilities));
    byId("what-if-now").textContent = `${form.classes[best]} ${percent(probabilities[best])} · ${total.toFixed(1)} points`;
    drawSums(total);
  }

  function drawSums(total) {
    const sums = byId("what-if-sums");
    const at = total / (nomogram.largestTotal || 1);
    const name = `Probability of ${form.classes[view.positive]}${known.length > 2 ? ` against ${form.classes[view.negative]}` : ""}`;
    const width = sums.clientWidth;
    if (!width) return;
    sums.replaceChildren(
      make("p", { class: "value-line" }, make("b", {}, "Sum of points"), make("span", { class: "points", id: "what-if-total", "data-value": total }, total.toFixed(1))),
      drawScale({ title: "Sum of points", width, at, largest: 1, marks: totalMarks(nomogram) }),
      make("p", { class: "value-line" }, make("b", {}, name)),
      drawScale({ title: name, width, at, largest: 1, marks: probabilityMarks(nomogram), tone: "series-2" }));
  }

  function arrange() {
    nomogram = makeNomogram(form, view.positive, view.negative);
    const { order } = nomogram;
    box.replaceChildren(...order.slice(0, first).map((k) => cardOf(k).card));
    if (order.length > first) {
      box.append(furtherColumns(order.slice(first), (k) => form.columns[k].name, (k) => cardOf(k).card, refreshColumns));
    }
    refreshAll();
  }

  function refreshAll() {
    refreshColumns([...cards.keys()].filter((k) => cards.get(k).card.isConnected));
    refreshResult();
  }

  function choosePair() {
    const probabilities = probabilitiesOf(form, view.values);
    const ranked = [...known].sort((a, b) => probabilities[b] - probabilities[a] || a - b);
    if (known.length > 2) [view.positive, view.negative] = ranked;
    positive.value = String(view.positive);
    negative.value = String(view.negative);
  }

  function chooseRow(values) {
    view.values = [...values];
    for (const [k, card] of cards) card.input.show(view.values[k]);
    choosePair();
    arrange();
  }

  function announceResult() {
    const probabilities = probabilitiesOf(form, view.values);
    const best = probabilities.indexOf(Math.max(...probabilities));
    announce(`${form.classes[best]}: ${percent(probabilities[best])}.`);
  }

  positive.addEventListener("change", () => {
    if (positive.value === negative.value) negative.value = String(view.positive);
    [view.positive, view.negative] = [Number(positive.value), Number(negative.value)];
    arrange();
  });
  negative.addEventListener("change", () => {
    if (positive.value === negative.value) positive.value = String(view.negative);
    [view.positive, view.negative] = [Number(positive.value), Number(negative.value)];
    arrange();
  });
  byId("what-if-row").addEventListener("change", (event) => {
    const chosen = Number(event.target.value);
    chooseRow(chosen < 0 ? found.typical : found.rows[chosen].values);
  });
  byId("what-if").addEventListener("change", announceResult);
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    refreshAll();
  });
  chooseRow(found.typical);
}
