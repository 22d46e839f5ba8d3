/** Tips: what clicking a piece does, why it does nothing, what a card named in the log looks like. */

import { h } from "../base/dom.js";
import { placeBeside } from "../base/placement.js";
import { face } from "./pieces.js";

/** @type {HTMLElement | null} */
let tip = null;

/** Show tips for whatever is pointed at or focused. */
export function listenForTips() {
  tip = h("div#tip", { role: "tooltip", hidden: true });
  document.body.append(tip);
  addEventListener("pointerover", (event) => consider(event.target));
  addEventListener("focusin", (event) => {
    if (event.target instanceof Element && event.target.matches(":focus-visible")) consider(event.target);
  });
  addEventListener("pointerdown", hideTip);
  addEventListener("scroll", hideTip, true);
  addEventListener("keydown", (event) => event.key === "Escape" && hideTip());
}

/** @param {EventTarget | null} target */
function consider(target) {
  const about = target instanceof Element ? target.closest("[data-says], [data-why], [data-tip], [data-card]") : null;
  if (!about) return hideTip();
  const words = about.getAttribute("data-says") || about.getAttribute("data-why") || about.getAttribute("data-tip");
  const card = about.getAttribute("data-card");
  if (!words && !card) return hideTip();
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

/** Show words about an element at once, for those who tap. */
export function showTip(/** @type {Element} */ about, /** @type {string} */ words) {
  show(about, "why", words, null);
}

export function hideTip() {
  if (tip) tip.hidden = true;
}
