// @ts-check
/** Wedges: what stands for a folded subtree, or for the children that there is no room for. */

import { SIZES, wedgeLength } from "../layout/tree-layout.js";
import { count, counted, shortCount, signed, isGiven } from "./numbers.js";

/** @typedef {import("../data/types.js").TreeNode} TreeNode */

/**
 * A wedge that widens to the right from (x, 0).
 * @param {number} x
 * @param {number} length
 */
export function wedgePath(x, length) {
  const half = 4 + length / 5;
  return `M${x} 0L${(x + length).toFixed(1)} ${(-half).toFixed(1)}V${half.toFixed(1)}Z`;
}

/**
 * The wedge of a folded node: its outline, where its count stands, the count, and all of it in words.
 * @param {TreeNode} node
 * @param {number} x the right edge of the card
 */
export function foldedWedge(node, x) {
  const nodes = node.below?.nodes ?? node.n_children;
  const length = wedgeLength(nodes);
  const from = x + SIZES.wedge.before;
  return {
    path: wedgePath(from, length),
    textX: from + length + SIZES.wedge.text,
    text: countText(nodes),
    title: foldedSentence(node),
  };
}

/**
 * The count beside a wedge: whole up to 9,999, then short.
 * @param {number} nodes
 */
export function countText(nodes) {
  return nodes < 10_000 ? count(nodes) : shortCount(nodes);
}

/**
 * What a folded subtree holds, in words: `1,204 nodes below, 3 levels deep; best +12.5, worst −2`.
 * @param {TreeNode} node
 */
export function foldedSentence(node) {
  const { below } = node;
  if (below === undefined) return counted(node.n_children, "child", "children");
  const size = `${counted(below.nodes, "node")} below, ${counted(below.height, "level")} deep`;
  return isGiven(below.best) ? `${size}; best ${signed(below.best)}, worst ${signed(below.worst)}` : size;
}
