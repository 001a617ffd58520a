// What every page has: the theme button, dialogs, and the operator's notice.

const THEMES = ["auto", "light", "dark"];

function currentTheme() {
  return document.documentElement.dataset.theme ?? "auto";
}

function showTheme(button) {
  const label = button.dataset[currentTheme()];
  button.setAttribute("aria-label", label);
  button.title = label;
}

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Without storage the choice holds for this page only.
  }
}

for (const button of document.querySelectorAll("[data-theme-toggle]")) {
  showTheme(button);
  button.hidden = false;
  button.addEventListener("click", () => {
    setTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length]);
    showTheme(button);
  });
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  const closer = event.target.closest("[data-closes]");
  if (closer) closer.closest("dialog")?.close();
});

/** Every socket of the page hears of maintenance and of its end. */
document.addEventListener("maintenance", ({ detail }) => {
  const notice = document.getElementById("maintenance");
  if (notice.textContent !== detail.text) notice.textContent = detail.text;
  notice.hidden = !detail.maintenance;
});
