// @ts-check
/** Where a tip goes: beside the pointer, never under it, never out of the window. */

/** @typedef {{width: number, height: number}} Size */

/** Pixels between the pointer and the tip, and between the tip and the edge of the window. */
const GAP = 14;
const EDGE = 8;
/** Pixels between a card and its tip. */
const NEAR = 6;
/** Pixels of an obstacle of weight 1 that are covered rather than standing one pixel further away. */
const FAR = 50;

/**
 * The left and top of a tip of `tip` pixels for a pointer at (x, y): right below where there is room, else on the
 * other side; where it fits neither below nor above, it stands beside the pointer.
 * @param {{x: number, y: number}} pointer
 * @param {Size} tip
 * @param {Size} page
 */
export function placeTip({ x, y }, tip, page) {
  const left = beside(x, tip.width, page.width);
  const top = beside(y, tip.height, page.height);
  return {
    left: left ?? within(x - tip.width / 2, tip.width, page.width),
    top: top ?? within(y - tip.height / 2, tip.height, page.height),
  };
}

/** A box that a tip should not cover, and its weight. @typedef {Box & {weight: number}} Obstacle */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/**
 * How much it matters that a tip covers a pixel: never of its own card; of the siblings, which one compares, only where
 * there is no other place; then of the children, of the path to the root, of other cards, of the panels.
 */
export const WEIGHTS = Object.freeze({ own: 1e6, sibling: 1e4, child: 100, path: 20, other: 3, aside: 1 });

/**
 * The left and top of a tip for a card: the place in the window that covers the least weight, the nearest of several.
 * Where all places cover as much, it stands below its card, right edges in line.
 * @param {Box} card
 * @param {Size} tip
 * @param {Size} page
 * @param {readonly Obstacle[]} obstacles without the card itself
 */
export function placeAtCard(card, tip, page, obstacles) {
  const { left: from, right: to, top: head, bottom: foot } = card; // a DOMRect has no fields of its own to spread
  const all = [{ left: from, right: to, top: head, bottom: foot, weight: WEIGHTS.own }, ...obstacles];
  const across = [
    card.right - tip.width,
    card.left,
    ...all.flatMap(({ left, right }) => [left - NEAR - tip.width, right + NEAR]),
  ];
  const down = [
    card.bottom + NEAR,
    (card.top + card.bottom - tip.height) / 2,
    ...all.flatMap(({ top, bottom }) => [top - NEAR - tip.height, bottom + NEAR]),
  ];
  const [lefts, tops] = [stops(across, tip.width, page.width), stops(down, tip.height, page.height)];
  let best = { left: lefts[0] ?? EDGE, top: tops[0] ?? EDGE };
  let least = Infinity;
  for (const left of lefts) {
    for (const top of tops) {
      const covered = cost({ left, top, right: left + tip.width, bottom: top + tip.height }, all, least);
      const far =
        FAR *
        Math.max(
          Math.abs(left + (tip.width - card.left - card.right) / 2),
          Math.abs(top + (tip.height - card.top - card.bottom) / 2),
        );
      if (covered + far >= least) continue;
      least = covered + far;
      best = { left, top };
    }
  }
  return best;
}

/**
 * The places where a tip may begin on one axis: the wanted ones, kept in the window, and the window's ends.
 * @param {readonly number[]} wanted
 * @param {number} length of the tip
 * @param {number} room
 */
function stops(wanted, length, room) {
  return [...new Set([...wanted, EDGE, room - length - EDGE].map((at) => Math.round(within(at, length, room))))];
}

/**
 * The weight that a tip covers; the sum ends as soon as it exceeds `least`.
 * @param {Box} tip
 * @param {readonly Obstacle[]} obstacles
 * @param {number} least
 */
function cost(tip, obstacles, least) {
  let covered = 0;
  for (const { left, right, top, bottom, weight } of obstacles) {
    const width = Math.min(tip.right, right) - Math.max(tip.left, left);
    const height = Math.min(tip.bottom, bottom) - Math.max(tip.top, top);
    if (width > 0 && height > 0) covered += width * height * weight;
    if (covered > least) break;
  }
  return covered;
}

/** @param {number} at @param {number} length @param {number} room */
function beside(at, length, room) {
  if (at + GAP + length + EDGE <= room) return Math.max(EDGE, at + GAP);
  if (at - GAP - length >= EDGE) return at - GAP - length;
  return null;
}

/** @param {number} start @param {number} length @param {number} room */
function within(start, length, room) {
  return Math.max(EDGE, Math.min(start, room - length - EDGE));
}
