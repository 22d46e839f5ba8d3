/** A link for somebody else: to be read, and to be copied. */

import { labelledButton } from "./buttons.js";
import { h } from "./dom.js";
import { say } from "./words.js";

/**
 * A field with the link, and a button that copies it.
 * @param {string} link
 * @param {string} label
 */
export function linkToCopy(link, label) {
  const said = h("span.small", { role: "status" });
  const field = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", readonly: true, value: link, "aria-label": label, onfocus: () => field.select() })
  );
  const copy = async () => {
    said.textContent = (await copied(field)) ? say("copying.done") : say("copying.by_hand");
  };
  return h("p.row.link", { "data-key": link }, field, labelledButton("link", say("copying.copy"), copy), said);
}

/**
 * Whether the text of a field was copied. Where a page is not encrypted, as in one's own network, there is no clipboard
 * but the old one.
 * @param {HTMLInputElement} field
 */
async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
