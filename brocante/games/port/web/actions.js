/** The action table: every action with its circles, and whose markers lie on them. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";
import { piece, zoneBox } from "../../table/pieces.js";
import { boardZone } from "../../table/scene.js";

/** @import { Mark, Stack, View } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/** @param {Scene} scene */
export function actionTable(scene) {
  const zone = boardZone(scene, "actions");
  return (
    zone &&
    zoneBox(
      "board.actions",
      zone,
      { class: "actions" },
      h(
        "div.acts",
        null,
        zone.stacks.map((stack) => action(scene, stack)),
      ),
    )
  );
}

/**
 * @param {Scene} scene
 * @param {Stack} stack
 */
function action(scene, stack) {
  const { card } = stack;
  if (!card) return null;
  return piece(
    scene,
    "board.actions",
    stack,
    { class: "act" },
    drawing("port", `action-${card.kind}`),
    h("b", null, card.name),
    h(
      "span.circles",
      null,
      card.marks.map((mark) => circle(scene, card.kind, mark)),
    ),
  );
}

/**
 * A circle: with the marker of a player, or free for all or for one.
 * @param {Scene} scene
 * @param {string} act
 * @param {Mark} mark
 */
function circle(scene, act, mark) {
  const seat = whose(scene.view, mark);
  if (seat < 0) return h("span.circle", { class: `ink-${mark.ink}` }, mark.ink === "faint" ? "" : mark.sign);
  return h(
    "span.circle.marker",
    { class: `ink-${mark.ink}`, "data-pile": `marks.${act}`, "data-kind": seat },
    drawing("port", "marker"),
    h("b", null, mark.sign),
  );
}

/**
 * The player whose sign this is, or −1.
 * @param {View} view
 * @param {Mark} mark
 */
export const whose = ({ table }, mark) => table.places.findIndex((place) => place.mark?.sign === mark.sign);
