// @ts-check
/**
 * A position as a drawn board: squares with discs, crosses and noughts, hexes with stacks of tiles, or text as it is.
 *
 * `boardShapes` is geometry only, one unit a cell; `drawBoard` makes the picture of it.
 */

import { cellKey, frameOf, label, layOf, rounded } from "./cells.js";
import { showsHex } from "./frame.js";
import { heightShapes, pieceShapes } from "./pieces.js";
import { boardWords, surroundedQueens } from "./words.js";
import { html, svg } from "../../draw/element.js";
import { plain } from "../../draw/numbers.js";

/** @import { Cell, Drawing } from "../../data/types.js" */
/** @import { Frame, Point, Shape } from "./cells.js" */

/** @typedef {Frame & {shapes: Shape[]}} Picture */

const GRID_NAME = /^([a-z]+|[0-9]+(?=\.))\.?([0-9]+)$/i;

/**
 * The shapes of a board of squares or hexes, those below first.
 * Where the last ply ended is marked strongly, where its piece came from and what it turned over lightly.
 * @param {Drawing} drawing
 * @param {{changed?: boolean, frame?: Frame}} [options] `changed` marks the cells that differ from the parent's position;
 *   `frame` is the part of the plane that is seen, where it is not all cells
 * @returns {Picture}
 */
export function boardShapes(drawing, { changed = false, frame } = {}) {
  const cells = drawing.cells ?? [];
  const hexes = drawing.kind === "hexes";
  const { place, outline } = layOf(drawing.kind);
  const grid = !hexes && cells.length > 0 && cells.every((cell) => GRID_NAME.test(cell.name ?? ""));
  /** @type {Shape[]} */
  const shapes = [];
  for (const cell of cells) {
    const at = place(cell.x, cell.y);
    if (hexes && (cell.pieces?.length || (frame !== undefined && !showsHex(frame, at)))) continue;
    shapes.push({
      tag: "path",
      className: hexes ? "board-around" : "board-cell",
      attributes: { d: outline(...at, 1) },
    });
  }
  shapes.push(...valueShapes(cells, place, outline));
  /** @type {Shape[]} */
  const heights = [];
  for (const { x, y, pieces = [] } of cells) {
    const ofStack = pieces.length > 1 ? cellKey(x, y) : null;
    shapes.push(...inStack(pieceShapes(pieces, place(x, y), hexes ? outline : null), ofStack));
    heights.push(...inStack(heightShapes(pieces, place(x, y)), ofStack));
  }
  for (const cell of cells) {
    if (!cell.pieces?.length && cell.name && !grid)
      shapes.push(label(place(cell.x, cell.y), cell.name, "board-empty", 0.3));
  }
  /** @param {readonly (readonly [number, number])[]} at @param {string} className @param {number} size */
  const marks = (at, className, size) =>
    shapes.push(
      ...at.map(
        ([x, y]) => /** @type {Shape} */ ({ tag: "path", className, attributes: { d: outline(...place(x, y), size) } }),
      ),
    );
  if (changed) marks(drawing.changed ?? [], "board-changed", 0.94);
  const { last = [], step } = drawing;
  const to = step?.to ?? last[0];
  const from = step?.from;
  marks(
    last.filter((cell) => !same(cell, to) && !same(cell, from)),
    "board-touched",
    0.9,
  );
  if (from !== undefined) marks([from], "board-left", 0.84);
  if (from !== undefined && to !== undefined) shapes.push(way(place(...from), place(...to), "board-way"));
  const around = hexes ? 1 : 0.9; // on a tile's edge, so that it cuts no name
  if (to !== undefined) marks([to], "board-last", around);
  marks(
    surroundedQueens(drawing).map(({ x, y }) => /** @type {const} */ ([x, y])),
    "board-surrounded",
    around,
  );
  shapes.push(...heights);
  if (grid) shapes.push(...gridNames(cells));
  const centres = [...cells.map((cell) => place(cell.x, cell.y)), ...(from === undefined ? [] : [place(...from)])];
  return { ...(frame ?? frameOf(centres, grid)), shapes };
}

/**
 * The values of cells as shades, the least pale and the greatest dark, each with its figure and the cell's label.
 * @param {readonly Cell[]} cells
 * @param {(x: number, y: number) => Point} place
 * @param {(x: number, y: number, size: number) => string} outline
 * @returns {Shape[]}
 */
function valueShapes(cells, place, outline) {
  const ends = valueEnds(cells);
  return cells.flatMap(({ x, y, value, label: text }) => {
    const [cx, cy] = place(x, y);
    const name = text === undefined ? [] : [label([cx, rounded(cy + 0.24)], text, "board-label", 0.26)];
    if (value === undefined || ends === null) return name;
    const share = ends.high > ends.low ? (value - ends.low) / (ends.high - ends.low) : 0.5;
    return [
      {
        tag: "path",
        className: "board-value",
        attributes: { d: outline(cx, cy, 1), "fill-opacity": rounded(LIGHTEST + (DARKEST - LIGHTEST) * share) },
      },
      label([cx, rounded(cy - 0.14)], plain(value), "board-figure-text", 0.3),
      ...name,
    ];
  });
}

/** How strongly the least and the greatest value shade a cell. */
const LIGHTEST = 0.04;
const DARKEST = 0.55;

/** The least and the greatest value of cells; null where none has one. @param {readonly Cell[]} cells */
export function valueEnds(cells) {
  const values = cells.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return values.length === 0 ? null : { low: Math.min(...values), high: Math.max(...values) };
}

/**
 * The board as a picture with a name for screen readers, or preformatted text.
 * @param {Drawing} drawing
 * @param {{title: string, changed?: boolean, frame?: Frame}} options
 * @returns {Element}
 */
export function drawBoard(drawing, { title, changed = false, frame: seen }) {
  if (drawing.kind === "text" || !drawing.cells?.length) {
    return html("pre.board-text", { tabindex: 0, role: "region", "aria-label": title }, drawing.text ?? "");
  }
  const { shapes, ...frame } = boardShapes(drawing, { changed, frame: seen });
  const picture = svg(
    "svg",
    {
      class: `board board-${drawing.kind}`,
      viewBox: viewBox(frame),
      role: "img",
      "aria-label": `${title}. ${boardWords(drawing)}`,
    },
    shapes.map(drawShape),
  );
  picture.style.setProperty("--board-columns", String(rounded(frame.width)));
  picture.style.setProperty("--board-rows", String(rounded(frame.height)));
  return picture;
}

/**
 * The pieces that one player holds, in a row.
 * @param {readonly string[]} pieces
 * @param {string} title
 * @returns {Element}
 */
export function drawHand(pieces, title) {
  const { place, outline } = layOf("hexes");
  const shapes = pieces.flatMap((piece, i) =>
    pieceShapes([piece], place(i, 0), outline).map((shape) => ({
      ...shape,
      attributes: { ...shape.attributes, "data-held": piece },
    })),
  );
  const frame = frameOf(
    pieces.map((_, i) => place(i, 0)),
    false,
  );
  const picture = svg(
    "svg.board-hand",
    { viewBox: viewBox(frame), role: "img", "aria-label": title },
    shapes.map(drawShape),
  );
  picture.style.setProperty("--board-columns", String(rounded(frame.width)));
  return picture;
}

/** @param {Frame} frame */
export function viewBox({ left, top, width, height }) {
  return [left, top, width, height].map(rounded).join(" ");
}

/** The shapes with the stack that they belong to, where it is one. @param {Shape[]} shapes @param {string | null} cell */
function inStack(shapes, cell) {
  return cell === null
    ? shapes
    : shapes.map((shape) => ({ ...shape, attributes: { ...shape.attributes, "data-stack": cell } }));
}

/** @param {Shape} shape */
function drawShape({ tag, className, attributes, text }) {
  return svg(tag, { class: className, ...attributes }, text);
}

/**
 * A line from one cell's edge to another's.
 * @param {readonly [number, number]} from
 * @param {readonly [number, number]} to
 * @param {string} className
 * @returns {Shape}
 */
function way([x, y], [toX, toY], className) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [(0.4 * (toX - x)) / length, (0.4 * (toY - y)) / length];
  return {
    tag: "path",
    className,
    attributes: { d: `M${rounded(x + dx)} ${rounded(y + dy)}L${rounded(toX - dx)} ${rounded(toY - dy)}` },
  };
}

/** @param {readonly [number, number]} a @param {readonly [number, number] | undefined} b */
function same(a, b) {
  return b !== undefined && a[0] === b[0] && a[1] === b[1];
}

/**
 * Column names above and row numbers at the left, from the names of the cells.
 * @param {readonly Cell[]} cells
 * @returns {Shape[]}
 */
function gridNames(cells) {
  const left = Math.min(...cells.map((cell) => cell.x));
  const top = Math.min(...cells.map((cell) => cell.y));
  /** @type {Shape[]} */
  const shapes = [];
  for (const cell of cells) {
    const [, column = "", row = ""] = GRID_NAME.exec(cell.name ?? "") ?? [];
    if (cell.y === top) shapes.push(label([cell.x, top - 0.78], column, "board-name", 0.34));
    if (cell.x === left) shapes.push(label([left - 0.8, cell.y], row, "board-name", 0.34));
  }
  return shapes;
}
