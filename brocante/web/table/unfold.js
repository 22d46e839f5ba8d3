/**
 * Where there is no room for all parts of a table, buttons unfold one of a group at a time; where there is, style shows them
 * all. What the reader has unfolded outlives the drawing.
 */

import { h } from "../base/dom.js";

/** @import { Child, Props } from "../base/dom.js" */

/** The unfolded part of each group. @type {Map<string, string>} */
const unfolded = new Map();

/** @param {string} group */
export const unfoldedIn = (group) => unfolded.get(group) ?? "";

/**
 * What an element says of itself that holds the parts of a group.
 * @param {string} group
 */
export const holding = (group) => ({ "data-group": group, "data-unfolded": unfoldedIn(group) });

/**
 * A button that unfolds a part, instead of the others of its group.
 * @param {string} group
 * @param {string} part
 * @param {Props} props
 * @param {...Child} content
 */
export const unfolder = (group, part, props, ...content) =>
  h(
    "button.unfolder",
    {
      type: "button",
      "data-key": `unfold-${part}`,
      "data-unfolds": `${group}/${part}`,
      "aria-expanded": String(unfoldedIn(group) === part),
      ...props,
    },
    ...content,
  );

/**
 * @param {string} group
 * @param {string} part "" folds all
 */
export function unfold(group, part) {
  unfolded.set(group, part);
  for (const holder of document.querySelectorAll(`[data-group="${group}"]`)) holder.setAttribute("data-unfolded", part);
  for (const button of document.querySelectorAll(`[data-unfolds^="${group}/"]`)) {
    button.setAttribute("aria-expanded", String(button.getAttribute("data-unfolds") === `${group}/${part}`));
  }
}

/**
 * Unfold the part that something is in.
 * @param {Element | null | undefined} element
 */
export function unfoldAround(element) {
  const [group, part] = partAround(element)?.split("/") ?? [];
  if (!group || unfoldedIn(group) === part) return;
  unfold(group, part);
  element?.dispatchEvent(new Event("toggle", { bubbles: true }));
}

/** @param {Element | null | undefined} element */
const partAround = (element) => element?.closest("[data-part]")?.getAttribute("data-part");

/**
 * Where something is to be seen; if it is folded away, that is where it can be unfolded.
 * @param {Element | null | undefined} element
 */
export function whereSeen(element) {
  if (!element || element.checkVisibility()) return element;
  const unfolds = [...document.querySelectorAll(`[data-unfolds="${partAround(element)}"]`)];
  let around = unfolds.find((button) => button.checkVisibility()) ?? element;
  while (!around.checkVisibility() && around.parentElement) around = around.parentElement;
  return around;
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-unfolds]") : null;
  const [group, part] = button?.getAttribute("data-unfolds")?.split("/") ?? [];
  if (!button || !group) return;
  const folds = button.hasAttribute("data-folds") && unfoldedIn(group) === part;
  unfold(group, folds ? "" : part);
  button.dispatchEvent(new Event("toggle", { bubbles: true }));
});
