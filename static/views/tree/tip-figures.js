// @ts-check
/** The figures of a node beside its score, for a tip: each a short name and its figure, or a single word. */

import { apart, count, isGiven, plain, signed, windowText } from "../../draw/numbers.js";
import { outcomeText, purposeText, scoresText } from "../../draw/words.js";

/** @import { TreeNode } from "../../data/types.js" */
/** @import { Figure } from "../../draw/numbers.js" */

/** Decimals of means, shares and the like: the details have every digit. */
const DECIMALS = 4;

/**
 * @param {TreeNode} node
 * @param {number | undefined} searched number of plies searched, where it is known
 * @param {readonly string[]} players in the order of `scores`
 * @returns {(string | [name: string, figure: string])[]}
 */
export function tipFigures(node, searched, players) {
  const ofScores = [
    node.score,
    node.pre_score,
    node.static,
    node.stand_pat,
    node.estimate,
    node.counted_as,
    node.alpha,
    node.beta,
  ];
  const digits = apart(ofScores);
  const text = (/** @type {Figure} */ figure) => signed(figure, digits);
  /** @type {(name: string, figure: Figure | undefined) => [string, string] | undefined} */
  const score = (name, figure) => (isGiven(figure) ? [name, text(/** @type {Figure} */ (figure))] : undefined);
  /** @type {(name: string, figure: number | undefined) => [string, string] | undefined} */
  const amount = (name, figure) => (isGiven(figure) ? [name, rounded(/** @type {number} */ (figure))] : undefined);
  const ended = [node.wins, node.draws, node.losses];
  const { ucb } = node;
  /** @type {(string | [string, string] | undefined)[]} */
  const parts = [
    amount("mean", node.mean),
    amount("visits", node.visits),
    node.visited?.share !== undefined && node.level > 0
      ? ["of those above", `${rounded(Math.round(1000 * node.visited.share) / 10)}\u202f%`]
      : undefined,
    node.visited === undefined && ended.some(isGiven)
      ? ["won, drawn, lost", ended.map((n) => (isGiven(n) ? rounded(/** @type {number} */ (n)) : "?")).join(", ")]
      : undefined,
    amount(node.visits === undefined ? "probability" : "prior", node.prior),
    node.visited === undefined && ucb !== undefined && isGiven(ucb.exploit) && isGiven(ucb.explore)
      ? ["ucb", `${rounded(Number(ucb.exploit))} + ${rounded(Number(ucb.explore))}`]
      : undefined,
    node.scores === undefined ? undefined : ["scores", scoresText(node.scores, players, rounded)],
    score("counted as", node.counted_as),
    score("pre-score", node.pre_score),
    score("static", node.static),
    score("stand pat", node.stand_pat),
    score("estimate", node.estimate),
    node.alpha !== undefined || node.beta !== undefined
      ? ["window", windowText(node.alpha, node.beta, text)]
      : undefined,
    isGiven(node.expanded_at) && node.visited !== undefined
      ? ["expanded at", `play-out ${rounded(Number(node.expanded_at))}`]
      : undefined,
    outcomeText(node, searched) || undefined,
    node.purpose !== undefined && node.purpose !== "full" ? purposeText(node.purpose) : undefined,
    amount("depth", node.depth),
    amount("reduced by", node.reduction || undefined),
    amount("extended by", node.extension || undefined),
    node.quiescence && node.outcome !== "leaf" ? "quiescence" : undefined,
    node.in_check ? "in check" : undefined,
  ];
  return parts.filter((part) => part !== undefined);
}

/**
 * A figure with at most four decimals, and more where these would make it 0.
 * @param {Figure} figure
 */
function rounded(figure) {
  if (typeof figure === "number" && Number.isInteger(figure)) return figure < 0 ? plain(figure) : count(figure);
  return plain(figure, apart([figure], DECIMALS));
}
