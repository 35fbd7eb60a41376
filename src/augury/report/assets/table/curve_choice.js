// Choice of the class whose curves are shown.

function startCurveChoice() {
  const select = byId("curves-of");
  if (!select) return;
  const show = () => {
    for (const part of document.querySelectorAll("[data-curves]")) part.hidden = part.dataset.curves !== select.value;
  };
  select.addEventListener("change", show);
  show();
}
