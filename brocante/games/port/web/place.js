/** What lies before a player: Estates, the hold of the boat, the cellar, the warehouse, the backs of their cards. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";
import { say } from "../../base/words.js";
import { described, piece, zoneBox } from "../../table/pieces.js";
import { markOf, nameplate } from "../../table/players.js";
import { zoneOf } from "../../table/scene.js";
import { barrels, crop, cubes } from "./estate.js";
import { pileOf } from "./flights.js";

/** @import { Stack } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/**
 * A player's board.
 * @param {Scene} scene
 * @param {number} seat
 */
export function board(scene, seat) {
  const mine = seat === scene.me;
  const who = scene.info.seats[seat]?.name ?? "";
  return h(
    "section.place.board",
    {
      "data-key": `place-${seat}`,
      class: `${mine ? "mine" : ""} ink-${markOf(scene.view, seat).ink}`,
      "aria-label": who,
    },
    h("div.plate", { "data-pile": `${seat}.markers` }, nameplate(scene, seat)),
    h(
      "div.lies",
      null,
      estates(scene, seat),
      !mine && cards(scene, seat),
      hold(scene, seat),
      cellar(scene, seat),
      h(
        "div.warehouse",
        null,
        ["ruby", "tawny"].map((side) => shelves(scene, seat, `warehouse-${side}`)),
      ),
    ),
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function estates(scene, seat) {
  const [zone, where] = [zoneOf(scene, seat, "estates"), `${seat}.estates`];
  return (
    zone &&
    zoneBox(
      where,
      zone,
      { class: "estates" },
      h(
        "div.tiles",
        null,
        zone.stacks.map((stack) => estate(scene, where, stack)),
      ),
    )
  );
}

/**
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 */
function estate(scene, where, stack) {
  const { card } = stack;
  return (
    card &&
    piece(
      scene,
      where,
      stack,
      { class: "estate", "data-tip": described(stack) },
      h("span.house", null, drawing("port", "estate")),
      h("b", null, card.sign, " ", card.corner),
      cubes(card.marks),
      crop(stack),
    )
  );
}

/**
 * The boat with its three places.
 * @param {Scene} scene
 * @param {number} seat
 */
function hold(scene, seat) {
  const zone = zoneOf(scene, seat, "boat");
  return (
    zone &&
    zoneBox(
      `${seat}.boat`,
      zone,
      { class: "hold" },
      h(
        "div.hull",
        null,
        zone.stacks.map((stack, n) => harvest(scene, seat, "boat", stack, `${zone.title}, ${n + 1}`)),
      ),
    )
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function cellar(scene, seat) {
  const zone = zoneOf(scene, seat, "cellar");
  return (
    zone &&
    zoneBox(
      `${seat}.cellar`,
      zone,
      { class: "cellar" },
      h(
        "div.columns",
        null,
        zone.stacks.map((stack) => harvest(scene, seat, "cellar", stack, columnName(scene, seat, stack))),
      ),
    )
  );
}

/**
 * A column is named for the lowest category of its side, with its number.
 * @param {Scene} scene
 * @param {number} seat
 * @param {Stack} stack
 */
function columnName(scene, seat, { card }) {
  const [side, n] = (card?.kind ?? "").split("-");
  return `${zoneOf(scene, seat, `warehouse-${side}`)?.stacks[0].card?.name} ${n}`;
}

/**
 * A place for a harvest, and what is there.
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} stage
 * @param {Stack} stack
 * @param {string} title
 */
function harvest(scene, seat, stage, stack, title) {
  const { card, count } = stack;
  const pile = pileOf(seat, stage, card?.kind ?? "");
  const words = `${title}: ${count ? card?.name : say("piece.nothing")}`;
  return piece(
    scene,
    pile,
    stack,
    { class: `harvest ink-${card?.ink} ${count ? "" : "empty"}`, "aria-label": words, "data-tip": words },
    h("span.sign-of", null, stage === "cellar" && seat === scene.me ? title : card?.sign),
    barrels(count),
    count > 0 && h("b", null, card?.name),
  );
}

/**
 * A side of the warehouse, its highest category on top.
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} key
 */
function shelves(scene, seat, key) {
  const zone = zoneOf(scene, seat, key);
  return (
    zone &&
    zoneBox(
      `${seat}.${key}`,
      zone,
      { class: "shelves" },
      h("div.categories", null, zone.stacks.map((stack) => category(scene, seat, `${seat}.${key}`, stack)).reverse()),
    )
  );
}

/**
 * A category: which qualities reach it, how full it is, what it pays.
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} where
 * @param {Stack} stack
 */
function category(scene, seat, where, stack) {
  const { card, count, goal } = stack;
  if (!card) return null;
  const spaces = Array.from({ length: Math.max(count, goal) }, (_, n) => h("i", { class: n < count ? "full" : "" }));
  return piece(
    scene,
    where,
    stack,
    { class: `category ink-${card.ink}`, "data-tip": described(stack) },
    drawing("port", `category-${card.kind}`),
    h("span.called", null, card.name),
    h("span.reach", null, card.corner),
    h("span.spaces", { "data-pile": pileOf(seat, "warehouse", card.kind) }, spaces),
    h("span.pays", null, card.foot),
  );
}

/**
 * The hand of another player: how many cards, or which if the viewer may see them.
 * @param {Scene} scene
 * @param {number} seat
 */
function cards(scene, seat) {
  const [zone, where] = [zoneOf(scene, seat, "hand"), `${seat}.hand`];
  return (
    zone &&
    zoneBox(
      where,
      zone,
      { class: "held" },
      h(
        "div.backs",
        null,
        zone.stacks.map((stack) =>
          piece(
            scene,
            where,
            stack,
            { class: "held-card ink-wine", "data-tip": described(stack) },
            drawing("port", stack.card ? `card-${stack.card.kind}` : "back"),
            (!stack.card || stack.count > 1) && h("b", null, stack.count),
          ),
        ),
      ),
    )
  );
}
