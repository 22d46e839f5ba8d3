/** Drawings: the SVG sprites of the page and of the games. */

import { fetchFrom, refusalOf } from "./api.js";
import { s } from "./dom.js";
import { Kept } from "./kept.js";

const loaded = new Kept(fetchArt);

/**
 * Load the drawings of a game, or of the page itself ("page").
 * @param {string} set
 */
export const loadArt = (set) => loaded.get(set);

/** @param {string} set */
async function fetchArt(set) {
  const path = set === "page" ? "../art.svg" : `../games/${set}/art.svg`;
  const text = await fetchFrom(new URL(path, import.meta.url), {}, async (response) => {
    if (!response.ok && response.status !== 404) throw refusalOf(response.status, {});
    return response.ok ? response.text() : "<svg/>"; // a game without drawings shows its signs instead
  });
  const sheet = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const symbol of sheet.querySelectorAll("symbol")) {
    if (/^(back|box-.*)$/.test(symbol.id)) symbol.setAttribute("preserveAspectRatio", "xMidYMid slice"); // fills the whole shape
    symbol.id = `${set}-${symbol.id}`;
  }
  const held = s("svg", { "aria-hidden": "true", class: "sheet" });
  held.append(...[...sheet.children].map((child) => document.importNode(child, true)));
  document.body.append(held);
}

/**
 * Whether a drawing exists.
 * @param {string} set
 * @param {string} name
 */
export const isDrawn = (set, name) => document.getElementById(`${set}-${name}`) !== null;

/**
 * A drawing. It takes its inks from its surroundings (`--colour`, `--paper`, the colour of the text).
 * @param {string} set
 * @param {string} name
 * @param {Record<string, any>} [props]
 */
export function drawing(set, name, props = {}) {
  const use = s("use", { href: `#${set}-${name}`, width: "100%", height: "100%" });
  return s("svg.art", { "aria-hidden": "true", ...props }, use);
}

/**
 * A small drawing of the page's own, for buttons.
 * @param {string} name
 */
export const sign = (name) => drawing("page", name, { class: "sign" });
