/** What nothing can be shown without: words, and the page's own drawings. They load while a page asks for what it shows. */

import { loadArt } from "./art.js";
import { loadWords } from "./words.js";

/** Milliseconds before the page is loaded again. */
const RETRY = 2000;

export const essentials = Promise.all([loadWords(), loadArt("page")]).catch(async () => {
  await new Promise((resolve) => setTimeout(resolve, RETRY));
  location.reload(); // if the server is down, the browser says so
  await new Promise(() => {});
});
