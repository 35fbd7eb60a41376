// Reliability diagrams: one small chart for each model.

const square = { left: 30, top: 8, side: 140, bottom: 24 };

function drawReliability(found, name) {
  const { left, top, side } = square;
  const x = (share) => left + share * side;
  const y = (share) => top + side - share * side;
  const bins = found.bins.filter((bin) => bin.n > 0 && bin.confidence !== null && bin.accuracy !== null);
  const largest = Math.max(...bins.map((bin) => bin.n));
  const path = bins.map((bin, i) => `${i ? "L" : "M"}${x(bin.confidence).toFixed(1)} ${y(bin.accuracy).toFixed(1)}`).join("");
  const texts = bins.map((bin) => `confidence ${writeNumber(bin.confidence, 2)}, accuracy ${writeNumber(bin.accuracy, 2)}`).join("; ");
  return draw("svg", { viewBox: `0 0 ${left + side + 10} ${top + side + square.bottom}`, role: "img", "font-size": 11 },
    draw("title", {}, `Calibration of ${name}`),
    draw("desc", {}, `Accuracy by confidence: ${texts}.`),
    [0, 0.5, 1].map((tick) => [
      draw("path", { d: `M${x(0)} ${y(tick)}H${x(1)}M${x(tick)} ${y(0)}V${y(1)}`, stroke: "var(--grid)", fill: "none" }),
      draw("text", { x: left - 5, y: y(tick) + 4, "text-anchor": "end", fill: "var(--faint-ink)" }, String(tick)),
      draw("text", { x: x(tick), y: y(0) + 15, "text-anchor": "middle", fill: "var(--faint-ink)" }, String(tick)),
    ]).flat(),
    draw("path", { d: `M${x(0)} ${y(0)}L${x(1)} ${y(1)}`, stroke: "var(--axis)", "stroke-dasharray": "4 4" }),
    draw("path", { d: path, stroke: "var(--series-1)", "stroke-width": 1.6, "stroke-opacity": 0.5, fill: "none" }),
    bins.map((bin) => draw("circle", { cx: x(bin.confidence), cy: y(bin.accuracy), r: 2 + 4 * Math.sqrt(bin.n / largest), fill: "var(--series-1)", stroke: "var(--paper)" },
      draw("title", {}, `${bin.n} rows with confidence ${writeNumber(bin.confidence, 3)}: accuracy ${writeNumber(bin.accuracy, 3)}`))));
}

function reliabilityOf(place) {
  if (place === "all") return summary.reliability || [];
  return (summary.reliability_by_dataset || [])[Number(place)] || [];
}

function renderCalibration(place) {
  const parts = reliabilityOf(place);
  const charts = models.flatMap((name, m) => {
    const found = parts[m];
    if (!found) return [];
    const drawn = found.bins && found.bins.some((bin) => bin.n > 0);
    return [make("li", {},
      make("h3", { title: name }, name),
      make("p", {}, `ECE ${writeNumber(found.ece, 3)}`),
      drawn ? drawReliability(found, name) : null)];
  });
  byId("calibration-charts").replaceChildren(...charts);
}

atStart(() => {
  const select = byId("calibration-of");
  const places = ["all", ...datasets.keys()].filter((place) => reliabilityOf(String(place)).some(Boolean));
  if (!places.length) {
    byId("calibration-part").replaceChildren(make("p", { class: "none" }, "No class probabilities of single rows were kept."));
    return;
  }
  select.replaceChildren(...places.map((place) => make("option", { value: place }, place === "all" ? "all data sets" : datasets[place])));
  select.addEventListener("change", () => renderCalibration(select.value));
  renderCalibration(String(places[0]));
});
