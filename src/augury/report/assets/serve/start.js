// Start of the page of a served model.

for (const element of document.querySelectorAll(".scripted")) element.hidden = false;
// Browsers keep choices when a page is loaded again; the page starts with its defaults.
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.reset();
}
setUpTheme();
byId("server-address").textContent = window.location.origin;
const served = JSON.parse(byId("served-data").textContent);
if (served.what_if) startWhatIf(served.what_if);
else startAskedForm(served);
