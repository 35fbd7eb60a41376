// Start of the page of one table.

for (const element of document.querySelectorAll(".scripted")) element.hidden = false;
// Browsers keep choices when a page is loaded again; the page starts with its defaults.
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.reset();
}
// Widths of bars are attributes, because the page allows no inline styles.
for (const bar of document.querySelectorAll("[data-width]")) {
  bar.style.width = `${bar.dataset.width}%`;
  bar.style.marginLeft = `${bar.dataset.start || 0}%`;
}
setUpTheme();
startCurveChoice();
const content = JSON.parse(byId("what-if-data").textContent);
if (content.what_if) startWhatIf(content.what_if);
