/** Where the page begins: the words, the drawings, and the page that the address names. */

import { learnArt } from "./base/art.js";
import { followLinks, show } from "./base/router.js";
import { applySettings } from "./base/settings.js";
import { learnWords } from "./base/words.js";
import { giveTips } from "./table/tips.js";

/** Milliseconds before the next attempt. */
const AGAIN = 2000;

applySettings();
await Promise.all([learnWords(), learnArt("page")]).catch(async () => {
  await new Promise((resolve) => setTimeout(resolve, AGAIN));
  location.reload(); // without words nothing can be said; if nobody answers, the browser says so
  await new Promise(() => {});
});
giveTips();
followLinks();
await show();
