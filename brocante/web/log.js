/** What happened, in words, with pictures of what the words name; and what players say to each other. */

import { busy } from "./busy.js";
import { h } from "./dom.js";
import { say } from "./words.js";

export class Log {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    /** @type {Map<string, import("./types.js").Card>} */
    this.pictures = new Map();
    this.lines = h("ol#log", { "aria-label": say("log.label"), tabindex: "0", "data-scrolls": true });
    this.ears = /** @type {HTMLElement} */ (document.getElementById("said"));
  }

  /** @param {Record<string, import("./types.js").Card> | undefined} pictures */
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

export class Chat {
  /** @param {(text: string) => Promise<void>} send */
  constructor(send) {
    this.lines = h("ol#chat-lines", {
      "aria-label": say("chat.label"),
      tabindex: "0",
      "data-scrolls": true,
      "aria-live": "polite",
    });
    this.field = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "text",
        maxlength: "300",
        "aria-label": say("chat.field"),
        placeholder: say("chat.field"),
        autocomplete: "off",
      })
    );
    const submit = async (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      const isSaid = text && (await busy(event.submitter ?? this.field, () => send(text)));
      if (isSaid && this.field.value.trim() === text) this.field.value = ""; // what was refused can be tried again
    };
    this.form = h(
      "form.chat-form",
      { onsubmit: submit },
      this.field,
      h("button", { type: "submit" }, say("chat.send")),
    );
    this.element = h("div.chat", null, this.lines, this.form);
  }

  /**
   * @param {string} who
   * @param {string} text
   * @param {boolean} allies
   */
  said(who, text, allies) {
    this.append(h("li", null, h("b", null, allies ? say("chat.allies", { who }) : who), " ", text));
  }

  /** @param {string} text */
  noted(text) {
    this.append(h("li.noted", null, text));
  }

  /** @param {HTMLElement} line */
  append(line) {
    this.lines.append(line);
    while (this.lines.childElementCount > 300) this.lines.firstElementChild?.remove();
    this.lines.scrollTop = this.lines.scrollHeight;
  }
}
