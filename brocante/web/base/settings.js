/** What a reader has chosen for this browser: language, theme, speed, sound, name. */

const KEY = "brocante";

/** @typedef {"instant" | "quick" | "calm"} Speed */

/**
 * @typedef {object} Settings
 * @property {string} lang empty: as the browser says
 * @property {"auto" | "light" | "dark"} theme
 * @property {Speed} speed how fast things move
 * @property {boolean} sound
 * @property {string} name under which one sits down
 * @property {boolean} guest whether this browser has been somebody here: strangers need not be asked who they are
 */

/** @type {Settings} */
const DEFAULTS = { lang: "", theme: "auto", speed: "quick", sound: false, name: "", guest: false };

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...kept() };

// what is chosen in another tab holds here too
addEventListener("storage", (event) => event.key === KEY && Object.assign(settings, kept()));

/** @returns {Partial<Settings>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // a browser that keeps nothing, or something that is not ours
  }
}

/**
 * Choose, and remember it.
 * @param {Partial<Settings>} chosen
 */
export function choose(chosen) {
  Object.assign(settings, chosen);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // the choice then lasts as long as the page
  }
  applySettings();
}

/** Light or dark, still or moving: as chosen, or as the system is. */
export function applySettings() {
  document.documentElement.dataset.speed = settings.speed;
  if (settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}

/** How long a movement takes, in milliseconds; 0: nothing moves. */
export function pace() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  return { instant: 0, quick: 260, calm: 620 }[settings.speed] ?? 260;
}
