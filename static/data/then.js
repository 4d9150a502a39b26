// @ts-check
/**
 * The knowledge of the search at an event of a replay: no score, bound or outcome of a node that it has not left, and
 * nothing but its place of a node that it has not entered.
 */

import { isStub } from "./claims.js";
import { isOld } from "./merged.js";

/** @import { Moment, Score, State, TreeNode } from "./types.js" */

/** What is known on entry; all else a node states once it is left. */
const ON_ENTRY = /** @type {const} */ ([
  "id",
  "row",
  "parent",
  "level",
  "index",
  "attempt",
  "ply",
  "layer",
  "player",
  "n_children",
  "below",
  "pre_score",
  "prior",
  "iteration",
  "depth",
  "reduction",
  "extension",
  "quiescence",
  "purpose",
  "in_check",
  "alpha",
  "beta",
  "key",
  "position",
  "board",
]);
/** What is known of it before. */
const BEFORE = /** @type {const} */ ([
  "id",
  "row",
  "parent",
  "level",
  "index",
  "attempt",
  "ply",
  "layer",
  "player",
  "n_children",
  "below",
  "pre_score",
  "prior",
  "iteration",
]);

/** The event at which a node is entered. @param {Pick<TreeNode, "id" | "row" | "level">} node */
export function enteredAt({ id, row = id, level }) {
  return 2 * row - level;
}

/** The event at which it is left. @param {Pick<TreeNode, "id" | "row" | "level" | "below">} node */
export function leftAt({ id, row = id, level, below }) {
  return 2 * (below?.end ?? row + 1) - level - 1;
}

/**
 * The stage of a node in a replay: `later` before it is entered, `open` while it is searched, `left` after that, and
 * always `left` without a replay.
 * @param {Moment | null} replay
 * @param {Pick<TreeNode, "id" | "row" | "level" | "below">} node
 */
export function stageOf(replay, node) {
  if (replay === null || isOld(node.id) || replay.event >= leftAt(node)) return "left"; // another log's time is another
  return replay.event < enteredAt(node) ? "later" : "open";
}

/**
 * A node as it was known at the event; stubs say all that they have from the beginning.
 * @param {Moment | null} replay
 * @param {TreeNode} node
 */
export function asKnown(replay, node) {
  const stage = stageOf(replay, node);
  if (stage === "left" || isStub(node)) return node;
  const known = /** @type {Record<string, unknown>} */ ({});
  for (const name of stage === "open" ? ON_ENTRY : BEFORE) if (node[name] !== undefined) known[name] = node[name];
  const { below } = node;
  if (below !== undefined) known["below"] = { nodes: below.nodes, height: below.height, end: below.end };
  return /** @type {TreeNode} */ (/** @type {unknown} */ (known));
}

/**
 * Whether a node of a log that is being written is entered and not left.
 * @param {Pick<State, "live" | "replay">} state
 * @param {Pick<TreeNode, "id">} node
 */
export function isBeingSearched({ live, replay }, { id }) {
  return replay === null && live?.lost === undefined && (live?.open ?? []).includes(id);
}

/**
 * The known figures of a node while it is searched: in a replay those of the stack, null where the server did not send
 * it; in a log that is being written, those of the children so far.
 * @param {Pick<State, "replay">} state
 * @param {TreeNode} node
 */
export function openOf({ replay }, { id, alpha, beta, below }) {
  if (replay !== null) return replay.stack.find((open) => open.id === id) ?? null;
  return { id, left: 0, ...(alpha != null && { alpha }), ...(beta != null && { beta }), ...bestOf(below) };
}

/** @param {TreeNode["below"]} below @returns {{best?: Score}} */
const bestOf = (below) => (below?.best === undefined ? {} : { best: below.best });
