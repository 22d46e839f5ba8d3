/** The server's HTTP API (docs/api.md), as far as the page needs it. */

import { choose, settings } from "./settings.js";
import { language, say } from "./words.js";

/** The server said no, and why. */
export class Refused extends Error {
  /**
   * @param {string} code for programs
   * @param {string} says for people
   */
  constructor(code, says) {
    super(says);
    this.code = code;
  }
}

/**
 * Ask the server.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>} what it answered: data, or text where it is none
 */
export async function ask(method, path, body) {
  const separator = path.includes("?") ? "&" : "?";
  const answer = await fetch(`${path}${separator}lang=${language()}`, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch(() => {
    throw new Refused("away", say("error.away"));
  });
  const isData = answer.headers.get("content-type")?.startsWith("application/json");
  const said = isData ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Refused(said.code ?? "failed", said.says ?? say("error.failed"));
  return said;
}

/** @param {string} path */
export const get = (path) => ask("GET", path);

/**
 * @param {string} path
 * @param {unknown} [body]
 */
export const post = (path, body = {}) => ask("POST", path, body);

/** @type {Promise<import("./types.js").GameInfo[]> | null} */
let games = null;
let gamesIn = "";

/** The games on the shelf; asked for once in each language. */
export function gamesOnTheShelf() {
  if (!games || gamesIn !== language()) {
    gamesIn = language();
    games = get("/api/games");
    games.catch(() => (games = null));
  }
  return games;
}

/**
 * One of them.
 * @param {string} slug
 */
export async function gameCalled(slug) {
  const found = (await gamesOnTheShelf()).find((game) => game.slug === slug);
  if (!found) throw new Refused("no_game", say("error.no_game"));
  return found;
}

/** Who one is, if anybody. @returns {Promise<{name: string} | null>} */
export async function me() {
  if (!settings.guest) return null;
  return get("/api/me").catch((/** @type {Refused} */ refused) => {
    if (refused.code === "away") throw refused;
    choose({ guest: false }); // the token was too old
    return null;
  });
}

/**
 * Be somebody: the guest that one is already, or a new one.
 * @param {string} name
 */
export async function beGuest(name) {
  const guest = (await me()) ?? (await post("/api/guests", { name }));
  choose({ guest: true });
  return guest;
}

/** A share of the deal that nobody can foresee. */
export function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
