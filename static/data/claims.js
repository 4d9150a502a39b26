// @ts-check
/**
 * Scores as claims: an exact score is a point, a bound an interval open to one side. Sorting goes by what a
 * claim guarantees, so that a bound is never compared as if it were exact.
 */

/** @import { Layer, Opened, Score, State, TreeNode } from "./types.js" */

/**
 * Which children can come before the others: the best ones, those searched first, those of the best pre-score, of the
 * most visits, of the best mean.
 */
export const ORDERS = /** @type {const} */ (["best", "visits", "mean", "searched", "pre_score"]);

/** A score as a number; NaN where it is absent or no number. @param {Score | null | undefined} score */
export function toNumber(score) {
  if (typeof score === "number") return score;
  if (score === "inf") return Infinity;
  if (score === "-inf") return -Infinity;
  return NaN;
}

const STUBS = new Set(["pruned", "limited", "skipped", "unlogged"]);

/** Whether the row stands for siblings without rows. @param {Pick<TreeNode, "outcome">} node */
export function isStub(node) {
  return node.outcome !== undefined && STUBS.has(node.outcome);
}

/** Whether the visit counts in its parent: null-move and probing visits do not. @param {TreeNode} node */
export function counts(node) {
  return node.purpose !== "null" && node.purpose !== "probe";
}

/**
 * Order two children of a node of `layer`, best guaranteed score first; children without a claim come last, and equal
 * claims stay in the order of the search. The score counts that the parent took for a child, its mean where it has
 * none.
 * @param {Layer | undefined} layer
 * @param {boolean} [byVisits] the most visited first, whatever the scores (`ranksByVisits`)
 * @returns {(a: TreeNode, b: TreeNode) => number}
 */
export function bestFirst(layer, byVisits = false) {
  const sign = layer === "min" ? -1 : 1;
  return (a, b) => {
    if (counts(a) !== counts(b)) return counts(a) ? -1 : 1;
    return (
      (byVisits && falling(visited(a), visited(b))) ||
      falling(guaranteed(a, sign), guaranteed(b, sign)) ||
      falling(sign * worth(a), sign * worth(b)) ||
      a.index - b.index
    );
  };
}

/**
 * The orders in which children of the open log can come: by pre-score only where it has some, by visits or mean only
 * in a best-first tree. That by which such a search chooses is called `best`.
 * @param {Pick<State, "opened">} state
 */
export function ordersOf({ opened }) {
  const chosen = ranksByVisits(opened) ? "visits" : "mean";
  return ORDERS.filter((order) => {
    if (order === "pre_score") return opened?.pre_scored === true;
    return (order !== "visits" && order !== "mean") || (isBestFirst(opened) && order !== chosen);
  });
}

/**
 * The function that orders the children of a node of `layer`; undefined for the order of the search.
 * @param {State["order"]} order
 * @param {Layer | undefined} layer
 * @param {Opened | null} opened
 * @returns {((a: TreeNode, b: TreeNode) => number) | undefined}
 */
export function comparing(order, layer, opened) {
  if (order === "best") return bestFirst(layer, ranksByVisits(opened));
  const sign = layer === "min" ? -1 : 1;
  if (order === "pre_score")
    return (a, b) => falling(sign * toNumber(a.pre_score), sign * toNumber(b.pre_score)) || a.index - b.index;
  const mean = (/** @type {TreeNode} */ node) => (isStub(node) ? NaN : sign * toNumber(node.mean));
  if (order === "visits")
    return (a, b) => falling(visited(a), visited(b)) || falling(mean(a), mean(b)) || a.index - b.index;
  if (order === "mean")
    return (a, b) => falling(mean(a), mean(b)) || falling(visited(a), visited(b)) || a.index - b.index;
  return undefined;
}

/**
 * Whether it is the tree of a best-first search, whose rows are no run through it.
 * @param {Pick<Opened, "search"> | null} opened
 */
export function isBestFirst(opened) {
  return opened?.search?.["order"] === "best_first";
}

/**
 * Whether a search chooses plies by their visits, as best-first searches do that do not declare otherwise.
 * @param {Opened | null} opened
 */
export function ranksByVisits(opened) {
  return isBestFirst(opened) && opened?.search?.["choose"] !== "mean";
}

/** @param {TreeNode} node */
function worth(node) {
  const claimed = toNumber(node.counted_as ?? node.score);
  return Number.isNaN(claimed) && !isStub(node) ? toNumber(node.mean) : claimed;
}

/** @param {TreeNode} node */
function visited(node) {
  return isStub(node) ? NaN : (node.visits ?? NaN);
}

/**
 * The score that the side of `sign` is sure to get at least, as that side sees it.
 * @param {TreeNode} node
 * @param {number} sign
 */
function guaranteed(node, sign) {
  const open = sign > 0 ? "upper" : "lower";
  const score = sign * worth(node);
  return node.bound === open && !Number.isNaN(score) ? -Infinity : score;
}

/** Compare two numbers, the greater first and NaN last. @param {number} a @param {number} b */
function falling(a, b) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a === b ? 0 : b > a ? 1 : -1;
}
