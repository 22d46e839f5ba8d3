/** From addresses to pages, without reloading. */

import { Refused, unreachable } from "./api.js";
import { drawing, sign } from "./art.js";
import { h } from "./dom.js";
import { essentials } from "./essentials.js";
import { cancelAll } from "./progress.js";
import { topBar } from "./top_bar.js";
import { loadWords, say } from "./words.js";

/**
 * A page fills an element, all at once, when it has what it shows and the essentials are there. The signal aborts when the
 * reader leaves, which may be before the page is there.
 * @typedef {(root: HTMLElement, left: AbortSignal, ...parts: string[]) => Promise<void>} Page
 */

/** Which page is at which address. @type {[RegExp, () => Promise<Page>][]} */
const PAGES = [
  [/^\/$/, async () => (await import("../pages/home.js")).open],
  [/^\/tables\/([^/]+)$/, async () => (await import("../pages/live_table.js")).open],
  [/^\/tables\/([^/]+)\/games\/(\d+)$/, async () => (await import("../pages/replay.js")).open],
  [/^\/learn\/([^/]+)$/, async () => (await import("../pages/lesson.js")).open],
  [/^\/rules\/([^/]+)$/, async () => (await import("../pages/rules.js")).open],
];

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
let visit = new AbortController();

/** The path of the page that is shown; links within it load nothing. */
let shownPath = "";

/** Show the page of the address. */
export async function show() {
  shownPath = location.pathname;
  const wordless = h("div.coming", null, h("p"));
  const fresh = h("div", null, wordless);
  const left = turnTo(fresh);
  essentials.then(() => wordless.parentElement === fresh && wordless.replaceWith(coming()));
  try {
    const page = await pageAt(shownPath);
    left.throwIfAborted();
    await page(fresh, left);
  } catch (error) {
    await essentials;
    if (!left.aborted) giveUp(error);
  }
}

/**
 * Leave the page that is shown or still loading.
 * @param {HTMLElement} fresh what is shown instead
 */
function turnTo(fresh) {
  visit.abort();
  visit = new AbortController();
  cancelAll();
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
      const page = await load().catch(() => essentials.then(() => Promise.reject(unreachable())));
      return (place, left) => page(place, left, ...found.slice(1).map(decodeURIComponent));
    }
  }
  await essentials;
  throw new Refused("no_page", say("error.no_page"));
}

/** The placeholder of a page that is loading. The style shows it only after half a second. */
const coming = () => h("div.coming", null, plainBar(), h("p", { role: "status" }, say("busy.coming")));

const plainBar = () => topBar(h("span.wordmark", null, "Brocante"));

/**
 * Show why a page cannot be shown, in its place.
 * @param {unknown} error a refusal; anything else is a bug and goes to the console as well
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
    drawing("page", "cleared"),
    h("div", { role: "alert" }, h("h1", null, say(mayPass ? "error.title" : "error.cleared")), h("p", null, message)),
    h(
      "div.row",
      null,
      mayPass && h("button.lead", { type: "button", "data-do": "retry", onclick: show }, say("nav.retry")),
      h("a.button", { href: "/", class: mayPass ? "" : "lead" }, sign("home"), say("error.market")),
    ),
  );

/**
 * Go to another page of this site.
 * @param {string} path
 */
export function go(path) {
  history.pushState(null, "", path);
  scrollTo(0, 0);
  return show();
}

/** The step of a lesson or a replay that the address names, if any. */
export function stepInAddress() {
  const step = new URLSearchParams(location.search).get("step");
  return step && /^\d+$/.test(step) ? Number(step) : null;
}

/** @param {number} step */
export const addressOfStep = (step) => `${location.pathname}?step=${step}`;

/** Show the page again, in another language. */
export async function changeLanguage() {
  await loadWords().catch(() => location.reload()); // the server may have a newer version of the page
  await show();
}

/** Handle clicks on links, and the browser's back button. */
export function followLinks() {
  addEventListener("popstate", () => location.pathname !== shownPath && show());
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const plain = !event.defaultPrevented && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
