// Wilcoxon's signed-rank test of each two models.

function renderWilcoxon() {
  const found = (summary.wilcoxon || {})[state.measure];
  const box = byId("wilcoxon");
  const table = box.querySelector("table");
  table.closest(".scroll").hidden = !found;
  box.querySelector(".legend").hidden = !found;
  const title = measures.get(state.measure).title.toLowerCase();
  byId("wilcoxon-lead").textContent = found
    ? `Test of the mean ${title} on the shared data sets, for each two models.`
    : "Fewer than five shared data sets have this measure: no difference can be significant.";
  if (!found) return;
  const names = found.models;
  const tone = (name) => (name === models[state.reference] ? "reference" : null);
  table.replaceChildren(
    make("thead", {}, make("tr", {},
      make("th", { scope: "col", class: "name" }, "Row against column"),
      names.map((name) => make("th", { scope: "col", class: tone(name) }, name)))),
    make("tbody", {}, names.map((name, i) => make("tr", {},
      make("th", { scope: "row", class: `name ${tone(name) || ""}` }, name),
      names.map((other, j) => pairCell(found, i, j, tone(other)))))),
  );
}

function pairCell(found, i, j, tone) {
  if (i === j) return make("td", { class: tone }, make("span", { "aria-hidden": "true" }, "·"));
  const arrows = { row: "←", column: "↑" };
  const strong = arrows[found.better[i][j]];
  const weak = arrows[found.better_10[i][j]];
  const winner = { "←": found.models[i], "↑": found.models[j] }[strong || weak];
  const level = strong ? "5 %" : "10 %";
  const sums = found.rank_sums && found.rank_sums[i][j];
  const tip = [winner ? `${winner} is better at ${level}` : "no significant difference",
    sums ? `rank sums ${sums[0]} and ${sums[1]}` : null].filter(Boolean).join("; ");
  return make("td", { class: tone, title: tip },
    make("span", { class: strong ? "best" : null }, writeP(found.p[i][j])),
    make("span", { class: "arrow", "aria-hidden": "true" }, strong ? ` ${strong}` : weak ? ` (${weak})` : ""),
    hidden(`, ${tip}`));
}

atStart(() => {
  if (byId("wilcoxon")) onChange(renderWilcoxon);
});
