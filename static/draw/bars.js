// @ts-check
/**
 * The factor breakdown: what each factor adds to the evaluation, as bars that part from a middle line, to the
 * right and green for the root player, to the left and red against. Also the small bars of the levels.
 */

import { toNumber } from "../data/claims.js";
import { html } from "./element.js";
import { decimalsFor, isGiven, plain, signed } from "./numbers.js";

/** @typedef {import("./numbers.js").Figure} Figure */
/** One factor at one node; `contribution` is NaN where it is unknown. @typedef {{name: string, value?: Figure, weight?: Figure, contribution: number}} FactorRow */
/** @typedef {Pick<import("../data/types.js").TreeNode, "factors" | "contributions" | "static">} Evaluated */
/** @typedef {Pick<import("../data/types.js").Opened, "factors" | "contribution_names">} Header */

/**
 * The factors of `node` in the order of the log's header, those unknown at this node left out.
 * @param {Evaluated} node
 * @param {Header} header
 * @returns {FactorRow[]}
 */
export function factorRows(node, header) {
  /** @type {FactorRow[]} */
  const rows = [];
  (node.factors ?? []).forEach((value, i) => {
    const factor = header.factors[i];
    if (!factor || !isGiven(value)) return;
    const { name, weight } = factor;
    rows.push({ name, value, weight, contribution: toNumber(weight) * toNumber(value) });
  });
  (node.contributions ?? []).forEach((contribution, i) => {
    const name = header.contribution_names[i];
    if (name !== undefined && isGiven(contribution)) rows.push({ name, contribution: toNumber(contribution) });
  });
  return rows;
}

/**
 * The sum of the known contributions; NaN where one is unknown (a factor without a weight) or there is none.
 * @param {readonly FactorRow[]} rows
 * @returns {number}
 */
export function sumOf(rows) {
  if (rows.length === 0) return NaN;
  return rows.reduce((sum, row) => sum + row.contribution, 0);
}

/**
 * The `most` rows that weigh most, in their order, and the others as one row "n smaller".
 * @param {readonly FactorRow[]} rows
 * @param {number} most
 * @returns {FactorRow[]}
 */
export function heaviest(rows, most) {
  if (rows.length <= most) return [...rows];
  const weight = (/** @type {FactorRow} */ row) => Math.abs(row.contribution) || 0;
  const kept = new Set([...rows].sort((a, b) => weight(b) - weight(a)).slice(0, most - 1));
  const rest = rows.filter((row) => !kept.has(row));
  return [...rows.filter((row) => kept.has(row)), { name: `${rest.length} smaller`, contribution: sumOf(rest) }];
}

/**
 * At most `most` rows: those that add something, the lightest summed up; more than two that add nothing are counted.
 * @param {readonly FactorRow[]} rows
 * @param {number} most
 * @returns {FactorRow[]}
 */
export function shortened(rows, most) {
  const zeros = rows.filter((row) => row.contribution === 0);
  const others = rows.filter((row) => row.contribution !== 0);
  if (zeros.length <= 2) return [...heaviest(others, most - zeros.length), ...zeros];
  const counted = { name: `${zeros.length} ${others.length > 0 ? "more " : ""}are 0`, contribution: 0 };
  return [...heaviest(others, most - 1), counted];
}

/**
 * Length of a bar from 0 to 1, against the longest of its chart.
 * @param {number} contribution
 * @param {number} longest the largest finite size in the chart
 * @returns {number}
 */
export function barShare(contribution, longest) {
  if (Number.isNaN(contribution) || contribution === 0) return 0;
  if (!Number.isFinite(contribution)) return 1;
  return longest > 0 ? Math.min(1, Math.abs(contribution) / longest) : 0;
}

/**
 * The breakdown as a table: name, value × weight, bar, contribution, and the sum below.
 * @param {readonly FactorRow[]} rows
 * @param {{caption: string, static?: Figure, tolerance?: number}} options `static` is said beside the sum
 * @returns {HTMLTableElement}
 */
export function drawBars(rows, { caption, static: evaluation, tolerance = 1e-9 }) {
  const contributions = rows.map((row) => row.contribution);
  const longest = Math.max(0, ...contributions.map(Math.abs).filter(Number.isFinite));
  const decimals = decimalsFor(contributions, 2);
  const weighted = rows.some((row) => isGiven(row.value));
  const sum = sumOf(rows);
  return html(
    "table",
    { class: "bars" },
    html("caption", { class: "visually-hidden" }, caption),
    html("col", { class: "bars-name" }),
    weighted && html("col", { class: "bars-value" }),
    html("col"),
    html("col", { class: "bars-figure" }),
    html(
      "thead",
      { class: "visually-hidden" },
      html(
        "tr",
        {},
        ["factor", weighted && "value times weight", "bar", "contribution"].map(
          (name) => name && html("th", { scope: "col" }, name),
        ),
      ),
    ),
    html("tbody", {}, rows.map((row) => drawRow(row, longest, decimals, weighted))),
    html(
      "tfoot",
      {},
      html(
        "tr",
        {},
        html("th", { scope: "row" }, "sum"),
        html("td", { class: "bars-note", colspan: weighted ? 2 : 1 }, sumNote(sum, evaluation, tolerance)),
        html("td", { class: "number" }, Number.isNaN(sum) ? "" : signed(sum, decimals)),
      ),
    ),
  );
}

/**
 * What the sum is: the static evaluation, or by how much it is not.
 * @param {number} sum
 * @param {Figure} evaluation
 * @param {number} tolerance relative
 * @returns {string}
 */
export function sumNote(sum, evaluation, tolerance) {
  if (Number.isNaN(sum)) return "unknown: a factor has no weight";
  if (!isGiven(evaluation)) return "";
  const stated = toNumber(evaluation);
  const allowed = tolerance * Math.max(1, Math.abs(stated), Math.abs(sum));
  if (stated === sum || Math.abs(stated - sum) <= allowed) return "= static";
  return `static is ${signed(evaluation)}`;
}

/**
 * @param {FactorRow} row
 * @param {number} longest
 * @param {number} decimals
 * @param {boolean} weighted
 * @returns {HTMLTableRowElement}
 */
function drawRow(row, longest, decimals, weighted) {
  const { name, value, weight, contribution } = row;
  const bar = html("span", { class: `bar ${contribution < 0 ? "bar-against" : "bar-for"}` });
  bar.style.setProperty("--share", String(barShare(contribution, longest)));
  return html(
    "tr",
    { class: contribution === 0 ? "bars-nothing" : null },
    html("th", { scope: "row", title: name }, name),
    weighted && html("td", { class: "number bars-product", title: isGiven(value) && `value ${String(value)}` }, isGiven(value) && product(value, weight)),
    html("td", { class: "bars-track" }, html("span", { class: "bar-track", "aria-hidden": "true" }, bar)),
    html("td", { class: "number" }, Number.isNaN(contribution) ? "?" : signed(contribution, decimals)),
  );
}

/**
 * @param {Figure} value
 * @param {Figure} weight
 * @returns {string}
 */
function product(value, weight) {
  const short = plain(value, decimalsFor([value], 2));
  return isGiven(weight) ? `${short} × ${plain(weight)}` : short;
}

/**
 * Counts by level as bars: a table of the level, a bar and the count.
 * @param {string} caption
 * @param {readonly {level: number, nodes: number, title: string}[]} levels
 * @param {(n: number) => string} text
 * @returns {HTMLTableElement}
 */
export function drawLevels(caption, levels, text) {
  const most = Math.max(1, ...levels.map((level) => level.nodes));
  return html(
    "table",
    { class: "levels" },
    html("caption", { class: "visually-hidden" }, caption),
    html(
      "thead",
      { class: "visually-hidden" },
      html("tr", {}, ["level", "bar", "nodes"].map((name) => html("th", { scope: "col" }, name))),
    ),
    html(
      "tbody",
      {},
      levels.map(({ level, nodes, title }) => {
        const bar = html("span", { class: "bar" });
        bar.style.setProperty("--share", String(nodes / most));
        return html(
          "tr",
          { title },
          html("th", { scope: "row", class: "number" }, String(level)),
          html("td", { class: "levels-track" }, html("span", { class: "bar-track", "aria-hidden": "true" }, bar)),
          html("td", { class: "number" }, text(nodes)),
        );
      }),
    ),
  );
}
