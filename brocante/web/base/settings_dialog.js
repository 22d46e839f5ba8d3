/** The dialog in which readers choose language, theme, speed and sound. */

import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { busy } from "./progress.js";
import { choose, settings } from "./settings.js";
import { LANGUAGES, language, say } from "./words.js";

export function openSettings() {
  openDialog(
    say("nav.settings"),
    choice(
      say("settings.language"),
      settings.lang || language(),
      LANGUAGES.map((code) => [code, say(`settings.${code}`)]),
      (lang, label) => {
        choose({ lang });
        busy(label, async () => (await import("./router.js")).changeLanguage());
      },
    ),
    choice(
      say("settings.theme"),
      settings.theme,
      ["auto", "light", "dark"].map((theme) => [theme, say(`settings.${theme}`)]),
      (theme) => choose({ theme: /** @type {any} */ (theme) }),
    ),
    choice(
      say("settings.speed"),
      settings.speed,
      ["instant", "quick", "calm"].map((speed) => [speed, say(`settings.${speed}`)]),
      (speed) => choose({ speed: /** @type {any} */ (speed) }),
    ),
    choice(
      say("settings.bots"),
      settings.bots,
      ["instant", "quick", "people"].map((pace) => [pace, say(`settings.bots_${pace}`)]),
      (bots) => choose({ bots: /** @type {any} */ (bots) }),
    ),
    choice(
      say("settings.sound"),
      settings.sounds,
      ["off", "turn", "all"].map((sounds) => [sounds, say(`settings.sound_${sounds}`)]),
      (sounds) => choose({ sounds: /** @type {any} */ (sounds) }),
    ),
    choice(
      say("settings.ask"),
      settings.ask,
      ["never", "risky", "always"].map((ask) => [ask, say(`settings.ask_${ask}`)]),
      (ask) => choose({ ask: /** @type {any} */ (ask) }),
    ),
    h("p.small.key-hints", null, say("settings.keys")),
  );
}

/**
 * @param {string} title
 * @param {string} now
 * @param {string[][]} values
 * @param {(value: string, label: Element) => void} chosen
 */
function choice(title, now, values, chosen) {
  const radios = values.map(([value, words]) => {
    const onchange = () => chosen(value, label);
    const radio = h("input", { type: "radio", name: title, value, checked: value === now, onchange });
    const label = h("label", null, radio, h("span", null, words));
    return label;
  });
  return h("fieldset.choice", null, h("legend", null, title), ...radios);
}
