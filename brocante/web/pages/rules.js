/** The rules of a game, on a page of their own or in a dialog; and the reference card, which is a part of them. */

import { findGame, get } from "../base/api.js";
import { drawing, loadArt, sign } from "../base/art.js";
import { openDialog } from "../base/dialogs.js";
import { h } from "../base/dom.js";
import { essentials } from "../base/essentials.js";
import { topBar } from "../base/top_bar.js";
import { say } from "../base/words.js";

/** @import { Page } from "../base/router.js" */
/** @import { GameInfo } from "../base/wire.js" */
/** @import { Drawing } from "../table/stage.js" */

/**
 * @param {string} game
 * @param {AbortSignal} stop
 */
async function rulesText(game, stop) {
  const [html] = await Promise.all([get(`/api/games/${encodeURIComponent(game)}/rules?as=html`, stop), loadArt(game)]);
  const parsed = new DOMParser().parseFromString(html, "text/html"); // inert: no script in it runs
  parsed.querySelector("h2")?.remove(); // the title is above already
  for (const table of parsed.querySelectorAll("table")) table.tabIndex = 0; // it may be wider than a phone, and must scroll by keyboard
  for (const place of parsed.querySelectorAll("[data-art]")) {
    const names = (place.getAttribute("data-art") ?? "").split(" ");
    place.append(...names.map((name) => drawing(game, name)));
  }
  return h(
    "article.rules",
    null,
    [...parsed.body.childNodes].map((node) => document.importNode(node, true)),
  );
}

/**
 * @param {GameInfo} box
 * @param {AbortSignal} stop
 * @param {string} [clause] to begin with
 */
export async function openRules({ slug, title }, stop, clause) {
  const dialog = openDialog(title, await rulesText(slug, stop));
  dialog.classList.add("wide");
  if (clause) showClause(dialog, clause);
}

/**
 * Open the rules of a game over the page, at a clause.
 * @param {string} game
 * @param {AbortSignal} stop
 * @param {string} clause
 */
export const openRulesOf = async (game, stop, clause) => openRules(await findGame(game), stop, clause);

/**
 * @param {HTMLElement} rules
 * @param {string} clause
 */
function showClause(rules, clause) {
  const number = rules.querySelector(`#${CSS.escape(clause)}`);
  const there = number?.closest("p, li, tr, h2, h3, h4") ?? number;
  there?.classList.add("spoken-of");
  there?.scrollIntoView({ block: "start" });
}

/**
 * Open the reference card: the part of the rules below a certain heading.
 * @param {GameInfo} box
 * @param {Drawing} drawing
 * @param {AbortSignal} stop
 */
export async function openReference({ slug, reference }, drawing, stop) {
  const parts = [...(await rulesText(slug, stop)).children];
  const begin = parts.findIndex((part) => part.textContent === reference);
  const end = parts.findIndex((part, n) => n > begin && part.tagName === parts[begin].tagName);
  const card = h("article.rules", null, parts.slice(begin + 1, end < 0 ? parts.length : end));
  drawing.adorn?.(card);
  openDialog(say("nav.reference"), card).classList.add("reference");
}

/** @type {Page} */
export async function open(root, left, game) {
  const [{ title, slug }, rules] = await Promise.all([findGame(game), rulesText(game, left), essentials]);
  left.throwIfAborted();
  document.title = `${title} – Brocante`;
  root.replaceChildren(
    topBar(
      h("span.wordmark", null, "Brocante"),
      h("a.button.quiet", { href: `/learn/${slug}` }, sign("hint"), say("home.learn")),
    ),
    h("main.reading", { "data-game": slug }, h("h1", null, title), rules),
  );
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}
