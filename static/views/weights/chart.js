// @ts-check
/** The chart of root plies' scores against one weight: their least and greatest scores, and below them the choice. */

import { toNumber } from "../../data/claims.js";
import { brief } from "../../draw/seen.js";
import { weightText } from "./words.js";

/** @import { WeightRange } from "../../data/answers.js" */
/** @import { Reweighted, Score } from "../../data/types.js" */
/** @import { Chart } from "../chart.js" */

/** A line: corners `[weight, score]`. @typedef {{id: number, ply: string | null, low: [number, Score][], high: [number, Score][]}} Line */

/** Pixels of the chart, its axes included; of the track below the lines; of a letter's line. */
const HEIGHT = 190;
const TRACK = 8;
const LETTER = 12;
/** The approximate size of the lines in pixels, for decisions before they are drawn. */
const PLOT = { width: 300, height: 130 };
/** Lines that bear their ply. */
const LABELLED = 4;
/** Pixels between two strokes of hatching. */
const STROKE = 5;
/** Room above the lines, and below them for the track, as shares of the range of scores. */
const ROOM = { above: 0.05, below: 0.14 };

/**
 * @param {{factor: string, logged: number, now: number, span: [number, number], range:
 *   WeightRange | undefined}} weight
 * @param {Line[]} lines
 * @param {Reweighted} found
 * @returns {Chart}
 */
export function chartOf({ factor, logged, now, span, range }, lines, found) {
  const places = found.plies.map(({ id }) => id);
  const sorted = [...lines].sort((a, b) => places.indexOf(a.id) - places.indexOf(b.id));
  const values = sorted.flatMap(({ id, ply, low, high }) =>
    /** @type {const} */ (["low", "high"]).flatMap((end) =>
      (end === "low" ? low : high)
        .filter(([, score]) => typeof score === "number")
        .map(([weight, score], at) => ({
          ply: ply ?? "?",
          line: `${id} ${end}`,
          end: end === "low" ? "at least" : "at most",
          first: id === found.first.id,
          tone: toneOf(sorted, id, found.first.id),
          weight,
          score: Number(score),
          at,
        })),
    ),
  );
  const domain = domainOf(values.map(({ score }) => score));
  const x = { field: "weight", type: "quantitative", scale: { domain: span, nice: false }, title: brief(factor, 60) };
  const y = { field: "score", type: "quantitative", scale: { domain, nice: false, zero: false }, title: null };
  const states = stretchesOf(range, span);
  const color = { field: "tone", type: "nominal", scale: null };
  const bottom = { y: { value: { expr: `height - ${TRACK}` } }, y2: { value: { expr: "height" } } };
  return {
    name: `scores-against-${factor.replace(/[^\w-]+/g, "_")}`,
    caption: "Dashed: at most.",
    table: {
      columns: ["ply", "end", factor, "score"],
      rows: values.map(({ ply, end, weight, score }) => [ply, end, weightText(weight), score]),
    },
    spec: {
      description: spoken(factor, states),
      height: HEIGHT,
      layer: [
        ...marksOf(logged, now).map((mark) => ({
          data: { values: [mark] },
          layer: [
            {
              mark: {
                type: "rule",
                strokeDash: mark.what === "logged" ? [2, 3] : [1, 0],
                color: mark.what === "now" ? "var(--accent)" : "var(--dim)",
              },
              encoding: { x },
            },
            {
              mark: {
                type: "text",
                align: mark.align,
                dx: mark.align === "left" ? 3 : mark.align === "right" ? -3 : 0,
                dy: -6,
                fontSize: 11,
                color: mark.what === "now" ? "var(--accent)" : "var(--dim)",
              },
              encoding: { x, y: { value: 0 }, text: { field: "text" } },
            },
          ],
        })),
        {
          data: { values },
          mark: { type: "line", interpolate: "linear", clip: true },
          encoding: {
            x,
            y,
            detail: { field: "line" },
            order: { field: "at", type: "quantitative" },
            strokeDash: { condition: { test: "datum.end == 'at most'", value: [5, 3] }, value: [1, 0] },
            strokeWidth: { condition: { test: "datum.first", value: 2.5 }, value: 1.2 },
            color,
          },
        },
        {
          data: { values: labelsOf(sorted, found.first.id, domain) },
          mark: { type: "text", align: "left", baseline: "middle", dx: 5, fontSize: 11, limit: 90 },
          encoding: { x: { value: { expr: "width" } }, y: { ...y, field: "place" }, text: { field: "ply" }, color },
        },
        {
          data: { values: [{ low: span[0], high: span[1] }] },
          mark: { type: "rect", fill: "var(--pane)", stroke: "var(--line-strong)" },
          encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, ...bottom },
        },
        {
          data: { values: states.filter(({ state }) => state === "certain") },
          mark: { type: "rect", color: "var(--dim)" },
          encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, ...bottom },
        },
        {
          data: { values: hatchingOf(states, span) },
          mark: { type: "rule", color: "var(--dim)", strokeWidth: 1.2 },
          encoding: {
            x: { ...x, field: "low" },
            x2: { field: "high" },
            y: { value: { expr: "height" } },
            y2: { value: { expr: `height - ${TRACK}` } },
          },
        },
      ],
    },
  };
}

/**
 * The colour of a line and of its label: ink for the first ply, one each for those beside it that bear their ply.
 * @param {Line[]} lines
 * @param {number} id
 * @param {number} first
 */
function toneOf(lines, id, first) {
  const place = lines.filter((line) => line.id !== first).findIndex((line) => line.id === id);
  return id === first ? "var(--ink)" : place < LABELLED - 1 ? `var(--series-${place + 1})` : "var(--dim)";
}

/** The scores that are shown: all, with room for the track below them. @param {number[]} scores @returns {[number, number]} */
function domainOf(scores) {
  const [least, most] = scores.length === 0 ? [0, 1] : [Math.min(...scores), Math.max(...scores)];
  const range = most - least || 1;
  return [least - ROOM.below * range, most + ROOM.above * range];
}

/**
 * The choice on each stretch of the shown weights.
 * @param {WeightRange | undefined} range
 * @param {[number, number]} span
 */
function stretchesOf(range, span) {
  return (range?.segments ?? []).flatMap(([from, to, state]) => {
    const [low, high] = [Math.max(span[0], toNumber(from)), Math.min(span[1], toNumber(to))];
    return low < high ? [{ low, high, state }] : [];
  });
}

/**
 * Strokes over the stretches that depend, each from its foot to its head; one at least a stretch.
 * @param {{low: number, high: number, state: string}[]} stretches
 * @param {[number, number]} span
 */
export function hatchingOf(stretches, span) {
  const step = ((span[1] - span[0]) * STROKE) / PLOT.width;
  return stretches
    .filter(({ state }) => state === "depends")
    .flatMap(({ low, high }) => {
      const n = Math.max(1, Math.floor((high - low) / step));
      return Array.from({ length: n }, (_, i) => ({ low: low + i * step, high: Math.min(high, low + (i + 1) * step) }));
    });
}

/**
 * The marks of the logged weight and, if it differs, of the current one, with their labels kept apart.
 * @param {number} logged
 * @param {number} now
 */
function marksOf(logged, now) {
  const was = {
    weight: logged,
    what: "logged",
    text: `logged ${weightText(logged)}`,
    align: now === logged ? "center" : now < logged ? "left" : "right",
  };
  if (now === logged) return [was];
  return [was, { weight: now, what: "now", text: `now ${weightText(now)}`, align: now < logged ? "right" : "left" }];
}

/**
 * The plies of the first lines at their right ends, moved apart where they would overlap.
 * @param {Line[]} lines
 * @param {number} first
 * @param {[number, number]} domain
 */
export function labelsOf(lines, first, domain) {
  const gap = ((domain[1] - domain[0]) * LETTER) / PLOT.height;
  const labels = lines.slice(0, LABELLED).flatMap(({ id, ply, low, high }) => {
    const end = [...high, ...low].length === 0 ? undefined : (lastScore(high) ?? lastScore(low));
    const tone = toneOf(lines, id, first);
    return end === undefined ? [] : [{ ply: brief(ply ?? "?", 18), first: id === first, tone, place: end }];
  });
  labels.sort((a, b) => b.place - a.place);
  for (let pass = 0; pass < 2; pass += 1) {
    // From above down, then those that fell below the lines from below up.
    for (let i = 1; i < labels.length; i += 1) {
      const [above, label] = [labels[i - 1], labels[i]];
      if (above && label) label.place = Math.min(label.place, above.place - gap);
    }
    const last = labels.at(-1);
    if (last && last.place < domain[0] + gap) last.place = domain[0] + gap;
    for (let i = labels.length - 2; i >= 0; i -= 1) {
      const [label, below] = [labels[i], labels[i + 1]];
      if (label && below) label.place = Math.max(label.place, below.place + gap);
    }
  }
  return labels;
}

/** @param {[number, Score][]} corners */
function lastScore(corners) {
  const end = corners.at(-1)?.[1];
  return typeof end === "number" ? end : undefined;
}

/** The chart in words. @param {string} factor @param {{low: number, high: number, state: string}[]} stretches */
function spoken(factor, stretches) {
  const words = { certain: "certainly stands", depends: "depends on unsearched plies", falls: "certainly falls" };
  const said = stretches.map(
    ({ low, high, state }) =>
      `from ${weightText(low)} to ${weightText(high)} it ${words[/** @type {keyof typeof words} */ (state)]}`,
  );
  return `Scores of root plies against ${factor}. ${said.length === 0 ? "" : `The choice: ${said.slice(0, 12).join(", ")}.`}`;
}
