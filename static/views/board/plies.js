// @ts-check
/**
 * The plies searched at a position, laid on its board: a mark on the cell where each ends, larger the better its rank
 * among its siblings, coloured by its score. Plies that end on one cell share its mark, which shows their number.
 */

import { cellKey, layOf, rounded } from "./cells.js";
import { bugOf } from "./shapes.js";
import { toneOf } from "../../draw/colours.js";
import { svg } from "../../draw/element.js";
import { cardMean } from "../../draw/lettering.js";
import { apart, counted } from "../../draw/numbers.js";
import { scoreText, shortScore } from "../../draw/scores.js";
import { seen } from "../../draw/seen.js";

/** @import { BoardPly, Drawing } from "../../data/types.js" */
/** @import { Scale } from "../../draw/colours.js" */
/** @import { Digits } from "../../draw/numbers.js" */

/** The plies that end on one cell, best first. @typedef {{to: [number, number], plies: BoardPly[]}} Shared */

/** Radius of the best ply's mark, and of the smallest one. */
const LARGEST = 0.36;
const SMALLEST = 0.13;
/** Least radius of a mark that has to hold a number. */
const COUNTED = 0.21;
/** The place of a mark beside a piece, where it is smaller and hides neither the bug nor its name. */
const BESIDE = /** @type {const} */ ([-0.36, -0.14]);
const BESIDE_SIZE = 0.5;
const BESIDE_LEAST = 0.09;
const COUNTED_BESIDE = 0.14;
/** Plies that have an arrow, and how long its head is. */
const MOST_ARROWS = 12;
const HEAD = 0.34;
/** Radius of a mark of two halves. */
const HALVES = 0.38;
/** Whom a mark is for; a won game is as much for the root player as a score can be. */
const SIDES = /** @type {const} */ ({
  for: "for",
  win: "for",
  against: "against",
  loss: "against",
  unknown: "unknown",
});

/**
 * The plies by the cell where they end, cells in the order of their best plies.
 * @param {readonly BoardPly[]} plies best first
 */
export function sharedCells(plies) {
  /** @type {Map<string, Shared>} */
  const cells = new Map();
  for (const ply of plies) {
    const shared = cells.get(cellKey(...ply.to));
    if (shared === undefined) cells.set(cellKey(...ply.to), { to: ply.to, plies: [ply] });
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
 * @param {BoardPly} claim
 * @param {{total: number, player?: string, mate?: unknown, digits?: Digits}} board `total` plies on
 *   it, who is to move, how the log scores wins
 */
export function plyWords(claim, { total, player, mate, digits }) {
  const { ply, rank } = claim;
  const place = rank === undefined ? "no score" : rank === 0 ? `best of ${total}` : `number ${rank + 1} of ${total}`;
  const worth = claim.mean === undefined ? scoreText(claim, mate, digits) : meanWords(claim);
  return [seen(ply), isThrow(ply, player) ? "a throw" : "", worth, place].filter((part) => part !== "").join(", ");
}

/** @param {BoardPly} claim */
function meanWords(claim) {
  const visits = claim.visits === undefined ? "" : `, ${counted(claim.visits, "visit")}`;
  return `mean ${cardMean(claim)}${visits}`;
}

/**
 * The worth of a ply where room is short: its score, or the mean of its visits.
 * @param {BoardPly} claim
 * @param {unknown} mate
 * @param {Digits} digits
 */
export function plyWorth(claim, mate, digits) {
  return claim.mean === undefined ? shortScore(claim, mate, digits) : cardMean(claim);
}

/**
 * The plies of a mark that shows each in its own colour, in the order of their names: two with means, such as the two
 * colours of a stone on one cell. Null for a mark of one colour.
 * @param {readonly BoardPly[]} plies
 * @returns {[BoardPly, BoardPly] | null}
 */
export function halvesOf(plies) {
  const [one, other] = plies;
  if (plies.length !== 2 || one?.mean === undefined || other?.mean === undefined) return null;
  return one.ply <= other.ply ? [one, other] : [other, one];
}

/**
 * Whether a ply of Hive moves a piece of the other side, which only a pillbug does, or a mosquito as one.
 * @param {string} ply
 * @param {string | undefined} player who is to move
 */
export function isThrow(ply, player) {
  const side = bugOf(ply.split(" ")[0] ?? "")?.side;
  return side !== undefined && (player === "white" || player === "black") && side !== player;
}

/**
 * The key to the marks of these plies.
 * @param {readonly BoardPly[]} plies
 * @returns {{kind: "size" | "for" | "against" | "bound" | "halves" | "several", text: string}[]}
 */
export function keyToPlies(plies) {
  const cells = sharedCells(plies);
  const sides = plies.map((ply) => SIDES[toneOf(ply, { reach: 0 }).side]);
  const items = [
    {
      kind: /** @type {const} */ ("size"),
      text: "larger: better rank",
      there: cells.some(({ plies: [best], plies: all }) => (best?.rank ?? 0) > 0 && halvesOf(all) === null),
    },
    { kind: /** @type {const} */ ("for"), text: "for the root player", there: sides.includes("for") },
    { kind: /** @type {const} */ ("against"), text: "against", there: sides.includes("against") },
    { kind: /** @type {const} */ ("bound"), text: "hollow: a bound", there: plies.some(isBound) },
    {
      kind: /** @type {const} */ ("halves"),
      text: "halves: the two plies of a cell, by name",
      there: cells.some((shared) => halvesOf(shared.plies) !== null),
    },
    {
      kind: /** @type {const} */ ("several"),
      text: "so many end here",
      there: cells.some((shared) => shared.plies.length > 1 && halvesOf(shared.plies) === null),
    },
  ];
  return items.filter(({ there }) => there).map(({ kind, text }) => ({ kind, text }));
}

/** @param {BoardPly} ply */
function isBound({ bound }) {
  return bound === "upper" || bound === "lower";
}

/**
 * The mark that a line of the key explains.
 * @param {"size" | "for" | "against" | "bound" | "halves" | "several"} kind
 */
export function drawKey(kind) {
  const side = kind === "against" ? "against" : "for";
  const dots =
    kind === "size"
      ? [
          [0.19, 0.08],
          [0.7, 0.19],
        ]
      : [[0.5, 0.3]];
  const mark = svg(
    "g",
    { class: `ply-sample ply-${side}${kind === "bound" ? " ply-bound" : ""}`, style: { "--share": 0.7 } },
    dots.flatMap(([x = 0, r = 0]) => [
      svg("circle.ply-ring", { cx: x, cy: 0.5, r: r + 0.1 }),
      svg("circle.ply-dot", { cx: x, cy: 0.5, r }),
    ]),
    kind === "several" && svg("text.ply-count", { x: 0.5, y: 0.64, "font-size": 0.42 }, "2"),
  );
  if (kind === "halves")
    mark.replaceChildren(...half([0.5, 0.5], 0.38, "for", 0.7), ...half([0.5, 0.5], -0.38, "against", 0.7));
  return svg("svg.board.ply-key", { viewBox: "0 0 1 1", "aria-hidden": "true" }, mark);
}

/**
 * The marks over a board of the same size, one a cell; each is a button that the view listens to.
 * @param {Drawing} drawing
 * @param {{title: string, scale: Scale, viewBox: string, player?: string}} options `player` is to move
 * @returns {SVGSVGElement}
 */
export function drawPlies(drawing, { title, scale, viewBox, player }) {
  const { place } = layOf(drawing.kind);
  const plies = drawing.plies ?? [];
  const digits = apart(plies.map((ply) => ply.score));
  const taken = new Set(
    (drawing.cells ?? [])
      .filter((cell) => cell.pieces?.length || cell.value !== undefined)
      .map((cell) => cellKey(cell.x, cell.y)),
  );
  const marks = sharedCells(plies).map((shared, i) => {
    const [x, y] = place(...shared.to);
    const words = plyWords(/** @type {BoardPly} */ (shared.plies[0]), {
      total: plies.length,
      player,
      mate: scale.mate,
      digits,
    });
    const beside = taken.has(cellKey(...shared.to));
    return drawMark(shared, i, beside ? [rounded(x + BESIDE[0]), rounded(y + BESIDE[1])] : [x, y], {
      words,
      scale,
      beside,
    });
  });
  const arrows = drawing.kind === "squares" && drawArrows(plies, scale);
  return svg("svg.board.board-plies", { viewBox, role: "group", "aria-label": title }, arrows, marks.reverse());
}

/**
 * The arrow of a ply whose piece moves over squares, the stronger the better its rank; null without one.
 * @param {BoardPly} ply
 */
export function plyArrow({ from, to, rank = MOST_ARROWS }) {
  if (from === undefined || rank >= MOST_ARROWS) return null;
  const strength = 1 / (1 + rank / 2);
  const width = 0.05 + 0.07 * strength;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [x, y] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  /** @param {number} back @param {number} aside */
  const at = (back, aside) => `${rounded(to[0] - back * x - aside * y)} ${rounded(to[1] - back * y + aside * x)}`;
  const d = `M${from[0]} ${from[1]}L${at(HEAD, 0)}M${at(HEAD, width)}L${at(0.1, 0)}L${at(HEAD, -width)}Z`;
  return { d, "stroke-width": rounded(width), opacity: rounded(0.85 * strength) };
}

/** @param {readonly BoardPly[]} plies @param {Scale} scale */
function drawArrows(plies, scale) {
  const arrows = plies.flatMap((ply) => {
    const arrow = plyArrow(ply);
    const side = SIDES[toneOf(ply, scale).side];
    return arrow === null ? [] : [svg("path", { class: `ply-arrow ply-${side}`, ...arrow })];
  });
  return svg("g.ply-arrows", { "aria-hidden": "true" }, arrows.reverse());
}

/**
 * @param {Shared} shared
 * @param {number} index its number among the marks, best first
 * @param {readonly [number, number]} at
 * @param {{words: string, scale: Scale, beside: boolean}} options what is said of the best ply,
 *   and whether a piece stands there
 */
function drawMark({ to, plies }, index, [x, y], { words, scale, beside }) {
  const best = /** @type {BoardPly} */ (plies[0]);
  const halves = beside ? null : halvesOf(plies);
  const several = plies.length > 1 && halves === null;
  const least = several ? COUNTED : 0;
  const full = Math.max(least, markRadius(best.rank));
  const radius =
    halves !== null
      ? HALVES
      : beside
        ? rounded(Math.max(BESIDE_LEAST, several ? COUNTED_BESIDE : 0, full * BESIDE_SIZE))
        : full;
  const tone = toneOf(best, scale);
  const side = SIDES[tone.side];
  return svg(
    "g",
    {
      class: `ply-mark ply-${side}${best.rank === 0 ? " ply-best" : ""}${isBound(best) ? " ply-bound" : ""}`,
      role: "button",
      tabindex: index === 0 ? 0 : -1,
      "data-cell": cellKey(...to),
      "data-ids": plies.map((ply) => ply.id).join(" "),
      "aria-label": plies.length > 1 ? `${counted(plies.length, "ply", "plies")} end here; the best: ${words}` : words,
      style: { "--share": tone.share },
    },
    svg("circle.ply-reach", { cx: x, cy: y, r: beside ? 0.26 : 0.45 }),
    svg("circle.ply-ring", { cx: x, cy: y, r: rounded(radius + (beside ? 0.05 : 0.07)) }),
    ...(halves === null
      ? [svg("circle.ply-dot", { cx: x, cy: y, r: radius })]
      : halves.flatMap((ply, right) => {
          const own = toneOf(ply, scale);
          return half([x, y], right === 1 ? -radius : radius, SIDES[own.side], own.share);
        })),
    several &&
      svg(
        "text.ply-count",
        { x, y: rounded(y + (beside ? 0.08 : 0.11)), "font-size": beside ? 0.22 : 0.3 },
        String(plies.length),
      ),
  );
}

/**
 * Half a mark in its colour, the left one, with a negative radius the right one.
 * @param {readonly [number, number]} at
 * @param {number} radius
 * @param {string} side
 * @param {number} share
 */
function half([x, y], radius, side, share) {
  const r = Math.abs(radius);
  const d = `M${x} ${rounded(y - r)}A${r} ${r} 0 0 ${radius > 0 ? 0 : 1} ${x} ${rounded(y + r)}Z`;
  return [svg("path", { class: `ply-half ply-dot ply-${side}`, d, style: { "--share": share } })];
}

/**
 * The ways that the pieces of some plies take to where they end.
 * @param {Drawing["kind"]} kind
 * @param {readonly BoardPly[]} plies
 */
export function drawWays(kind, plies) {
  const { place } = layOf(kind);
  const ways = plies.flatMap(({ from, to }) => {
    if (from === undefined) return [];
    const [x, y] = place(...from);
    const [toX, toY] = place(...to);
    return [svg("path.ply-way", { d: `M${x} ${y}L${toX} ${toY}` }), svg("circle.ply-from", { cx: x, cy: y, r: 0.12 })];
  });
  return svg("g.ply-ways", { "aria-hidden": "true" }, ways);
}
