// @ts-check
/** Which rows are worth drawing: all of a small tree; of a large one those near the window and those on the path. */

import { cardBox, shownBox } from "./camera.js";

/** @import { Camera } from "../data/types.js" */
/** @import { Layout } from "./tree-layout.js" */

/** The most rows of a layout that are all drawn, also those outside the window. */
export const ALL_UP_TO = 600;
/** Window sizes beyond each edge that are drawn too, so that panning finds them there. */
export const BEYOND = 1;

/** The most new rows that are drawn in one frame, also those outside the window; of more, those in the window come first. */
export const NEW_AT_ONCE = 40;

/**
 * The rows of `rows` to draw in the first frame: those that are drawn already, and those in the window. The others come
 * two frames later, so that the visible part is painted sooner.
 * @param {Layout} layout
 * @param {Camera} camera
 * @param {{width: number, height: number}} size
 * @param {number[]} rows
 * @param {(row: number) => boolean} isKept whether a row is drawn in any case, as it is drawn already or lies on the
 *   path
 * @returns {number[]} `rows` itself where all are drawn
 */
export function rowsAtFirst(layout, camera, size, rows, isKept) {
  const fresh = rows.filter((row) => !isKept(row));
  if (fresh.length <= NEW_AT_ONCE) return rows;
  const shown = shownBox(camera, size, 0);
  const later = new Set(
    fresh.filter((row) => {
      const box = cardBox(layout, row);
      return box.left > shown.right || box.right < shown.left || box.top > shown.bottom || box.bottom < shown.top;
    }),
  );
  return later.size === 0 ? rows : rows.filter((row) => !later.has(row));
}

/**
 * The rows to draw.
 * @param {Layout} layout
 * @param {Camera} camera
 * @param {{width: number, height: number}} size
 * @param {Iterable<number>} always rows that are drawn in any case
 */
export function rowsToDraw(layout, camera, size, always) {
  const n = layout.rows.ids.length;
  if (n <= ALL_UP_TO) return Array.from({ length: n }, (_, row) => row);
  const shown = shownBox(camera, size, BEYOND);
  /** @type {Set<number>} */
  const rows = new Set(always);
  for (let row = 0; row < n; row += 1) {
    const box = cardBox(layout, row);
    if (box.left > shown.right || box.top > shown.bottom || box.bottom < shown.top) continue;
    // A card left of the window is drawn only for its wedge; its links are drawn by its children.
    if (box.right < shown.left) continue;
    rows.add(row);
  }
  return [...rows].sort((a, b) => a - b);
}
