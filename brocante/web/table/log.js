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
  hasSaidWhy = false; // why lines lose details

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
    this.hasSaidWhy = false;
    this.lines.replaceChildren();
    this.add(lines.slice(0, old));
    this.add(lines.slice(old), later, lines.length ? "somebody" : null);
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
    later.forEach((line, n) => line !== said[n] && mark(items[n], "will"));
    this.showNewest();
  }

  /** Scroll to the newest line, once the page has been laid out with it. */
  showNewest() {
    requestAnimationFrame(() => (this.lines.scrollTop = this.lines.scrollHeight));
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
    const old = this.entries.slice(0, count);
    for (const { items, said, later } of old) {
      this.rewrite(items, later);
      later.forEach((line, n) => line !== said[n] && mark(items[n], "has"));
    }
    if (!this.hasSaidWhy && old.some(({ said, later }) => later.some((line, n) => line !== said[n]))) this.sayWhy();
  }

  /** Say why lines lose details: once a game, when the first ones do. */
  sayWhy() {
    this.hasSaidWhy = true;
    this.lines.append(h("li.noted", null, say("log.why")));
    this.showNewest();
  }

  /** Tell everything in full again: the game is over. */
  unfade() {
    for (const { items, said } of this.entries) {
      this.rewrite(items, said);
      for (const item of items) mark(item, null);
    }
    this.lines.querySelector(".noted")?.remove();
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
    return this.parts(line).map(({ text, card }) =>
      card
        ? h("span.named", { "data-card": JSON.stringify(card), "data-game": this.game, tabindex: "-1" }, text)
        : text,
    );
  }

  /**
   * Arrows go from card to card: the log is one stop for the keyboard, however much has happened.
   * @param {KeyboardEvent} event
   */
  walkCards(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    const cards = /** @type {HTMLElement[]} */ ([...this.lines.querySelectorAll(".named")]);
    const at = cards.indexOf(/** @type {HTMLElement} */ (event.target));
    cards.at(at < 0 ? -1 : Math.max(0, Math.min(at + way, cards.length - 1)))?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * A line cut into phrases that name a card, and what stands between them.
   * @param {string} line
   * @returns {{ text: string, card?: Card }[]}
   */
  parts(line) {
    const phrases = [...this.pictures.keys()]
      .filter((phrase) => line.includes(phrase))
      .sort((a, b) => b.length - a.length);
    if (!phrases.length) return [{ text: line }];
    const pattern = new RegExp(`(${phrases.map(escaped).join("|")})`);
    return line.split(pattern).map((text) => ({ text, card: this.pictures.get(text) }));
  }
}

/**
 * Mark a line that will lose details, or has.
 * @param {HTMLElement} item
 * @param {"will" | "has" | null} fades
 */
function mark(item, fades) {
  if (!fades) for (const name of ["data-fades", "data-tip"]) item.removeAttribute(name);
  else {
    item.dataset.fades = fades;
    item.dataset.tip = say(fades === "will" ? "log.will_fade" : "log.has_faded");
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
