// @ts-check
/**
 * The colours of scores. The scale is laid out once for the tree of a log, by the server, from all of its scores: it
 * stays as one walks. Won and lost games stand outside of it, in colours of their own.
 */

import { toNumber } from "../data/claims.js";
import { resultOf } from "./scores.js";

/** How a score is coloured: its side, how strongly (0…1), and whether a won or lost game is proven. @typedef {{side: "for" | "against" | "win" | "loss" | "unknown", share: number, proven: boolean}} Tone */
/** The end of the scale to either side of 0, and how the log scores wins. @typedef {{reach: number, mate?: unknown}} Scale */

/**
 * The scale of an open log; without a score of an ordinary size it has no length.
 * @param {Pick<import("../data/types.js").Opened, "colour" | "search"> | null} opened
 * @returns {Scale}
 */
export function scaleOf(opened) {
  return { reach: opened?.colour?.reach ?? 0, mate: opened?.search?.["mate"] };
}

/** The least that the colour of a score shows which side it is for. */
const LEAST = 0.15;

/**
 * The tone of a score. It grows with the square root: near the root scores are small against those of the leaves,
 * and would all be pale on an even scale. A bound that leaves a won or lost game open says nothing, and is pale.
 * @param {import("./scores.js").Claim} claim
 * @param {Scale} scale
 * @returns {Tone}
 */
export function toneOf(claim, { reach, mate }) {
  const score = toNumber(claim.score);
  if (Number.isNaN(score)) return { side: "unknown", share: 0, proven: false };
  const result = resultOf(claim, mate);
  if (result !== null && !result.open) return { side: result.side, share: 1, proven: claim.proof?.is === "proven" };
  const side = score < 0 ? "against" : "for";
  if (result !== null || score === 0) return { side, share: 0, proven: false };
  return { side, share: reach > 0 ? LEAST + (1 - LEAST) * Math.sqrt(Math.min(1, Math.abs(score) / reach)) : 1, proven: false };
}
