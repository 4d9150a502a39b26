// @ts-check
/** The line from a node to one of its children: straight past the wedges' lane, then a curve. */

import { SIZES } from "../../layout/tree-layout.js";

/**
 * The path from the parent's right edge to the child's left edge.
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
export function linkPath(x1, y1, x2, y2) {
  const turn = Math.max(x1, x2 - SIZES.link);
  const middle = (turn + x2) / 2;
  const [from, to, half] = [round(y1), round(y2), round(middle)];
  return `M${round(x1)} ${from}H${round(turn)}C${half} ${from} ${half} ${to} ${round(x2)} ${to}`;
}

/**
 * Pixels of a link that is as wide as its share of the visits; the principal variation stays the heaviest line.
 * @param {number} share
 * @param {boolean} pv
 */
export function linkWidth(share, pv) {
  return round((pv ? 2.6 : 1) + WIDEST * share);
}

/** Pixels that the whole of the visits adds to a link. */
const WIDEST = 9;

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
