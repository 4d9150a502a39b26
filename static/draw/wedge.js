// @ts-check
/** Wedges, the shapes that stand for a folded subtree or for children without room. */

import { SIZES, wedgeLength } from "../layout/tree-layout.js";
import { apart, count, counted, shortCount, isGiven } from "./numbers.js";
import { figureText, fullScore, resultOf } from "./scores.js";

/** @import { TreeNode } from "../data/types.js" */
/** @import { Hidden } from "../data/opening.js" */
/** @import { Claim } from "./scores.js" */

/** A wedge that widens to the right from (x, 0). @param {number} x @param {number} length */
export function wedgePath(x, length) {
  const half = 4 + length / 5;
  return `M${x} 0L${(x + length).toFixed(1)} ${(-half).toFixed(1)}V${half.toFixed(1)}Z`;
}

/**
 * The wedge of a folded node: its outline, the place of its count, the count, and both in words.
 * @param {TreeNode} node
 * @param {number} x the right edge of the card
 * @param {unknown} mate how the log scores wins
 * @param {number | null} [hits] hits of the query below it, counted in place of nodes; null without a query
 */
export function foldedWedge(node, x, mate, hits = null) {
  const nodes = node.below?.nodes ?? node.n_children;
  const length = wedgeLength(nodes);
  const from = x + SIZES.wedge.before;
  return {
    path: wedgePath(from, length),
    textX: from + length + SIZES.wedge.text,
    text: countText(hits ?? nodes),
    title: hits === null ? foldedSentence(node, mate) : `${counted(hits, "hit")} of ${foldedSentence(node, mate)}`,
  };
}

/** The count beside a wedge: whole up to 9,999, then short. @param {number} nodes */
export function countText(nodes) {
  return nodes < 10_000 ? count(nodes) : shortCount(nodes);
}

/** The text for children that are not drawn: `+ 12 nodes in 3 small plies`. @param {Hidden} more */
export function moreText({ hidden, others, small }) {
  const further = hidden - others - small.plies; // what leads to no hit is counted apart
  return [
    further > 0 && `+ ${count(further)} more`,
    others > 0 && counted(others, "other"),
    small.plies > 0 && `+ ${counted(small.nodes, "node")} in ${counted(small.plies, "small ply", "small plies")}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * The content of a folded subtree in words: `1,204 nodes below, 3 levels deep; best +12.5, worst −2`.
 * @param {TreeNode} node
 * @param {unknown} [mate] how the log scores wins
 */
export function foldedSentence(node, mate) {
  const { below } = node;
  if (below === undefined) return counted(node.n_children, "child", "children");
  const size = `${counted(below.nodes, "node")} below, ${counted(below.height, "level")} deep`;
  const ends = endsBelow(node, mate);
  return ends === null ? size : `${size}; ${endsText(ends)}`;
}

/**
 * The best and the worst score among a node's children, with as many digits as tell them apart, or all of them. Where
 * the log does not tell who moves, they are the highest and the lowest.
 * @param {TreeNode} node
 * @param {unknown} mate how the log scores wins
 * @param {(claim: Claim, mate: unknown) => string} [write]
 * @returns {[word: string, score: string][] | null}
 */
export function endsBelow({ below, layer }, mate, write) {
  if (below === undefined || !isGiven(below.best)) return null;
  const digits = apart([below.best, below.worst]);
  const text =
    write ?? ((claim) => (resultOf(claim, mate) === null ? figureText(claim, digits) : fullScore(claim, mate)));
  const best = text({ score: below.best, bound: below.best_bound, proof: below.best_proof }, mate);
  const worst = text({ score: below.worst, bound: below.worst_bound, proof: below.worst_proof }, mate);
  const chosen = layer === "max" || layer === "min";
  return chosen
    ? [
        ["best", best],
        ["worst", worst],
      ]
    : [
        ["highest", best],
        ["lowest", worst],
      ];
}

/** The two ends in one text: `best +12.5, worst −2`. @param {[word: string, score: string][]} ends */
export function endsText(ends) {
  return ends.map(([word, score]) => `${word} ${score}`).join(", ");
}
