/** The entry point: shows the page of the address. */

import { watchFocus } from "./base/focus.js";
import { followLinks, show } from "./base/router.js";
import { applySettings } from "./base/settings.js";
import { listenForTips } from "./table/tips.js";

applySettings();
listenForTips();
watchFocus();
followLinks();
await show();
