/** Dialogs over the page. */

import { iconButton } from "./buttons.js";
import { h } from "./dom.js";
import { findFocus } from "./focus.js";
import { say } from "./words.js";

/** @import { Child } from "./dom.js" */

/**
 * Open a dialog with a title and a button that closes it. A closed dialog is removed.
 * @param {string} title
 * @param {...Child} content
 */
export function openDialog(title, ...content) {
  const heading = h("h2", null, title);
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      "dialog.sheet-of-paper",
      { "aria-label": title, onclose: () => (dialog.remove(), findFocus()) },
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
 * Ask before something that cannot be undone.
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
