/** What lies before a player: a shop with what is on show in its window, what was drawn, and the Hoard. */

import { h } from "../../base/dom.js";
import { cardPiece, face, piece, zoneBox } from "../../table/pieces.js";
import { markOf, nameplate } from "../../table/players.js";
import { zoneOf } from "../../table/scene.js";

/** @import { Props } from "../../base/dom.js" */
/** @import { Stack, Zone } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/** A shop is at least as wide as so many items. */
const NARROW = 2;

/**
 * @param {Scene} scene
 * @param {number} seat
 */
export function shop(scene, seat) {
  const onShow = zoneOf(scene, seat, "case")?.stacks.length ?? 0;
  return h(
    "section.shop",
    {
      "data-key": `shop-${seat}`,
      class: seat === scene.me ? "mine" : "",
      style: { "--n": Math.max(NARROW, onShow) },
    },
    nameplate(scene, seat),
    drawn(scene, seat),
    shopFront(scene, seat),
    hoard(scene, seat),
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function shopFront(scene, seat) {
  const zone = zoneOf(scene, seat, "case");
  if (!zone) return null;
  const where = `${seat}.case`;
  return h(
    "div.front",
    { "data-key": "front", class: `ink-${markOf(scene.view, seat).ink}` },
    h("span.canopy", { "aria-hidden": "true" }),
    zoneBox(
      where,
      zone,
      { class: "window", "data-takes": seat === scene.me ? "keep steal salvage" : null },
      h(
        "div.items",
        null,
        zone.stacks.map((stack) => item(scene, where, stack)),
      ),
    ),
    h("span.sill", { "aria-hidden": "true" }),
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function drawn(scene, seat) {
  const zone = zoneOf(scene, seat, "drawn");
  const where = `${seat}.drawn`;
  return (
    zone &&
    zoneBox(
      where,
      zone,
      { class: "drawn" },
      h(
        "div.items",
        null,
        zone.stacks.flatMap((stack) => (stack.card ? item(scene, where, stack) : faceDown(scene, where, stack))),
      ),
    )
  );
}

/**
 * Face-down cards, side by side.
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 */
const faceDown = (scene, where, stack) =>
  Array.from({ length: stack.count }, (_, n) =>
    cardPiece(scene, where, { ...stack, count: 1 }, { "data-key": `${where}/${n}` }),
  );

/**
 * A Hoard: a pile with its thickness, or its items if the viewer may see them.
 * @param {Scene} scene
 * @param {number} seat
 */
function hoard(scene, seat) {
  const zone = zoneOf(scene, seat, "hoard");
  if (!zone) return null;
  const where = `${seat}.hoard`;
  const props = { class: "hoard", "data-takes": seat === scene.me ? "hoard" : null };
  if (zone.stacks.some((stack) => stack.card)) return openHoard(scene, where, zone, props);
  const piles = zone.stacks.map((stack) => pile(scene, where, stack));
  return zoneBox(where, zone, props, piles.length ? piles : h("span.nothing"));
}

/**
 * Overlapping items, like cards in a hand; the reader can spread them out.
 * @param {Scene} scene
 * @param {string} where
 * @param {Zone} zone
 * @param {Props} props
 */
function openHoard(scene, where, zone, props) {
  return h(
    "section.zone",
    { "data-key": where, "data-pile": where, "data-zone": zone.key, "aria-label": zone.title, ...props },
    h("details", null, h("summary.zone-title", null, zone.title, zone.note && h("small", null, zone.note))),
    h(
      "div.fan",
      { style: { "--gaps": Math.max(1, zone.stacks.length - 1) } },
      zone.stacks.map((stack) => item(scene, where, stack)),
    ),
  );
}

/**
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 */
export const item = (scene, where, stack) =>
  cardPiece(scene, where, stack, {
    "data-tip": [stack.card?.name, stack.card?.foot, stack.note].filter(Boolean).join(", "),
  });

/**
 * A face-down pile; every card makes it a little higher.
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 */
export const pile = (scene, where, stack) =>
  piece(
    scene,
    where,
    stack,
    { class: "card pile", style: { "--cards": stack.count } },
    face(scene.view.game, null),
    h("span.edges", { "aria-hidden": "true" }),
    h("span.count", { "aria-hidden": "true" }, stack.count),
  );
