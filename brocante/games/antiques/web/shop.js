/** A dealer's shop: what is on show in its window, what was drawn, and the Hoard behind the counter. */

import { cardPiece, face, nameplate, piece, zoneBox, zoneOf } from "../../desk.js";
import { h } from "../../dom.js";
import { markOf } from "../../players.js";

/** As many items stand side by side without being made smaller. */
const ROOMY = 3;

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 */
export function shop(desk, seat) {
  return h(
    "section.shop",
    { "data-key": `shop-${seat}`, class: seat === desk.me ? "mine" : "" },
    nameplate(desk, seat),
    drawn(desk, seat),
    shopFront(desk, seat),
    hoard(desk, seat),
  );
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 */
function shopFront(desk, seat) {
  const zone = zoneOf(desk, seat, "case");
  if (!zone) return null;
  const where = `${seat}.case`;
  return h(
    "div.front",
    { "data-key": "front", class: `ink-${markOf(desk.view, seat).ink}` },
    h("span.canopy", { "aria-hidden": "true" }),
    zoneBox(
      where,
      zone,
      { class: "window", "data-takes": seat === desk.me ? "keep steal salvage" : null },
      h(
        "div.items",
        { style: { "--n": Math.max(ROOMY, zone.stacks.length) } },
        zone.stacks.map((stack) => item(desk, where, stack)),
      ),
    ),
    h("span.sill", { "aria-hidden": "true" }),
  );
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 */
function drawn(desk, seat) {
  const zone = zoneOf(desk, seat, "drawn");
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
        zone.stacks.flatMap((stack) => (stack.card ? item(desk, where, stack) : faceDown(desk, where, stack))),
      ),
    )
  );
}

/**
 * Cards that are held face down, side by side.
 * @param {import("../../desk.js").Desk} desk
 * @param {string} where
 * @param {import("../../types.js").Stack} stack
 */
const faceDown = (desk, where, stack) =>
  Array.from({ length: stack.count }, (_, n) =>
    cardPiece(desk, where, { ...stack, count: 1 }, { "data-key": `${where}/${n}` }),
  );

/**
 * A Hoard: a pile as thick as it is, or what is in it where one may look.
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 */
function hoard(desk, seat) {
  const zone = zoneOf(desk, seat, "hoard");
  if (!zone) return null;
  const where = `${seat}.hoard`;
  const props = { class: "hoard", "data-takes": seat === desk.me ? "hoard" : null };
  if (zone.stacks.some((stack) => stack.card)) return openHoard(desk, where, zone, props);
  const piles = zone.stacks.map((stack) => pile(desk, where, stack));
  return zoneBox(where, zone, props, piles.length ? piles : h("span.nothing"));
}

/**
 * Items one over the other like cards in a hand; who wants to look at them spreads them out.
 * @param {import("../../desk.js").Desk} desk
 * @param {string} where
 * @param {import("../../types.js").Zone} zone
 * @param {import("../../dom.js").Props} props
 */
function openHoard(desk, where, zone, props) {
  return h(
    "section.zone",
    { "data-key": where, "data-pile": where, "data-zone": zone.key, "aria-label": zone.title, ...props },
    h("details", null, h("summary.zone-title", null, zone.title, zone.note && h("small", null, zone.note))),
    h(
      "div.fan",
      { style: { "--gaps": Math.max(1, zone.stacks.length - 1) } },
      zone.stacks.map((stack) => item(desk, where, stack)),
    ),
  );
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {string} where
 * @param {import("../../types.js").Stack} stack
 */
export const item = (desk, where, stack) =>
  cardPiece(desk, where, stack, {
    "data-tip": [stack.card?.name, stack.card?.foot, stack.note].filter(Boolean).join(", "),
  });

/**
 * Cards on a pile, face down: every one makes it a little higher.
 * @param {import("../../desk.js").Desk} desk
 * @param {string} where
 * @param {import("../../types.js").Stack} stack
 */
export const pile = (desk, where, stack) =>
  piece(
    desk,
    where,
    stack,
    { class: "card pile", style: { "--cards": stack.count } },
    face(desk.view.game, null),
    h("span.edges", { "aria-hidden": "true" }),
    h("span.count", { "aria-hidden": "true" }, stack.count),
  );
