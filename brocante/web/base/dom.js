/** Making elements, and morphing those on the page into new ones. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Whatever can be inside an element.
 * @typedef {Node | string | number | null | undefined | false | Child[]} Child
 */

/**
 * Attributes of an element; also `style` (an object of properties) and `on…` (listeners).
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
  const kind = kindOf(what);
  return /** @type {HTMLElement} */ (made(document.createElement(kind.tag), kind, props, children));
}

/**
 * The same for SVG.
 * @param {string} what
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(what, props, ...children) {
  const kind = kindOf(what);
  return /** @type {SVGElement} */ (made(document.createElementNS(SVG, kind.tag), kind, props, children));
}

/** @typedef {{ tag: string, classes: string, id: string | undefined }} Kind */

/** What was read before: a table is drawn from a few dozen kinds of elements, hundreds of them for every message. */
/** @type {Map<string, Kind>} */
const kinds = new Map();

/**
 * Read a tag with classes and an id.
 * @param {string} what
 */
function kindOf(what) {
  const known = kinds.get(what);
  if (known) return known;
  const parts = (/** @type {string} */ sign) =>
    [...what.matchAll(/[.#][^.#]+/g)].filter(([part]) => part[0] === sign).map(([part]) => part.slice(1));
  const kind = { tag: what.split(/[.#]/, 1)[0] || "div", classes: parts(".").join(" "), id: parts("#")[0] };
  kinds.set(what, kind);
  return kind;
}

/**
 * @param {Element} element
 * @param {Kind} kind
 * @param {Props | null | undefined} props
 * @param {Child[]} children
 */
function made(element, { classes, id }, props, children) {
  if (classes) element.setAttribute("class", classes);
  if (id) element.id = id;
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
    // not as an attribute, which the Content-Security-Policy forbids
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
 * Make an element's only child like `content`.
 * @param {Element | null | undefined} holder
 * @param {HTMLElement | null} content
 */
export function become(holder, content) {
  const old = holder?.firstElementChild;
  if (!content) holder?.replaceChildren();
  else if (old) morph(old, content);
  else holder?.append(content);
}

/**
 * Attributes that morphing leaves alone: what the reader has folded, what is in progress (progress.js), and marks on what
 * has moved (fresh_marks.js).
 */
const KEPT = ["open", "style", "aria-busy", "data-waiting", "data-fresh"];

/**
 * Make `old` like `fresh`, keeping as many elements as possible, so that focus, scrolling and animations are not
 * disturbed. Elements with the same `data-key` are the same thing. Listeners are not carried over: whatever is morphed is
 * listened to from an ancestor, or has a key that differs when its listener does. What is folded stays folded.
 * @template {Element} E
 * @param {E} old
 * @param {E} fresh
 * @returns {E} the element that is on the page now
 */
export function morph(old, fresh) {
  const focused = document.activeElement;
  const result = morphNode(old, fresh);
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
function morphNode(old, fresh) {
  if (!alike(old, fresh)) {
    /** @type {ChildNode} */ (old).replaceWith(fresh);
    return fresh;
  }
  if (old instanceof Element && fresh instanceof Element) {
    if (old.isEqualNode(fresh) && !old.querySelector("input, option") && !old.matches("input, option")) return old;
    morphAttributes(old, fresh);
    morphChildren(old, fresh);
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
function morphAttributes(old, fresh) {
  const value = old.getAttribute("value");
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !KEPT.includes(name)) old.removeAttribute(name);
  }
  for (const { name, value: worth } of [...fresh.attributes]) {
    if (!KEPT.includes(name) && old.getAttribute(name) !== worth) old.setAttribute(name, worth);
  }
  if (old instanceof HTMLInputElement) old.checked = old.hasAttribute("checked");
  const isChanged = old.getAttribute("value") !== value;
  if (old instanceof HTMLInputElement && old.type === "number" && (isChanged || old !== document.activeElement)) {
    old.value = old.getAttribute("value") ?? ""; // text fields keep what is being typed
  }
  if (old instanceof HTMLOptionElement) old.selected = old.hasAttribute("selected");
  const [from, to] = /** @type {HTMLElement[]} */ (/** @type {unknown} */ ([fresh, old]));
  if (to.style.cssText !== from.style.cssText) to.style.cssText = from.style.cssText;
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function morphChildren(old, fresh) {
  const wanted = new Set([...fresh.childNodes].map(keyOf));
  for (const child of [...old.childNodes]) {
    if (keyOf(child) !== null && !wanted.has(keyOf(child))) child.remove(); // what follows it need not be moved
  }
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
    const now = morphNode(found, child);
    place = now.nextSibling;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/**
 * The node at this position, if it can be morphed into the new child.
 * @param {ChildNode | null} place
 * @param {Node} child
 */
const unkeyed = (place, child) => (place && alike(place, child) ? place : null);
