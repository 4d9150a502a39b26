// @ts-check
/**
 * A position as a drawn board: squares, hexes, crossings of lines or free places with their pieces, or plain text.
 *
 * `boardShapes` is geometry only, one unit a cell; `drawBoard` makes the picture.
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

/** Half of a letter of a name below a round place. */
const NAME_WIDTH = 0.07;

/**
 * The shapes of a board, the lowest first. The target of the last ply is marked strongly, the origin of its piece and
 * the pieces that it turned over lightly.
 * @param {Drawing} drawing
 * @param {{changed?: boolean, frame?: Frame}} [options] `changed` marks the cells that differ from the parent's position;
 *   `frame` is the part of the plane that is seen, where it is not all cells
 * @returns {Picture}
 */
export function boardShapes(drawing, { changed = false, frame } = {}) {
  const cells = drawing.cells ?? [];
  const hexes = drawing.kind === "hexes";
  const { place, outline } = layOf(drawing.kind);
  const isRound = drawing.kind === "points" || drawing.kind === "free";
  const edges = hexes || drawing.kind === "free" ? [] : gridNames(cells);
  const shapes = groundShapes(drawing, frame);
  shapes.push(...valueShapes(cells, place, outline));
  /** @type {Shape[]} */
  const heights = [];
  for (const { x, y, pieces = [] } of cells) {
    const ofStack = pieces.length > 1 ? cellKey(x, y) : null;
    shapes.push(...inStack(pieceShapes(pieces, place(x, y), hexes ? outline : null), ofStack));
    heights.push(...inStack(heightShapes(pieces, place(x, y)), ofStack));
  }
  for (const { x, y, name, pieces } of edges.length > 0 ? [] : cells) {
    const [cx, cy] = place(x, y);
    // Below a round place; low in a hex, so that the mark of a searched ply does not cover it.
    if (name && isRound) shapes.push(label([cx, rounded(cy + 0.57)], name, "board-empty", 0.22));
    else if (name && !pieces?.length)
      shapes.push(label([cx, rounded(cy + (hexes ? 0.36 : 0))], name, "board-empty", hexes ? 0.2 : 0.3));
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
    [
      ...surroundedQueens(drawing).map(({ x, y }) => /** @type {const} */ ([x, y])),
      ...(drawing.check === undefined ? [] : [drawing.check]),
    ],
    "board-surrounded",
    around,
  );
  shapes.push(...heights);
  shapes.push(...edges);
  const centres = [...cells.map((cell) => place(cell.x, cell.y)), ...(from === undefined ? [] : [place(...from)])];
  for (const { x, y, name = "" } of isRound && edges.length === 0 ? cells : []) {
    const aside = Math.max(0, NAME_WIDTH * name.length - 0.5); // a name may be wider than the place above it
    centres.push([x - aside, y + 0.1], [x + aside, y + 0.1]);
  }
  return { ...(frame ?? frameOf(centres, edges.length > 0)), shapes };
}

/**
 * What lies under the pieces: lines, and the outlines of cells. Cells of hexes that nobody named are there only while
 * nothing stands on them: around a hive.
 * @param {Drawing} drawing
 * @param {Frame | undefined} frame
 * @returns {Shape[]}
 */
function groundShapes({ kind, cells = [], lines }, frame) {
  const { place, outline } = layOf(kind);
  const named = new Map(cells.map((cell) => [cell.name, place(cell.x, cell.y)]));
  const ways = lines?.map((names) => names.map((name) => named.get(name)).filter((at) => at !== undefined));
  const joined = ways ?? (kind === "points" ? neighbours(cells) : []);
  const d = joined.map((points) => `M${points.map((at) => at.join(" ")).join("L")}`).join("");
  /** @type {Shape[]} */
  const shapes = d === "" ? [] : [{ tag: "path", className: "board-lines", attributes: { d } }];
  for (const { x, y, name, pieces, dark } of cells) {
    const at = place(x, y);
    const isAround = kind === "hexes" && !name;
    if (isAround && (pieces?.length || (frame !== undefined && !showsHex(frame, at)))) continue;
    const size = kind !== "points" ? 1 : lines === undefined ? 0.1 : 0.2;
    const className = isAround ? "board-around" : kind === "points" ? "board-point" : "board-cell";
    shapes.push({
      tag: "path",
      className: dark ? `${className} board-cell-dark` : className,
      attributes: { d: outline(...at, size) },
    });
  }
  return shapes;
}

/** The pairs of points of neighbouring cells in a row or a column. @param {readonly Cell[]} cells */
function neighbours(cells) {
  const there = new Set(cells.map(({ x, y }) => cellKey(x, y)));
  return cells.flatMap(({ x, y }) =>
    /** @type {Point[]} */ ([
      [x + 1, y],
      [x, y + 1],
    ]).flatMap((to) => (there.has(cellKey(...to)) ? [/** @type {Point[]} */ ([[x, y], to])] : [])),
  );
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
  return svg(
    "svg",
    {
      class: `board board-${drawing.kind}`,
      viewBox: viewBox(frame),
      role: "img",
      "aria-label": `${title}. ${boardWords(drawing)}`,
      style: { "--board-columns": rounded(frame.width), "--board-rows": rounded(frame.height) },
    },
    shapes.map(drawShape),
  );
}

/**
 * The pieces that one player holds, in a row.
 * @param {readonly string[]} pieces
 * @param {string} title
 * @param {Drawing["kind"]} kind
 * @returns {Element}
 */
export function drawHand(pieces, title, kind) {
  const { place, outline } = layOf("hexes");
  const shapes = pieces.flatMap((piece, i) =>
    pieceShapes([piece], place(i, 0), kind === "hexes" ? outline : null).map((shape) => ({
      ...shape,
      attributes: { ...shape.attributes, "data-held": piece },
    })),
  );
  const frame = frameOf(
    pieces.map((_, i) => place(i, 0)),
    false,
  );
  const style = { "--board-columns": rounded(frame.width) };
  return svg(
    "svg.board-hand",
    { viewBox: viewBox(frame), role: "img", "aria-label": title, style },
    shapes.map(drawShape),
  );
}

/** @param {Frame} frame */
export function viewBox({ left, top, width, height }) {
  return [left, top, width, height].map(rounded).join(" ");
}

/** The shapes with the stack that they belong to, if any. @param {Shape[]} shapes @param {string | null} cell */
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
 * Column names above and row numbers at the left; none unless the names of all cells tell one of each.
 * @param {readonly Cell[]} cells
 * @returns {Shape[]}
 */
function gridNames(cells) {
  /** @type {Map<number, string>} */
  const columns = new Map();
  /** @type {Map<number, string>} */
  const rows = new Map();
  for (const { x, y, name = "" } of cells) {
    const [, column, row] = GRID_NAME.exec(name) ?? [];
    if (column === undefined || row === undefined) return [];
    if ((columns.get(x) ?? column) !== column || (rows.get(y) ?? row) !== row) return [];
    columns.set(x, column);
    rows.set(y, row);
  }
  const [left, top] = [Math.min(...columns.keys()), Math.min(...rows.keys())];
  return [
    ...[...columns].map(([x, text]) => label([x, top - 0.78], text, "board-name", 0.34)),
    ...[...rows].map(([y, text]) => label([left - 0.8, y], text, "board-name", 0.34)),
  ];
}
