/** From addresses to pages, without loading everything anew. */

import { Refused, away } from "./api.js";
import { h } from "./dom.js";
import { stopAll } from "./progress.js";
import { topBar } from "./top_bar.js";
import { learnWords, say } from "./words.js";

/**
 * A page puts itself into an element, all at once. When it is left, which may be before it is there, it is told by the
 * signal.
 * @typedef {(root: HTMLElement, left: AbortSignal, ...parts: string[]) => Promise<void>} Page
 */

/** What stands at which address. @type {[RegExp, () => Promise<Page>][]} */
const PAGES = [
  [/^\/$/, async () => (await import("../pages/home.js")).open],
  [/^\/tables\/([^/]+)$/, async () => (await import("../pages/live_table.js")).open],
  [/^\/tables\/([^/]+)\/games\/(\d+)$/, async () => (await import("../pages/replay.js")).open],
  [/^\/learn\/([^/]+)$/, async () => (await import("../pages/lesson.js")).open],
  [/^\/rules\/([^/]+)$/, async () => (await import("../pages/rules.js")).open],
];

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
let visit = new AbortController();

/** What is shown; a link within the page leaves it there. */
let shownPath = "";

/** Show the page of the address. */
export async function show() {
  shownPath = location.pathname;
  const fresh = h("div", null, coming());
  const left = turnTo(fresh);
  try {
    const page = await pageAt(shownPath);
    left.throwIfAborted();
    await page(fresh, left);
  } catch (error) {
    if (!left.aborted) giveUp(error);
  }
}

/**
 * Leave what is shown, whether it is there yet or not.
 * @param {HTMLElement} fresh what stands in its place
 */
function turnTo(fresh) {
  visit.abort();
  visit = new AbortController();
  stopAll();
  document.body.className = "";
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  for (const name of ["game", "phase", "asked"]) delete document.body.dataset[name];
  root.replaceChildren(fresh);
  return visit.signal;
}

/**
 * @param {string} path
 * @returns {Promise<(root: HTMLElement, left: AbortSignal) => Promise<void>>}
 */
async function pageAt(path) {
  for (const [pattern, load] of PAGES) {
    const found = pattern.exec(path);
    if (found) {
      const page = await load().catch(() => Promise.reject(away()));
      return (place, left) => page(place, left, ...found.slice(1).map(decodeURIComponent));
    }
  }
  throw new Refused("no_page", say("error.no_page"));
}

/** What stands where a page will be. It is seen only if that takes more than half a second, as the style says. */
const coming = () => h("div.coming", null, plainBar(), h("p", { role: "status" }, say("busy.coming")));

const plainBar = () => topBar(h("span.wordmark", null, "Brocante"));

/**
 * What should be shown cannot be, or no longer: say so in its place.
 * @param {unknown} error what the server refused; anything else is a fault of ours, and for the console as well
 */
export function giveUp(error) {
  if (!(error instanceof Refused)) reportError(error);
  const refused = error instanceof Refused ? error : new Refused("failed", say("error.failed"), true);
  const left = turnTo(h("div", null, plainBar(), trouble(refused)));
  if (refused.mayPass) addEventListener("online", show, { once: true, signal: left });
}

/** @param {Refused} refused */
const trouble = ({ message, mayPass }) =>
  h(
    "main.trouble",
    null,
    h("div", { role: "alert" }, h("h1", null, say("error.title")), h("p", null, message)),
    h(
      "div.row",
      null,
      mayPass && h("button.lead", { type: "button", "data-do": "retry", onclick: show }, say("nav.retry")),
      h("a.button", { href: "/" }, say("nav.home")),
    ),
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
