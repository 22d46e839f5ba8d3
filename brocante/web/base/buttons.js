/** Buttons with a sign on them. */

import { sign } from "./art.js";
import { h } from "./dom.js";

/** @import { Props } from "./dom.js" */

/**
 * A button with a sign instead of words. Its words are a hint, and for screen readers.
 * @param {string} picture
 * @param {string} words
 * @param {(event: Event) => void} onclick
 * @param {Props} [props]
 */
export const iconButton = (picture, words, onclick, props = {}) =>
  h("button.icon", { type: "button", "aria-label": words, "data-tip": words, onclick, ...props }, sign(picture));

/**
 * A button with a sign and words.
 * @param {string} picture
 * @param {string} words
 * @param {(event: Event) => unknown} onclick
 * @param {Props} [props]
 */
export const labelledButton = (picture, words, onclick, props = {}) =>
  h("button", { type: "button", onclick, "data-key": picture, ...props }, sign(picture), words);
