/** Port on the page: the Douro with its harbours, the action table, everyone's place, the viewer's hand. */

import { drawing, isDrawn } from "../../base/art.js";
import { h } from "../../base/dom.js";
import { piece, zoneBox } from "../../table/pieces.js";
import { others, zoneOf } from "../../table/scene.js";
import { holding } from "../../table/unfold.js";
import { actionTable } from "./actions.js";
import { openPart, part, partButtons } from "./parts.js";
import { board } from "./place.js";
import { river } from "./river.js";
import { standings } from "./standings.js";

/** @import { Card, Stack } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */
/** @import { DrawnTable } from "../../table/stage.js" */

export { flights } from "./flights.js";

/**
 * The face of a card, large enough to show what it does.
 * @param {Card} card
 */
export function face(card) {
  const [thing] = card.kind.split("-"); // "boat" for every player's boat
  const names = [...["card", "action", "category"].map((of) => `${of}-${card.kind}`), thing];
  const picture = names.find((name) => isDrawn("port", name));
  return picture
    ? h("span.face.wine-card", { class: `ink-${card.ink}` }, drawing("port", picture), h("span.name", null, card.name))
    : null;
}

/**
 * @param {Scene} scene
 * @returns {DrawnTable}
 */
export function draw(scene) {
  const seats = others(scene);
  openPart(scene);
  return {
    table: h(
      "div.port",
      { "data-takes": "card part", class: scene.me < 0 ? "watched" : "", ...holding("port") },
      partButtons(scene, seats),
      part("river", river(scene), standings(scene)),
      part("actions", actionTable(scene)),
      scene.me >= 0 && part("mine", board(scene, scene.me)),
      part(
        "others",
        seats.map((seat) => board(scene, seat)),
      ),
    ),
    hand: scene.me < 0 ? null : hand(scene, scene.me),
  };
}

/**
 * The viewer's cards, with what they do.
 * @param {Scene} scene
 * @param {number} seat
 */
function hand(scene, seat) {
  const [zone, where] = [zoneOf(scene, seat, "hand"), `${seat}.hand`];
  if (!zone?.stacks.length) return null;
  return zoneBox(
    where,
    zone,
    { class: "port-hand" },
    h(
      "div.tickets",
      null,
      zone.stacks.map((stack) => ticket(scene, where, stack)),
    ),
  );
}

/**
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 */
function ticket(scene, where, stack) {
  const { card, count } = stack;
  return piece(
    scene,
    where,
    stack,
    { class: "ticket ink-wine" },
    drawing("port", card ? `card-${card.kind}` : "back"),
    h("b", null, card?.name, count > 1 && ` ×${count}`),
    card?.does && h("span.does", null, card.does),
  );
}
