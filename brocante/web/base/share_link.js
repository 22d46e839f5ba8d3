/** A link to share: a field that shows it, and a button that copies it. */

import { labelledButton } from "./buttons.js";
import { h } from "./dom.js";
import { say } from "./words.js";

/**
 * @param {string} link
 * @param {string} label
 */
export function shareLink(link, label) {
  const status = h("span.small", { role: "status" });
  const field = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", readonly: true, value: link, "aria-label": label, onfocus: () => field.select() })
  );
  const copy = async () => {
    status.textContent = (await copyText(field)) ? say("copying.done") : say("copying.by_hand");
  };
  return h("p.row.link", { "data-key": link }, field, labelledButton("link", say("copying.copy"), copy), status);
}

/**
 * Copy the text of a field. Pages without HTTPS, as in a home network, have only the old way to do so.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>} whether it was copied
 */
async function copyText(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
