/** What is chosen for this browser: language, theme, speed, sound, name. */

const KEY = "brocante";

/** @typedef {"instant" | "quick" | "calm"} Speed */
/** @typedef {"instant" | "quick" | "people"} BotsPace */

/**
 * @typedef {object} Settings
 * @property {string} lang empty: the browser's
 * @property {"auto" | "light" | "dark"} theme
 * @property {Speed} speed how fast things move
 * @property {BotsPace} bots how fast bots move, for somebody who plays alone with them
 * @property {"off" | "turn" | "all"} sounds when there is something to hear: never, at one's turn, at everything
 * @property {string[]} muted players who are not heard: the table and the name
 * @property {"never" | "risky" | "always"} ask before which moves the player is asked whether they are meant
 * @property {string} name of the player
 * @property {string[]} known games that were learned or played here
 * @property {Record<string, import("../pages/new_game.js").Liking>} likings what each game was last played with
 * @property {boolean} guest whether this browser has a guest's cookie; without one the server is not asked who they are
 */

/** @type {Settings} */
const DEFAULTS = {
  lang: "",
  theme: "auto",
  speed: "quick",
  bots: "quick",
  sounds: "turn",
  muted: [],
  ask: "risky",
  name: "",
  known: [],
  likings: {},
  guest: false,
};

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...kept() };

// follow what is chosen in another tab
addEventListener("storage", (event) => event.key === KEY && Object.assign(settings, kept()));

/** @returns {Partial<Settings>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // no storage, or not our content
  }
}

/**
 * Change settings, and keep them.
 * @param {Partial<Settings>} chosen
 */
export function choose(chosen) {
  Object.assign(settings, chosen);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // without storage, the choice lasts as long as the page
  }
  applySettings();
}

/** Apply theme and speed. Without a choice, the system's theme is used. */
export function applySettings() {
  document.documentElement.dataset.speed = settings.speed;
  if (settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}

/** The duration of an animation in milliseconds, long enough for eyes to follow; 0: nothing is animated. */
export function pace() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  return { instant: 0, quick: 500, calm: 850 }[settings.speed] ?? 500;
}
