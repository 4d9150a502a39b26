// @ts-check
/** Findings of a check in words. */

import { counted, exact, full } from "./numbers.js";
import { standsFor } from "./scores.js";

/** @import { Figure, Finding, Mark, Report, Score } from "../data/types.js" */

/** From the worst on. */
export const SEVERITIES = /** @type {const} */ (["wrong", "waste", "odd"]);

export const SEVERITY_MEANING = Object.freeze({
  wrong: "cannot be, whatever the engine meant",
  waste: "correct, but work for nothing",
  odd: "legitimate in some engines, usually a bug",
});

/** The counts of a report: `3 wrong, 1 odd`; none of a clean one. @param {Report | null} report */
export function countsText(report) {
  const counts = report?.counts;
  if (counts === undefined) return "";
  return SEVERITIES.filter((severity) => counts[severity] > 0)
    .map((severity) => `${counted(counts[severity], severity, severity)}`)
    .join(", ");
}

/** A report in one sentence, for the badge and for who cannot see it. @param {Report | null} report */
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

/** Whether a check is done, but no rule had the fields that it needs. @param {Report} report */
export function isJudgeless({ state, checked }) {
  return state === "done" && checked?.length === 0;
}

/** @param {Pick<Report, "progress">} report */
export function percent({ progress = 0 }) {
  return `${Math.floor(progress * 100)} %`;
}

/** Rules whose figures are scores: their messages say what these stand for. */
const OF_SCORES = new Set([
  "claim",
  "cut",
  "cut-missed",
  "leaf",
  "nan",
  "repropagate",
  "research-disagrees",
  "research-missing",
  "result",
  "stopped-used",
  "table-disagrees",
  "terminal",
  "tt-bound",
  "tt-source",
  "value",
  "window",
  "window-wide",
]);

/**
 * Both figures of a finding as they are shown: to twelve digits where these tell them apart, else with every digit;
 * won and lost games also in words.
 * @param {Pick<Finding, "rule" | "expected" | "found">} finding
 * @param {unknown} [mate] how the log scores wins
 */
export function figuresOf({ rule, expected, found }, mate) {
  const alike =
    figureText(expected, exact) === figureText(found, exact) && JSON.stringify(expected) !== JSON.stringify(found);
  const [must, is] = [expected, found].map((figure) => {
    const meant = OF_SCORES.has(rule) && isNumber(figure) ? standsFor(figure, mate) : "";
    return `${figureText(figure, alike ? full : exact)}${meant && ` (${meant})`}`;
  });
  return { expected: must ?? "", found: is ?? "" };
}

/**
 * A figure of a finding: a number (a score, a depth, a count), an interval, or words as they are.
 * @param {Figure | undefined} figure
 * @param {(figure: Score) => string} write
 * @returns {string}
 */
function figureText(figure, write) {
  if (figure === undefined || figure === null) return "\u2013";
  if (Array.isArray(figure)) return `[${figure.map((end) => figureText(end, write)).join(", ")}]`;
  return isNumber(figure) ? write(figure) : String(figure);
}

/** @param {Figure | undefined} figure */
function isNumber(figure) {
  return typeof figure === "number" || figure === "inf" || figure === "-inf" || figure === "nan";
}

/**
 * A node's mark in words for screen readers: `2 findings, wrong`; of a folded node also those below it.
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
 * The reason why a rule was not asked: the fields that the log lacks, in backticks, or why it does not apply.
 * @param {NonNullable<Report["not_checked"]>[number]} unasked
 */
export function lackText({ needs, nodes, why }) {
  if (why !== undefined) return why;
  const fields = needs
    .map((need) =>
      need
        .split("|")
        .map((name) => `\`${name}\``)
        .join(" or "),
    )
    .join(", ");
  return `needs ${fields}${nodes > 0 ? ` at ${counted(nodes, "node")}` : ""}`;
}
