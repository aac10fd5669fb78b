// Light, dark, or as the system: the button changes what is seen at every press, back to the system's choice where that
// is the other one, and the choice is kept where the browser allows it.
const kThemes = ["system", "light", "dark"];
const systemTheme = () => matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const kThemeSigns = {
  system: "◐",
  light: "☀",
  dark: "☾"
};

function keptTheme() {
  try {
    return localStorage.getItem("cuset-theme");
  } catch {
    return null;
  }
}

function showTheme(theme) {
  if (theme === "system")
    document.documentElement.removeAttribute("data-theme");
  else
    document.documentElement.setAttribute("data-theme", theme);
  at("theme").textContent = kThemeSigns[theme];
  at("theme").dataset.theme = theme;
  const name = theme === "system" ? "as the system" : theme;
  at("theme").setAttribute("aria-label", "Colors: " + name);
  at("theme").title = "Colors: " + name;
}

function startTheme() {
  const kept = keptTheme();
  showTheme(kThemes.includes(kept) ? kept : "system");
  at("theme").addEventListener("click", () => {
    const chosen = at("theme").dataset.theme;
    const other = (chosen === "system" ? systemTheme() : chosen) === "dark" ? "light" : "dark";
    const next = other === systemTheme() ? "system" : other;
    showTheme(next);
    try {
      localStorage.setItem("cuset-theme", next);
    } catch { /* a private window keeps nothing */
    }
  });
}
