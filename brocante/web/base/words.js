/** The page's own words, in the reader's language. The words of the games come from the server. */

import { settings } from "./settings.js";

/** @type {Record<string, string | { one: string, other: string }>} */
let words = {};

export const LANGUAGES = ["en", "fr"];

/** The language of the page: the one chosen here, or the one in which the server sent the page. */
export function language() {
  return settings.lang || document.documentElement.lang || "en";
}

/** When there are words. @type {Promise<void>} */
let loaded = Promise.resolve();

/** Load the words of the language. */
export const loadWords = () => (loaded = fetchWords());

/** Wait until something can be said, or nothing ever can. */
export const haveWords = () => loaded.catch(() => {});

async function fetchWords() {
  const response = await fetch(new URL(`../words/${language()}.json`, import.meta.url));
  if (!response.ok) throw new Error(`no words in ${language()}`);
  words = await response.json();
  document.documentElement.lang = language();
}

/**
 * A sentence of the page. Blanks stand in braces; `n` chooses between the forms `one` and `other`.
 * @param {string} key
 * @param {Record<string, string | number>} [blanks]
 * @returns {string}
 */
export function say(key, blanks = {}) {
  const found = words[key];
  if (found === undefined) throw new Error(`no words for ${key}`);
  const text = typeof found === "string" ? found : found[isOne(Number(blanks.n)) ? "one" : "other"];
  return text.replace(/\{(\w+)\}/g, (_, name) => figure(blanks[name]));
}

/**
 * A number as it is written, with a minus that is as wide as a plus; words stay as they are.
 * @param {string | number} n
 */
export const figure = (n) => (typeof n === "number" ? String(n).replace("-", "−") : n);

/** @param {number} n */
const isOne = (n) => (language() === "fr" ? Math.abs(n) < 2 : n === 1);

/** To make one takes ten milliseconds. @type {Map<string, Intl.ListFormat>} */
const listFormats = new Map();

/**
 * Names in a row: Ana, Ben and Cleo.
 * @param {string[]} parts
 */
export function listed(parts) {
  if (parts.length < 2) return parts.join("");
  const format = listFormats.get(language()) ?? new Intl.ListFormat(language(), { type: "conjunction" });
  listFormats.set(language(), format);
  return format.format(parts);
}

/**
 * Seconds as people read a clock: 0:09, 12:30, 1:02:03.
 * @param {number} seconds
 */
export function clockTime(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
