// @ts-check
/**
 * Figures as people read them: a real minus sign, thin decimals, bounds, windows, counts, times.
 *
 * Numbers that JSON lacks arrive as the strings "inf", "-inf" and "nan"; every function here takes them too.
 */

import { toNumber } from "../data/claims.js";

/** @import { Score } from "../data/types.js" */

/** A number as the server sends it. @typedef {Score | null | undefined} Figure */

export const MINUS = "\u2212";
export const UNKNOWN = "\u2013";

/**
 * How some figures are written so that no two that differ read the same: their decimals, and the decimals of those
 * that are written with an exponent.
 * @typedef {{decimals: number, mantissa: number}} Digits
 */

/** Digits up to which figures are told apart by more digits; beyond lie the rounding errors of sums. */
const SIGNIFICANT = 12;
/** As many decimals as `SIGNIFICANT` digits of the smallest figure without an exponent take. */
const MOST_DECIMALS = 15;
const MANTISSA = 2;

/** Whether there is a figure at all; a written "nan" is one. @param {unknown} figure @returns {boolean} */
export function isGiven(figure) {
  return figure !== null && figure !== undefined;
}

/**
 * How many decimals show `values` without loss that matters: none for whole numbers, up to `most`.
 * @param {readonly Figure[]} values
 * @param {number} [most]
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
 * The digits that tell figures apart, and each of them from 0: `most` decimals where these do, else as many as it
 * takes. Those that differ only by rounding errors read alike.
 * @param {readonly Figure[]} figures
 * @param {number} [most]
 * @returns {Digits}
 */
export function apart(figures, most = 2) {
  const finite = figures.map(toNumber).filter(Number.isFinite);
  const values = [...new Set([0, ...finite.map((value) => value || 0)])];
  const digits = { decimals: decimalsFor(finite, most), mantissa: MANTISSA };
  const distinct = [...new Set(values.map((value) => Number(value.toPrecision(SIGNIFICANT))))];
  const [long, short] = [
    distinct.filter((value) => isLong(Math.abs(value))),
    distinct.filter((value) => !isLong(Math.abs(value))),
  ];
  while (digits.decimals < MOST_DECIMALS && readsAlike(short, digits)) digits.decimals += 1;
  while (digits.mantissa < SIGNIFICANT && readsAlike(long, digits)) digits.mantissa += 1;
  return digits;
}

/** @param {readonly number[]} values that differ @param {Digits} digits */
function readsAlike(values, digits) {
  return new Set(values.map((value) => plain(value, digits))).size < values.length;
}

/** Whether a figure of this size is written with an exponent. @param {number} size */
function isLong(size) {
  return size >= 1e9 || (size > 0 && size < 1e-3);
}

/**
 * The figure without a plus: `−2.5`, `12`, `∞`, `1.2e12`, and an en dash where it is unknown.
 * @param {Figure} figure
 * @param {number | Digits} [digits] the decimals; as many as the figure needs when left out
 */
export function plain(figure, digits) {
  if (!isGiven(figure)) return UNKNOWN;
  const value = toNumber(figure);
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  const sign = value < 0 ? MINUS : "";
  if (size === Infinity) return `${sign}\u221e`;
  const { decimals = undefined, mantissa = MANTISSA } =
    typeof digits === "number" ? { decimals: digits } : (digits ?? {});
  if (isLong(size)) return sign + withPower(size.toExponential(mantissa).replace(/\.?0+e/, "e"));
  const text = fixed(size, decimals ?? decimalsFor([size]));
  return (Number(text) === 0 ? "" : sign) + grouped(text);
}

/**
 * The figure with `decimals` decimals, rounded once and as in sentences: halves of its first twelve digits go up.
 * @param {number} value
 * @param {number} decimals
 */
export function fixed(value, decimals) {
  const power = 10 ** decimals;
  const whole = Math.round(Number((Math.abs(value) * power).toPrecision(SIGNIFICANT)));
  return ((Math.sign(value) * whole) / power).toFixed(decimals);
}

/**
 * The figure to twelve digits, without a plus: `−1,000.04`, `12.3461`, `∞`.
 * @param {Figure} figure
 */
export function exact(figure) {
  const value = toNumber(figure);
  return Number.isFinite(value) ? full(Number(value.toPrecision(SIGNIFICANT))) : plain(figure);
}

/**
 * The figure with every digit that it has, without a plus: `0.30000000000000004`.
 * @param {Figure} figure
 */
export function full(figure) {
  const value = toNumber(figure);
  if (!Number.isFinite(value)) return plain(figure);
  const digits = String(Math.abs(value));
  return (value < 0 ? MINUS : "") + (digits.includes("e") ? withPower(digits) : grouped(digits));
}

/** @param {string} text a figure with an exponent */
function withPower(text) {
  return text.replace("e+", "e").replace("e-", `e${MINUS}`);
}

/**
 * The figure with its sign, as scores and contributions are shown: `+12.5`, `−0.4`, `0`.
 * @param {Figure} figure
 * @param {number | Digits} [digits]
 */
export function signed(figure, digits) {
  return withPlus(figure, plain(figure, digits));
}

/** The figure with its sign and every digit that it has. @param {Figure} figure */
export function signedFull(figure) {
  return withPlus(figure, full(figure));
}

/** @param {Figure} figure @param {string} text */
function withPlus(figure, text) {
  return toNumber(figure) > 0 && /[1-9\u221e]/.test(text) ? `+${text}` : text;
}

/**
 * A window on entry; an open edge is infinite: `[−∞, +12.5]`.
 * @param {Figure} alpha
 * @param {Figure} beta
 * @param {(figure: Figure) => string} [write] its edges; with as many digits as tell them apart when left out
 */
export function windowText(alpha, beta, write) {
  const digits = apart([alpha, beta]);
  const edge = write ?? ((figure) => signed(figure, digits));
  return `[${edge(alpha ?? "-inf")}, ${edge(beta ?? "inf")}]`;
}

/** A count with its thousands apart: `27,931`. @param {number} n */
export function count(n) {
  return grouped(String(n));
}

/**
 * A count to which some rows do not contribute because they lack it: `≥ 27`, or `unknown` where all lack it.
 * @param {number} n
 * @param {number} [uncounted] number of rows that lack it
 */
export function atLeast(n, uncounted) {
  return !uncounted ? count(n) : n > 0 ? `≥ ${count(n)}` : "unknown";
}

/**
 * A count and its noun: `1 node`, `27,931 nodes`.
 * @param {number} n
 * @param {string} singular
 * @param {string} [plural]
 */
export function counted(n, singular, plural = `${singular}s`) {
  return `${count(n)} ${n === 1 ? singular : plural}`;
}

/** A count in little room: `987`, `12.3k`, `4.1M`. @param {number} n */
export function shortCount(n) {
  const steps = /** @type {const} */ ([
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ]);
  for (const [size, unit] of steps) {
    if (n >= size) return `${(n / size).toFixed(n >= 100 * size ? 0 : 1).replace(/\.0$/, "")}${unit}`;
  }
  return String(n);
}

/** A duration: `0.41 s`, `12 ms`, `3 min 20 s`. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1e-3) return `${Math.round(seconds * 1e6)} \u00b5s`;
  if (seconds < 0.1) return `${(seconds * 1e3).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return `${count(minutes)} min ${Math.round(seconds) % 60} s`;
}

/** A size in bytes: `812 B`, `5.1 MB`. @param {number} n */
export function bytes(n) {
  if (n < 1000) return `${n} B`;
  for (const [size, unit] of /** @type {const} */ ([
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
  ])) {
    if (n >= size) return `${(n / size).toFixed(n >= 10 * size ? 0 : 1)} ${unit}`;
  }
  return `${n} B`;
}

/** @param {string} digits */
function grouped(digits) {
  const [whole, fraction] = digits.split(".");
  const apart = (whole ?? "").replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? apart : `${apart}.${fraction}`;
}
