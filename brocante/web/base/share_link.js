/** A link to share: a field that shows it, a button that copies it and, where the system has a share sheet, one for that. */

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
    h("input", { type: "text", readonly: true, value: link, onfocus: () => field.select() })
  );
  const copy = async () => {
    status.textContent = (await copyText(field)) ? say("copying.done") : say("copying.by_hand");
  };
  return h(
    "div.row.link",
    { "data-key": link },
    h("label", null, h("span", null, label), field),
    hasShareSheet() && labelledButton("share", say("copying.share"), () => share(link), { "data-do": "share" }),
    labelledButton("link", say("copying.copy"), copy),
    status,
  );
}

const hasShareSheet = () => "share" in navigator;

/**
 * Hand a link to the system's share sheet.
 * @param {string} url
 */
const share = (url) => navigator.share({ title: document.title, url }).catch(() => {}); // the reader has thought better of it

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
