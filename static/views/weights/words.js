// @ts-check
/** Weights in words and as tracks: where the choice certainly stands, where it may change, where it certainly falls. */

import { toNumber } from "../../data/claims.js";
import { html } from "../../draw/element.js";
import { exact, plain } from "../../draw/numbers.js";

/** @import { WeightRange } from "../../data/answers.js" */

/** Digits of a weight that are read. */
const DIGITS = 5;

/** A weight: `18`, `−0.25`, `13.433`, `∞`. @param {number} weight */
export function weightText(weight) {
  return Number.isFinite(weight) ? exact(Number(weight.toPrecision(DIGITS))) : plain(weight);
}

/**
 * The range of a slider: from 0 to twice the logged weight, for a weight of 0 as far as the largest either way; always
 * with the current weight.
 * @param {number} logged
 * @param {number} now
 * @param {number} largest
 * @returns {[number, number]}
 */
export function spanOf(logged, now, largest) {
  const size = logged === 0 ? largest || 1 : 2 * Math.abs(logged);
  const [low, high] = logged === 0 ? [-size, size] : [Math.min(0, 2 * logged), Math.max(0, 2 * logged)];
  return [Math.min(low, now), Math.max(high, now)];
}

/**
 * A step of a slider: a round number, some 200 to 500 of which make its span.
 * @param {readonly [number, number]} span
 */
export function stepOf([low, high]) {
  const raw = (high - low) / 200;
  const power = 10 ** Math.floor(Math.log10(raw));
  const round = [1, 2, 5].filter((each) => each * power <= raw).at(-1) ?? 1;
  return Number((round * power).toPrecision(1));
}

/**
 * A track over `span`: a piece a stretch, and a tick at the logged weight. Without a range it is plain.
 * @param {WeightRange | undefined} range
 * @param {readonly [number, number]} span
 * @param {number} logged
 * @returns {HTMLElement}
 */
export function track(range, [low, high], logged) {
  const at = (/** @type {number} */ weight) => Math.min(1, Math.max(0, (weight - low) / (high - low)));
  const pieces = (range?.segments ?? []).map(([from, to, state]) => {
    const [left, right] = [at(toNumber(from)), at(toNumber(to))];
    const style = placed(left, right - left);
    return right > left ? html("span", { class: `track-piece track-${state}`, style }) : null;
  });
  return html("span.track", { "aria-hidden": "true" }, pieces, html("span.track-tick", { style: placed(at(logged)) }));
}

/** The style of a piece that stands at a share of its parent's width. @param {number} left @param {number} [width] */
export const placed = (left, width = 0) => ({
  left: `${(100 * left).toFixed(2)}%`,
  width: width > 0 ? `${(100 * width).toFixed(2)}%` : undefined,
});
