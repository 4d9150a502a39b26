// @ts-check
/**
 * The plies searched at a position, laid on its board: a mark on the cell where each ends, larger the better its
 * rank among its siblings, coloured by its score. Plies that end on one cell share its mark, which says how many.
 */

import { layOf, rounded } from "./board-cells.js";
import { scoreShare } from "./card.js";
import { svg } from "./element.js";
import { counted, scoreText } from "./numbers.js";
import { seen } from "./seen.js";

/** @typedef {import("../data/types.js").Drawing} Drawing */
/** @typedef {import("../data/types.js").BoardPly} BoardPly */
/** The plies that end on one cell, best first. @typedef {{to: [number, number], plies: BoardPly[]}} Shared */

/** Radius of the best ply's mark, and of the smallest one. */
const LARGEST = 0.36;
const SMALLEST = 0.13;
/** Least radius of a mark that has to hold a number. */
const COUNTED = 0.21;

/**
 * The plies by the cell where they end, cells in the order of their best plies.
 * @param {readonly BoardPly[]} plies best first
 * @returns {Shared[]}
 */
export function sharedCells(plies) {
  /** @type {Map<string, Shared>} */
  const cells = new Map();
  for (const ply of plies) {
    const shared = cells.get(ply.to.join());
    if (shared === undefined) cells.set(ply.to.join(), { to: ply.to, plies: [ply] });
    else shared.plies.push(ply);
  }
  return [...cells.values()];
}

/**
 * How large the mark of a ply is: a third smaller for every two ranks, at first; plies without a score are smallest.
 * @param {number | undefined} rank
 */
export function markRadius(rank) {
  return rank === undefined ? SMALLEST : rounded(SMALLEST + (LARGEST - SMALLEST) / (1 + rank / 3));
}

/**
 * A ply as one hears it: `c6, +12.5, best of 8`.
 * @param {BoardPly} ply
 * @param {number} total plies on the board
 */
export function plyWords({ ply, score, bound, rank }, total) {
  const place = rank === undefined ? "no score" : rank === 0 ? `best of ${total}` : `number ${rank + 1} of ${total}`;
  return [seen(ply), scoreText(score, bound), place].filter((part) => part !== "").join(", ");
}

/**
 * The marks over a board of the same size, one a cell; each is a button that the view listens to.
 * @param {Drawing} drawing
 * @param {{title: string, reach: number, viewBox: string}} options `reach` is the end of the scale of colours
 * @returns {SVGSVGElement}
 */
export function drawPlies(drawing, { title, reach, viewBox }) {
  const { place } = layOf(drawing.kind);
  const plies = drawing.plies ?? [];
  const taken = new Set((drawing.cells ?? []).filter((cell) => cell.pieces?.length).map((cell) => `${cell.x},${cell.y}`));
  const marks = sharedCells(plies).map((shared, i) => {
    const [x, y] = place(...shared.to);
    return drawMark(shared, i, taken.has(shared.to.join()) ? [x + 0.24, y + 0.24] : [x, y], plies.length, reach);
  });
  return svg("svg", { class: "board board-plies", viewBox, role: "group", "aria-label": title }, marks.reverse());
}

/**
 * @param {Shared} shared
 * @param {number} index among the marks, best first
 * @param {readonly [number, number]} at
 * @param {number} total
 * @param {number} reach
 */
function drawMark({ to, plies }, index, [x, y], total, reach) {
  const best = /** @type {BoardPly} */ (plies[0]);
  const several = plies.length > 1;
  const radius = several ? Math.max(COUNTED, markRadius(best.rank)) : markRadius(best.rank);
  const share = scoreShare(best, reach);
  const side = Number.isNaN(share) ? "unknown" : share < 0 ? "against" : "for";
  const words = plyWords(best, total);
  const mark = svg(
    "g",
    {
      class: `ply-mark ply-${side}${best.rank === 0 ? " ply-best" : ""}${best.bound === "upper" || best.bound === "lower" ? " ply-bound" : ""}`,
      role: "button",
      tabindex: index === 0 ? 0 : -1,
      "data-cell": to.join(),
      "data-ids": plies.map((ply) => ply.id).join(" "),
      "aria-label": several ? `${counted(plies.length, "ply", "plies")} end here; the best: ${words}` : words,
    },
    svg("circle", { class: "ply-reach", cx: x, cy: y, r: 0.45 }),
    svg("circle", { class: "ply-ring", cx: x, cy: y, r: rounded(radius + 0.07) }),
    svg("circle", { class: "ply-dot", cx: x, cy: y, r: radius }),
    several && svg("text", { class: "ply-count", x, y: rounded(y + 0.11), "font-size": 0.3 }, String(plies.length)),
  );
  mark.style.setProperty("--share", String(Math.abs(share || 0)));
  return mark;
}

/**
 * The ways that the pieces of some plies take to where they end.
 * @param {Drawing["kind"]} kind
 * @param {readonly BoardPly[]} plies
 * @returns {SVGGElement}
 */
export function drawWays(kind, plies) {
  const { place } = layOf(kind);
  const ways = plies.flatMap(({ from, to }) => {
    if (from === undefined) return [];
    const [x, y] = place(...from);
    const [toX, toY] = place(...to);
    return [svg("path", { class: "ply-way", d: `M${x} ${y}L${toX} ${toY}` }), svg("circle", { class: "ply-from", cx: x, cy: y, r: 0.12 })];
  });
  return svg("g", { class: "ply-ways", "aria-hidden": "true" }, ways);
}
