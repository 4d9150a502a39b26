// @ts-check
/** Changes from one log to another in words and figures. */

import { count, counted } from "./numbers.js";
import { shortScore } from "./scores.js";
import { nodeName } from "./words.js";

/** @import { Beside, Compared, TreeNode } from "../data/types.js" */
/** @import { Digits } from "./numbers.js" */

/** The words for each kind of change. @type {Readonly<Record<string, string>>} */
export const KIND_WORDS = Object.freeze({
  score: "another score",
  visits: "other visits",
  bound: "another bound",
  outcome: "another outcome",
  stub: "another stub",
  newly_pruned: "newly pruned",
  newly_dropped: "newly dropped",
  newly_searched: "newly searched",
  only_old: "only in the old tree",
  only_new: "only in the new tree",
});

/** How many changes there are of all kinds. @param {Compared} found */
export function nChanges({ counts }) {
  return Object.keys(KIND_WORDS).reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

/**
 * The score on a card: `+65.2 → +71.0` where it differs from the old log.
 * @param {TreeNode} node
 * @param {Digits | undefined} digits
 * @param {unknown} mate how the log scores wins
 */
export function changedScore(node, digits, mate) {
  const now = shortScore(node, mate, digits);
  const old = node.beside?.old;
  if (old === undefined || node.beside?.kind === "same") return now;
  const before = shortScore(old, mate, digits);
  return before === now || before === "" ? now : `${before} \u2192 ${now === "" ? "?" : now}`;
}

/** The name of a card; a stub of another count says both: `18 → 27 pruned`. @param {TreeNode} node */
export function changedName(node) {
  const { beside } = node;
  if (beside?.kind !== "stub" || beside.old === undefined) return nodeName(node);
  return `${beside.old.count === undefined ? "some" : count(beside.old.count)} \u2192 ${nodeName(node)}`;
}

/** The words of a screen reader on a node's change from the old log. @param {Beside | undefined} beside */
export function spokenChange(beside) {
  if (beside === undefined) return "";
  const { kind, side } = beside;
  const said = [
    kind === "same" ? "as before" : kind === "inside" ? `only in the ${side} tree` : (KIND_WORDS[kind] ?? kind),
  ];
  if (side !== undefined && kind === "stub") said.push(`only in the ${side} tree`);
  if (beside.first !== undefined) said.push("here the runs part");
  if (beside.below > 0) said.push(`${counted(beside.below, "change")} below`);
  return said.join(", ");
}
