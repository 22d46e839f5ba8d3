/** The big view: a card that one sees, as large as the screen allows, with what it is, what it does and what can be done
 * with it now. */

import { iconButton } from "../base/buttons.js";
import { become, h } from "../base/dom.js";
import { findFocus } from "../base/focus.js";
import { say } from "../base/words.js";
import { face } from "./pieces.js";
import { hideTip, openClause, withClauses } from "./tips.js";

/** @import { Card } from "../base/wire.js" */

/** Where the neighbours of a card lie. */
const GROUP = "[data-zone], .slots, #strip, #log";

/** @type {HTMLDialogElement | null} */
let dialog = null;
/** What is shown. @type {Element | null} */
let source = null;

/** @param {Element} thing */
export function openBigView(thing) {
  hideTip();
  if (!dialog) {
    dialog = /** @type {HTMLDialogElement} */ (h("dialog.big-view", { onclose: close, onkeydown: turnByKey }));
    dialog.addEventListener("click", (event) => {
      openClause(event);
      if (event.target instanceof Element && !event.target.closest("a, button")) dialog?.close();
    });
    document.body.append(dialog);
    addEventListener("rendered", follow);
    dialog.showModal();
  }
  source = thing;
  show();
}

function close() {
  removeEventListener("rendered", follow);
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
function follow() {
  if (!dialog || !source) return;
  const [key, card] = [source.getAttribute("data-key"), source.getAttribute("data-card")];
  const same = source.isConnected ? source : key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!same || same.getAttribute("data-card") !== card) return dialog.close();
  source = same;
  show();
}
