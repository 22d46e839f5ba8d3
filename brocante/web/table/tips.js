/** Hints: what touching something does, why it does nothing, what a word of the log looks like. */

import { h } from "../base/dom.js";
import { placeBeside } from "../base/placement.js";
import { face } from "./pieces.js";

/** @type {HTMLElement | null} */
let tip = null;

/** Show hints for whatever is pointed at or focused. */
export function giveTips() {
  tip = h("div#tip", { role: "tooltip", hidden: true });
  document.body.append(tip);
  addEventListener("pointerover", (event) => consider(event.target));
  addEventListener("focusin", (event) => {
    if (event.target instanceof Element && event.target.matches(":focus-visible")) consider(event.target);
  });
  addEventListener("pointerdown", hide);
  addEventListener("scroll", hide, true);
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
}

/** @param {EventTarget | null} target */
function consider(target) {
  const about = target instanceof Element ? target.closest("[data-says], [data-why], [data-tip], [data-card]") : null;
  if (!about) return hide();
  const words = about.getAttribute("data-says") || about.getAttribute("data-why") || about.getAttribute("data-tip");
  const card = about.getAttribute("data-card");
  if (!words && !card) return hide();
  show(about, about.hasAttribute("data-says") && !about.getAttribute("data-says") ? "why" : "says", words, card);
}

/**
 * @param {Element} about
 * @param {string} kind
 * @param {string | null} words
 * @param {string | null} card
 */
function show(about, kind, words, card) {
  if (!tip) return;
  tip.className = kind;
  tip.replaceChildren();
  if (card) tip.append(h("span.card", null, face(about.getAttribute("data-game") ?? "", JSON.parse(card))));
  if (words) tip.append(words);
  tip.hidden = false;
  placeBeside(about, tip, "above");
}

/** Say something about an element at once: for those who tap. */
export function tell(/** @type {Element} */ about, /** @type {string} */ words) {
  show(about, "why", words, null);
}

export function hide() {
  if (tip) tip.hidden = true;
}
