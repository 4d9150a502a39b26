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

/**
 * The tie of two cards that are visits of one position: beside the column of both if they share one, else from edge to
 * edge.
 * @typedef {{x: number, y: number, width: number, height: number}} Card its left edge, and its middle
 * @param {Card} from
 * @param {Card} to
 */
export function tiePath(from, to) {
  if (Math.abs(from.x - to.x) < 1) {
    const x = round(from.x - Math.min(28, 14 + Math.abs(to.y - from.y) / 8));
    return `M${round(from.x)} ${round(from.y)}C${x} ${round(from.y)} ${x} ${round(to.y)} ${round(to.x)} ${round(to.y)}`;
  }
  const [first, last] = from.x < to.x ? [from, to] : [to, from];
  const side = last.y >= first.y ? 1 : -1; // out of the edge that looks at the other card, into its left end
  const [x1, y1] = [first.x + first.width / 2, first.y + (side * first.height) / 2];
  const bend = Math.max(26, Math.abs(last.y - y1) * 0.6);
  return `M${round(x1)} ${round(y1)}C${round(x1)} ${round(y1 + side * bend)} ${round(last.x - 60)} ${round(last.y)} ${round(last.x)} ${round(last.y)}`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
