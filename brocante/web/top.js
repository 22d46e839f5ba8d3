/** The bar at the top of every page, and the dialogs that it opens: settings, rules. */

import { sign } from "./art.js";
import { busy } from "./busy.js";
import { h } from "./dom.js";
import { choose, settings } from "./settings.js";
import { LANGUAGES, language, say } from "./words.js";

/**
 * @param {import("./dom.js").Child} title
 * @param {...import("./dom.js").Child} buttons
 */
export function topBar(title, ...buttons) {
  return h(
    "header.top",
    null,
    h("a.home", { href: "/", "aria-label": say("nav.home"), "data-tip": say("nav.home") }, sign("icon")),
    h("div.title", null, title),
    h("nav", { "aria-label": say("nav.label") }, ...buttons, iconButton("gear", say("nav.settings"), openSettings)),
  );
}

/**
 * A button with a sign instead of a word.
 * @param {string} picture
 * @param {string} words
 * @param {(event: Event) => void} onclick
 * @param {import("./dom.js").Props} [props]
 */
export const iconButton = (picture, words, onclick, props = {}) =>
  h("button.icon", { type: "button", "aria-label": words, "data-tip": words, onclick, ...props }, sign(picture));

/**
 * A dialog with a title and a way out. It is gone when it is closed.
 * @param {string} title
 * @param {...import("./dom.js").Child} content
 */
export function openDialog(title, ...content) {
  const heading = h("h2", null, title);
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      "dialog.sheet-of-paper",
      { "aria-label": title, onclose: () => dialog.remove() },
      h(
        "div.dialog-top",
        null,
        heading,
        iconButton("close", say("nav.close"), () => dialog.close()),
      ),
      ...content,
    )
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask before something that cannot be taken back.
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes) {
  return new Promise((resolve) => {
    const answer = (/** @type {boolean} */ is) => () => (resolve(is), dialog.close());
    const dialog = openDialog(
      question,
      h(
        "div.row",
        null,
        h("button.lead", { type: "button", onclick: answer(true) }, yes),
        h("button", { type: "button", onclick: answer(false) }, say("nav.never_mind")),
      ),
    );
    dialog.addEventListener("close", answer(false));
  });
}

function openSettings() {
  openDialog(
    say("nav.settings"),
    choice(
      say("settings.language"),
      settings.lang || language(),
      LANGUAGES.map((code) => [code, say(`settings.${code}`)]),
      (lang, label) => {
        choose({ lang });
        busy(label, async () => (await import("./router.js")).speak());
      },
    ),
    choice(
      say("settings.theme"),
      settings.theme,
      ["auto", "light", "dark"].map((theme) => [theme, say(`settings.${theme}`)]),
      (theme) => choose({ theme: /** @type {any} */ (theme) }),
    ),
    choice(
      say("settings.speed"),
      settings.speed,
      ["instant", "quick", "calm"].map((speed) => [speed, say(`settings.${speed}`)]),
      (speed) => choose({ speed: /** @type {any} */ (speed) }),
    ),
    choice(
      say("settings.sound"),
      settings.sound ? "on" : "off",
      [
        ["off", say("settings.off")],
        ["on", say("settings.on")],
      ],
      (sound) => choose({ sound: sound === "on" }),
    ),
    h("p.small", null, say("settings.keys")),
  );
}

/**
 * @param {string} title
 * @param {string} now
 * @param {string[][]} values
 * @param {(value: string, label: Element) => void} chosen
 */
function choice(title, now, values, chosen) {
  const radios = values.map(([value, words]) => {
    const onchange = () => chosen(value, label);
    const radio = h("input", { type: "radio", name: title, value, checked: value === now, onchange });
    const label = h("label", null, radio, h("span", null, words));
    return label;
  });
  return h("fieldset.choice", null, h("legend", null, title), ...radios);
}
