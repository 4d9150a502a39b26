// @ts-check
/** A score that other weights have moved: the logged one, dim, before the new one. */

import { html } from "./element.js";
import { fullScore, intervalText, shortScore } from "./scores.js";

/** @import { TreeNode } from "../data/types.js" */
/** @import { Digits } from "./numbers.js" */

/** The interval of a node's score under other weights; null while it is not known. @typedef {[number, number] | null} Interval */

export const ARROW = " \u2192 ";
/** The sign in the place of a new score that is not known yet. */
const UNKNOWN_YET = "\u2026";

/**
 * The score on a card: `+65.2 → +44.6 … +47.2`; the new one alone where it equals the logged one or none was logged.
 * @param {TreeNode} node
 * @param {Interval} interval
 * @param {Digits | undefined} digits
 * @param {unknown} mate how the log scores wins
 */
export function reweighedScore(node, interval, digits, mate) {
  const before = shortScore(node, mate, digits);
  if (interval === null) return before === "" ? UNKNOWN_YET : before + ARROW + UNKNOWN_YET;
  if (isAsLogged(node, interval)) return before;
  const now = intervalText(interval, mate, digits);
  return before === "" || before === now ? now : before + ARROW + now;
}

/**
 * The same to go into an element, with every digit.
 * @param {TreeNode} node
 * @param {Interval} interval
 * @param {unknown} mate
 * @param {{full?: boolean}} [options] full: every digit, for tips
 * @returns {(HTMLElement | string)[]}
 */
export function reweighedParts(node, interval, mate, { full = false } = {}) {
  const before = full ? fullScore(node, mate) : shortScore(node, mate);
  if (interval !== null && isAsLogged(node, interval)) return [before];
  const now = interval === null ? UNKNOWN_YET : full ? fullInterval(interval, mate) : intervalText(interval, mate);
  const fresh = html("span.score-now", now);
  return before === "" || before === now
    ? [fresh]
    : [html("span.score-logged", { title: "As logged" }, before), ARROW, fresh];
}

/** An interval with every digit; in words where nothing is known. @param {[number, number]} interval @param {unknown} mate */
export function fullInterval([low, high], mate) {
  if (low === -Infinity && high === Infinity) return "unknown";
  if (low === -Infinity) return fullScore({ score: high, bound: "upper" }, mate);
  if (high === Infinity) return fullScore({ score: low, bound: "lower" }, mate);
  return low === high
    ? fullScore({ score: low }, mate)
    : `${fullScore({ score: low }, mate)} \u2026 ${fullScore({ score: high }, mate)}`;
}

/**
 * Whether the weights leave a score or its bound unchanged: then its proof holds as well.
 * @param {TreeNode} node
 * @param {[number, number]} interval
 */
function isAsLogged({ score, bound }, [low, high]) {
  if (bound === "upper") return low === -Infinity && high === score;
  if (bound === "lower") return low === score && high === Infinity;
  return low === high && score === low;
}
