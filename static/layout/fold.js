// @ts-check
/** The nodes that stay open when a new branch needs room (the rule of the space tree), and those that can be open at first. */

import { few, MARGIN as FREE, most, pathTo, pvOf } from "../data/opening.js";
import { fitCamera } from "./camera.js";
import { standing } from "./tree-layout.js";

/** @import { Id, State } from "../data/types.js" */

/** @typedef {{width: number, totalHeight: number}} Extent of a drawing, in pixels at the scale 1 */

/** Pixels that stay free above and below the tree. */
const MARGIN = 16;
/** The least scale at which a tree that is opened whole is still read with ease. */
export const READABLE = 0.9;

/**
 * The open nodes after `id` was opened: while the drawing is higher or wider than the window, branches off the way
 * to `id` fold, those opened first before the others, the principal variation last; held ones stay, and those whose
 * folding would gain nothing.
 * Nodes give up the children that they show beyond the few before a branch folds.
 * @param {State} state
 * @param {Id | null} id
 * @param {(state: State) => Extent} extent
 */
export function foldToFit(state, id, extent) {
  const scale = Math.min(1, state.camera.scale);
  const high = (state.size.height - 2 * MARGIN) / scale;
  const wide = (state.size.width - 2 * MARGIN) / scale;
  /** @param {Extent} drawing */
  const excess = ({ width, totalHeight }) => Math.max(0, totalHeight - high) + Math.max(0, width - wide);
  const stays = new Set(pathTo(state, id));
  const expanded = new Set(state.expanded);
  const foldable = [...expanded].filter((branch) => !stays.has(branch) && !state.held.has(branch));
  if (foldable.length === 0) return expanded;
  const pv = pvOf(state);
  foldable.sort((a, b) => Number(pv.has(a)) - Number(pv.has(b)));
  let trial = { ...state, selected: id, expanded, room: 0 };
  let over = excess(extent(trial));
  for (const branch of foldable) {
    if (over <= 0) break;
    const fewer = new Set(expanded);
    fewer.delete(branch);
    const next = { ...trial, expanded: fewer };
    const less = excess(extent(next));
    if (less >= over) continue;
    expanded.delete(branch);
    trial = { ...trial, expanded };
    over = less;
  }
  return expanded;
}

/**
 * The number of children that each open node can show: as many as the window's height holds, with all that is open.
 * @param {State} state
 */
export function roomFor(state) {
  const { height } = state.size;
  const free = height - 2 * FREE;
  let [fits, bursts] = [few(height), most(height) + 1];
  // Asked first: where more is open than the window holds, the search for a number takes longest and the least is the
  // answer.
  for (let room = fits + 1; bursts - fits > 1; room = (fits + bursts) >> 1) {
    if (standing({ ...state, room }).totalHeight <= free) fits = room;
    else bursts = room;
  }
  return fits;
}

/**
 * Whether the whole drawing can be read in the window at once.
 * @param {State} state
 * @param {(state: State) => Extent} extent
 */
export function fitsWindow(state, extent) {
  return fitCamera(extent(state), state.size, 0).scale >= READABLE;
}
