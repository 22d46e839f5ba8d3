/** Choices that lie nowhere on the table: ranks as a small keyboard of cards, the others as buttons. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";
import { spelled } from "../../table/scene.js";
import { offerButton, unplaced } from "../../table/stage.js";
import { figure, rankFace } from "./card.js";

/** @import { Offer } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/** More buttons than this are laid out in columns: the actions that a King can stand for. */
const MANY = 3;
/** @type {Record<string, string>} */
const SIGNS = { exchange: "swap", vinto: "coin" };

/**
 * The rank that a move declares.
 * @param {Offer} offer
 * @returns {string | undefined}
 */
const declared = ({ move }) => (move.move === "declare" ? move.rank : move.declare);

/**
 * @param {Scene} scene
 * @returns {HTMLElement | null}
 */
export function choices({ view }) {
  const offers = unplaced(view);
  const ranks = offers.filter(declared);
  const plain = offers.filter((offer) => !declared(offer)).map(button);
  if (!ranks.length) return h("div.row", { "data-key": "plain", class: plain.length > MANY ? "many" : "" }, plain);
  const group = (/** @type {Offer[]} */ some) => h("div.ranks-group", null, some.map(rankKey));
  return h(
    "div.ranks",
    { "data-key": "ranks", role: "group", "aria-label": view.prompt },
    group(ranks.filter((offer) => !figure(declared(offer) ?? ""))),
    group(ranks.filter((offer) => figure(declared(offer) ?? ""))),
    plain,
  );
}

/** @param {Offer} offer */
function button(offer) {
  const made = offerButton(offer);
  const sign = SIGNS[offer.move.move];
  if (sign) made.prepend(drawing("vinto", sign, { class: "sign" }));
  return made;
}

/** @param {Offer} offer */
function rankKey(offer) {
  const rank = declared(offer) ?? "";
  return h(
    "button.rank",
    {
      type: "button",
      class: figure(rank) ? "court" : "",
      "data-key": spelled(offer.move),
      "data-moves": JSON.stringify([offer.move]),
      "data-says": offer.label,
      "aria-label": offer.label,
    },
    rankFace(rank),
    offer.key !== rank.toLowerCase() && h("kbd", { "data-print": offer.key }),
  );
}
