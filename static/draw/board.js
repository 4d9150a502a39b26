// @ts-check
/**
 * A position as a drawn board: squares with discs, crosses and noughts, hexes with stacks, or text as it is.
 *
 * `boardShapes` is geometry only, one unit a cell; `drawBoard` makes the picture of it.
 */

import { html, svg } from "./element.js";

/** @typedef {import("../data/types.js").Cell} Cell */
/** @typedef {import("../data/types.js").Drawing} Drawing */
/** @typedef {{tag: "rect" | "circle" | "path" | "text", className: string, attributes: Record<string, string | number>, text?: string}} Shape */
/** @typedef {{left: number, top: number, width: number, height: number, shapes: Shape[]}} Picture */

const DISC = /^(black|white|red|yellow|blue|green)\b.*\b(disc|stone|counter|man|piece)s?$/i;
const CROSS = /^(x|cross)$/i;
const NOUGHT = /^(o|nought|naught|circle|ring)$/i;
const GRID_NAME = /^([a-z]+|[0-9]+(?=\.))\.?([0-9]+)$/i;
const MARGIN = 0.6;

/**
 * The shapes of a board of squares or hexes, those below first.
 * The first cell that the last ply touched is marked strongly, the others (what it turned over) lightly.
 * @param {Drawing} drawing
 * @param {{changed?: boolean}} [options] `changed` marks the cells that differ from the parent's position
 * @returns {Picture}
 */
export function boardShapes(drawing, { changed = false } = {}) {
  const cells = drawing.cells ?? [];
  const hexes = drawing.kind === "hexes";
  const place = hexes ? hexCentre : squareCentre;
  const outline = hexes ? hexOutline : squareOutline;
  /** @type {Shape[]} */
  const shapes = [];
  const grid = !hexes && cells.length > 0 && cells.every((cell) => GRID_NAME.test(cell.name ?? ""));
  for (const cell of cells) {
    const centre = place(cell.x, cell.y);
    shapes.push({ tag: "path", className: cellClass(cell, hexes), attributes: { d: outline(...centre, 1) } });
    shapes.push(...pieceShapes(cell, centre, hexes));
    if (!cell.pieces?.length && cell.name && !grid) shapes.push(label(centre, cell.name, "board-empty", 0.3));
  }
  if (changed) shapes.push(...marks(drawing.changed ?? [], place, outline, "board-changed", 0.94));
  const [first, ...touched] = drawing.last ?? [];
  shapes.push(...marks(touched, place, outline, "board-touched", 0.9));
  if (first !== undefined) shapes.push(...marks([first], place, outline, "board-last", 0.9));
  if (grid) shapes.push(...gridNames(cells));
  return { ...frame(cells.map((cell) => place(cell.x, cell.y)), grid), shapes };
}

/**
 * The board as a picture with a name for screen readers, or preformatted text.
 * @param {Drawing} drawing
 * @param {{title: string, changed?: boolean}} options
 * @returns {Element}
 */
export function drawBoard(drawing, { title, changed = false }) {
  if (drawing.kind === "text" || !drawing.cells?.length) {
    return html("pre", { class: "board-text", tabindex: 0, role: "region", "aria-label": title }, drawing.text ?? "");
  }
  const { left, top, width, height, shapes } = boardShapes(drawing, { changed });
  const picture = svg(
    "svg",
    {
      class: `board board-${drawing.kind}`,
      viewBox: `${left} ${top} ${width} ${height}`,
      role: "img",
      "aria-label": `${title}. ${boardWords(drawing)}`,
    },
    shapes.map((shape) => svg(shape.tag, { class: shape.className, ...shape.attributes }, shape.text)),
  );
  picture.style.setProperty("--board-columns", String(width));
  return picture;
}

/**
 * What stands on the board, in words: `12 black disc, 9 white disc; last ply at c6`.
 * @param {Drawing} drawing
 * @returns {string}
 */
export function boardWords(drawing) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const cell of drawing.cells ?? []) {
    for (const piece of cell.pieces ?? []) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  const standing = [...counts].map(([piece, n]) => `${n} ${piece}`).join(", ") || "empty";
  const names = (drawing.last ?? []).slice(0, 1).map(([x, y]) => {
    const cell = drawing.cells?.find((other) => other.x === x && other.y === y);
    return cell?.name || `${x}, ${y}`;
  });
  return names.length > 0 ? `${standing}; last ply at ${names.join(", ")}` : standing;
}

/**
 * @param {Cell} cell
 * @param {boolean} hexes
 * @returns {string}
 */
function cellClass(cell, hexes) {
  const top = cell.pieces?.at(-1);
  if (!hexes || top === undefined) return "board-cell";
  return `board-cell board-cell-${sideOf(top)}`;
}

/**
 * Whose a piece is by its name: `wQ`, `white disc`.
 * @param {string} piece
 * @returns {"white" | "black" | "other"}
 */
function sideOf(piece) {
  if (/^(w[A-Z]|white\b)/.test(piece)) return "white";
  if (/^(b[A-Z]|black\b)/.test(piece)) return "black";
  return "other";
}

/**
 * @param {Cell} cell
 * @param {readonly [number, number]} centre
 * @param {boolean} hexes
 * @returns {Shape[]}
 */
function pieceShapes(cell, [x, y], hexes) {
  const pieces = cell.pieces ?? [];
  const piece = pieces.at(-1);
  if (piece === undefined) return [];
  /** @type {Shape[]} */
  const shapes = [];
  const disc = DISC.exec(piece);
  if (disc) {
    const colour = (disc[1] ?? "").toLowerCase();
    shapes.push({ tag: "circle", className: `board-disc board-disc-${colour}`, attributes: { cx: x, cy: y, r: 0.39 } });
  } else if (CROSS.test(piece)) {
    const d = `M${x - 0.25} ${y - 0.25}l.5 .5m0 -.5l-.5 .5`;
    shapes.push({ tag: "path", className: "board-cross", attributes: { d } });
  } else if (NOUGHT.test(piece)) {
    shapes.push({ tag: "circle", className: "board-nought", attributes: { cx: x, cy: y, r: 0.27 } });
  } else {
    const text = hexes && sideOf(piece) !== "other" ? piece.replace(/^[wb](?=[A-Z])/, "") : piece;
    const size = Math.min(0.5, 1.3 / Math.max(2, [...text].length));
    shapes.push(label([x, y], text, `board-piece board-piece-${hexes ? sideOf(piece) : "plain"}`, size));
  }
  if (pieces.length > 1) shapes.push(label([x + 0.28, y - 0.28], String(pieces.length), "board-stack", 0.26));
  return shapes;
}

/**
 * @param {readonly (readonly [number, number])[]} cells
 * @param {(x: number, y: number) => readonly [number, number]} place
 * @param {(x: number, y: number, size: number) => string} outline
 * @param {string} className
 * @param {number} size
 * @returns {Shape[]}
 */
function marks(cells, place, outline, className, size) {
  return cells.map(([x, y]) => ({ tag: "path", className, attributes: { d: outline(...place(x, y), size) } }));
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

/**
 * @param {readonly [number, number]} at
 * @param {string} text
 * @param {string} className
 * @param {number} size
 * @returns {Shape}
 */
function label([x, y], text, className, size) {
  return { tag: "text", className, attributes: { x, y: y + size * 0.35, "font-size": size }, text };
}

/**
 * The box around all cells, with room for their names.
 * @param {readonly (readonly [number, number])[]} centres
 * @param {boolean} named
 * @returns {{left: number, top: number, width: number, height: number}}
 */
function frame(centres, named) {
  const xs = centres.map(([x]) => x);
  const ys = centres.map(([, y]) => y);
  const before = named ? 1.1 : MARGIN;
  const left = Math.min(...xs) - before;
  const top = Math.min(...ys) - before;
  return { left, top, width: Math.max(...xs) + MARGIN - left, height: Math.max(...ys) + MARGIN - top };
}

/**
 * @param {number} x
 * @param {number} y
 * @returns {readonly [number, number]}
 */
function squareCentre(x, y) {
  return [x, y];
}

/**
 * Axial coordinates, pointed tops, neighbours one unit apart.
 * @param {number} q
 * @param {number} r
 * @returns {readonly [number, number]}
 */
function hexCentre(q, r) {
  return [rounded(q + r / 2), rounded((r * Math.sqrt(3)) / 2)];
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @returns {string}
 */
function squareOutline(x, y, size) {
  const half = size / 2;
  return `M${rounded(x - half)} ${rounded(y - half)}h${size}v${size}h${-size}z`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @returns {string}
 */
function hexOutline(x, y, size) {
  const radius = (size * 0.97) / Math.sqrt(3);
  const corners = [];
  for (let i = 0; i < 6; i += 1) {
    const angle = (Math.PI / 180) * (60 * i - 30);
    corners.push(`${rounded(x + radius * Math.cos(angle))} ${rounded(y + radius * Math.sin(angle))}`);
  }
  return `M${corners.join("L")}z`;
}

/**
 * @param {number} value
 * @returns {number}
 */
function rounded(value) {
  return Math.round(value * 1e4) / 1e4;
}
