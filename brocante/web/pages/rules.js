/** The rules of a game in our own words, on a page of their own or over the table; and of them, the part that players
 * keep beside them: the reference card. */

import { findGame, get } from "../base/api.js";
import { sign } from "../base/art.js";
import { iconButton } from "../base/buttons.js";
import { openDialog } from "../base/dialogs.js";
import { h } from "../base/dom.js";
import { pressed } from "../base/progress.js";
import { topBar } from "../base/top_bar.js";
import { say } from "../base/words.js";

/** @import { Work } from "../base/progress.js" */
/** @import { Page } from "../base/router.js" */
/** @import { GameInfo } from "../base/wire.js" */
/** @import { Drawing } from "../table/stage.js" */

/**
 * @param {string} game
 * @param {AbortSignal} stop
 */
async function text(game, stop) {
  const html = await get(`/api/games/${encodeURIComponent(game)}/rules?as=html`, stop);
  const parsed = new DOMParser().parseFromString(html, "text/html"); // our own pages, and nothing runs in them
  parsed.querySelector("h2")?.remove(); // the title stands above already
  for (const table of parsed.querySelectorAll("table")) table.tabIndex = 0; // it may be wider than a phone, and scroll
  return h(
    "article.rules",
    null,
    [...parsed.body.childNodes].map((node) => document.importNode(node, true)),
  );
}

/**
 * @param {GameInfo} box
 * @param {AbortSignal} stop
 */
async function openRules({ slug, title }, stop) {
  openDialog(title, await text(slug, stop)).classList.add("wide");
}

/**
 * The part of the rules below one of their headings, as a card to look at.
 * @param {GameInfo} box
 * @param {Drawing} drawing
 * @param {AbortSignal} stop
 */
async function openReference({ slug, reference }, drawing, stop) {
  const parts = [...(await text(slug, stop)).children];
  const begin = parts.findIndex((part) => part.textContent === reference);
  const end = parts.findIndex((part, n) => n > begin && part.tagName === parts[begin].tagName);
  const card = h("article.rules", null, parts.slice(begin + 1, end < 0 ? parts.length : end));
  drawing.adorn?.(card);
  openDialog(say("nav.reference"), card).classList.add("reference");
}

/**
 * What one can look up at a table, as buttons for the bar above it.
 * @param {GameInfo} box
 * @param {Drawing} drawing
 */
export const rulesButtons = (box, drawing) => [
  box.reference && looking("reference", (stop) => openReference(box, drawing, stop)),
  looking("rules", (stop) => openRules(box, stop)),
];

/**
 * @param {"reference" | "rules"} what
 * @param {Work} work
 */
const looking = (what, work) => iconButton(what, say(`nav.${what}`), pressed(work), { "data-do": what });

/** @type {Page} */
export async function open(root, left, game) {
  const [{ title, slug }, rules] = await Promise.all([findGame(game), text(game, left)]);
  left.throwIfAborted();
  document.title = `${title} – Brocante`;
  root.replaceChildren(
    topBar(title, h("a.button.quiet", { href: `/learn/${slug}` }, sign("hint"), say("home.learn"))),
    h("main.reading", { "data-game": slug }, h("h1", null, title), rules),
  );
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}
