/** The chat: what players say, in their own words or with a reaction, and notes on what they do besides their moves. */

import { iconButton } from "../base/buttons.js";
import { h } from "../base/dom.js";
import { visible } from "../base/focus.js";
import { placeBeside } from "../base/placement.js";
import { busy } from "../base/progress.js";
import { choose, settings } from "../base/settings.js";
import { say } from "../base/words.js";

/** What can be said with one touch (docs/api.md, commands). */
const REACTIONS = ["hello", "well_played", "ouch", "thinking", "hurry", "thanks", "sorry", "good_game"];
/** Milliseconds for which a reaction stands at a player's name. */
const LASTS = 4000;
/** How many lines are kept, and how many muted players, of all tables. */
const [LINES, MUTED] = [300, 50];

/**
 * What somebody says.
 * @typedef {{ who: string, seat: number | null, text: string, reaction: string, allies: boolean }} Said
 */

export class Chat {
  isFolded = false;
  hasChosen = false; // the reader has folded or unfolded it

  /**
   * @param {string} table
   * @param {(said: { text: string } | { reaction: string }) => Promise<void>} send
   */
  constructor(table, send) {
    this.table = table;
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
      const isSaid = text && (await busy(event.submitter ?? this.field, () => send({ text })));
      if (isSaid && this.field.value.trim() === text) this.field.value = ""; // refused text stays, to try again
    };
    const react = async (/** @type {Event} */ event, /** @type {string} */ reaction) => {
      const isSaid = await busy(/** @type {Element} */ (event.currentTarget), () => send({ reaction }));
      if (isSaid) this.showReactions(false);
    };
    this.reactions = h(
      "div.reactions",
      { id: "reactions", role: "group", "aria-label": say("chat.reactions"), hidden: true },
      REACTIONS.map((reaction) =>
        h(
          "button",
          {
            type: "button",
            "data-reaction": reaction,
            onclick: (/** @type {Event} */ event) => react(event, reaction),
          },
          say(`reaction.${reaction}`),
        ),
      ),
    );
    this.opener = iconButton("react", say("chat.reactions"), () => this.showReactions(Boolean(this.reactions.hidden)), {
      "aria-expanded": "false",
      "aria-controls": "reactions",
    });
    this.form = h(
      "form.chat-form",
      { onsubmit: submit },
      this.field,
      this.opener,
      h("button", { type: "submit" }, say("chat.send")),
    );
    this.watching = h("p.small", { hidden: true }, say("chat.watching"));
    this.muted = h("ul.muted");
    this.folder = h(
      "button.fold",
      { type: "button", "aria-expanded": "true", "aria-controls": "chat", onclick: () => this.toggle() },
      say("chat.label"),
    );
    this.body = h("div.chat#chat", null, this.lines, this.muted, this.reactions, this.form, this.watching);
    this.parts = [h("h2.side-title.talk", null, this.folder), this.body];
    this.showMuted();
  }

  /** @param {boolean} isOpen */
  showReactions(isOpen) {
    this.reactions.hidden = !isOpen;
    this.opener.setAttribute("aria-expanded", String(isOpen));
  }

  /**
   * Somebody who plays with bots has nobody to talk to; somebody who watches may only listen.
   * @param {{ isAlone: boolean, isWatching: boolean }} how
   */
  suit({ isAlone, isWatching }) {
    this.form.hidden = isWatching;
    this.watching.hidden = !isWatching;
    if (isWatching) this.showReactions(false);
    if (!this.hasChosen) this.fold(isAlone && !isWatching);
  }

  toggle() {
    this.hasChosen = true;
    this.fold(!this.isFolded);
  }

  /** @param {boolean} isFolded */
  fold(isFolded) {
    if (this.isFolded === isFolded) return;
    this.isFolded = this.body.hidden = isFolded;
    this.folder.setAttribute("aria-expanded", String(!isFolded));
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /**
   * @param {Said} said
   * @param {{ isNow: boolean, isOwn: boolean }} how whether it was said just now, and by the reader
   */
  say({ who, seat, text, reaction, allies }, { isNow, isOwn }) {
    const words = reaction ? say(`reaction.${reaction}`) : text;
    const mute = iconButton("mute", say("chat.mute", { who }), () => this.mute(who, true), { class: "mute" });
    const line = h(
      "li",
      { "data-who": who, hidden: this.isMuted(who) },
      h("b", null, allies ? say("chat.allies", { who }) : who),
      " ",
      h("span", null, words),
      !isOwn && mute,
    );
    this.append(line);
    if (!isNow || this.isMuted(who)) return;
    if (!isOwn) document.body.classList.add("fresh-talk");
    if (reaction && seat !== null) bubble(seat, words);
  }

  /** @param {string} text */
  note(text) {
    this.append(h("li.noted", null, text));
  }

  /** @param {HTMLElement} line */
  append(line) {
    this.lines.append(line);
    while (this.lines.childElementCount > LINES) this.lines.firstElementChild?.remove();
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** @param {string} who */
  isMuted(who) {
    return settings.muted.includes(`${this.table}/${who}`);
  }

  /**
   * Hear nothing more from a player at this table, or hear them again.
   * @param {string} who
   * @param {boolean} isMuted
   */
  mute(who, isMuted) {
    const name = `${this.table}/${who}`;
    const others = settings.muted.filter((muted) => muted !== name);
    choose({ muted: isMuted ? [...others, name].slice(-MUTED) : others });
    for (const line of this.lines.querySelectorAll("li[data-who]")) {
      if (line instanceof HTMLElement) line.hidden = this.isMuted(line.dataset.who ?? "");
    }
    this.showMuted();
    if (isMuted) this.muted.querySelector("button")?.focus();
    else this.field.focus();
  }

  showMuted() {
    const here = settings.muted.filter((name) => name.startsWith(`${this.table}/`));
    const names = here.map((name) => name.slice(this.table.length + 1));
    this.muted.replaceChildren(
      ...names.map((who) =>
        h(
          "li.small",
          null,
          say("chat.muted", { who }),
          " ",
          h("button.quiet", { type: "button", onclick: () => this.mute(who, false) }, say("chat.unmute")),
        ),
      ),
    );
  }
}

/**
 * Words at the name of a player, for a moment. The chat reads them out.
 * @param {number} seat
 * @param {string} words
 */
function bubble(seat, words) {
  const plate = `.nameplate[data-seat="${seat}"]`;
  const [name] = visible(`${plate} .player-name, ${plate}:not(:has(.player-name))`);
  if (!name) return;
  const shown = h("p.bubble", { "aria-hidden": "true" }, words);
  document.body.append(shown);
  placeBeside(name, shown, "below");
  setTimeout(() => shown.remove(), LASTS);
}
