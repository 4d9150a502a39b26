// @ts-check
/** The split of a margin as a waterfall: from the score of Y to that of X on one scale, a bar for each part. */

import { asOneStop } from "../../draw/buttons.js";
import { html, standingAlone, svg } from "../../draw/element.js";
import { apart, counted, signed } from "../../draw/numbers.js";
import { pairBadge } from "../../draw/icons.js";

/** @import { Explanation } from "../../data/types.js" */

/**
 * One row: an end with its badge, or a part that runs from one score to the next.
 * @typedef {object} Step
 * @property {string} name
 * @property {"x" | "y" | null} badge
 * @property {number} from
 * @property {number} to
 * @property {string} figure
 * @property {number | null} [node] where it leads: the ply itself, or the leaf that a part came from
 * @property {boolean} [rest] whether it is no factor
 * @property {boolean} [equal] whether it is nothing but a remainder, or stands for factors that are the same at both ends
 */

/** Parts smaller than this share of the largest are remainders of the arithmetic: they are named without a bar. */
const REMAINDER = 1e-9;
/** A rounding error below this share of the two scores is that of any sum of doubles: it gets no row. */
const ROUNDING = 1e-12;

/**
 * The rows from Y down to X, the parts by size; empty where there is no margin.
 * @param {Explanation} explanation
 */
export function stepsOf({ chosen, rival, margin, split, lines }) {
  if (
    margin === null ||
    chosen === null ||
    rival === null ||
    typeof chosen.score !== "number" ||
    typeof rival.score !== "number"
  )
    return [];
  const others = split.filter(({ name }) => name !== "rounding").map(({ amount }) => Math.abs(amount));
  const largest = Math.max(0, ...others);
  const isNoise = (/** @type {{amount: number}} */ { amount }) => Math.abs(amount) <= REMAINDER * largest;
  const error = Math.max(REMAINDER * largest, ROUNDING * Math.max(Math.abs(chosen.score), Math.abs(rival.score)));
  const stated = split.filter(({ name, amount }) => name !== "rounding" || Math.abs(amount) > error);
  const parts = stated.filter(({ amount }) => amount !== 0).sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  const digits = apart([
    chosen.score,
    rival.score,
    ...parts.filter((part) => !isNoise(part)).map(({ amount }) => amount),
  ]);
  const equal = stated.length - parts.length;
  /** @type {Step[]} */
  const steps = [
    {
      name: rival.ply ?? `#${rival.id}`,
      badge: "y",
      node: rival.id,
      from: rival.score,
      to: rival.score,
      figure: boundary(rival.bound) + signed(rival.score, digits),
    },
  ];
  let at = rival.score;
  for (const { name, amount, kind, end = null } of parts) {
    const isRemainder = isNoise({ amount });
    const node = end === null ? null : (lines[end === "chosen" ? 0 : 1]?.leaf ?? null);
    steps.push({
      name,
      badge: null,
      node,
      from: at,
      to: at + amount,
      figure: signed(amount, isRemainder ? undefined : digits),
      rest: kind === "rest",
      equal: isRemainder,
    });
    at += amount;
  }
  if (equal > 0)
    steps.push({
      name: `${counted(equal, parts.length > 0 ? "other" : "factor")}, equal`,
      badge: null,
      from: at,
      to: at,
      figure: "0",
      equal: true,
    });
  steps.push({
    name: chosen.ply ?? `#${chosen.id}`,
    badge: "x",
    node: chosen.id,
    from: chosen.score,
    to: chosen.score,
    figure: boundary(chosen.bound) + signed(chosen.score, digits),
  });
  return steps;
}

/** @param {string | undefined} bound */
function boundary(bound) {
  return bound === "lower" ? "\u2265 " : bound === "upper" ? "\u2264 " : "";
}

/**
 * The place of a score between the least and the greatest of all rows, from 0 to 1.
 * @param {Step[]} steps
 * @returns {(score: number) => number}
 */
export function scaleOfSteps(steps) {
  const scores = steps.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return (score) => (high > low ? (score - low) / (high - low) : 0.5);
}

const BAR = { width: 100, height: 18, inset: 9 };

/**
 * The events of rows: one was pressed, pointed at (with the place in the window), left; and their question for the
 * meaning of a factor.
 * @typedef {{go: (node: number) => void, pointed: (node: number, x: number, y: number) => void, left: () => void,
 *   meaningOf: (name: string) => string | undefined}} Listener
 */

/**
 * The rows as a table: name, bar, figure; name and bar lead to where the row came from.
 * @param {Step[]} steps
 * @param {Listener} listener
 */
export function waterfall(steps, listener) {
  const share = scaleOfSteps(steps);
  const x = (/** @type {number} */ score) => BAR.inset + share(score) * (BAR.width - 2 * BAR.inset);
  return asOneStop(
    html(
      "table.waterfall",
      html("caption.visually-hidden", "The margin by factor, from the score of Y to that of X"),
      html(
        "tbody",
        steps.map((step, place) => row(step, place, x, listener)),
      ),
    ),
  );
}

/** @param {Step} step @param {number} place @param {(score: number) => number} x @param {Listener} listener */
function row(step, place, x, { go, pointed, left, meaningOf }) {
  const { badge, from, to, node = null, rest = false, equal = false } = step;
  const sign = to > from ? "for" : "against";
  const mark =
    badge === null
      ? svg("rect", {
          class: `waterfall-bar waterfall-${sign}`,
          x: Math.min(x(from), x(to)),
          y: 4,
          width: Math.max(Math.abs(x(to) - x(from)), equal ? 0 : 0.8),
          height: 10,
        })
      : pairBadge(badge, x(from), BAR.height / 2);
  const leads =
    node === null
      ? {}
      : {
          onclick: () => go(node),
          onpointerenter: (/** @type {PointerEvent} */ event) =>
            event.pointerType !== "touch" && pointed(node, event.clientX, event.clientY),
          onpointerleave: left,
        };
  const name = html("bdi", step.name);
  const meaning = badge === null ? meaningOf(step.name) : undefined;
  const title = meaning === undefined ? step.name : `${step.name}: ${meaning}`;
  const way = badge === null ? "go to the end of the line that it comes from" : "go there";
  const words = meaning === undefined ? `${step.name}: ${way}` : `${title} Press: ${way}`;
  return html(
    "tr",
    {
      class: [
        badge !== null ? "waterfall-end" : equal ? "waterfall-equal" : rest ? "waterfall-rest" : "",
        node !== null && "waterfall-leads",
      ]
        .filter(Boolean)
        .join(" "),
      ...leads,
    },
    html(
      "th",
      { scope: "row", title },
      node === null
        ? name
        : html("button.waterfall-name", { type: "button", title: words, "data-key": `waterfall-${place}` }, name),
    ),
    html(
      "td",
      { "aria-hidden": "true" },
      svg("svg.waterfall-svg", { viewBox: `0 0 ${BAR.width} ${BAR.height}` }, mark),
    ),
    html("td.number", step.figure),
  );
}

/** The same as one picture that stands by itself. @param {Step[]} steps */
export function waterfallPicture(steps) {
  const height = 22;
  const share = scaleOfSteps(steps);
  const x = (/** @type {number} */ score) => 190 + share(score) * 220;
  const rows = steps.map(({ name, badge, from, to, figure }, place) => {
    const y = 14 + place * height;
    const bar =
      badge === null
        ? svg("rect", {
            x: Math.min(x(from), x(to)),
            y: y - 6,
            width: Math.max(0.8, Math.abs(x(to) - x(from))),
            height: 12,
            fill: to > from ? "#2f9360" : "#9c2445",
          })
        : svg("text", { x: x(from), y: y + 4, "text-anchor": "middle", "font-weight": "700" }, badge.toUpperCase());
    return [
      svg("text", { x: 8, y: y + 4 }, name),
      from === to && badge === null ? null : bar,
      svg("text", { x: 512, y: y + 4, "text-anchor": "end" }, figure),
    ];
  });
  return standingAlone({ width: 520, height: steps.length * height + 12 }, rows.flat());
}
