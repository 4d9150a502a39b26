// @ts-check
/** A live window as a short bar: its open ends at the edges, a tick at the best so far; several bars on one scale. */

import { toNumber } from "../data/claims.js";
import { svg } from "./element.js";
import { signed } from "./numbers.js";

/** @import { Open, Score } from "../data/types.js" */

/** @typedef {{low: number, high: number}} Scale */

/**
 * The range of the finite ends and bests of all windows, with room at either side for open ends.
 * @param {readonly Open[]} stack
 * @returns {Scale}
 */
export function windowScale(stack) {
  const numbers = stack
    .flatMap(({ alpha, beta, best }) => [alpha, beta, best])
    .flatMap((each) => (each === undefined ? [] : [toNumber(each)]))
    .filter(Number.isFinite);
  if (numbers.length === 0) return { low: -1, high: 1 };
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  const margin = (high - low || Math.abs(high) || 1) * 0.15;
  return { low: low - margin, high: high + margin };
}

/**
 * The parts of a bar, at its place in a drawing.
 * @param {Open} open
 * @param {Scale} scale
 * @param {{x: number, y: number, width: number, height: number}} box
 * @param {"alpha" | "beta" | null} [moved] the edge that has just moved
 */
export function windowBar({ alpha, beta, best }, scale, box, moved = null) {
  /** @param {number} value */
  const x = (value) =>
    box.x + Math.round(Math.max(0, Math.min(1, (value - scale.low) / (scale.high - scale.low))) * box.width * 10) / 10;
  const left = alpha === undefined ? box.x : x(toNumber(alpha));
  const right = beta === undefined ? box.x + box.width : x(toNumber(beta));
  const isStated = alpha !== undefined || beta !== undefined;
  const middle = box.y + box.height / 2;
  /** @type {SVGElement[]} */
  const parts = [svg("rect.window-track", { x: box.x, y: middle - 1, width: box.width, height: 2 })];
  if (isStated && right > left)
    parts.push(
      svg("rect.window-open", {
        x: left,
        y: middle - box.height * 0.3,
        width: Math.max(1, right - left),
        height: box.height * 0.6,
        rx: 1,
      }),
    );
  if (isStated && right <= left)
    parts.push(svg("rect.window-closed", { x: Math.max(box.x, right - 1), y: box.y, width: 2, height: box.height }));
  if (best !== undefined)
    parts.push(svg("rect.window-best", { x: x(toNumber(best)) - 1, y: box.y, width: 2, height: box.height }));
  if (moved !== null)
    parts.push(svg("circle.window-moved", { cx: moved === "alpha" ? left : right, cy: middle, r: box.height / 2 }));
  return parts;
}

/**
 * A window in figures; nothing where the log states none.
 * @param {Open} open
 * @param {number} [decimals] as many as it takes where left out
 */
export function openWindowText({ alpha, beta }, decimals) {
  if (alpha === undefined && beta === undefined) return "";
  if (alpha !== undefined && beta !== undefined && toNumber(alpha) >= toNumber(beta)) return "closed: cut";
  return `${edge(alpha, decimals)} \u2026 ${edge(beta, decimals)}`;
}

/** @param {Score | undefined} value @param {number} [decimals] */
function edge(value, decimals) {
  return value === undefined ? "?" : signed(value, decimals);
}

/** The window and the best so far of a node that is searched, in words. @param {Open} open */
export function openText(open) {
  const window = openWindowText(open);
  return `${open.best === undefined ? "no ply yet" : `best so far ${signed(open.best)}`}${window === "" ? "" : `, window ${window}`}`;
}
