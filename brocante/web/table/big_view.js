/** The big view: a card that one sees, as large as the screen allows, with what it is, what it does and what can be done
 * with it now. A right click, a long press or the key z opens it. */

import { iconButton } from "../base/buttons.js";
import { become, h } from "../base/dom.js";
import { findFocus, visible } from "../base/focus.js";
import { say } from "../base/words.js";
import { face } from "./pieces.js";
import { hideTip, openClause, showTip, withClauses } from "./tips.js";

/** @import { Card } from "../base/wire.js" */

/** Milliseconds that a finger stays, and pixels that it may stray meanwhile. */
const [LONG, STRAY] = [500, 10];
/** Where the neighbours of a card lie. */
const GROUP = "[data-zone], .slots, #strip, #log";

/** @type {HTMLDialogElement | null} */
let dialog = null;
/** What is shown. @type {Element | null} */
let source = null;

/** @param {EventTarget | null} target */
const cardAt = (target) => (target instanceof Element ? target.closest("[data-card]") : null);

/** @param {Element} thing */
function open(thing) {
  hideTip();
  if (!dialog) {
    dialog = /** @type {HTMLDialogElement} */ (h("dialog.big-view", { onclose: close, onkeydown: turnByKey }));
    dialog.addEventListener("click", (event) => {
      openClause(event);
      if (event.target instanceof Element && !event.target.closest("a, button")) dialog?.close();
    });
    document.body.append(dialog);
    dialog.showModal();
  }
  source = thing;
  show();
}

function close() {
  dialog?.remove();
  dialog = source = null;
  findFocus();
}

function show() {
  if (!dialog || !source) return;
  const card = /** @type {Card} */ (JSON.parse(source.getAttribute("data-card") ?? "null"));
  const game = source.getAttribute("data-game") ?? document.body.dataset.game ?? "";
  const [says, why] = [source.getAttribute("data-says"), source.getAttribute("data-why")];
  const about = card.marks.map(({ sign, name }) => `${sign} ${name}`);
  const [before, after] = [neighbour(-1), neighbour(1)];
  dialog.setAttribute("aria-label", card.name);
  become(
    dialog,
    h(
      "div.enlarged",
      { "data-key": card.name },
      h("span.card", { "aria-hidden": "true" }, face(game, card)),
      h(
        "div.in-words",
        null,
        h("h2", null, card.name),
        about.length > 0 && h("p", null, about.join(" · ")),
        card.does && h("p", null, card.does),
        says ? h("p.can", null, says) : why && h("p.can.why", null, withClauses(why)),
        h(
          "div.row",
          null,
          before && iconButton("back-arrow", say("big.before"), () => turn(-1)),
          after && iconButton("forward", say("big.after"), () => turn(1)),
          iconButton("close", say("nav.close"), () => dialog?.close(), { autofocus: true }),
        ),
      ),
    ),
  );
}

/**
 * The card before or after the one that is shown, in the same part of the table.
 * @param {-1 | 1} step
 */
function neighbour(step) {
  const cards = [...(source?.closest(GROUP)?.querySelectorAll("[data-card]") ?? [])].filter((it) =>
    it.checkVisibility(),
  );
  return cards[cards.findIndex((it) => it === source) + step] ?? null;
}

/** @param {-1 | 1} step */
function turn(step) {
  source = neighbour(step) ?? source;
  show();
}

/** @param {KeyboardEvent} event */
function turnByKey(event) {
  if (event.key === "ArrowLeft" || event.key === "ArrowUp") turn(-1);
  else if (event.key === "ArrowRight" || event.key === "ArrowDown") turn(1);
  else if (event.key === "z") dialog?.close();
  else return;
  event.preventDefault();
}

/** The table has changed: show the same card as it is now; what is no longer seen there is no longer shown. */
export function followBigView() {
  if (!dialog || !source) return;
  const [key, card] = [source.getAttribute("data-key"), source.getAttribute("data-card")];
  const same = source.isConnected ? source : key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!same || same.getAttribute("data-card") !== card) return dialog.close();
  source = same;
  show();
}

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
  if (!finger) open(thing); // a finger is waited for
});
addEventListener("pointerdown", ({ pointerType, target, clientX: x, clientY: y }) => {
  wasLong = false;
  const thing = target instanceof Element && target.closest("#play, #side, #strip") ? target : null;
  if (pointerType !== "touch" || !thing) return;
  const press = () => {
    const card = cardAt(thing);
    const told = thing.closest("[data-says], [data-why], [data-tip]");
    wasLong = Boolean(card) || Boolean(told && showTip(told));
    if (card) open(card);
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
  const thing = cardAt(at) ?? visible("[data-card]:hover").at(-1);
  if (thing) open(thing);
});
