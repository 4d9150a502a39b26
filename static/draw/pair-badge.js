// @ts-check
/** The badges of two plies that are set against each other, the same in tree and charts: X filled, Y hollow and dashed. */

import { svg } from "./element.js";

/** Half of a badge's width and height. */
const HALF = 8;

/**
 * @param {"x" | "y"} badge
 * @param {number} x its middle
 * @param {number} y
 */
export function pairBadge(badge, x, y) {
  return svg(
    "g",
    { class: `pair-badge pair-${badge}`, "aria-hidden": "true" },
    svg("rect", { x: x - HALF, y: y - HALF, width: 2 * HALF, height: 2 * HALF, rx: 4 }),
    svg("text", { x, y: y + 4, "text-anchor": "middle" }, badge.toUpperCase()),
  );
}
