/** Looking closely: a right click, a long press or the key z opens the big view of a card, which is fetched then. */

import { visible } from "../base/focus.js";
import { showTip } from "./tips.js";

/** Milliseconds that a finger stays, and pixels that it may stray meanwhile. */
const [LONG, STRAY] = [500, 10];

/** @param {EventTarget | null} target */
const cardAt = (target) => (target instanceof Element ? target.closest("[data-card]") : null);

/** @param {Element} card */
const enlarge = async (card) => (await import("./big_view.js")).openBigView(card);

/** Where a finger rests. @type {{ x: number, y: number, timer: number } | null} */
let finger = null;
let wasLong = false;

function lift() {
  clearTimeout(finger?.timer);
  finger = null;
}

addEventListener("contextmenu", (event) => {
  const thing = cardAt(event.target);
  if (!thing || event.target instanceof HTMLAnchorElement) return;
  event.preventDefault();
  if (!finger) enlarge(thing); // a finger is waited for
});
addEventListener("pointerdown", ({ pointerType, target, clientX: x, clientY: y }) => {
  wasLong = false;
  const thing = target instanceof Element && target.closest("#play, #side, #strip") ? target : null;
  if (pointerType !== "touch" || !thing) return;
  const press = () => {
    const card = cardAt(thing);
    const told = thing.closest("[data-says], [data-why], [data-tip]");
    wasLong = Boolean(card) || Boolean(told && showTip(told));
    if (card) enlarge(card);
  };
  finger = { x, y, timer: setTimeout(press, LONG) };
});
addEventListener("pointermove", ({ clientX, clientY }) => {
  if (finger && Math.hypot(clientX - finger.x, clientY - finger.y) > STRAY) lift();
});
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, lift);
// a long press is no click
addEventListener("click", (event) => wasLong && (event.preventDefault(), event.stopImmediatePropagation()), true);
addEventListener("keydown", (event) => {
  const at = /** @type {HTMLElement} */ (event.target);
  const isTyping = at.matches?.("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey;
  if (event.key !== "z" || isTyping || document.querySelector("dialog:modal")) return;
  const thing = visible("[data-card]:hover").at(-1) ?? cardAt(at);
  if (thing) enlarge(thing);
});
