/** Where the page begins: the words, the drawings, and the page that the address names. */

import { learnArt } from "./art.js";
import { followLinks, show } from "./router.js";
import { applySettings } from "./settings.js";
import { giveTips } from "./tips.js";
import { learnWords } from "./words.js";

applySettings();
await Promise.all([learnWords(), learnArt("page")]);
giveTips();
followLinks();
await show();
