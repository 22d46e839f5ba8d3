/** The action table: every action with its circles, and whose markers lie on them. */

import { drawing } from "../../art.js";
import { boardZone, piece, zoneBox } from "../../desk.js";
import { h } from "../../dom.js";

/** @param {import("../../desk.js").Desk} desk */
export function actionTable(desk) {
  const zone = boardZone(desk, "actions");
  return (
    zone &&
    zoneBox(
      "board.actions",
      zone,
      { class: "actions" },
      h(
        "div.acts",
        null,
        zone.stacks.map((stack) => action(desk, stack)),
      ),
    )
  );
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {import("../../types.js").Stack} stack
 */
function action(desk, stack) {
  const { card } = stack;
  if (!card) return null;
  return piece(
    desk,
    "board.actions",
    stack,
    { class: "act" },
    drawing("port", `action-${card.kind}`),
    h("b", null, card.name),
    h(
      "span.circles",
      null,
      card.marks.map((mark) => circle(desk, card.kind, mark)),
    ),
  );
}

/**
 * A circle: with the marker of a player, or free for all or for one.
 * @param {import("../../desk.js").Desk} desk
 * @param {string} act
 * @param {import("../../types.js").Mark} mark
 */
function circle(desk, act, mark) {
  const seat = whose(desk.view, mark);
  if (seat < 0) return h("span.circle", { class: `ink-${mark.ink}` }, mark.ink === "faint" ? "" : mark.sign);
  return h(
    "span.circle.marker",
    { class: `ink-${mark.ink}`, "data-pile": `marks.${act}`, "data-kind": seat },
    drawing("port", "marker"),
    h("b", null, mark.sign),
  );
}

/**
 * The player whose sign this is; −1 for nobody's.
 * @param {import("../../types.js").View} view
 * @param {import("../../types.js").Mark} mark
 */
export const whose = ({ table }, mark) => table.places.findIndex((place) => place.mark?.sign === mark.sign);
