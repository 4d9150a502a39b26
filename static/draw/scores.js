// @ts-check
/**
 * How scores are written: with their bounds, won and lost games by their distance and with their proof; in words where
 * there is room, short on cards, with every digit in tips and fields.
 */

import { toNumber } from "../data/claims.js";
import { isGiven, signed, signedFull } from "./numbers.js";

/** @import { Proof } from "../data/types.js" */
/** @import { Digits, Figure } from "./numbers.js" */

/**
 * The claim of a node, a ply on a board or the result of a run.
 * @typedef {{score?: Figure, bound?: string, proof?: Proof}} Claim
 */
/**
 * How a log scores wins: the header's `{score, step, threshold}`, a win at the root, what a ply takes off, the least
 * win.
 * @typedef {any} Mate
 */

const BOUND_MARKS = { lower: "\u2265\u00a0", upper: "\u2264\u00a0" };
/** Stands for "among the plies searched": it is not proven. */
export const UNPROVEN = "?";
/** Stands for "but for repetition". */
export const REPEATING = "\u2020";
const REPETITION = ", but for repetition";
const SEARCHED = "among the plies searched";

/**
 * A claim of a won or lost game. `plies` from the root is NaN where the score lies between two distances; `bounded`:
 * the end may be nearer; `open`: the score is the utmost (at best a win, at worst a loss), and the game may end
 * otherwise.
 * @typedef {{side: "win" | "loss", plies: number, bounded: boolean, open: boolean}} Result
 */

/**
 * The won or lost game that a score stands for. Null where it is none, or the log does not declare such scores, or
 * where it bounds nothing: any score is at most a win at once.
 * @param {Claim} claim
 * @param {Mate} mate
 * @returns {Result | null}
 */
export function resultOf({ score, bound }, mate) {
  const [value, best, step, least] = [score, mate?.score, mate?.step, mate?.threshold].map(toNumber);
  if (value === undefined || best === undefined || step === undefined || least === undefined) return null;
  const size = Math.abs(value);
  if (!(least > 0 && size >= least && size <= best)) return null;
  const side = value > 0 ? "win" : "loss";
  const open = bound === (side === "win" ? "upper" : "lower");
  const plies = (best - size) / step;
  if (open && plies === 0) return null;
  return {
    side,
    plies: Number.isInteger(plies) ? plies : NaN,
    bounded: !open && (bound === "lower" || bound === "upper"),
    open,
  };
}

/**
 * Whether the claim of a won or lost game is proven, all of its plies considered; null where it claims none.
 * @param {Claim} claim
 * @param {Mate} mate
 * @returns {"proven" | "weaker" | "none" | null}
 */
export function proofOf(claim, mate) {
  const result = resultOf(claim, mate);
  return result === null || result.open ? null : (claim.proof?.is ?? "none");
}

/**
 * A won or lost game in words, as the terminal says it: `win in 5`, `win in 5 or less`, `loss in 4 among the plies
 * searched` where it is not proven, `win in 3 among the plies searched, proven only in 7`, `at best a win in 3` where
 * the bound leaves the end open. Empty where the score is none.
 * @param {Claim} claim
 * @param {Mate} mate
 * @returns {string}
 */
export function resultText(claim, mate) {
  const result = resultOf(claim, mate);
  if (result === null) return "";
  const { side, plies, bounded, open } = result;
  const within = Number.isNaN(plies) ? "" : ` in ${plies}`;
  if (open) return `at ${side === "win" ? "best" : "worst"} a ${side}${within}`;
  const less = bounded && plies > 1 ? " or less" : "";
  const proven = claim.proof?.is === "weaker" ? resultOf({ score: claim.proof.score }, mate) : null;
  const repetition = claim.proof?.repetition ? REPETITION : "";
  if (proven !== null) {
    const later = Number.isNaN(proven.plies) ? "its distance is not proven" : `proven only in ${proven.plies}`;
    return `${side}${within}${less} ${SEARCHED}, ${later}${repetition}`;
  }
  return `${ended(result)}${less}${claim.proof?.is === "proven" ? repetition : ` ${SEARCHED}`}`;
}

/**
 * A won or lost game where room is short: `win in 5` where it is proven, `win in 5?` where it is not, `win in 7, 3?`
 * where only the longer distance is proven, `win in ≤ 5`, `≤ win in 3`; a dagger where it is proven but for repetition.
 * @param {Claim} claim
 * @param {Mate} mate
 * @returns {string}
 */
function shortResult(claim, mate) {
  const result = resultOf(claim, mate);
  if (result === null) return "";
  const { side, plies, bounded, open } = result;
  if (open) return `${side === "win" ? BOUND_MARKS.upper : BOUND_MARKS.lower}${ended(result)}`;
  const proven = claim.proof?.is === "weaker" ? resultOf({ score: claim.proof.score }, mate) : null;
  const repetition = claim.proof?.repetition ? REPEATING : "";
  const less = bounded && plies > 0 ? BOUND_MARKS.upper : "";
  if (proven !== null)
    return `${ended(proven)}${repetition}, ${Number.isNaN(plies) ? side : `${less}${plies}`}${UNPROVEN}`;
  return `${ended(result, less)}${claim.proof?.is === "proven" ? repetition : UNPROVEN}`;
}

/**
 * `win in 5`, `lost` at the root itself, `win` between two distances.
 * @param {Result} result
 * @param {string} [less] text before the distance
 */
function ended({ side, plies }, less = "") {
  if (plies === 0) return side === "win" ? "won" : "lost";
  return Number.isNaN(plies) ? side : `${side} in ${less}${plies}`;
}

/**
 * A figure with its bound, never as if a bound were exact: `≤ +4`, `≥ −2.5`, `+12.5`; empty where unknown.
 * @param {Claim} claim
 * @param {number | Digits} [digits]
 */
export function figureText({ score, bound }, digits) {
  return isGiven(score) ? boundMark(bound) + signed(score, digits) : "";
}

/** The figure with its bound and every digit that it has. @param {Claim} claim */
export function fullFigure({ score, bound }) {
  return isGiven(score) ? boundMark(bound) + signedFull(score) : "";
}

/** @param {string | undefined} bound */
function boundMark(bound) {
  return bound === "lower" || bound === "upper" ? BOUND_MARKS[bound] : "";
}

/**
 * A score in words: won and lost games as `resultText` has them, others as figures with their bound.
 * @param {Claim} claim
 * @param {Mate} mate
 * @param {number | Digits} [digits]
 */
export function scoreText(claim, mate, digits) {
  return withFigure(resultText(claim, mate), claim, mate, digits);
}

/**
 * A score where room is short, as on cards and in lists.
 * @param {Claim} claim
 * @param {Mate} mate
 * @param {number | Digits} [digits]
 */
export function shortScore(claim, mate, digits) {
  return withFigure(shortResult(claim, mate), claim, mate, digits);
}

/**
 * The words of a result, the figure of any other score, or both where the words name no distance.
 * @param {string} result
 * @param {Claim} claim
 * @param {Mate} mate
 * @param {number | Digits} [digits]
 */
function withFigure(result, claim, mate, digits) {
  if (result === "") return figureText(claim, digits);
  return Number.isNaN(resultOf(claim, mate)?.plies) ? `${result} (${signed(claim.score, digits)})` : result;
}

/**
 * An interval of scores under other weights, where room is short: `+4`, `≤ +4`, `+1 … +2`, a question mark where
 * nothing is known.
 * @param {readonly [number, number]} interval
 * @param {Mate} mate
 * @param {number | Digits} [digits]
 */
export function intervalText([low, high], mate, digits) {
  if (low === high) return shortScore({ score: low }, mate, digits);
  if (low === -Infinity && high === Infinity) return "?";
  if (low === -Infinity) return shortScore({ score: high, bound: "upper" }, mate, digits);
  if (high === Infinity) return shortScore({ score: low, bound: "lower" }, mate, digits);
  return `${shortScore({ score: low }, mate, digits)} \u2026 ${shortScore({ score: high }, mate, digits)}`;
}

/**
 * A score in full, for tips: every digit, and the words of a won or lost game: `+999,995 (win in 5)`.
 * @param {Claim} claim
 * @param {Mate} mate
 */
export function fullScore(claim, mate) {
  const result = resultText(claim, mate);
  return fullFigure(claim) + (result && ` (${result})`);
}

/**
 * The meaning of a score that is no claim, such as one that a rule asks for: `the score of a win in 5`.
 * @param {Figure} score
 * @param {Mate} mate
 * @returns {string}
 */
export function standsFor(score, mate) {
  const result = resultOf({ score }, mate);
  if (result === null || Number.isNaN(result.plies)) return "";
  return `the score of a ${result.plies === 0 ? `game ${ended(result)} at the root` : ended(result)}`;
}
