/** The pieces that a drawing is made of: cards, piles and zones, with the moves that lie on them. */

import { drawing, isDrawn } from "../base/art.js";
import { h } from "../base/dom.js";
import { say } from "../base/words.js";
import { labels } from "./scene.js";

/** @import { Child, Props } from "../base/dom.js" */
/** @import { Card, Stack, Zone } from "../base/wire.js" */
/** @import { Scene } from "./scene.js" */

/**
 * How a game draws its cards, if not as a plain face.
 * @type {Map<string, (card: Card) => HTMLElement | null>}
 */
const faces = new Map();

/**
 * @param {string} game
 * @param {((card: Card) => HTMLElement | null) | undefined} draw
 */
export const drawFacesBy = (game, draw) => draw && faces.set(game, draw);

/**
 * A stack in words, for screen readers and tips.
 * @param {Stack} stack
 */
export function described({ card, count, goal, note }) {
  const name = card ? card.name : count ? say("piece.face_down") : say("piece.nothing");
  const parts = [count > 1 && !goal ? say("piece.times", { name, n: count }) : name];
  if (goal) parts.push(say("piece.of", { n: count, goal }));
  if (card) parts.push(card.corner, ...card.marks.map((mark) => mark.name), card.foot, card.does ?? "");
  return [...parts, note ?? ""].filter(Boolean).join(", ");
}

/**
 * A stack of cards, or anything else on the table: a button if clicking it makes a move or can explain why not, otherwise an
 * image. Both are the same element, which only changes its role: when everybody may touch their cards, none is made anew.
 * `where` names the pile, for animations: "2.hand", "centre.pack", "board.gaia".
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 * @param {Props} props
 * @param {...Child} content
 */
export function piece(scene, where, stack, props, ...content) {
  const kind = stack.card?.kind ?? "?";
  const words = props["aria-label"] ?? described(stack);
  /** @type {Props} */
  const own = {
    "data-key": `${where}/${kind}`,
    "data-pile": where,
    "data-kind": kind,
    "data-card": shown(scene.view.game, stack),
    ...props,
  };
  if (stack.chosen) own.class = `${own.class ?? ""} chosen`;
  if (!stack.moves.length && !stack.why) {
    return hideContent(h("span.piece", { ...own, role: "img", "aria-label": words }, ...content));
  }
  const says = labels(scene, stack.moves).join(" · ");
  const touch = {
    role: "button",
    tabindex: 0,
    "data-moves": JSON.stringify(stack.moves),
    "data-says": says,
    "data-why": stack.why ?? "",
    "aria-disabled": stack.moves.length ? "false" : "true",
    "aria-pressed": stack.chosen ? "true" : null,
    "aria-label": null,
  };
  const button = hideContent(h("span.piece", { ...own, ...touch }, ...content));
  const label = [words, says || stack.why].filter(Boolean).join(" – ");
  // a label must match what is written; where nothing is, it can be an attribute, and no card is laid out anew for it
  if (button.textContent) button.append(h("span.for-ears", null, label));
  else button.setAttribute("aria-label", label);
  return button;
}

/**
 * What the big view shows of a stack, if there is anything to see.
 * @param {string} game
 * @param {Stack} stack
 */
const shown = (game, { card }) =>
  card && (card.sign || isDrawn(game, card.kind) || faces.get(game)?.(card)) ? JSON.stringify(card) : null;

/**
 * Hide the inside of a piece from screen readers, since its label says it all; but not other pieces that lie on it.
 * @param {HTMLElement} element
 */
function hideContent(element) {
  for (const child of element.children) {
    if (!child.matches(".piece") && !child.querySelector(".piece")) child.setAttribute("aria-hidden", "true");
  }
  return element;
}

/**
 * The face of a card.
 * @param {string} game
 * @param {Card | null} card null: face down
 */
export function face(game, card) {
  if (!card) return h("span.face.back", null, isDrawn(game, "back") && drawing(game, "back"));
  const own = faces.get(game)?.(card);
  if (own) return own;
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
 * A stack as a card, or as a pile with some thickness.
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 * @param {Props} [props]
 */
export function cardPiece(scene, where, stack, props = {}) {
  const layers = Math.min(4, Math.max(0, stack.count - 1));
  return piece(
    scene,
    where,
    stack,
    { ...props, class: `card ${props.class ?? ""}`, style: { "--layers": layers, ...props.style } },
    stack.count || stack.card ? face(scene.view.game, stack.card) : h("span.face.nothing"),
    stack.count > 1 && h("span.count", { "aria-hidden": "true" }, `×${stack.count}`),
    stack.note && h("span.note", { "aria-hidden": "true" }, stack.note),
  );
}

/**
 * A zone of the table with its title.
 * @param {string} where
 * @param {Zone} zone
 * @param {Props} props
 * @param {...Child} content
 */
export function zoneBox(where, zone, props, ...content) {
  return h(
    "section.zone",
    { "data-key": where, "data-pile": where, "data-zone": zone.key, "aria-label": zone.title, ...props },
    h("h3.zone-title", null, zone.title, " ", zone.note && h("small", null, zone.note)),
    ...content,
  );
}
