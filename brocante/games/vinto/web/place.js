/** A player with their row of cards. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";
import { say } from "../../base/words.js";
import { described, piece } from "../../table/pieces.js";
import { nameplate, playerMark } from "../../table/players.js";
import { zoneOf } from "../../table/scene.js";
import { cardFace } from "./card.js";
import { slotPlace } from "./flights.js";

/** @import { Gesture, Stack, Zone } from "../../base/wire.js" */
/** @import { GlimpsedStack } from "../../table/glimpses.js" */
/** @import { Scene } from "../../table/scene.js" */

/**
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} where
 */
export function place(scene, seat, where) {
  const zone = zoneOf(scene, seat, "row");
  const many = [5, 6].filter((n) => zone && zone.stacks.length > n).map((n) => `over-${n}`);
  return h(
    "section.seat",
    {
      "data-key": `seat-${seat}`,
      class: [where, ...many, zone?.note ? "noted" : ""].join(" "),
      "aria-label": scene.info.seats[seat]?.name ?? "",
    },
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
  Object.fromEntries([4, 6, 7, 10].map((most) => [`--in-${most}`, Math.ceil(cards / Math.ceil(cards / most)) || 1]));

/**
 * Whether somebody's card lies open among hidden ones. It is seen for a moment only.
 * @param {Zone} zone
 * @param {Stack} stack
 */
const isSeen = (zone, stack) => Boolean(stack.card && zone.stacks.some(({ card, count }) => count && !card));

/**
 * Whether any card is seen.
 * @param {Scene} scene
 */
export const isSeeing = (scene) =>
  scene.view.table.places.some(({ seat }) => {
    const zone = zoneOf(scene, seat, "row");
    return zone?.stacks.some((stack) => isSeen(zone, stack));
  });

/**
 * A card in its slot, or a gap.
 * @param {Scene} scene
 * @param {number} seat
 * @param {Zone} zone
 * @param {GlimpsedStack} stack
 * @param {number} k
 */
function slot(scene, seat, zone, stack, k) {
  const seen = isSeen(zone, stack);
  const where = slotPlace(seat, k);
  return piece(
    scene,
    where,
    stack,
    {
      "data-key": where,
      class: `card slot ${seen ? "seen" : ""} ${seen && stack.gesture ? "glimpsed" : ""} ${stack.count ? "" : "gap"}`,
      "aria-label": say("vinto.slot", { n: k + 1, what: [described(stack), ...told(scene, stack)].join(", ") }),
    },
    stack.count ? cardFace(stack.card) : h("span.no-card"),
    seen && !stack.gesture && drawing("vinto", "eye", { class: "eye" }),
    stack.gesture && gestureMark(scene, stack.gesture),
    h("span.number", { "data-print": k + 1 }),
  );
}

/**
 * Who looks at a card, shows it or has moved it, as a mark at the card.
 * @param {Scene} scene
 * @param {Gesture} gesture
 */
const gestureMark = ({ view, me }, { seat, does }) =>
  h(
    "span.gesture",
    { class: does },
    drawing("vinto", does === "move" ? "swap" : "eye"),
    seat !== me && playerMark(view, seat),
  );

/**
 * The same in words.
 * @param {Scene} scene
 * @param {GlimpsedStack} stack
 */
const told = ({ info }, { gesture }) =>
  gesture ? [say(`vinto.gesture.${gesture.does}`, { player: info.seats[gesture.seat]?.name ?? "" })] : [];
