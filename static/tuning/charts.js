// @ts-check
/** Charts of the share of points of each trial, and of the smoothed weights by trial; both point at one trial. */

import { signed } from "../draw/numbers.js";

/** @import { Chart } from "../views/chart.js" */
/** @import { Tuned } from "./types.js" */

/** The parameter of a chart that says at which trial its line stands. */
export const TRIAL = "trial";
/** Pixels of a chart with its axes, and of each line of its legend. */
const HEIGHT = 170;
const LEGEND = 22;
/** Names in a line of a legend. */
const IN_LINE = 4;
/** Pixels of the vertical axis, so that trials of both charts stand below each other. */
const AXIS = 44;
const EVEN = 0.5;
const COLOURS = ["max", "min", "other", "chance", "seat-1", "seat-2", "odd", "seat-3"].map((name) => `var(--${name})`);
const DASHES = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
];

/** @param {Tuned} tuned @param {number} now @returns {Chart} */
export function chartOfValues(tuned, now) {
  const values = tuned.trials.map(({ trial, value }) => ({ trial, value }));
  const y = {
    field: "value",
    type: "quantitative",
    title: "share of the points",
    axis: { format: ".0%", minExtent: AXIS, tickCount: 5 },
    scale: { zero: false },
  };
  return {
    name: "trials",
    caption: "What each trial took, not smoothed; the dashed line is an even match.",
    spec: spec(tuned, now, values, [
      {
        data: { values: [{}] },
        mark: { type: "rule", strokeDash: [4, 4], color: "var(--stub)", description: "An even match" },
        encoding: { y: { datum: EVEN, type: "quantitative" } },
      },
      { mark: { type: "line", color: "var(--dim)", strokeWidth: 1 }, encoding: { x: x(tuned), y } },
      {
        mark: { type: "point", filled: true, opacity: 1, size: 22, color: "var(--max)" },
        encoding: { x: x(tuned), y },
      },
    ]),
    table: { columns: ["trial", "share"], rows: tuned.trials.map(({ trial, value }) => [trial, value]) },
  };
}

/** @param {Tuned} tuned @param {number} now @returns {Chart} */
export function chartOfWeights(tuned, now) {
  const values = tuned.trials.flatMap(({ trial, smoothed }) =>
    tuned.names.map((of, place) => ({ trial, of, weight: smoothed[place] ?? 0 })),
  );
  const scale = { domain: tuned.names };
  const encoding = {
    x: x(tuned),
    y: { field: "weight", type: "quantitative", title: "size of the weight", axis: { minExtent: AXIS, tickCount: 5 } },
    color: {
      field: "of",
      type: "nominal",
      title: null,
      scale: { ...scale, range: cycled(COLOURS, tuned.names.length) },
      legend: { orient: "bottom", columns: IN_LINE, labelLimit: 220 },
    },
    strokeDash: {
      field: "of",
      type: "nominal",
      title: null,
      scale: { ...scale, range: cycled(DASHES, tuned.names.length) },
    },
  };
  return {
    name: "weights",
    caption: "The weights without their signs, each over itself and its neighbours by ¼, ½, ¼.",
    spec: spec(
      tuned,
      now,
      values,
      [{ mark: { type: "line", strokeWidth: 2 }, encoding }],
      1 + Math.ceil(tuned.names.length / IN_LINE),
    ),
    table: {
      columns: ["trial", ...tuned.names],
      rows: tuned.trials.map(({ trial, weights }) => [trial, ...weights.map((weight) => signed(weight))]),
    },
  };
}

/** @template T @param {T[]} values @param {number} n */
const cycled = (values, n) => Array.from({ length: n }, (_, place) => values[place % values.length]);

/** @param {Tuned} tuned */
function x({ trials }) {
  const numbers = trials.map(({ trial }) => trial);
  return {
    field: "trial",
    type: "quantitative",
    title: "trial",
    axis: { tickMinStep: 1, tickCount: 10 },
    scale: { domain: [Math.min(...numbers), Math.max(...numbers)], nice: false, padding: 6 },
  };
}

/**
 * A chart with a line at the trial `now`, in which every trial can be pressed; `values` are its marks.
 * @param {Tuned} tuned
 * @param {number} now
 * @param {object[]} values
 * @param {object[]} layer
 * @param {number} [nLines] of its legend
 */
function spec(tuned, now, values, layer, nLines = 0) {
  const across = x(tuned);
  return {
    width: "container",
    height: HEIGHT + LEGEND * nLines,
    params: [{ name: TRIAL, value: now }],
    data: { values },
    layer: [
      {
        data: { values: [{}] },
        mark: { type: "rule", color: "var(--accent)", strokeWidth: 2, description: "The trial that is looked at" },
        encoding: { x: { datum: { expr: TRIAL }, type: "quantitative" } },
      },
      ...layer,
      {
        data: { values: tuned.trials.map(({ trial }) => ({ trial })) },
        mark: {
          type: "rule",
          opacity: 0,
          color: "var(--ink)",
          strokeWidth: { expr: `max(4, width / ${tuned.trials.length})` },
          cursor: "pointer",
          aria: false,
        },
        encoding: { x: across, y: { value: 0 }, y2: { value: { expr: "height" } } },
      },
    ],
  };
}
