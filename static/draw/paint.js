// @ts-check
/** The colour of a card by a field or expression, and its entries in the legend. */

import { OWN_COLOURS } from "../data/state.js";
import { toNumber } from "../data/claims.js";
import { decimalsFor, signed } from "./numbers.js";

/** @import { ColourScale, Id, State } from "../data/types.js" */

/**
 * What a card wears: a class, how strong its colour is (0…1), its place among the categories, and the value in words.
 * @typedef {{name: "low" | "high" | "ramp" | "true" | "false" | "category" | "other" | "absent", share: number, place:
 *   number, words: string}} Paint
 */

/** The words for a node without a colour. */
export const ABSENT = "not stated";

/**
 * How a node is coloured; undefined where the tree has other colours, or the value is not here yet.
 * @param {Pick<State, "colour" | "colouring">} state
 * @param {Id} id
 * @returns {Paint | undefined}
 */
export function paintOf({ colour, colouring }, id) {
  if (colouring === null || colouring.of !== colour || OWN_COLOURS.includes(colour)) return undefined;
  const known = colouring.values.get(id);
  if (known === undefined) return undefined;
  const { scale } = colouring;
  const { value, place } = known;
  if (value === null || value === undefined) return { name: "absent", share: 0, place: -1, words: ABSENT };
  const words = valueText(value, scale);
  if (scale.kind === "flag") return { name: value === true ? "true" : "false", share: 1, place: -1, words };
  if (scale.kind === "category") return { name: place < 0 ? "other" : "category", share: 1, place, words };
  const number = toNumber(/** @type {any} */ (value));
  if (Number.isNaN(number)) return { name: "absent", share: 0, place: -1, words };
  const ends = endsOf(scale);
  if (ends === null) return { name: "ramp", share: number > 0 ? 1 : 0, place: -1, words };
  if (ends.signed)
    return { name: number < 0 ? "low" : "high", share: Math.min(1, Math.abs(number) / ends.high), place: -1, words };
  const placed = scale.logarithmic ? Math.log1p : Number;
  const [low, high] = [placed(ends.low), placed(ends.high)];
  const share = high > low ? (placed(number) - low) / (high - low) : 1;
  return { name: "ramp", share: Math.max(0, Math.min(1, share)), place: -1, words };
}

/**
 * The ends of a scale of numbers: as far to either side of 0 where there are numbers on both. Null where none is finite.
 * @param {ColourScale} scale
 */
export function endsOf({ low, high }) {
  if (low === undefined || high === undefined) return null;
  const reach = Math.max(-low, high);
  return low < 0 && high > 0 ? { low: -reach, high: reach, signed: true } : { low, high, signed: false };
}

/** A value as a legend and a tip say it. @param {unknown} value @param {ColourScale} scale */
export function valueText(value, scale) {
  if (value === true) return "true";
  if (value === false) return "false";
  if (value === "inf") return "\u221e";
  if (value === "-inf") return "\u2212\u221e";
  if (typeof value !== "number") return String(value);
  if (endsOf(scale)?.signed) return signed(value);
  const text =
    Math.abs(value) < 1e15
      ? value.toLocaleString("en", { maximumFractionDigits: Math.max(decimalsFor([value]), 0) })
      : String(value);
  return text.replace("-", "\u2212");
}
