/** Fields for the options and the clock of a game. The server says which options there are. */

import { h } from "../base/dom.js";
import { say } from "../base/words.js";

/** @import { Clock, GameInfo, OptionInfo } from "../base/wire.js" */

/** Clocks to choose from: key, kind and seconds. @type {[string, string, number][]} */
const CLOCKS = [
  ["none", "none", 0],
  ["move-30", "move", 30],
  ["move-90", "move", 90],
  ["bank-600", "bank", 600],
  ["bank-1500", "bank", 1500],
];

/**
 * @param {GameInfo} game
 * @param {Record<string, any>} chosen
 * @param {boolean} mayChange
 * @param {(options: Record<string, any>, event: Event) => void} change
 */
export function optionFields(game, chosen, mayChange, change) {
  const instead = new Set(
    game.options.filter((option) => option.instead_of).flatMap((option) => [option.name, option.instead_of]),
  );
  return game.options.map((option) => {
    const value = chosen[option.name] ?? option.default;
    const others = Object.fromEntries([...instead].map((name) => [name, null]));
    const set = (/** @type {any} */ worth, /** @type {Event} */ event) =>
      change({ ...(instead.has(option.name) ? others : {}), [option.name]: worth }, event);
    return h("label.option", { "data-key": option.name }, ...field(option, value, mayChange, set));
  });
}

/**
 * @param {OptionInfo} option
 * @param {any} value
 * @param {boolean} mayChange
 * @param {(value: any, event: Event) => void} set
 */
function field(option, value, mayChange, set) {
  const disabled = !mayChange;
  const title = h("span", null, option.title);
  if (option.kind === "bool") {
    return [
      h("input", {
        type: "checkbox",
        checked: Boolean(value),
        disabled,
        onchange: (/** @type {any} */ e) => set(e.target.checked, e),
      }),
      title,
    ];
  }
  const choices = option.choices.length ? option.choices : numbers(option);
  if (!choices) {
    return [
      title,
      h("input", {
        type: "number",
        min: option.least,
        max: option.most,
        value: value ?? "",
        disabled,
        onchange: (/** @type {any} */ e) => set(e.target.value === "" ? null : Number(e.target.value), e),
      }),
    ];
  }
  const read = (/** @type {string} */ text) => (option.choices.length ? text : Number(text));
  return [
    title,
    h(
      "select",
      { disabled, onchange: (/** @type {any} */ e) => set(read(e.target.value), e) },
      choices.map((choice) =>
        h("option", { value: choice, selected: String(choice) === String(value) }, String(choice)),
      ),
    ),
  ];
}

/**
 * The numbers to choose from, if they are few enough for a list.
 * @param {OptionInfo} option
 */
function numbers({ least, most }) {
  return most - least > 12 ? null : Array.from({ length: most - least + 1 }, (_, n) => least + n);
}

/**
 * @param {Clock} clock
 * @param {boolean} mayChange
 * @param {(clock: Clock, event: Event) => void} change
 */
export function clockField(clock, mayChange, change) {
  const now =
    CLOCKS.find(([, kind, seconds]) => kind === (clock.kind ?? "none") && seconds === (clock.seconds ?? 0))?.[0] ?? "";
  const set = (/** @type {any} */ event) => {
    const [, kind, seconds] = CLOCKS.find(([name]) => name === event.target.value) ?? CLOCKS[0];
    change({ ...clock, kind: /** @type {any} */ (kind), seconds }, event);
  };
  return h(
    "label.option",
    { "data-key": "clock" },
    h("span", null, say("clock.label")),
    h(
      "select",
      { disabled: !mayChange, onchange: set },
      now === "" && h("option", { value: "", selected: true }, say("clock.own")),
      CLOCKS.map(([name]) => h("option", { value: name, selected: name === now }, say(`clock.${name}`))),
    ),
  );
}

/**
 * Whether the log fades, where the game has something to forget.
 * @param {GameInfo} game
 * @param {boolean} fading
 * @param {boolean} mayChange
 * @param {(fading: boolean, event: Event) => void} change
 */
export function fadingField(game, fading, mayChange, change) {
  const onchange = (/** @type {any} */ event) => change(event.target.checked, event);
  return (
    game.forgets &&
    h(
      "label.option",
      { "data-key": "fading" },
      h("input", { type: "checkbox", checked: fading, disabled: !mayChange, onchange }),
      h("span", null, say("log.fading")),
    )
  );
}
