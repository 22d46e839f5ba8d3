/** The chat, with notes on what players do besides their moves. */

import { h } from "../base/dom.js";
import { busy } from "../base/progress.js";
import { say } from "../base/words.js";

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
      if (isSaid && this.field.value.trim() === text) this.field.value = ""; // refused text stays, to try again
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
  say(who, text, allies) {
    this.append(h("li", null, h("b", null, allies ? say("chat.allies", { who }) : who), " ", text));
  }

  /** @param {string} text */
  note(text) {
    this.append(h("li.noted", null, text));
  }

  /** @param {HTMLElement} line */
  append(line) {
    this.lines.append(line);
    while (this.lines.childElementCount > 300) this.lines.firstElementChild?.remove();
    this.lines.scrollTop = this.lines.scrollHeight;
  }
}
