/** Asking before a move is made, in the bar: for those who want it, before all moves or before the risky ones. */

import { h } from "../base/dom.js";
import { settings } from "../base/settings.js";
import { say } from "../base/words.js";
import { atRest, spelled } from "./scene.js";

/** @import { Move, View } from "../base/wire.js" */

/**
 * @param {View} view
 * @param {Move} move
 */
const offerOf = (view, move) => view.offers.find((offer) => spelled(offer.move) === spelled(move));

/**
 * Whether the player wants to be asked before this move. The first choices of a move can be taken back anyway.
 * @param {View} view
 * @param {Move} move
 */
export function mustAsk(view, move) {
  if (move.move === "part" || settings.ask === "never") return false;
  return settings.ask === "always" || Boolean(offerOf(view, move)?.risky);
}

/**
 * A view that asks nothing but whether a move is meant.
 * @param {View} view
 * @param {Move} move
 * @returns {View}
 */
export const asking = (view, move) => ({
  ...atRest(view),
  prompt: say("table.sure", { move: offerOf(view, move)?.label ?? "" }),
});

/**
 * @param {() => void} yes
 * @param {() => void} no
 */
export const answers = (yes, no) => [
  h("button.lead", { type: "button", "data-key": "yes", "data-do": "yes", onclick: yes }, say("table.yes")),
  h("button", { type: "button", "data-key": "no", "data-do": "let-be", onclick: no }, say("nav.never_mind")),
];
