/** The log: what happened in the game, in words, with pictures of the cards that the words name. */

import { h } from "../base/dom.js";
import { say } from "../base/words.js";

/** @import { Card } from "../base/wire.js" */

/** How many lines screen readers can still go back to. */
const READ_OUT = 12;

/**
 * Who made the move that lines tell of: a seat, somebody, or nobody where it was no move.
 * @typedef {number | "somebody" | null} Mover
 */

/**
 * The lines of an event. `later` are the same lines when they are no longer news, where they differ.
 * @typedef {{ mover: Mover, said: string[], later: string[], items: HTMLElement[] }} Entry
 */

export class Log {
  /** @type {Entry[]} */
  entries = [];

  /** @param {string} game */
  constructor(game) {
    this.game = game;
    /** @type {Map<string, Card>} */
    this.pictures = new Map();
    this.lines = h("ol#log", { "aria-label": say("log.label"), tabindex: "0", "data-scrolls": true });
    this.region = /** @type {HTMLElement} */ (document.getElementById("said"));
  }

  /** @param {Record<string, Card> | undefined} pictures the cards that lines name, by the phrases that name them */
  addPictures(pictures) {
    for (const [phrase, card] of Object.entries(pictures ?? {})) this.pictures.set(phrase, card);
  }

  /**
   * Start with what may be read of the game so far.
   * @param {string[]} lines
   * @param {string[]} [later] the last of them as they read when they are no longer news
   */
  begin(lines, later = []) {
    const old = lines.length - later.length;
    this.entries = [];
    this.lines.replaceChildren();
    this.add(lines.slice(0, old));
    this.add(lines.slice(old), later, "somebody");
  }

  /**
   * Add what has happened.
   * @param {string[]} said
   * @param {string[]} [later]
   * @param {Mover} [mover]
   */
  add(said, later = [], mover = null) {
    const items = said.map((line) => h("li", null, this.illustrated(line)));
    this.entries.push({ mover, said, later, items });
    this.lines.append(...items);
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /**
   * Have lines read out by screen readers.
   * @param {string[]} lines
   */
  announce(lines) {
    for (const line of lines) this.region.append(h("p", null, line));
    while (this.region.childElementCount > READ_OUT) this.region.firstElementChild?.remove();
  }

  /**
   * Keep of what is no longer news only what a player would remember.
   * @param {number} seat
   */
  fade(seat) {
    const count = countOld(
      this.entries.map(({ mover }) => mover),
      seat,
    );
    for (const { items, later } of this.entries.slice(0, count)) this.rewrite(items, later);
  }

  /** Tell everything in full again: the game is over. */
  unfade() {
    for (const { items, said } of this.entries) this.rewrite(items, said);
  }

  /**
   * @param {HTMLElement[]} items
   * @param {string[]} lines
   */
  rewrite(items, lines) {
    lines.forEach((line, n) => {
      if (items[n].textContent !== line) items[n].replaceChildren(...this.illustrated(line));
    });
  }

  /**
   * Remove the last moves, which were taken back.
   * @param {number} moves
   */
  undo(moves) {
    const made = this.entries.flatMap(({ mover }, n) => (typeof mover === "number" ? [n] : []));
    const first = made[Math.max(0, made.length - moves)] ?? this.entries.length;
    for (const { items } of this.entries.splice(first)) items.forEach((item) => item.remove());
  }

  /**
   * A line in which every phrase that names a card shows it.
   * @param {string} line
   * @returns {(string | HTMLElement)[]}
   */
  illustrated(line) {
    const phrases = [...this.pictures.keys()]
      .filter((phrase) => line.includes(phrase))
      .sort((a, b) => b.length - a.length);
    if (!phrases.length) return [line];
    const pattern = new RegExp(`(${phrases.map(escaped).join("|")})`);
    return line.split(pattern).map((part) => {
      const card = this.pictures.get(part);
      return card
        ? h("span.named", { "data-card": JSON.stringify(card), "data-game": this.game, tabindex: "0" }, part)
        : part;
    });
  }
}

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * How many entries are no longer news to a player: those up to the end of their last turn before this one. The turn that
 * they have just made, or are making, does not count (`Game.is_news` in the engine).
 * @param {Mover[]} movers of all entries
 * @param {number} seat
 */
export function countOld(movers, seat) {
  let othersMoved = false;
  for (let n = movers.length; n > 0; n--) {
    const mover = movers[n - 1];
    if (mover === null) continue;
    if (mover !== seat) othersMoved = true;
    else if (othersMoved) return n;
  }
  return 0;
}
