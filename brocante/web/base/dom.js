/** Making elements, and turning those that are there into those that should be. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Anything that can stand inside an element.
 * @typedef {Node | string | number | null | undefined | false | Child[]} Child
 */

/**
 * What an element has: attributes; `style` (properties of it), and `on…` (listeners).
 * @typedef {Record<string, any>} Props
 */

/**
 * An element, such as h("button.card#first", { type: "button" }, "Play"). Text is always text, never HTML.
 * @param {string} what a tag, with classes and an id as in CSS
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(what, props, ...children) {
  return /** @type {HTMLElement} */ (made(document.createElement(tagOf(what)), what, props, children));
}

/**
 * The same for a part of a drawing.
 * @param {string} what
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(what, props, ...children) {
  return /** @type {SVGElement} */ (made(document.createElementNS(SVG, tagOf(what)), what, props, children));
}

/** @param {string} what */
const tagOf = (what) => what.split(/[.#]/, 1)[0] || "div";

/**
 * @param {Element} element
 * @param {string} what
 * @param {Props | null | undefined} props
 * @param {Child[]} children
 */
function made(element, what, props, children) {
  for (const [part] of what.matchAll(/[.#][^.#]+/g)) {
    if (part[0] === ".") element.classList.add(part.slice(1));
    else element.id = part.slice(1);
  }
  for (const [name, value] of Object.entries(props ?? {})) give(element, name, value);
  add(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {any} value
 */
function give(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "class") element.classList.add(...String(value).split(" ").filter(Boolean));
  else if (name === "style") {
    // by the object model: a strict Content-Security-Policy forbids the attribute
    const { style } = /** @type {HTMLElement} */ (element);
    for (const [property, worth] of Object.entries(value)) style.setProperty(property, String(worth));
  } else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function add(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(element, child);
    else if (child !== null && child !== undefined && child !== false) element.append(/** @type {Node} */ (child));
  }
}

/**
 * Let the only child of an element become like this one.
 * @param {Element | null | undefined} holder
 * @param {HTMLElement | null} content
 */
export function become(holder, content) {
  const old = holder?.firstElementChild;
  if (!content) holder?.replaceChildren();
  else if (old) morph(old, content);
  else holder?.append(content);
}

/** What is not for a fresh element to say: what is folded, and what is under way (busy.js). */
const OWN = ["open", "style", "aria-busy", "data-waiting"];

/**
 * Make `old` like `fresh`, keeping what can be kept, so that focus, scrolling and what moves are not disturbed. Elements
 * with the same `data-key` are the same thing. Listeners are not carried over: what is morphed is listened to from above, or
 * has a key of its own for everything that it does. What is folded stays folded, what is busy stays busy.
 * @template {Element} E
 * @param {E} old
 * @param {E} fresh
 * @returns {E} what stands there now
 */
function morph(old, fresh) {
  const focused = document.activeElement;
  const result = morphed(old, fresh);
  if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused) {
    focused.focus({ preventScroll: true });
  }
  return /** @type {E} */ (result);
}

/**
 * @param {Node} old
 * @param {Node} fresh
 * @returns {Node}
 */
function morphed(old, fresh) {
  if (!alike(old, fresh)) {
    /** @type {ChildNode} */ (old).replaceWith(fresh);
    return fresh;
  }
  if (old instanceof Element && fresh instanceof Element) {
    if (old.isEqualNode(fresh) && !old.querySelector("input, option") && !old.matches("input, option")) return old;
    likeAttributes(old, fresh);
    likeChildren(old, fresh);
  } else if (old.nodeValue !== fresh.nodeValue) {
    old.nodeValue = fresh.nodeValue;
  }
  return old;
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") : null);

/**
 * @param {Node} one
 * @param {Node} other
 */
const alike = (one, other) =>
  one.nodeType === other.nodeType && one.nodeName === other.nodeName && keyOf(one) === keyOf(other);

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function likeAttributes(old, fresh) {
  const value = old.getAttribute("value");
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !OWN.includes(name)) old.removeAttribute(name);
  }
  for (const { name, value: worth } of [...fresh.attributes]) {
    if (!OWN.includes(name) && old.getAttribute(name) !== worth) old.setAttribute(name, worth);
  }
  if (old instanceof HTMLInputElement) old.checked = old.hasAttribute("checked");
  const isChanged = old.getAttribute("value") !== value;
  if (old instanceof HTMLInputElement && old.type === "number" && (isChanged || old !== document.activeElement)) {
    old.value = old.getAttribute("value") ?? ""; // a text is what one is writing, a number what was chosen
  }
  if (old instanceof HTMLOptionElement) old.selected = old.hasAttribute("selected");
  const [from, to] = /** @type {HTMLElement[]} */ (/** @type {unknown} */ ([fresh, old]));
  if (to.style.cssText !== from.style.cssText) to.style.cssText = from.style.cssText;
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function likeChildren(old, fresh) {
  const keyed = new Map([...old.childNodes].map((child) => [keyOf(child), child]));
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = keyOf(child);
    const found = key === null ? unkeyed(place, child) : (keyed.get(key) ?? null);
    if (!found) {
      old.insertBefore(child, place);
      continue;
    }
    if (found !== place) old.insertBefore(found, place);
    const now = morphed(found, child);
    place = now.nextSibling;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/**
 * What stands here, if the new child can be made of it.
 * @param {ChildNode | null} place
 * @param {Node} child
 */
const unkeyed = (place, child) => (place && alike(place, child) ? place : null);
