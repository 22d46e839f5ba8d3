/** Drawings: the sprites of the page and of the games, and how a drawing of one is put on the page. */

import { reach, refused } from "./api.js";
import { s } from "./dom.js";

/** @type {Map<string, Promise<void>>} */
const learned = new Map();

/**
 * Have the drawings of a game (or of the page itself: "page") at hand.
 * @param {string} set
 */
export function learnArt(set) {
  const found = learned.get(set) ?? fetchArt(set);
  learned.set(set, found);
  found.catch(() => learned.delete(set)); // it is asked for anew
  return found;
}

/** @param {string} set */
async function fetchArt(set) {
  const path = set === "page" ? "../art.svg" : `../games/${set}/art.svg`;
  const text = await reach(new URL(path, import.meta.url), {}, async (answer) => {
    if (!answer.ok && answer.status !== 404) throw refused(answer.status, {});
    return answer.ok ? answer.text() : "<svg/>"; // a game need not have drawings: its signs are shown instead
  });
  const sheet = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const symbol of sheet.querySelectorAll("symbol")) {
    if (/^(back|box-.*)$/.test(symbol.id)) symbol.setAttribute("preserveAspectRatio", "xMidYMid slice"); // to the edges
    symbol.id = `${set}-${symbol.id}`;
  }
  const held = s("svg", { "aria-hidden": "true", class: "sheet" });
  held.append(...[...sheet.children].map((child) => document.importNode(child, true)));
  document.body.append(held);
}

/**
 * Whether there is such a drawing.
 * @param {string} set
 * @param {string} name
 */
export const isDrawn = (set, name) => document.getElementById(`${set}-${name}`) !== null;

/**
 * A drawing; it takes its inks from where it stands (`--colour`, `--paper`, the colour of the text).
 * @param {string} set
 * @param {string} name
 * @param {Record<string, any>} [props]
 */
export function drawing(set, name, props = {}) {
  const use = s("use", { href: `#${set}-${name}`, width: "100%", height: "100%" });
  return s("svg.art", { "aria-hidden": "true", ...props }, use);
}

/**
 * A sign of the page: for buttons.
 * @param {string} name
 */
export const sign = (name) => drawing("page", name, { class: "sign" });
