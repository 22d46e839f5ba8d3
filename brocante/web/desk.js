/** What a game's drawing is given: the view, who looks at it, and how to make what can be touched. */

import { drawing, isDrawn } from "./art.js";
import { h } from "./dom.js";
import { nameplate } from "./players.js";
import { say } from "./words.js";

/**
 * @typedef {object} Desk
 * @property {import("./types.js").View} view
 * @property {import("./types.js").TableInfo} info
 * @property {import("./types.js").Now} now
 * @property {number} me the seat from which one looks; NOBODY (−2) for those who watch
 */

/**
 * @param {import("./types.js").View} view
 * @param {import("./types.js").TableInfo} info
 * @param {import("./types.js").Now} now
 * @returns {Desk}
 */
export const deskFor = (view, info, now) => ({ view, info, now, me: view.viewer });

/**
 * The desk where there is no live table: in a replay, in a lesson.
 * @param {import("./types.js").View} view
 * @param {string[]} names
 * @param {number[]} asked
 * @returns {Desk}
 */
export function deskWith(view, names, asked) {
  const seats = names.map((name) => ({ kind: "person", name, bot: "", away: false, resigned: false, nonce: "" }));
  return deskFor(view, /** @type {any} */ ({ phase: "playing", seats, clock: {}, paused: false }), { asked });
}

/**
 * A view while something is seen that lasts for a moment only.
 * @param {import("./types.js").View} view
 * @param {import("./types.js").Moment | undefined} moment
 * @returns {import("./types.js").View}
 */
export const during = (view, moment) =>
  moment ? { ...view, table: moment.table, prompt: moment.text, offers: [] } : view;

/**
 * The same view while nothing can be done: nothing glows, nothing is explained.
 * @param {import("./types.js").View} view
 * @returns {import("./types.js").View}
 */
export function atRest(view) {
  const still = (/** @type {import("./types.js").Zone} */ zone) => ({
    ...zone,
    moves: [],
    why: null,
    stacks: zone.stacks.map((stack) => ({ ...stack, moves: [], why: null })),
  });
  const { centre, board, places } = view.table;
  const zones = { centre: centre.map(still), board: board.map(still) };
  const laid = places.map((place) => ({ ...place, zones: place.zones.map(still) }));
  return { ...view, offers: [], table: { ...view.table, ...zones, places: laid } };
}

/** @param {import("./types.js").Move} move */
export const spelled = (move) => JSON.stringify(move);

/**
 * The offers of moves, as buttons would call them.
 * @param {Desk} desk
 * @param {import("./types.js").Move[]} moves
 */
export function labels({ view }, moves) {
  const wanted = new Set(moves.map(spelled));
  return view.offers.filter((offer) => wanted.has(spelled(offer.move))).map((offer) => offer.label);
}

/**
 * The seats in turn order as one sits at the table: the one after you first, you last. Those who watch see all from the
 * first seat on.
 * @param {Desk} desk
 */
export function others({ view, me }) {
  const seats = view.table.places.map(({ seat }) => seat);
  return me < 0 ? seats : [...seats.slice(me + 1), ...seats.slice(0, me)];
}

/**
 * @param {Desk} desk
 * @param {number} seat
 * @param {string} key
 */
export const zoneOf = (desk, seat, key) => desk.view.table.places[seat]?.zones.find((zone) => zone.key === key);

/**
 * @param {Desk} desk
 * @param {string} key
 */
export const centreZone = (desk, key) => desk.view.table.centre.find((zone) => zone.key === key);

/**
 * @param {Desk} desk
 * @param {string} key
 */
export const boardZone = (desk, key) => desk.view.table.board.find((zone) => zone.key === key);

/**
 * A stack in words: for those who do not see it, and for hints.
 * @param {import("./types.js").Stack} stack
 */
export function described({ card, count, goal, note }) {
  const name = card ? card.name : count ? say("piece.face_down") : say("piece.nothing");
  const parts = [count > 1 && !goal ? say("piece.times", { name, n: count }) : name];
  if (goal) parts.push(say("piece.of", { n: count, goal }));
  if (card) parts.push(card.corner, ...card.marks.map((mark) => mark.name), card.foot, card.does ?? "");
  return [...parts, note ?? ""].filter(Boolean).join(", ");
}

/**
 * A stack of cards (or anything else that lies on the table) as an element: a button where touching it does something
 * or could, a picture otherwise. `where` names the pile, for what moves: "2.hand", "centre.pack", "board.gaia".
 * @param {Desk} desk
 * @param {string} where
 * @param {import("./types.js").Stack} stack
 * @param {import("./dom.js").Props} props
 * @param {...import("./dom.js").Child} content
 */
export function piece(desk, where, stack, props, ...content) {
  const kind = stack.card?.kind ?? "?";
  const words = props["aria-label"] ?? described(stack);
  /** @type {import("./dom.js").Props} */
  const own = { "data-key": `${where}/${kind}`, "data-pile": where, "data-kind": kind, ...props };
  if (stack.chosen) own.class = `${own.class ?? ""} chosen`;
  if (!stack.moves.length && !stack.why) {
    return silent(h("span.piece", { ...own, role: "img", "aria-label": words }, ...content));
  }
  const says = labels(desk, stack.moves).join(" · ");
  const touch = {
    type: "button",
    "data-moves": JSON.stringify(stack.moves),
    "data-says": says,
    "data-why": stack.why ?? "",
    "aria-disabled": stack.moves.length ? "false" : "true",
    "aria-pressed": stack.chosen ? "true" : null,
    "aria-label": null,
  };
  const label = h("span.for-ears", null, [words, says || stack.why].filter(Boolean).join(" – "));
  const button = silent(h("button.piece", { ...own, ...touch }, ...content));
  button.prepend(label); // a text, not an attribute: it may then say it otherwise than what is printed
  return button;
}

/**
 * What is inside a piece is said by its label already; other pieces that lie on it speak for themselves.
 * @param {HTMLElement} element
 */
function silent(element) {
  for (const child of element.children) {
    if (!child.matches(".piece") && !child.querySelector(".piece")) child.setAttribute("aria-hidden", "true");
  }
  return element;
}

/**
 * The face of a card: its value, its drawing or sign, its name, its further signs.
 * @param {string} game
 * @param {import("./types.js").Card | null} card null: face down
 */
export function face(game, card) {
  if (!card) return h("span.face.back", null, isDrawn(game, "back") && drawing(game, "back"));
  const picture = isDrawn(game, card.kind) ? drawing(game, card.kind) : h("span.big-sign", null, card.sign);
  return h(
    "span.face",
    { class: `ink-${card.ink}` },
    card.corner && h("span.corner", null, card.corner),
    picture,
    card.marks.length > 0 &&
      h(
        "span.marks",
        null,
        card.marks.map((mark) => h("span", { class: `ink-${mark.ink}` }, mark.sign)),
      ),
    h("span.name", null, card.name),
    card.foot && h("span.foot", null, card.foot),
  );
}

/**
 * A stack as a card, or a pile of them that shows its thickness.
 * @param {Desk} desk
 * @param {string} where
 * @param {import("./types.js").Stack} stack
 * @param {import("./dom.js").Props} [props]
 */
export function cardPiece(desk, where, stack, props = {}) {
  const layers = Math.min(4, Math.max(0, stack.count - 1));
  return piece(
    desk,
    where,
    stack,
    { ...props, class: `card ${props.class ?? ""}`, style: { "--layers": layers, ...props.style } },
    stack.count || stack.card ? face(desk.view.game, stack.card) : h("span.face.nothing"),
    stack.count > 1 && h("span.count", { "aria-hidden": "true" }, `×${stack.count}`),
    stack.note && h("span.note", { "aria-hidden": "true" }, stack.note),
  );
}

/**
 * A part of the table with its title.
 * @param {string} where
 * @param {import("./types.js").Zone} zone
 * @param {import("./dom.js").Props} props
 * @param {...import("./dom.js").Child} content
 */
export function zoneBox(where, zone, props, ...content) {
  return h(
    "section.zone",
    { "data-key": where, "data-pile": where, "data-zone": zone.key, "aria-label": zone.title, ...props },
    h("h3.zone-title", null, zone.title, " ", zone.note && h("small", null, zone.note)),
    ...content,
  );
}

export { nameplate };
