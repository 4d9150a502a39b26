// @ts-check
/** Positions of the camera, computed from the layout, the window and the current position. */

import { MARGIN } from "../data/opening.js";

/** @import { Camera } from "../data/types.js" */
/** @import { Layout } from "./tree-layout.js" */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @typedef {{width: number, height: number}} Size */

export { MARGIN };

/** The box of a node's card, in tree points. @param {Layout} layout @param {number} row @returns {Box} */
export function cardBox(layout, row) {
  const column = layout.columns[layout.rows.depth[row] ?? 0] ?? { x: 0, width: 0, lane: 0, visits: 0 };
  const middle = layout.middle[row] ?? 0;
  const half = (layout.height[row] ?? 0) / 2;
  return { left: column.x, right: column.x + column.width, top: middle - half, bottom: middle + half };
}

/**
 * The box of a node's card and its drawn children's, with the wedges beside them.
 * @param {Layout} layout
 * @param {number} row
 * @returns {Box}
 */
export function familyBox(layout, row) {
  const box = cardBox(layout, row);
  const depth = layout.rows.depth[row] ?? 0;
  const lane = (/** @type {number} */ level) => layout.columns[level]?.lane ?? 0;
  box.right += lane(depth);
  for (let at = row + 1; at < layout.rows.ids.length && (layout.rows.depth[at] ?? 0) > depth; at += 1) {
    if (layout.rows.parent[at] !== row) continue;
    const child = cardBox(layout, at);
    box.right = Math.max(box.right, child.right + lane(depth + 1));
    box.top = Math.min(box.top, child.top);
    box.bottom = Math.max(box.bottom, child.bottom);
  }
  return box;
}

/**
 * The camera that shows everything, no larger than life; what does not fit at the least scale begins at the left.
 * @param {{width: number, totalHeight: number}} layout
 * @param {Size} size
 * @param {number} least the least scale
 * @returns {Camera}
 */
export function fitCamera(layout, size, least) {
  const wide = (size.width - 2 * MARGIN) / Math.max(1, layout.width);
  const high = (size.height - 2 * MARGIN) / Math.max(1, layout.totalHeight);
  const scale = Math.max(least, Math.min(1, wide, high));
  const spareX = size.width - layout.width * scale;
  const spareY = size.height - layout.totalHeight * scale;
  return { x: Math.round(Math.max(MARGIN, Math.min(spareX / 2, 3 * MARGIN))), y: Math.round(spareY / 2), scale };
}

/**
 * The camera with the middle of `box` in the middle of the window.
 * @param {Camera} camera
 * @param {Box} box
 * @param {Size} size
 * @returns {Camera}
 */
export function centreCamera({ scale }, box, size) {
  return {
    x: Math.round(size.width / 2 - ((box.left + box.right) / 2) * scale),
    y: Math.round(size.height / 2 - ((box.top + box.bottom) / 2) * scale),
    scale,
  };
}

/**
 * The camera moved just as far as brings `box` into the window; of a box that is too large, `first` comes before the
 * rest.
 * @param {Camera} camera
 * @param {Box} box
 * @param {Box} first
 * @param {Size} size
 * @returns {Camera}
 */
export function showCamera(camera, box, first, size) {
  const moved = into(camera, box, size);
  return into(moved, first, size);
}

/**
 * The camera moved to where more of `boxes`, from top to bottom, are seen: all if the window holds them, else the
 * first ones; the very same camera where that shows no more of them.
 * @param {Camera} camera
 * @param {Box[]} boxes
 * @param {Size} size
 */
export function revealCamera(camera, boxes, size) {
  const [first] = boxes;
  if (first === undefined) return camera;
  const around = boxes.reduce((all, box) => ({
    left: Math.min(all.left, box.left),
    top: Math.min(all.top, box.top),
    right: Math.max(all.right, box.right),
    bottom: Math.max(all.bottom, box.bottom),
  }));
  const moved = showCamera(camera, around, first, size);
  /** @param {Camera} by */
  const seen = (by) => boxes.filter((box) => contains(shownBox(by, size, 0), box)).length;
  return seen(moved) > seen(camera) ? moved : camera;
}

/**
 * The camera moved so that no part of the tree is outside the window on one side while there is room on the other.
 * @param {Camera} camera
 * @param {{width: number, totalHeight: number}} layout
 * @param {Size} size
 * @returns {Camera}
 */
export function fillCamera({ x, y, scale }, layout, size) {
  return {
    x: x + fill(x, layout.width * scale, size.width),
    y: y + fill(y, layout.totalHeight * scale, size.height),
    scale,
  };
}

/** @param {number} from where the span begins in the window @param {number} span its length @param {number} length of the window */
function fill(from, span, length) {
  const before = from - MARGIN;
  const after = length - MARGIN - from - span;
  return before < 0
    ? Math.round(Math.max(0, Math.min(-before, after)))
    : -Math.round(Math.max(0, Math.min(before, -after)));
}

/** @param {Camera} camera @param {Box} box @param {Size} size @returns {Camera} */
function into({ x, y, scale }, box, size) {
  return {
    x: x + push(box.left * scale + x, box.right * scale + x, size.width),
    y: y + push(box.top * scale + y, box.bottom * scale + y, size.height),
    scale,
  };
}

/**
 * The distance that a span has to move to lie within the window; one that is too long shows its beginning.
 * @param {number} from
 * @param {number} to
 * @param {number} length
 */
function push(from, to, length) {
  const margin = Math.min(MARGIN, Math.max(0, (length - (to - from)) / 2));
  if (from < margin) return Math.round(margin - from);
  if (to > length - margin) return Math.round(Math.max(length - margin - to, margin - from));
  return 0;
}

/**
 * The part of the tree that the window shows, and `beyond` times its size on every side.
 * @param {Camera} camera
 * @param {Size} size
 * @param {number} beyond
 * @returns {Box}
 */
export function shownBox({ x, y, scale }, size, beyond) {
  const width = size.width / scale;
  const height = size.height / scale;
  const left = -x / scale;
  const top = -y / scale;
  return {
    left: left - beyond * width,
    top: top - beyond * height,
    right: left + (1 + beyond) * width,
    bottom: top + (1 + beyond) * height,
  };
}

/** Whether `inner` lies within `outer`. @param {Box} outer @param {Box} inner */
export function contains(outer, inner) {
  const across = outer.left <= inner.left && outer.right >= inner.right;
  return across && outer.top <= inner.top && outer.bottom >= inner.bottom;
}

/** Pixels of the tree that stay in the window, however far it is dragged. */
const PIECE = 60;

/**
 * The camera moved no further than needed to keep a piece of the tree in the window.
 * @param {Camera} camera
 * @param {{width: number, totalHeight: number}} layout
 * @param {Size} size
 * @returns {Camera} the very same camera where nothing has to move
 */
export function keepCamera(camera, layout, size) {
  const x = keep(camera.x, layout.width * camera.scale, size.width);
  const y = keep(camera.y, layout.totalHeight * camera.scale, size.height);
  return x === camera.x && y === camera.y ? camera : { ...camera, x, y };
}

/**
 * @param {number} from where the span begins in the window
 * @param {number} span its length
 * @param {number} length of the window
 */
function keep(from, span, length) {
  const piece = Math.min(PIECE, span, length);
  return Math.min(length - piece, Math.max(piece - span, from));
}
