// @ts-check
/**
 * The shown part of a board without edges. It stays the same from node to node, so that the eye keeps its place, and
 * changes only where something would lie outside or where it has become far too large.
 */

import { frameOf, layOf } from "./cells.js";

/** @import { Drawing } from "../../data/types.js" */
/** @import { Frame } from "./cells.js" */

/** Room around the needed part: one cell, to which a ply may go without a new frame. */
const ROOM = /** @type {const} */ ([1, Math.sqrt(3) / 2]);
/** How many times the area that is needed a frame may have. */
const MOST = 3;

/**
 * The needed part of a board of hexes: the pieces, the targets of plies, the origin of the last ply.
 * @param {Drawing} drawing
 * @returns {Frame}
 */
export function neededFrame({ kind, cells = [], plies = [], step }) {
  const { place } = layOf(kind);
  const seen = cells.filter((cell) => cell.pieces?.length).map((cell) => place(cell.x, cell.y));
  for (const at of [...plies.map(({ to }) => to), step?.to, step?.from]) {
    if (at !== undefined) seen.push(place(...at));
  }
  return frameOf(seen.length > 0 ? seen : cells.map((cell) => place(cell.x, cell.y)), false);
}

/**
 * The frame in which a board is drawn, after the one in which boards of this log were drawn before.
 * @param {Frame | undefined} kept
 * @param {Frame} needed
 */
export function steadyFrame(kept, needed) {
  if (kept === undefined) return roomy(needed);
  if (holds(kept, needed) && area(kept) <= MOST * area(roomy(needed))) return kept;
  const both = union(kept, needed);
  return area(both) <= MOST * area(roomy(needed)) ? union(kept, roomy(needed)) : roomy(needed);
}

/** Whether a hex lies inside the frame as a whole. @param {Frame} frame @param {readonly [number, number]} centre */
export function showsHex({ left, top, width, height }, [x, y]) {
  const [half, tall] = [0.5, 1 / Math.sqrt(3)];
  return x - half >= left && x + half <= left + width && y - tall >= top && y + tall <= top + height;
}

/** @param {Frame} frame @returns {Frame} */
function roomy({ left, top, width, height }) {
  return { left: left - ROOM[0], top: top - ROOM[1], width: width + 2 * ROOM[0], height: height + 2 * ROOM[1] };
}

/** @param {Frame} outer @param {Frame} inner */
function holds(outer, inner) {
  const all = union(outer, inner);
  return all.width <= outer.width + 1e-6 && all.height <= outer.height + 1e-6;
}

/** @param {Frame} a @param {Frame} b @returns {Frame} */
function union(a, b) {
  const left = Math.min(a.left, b.left);
  const top = Math.min(a.top, b.top);
  const right = Math.max(a.left + a.width, b.left + b.width);
  const bottom = Math.max(a.top + a.height, b.top + b.height);
  return { left, top, width: right - left, height: bottom - top };
}

/** @param {Frame} frame */
function area({ width, height }) {
  return width * height;
}
