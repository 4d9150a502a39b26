// @ts-check
/**
 * Walking on the large board: the keys that play plies and take them back, as in the tree, and the words for them.
 * Plies go from the best to the worst, as in the list beside the board.
 */

import { followed } from "../../data/line-actions.js";
import { bestFirst, counts, isStub, ranksByVisits } from "../../data/claims.js";
import { smallButton } from "../../draw/buttons.js";
import { html } from "../../draw/element.js";
import { percentText } from "../../draw/lettering.js";
import { count } from "../../draw/numbers.js";
import { nodeName } from "../../draw/words.js";

/** @import { Actions, Id, State, TreeNode } from "../../data/types.js" */

/**
 * Keys while the large board is open, as `KeyboardEvent.key` says them, and what they do.
 * @type {readonly {keys: string[], act: (actions: Actions, state: State) => unknown}[]}
 */
export const BOARD_KEYS = Object.freeze([
  { keys: ["ArrowRight"], act: best },
  { keys: ["ArrowLeft"], act: takeBack },
  { keys: ["ArrowDown"], act: (actions, state) => beside(actions, state, 1) },
  { keys: ["ArrowUp"], act: (actions, state) => beside(actions, state, -1) },
  { keys: ["Home"], act: following((actions) => actions.goRoot()) },
  { keys: ["p"], act: following((actions) => actions.walkPv(1)) },
  { keys: ["P"], act: following((actions) => actions.walkPv(-1)) },
  { keys: ["Backspace", "Alt+ArrowLeft"], act: following((actions) => actions.back()) },
  { keys: ["Alt+ArrowRight"], act: following((actions) => actions.forward()) },
  { keys: ["o"], act: (actions) => actions.setShowPlies() },
  { keys: ["b"], act: (actions) => actions.closeDialog() },
]);

/**
 * Keys while both lines of a pair are walked, in the tree and on two large boards.
 * @type {readonly {keys: string[], act: (actions: Actions, state: State) => unknown}[]}
 */
export const LINE_KEYS = Object.freeze([
  { keys: ["ArrowRight"], act: (actions) => actions.stepLine(1) },
  { keys: ["ArrowLeft"], act: (actions) => actions.stepLine(-1) },
  { keys: ["ArrowUp"], act: (actions, state) => actions.goToLine(upper(state)) },
  { keys: ["ArrowDown"], act: (actions, state) => actions.goToLine(upper(state) === "x" ? "y" : "x") },
  {
    keys: ["b"],
    act: (actions, state) => (state.dialog === "board" ? actions.closeDialog() : actions.openDialog("board")),
  },
]);

/** The words for these keys. @type {readonly [keys: string[], words: string][]} */
export const LINE_WAYS = Object.freeze([
  [["ArrowLeft", "ArrowRight"], "along the line"],
  [["ArrowUp", "ArrowDown"], "the other line"],
]);

/** The line that stands above the other in the tree. @param {State} state */
function upper({ lines, nodes }) {
  const [x, y] = [lines?.x[0], lines?.y[0]].map((id) => (id === undefined ? undefined : nodes.get(id)?.index));
  return (x ?? 0) <= (y ?? 0) ? "x" : "y";
}

/** The keys of the large board in one line, each with its words. @type {readonly [keys: string[], words: string][]} */
export const BOARD_WAYS = Object.freeze([
  [["ArrowRight"], "best ply"],
  [["ArrowLeft"], "take it back"],
  [["ArrowUp", "ArrowDown"], "a better, a worse one instead"],
  [["p"], "principal variation"],
  [["Backspace"], "where you were before"],
]);

/**
 * Go to a node and show its board: details that were held at another follow again.
 * @param {Actions} actions
 * @param {State} state
 * @param {Id} id
 */
export async function walkTo(actions, state, id) {
  if (state.pinned !== null) await actions.pin(null);
  await actions.goTo(id);
}

/**
 * The outcomes at a chance node, each as a button, since none is the best ply; null elsewhere, and before they are
 * known.
 * @param {TreeNode} node
 * @param {State} state
 * @param {Actions} actions
 */
export function outcomesPart({ id, layer }, state, actions) {
  const known = layer === "chance" ? (state.children.get(id)?.items ?? []) : [];
  const outcomes = known.flatMap((child) => state.nodes.get(child) ?? []).filter((node) => !isStub(node));
  if (outcomes.length === 0) return null;
  const more = (state.nodes.get(id)?.n_children ?? 0) - MOST_OUTCOMES;
  return html(
    "p.board-outcomes",
    "Chance moves here: ",
    outcomes.slice(0, MOST_OUTCOMES).flatMap((node) => {
      const likely = typeof node.prior === "number" ? ` ${percentText(node.prior)}` : "";
      const go = () => void walkTo(actions, state, node.id);
      return [smallButton(`${nodeName(node)}${likely}`, go, { "data-key": `outcome-${node.id}` }), " "];
    }),
    more > 0 && `and ${count(more)} more`,
  );
}

/** The most outcomes below the board. */
const MOST_OUTCOMES = 24;

/** The node whose board is shown. @param {State} state */
function shown(state) {
  const { nodes } = state;
  const id = followed(state);
  return id === null ? undefined : nodes.get(id);
}

/**
 * The known children of a node, best first. Of several visits of one ply the deepest counts, of equally deep ones the
 * last, as on the board.
 * @param {State} state
 * @param {Id} id
 */
function ranked({ nodes, children, opened }, id) {
  /** @type {Map<string | Id, TreeNode>} */
  const visits = new Map();
  for (const node of children.get(id)?.items.flatMap((child) => nodes.get(child) ?? []) ?? []) {
    if (isStub(node) || !counts(node)) continue;
    const ply = node.ply ?? node.id;
    const other = visits.get(ply);
    if (other === undefined || (node.depth ?? 0) >= (other.depth ?? 0)) visits.set(ply, node);
  }
  return [...visits.values()].sort(bestFirst(nodes.get(id)?.layer, ranksByVisits(opened)));
}

/** @param {Actions} actions @param {State} state */
async function best(actions, state) {
  const node = shown(state);
  if (node === undefined || node.layer === "chance") return;
  await actions.peek(node.id);
  const [first] = ranked(state, node.id);
  if (first !== undefined) await walkTo(actions, state, first.id);
}

/** @param {Actions} actions @param {State} state */
async function takeBack(actions, state) {
  const parent = shown(state)?.parent ?? null;
  if (parent !== null) await walkTo(actions, state, parent);
}

/** @param {Actions} actions @param {State} state @param {number} step */
async function beside(actions, state, step) {
  const node = shown(state);
  const parent = node?.parent ?? null;
  if (node === undefined || parent === null) return;
  const siblings = ranked(state, parent);
  const at = siblings.findIndex(({ id, ply }) => id === node.id || (ply !== undefined && ply === node.ply));
  const next = at < 0 ? undefined : siblings[at + step];
  if (next !== undefined) await walkTo(actions, state, next.id);
}

/** @param {(actions: Actions) => unknown} walk @returns {(actions: Actions, state: State) => Promise<void>} */
function following(walk) {
  return async (actions, { pinned }) => {
    if (pinned !== null) await actions.pin(null);
    await walk(actions);
  };
}
