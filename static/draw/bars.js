// @ts-check
/**
 * The factor breakdown: what each factor adds to the evaluation, as bars that part from a middle line, to the right and
 * green for the root player, to the left and red against. Also the small bars of the levels.
 */

import { toNumber } from "../data/claims.js";
import { html, tableHead } from "./element.js";
import { apart, decimalsFor, full, isGiven, plain, signed, signedFull } from "./numbers.js";

/** @import { Opened, TreeNode } from "../data/types.js" */
/** @import { Figure } from "./numbers.js" */

/**
 * One factor at one node; `contribution` is NaN where it is unknown, `meaning` is the log's text on what is counted.
 * @typedef {{name: string, meaning?: string, value?: Figure, weight?: Figure, contribution: number}} FactorRow
 */
/** @typedef {Pick<TreeNode, "factors" | "contributions" | "static">} Evaluated */
/** @typedef {Pick<Opened, "factors" | "contribution_names">} Header */
/** @typedef {Pick<Opened, "players" | "root_player">} Players */

/**
 * The factors of `node` in the order of the log's header, those unknown at this node left out.
 * @param {Evaluated} node
 * @param {Header} header
 */
export function factorRows(node, header) {
  /** @type {FactorRow[]} */
  const rows = [];
  (node.factors ?? []).forEach((value, i) => {
    const factor = header.factors[i];
    if (!factor || !isGiven(value)) return;
    rows.push({ ...factor, value, contribution: toNumber(factor.weight) * toNumber(value) });
  });
  (node.contributions ?? []).forEach((contribution, i) => {
    const name = header.contribution_names[i];
    const meaning = header.factors.find((factor) => factor.name === name)?.meaning;
    if (name !== undefined && isGiven(contribution))
      rows.push({ name, ...(meaning && { meaning }), contribution: toNumber(contribution) });
  });
  return rows;
}

/**
 * The sum of the known contributions; NaN where one is unknown (a factor without a weight) or there is none.
 * @param {readonly FactorRow[]} rows
 */
export function sumOf(rows) {
  if (rows.length === 0) return NaN;
  return rows.reduce((sum, row) => sum + row.contribution, 0);
}

/**
 * The `most` rows that weigh most, in their order, and the others as one row "n smaller".
 * @param {readonly FactorRow[]} rows
 * @param {number} most
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
 */
export function barShare(contribution, longest) {
  if (Number.isNaN(contribution) || contribution === 0) return 0;
  if (!Number.isFinite(contribution)) return 1;
  return longest > 0 ? Math.min(1, Math.abs(contribution) / longest) : 0;
}

/**
 * The breakdown as a table: name, value × weight, bar, contribution, on request the meaning, and the sum below.
 * @param {readonly FactorRow[]} rows
 * @param {{caption: string, static?: Figure, tolerance?: number, player?: string, meanings?: boolean}} options `static`
 *   is said beside the sum, and the `player` from whom all is seen
 */
export function drawBars(rows, { caption, static: evaluation, tolerance = 1e-9, player, meanings = false }) {
  const contributions = rows.map((row) => row.contribution);
  const longest = Math.max(0, ...contributions.map(Math.abs).filter(Number.isFinite));
  const decimals = decimalsFor(contributions, 2);
  const weighted = rows.some((row) => isGiven(row.value));
  const sum = sumOf(rows);
  const note = sumNote(sum, evaluation, tolerance, player);
  return html(
    "table.bars",
    html("caption.visually-hidden", caption),
    html("col.bars-name"),
    weighted && html("col.bars-value"),
    html("col"),
    html("col.bars-figure"),
    tableHead(["factor", ...(weighted ? ["value times weight"] : []), "bar", "contribution"], "visually-hidden"),
    html(
      "tbody",
      rows.flatMap((row) => [
        drawRow(row, longest, decimals, weighted),
        meanings && row.meaning && html("tr.bars-meaning", html("td", { colspan: weighted ? 4 : 3 }, row.meaning)),
      ]),
    ),
    html(
      "tfoot",
      html(
        "tr",
        html("th", { scope: "row", colspan: weighted ? 3 : 2, title: note }, "sum ", html("span.bars-note", note)),
        html(
          "td.number",
          { title: Number.isNaN(sum) ? null : signedFull(sum) },
          Number.isNaN(sum)
            ? ""
            : signed(sum, isStatic(sum, evaluation, tolerance) ? decimals : apart([sum, evaluation])),
        ),
      ),
    ),
  );
}

/**
 * The note on the sum: that it is the static evaluation, or how far it is from it; and for whom it is good.
 * @param {number} sum
 * @param {Figure} evaluation
 * @param {number} tolerance relative
 * @param {string} [player] for whom more is better
 */
export function sumNote(sum, evaluation, tolerance, player) {
  if (Number.isNaN(sum)) return "unknown: a factor has no weight";
  const viewer = player === undefined ? "" : `for ${player}`;
  if (!isGiven(evaluation)) return viewer;
  const told = isStatic(sum, evaluation, tolerance)
    ? "= static"
    : `static is ${signed(evaluation, apart([sum, evaluation]))}`;
  return `${told} ${viewer}`.trimEnd();
}

/**
 * Whether the sum is the static evaluation, as far as that is stated.
 * @param {number} sum
 * @param {Figure} evaluation
 * @param {number} tolerance relative
 */
function isStatic(sum, evaluation, tolerance) {
  if (!isGiven(evaluation)) return true;
  const stated = toNumber(evaluation);
  return stated === sum || Math.abs(stated - sum) <= tolerance * Math.max(1, Math.abs(stated), Math.abs(sum));
}

/** Whose the values are, in a sentence. @param {Players} log */
export function valuesNote({ players, root_player: player }) {
  if (players.length > 2) return `Values are seen from ${player ?? "the root player"}.`;
  const other = players.find((name) => name !== player);
  if (player === undefined || other === undefined) return "Values are the root player's less the opponent's.";
  return `Values are ${player}'s less ${other}'s: ${player} is the root player.`;
}

/**
 * @param {FactorRow} row
 * @param {number} longest
 * @param {number} decimals
 * @param {boolean} weighted
 */
function drawRow(row, longest, decimals, weighted) {
  const { name, meaning, value, weight, contribution } = row;
  const look = contribution < 0 ? "bar-against" : "bar-for";
  const bar = html("span", { class: `bar ${look}`, style: { "--share": barShare(contribution, longest) } });
  return html(
    "tr",
    { class: contribution === 0 ? "bars-nothing" : null, title: meaning },
    html("th", { scope: "row", title: meaning ? `${name}: ${meaning}` : name }, name),
    weighted &&
      html(
        "td.number.bars-product",
        { title: isGiven(value) && `value ${full(value)}` },
        isGiven(value) && product(value, weight),
      ),
    html("td.bars-track", html("span.bar-track", { "aria-hidden": "true" }, bar)),
    html(
      "td.number",
      { title: Number.isNaN(contribution) ? null : signedFull(contribution) },
      contributionText(contribution, decimals),
    ),
  );
}

/**
 * A contribution with the decimals of its chart, or as many as tell it from nothing.
 * @param {number} contribution
 * @param {number} decimals
 */
function contributionText(contribution, decimals) {
  if (Number.isNaN(contribution)) return "?";
  const text = signed(contribution, decimals);
  return contribution !== 0 && /^[0.]+$/.test(text) ? signed(contribution, apart([contribution])) : text;
}

/** @param {Figure} value @param {Figure} weight */
function product(value, weight) {
  const short = plain(value, decimalsFor([value], 2));
  return isGiven(weight) ? `${short} × ${plain(weight)}` : short;
}

/**
 * Counts by level as bars: a table of the level, a bar and the count.
 * @param {string} caption
 * @param {readonly {level: number, nodes: number, title: string}[]} levels
 * @param {(n: number) => string} text
 */
export function drawLevels(caption, levels, text) {
  const most = Math.max(1, ...levels.map((level) => level.nodes));
  return html(
    "table.levels",
    html("caption.visually-hidden", caption),
    tableHead(["level", "bar", "nodes"], "visually-hidden"),
    html(
      "tbody",
      levels.map(({ level, nodes, title }) =>
        html(
          "tr",
          { title },
          html("th.number", { scope: "row" }, String(level)),
          html(
            "td.levels-track",
            html("span.bar-track", { "aria-hidden": "true" }, html("span.bar", { style: { "--share": nodes / most } })),
          ),
          html("td.number", text(nodes)),
        ),
      ),
    ),
  );
}
