// The button that switches between light and dark colours.

function setUpTheme() {
  const button = byId("theme");
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
  const refresh = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
  };
  button.removeAttribute("aria-pressed");
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    refresh();
  });
  prefersDark.addEventListener("change", refresh);
  button.hidden = false;
  refresh();
}
