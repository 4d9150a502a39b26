// @ts-check
/** The fields that cards show: of each layer two or three, chosen by the user for all logs of one game. */

import { isBestFirst, isStub } from "../data/claims.js";

/** @import { Opened, State, TreeNode } from "../data/types.js" */

/** @typedef {State["labels"][string]} Labels fields by layer; one that is not there has the usual ones */
/**
 * The chosen fields of a card: at the left, at the right, and small after that.
 * @typedef {{fields: readonly string[], opened: Opened}} Label
 */

/** The name under which a log's choice is kept: of its game, best-first trees apart. @param {Opened} opened */
export function labelsKey(opened) {
  return `${opened.game ?? ""}${isBestFirst(opened) ? " best-first" : ""}`;
}

/** The fields chosen for the open log, else those with which it was shared. @param {Pick<State, "labels">} state @param {Opened} opened */
export function labelsOf({ labels }, opened) {
  return labels[labelsKey(opened)] ?? opened.labels ?? {};
}

/** The fields of cards without a choice; the score of a best-first tree is its mean. @param {Opened} opened */
export function usualFields(opened) {
  return isBestFirst(opened) ? ["ply", "score", "visits"] : ["ply", "score"];
}

/** @param {Pick<State, "labels" | "opened">} state @param {TreeNode} node @returns {Label | undefined} nothing of cards as usual */
export function labelOf(state, node) {
  const { opened } = state;
  const fields = opened === null || isStub(node) ? undefined : labelsOf(state, opened)[node.layer ?? "plain"];
  return opened === null || fields === undefined ? undefined : { fields, opened };
}

/** Layers whose labels can be chosen; `plain` of nodes without one. */
export const LABELLED = /** @type {const} */ (["max", "min", "chance", "other", "plain"]);

/**
 * A choice as it was kept or sent: whatever makes no sense is left out.
 * @param {unknown} kept
 * @returns {Labels}
 */
export function readLabels(kept) {
  const layers = Object.entries(typeof kept === "object" && kept !== null ? kept : {});
  return Object.fromEntries(
    layers.filter(([layer, fields]) => LABELLED.some((each) => each === layer) && isList(fields)),
  );
}

/** @param {unknown} fields */
function isList(fields) {
  return (
    Array.isArray(fields) &&
    (fields.length === 2 || fields.length === 3) &&
    fields.every((name) => typeof name === "string")
  );
}
