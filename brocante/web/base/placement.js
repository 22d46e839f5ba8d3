/** Words that float beside what they are about. */

/**
 * Place words above or below what they are about, or on the other side if there is no room.
 * @param {Element} about
 * @param {HTMLElement} words
 * @param {"above" | "below"} side
 */
export function placeBeside(about, words, side) {
  const [there, size] = [about.getBoundingClientRect(), words.getBoundingClientRect()];
  const [above, below] = [there.top - size.height - 8, there.bottom + 8];
  const isAbove = side === "above" ? above > 4 : below + size.height > innerHeight - 4;
  const x = Math.max(8, Math.min(there.left + there.width / 2 - size.width / 2, innerWidth - size.width - 8));
  words.style.left = `${x}px`;
  words.style.top = `${isAbove ? above : below}px`;
}
