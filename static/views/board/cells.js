// @ts-check
/** The places of a board's cells, one unit apart, and their outlines: squares, hexes with pointed tops, round places. */

/** @import { Drawing } from "../../data/types.js" */

/** @typedef {readonly [number, number]} Point */
/** @typedef {{left: number, top: number, width: number, height: number}} Frame */
/**
 * @typedef {{tag: "rect" | "circle" | "path" | "text", className: string, attributes: Record<string, string | number>,
 *   text?: string}} Shape
 */

const MARGIN = 0.66;
/** Room beside a grid for the names of its rows and columns. */
const NAMES = 1.1;

/** How the cells of a kind of board are placed and outlined. @param {Drawing["kind"]} kind */
export function layOf(kind) {
  return kind === "hexes"
    ? { place: hexCentre, outline: hexOutline }
    : { place: squareCentre, outline: kind === "points" || kind === "free" ? roundOutline : squareOutline };
}

/**
 * The name of a cell by its place, for maps and for the attributes of its shapes.
 * @param {number} x
 * @param {number} y
 */
export function cellKey(x, y) {
  return `${x},${y}`;
}

/**
 * The box around all cells, with room for their names.
 * @param {readonly Point[]} centres
 * @param {boolean} named
 * @returns {Frame}
 */
export function frameOf(centres, named) {
  const xs = centres.map(([x]) => x);
  const ys = centres.map(([, y]) => y);
  const before = named ? NAMES : MARGIN;
  const left = Math.min(...xs) - before;
  const top = Math.min(...ys) - before;
  return { left, top, width: Math.max(...xs) + MARGIN - left, height: Math.max(...ys) + MARGIN - top };
}

/**
 * A text in the middle of a point.
 * @param {Point} at
 * @param {string} text
 * @param {string} className
 * @param {number} size
 * @returns {Shape}
 */
export function label([x, y], text, className, size) {
  return { tag: "text", className, attributes: { x, y: rounded(y + size * 0.35), "font-size": size }, text };
}

/** @param {number} x @param {number} y @returns {Point} */
function squareCentre(x, y) {
  return [x, y];
}

/**
 * Axial coordinates, pointed tops, neighbours one unit apart.
 * @param {number} q
 * @param {number} r
 * @returns {Point}
 */
function hexCentre(q, r) {
  return [rounded(q + r / 2), rounded((r * Math.sqrt(3)) / 2)];
}

/** @param {number} x @param {number} y @param {number} size */
function squareOutline(x, y, size) {
  const half = size / 2;
  return `M${rounded(x - half)} ${rounded(y - half)}h${size}v${size}h${-size}z`;
}

/** @param {number} x @param {number} y @param {number} size */
function roundOutline(x, y, size) {
  const r = rounded(0.46 * size);
  return `M${rounded(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

/** @param {number} x @param {number} y @param {number} size */
function hexOutline(x, y, size) {
  const radius = (size * 0.97) / Math.sqrt(3);
  const corners = [];
  for (let i = 0; i < 6; i += 1) {
    const angle = (Math.PI / 180) * (60 * i - 30);
    corners.push(`${rounded(x + radius * Math.cos(angle))} ${rounded(y + radius * Math.sin(angle))}`);
  }
  return `M${corners.join("L")}z`;
}

/** @param {number} value */
export function rounded(value) {
  return Math.round(value * 1e4) / 1e4;
}
