// @ts-check
/** The pieces on a cell: discs, crosses and noughts, stacks of tiles with their bugs, or the piece's name as it is. */

import { label, rounded } from "./cells.js";
import { bugOf } from "./bugs.js";

/** @import { Point, Shape } from "./cells.js" */

const DISC = /^(black|white|red|yellow|blue|green)\b.*\b(disc|stone|counter|man|piece)s?$/i;
const CROSS = /^(x|cross)$/i;
const NOUGHT = /^(o|nought|naught|circle|ring)$/i;
/** How far a tile lies to the right of and above the one below it, and how much smaller all of a stack are for it. */
const SHIFT = /** @type {const} */ ([0.03, -0.07]);
const SHRINK = 0.078;
/** Beyond so many tiles on others they lie closer. */
const MOST_SHIFTED = 4;

/**
 * What stands on a cell, those below first. A stack stays within its cell, so that it hides no other piece: the
 * higher it is, the smaller are its tiles.
 * @param {readonly string[]} pieces the top one last
 * @param {Point} centre
 * @param {((x: number, y: number, size: number) => string) | null} tile the outline of a tile, null where pieces have none
 * @returns {Shape[]}
 */
export function pieceShapes(pieces, centre, tile) {
  const top = pieces.at(-1);
  if (top === undefined) return [];
  if (tile === null || (pieces.length === 1 && DISC.test(top))) return [plainShape(top, centre)];
  const raised = pieces.length - 1;
  const step = Math.min(1, MOST_SHIFTED / Math.max(1, raised));
  const size = rounded(1 - SHRINK * step * raised);
  /** @type {(level: number) => Point} */
  const at = (level) => [
    rounded(centre[0] + SHIFT[0] * step * (level - raised / 2)),
    rounded(centre[1] + SHIFT[1] * step * (level - raised / 2)),
  ];
  const tiles = pieces.map((piece, i) => tileShape(piece, at(i), size, tile));
  return [...tiles, ...faceShapes(top, at(raised), size)];
}

/** Whose a piece is by its name: `wQ`, `white disc`. @param {string} piece @returns {"white" | "black" | "other"} */
function sideOf(piece) {
  if (/^(w[A-Z]|white\b)/.test(piece)) return "white";
  if (/^(b[A-Z]|black\b)/.test(piece)) return "black";
  return "other";
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
    className: `board-cell board-cell-${sideOf(piece)}`,
    attributes: { d: tile(...at, rounded(0.97 * size)) },
  };
}

/**
 * The face of the tile on top: its bug above its letter and number, or its name.
 * @param {string} piece
 * @param {Point} at
 * @param {number} size
 * @returns {Shape[]}
 */
function faceShapes(piece, at, size) {
  const [x, y] = at;
  const side = sideOf(piece);
  const text = side === "other" ? piece : piece.replace(/^[wb](?=[A-Z])/, "");
  const found = bugOf(piece);
  if (found === null) return [label(at, text, `board-piece board-piece-${side}`, rounded(size * textSize(text)))];
  const place = { transform: `translate(${x} ${rounded(y - 0.19 * size)}) scale(${rounded(0.0255 * size)})` };
  const kind = `bug-${found.letter} bug-on-${found.side}`;
  return [
    { tag: "path", className: `bug-legs ${kind}`, attributes: { d: found.bug.legs, ...place } },
    { tag: "path", className: `bug-body ${kind}`, attributes: { d: found.bug.body, "fill-rule": "evenodd", ...place } },
    label([x, rounded(y + 0.27 * size)], text, `board-piece board-piece-${side}`, rounded(0.34 * size)),
  ];
}

/** @param {string} piece @param {Point} centre @returns {Shape} */
function plainShape(piece, [x, y]) {
  const disc = DISC.exec(piece);
  if (disc) {
    const colour = (disc[1] ?? "").toLowerCase();
    return { tag: "circle", className: `board-disc board-disc-${colour}`, attributes: { cx: x, cy: y, r: 0.39 } };
  }
  if (CROSS.test(piece)) {
    return { tag: "path", className: "board-cross", attributes: { d: `M${x - 0.25} ${y - 0.25}l.5 .5m0 -.5l-.5 .5` } };
  }
  if (NOUGHT.test(piece)) return { tag: "circle", className: "board-nought", attributes: { cx: x, cy: y, r: 0.27 } };
  return label([x, y], piece, "board-piece board-piece-plain", textSize(piece));
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
