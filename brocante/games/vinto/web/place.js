/** A player with their row of cards. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";
import { say } from "../../base/words.js";
import { described, piece } from "../../table/pieces.js";
import { nameplate } from "../../table/players.js";
import { zoneOf } from "../../table/scene.js";
import { cardFace } from "./card.js";
import { slotPlace } from "./flights.js";

/** @import { Stack, Zone } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/**
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} where
 */
export function place(scene, seat, where) {
  const zone = zoneOf(scene, seat, "row");
  return h(
    "section.seat",
    { "data-key": `seat-${seat}`, class: where, "aria-label": scene.info.seats[seat]?.name ?? "" },
    nameplate(scene, seat),
    zone && row(scene, seat, zone),
    zone?.note && h("p.ribbon", null, zone.note),
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 * @param {Zone} zone
 */
function row(scene, seat, zone) {
  return h(
    "div.slots",
    { "data-pile": `${seat}.row`, role: "group", "aria-label": zone.title, style: perLine(zone.stacks.length) },
    zone.stacks.map((stack, k) => slot(scene, seat, zone, stack, k)),
  );
}

/**
 * How many cards of a row lie side by side where so many have room; a long row takes more lines, all about as long.
 * @param {number} cards
 */
const perLine = (cards) =>
  Object.fromEntries([4, 5, 7, 10].map((most) => [`--in-${most}`, Math.ceil(cards / Math.ceil(cards / most)) || 1]));

/**
 * A card in its slot, or a gap. A card that lies open among hidden ones is seen for a moment only.
 * @param {Scene} scene
 * @param {number} seat
 * @param {Zone} zone
 * @param {Stack} stack
 * @param {number} k
 */
function slot(scene, seat, zone, stack, k) {
  const seen = stack.card && zone.stacks.some(({ card, count }) => count && !card);
  const where = slotPlace(seat, k);
  return piece(
    scene,
    where,
    stack,
    {
      "data-key": where,
      class: `card slot ${seen ? "seen" : ""} ${stack.count ? "" : "gap"}`,
      "aria-label": say("vinto.slot", { n: k + 1, what: described(stack) }),
    },
    stack.count ? cardFace(stack.card) : h("span.no-card"),
    seen && drawing("vinto", "eye", { class: "eye" }),
    h("span.number", { "data-print": k + 1 }),
  );
}
