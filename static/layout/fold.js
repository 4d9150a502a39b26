// @ts-check
/** Which branches stay open when a new one needs their room: the space tree's rule. */

import { outline, pathTo } from "../data/opening.js";
import { rowHeights, SIZES } from "./tree-layout.js";
import { tidy } from "./tidy.js";

/** @typedef {import("../data/types.js").State} State */
/** @typedef {import("../data/types.js").Id} Id */

/** Pixels that stay free above and below the tree. */
const MARGIN = 16;

/**
 * The open nodes after `id` was opened: while the drawing is higher than the window, branches off the way to `id`
 * fold, those opened first before the others; held ones stay, and those whose folding would gain nothing.
 * @param {State} state
 * @param {Id | null} id
 * @returns {Set<Id>}
 */
export function foldToFit(state, id) {
  const room = (state.size.height - 2 * MARGIN) / Math.min(1, state.camera.scale);
  const stays = new Set(pathTo(state, id));
  const expanded = new Set(state.expanded);
  let trial = { ...state, selected: id, expanded };
  let height = drawnHeight(trial);
  for (const branch of [...state.expanded]) {
    if (height <= room) break;
    if (stays.has(branch) || state.held.has(branch)) continue;
    const fewer = new Set(expanded);
    fewer.delete(branch);
    const next = { ...trial, expanded: fewer };
    const lower = drawnHeight(next);
    if (lower >= height) continue;
    expanded.delete(branch);
    trial = { ...trial, expanded };
    height = lower;
  }
  return expanded;
}

/**
 * The height of the drawing, in pixels at the scale 1.
 * @param {State} state
 */
export function drawnHeight(state) {
  const rows = outline(state);
  const height = rowHeights(state, rows);
  const middle = tidy(rows.parent, height, SIZES.gap);
  let bottom = 0;
  for (let row = 0; row < height.length; row += 1) {
    bottom = Math.max(bottom, /** @type {number} */ (middle[row]) + /** @type {number} */ (height[row]) / 2);
  }
  return bottom;
}
