// @ts-check
/**
 * The colours of scores. The server lays the scale out once for the tree of a log, from all of its scores, so that it
 * is the same at every node. Won and lost games are not on the scale and have colours of their own.
 */

import { toNumber } from "../data/claims.js";
import { resultOf } from "./scores.js";

/** @import { Opened } from "../data/types.js" */
/** @import { Claim } from "./scores.js" */

/**
 * How a score is coloured: its side, how strongly (0…1), and whether a won or lost game is proven.
 * @typedef {{side: "for" | "against" | "win" | "loss" | "unknown", share: number, proven: boolean}} Tone
 */
/**
 * The end of the scale to either side of 0, how the log scores wins, and the ends of means.
 * @typedef {{reach: number, mate?: unknown, means?: {low: number, high: number}}} Scale
 */

/**
 * The scale of an open log; without a score of an ordinary size it has no length.
 * @param {Pick<Opened, "colour" | "means" | "search"> | null} opened
 * @returns {Scale}
 */
export function scaleOf(opened) {
  return {
    reach: opened?.colour?.reach ?? 0,
    mate: opened?.search?.["mate"],
    ...(opened?.means && { means: opened.means }),
  };
}

/** The least that the colour of a score shows which side it is for. */
const LEAST = 0.15;

/**
 * The tone of a score. It grows with the square root: near the root scores are small against those of the leaves,
 * and would all be pale on an even scale. A bound that leaves a won or lost game open says nothing, and is pale.
 * A node without a score has the tone of its mean: even in the middle of the ends of means.
 * @param {Claim & {mean?: number}} claim
 * @param {Scale} scale
 * @returns {Tone}
 */
export function toneOf(claim, { reach, mate, means }) {
  const score = toNumber(claim.score);
  if (Number.isNaN(score)) {
    const mean = toNumber(claim.mean);
    if (claim.score !== undefined || Number.isNaN(mean) || means === undefined)
      return { side: "unknown", share: 0, proven: false };
    const beyond = mean - (means.low + means.high) / 2;
    return {
      side: beyond < 0 ? "against" : "for",
      share: shareOf(beyond, (means.high - means.low) / 2),
      proven: false,
    };
  }
  const result = resultOf(claim, mate);
  if (result !== null && !result.open) return { side: result.side, share: 1, proven: claim.proof?.is === "proven" };
  const side = score < 0 ? "against" : "for";
  if (result !== null || score === 0) return { side, share: 0, proven: false };
  return { side, share: shareOf(score, reach), proven: false };
}

/** @param {number} size @param {number} reach */
function shareOf(size, reach) {
  if (size === 0) return 0;
  return reach > 0 ? LEAST + (1 - LEAST) * Math.sqrt(Math.min(1, Math.abs(size) / reach)) : 1;
}
