// @ts-check
/**
 * Figures as people read them: a real minus sign, thin decimals, bounds, windows, counts, times.
 *
 * Numbers that JSON lacks arrive as the strings "inf", "-inf" and "nan"; every function here takes them too.
 */

import { toNumber } from "../data/claims.js";

/** A number as the server sends it. @typedef {import("../data/types.js").Score | null | undefined} Figure */

export const MINUS = "\u2212";
export const UNKNOWN = "\u2013";

const BOUND_MARKS = { lower: "\u2265\u00a0", upper: "\u2264\u00a0", exact: "" };
/** What stands before the end that is the utmost, where it may not come to it. */
const OPEN_WIN = "at best a ";
const OPEN_LOSS = "at worst a ";

/**
 * Whether there is a figure at all; a written "nan" is one.
 * @param {unknown} figure
 * @returns {boolean}
 */
export function isGiven(figure) {
  return figure !== null && figure !== undefined;
}

/**
 * How many decimals show `values` without loss that matters: none for whole numbers, up to `most`.
 * @param {readonly Figure[]} values
 * @param {number} [most]
 * @returns {number}
 */
export function decimalsFor(values, most = 3) {
  let decimals = 0;
  for (const figure of values) {
    const value = Math.abs(toNumber(figure));
    if (!Number.isFinite(value) || value >= 1e9) continue;
    const enough = value >= 1000 ? Math.min(1, most) : value >= 1 ? Math.min(2, most) : most;
    const [, fraction = ""] = value.toFixed(enough).split(".");
    decimals = Math.max(decimals, fraction.replace(/0+$/, "").length);
  }
  return decimals;
}

/**
 * The figure without a plus: `−2.5`, `12`, `∞`, `1.2e12`, and an en dash where it is unknown.
 * @param {Figure} figure
 * @param {number} [decimals] as many as the figure needs when left out
 * @returns {string}
 */
export function plain(figure, decimals) {
  if (!isGiven(figure)) return UNKNOWN;
  const value = toNumber(figure);
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  const sign = value < 0 ? MINUS : "";
  if (size === Infinity) return `${sign}\u221e`;
  if (size >= 1e9 || (size > 0 && size < 1e-3)) {
    return sign + size.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e").replace("e-", `e${MINUS}`);
  }
  const text = size.toFixed(decimals ?? decimalsFor([size]));
  return (Number(text) === 0 ? "" : sign) + grouped(text);
}

/**
 * The figure with all digits that tell it from another, without a plus: `−1,000.04`, `12.3461`, `∞`.
 * @param {Figure} figure
 * @returns {string}
 */
export function exact(figure) {
  const value = toNumber(figure);
  if (!isGiven(figure) || !Number.isFinite(value)) return plain(figure);
  const digits = String(Number.isInteger(value) ? Math.abs(value) : Number(Math.abs(value).toPrecision(12)));
  return (value < 0 ? MINUS : "") + (digits.includes("e") ? digits.replace("e+", "e").replace("e-", `e${MINUS}`) : grouped(digits));
}

/**
 * The figure with its sign, as scores and contributions are shown: `+12.5`, `−0.4`, `0`.
 * @param {Figure} figure
 * @param {number} [decimals]
 * @returns {string}
 */
export function signed(figure, decimals) {
  const text = plain(figure, decimals);
  return toNumber(figure) > 0 && /[1-9\u221e]/.test(text) ? `+${text}` : text;
}

/**
 * A score with its bound, never as if a bound were exact: `≤ +4`, `≥ −2.5`, `+12.5`; empty where unknown.
 * @param {Figure} score
 * @param {string | undefined} bound
 * @param {number} [decimals]
 * @returns {string}
 */
export function scoreText(score, bound, decimals) {
  if (!isGiven(score)) return "";
  const mark = bound === "lower" || bound === "upper" ? BOUND_MARKS[bound] : "";
  return mark + signed(score, decimals);
}

/**
 * A score of a won or lost game by its distance in plies from the root: `win in 5`, `loss in 4 or less`, `lost` at
 * the root itself, and `at best a win in 3` where the bound leaves the end open. Empty where the score is none of a
 * won or lost game, or `mate` does not declare such scores.
 * @param {Figure} score
 * @param {string | undefined} bound
 * @param {any} mate the header's `{score, step, threshold}`: a win at the root, what a ply takes off, the least win
 * @returns {string}
 */
export function mateText(score, bound, mate) {
  const [value, best, step, least] = [score, mate?.score, mate?.step, mate?.threshold].map(toNumber);
  if (value === undefined || best === undefined || step === undefined || least === undefined) return "";
  const size = Math.abs(value);
  if (!(least > 0 && size >= least && size <= best)) return "";
  const distance = (best - size) / step;
  const result = value > 0 ? "win" : "loss";
  if (bound === (value > 0 ? "upper" : "lower")) {
    if (distance === 0) return ""; // any score is at most a win at once
    const limit = `${value > 0 ? OPEN_WIN : OPEN_LOSS}${result}`;
    return Number.isInteger(distance) ? `${limit} in ${distance}` : limit;
  }
  if (distance === 0) return value > 0 ? "won" : "lost";
  if (!Number.isInteger(distance)) return result;
  return `${result} in ${distance}${bound === "lower" || bound === "upper" ? " or less" : ""}`;
}

/**
 * A score where room is short: won and lost games by their distance, `win in ≤ 5`, `≤ win in 3`, others as figures.
 * @param {Figure} score
 * @param {string | undefined} bound
 * @param {number | undefined} decimals as many as the figure needs when left out
 * @param {any} mate as `mateText` takes it
 * @returns {string}
 */
export function shortScore(score, bound, decimals, mate) {
  const result = mateText(score, bound, mate)
    .replace(/(\d+) or less$/, `${BOUND_MARKS.upper}$1`)
    .replace(OPEN_WIN, BOUND_MARKS.upper)
    .replace(OPEN_LOSS, BOUND_MARKS.lower);
  return result === "" ? scoreText(score, bound, decimals) : result;
}

/**
 * A window on entry; an open edge is infinite: `[−∞, +12.5]`.
 * @param {Figure} alpha
 * @param {Figure} beta
 * @returns {string}
 */
export function windowText(alpha, beta) {
  return `[${isGiven(alpha) ? signed(alpha) : `${MINUS}\u221e`}, ${isGiven(beta) ? signed(beta) : "+\u221e"}]`;
}

/**
 * A count with its thousands apart: `27,931`.
 * @param {number} n
 * @returns {string}
 */
export function count(n) {
  return grouped(String(n));
}

/**
 * A count and its noun: `1 node`, `27,931 nodes`.
 * @param {number} n
 * @param {string} singular
 * @param {string} [plural]
 * @returns {string}
 */
export function counted(n, singular, plural = `${singular}s`) {
  return `${count(n)} ${n === 1 ? singular : plural}`;
}

/**
 * A count in little room: `987`, `12.3k`, `4.1M`.
 * @param {number} n
 * @returns {string}
 */
export function shortCount(n) {
  const steps = /** @type {const} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"]]);
  for (const [size, unit] of steps) {
    if (n >= size) return `${(n / size).toFixed(n >= 100 * size ? 0 : 1).replace(/\.0$/, "")}${unit}`;
  }
  return String(n);
}

/**
 * A duration: `0.41 s`, `12 ms`, `3 min 20 s`.
 * @param {number} seconds
 * @returns {string}
 */
export function duration(seconds) {
  if (seconds < 1e-3) return `${Math.round(seconds * 1e6)} \u00b5s`;
  if (seconds < 0.1) return `${(seconds * 1e3).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return `${count(minutes)} min ${Math.round(seconds) % 60} s`;
}

/**
 * A size in bytes: `812 B`, `5.1 MB`.
 * @param {number} n
 * @returns {string}
 */
export function bytes(n) {
  if (n < 1000) return `${n} B`;
  for (const [size, unit] of /** @type {const} */ ([[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]])) {
    if (n >= size) return `${(n / size).toFixed(n >= 10 * size ? 0 : 1)} ${unit}`;
  }
  return `${n} B`;
}

/**
 * @param {string} digits
 * @returns {string}
 */
function grouped(digits) {
  const [whole, fraction] = digits.split(".");
  const apart = (whole ?? "").replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? apart : `${apart}.${fraction}`;
}
