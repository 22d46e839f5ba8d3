/** The Douro: its harbours from the sea up, the sites on its slopes, and the boats on the water. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";
import { described, piece } from "../../table/pieces.js";
import { markOf } from "../../table/players.js";
import { boardZone, centreZone } from "../../table/scene.js";
import { whose } from "./actions.js";
import { cubes } from "./estate.js";
import { pileOf } from "./flights.js";

/** @import { Stack } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/**
 * The course of the river on the two drawings, from the sea up, where on it the harbours are (the figures of map.json and
 * map-tall.json beside the drawings), and how far apart two boats lie, in points of the river.
 */
const WIDE = {
  name: "map",
  abreast: 2.3,
  landings: { gaia: 5, baixo: 23, cima: 38, superior: 50 },
  // prettier-ignore
  river: [
    [0, 239], [20, 240], [40, 240], [60, 240], [81, 239], [100, 237], [118, 234], [135, 229], [150, 222], [163, 213],
    [175, 202], [184, 190], [189, 177], [192, 163], [197, 150], [204, 136], [213, 123], [224, 112], [237, 104],
    [252, 97], [266, 93], [279, 90], [291, 89], [304, 90], [319, 92], [334, 95], [348, 100], [360, 108], [371, 118],
    [380, 130], [386, 144], [389, 159], [393, 175], [397, 191], [402, 208], [409, 222], [419, 234], [431, 244],
    [445, 250], [460, 252], [477, 251], [492, 247], [506, 240], [519, 231], [530, 220], [538, 208], [544, 195],
    [550, 182], [555, 169], [558, 156], [564, 143], [571, 130], [581, 118], [594, 106], [613, 96], [637, 87],
  ],
};
const TALL = {
  name: "map-tall",
  abreast: 2,
  landings: { gaia: 6, baixo: 19, cima: 34, superior: 49 },
  // prettier-ignore
  river: [
    [96, 628], [97, 610], [98, 593], [99, 576], [102, 560], [106, 546], [111, 533], [119, 522], [131, 512],
    [145, 504], [162, 497], [182, 492], [204, 489], [225, 484], [244, 478], [261, 470], [275, 460], [284, 447],
    [290, 431], [292, 415], [291, 399], [286, 384], [277, 370], [264, 359], [248, 350], [230, 342], [209, 336],
    [186, 331], [165, 326], [147, 319], [131, 312], [118, 302], [109, 289], [104, 274], [102, 258], [104, 242],
    [109, 226], [118, 212], [131, 201], [147, 192], [165, 184], [186, 179], [209, 175], [230, 170], [248, 163],
    [265, 154], [278, 143], [287, 129], [291, 114], [294, 98], [293, 83], [289, 68], [288, 50], [292, 27], [299, 1],
  ],
};
/** @typedef {"gaia" | "baixo" | "cima" | "superior"} Harbour */
/** @type {Harbour[]} */
const HARBOURS = ["gaia", "baixo", "cima", "superior"];
/** The room that a boat takes where the river is not drawn, in pixels. */
const [OWN_BOAT, OTHER_BOAT] = [46, 26];

/** @param {Scene} scene */
export function river(scene) {
  return h(
    "div.map",
    { "data-key": "river" },
    drawing("port", WIDE.name, { class: "wide-map" }),
    drawing("port", TALL.name, { class: "tall-map" }),
    HARBOURS.map((key) => harbour(scene, key)),
    HARBOURS.flatMap((key) => boatsAt(scene, key)),
  );
}

/**
 * A harbour with the sites of its sub-region; Gaia has the supply and the cards.
 * @param {Scene} scene
 * @param {Harbour} key
 */
function harbour(scene, key) {
  const zone = boardZone(scene, key);
  if (!zone) return null;
  const where = `board.${key}`;
  const heaps = key === "gaia" ? centreHeaps(scene) : [];
  const note = heaps.length ? heaps.map(({ words }) => words).join(", ") : zone.note;
  const card = {
    kind: "harbour",
    name: zone.title,
    sign: "",
    ink: "river",
    corner: "",
    marks: [],
    foot: "",
    does: null,
  };
  const quay = { card, count: 1, goal: 0, note, moves: zone.moves, chosen: false, why: zone.why };
  const sites = zone.stacks.filter((stack) => !isBoat(stack));
  return h(
    "section.harbour",
    { "data-key": where, "data-zone": key, "aria-label": zone.title, class: key },
    piece(
      scene,
      where,
      quay,
      { class: "quay" },
      h("span.harbour-name", null, zone.title, zone.note && h("small", null, zone.note)),
      heaps.length > 0 &&
        h(
          "span.heaps",
          null,
          heaps.map(({ heap }) => heap),
        ),
    ),
    h(
      "div.sites",
      null,
      sites.map((stack) => site(scene, where, stack)),
    ),
  );
}

/** @param {Stack} stack */
const isBoat = ({ card }) => card?.kind.startsWith("boat-") ?? false;

/**
 * A site: its quality and price, or the Estate on it with its cubes and barrels.
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 */
function site(scene, where, stack) {
  const { card, count, note } = stack;
  if (!card) return null;
  const [owner, ...planted] = card.marks;
  const seat = whose(scene.view, owner);
  const tip = { "data-tip": described(stack) };
  if (seat < 0) {
    return piece(
      scene,
      where,
      stack,
      { ...tip, class: "site free" },
      h("b", null, card.corner),
      h("span.called", null, card.sign),
      h("span.price", null, note),
    );
  }
  return piece(
    scene,
    where,
    stack,
    { ...tip, class: `site ink-${owner.ink} ${seat === scene.me ? "own" : ""}` },
    h("b", null, card.corner),
    h("span.house", null, h("i", null, owner.sign), count > 0 ? harvested(seat, card.kind) : drawing("port", "estate")),
    cubes(planted),
    count > 0 && h("span.crop", null, note),
  );
}

/**
 * A barrel, before the house.
 * @param {number} seat
 * @param {string} kind
 */
const harvested = (seat, kind) =>
  h("span.ink-wine", { "data-pile": pileOf(seat, "estates", kind) }, drawing("port", "barrel"));

/**
 * The deck, the used cards and the supply, each with its words.
 * @param {Scene} scene
 */
function centreHeaps(scene) {
  /** @type {[string, string | null][]} */
  const drawn = [
    ["deck", "back"],
    ["used", null],
    ["supply", "barrel"],
  ];
  return drawn.flatMap(([key, name]) => {
    const zone = centreZone(scene, key);
    return (zone?.stacks ?? []).map((stack) => {
      const words = `${zone?.title}: ${stack.count}`;
      const heap = piece(
        scene,
        `centre.${key}`,
        stack,
        { class: `heap ink-wine ${key}`, "aria-label": words },
        name ? drawing("port", name) : h("span.laid"),
        h("span", null, zone?.title, " ", h("b", null, stack.count)),
      );
      return { heap, words };
    });
  });
}

/**
 * The boats in a harbour lie one behind the other, each player's always in the same place; where the river is not drawn, the
 * viewer's comes first.
 * @param {Scene} scene
 * @param {Harbour} key
 */
function boatsAt(scene, key) {
  const boats = (boardZone(scene, key)?.stacks ?? []).filter(isBoat);
  const strangers = boats.filter((stack) => seatOf(stack) !== scene.me);
  const room = strangers.length < boats.length ? OWN_BOAT : 0;
  return boats.map((stack) => {
    const n = strangers.indexOf(stack);
    return boat(scene, key, stack, n < 0 ? 0 : room + n * OTHER_BOAT);
  });
}

/** @param {Stack} stack of a boat */
const seatOf = ({ card }) => Number(card?.kind.split("-")[1]);

/**
 * @param {Scene} scene
 * @param {Harbour} key
 * @param {Stack} stack
 * @param {number} aside pixels to the next boat where the river is not drawn
 */
function boat(scene, key, stack, aside) {
  const seat = seatOf(stack);
  const mark = markOf(scene.view, seat);
  const inRow = seat - (scene.view.table.places.length - 1) / 2;
  const [[x, y], [tallX, tallY]] = [WIDE, TALL].map(({ river, landings, abreast }) =>
    pointOn(river, landings[key] + inRow * abreast),
  );
  return piece(
    scene,
    `board.${key}`,
    stack,
    {
      class: `boat ink-${mark.ink} ${seat === scene.me ? "own" : ""}`,
      "data-key": `boat-${seat}`,
      "data-fly": `boat-${seat}`,
      "data-tip": stack.card?.name,
      style: { "--harbour": key, "--aside": aside, "--x": x, "--y": y, "--tall-x": tallX, "--tall-y": tallY },
    },
    drawing("port", "boat"),
    h("i", null, mark.sign),
  );
}

/**
 * @param {number[][]} line
 * @param {number} at also between two points
 */
function pointOn(line, at) {
  const from = Math.floor(at);
  const [[x, y], [nextX, nextY]] = [line[from], line[from + 1]];
  return [x + (nextX - x) * (at - from), y + (nextY - y) * (at - from)];
}
