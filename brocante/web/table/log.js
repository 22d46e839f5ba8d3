/** What happened, in words, with pictures of what the words name; and what players say to each other. */

import { h } from "../base/dom.js";
import { say } from "../base/words.js";

/** @import { Card } from "../base/wire.js" */

export class Log {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    /** @type {Map<string, Card>} */
    this.pictures = new Map();
    this.lines = h("ol#log", { "aria-label": say("log.label"), tabindex: "0", "data-scrolls": true });
    this.ears = /** @type {HTMLElement} */ (document.getElementById("said"));
  }

  /** @param {Record<string, Card> | undefined} pictures */
  learn(pictures) {
    for (const [phrase, card] of Object.entries(pictures ?? {})) this.pictures.set(phrase, card);
  }

  /**
   * Everything that may be read of the game so far.
   * @param {string[]} lines
   */
  begin(lines) {
    this.lines.replaceChildren(...lines.map((line) => h("li", null, this.illustrated(line))));
    this.scroll();
  }

  /**
   * Something happened: it is read out too.
   * @param {string[]} lines
   */
  add(lines) {
    for (const line of lines) this.lines.append(h("li", null, this.illustrated(line)));
    this.read(lines);
    this.scroll();
  }

  /** @param {string[]} lines */
  read(lines) {
    for (const line of lines) this.ears.append(h("p", null, line));
    while (this.ears.childElementCount > 12) this.ears.firstElementChild?.remove();
  }

  scroll() {
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /**
   * A line, with every phrase that names a card made to show it.
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
