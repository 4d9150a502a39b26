// @ts-check
/** Where a tip goes: beside the pointer, never under it, never out of the window. */

/** @typedef {{width: number, height: number}} Size */

/** Pixels between the pointer and the tip, and between the tip and the edge of the window. */
const GAP = 14;
const EDGE = 8;
/** Pixels between a card and its tip. */
const NEAR = 6;

/**
 * The left and top of a tip of `tip` pixels for a pointer at (x, y): right below where there is room, else on the
 * other side; where it fits neither below nor above, it stands beside the pointer.
 * @param {{x: number, y: number}} pointer
 * @param {Size} tip
 * @param {Size} page
 * @returns {{left: number, top: number}}
 */
export function placeTip({ x, y }, tip, page) {
  const left = beside(x, tip.width, page.width);
  const top = beside(y, tip.height, page.height);
  return {
    left: left ?? within(x - tip.width / 2, tip.width, page.width),
    top: top ?? within(y - tip.height / 2, tip.height, page.height),
  };
}

/**
 * The left and top of a tip for a card: below it, else above it, and as far to the left as its children, which stand
 * to its right, need. Where it fits neither below nor above, it stands to the left of the card, else to the right of
 * it; where there is no room at all, it goes where one for the pointer goes.
 * @param {{x: number, y: number}} pointer
 * @param {{left: number, right: number, top: number, bottom: number}} card
 * @param {Size} tip
 * @param {Size} page
 * @returns {{left: number, top: number}}
 */
export function placeAtCard(pointer, card, tip, page) {
  const below = card.bottom + NEAR;
  const above = card.top - NEAR - tip.height;
  const top = below + tip.height + EDGE <= page.height ? below : above;
  if (top >= EDGE) return { left: within(card.right - tip.width, tip.width, page.width), top };
  const left = [card.left - NEAR - tip.width, card.right + NEAR].find((at) => at >= EDGE && at + tip.width + EDGE <= page.width);
  if (left === undefined) return placeTip(pointer, tip, page);
  return { left, top: within((card.top + card.bottom - tip.height) / 2, tip.height, page.height) };
}

/**
 * @param {number} at
 * @param {number} length
 * @param {number} room
 * @returns {number | null}
 */
function beside(at, length, room) {
  if (at + GAP + length + EDGE <= room) return Math.max(EDGE, at + GAP);
  if (at - GAP - length >= EDGE) return at - GAP - length;
  return null;
}

/**
 * @param {number} start
 * @param {number} length
 * @param {number} room
 * @returns {number}
 */
function within(start, length, room) {
  return Math.max(EDGE, Math.min(start, room - length - EDGE));
}
