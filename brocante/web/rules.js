/** The rules of a game in our own words, on a page of their own or over the table; and of them, the part that players
 * keep beside them: the reference card. */

import { gameCalled, get } from "./api.js";
import { sign } from "./art.js";
import { h } from "./dom.js";
import { notify } from "./notice.js";
import { iconButton, openDialog, topBar } from "./top.js";
import { say } from "./words.js";

/** @param {string} game */
async function text(game) {
  const html = await get(`/api/games/${encodeURIComponent(game)}/rules?as=html`);
  const parsed = new DOMParser().parseFromString(html, "text/html"); // our own pages, and nothing runs in them
  parsed.querySelector("h2")?.remove(); // the title stands above already
  for (const table of parsed.querySelectorAll("table")) table.tabIndex = 0; // it may be wider than a phone, and scroll
  return h(
    "article.rules",
    null,
    [...parsed.body.childNodes].map((node) => document.importNode(node, true)),
  );
}

/** @param {string} game */
export async function openRules(game) {
  const found = await Promise.all([gameCalled(game), text(game)]).catch(notify);
  if (found) openDialog(found[0].title, found[1]).classList.add("wide");
}

/**
 * The part of the rules below one of their headings, as a card to look at.
 * @param {import("./types.js").GameInfo} box
 * @param {import("./stage.js").Drawing} drawing
 */
export async function openReference({ slug, reference }, drawing) {
  const rules = await text(slug).catch(notify);
  if (!rules) return;
  const parts = [...rules.children];
  const begin = parts.findIndex((part) => part.textContent === reference);
  const end = parts.findIndex((part, n) => n > begin && part.tagName === parts[begin].tagName);
  const card = h("article.rules", null, parts.slice(begin + 1, end < 0 ? parts.length : end));
  drawing.adorn?.(card);
  openDialog(say("nav.reference"), card).classList.add("reference");
}

/**
 * What one can look up at a table, as buttons for the bar above it.
 * @param {import("./types.js").GameInfo} box
 * @param {import("./stage.js").Drawing} drawing
 */
export const lookUp = (box, drawing) => [
  box.reference && iconButton("reference", say("nav.reference"), () => openReference(box, drawing)),
  iconButton("rules", say("nav.rules"), () => openRules(box.slug)),
];

/** @type {import("./router.js").Page} */
export async function open(root, game) {
  const [{ title, slug }, rules] = await Promise.all([gameCalled(game), text(game)]);
  document.title = `${title} – Brocante`;
  root.replaceChildren(
    topBar(title, h("a.button.quiet", { href: `/learn/${slug}` }, sign("hint"), say("home.learn"))),
    h("main.reading", { "data-game": slug }, h("h1", null, title), rules),
  );
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  return () => {};
}
