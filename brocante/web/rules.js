/** The rules of a game in our own words, on a page of their own or over the table. */

import { gameCalled, get } from "./api.js";
import { sign } from "./art.js";
import { h } from "./dom.js";
import { notify } from "./notice.js";
import { openDialog, topBar } from "./top.js";
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
