// @ts-check
/** What a check found, in words. */

import { counted, exact } from "./numbers.js";

/** @typedef {import("../data/types.js").Report} Report */
/** @typedef {import("../data/types.js").Severity} Severity */
/** @typedef {import("../data/types.js").Figure} Figure */
/** @typedef {import("../data/types.js").Mark} Mark */

/** From the worst on. */
export const SEVERITIES = /** @type {const} */ (["wrong", "waste", "odd"]);

export const SEVERITY_MEANING = Object.freeze({
  wrong: "cannot be, whatever the engine meant",
  waste: "correct, but work for nothing",
  odd: "legitimate in some engines, usually a bug",
});

/**
 * The counts of a report: `3 wrong, 1 odd`; none of a clean one.
 * @param {Report | null} report
 */
export function countsText(report) {
  const counts = report?.counts;
  if (counts === undefined) return "";
  return SEVERITIES.filter((severity) => counts[severity] > 0)
    .map((severity) => `${counted(counts[severity], severity, severity)}`)
    .join(", ");
}

/**
 * A report in one sentence, for the badge and for who cannot see it.
 * @param {Report | null} report
 */
export function reportSentence(report) {
  if (report === null) return "Check: not known yet";
  switch (report.state) {
    case "running":
      return `Check: running, ${percent(report)}`;
    case "failed":
      return "Check: it failed";
    case "none":
      return "Check: this log is not checked yet";
    default: {
      const found = countsText(report);
      if (found !== "") return `Check: ${found}`;
      return isJudgeless(report) ? "Check: nothing to judge" : "Check: nothing found";
    }
  }
}

/**
 * Whether a check is done, but no rule had the fields that it needs.
 * @param {Report} report
 */
export function isJudgeless({ state, checked }) {
  return state === "done" && checked?.length === 0;
}

/** @param {Pick<Report, "progress">} report */
export function percent({ progress = 0 }) {
  return `${Math.floor(progress * 100)} %`;
}

/**
 * A figure of a finding: a number (a score, a depth, a count) in all its digits, since two that differ must look
 * different; an interval; or words as they are.
 * @param {Figure | undefined} figure
 * @returns {string}
 */
export function figureText(figure) {
  if (figure === undefined || figure === null) return "\u2013";
  if (Array.isArray(figure)) return `[${figure.map((end) => figureText(end)).join(", ")}]`;
  if (typeof figure === "number" || figure === "inf" || figure === "-inf" || figure === "nan") return exact(/** @type {import("../data/types.js").Score} */ (figure));
  return String(figure);
}

/**
 * What a node's mark says aloud: `2 findings, wrong`; of a folded one also what lies below.
 * @param {Mark | undefined} mark
 * @param {boolean} open
 */
export function markText(mark, open) {
  if (mark === undefined) return "";
  const parts = [];
  if (mark.count > 0 && mark.severity) parts.push(`${counted(mark.count, "finding")}, ${mark.severity}`);
  if (mark.below > 0 && !open) parts.push(`${counted(mark.below, "finding")} below`);
  return parts.join(", ");
}

/**
 * What keeps a rule from being asked: the fields that the log lacks, in backticks, or why it does not apply.
 * @param {NonNullable<Report["not_checked"]>[number]} unasked
 */
export function lackText({ needs, nodes, why }) {
  if (why !== undefined) return why;
  const fields = needs.map((need) => need.split("|").map((name) => `\`${name}\``).join(" or ")).join(", ");
  return `needs ${fields}${nodes > 0 ? ` at ${counted(nodes, "node")}` : ""}`;
}
