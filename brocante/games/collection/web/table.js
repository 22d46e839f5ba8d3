/** Collection on the page: everyone's sets as they grow, with what threatens them; point cards; the pack; one's hand. */

import { h } from "../../base/dom.js";
import { cardPiece, described, face, piece, zoneBox } from "../../table/pieces.js";
import { nameplate } from "../../table/players.js";
import { centreZone, others, zoneOf } from "../../table/scene.js";
import { offerButton, unplaced } from "../../table/stage.js";
import { WAYS, wayOf } from "./flights.js";

/** @import { Stack, Zone } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */
/** @import { DrawnTable } from "../../table/stage.js" */

export { flights } from "./flights.js";

/**
 * @param {Scene} scene
 * @returns {DrawnTable}
 */
export function draw(scene) {
  return {
    table: h(
      "div.collection",
      null,
      h(
        "div.col-others",
        null,
        others(scene).map((seat) => place(scene, seat)),
      ),
      h(
        "div.col-mine",
        null,
        scene.me >= 0 && place(scene, scene.me),
        h("div.col-centre", null, pile(scene, "pack"), pile(scene, "discard")),
      ),
    ),
    hand: scene.me < 0 ? null : hand(scene, scene.me),
    choices: h("div.row", null, unplaced(scene.view, ["end"]).map(offerButton)),
  };
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function place(scene, seat) {
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
 * A collection as it grows: its cards lie one over the other, and the places still to be filled are seen.
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 */
function growing(scene, where, stack) {
  const { count, goal, note, card } = stack;
  const game = scene.view.game;
  return piece(
    scene,
    where,
    stack,
    { class: `set card ${note ? "threatened" : ""}`, style: { "--n": count } },
    h(
      "span.heap",
      null,
      Array.from({ length: count }, (_, n) => h("span.one", { style: { "--at": n } }, face(game, card))),
    ),
    h(
      "span.steps",
      { "aria-hidden": "true" },
      Array.from({ length: goal }, (_, n) => h("i", { class: n < count ? "full" : "" })),
      h("b", null, `${count}/${goal}`),
    ),
    note && h("span.threat", { "aria-hidden": "true" }, note),
  );
}

/**
 * Point cards: those of complete collections upright, those of closed ones sideways, each with their points above them.
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
 * The cards of somebody else: one sees how many.
 * @param {Scene} scene
 * @param {string} where
 * @param {Zone} zone
 */
function fan(scene, where, zone) {
  const open = zone.stacks.some((stack) => stack.card);
  if (open)
    return h(
      "div.won-cards",
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
        Array.from({ length: Math.min(stack.count, 10) }, () => face(scene.view.game, null)),
        stack.count > 1 && h("span.count", { "aria-hidden": "true" }, `×${stack.count}`),
      ),
    ),
  );
}

/**
 * @param {Scene} scene
 * @param {string} key
 */
function pile(scene, key) {
  const zone = centreZone(scene, key);
  return (
    zone &&
    zoneBox(
      `centre.${key}`,
      zone,
      {},
      h(
        "div.cards",
        null,
        zone.stacks.map((stack) =>
          cardPiece(scene, `centre.${key}`, stack, { class: key === "discard" ? "tiny" : "" }),
        ),
      ),
    )
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function hand(scene, seat) {
  const zone = zoneOf(scene, seat, "hand");
  return zone
    ? zoneBox(
        `${seat}.hand`,
        zone,
        { class: "hand" },
        h(
          "div.cards",
          null,
          zone.stacks.map((stack) => cardPiece(scene, `${seat}.hand`, stack)),
        ),
      )
    : null;
}
