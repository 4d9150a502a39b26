// @ts-check
/** What changed from one log to another, as words and figures. */

import { shortScore } from "./scores.js";

/** @typedef {import("../data/types.js").Beside} Beside */
/** @typedef {import("../data/types.js").TreeNode} TreeNode */

/** What a kind of change is called. @type {Readonly<Record<string, string>>} */
export const KIND_WORDS = Object.freeze({
  score: "another score",
  bound: "another bound",
  outcome: "another outcome",
  stub: "another stub",
  newly_pruned: "newly pruned",
  newly_dropped: "newly dropped",
  newly_searched: "newly searched",
  only_old: "only in the old tree",
  only_new: "only in the new tree",
});

/** Whether only the new log has this node. @param {Beside} mark */
export function isNew({ kind, old }) {
  return kind !== "same" && old === undefined;
}

/**
 * The score of a card: `+65.2 → +71.0` where it is another than in the old log.
 * @param {TreeNode} node
 * @param {Beside} mark
 * @param {import("./numbers.js").Digits | undefined} digits
 * @param {unknown} mate how the log scores wins
 */
export function changedScore(node, { kind, old }, digits, mate) {
  const now = shortScore(node, mate, digits);
  if (old === undefined || kind === "same") return now;
  const before = shortScore(old, mate, digits);
  return before === now || before === "" ? now : `${before} \u2192 ${now === "" ? "?" : now}`;
}

/** What a screen reader says of a node beside the old log. @param {Beside | null | undefined} mark */
export function spokenChange(mark) {
  if (mark === undefined || mark === null) return "";
  const said = mark.kind === "same" ? ["as before"] : mark.kind === "inside" ? ["only in the new tree"] : [KIND_WORDS[mark.kind] ?? mark.kind];
  if (mark.first) said.push("here the runs part");
  if (mark.missing) said.push(`${mark.missing} below it only in the old tree`);
  return said.join(", ");
}
