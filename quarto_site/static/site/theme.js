// Runs before the first paint, so that a chosen theme never flashes.
{
  const theme = (() => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  })();
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
