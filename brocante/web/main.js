/** The entry point: loads words and drawings, then shows the page of the address. */

import { loadArt } from "./base/art.js";
import { watchFocus } from "./base/focus.js";
import { followLinks, show } from "./base/router.js";
import { applySettings } from "./base/settings.js";
import { loadWords } from "./base/words.js";
import { listenForTips } from "./table/tips.js";

/** Milliseconds before the page is loaded again. */
const RETRY = 2000;

applySettings();
await Promise.all([loadWords(), loadArt("page")]).catch(async () => {
  await new Promise((resolve) => setTimeout(resolve, RETRY));
  location.reload(); // nothing can be shown without words; if the server is down, the browser says so
  await new Promise(() => {});
});
listenForTips();
watchFocus();
followLinks();
await show();
