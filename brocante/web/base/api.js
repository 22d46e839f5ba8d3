/** The server's HTTP API (docs/api.md), as far as the page needs it. */

import { choose, settings } from "./settings.js";
import { language, say } from "./words.js";

/** @import { GameInfo } from "./wire.js" */

/** Milliseconds after which an answer is not waited for any longer; one that has begun may take its time. */
const LATE = 20_000;

/** The server said no, and why; or it said nothing. */
export class Refused extends Error {
  /**
   * @param {string} code for programs
   * @param {string} says for people
   * @param {boolean} [mayPass] whether the same may go well a little later
   */
  constructor(code, says, mayPass = false) {
    super(says);
    this.code = code;
    this.mayPass = mayPass;
  }
}

/** Nobody answers. */
export const away = () => new Refused("away", say("error.away"), true);

/**
 * Ask for something and read the answer. Nobody waits for ever, and nobody who has gone elsewhere.
 * @template T
 * @param {string | URL} url
 * @param {RequestInit} init
 * @param {(answer: Response) => Promise<T>} read
 * @returns {Promise<T>}
 */
export async function reach(url, init, read) {
  const late = new AbortController();
  const patience = setTimeout(() => late.abort(), LATE);
  try {
    const signal = AbortSignal.any([late.signal, ...(init.signal ? [init.signal] : [])]);
    return await read(await fetch(url, { ...init, signal }).finally(() => clearTimeout(patience)));
  } catch (error) {
    init.signal?.throwIfAborted();
    throw error instanceof Refused ? error : away();
  }
}

/**
 * Ask the server.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} what it answered: data, or text where it is none
 */
async function ask(method, path, body, signal) {
  const separator = path.includes("?") ? "&" : "?";
  /** @type {RequestInit} */
  const init = { method, signal: signal ?? null };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  return reach(`${path}${separator}lang=${language()}`, init, async (answer) => {
    const isData = answer.headers.get("content-type")?.startsWith("application/json");
    const said = isData ? await answer.json() : await answer.text();
    if (!answer.ok) throw refused(answer.status, said);
    return said;
  });
}

/**
 * @param {number} status
 * @param {{ code?: string, says?: string }} said
 */
export const refused = (status, { code, says }) =>
  new Refused(code ?? "failed", says ?? say("error.failed"), status >= 500 || status === 429);

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export const get = (path, signal) => ask("GET", path, undefined, signal);

/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 */
export const post = (path, body = {}, signal) => ask("POST", path, body, signal);

/** @type {Promise<GameInfo[]> | null} */
let games = null;
let gamesIn = "";

/** The games on the shelf; asked for once in each language. */
export function listGames() {
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
export async function findGame(slug) {
  const found = (await listGames()).find((game) => game.slug === slug);
  if (!found) throw new Refused("no_game", say("error.no_game"));
  return found;
}

/**
 * Who one is, if anybody.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{name: string} | null>}
 */
export async function me(signal) {
  if (!settings.guest) return null;
  return get("/api/me", signal).catch((error) => {
    if (!(error instanceof Refused) || error.mayPass) throw error;
    choose({ guest: false }); // the token was too old
    return null;
  });
}

/**
 * Be somebody: the guest that one is already, or a new one.
 * @param {string} name
 * @param {AbortSignal} [signal]
 */
export async function beGuest(name, signal) {
  const guest = (await me(signal)) ?? (await post("/api/guests", { name }, signal));
  choose({ guest: true });
  return guest;
}

/** A share of the deal that nobody can foresee. */
export function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
