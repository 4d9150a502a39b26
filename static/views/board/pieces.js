// @ts-check
/** The pieces on a cell: shapes in a player's colour, crosses and noughts, Hive's tiles with their bugs, or the plain name. */

import { label, rounded } from "./cells.js";
import { PIECES, bugOf, shapeOf, signOf } from "./shapes.js";

/** @import { Point, Shape } from "./cells.js" */

/** How far a piece lies to the right of and above the one below it, and how much smaller all of a stack are for it. */
const SHIFT = /** @type {const} */ ([0.03, -0.07]);
const SHRINK = 0.078;
/** Beyond so many pieces on others they lie closer. */
const MOST_SHIFTED = 4;

/** The outline of a tile; null where pieces have none. @typedef {((x: number, y: number, size: number) => string) | null} Tile */

/**
 * What stands on a cell, those below first. A stack stays within its cell, so that it hides no other piece: the
 * higher it is, the smaller are its pieces.
 * @param {readonly string[]} pieces the top one last
 * @param {Point} centre
 * @param {Tile} tile
 * @returns {Shape[]}
 */
export function pieceShapes(pieces, [x, y], tile) {
  const raised = pieces.length - 1;
  const step = Math.min(1, MOST_SHIFTED / Math.max(1, raised));
  const size = rounded(1 - SHRINK * step * raised);
  return pieces.flatMap((piece, i) => {
    const shift = step * (i - raised / 2);
    return pieceShape(piece, [rounded(x + SHIFT[0] * shift), rounded(y + SHIFT[1] * shift)], size, tile, i === raised);
  });
}

/**
 * One piece; of those below others no word is written.
 * @param {string} piece
 * @param {Point} at
 * @param {number} size
 * @param {Tile} tile
 * @param {boolean} isTop
 * @returns {Shape[]}
 */
function pieceShape(piece, at, size, tile, isTop) {
  const place = { transform: `translate(${at[0]} ${at[1]}) scale(${rounded(0.01 * size)})` };
  const sign = signOf(piece);
  if (sign !== null) return [{ tag: "path", className: `board-${sign.name}`, attributes: { d: sign.line, ...place } }];
  const shape = shapeOf(piece);
  if (shape === null)
    return [
      ...(tile === null ? [] : [tileShape(piece, at, size, tile)]),
      ...(isTop ? faceShapes(piece, at, size, tile) : []),
    ];
  const { colour, form, word } = shape;
  const ink = PIECES.colours[colour] ?? "dark";
  const looks = { "fill-rule": "evenodd", fill: `var(--piece-${colour})`, ...place };
  /** @type {Shape[]} */
  const shapes = [
    { tag: "path", className: `board-shape board-shape-${colour}`, attributes: { d: form.body, ...looks } },
    {
      tag: "path",
      className: "board-shape-line",
      attributes: { d: form.line ?? "", stroke: `var(--ink-${ink})`, ...place },
    },
    label(at, isTop ? word : "", `board-piece board-ink-${ink}`, rounded(0.85 * size * textSize(word))),
  ];
  return shapes.filter(({ attributes, text }) => text !== "" && attributes["d"] !== "");
}

/** Whose a tile is by its name, `wQ`. @param {string} piece */
function sideOf(piece) {
  return /^w[A-Z]/.test(piece) ? "white" : /^b[A-Z]/.test(piece) ? "black" : "other";
}

/**
 * @param {string} piece
 * @param {Point} at
 * @param {number} size
 * @param {(x: number, y: number, size: number) => string} tile
 * @returns {Shape}
 */
function tileShape(piece, at, size, tile) {
  return {
    tag: "path",
    className: `board-tile board-tile-${sideOf(piece)}`,
    attributes: { d: tile(...at, rounded(0.97 * size)) },
  };
}

/**
 * The name of a piece; on a tile its bug above its letter and number.
 * @param {string} piece
 * @param {Point} at
 * @param {number} size
 * @param {Tile} tile
 * @returns {Shape[]}
 */
function faceShapes(piece, at, size, tile) {
  const [x, y] = at;
  const side = tile === null ? "other" : sideOf(piece);
  const text = side === "other" ? piece : piece.slice(1);
  const found = tile === null ? null : bugOf(piece);
  if (found === null) return [label(at, text, `board-piece board-piece-${side}`, rounded(size * textSize(text)))];
  const place = { transform: `translate(${x} ${rounded(y - 0.19 * size)}) scale(${rounded(0.0255 * size)})` };
  const kind = `bug-${found.letter} bug-on-${found.side}`;
  return [
    { tag: "path", className: `bug-legs ${kind}`, attributes: { d: found.bug.legs, ...place } },
    { tag: "path", className: `bug-body ${kind}`, attributes: { d: found.bug.body, "fill-rule": "evenodd", ...place } },
    label([x, rounded(y + 0.27 * size)], text, `board-piece board-piece-${side}`, rounded(0.34 * size)),
  ];
}

/** How high a stack is, at the upper right corner of its cell. @param {readonly string[]} pieces @param {Point} at @returns {Shape[]} */
export function heightShapes(pieces, [x, y]) {
  if (pieces.length < 2) return [];
  const at = /** @type {const} */ ([rounded(x + 0.34), rounded(y - 0.28)]);
  return [
    { tag: "circle", className: "board-height", attributes: { cx: at[0], cy: at[1], r: 0.17 } },
    label(at, String(pieces.length), "board-stack", 0.26),
  ];
}

/** @param {string} text */
function textSize(text) {
  return Math.min(0.5, 1.3 / Math.max(2, [...text].length));
}
