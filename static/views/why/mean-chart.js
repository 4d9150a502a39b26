// @ts-check
/**
 * The plies of a best-first tree beside one another: each mean as a dot with its 95 % interval, the visits as a bar;
 * the first two enlarged, with the overlap of their intervals hatched.
 */

import { toNumber } from "../../data/claims.js";
import { html, standingAlone, svg } from "../../draw/element.js";
import { percentText } from "../../draw/lettering.js";
import { apart, count, counted, plain } from "../../draw/numbers.js";
import { brief } from "../../draw/seen.js";

/** @import { Means, PlyMean } from "../../data/types.js" */

/** What a row leads to. @typedef {(node: number) => Record<string, any>} Leads */
/**
 * The axis: the place of a value, from 0 to 1, and the ticks; `first` is the number of the first one, from the range's
 * low end.
 * @typedef {{at: (value: number) => number, ticks: number[], first: number, middle: number | null}} Axis
 */

/** Rows shown before somebody asks for all. */
export const FEW = 10;
/** Steps between the ticks of an axis, in units of the scale's power of ten. */
const STEPS = [1, 2, 5, 10];
const MOST_TICKS = 4;
/** Pixels of an axis at least, of a figure below it, and between two of them. */
const AXIS = 96;
const FIGURE = 6.4;
const APART = 6;

/**
 * How the figures are written: percentages of the declared range, else as many decimals as tell them apart, four at most.
 * @param {Means} means
 * @returns {(value: number) => string}
 */
export function writing({ range, plies }) {
  if (range !== null) {
    const [low, high] = range.map(toNumber);
    return (value) => percentText((value - Number(low)) / (Number(high) - Number(low)));
  }
  const { decimals } = apart(plies.flatMap(({ mean }) => mean ?? []));
  return (value) => plain(value, Math.min(4, decimals));
}

/**
 * An axis over some values, a little wider than they are, and inside the range.
 * @param {number[]} values
 * @param {Means["range"]} range
 * @returns {Axis}
 */
export function axisOf(values, range) {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  [low, high] = [low - room, high + room];
  const [least, most] = range === null ? [-Infinity, Infinity] : range.map(toNumber);
  [low, high] = [Math.max(low, Number(least)), Math.min(high, Number(most))];
  if (!(low < high)) [low, high] = [low - 1, high + 1];
  const unit = range === null ? 1 : (Number(most) - Number(least)) / 100; // ticks are whole per cents
  const origin = range === null ? 0 : Number(least);
  const span = (high - low) / unit;
  const power = 10 ** Math.floor(Math.log10(span / MOST_TICKS));
  const step = unit * power * Number(STEPS.find((each) => span / (each * power) <= MOST_TICKS));
  const ticks = [];
  const first = Math.ceil((low - origin) / step - 1e-9);
  for (let n = first; origin + n * step <= high + 1e-9 * step; n += 1) ticks.push(origin + n * step);
  const middle = range === null ? null : (Number(least) + Number(most)) / 2;
  return {
    at: (value) => (value - low) / (high - low),
    ticks,
    first,
    middle: middle !== null && middle > low && middle < high ? middle : null,
  };
}

/** @param {PlyMean[]} plies */
const valuesOf = (plies) =>
  plies.flatMap(({ mean, interval }) => [
    ...(interval ?? []).map(toNumber),
    ...(mean === undefined ? [] : [toNumber(mean)]),
  ]);

/** @param {number} share */
const percent = (share) => `${(100 * Math.max(0, Math.min(1, share))).toFixed(2)}%`;

/** Whether any ply has a mean: others log visits alone. @param {Means} means */
export const hasMeans = ({ plies }) => plies.some(({ mean }) => mean !== undefined);

/**
 * All plies as a table: name, interval and mean on one axis, mean, visits; without the middle where no ply has a mean.
 * @param {Means} means
 * @param {{x: number, y: number}} pair the ids of the two that are compared
 * @param {PlyMean[]} shown
 * @param {Leads} leads
 */
export function meansTable(means, { x, y }, shown, leads) {
  const write = writing(means);
  const axis = axisOf(valuesOf(shown), means.range);
  const most = Math.max(1, ...shown.map(({ visits }) => visits ?? 0));
  const isMean = hasMeans(means);
  const chosen = means.plies.find(({ id }) => id === x)?.interval?.map(toNumber);
  return html(
    "table",
    { class: isMean ? "means" : "means means-counts" },
    html(
      "caption.visually-hidden",
      `The plies of this node: ${isMean ? "the mean of each with its 95 % interval, and its visits" : "the visits of each"}`,
    ),
    isMean ? columns("ply", "place", "mean", "bar", "visits") : columns("ply", "bar", "visits"),
    html(
      "tbody",
      shown.map((ply) => {
        const { id, mean, interval, visits } = ply;
        const ends = interval?.map((end) => write(toNumber(end)));
        const is = id === x ? "means-x" : id === y ? "means-y" : ply.within_noise === true ? "means-within" : "";
        const said = `${visits === undefined ? "" : counted(visits, "visit")}${id === x || ply.within_noise === undefined ? "" : ply.within_noise ? "; within noise of X" : `; clearly ${ply.better ? "better" : "worse"}`}`;
        return html(
          "tr",
          { class: is, title: `${brief(ply.ply ?? `#${id}`)}: ${said}` },
          html(
            "th",
            { scope: "row" },
            html(
              "button.means-name",
              { type: "button", "data-key": `means-${id}`, ...leads(id) },
              html("bdi", ply.ply ?? `#${id}`),
            ),
          ),
          isMean &&
            html(
              "td.means-place",
              html("span.visually-hidden", ends === undefined ? "unknown" : ends.join(" to ")),
              svg("svg.means-svg", { "aria-hidden": "true" }, gridLines(axis), band(chosen, axis), dot(ply, axis)),
            ),
          isMean && html("td.number", mean === undefined ? "?" : write(toNumber(mean))),
          html(
            "td.means-visits",
            { "aria-hidden": "true" },
            svg(
              "svg.means-svg",
              visits !== undefined &&
                svg("rect", { y: 5, height: 8, rx: 1.5, width: percent(Math.max(visits / most, 0.02)) }),
            ),
          ),
          html("td.number.dim", visits === undefined ? "?" : count(Math.round(visits))),
        );
      }),
    ),
    isMean &&
      html(
        "tfoot",
        { "aria-hidden": "true" },
        html("tr", html("td"), html("td.means-axis", tickTexts(axis, means)), html("td", { colspan: 3 })),
      ),
  );
}

/** @param {...string} names */
function columns(...names) {
  return html(
    "colgroup",
    names.map((name) => html("col", { class: `means-col-${name}` })),
  );
}

/** @param {Axis} axis */
function gridLines({ at, ticks, middle }) {
  return [
    ...ticks.map((tick) => svg("line.means-grid", { x1: percent(at(tick)), x2: percent(at(tick)), y1: 0, y2: "100%" })),
    middle !== null &&
      svg("line.means-middle", { x1: percent(at(middle)), x2: percent(at(middle)), y1: 0, y2: "100%" }),
  ];
}

/** The interval of the chosen ply as a band through all rows. @param {number[] | undefined} ends @param {Axis} axis */
function band(ends, { at }) {
  if (ends === undefined) return null;
  const [from, to] = ends.map((end) => Math.max(0, Math.min(1, at(end))));
  return svg("rect.means-band", {
    x: percent(Number(from)),
    y: 0,
    width: percent(Number(to) - Number(from)),
    height: "100%",
  });
}

/** @param {PlyMean} ply @param {Axis} axis @param {number} [y] */
function dot({ mean, interval }, { at }, y = 9) {
  if (mean === undefined) return null;
  const ends = interval?.map((end) => percent(at(toNumber(end)))) ?? [];
  return svg(
    "g",
    { class: `means-dot${interval === undefined ? " means-unknown" : ""}` },
    ends.length > 0 && svg("line", { x1: String(ends[0]), x2: String(ends[1]), y1: y, y2: y }),
    ends.map((end) => svg("line", { x1: end, x2: end, y1: y - 4, y2: y + 4 })),
    svg("circle", { cx: percent(at(toNumber(mean))), cy: y, r: 3.4 }),
  );
}

/**
 * The ticks that are named: all, else every second or third, else both ends, so that no two figures touch.
 * @param {Axis} axis
 * @param {(value: number) => string} write
 */
export function namedTicks({ at, ticks, first }, write) {
  const all = ticks.map((tick) => ({ at: at(tick), text: write(tick).replace(/\.0(?=\u202f%)/, "") }));
  const [one, two, last] = [all[0], all[1], all.at(-1)];
  if (one === undefined || two === undefined || last === undefined) return all;
  const wide = Math.max(...all.map(({ text }) => text.length)) * FIGURE + APART;
  const every = Math.ceil(wide / ((two.at - one.at) * AXIS));
  let kept = all.filter((_, number) => (first + number) % every === 0);
  const ends = ((one.text.length + last.text.length) / 2) * FIGURE + APART;
  if (kept.length < 2) kept = (last.at - one.at) * AXIS >= ends ? [one, last] : [kept[0] ?? one]; // one is no scale
  return kept.filter(({ text }, number) => text !== kept[number - 1]?.text);
}

/** @param {Axis} axis @param {Means} means */
function tickTexts(axis, means) {
  return namedTicks(axis, writing(means)).map(({ at, text }) =>
    html("span.means-tick.number", { style: { left: percent(at) } }, text),
  );
}

/** The two that are compared on an axis of their own. @param {Means} means @param {PlyMean[]} two */
export function closeUp(means, two) {
  const write = writing(means);
  const axis = axisOf(valuesOf(two), means.range);
  const shared = means.shared?.map((end) => axis.at(toNumber(end)));
  return html(
    "table.means.means-close",
    html("caption.visually-hidden", "The 95 % intervals of the two"),
    columns("ply", "place", "interval"),
    html(
      "tbody",
      two.map((ply, place) =>
        html(
          "tr",
          { class: place === 0 ? "means-x" : "means-y" },
          html("th", { scope: "row" }, html("bdi", ply.ply ?? `#${ply.id}`)),
          html(
            "td.means-place",
            { "aria-hidden": "true" },
            svg(
              "svg.means-svg",
              shared !== undefined && [
                hatching(),
                svg("rect.means-shared", {
                  x: percent(Number(shared[0])),
                  y: 0,
                  width: percent(Number(shared[1]) - Number(shared[0])),
                  height: "100%",
                  fill: "url(#means-hatch)",
                }),
              ],
              gridLines(axis),
              dot(ply, axis),
            ),
          ),
          html(
            "td.number",
            ply.interval === undefined
              ? "unknown"
              : ply.interval
                  .map((end) => write(toNumber(end)))
                  .join(" \u2026 ")
                  .replace(/\u202f%(?= )/, ""),
          ),
        ),
      ),
    ),
    html(
      "tfoot",
      { "aria-hidden": "true" },
      html("tr", html("td"), html("td.means-axis", tickTexts(axis, means)), html("td")),
    ),
  );
}

function hatching() {
  return svg(
    "defs",
    svg(
      "pattern",
      { id: "means-hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("line.means-hatch", { x1: 0, x2: 0, y1: 0, y2: 5 }),
    ),
  );
}

/**
 * The plies as one independent picture.
 * @param {Means} means
 * @param {{x: number, y: number}} pair
 */
export function meansPicture(means, { x, y }) {
  const write = writing(means);
  const axis = axisOf(valuesOf(means.plies), means.range);
  const place = (/** @type {number} */ value) => 110 + axis.at(value) * 250;
  const most = Math.max(1, ...means.plies.map(({ visits }) => visits ?? 0));
  const height = means.plies.length * 22 + 34;
  const rows = means.plies.map(({ id, ply, mean, interval, visits }, at) => {
    const middle = 16 + 22 * at;
    const ends = interval?.map((end) => place(toNumber(end)));
    const fill = id === x ? "#1b1d21" : "#fff";
    return [
      svg("text", { x: 8, y: middle + 4, "font-weight": id === x || id === y ? "700" : "400" }, ply ?? `#${id}`),
      ends !== undefined &&
        svg("path", {
          d: `M${ends[0]} ${middle}H${ends[1]}M${ends[0]} ${middle - 4}v8M${ends[1]} ${middle - 4}v8`,
          stroke: "#1b1d21",
          fill: "none",
        }),
      mean !== undefined && svg("circle", { cx: place(toNumber(mean)), cy: middle, r: 3.6, fill, stroke: "#1b1d21" }),
      svg("text", { x: 440, y: middle + 4, "text-anchor": "end" }, mean === undefined ? "?" : write(toNumber(mean))),
      visits !== undefined &&
        svg("rect", { x: 452, y: middle - 4, width: Math.max(1, (visits / most) * 60), height: 8, fill: "#80858d" }),
      svg(
        "text",
        { x: 590, y: middle + 4, "text-anchor": "end" },
        visits === undefined ? "?" : count(Math.round(visits)),
      ),
    ];
  });
  const ticks = axis.ticks.flatMap((tick) => [
    svg("path", { d: `M${place(tick)} 4V${height - 24}`, stroke: "#e3e2dd" }),
    svg("text", { x: place(tick), y: height - 8, "text-anchor": "middle" }, write(tick)),
  ]);
  return standingAlone({ width: 600, height }, [...ticks, ...rows.flat()]);
}
