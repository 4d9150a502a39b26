// @ts-check
/** The pieces on a cell: discs, crosses and noughts, stacks of tiles with their bugs, or the piece's name as it is. */

import { label, rounded } from "./board-cells.js";
import { bugOf } from "./bugs.js";

/** @typedef {import("./board-cells.js").Shape} Shape */
/** @typedef {import("./board-cells.js").Point} Point */

const DISC = /^(black|white|red|yellow|blue|green)\b.*\b(disc|stone|counter|man|piece)s?$/i;
const CROSS = /^(x|cross)$/i;
const NOUGHT = /^(o|nought|naught|circle|ring)$/i;
/** How far a tile lies to the right of and above the one below it. */
const SHIFT = /** @type {const} */ ([0.06, -0.11]);

/**
 * What stands on a cell, those below first.
 * @param {readonly string[]} pieces the top one last
 * @param {Point} centre
 * @param {((x: number, y: number, size: number) => string) | null} tile the outline of a tile, null where pieces have none
 * @returns {Shape[]}
 */
export function pieceShapes(pieces, centre, tile) {
  const top = pieces.at(-1);
  if (top === undefined) return [];
  if (tile === null) return [plainShape(top, centre), ...heightShapes(pieces, centre)];
  const shapes = pieces.map((piece, i) => tileShape(piece, raised(centre, i), tile));
  const at = raised(centre, pieces.length - 1);
  return [...shapes, ...faceShapes(top, at), ...heightShapes(pieces, at)];
}

/** @param {Point} centre @param {number} level @returns {Point} */
function raised([x, y], level) {
  return [rounded(x + SHIFT[0] * level), rounded(y + SHIFT[1] * level)];
}

/**
 * Whose a piece is by its name: `wQ`, `white disc`.
 * @param {string} piece
 * @returns {"white" | "black" | "other"}
 */
export function sideOf(piece) {
  if (/^(w[A-Z]|white\b)/.test(piece)) return "white";
  if (/^(b[A-Z]|black\b)/.test(piece)) return "black";
  return "other";
}

/** @param {string} piece @param {Point} at @param {(x: number, y: number, size: number) => string} tile @returns {Shape} */
function tileShape(piece, at, tile) {
  return { tag: "path", className: `board-cell board-cell-${sideOf(piece)}`, attributes: { d: tile(...at, 0.97) } };
}

/**
 * The face of the tile on top: its bug above its letter and number, or its name.
 * @param {string} piece
 * @param {Point} at
 * @returns {Shape[]}
 */
function faceShapes(piece, at) {
  const [x, y] = at;
  const side = sideOf(piece);
  const text = side === "other" ? piece : piece.replace(/^[wb](?=[A-Z])/, "");
  const found = bugOf(piece);
  if (found === null) return [label(at, text, `board-piece board-piece-${side}`, textSize(text))];
  const place = { transform: `translate(${x} ${rounded(y - 0.19)}) scale(0.0255)` };
  const kind = `bug-${found.letter} bug-on-${found.side}`;
  return [
    { tag: "path", className: `bug-legs ${kind}`, attributes: { d: found.bug.legs, ...place } },
    { tag: "path", className: `bug-body ${kind}`, attributes: { d: found.bug.body, "fill-rule": "evenodd", ...place } },
    label([x, rounded(y + 0.27)], text, `board-piece board-piece-${side}`, 0.34),
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

/** How high a stack is, at its upper right corner. @param {readonly string[]} pieces @param {Point} at @returns {Shape[]} */
function heightShapes(pieces, [x, y]) {
  if (pieces.length < 2) return [];
  const at = /** @type {const} */ ([rounded(x + 0.36), rounded(y - 0.3)]);
  return [
    { tag: "circle", className: "board-height", attributes: { cx: at[0], cy: at[1], r: 0.19 } },
    label(at, String(pieces.length), "board-stack", 0.27),
  ];
}

/** @param {string} text */
function textSize(text) {
  return Math.min(0.5, 1.3 / Math.max(2, [...text].length));
}
