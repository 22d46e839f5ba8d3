/** The strip: the last thing that happened, in words and with pictures, until something else happens. */

import { isDrawn, sign } from "../base/art.js";
import { h } from "../base/dom.js";
import { say } from "../base/words.js";
import { face } from "./pieces.js";

/** @import { Child } from "../base/dom.js" */
/** @import { Card, Event as TableEvent } from "../base/wire.js" */
/** @import { Log } from "./log.js" */

/** The most cards that are pictured. */
const PICTURES = 3;

export class Strip {
  /** @type {string[]} of the last turn */
  lines = [];
  /** @type {number | null} whose turn that was */
  mover = null;

  /** @param {Log} log which knows the cards that lines name */
  constructor(log) {
    this.log = log;
    this.element = h("section#strip", { "aria-label": say("strip.label") });
  }

  /**
   * Tell what has happened. What the same player goes on to do is added.
   * @param {TableEvent[]} events of one message, so that they happened together
   */
  tell(events) {
    let isFirst = true;
    for (const { event, seat = null, said = [] } of events) {
      if (!said.length) continue;
      const mover = event === "moved" ? seat : null;
      if (isFirst && (mover === null || mover !== this.mover)) this.lines = [];
      this.lines = [...this.lines, ...said];
      this.mover = mover;
      isFirst = false;
    }
  }

  /**
   * @param {string} subject of the lines
   * @param {() => void} onclick
   * @param {...Child} buttons
   */
  drawn(subject, onclick, ...buttons) {
    return h(
      "div.strip",
      { "data-key": "happened" },
      h("button.happened", { type: "button", onclick }, ...happened(this.log, this.lines, subject)),
      ...buttons,
    );
  }
}

/**
 * What happened in a turn: pictures of the cards, and words. The log reads the words out; the strip is no live region.
 * @param {Log} log
 * @param {string[]} lines
 * @param {string} subject of the lines
 */
export function happened(log, lines, subject) {
  const cards = lines.flatMap((line) => log.parts(line).flatMap(({ card }) => (card ? [card] : [])));
  const unlike = [...new Map(cards.map((card) => [card.name, card])).values()];
  return [
    unlike.length > 0 &&
      h(
        "span.stamps",
        { "aria-hidden": "true" },
        unlike.slice(0, PICTURES).map((card) => stamp(log.game, card)),
      ),
    h("span.words", null, inOneLine(lines, subject)),
  ];
}

/**
 * A card in the size of a stamp: its drawing, or what is printed in its corner. The whole card is a tip.
 * @param {string} game
 * @param {Card} card
 */
function stamp(game, card) {
  const printed = [card.corner, card.sign].filter(Boolean);
  const picture =
    printed.length && !isDrawn(game, card.kind) ? h("b", null, printed) : face(game, card).querySelector(".art");
  const about = { class: `ink-${card.ink}`, "data-card": JSON.stringify(card), "data-game": game };
  return picture && h("span.stamp", about, picture);
}

/**
 * Lines of one turn as one, in which their subject stands once: "Ana places a cup · draws 2 cards."
 * @param {string[]} lines
 * @param {string} subject the player's name, or how they are spoken to
 */
export function inOneLine(lines, subject) {
  const shortened = lines.map((line, n) =>
    subject && [line, lines[n - 1]].every((told) => told?.startsWith(`${subject} `))
      ? line.slice(subject.length + 1)
      : line,
  );
  return shortened.map((line, n) => (n < lines.length - 1 ? line.replace(/\.$/, "") : line)).join(" · ");
}

/**
 * A button of the strip: a sign, and words where there is room for them.
 * @param {string} key what it does
 * @param {string} picture
 * @param {string} words
 * @param {(event: Event) => void} onclick
 * @param {Record<string, any>} [props]
 */
export const stripButton = (key, picture, words, onclick, props = {}) =>
  h(
    "button.of-strip",
    { type: "button", "data-key": key, "data-do": key, "aria-label": words, "data-tip": words, onclick, ...props },
    sign(picture),
    h("span.in-words", { "aria-hidden": "true" }, words),
  );
