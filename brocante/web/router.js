/** From addresses to pages, without loading everything anew. */

import { h } from "./dom.js";
import { learnWords, say } from "./words.js";

/**
 * A page puts itself into an element, and says how to take it away again.
 * @typedef {(root: HTMLElement, ...parts: string[]) => Promise<() => void>} Page
 */

/** What stands at which address. @type {[RegExp, () => Promise<Page>][]} */
const PAGES = [
  [/^\/$/, async () => (await import("./home.js")).open],
  [/^\/tables\/([^/]+)$/, async () => (await import("./live.js")).open],
  [/^\/tables\/([^/]+)\/games\/(\d+)$/, async () => (await import("./replay.js")).open],
  [/^\/learn\/([^/]+)$/, async () => (await import("./lesson.js")).open],
  [/^\/rules\/([^/]+)$/, async () => (await import("./rules.js")).open],
];

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
/** @type {() => void} */
let close = () => {};
let visit = 0;

/** What is shown; a link within the page leaves it there. */
let shownPath = "";

/** Show the page of the address. */
export async function show() {
  const mine = ++visit;
  shownPath = location.pathname;
  close();
  close = () => {};
  document.body.className = "";
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  for (const name of ["game", "phase", "asked"]) delete document.body.dataset[name];
  const fresh = h("div");
  root.replaceChildren(fresh);
  try {
    const closeIt = await (await pageAt(location.pathname))(fresh);
    if (mine === visit) close = closeIt;
    else closeIt();
  } catch (error) {
    if (mine === visit) fresh.replaceChildren(trouble(error instanceof Error ? error.message : String(error)));
  }
}

/**
 * @param {string} path
 * @returns {Promise<(root: HTMLElement) => Promise<() => void>>}
 */
async function pageAt(path) {
  for (const [pattern, load] of PAGES) {
    const found = pattern.exec(path);
    if (found) {
      const page = await load();
      return (place) => page(place, ...found.slice(1).map(decodeURIComponent));
    }
  }
  throw new Error(say("error.no_page"));
}

/**
 * What is shown came to an end: say so in its place.
 * @param {Error} error
 */
export function giveUp(error) {
  close();
  close = () => {};
  root.replaceChildren(trouble(error.message));
}

/** @param {string} words */
const trouble = (words) =>
  h(
    "main.trouble",
    null,
    h("h1", null, say("error.title")),
    h("p", null, words),
    h("p", null, h("a.button", { href: "/" }, say("nav.home"))),
  );

/**
 * Go to another page of ours.
 * @param {string} path
 */
export function go(path) {
  history.pushState(null, "", path);
  scrollTo(0, 0);
  return show();
}

/** Show everything anew, in another language. */
export async function speak() {
  await learnWords().catch(() => location.reload()); // the server may have a newer page by now
  await show();
}

/** Listen for links and for the way back. */
export function followLinks() {
  addEventListener("popstate", () => location.pathname !== shownPath && show());
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const plain = !event.defaultPrevented && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    go(link.pathname);
  });
}
