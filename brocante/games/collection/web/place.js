/** What lies before a player: sets as they grow, with what threatens them; point cards; the backs of their hand. */

import { h } from "../../base/dom.js";
import { cardPiece, described, face, piece, zoneBox } from "../../table/pieces.js";
import { nameplate } from "../../table/players.js";
import { zoneOf } from "../../table/scene.js";
import { WAYS, wayOf } from "./flights.js";

/** @import { Stack, Zone } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/**
 * @param {Scene} scene
 * @param {number} seat
 */
export function place(scene, seat) {
  const [sets, held, points] = ["table", "hand", "points"].map((key) => zoneOf(scene, seat, key));
  return h(
    "section.place",
    { "data-key": `place-${seat}`, "aria-label": scene.info.seats[seat].name, class: seat === scene.me ? "mine" : "" },
    nameplate(scene, seat),
    sets &&
      zoneBox(
        `${seat}.table`,
        sets,
        { "data-takes": seat === scene.me ? "place" : null },
        h(
          "div.sets",
          null,
          sets.stacks.map((stack) => growing(scene, `${seat}.table`, stack)),
        ),
      ),
    h(
      "div.col-besides",
      null,
      seat !== scene.me && held && zoneBox(`${seat}.hand`, held, {}, fan(scene, `${seat}.hand`, held)),
      points && points.stacks.length > 0 && pointCards(scene, seat, points),
    ),
  );
}

/**
 * A collection as it grows: its cards overlap, and the steps still to be filled are shown.
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 */
function growing(scene, where, stack) {
  const { count, goal, note, card } = stack;
  const { game, result } = scene.view;
  const threat = result ? null : note; // when the game is over, nothing is at risk any more
  return piece(
    scene,
    where,
    stack,
    { class: `set card ${threat ? "threatened" : ""}` },
    h(
      "span.heap",
      null,
      Array.from({ length: count }, (_, n) => h("span.one", { style: { "--at": n / (goal - 1) } }, face(game, card))),
      threat && h("span.threat", { "aria-hidden": "true" }, h("span.in-words", null, threat)),
    ),
    h(
      "span.steps",
      { "aria-hidden": "true" },
      Array.from({ length: goal }, (_, n) => h("i", { class: n < count ? "full" : "" })),
      h("b", null, `${count}/${goal}`),
    ),
  );
}

/**
 * Point cards: those of complete collections upright, those of closed ones sideways, with their points above.
 * @param {Scene} scene
 * @param {number} seat
 * @param {Zone} zone
 */
function pointCards(scene, seat, zone) {
  const card = (/** @type {string} */ where, /** @type {Stack} */ stack) =>
    cardPiece(scene, where, stack, { class: "tiny", "data-tip": described(stack) });
  const lying = (/** @type {string} */ way) => {
    const where = `${seat}.${way}`;
    const stacks = zone.stacks.filter((stack) => wayOf(stack) === way);
    return (
      stacks.length > 0 &&
      h(
        "div",
        { "data-key": where, class: way },
        h("h3.zone-title", null, stacks[0].note),
        h(
          "div.won-cards",
          null,
          stacks.map((stack) => card(where, { ...stack, note: null })),
        ),
      )
    );
  };
  const where = `${seat}.points`;
  const props = { "data-key": where, "data-pile": where, "data-zone": zone.key, "aria-label": zone.title };
  return h("section.zone.col-points", props, WAYS.map(lying));
}

/**
 * The hand of another player: how many cards, or which if the viewer may see them.
 * @param {Scene} scene
 * @param {string} where
 * @param {Zone} zone
 */
function fan(scene, where, zone) {
  const open = zone.stacks.some((stack) => stack.card);
  if (open)
    return h(
      "div.open-hand",
      null,
      zone.stacks.map((stack) => cardPiece(scene, where, stack, { class: "tiny" })),
    );
  return h(
    "div.fan",
    null,
    zone.stacks.map((stack) =>
      piece(
        scene,
        where,
        stack,
        { class: "card tiny" },
        Array.from({ length: Math.min(stack.count, 5) }, () => face(scene.view.game, null)),
        stack.count > 1 && h("span.count", { "aria-hidden": "true" }, `×${stack.count}`),
      ),
    ),
  );
}
