// @ts-check
/** Parts of tips and details of a node of a best-first tree: its mean and interval, how its games ended, why it was chosen. */

import { isStub, toNumber } from "../data/claims.js";
import { html } from "./element.js";
import { percentText } from "./lettering.js";
import { count, decimalsFor, isGiven, plain } from "./numbers.js";
import { brief } from "./seen.js";

/** @import { Opened, Score, TreeNode } from "../data/types.js" */

/** What a 95 % interval comes from. */
export const METHODS = Object.freeze({
  wilson: "Wilson\u2019s, from wins, draws and losses",
  stderr: "normal, from the standard error that the log states",
  range: "at most, by the declared range",
});
/** Decimals of figures that are no percentages. */
const DECIMALS = 4;

/**
 * The parts of a best-first node beside its figures; none of any other node.
 * @param {TreeNode} node
 * @param {Opened} opened
 * @returns {HTMLElement[]}
 */
export function visitedParts(node, opened) {
  if (node.visited === undefined || isStub(node)) return [];
  const parts = [];
  const interval = intervalText(node, opened);
  if (interval !== "") parts.push(html("p.tip-line.number", interval));
  const { wins, draws, losses, ucb } = node;
  if ([wins, draws, losses].some(isGiven)) {
    const ended = /** @type {[number, number, number]} */ ([wins, draws, losses].map((n) => Number(n ?? 0)));
    parts.push(endings([{ name: "", ended }]));
  }
  // As the node above compared them: at the opponent's nodes it did not compare `ucb.exploit`, which is the root
  // player's.
  const [exploit, explore] = [toNumber(node.visited.exploit ?? ucb?.exploit), toNumber(ucb?.explore)];
  if (Number.isFinite(exploit) && Number.isFinite(explore))
    parts.push(ucbBars(exploit, explore, ucb?.n, ucb?.n_parent));
  return parts;
}

/**
 * The interval of the mean and what it comes from; nothing where it is not known.
 * @param {TreeNode} node
 * @param {Opened} opened
 */
export function intervalText({ mean, visited }, { means }) {
  if (visited?.interval === undefined || visited.by === undefined || !isGiven(mean)) return "";
  const isShare = visited.rate !== undefined && means?.declared === true;
  const write = (/** @type {Score} */ end) =>
    isShare ? percentText((toNumber(end) - means.low) / (means.high - means.low)) : plain(end, DECIMALS);
  const ends = visited.interval
    .map(write)
    .join(" \u2026 ")
    .replace(/\u202f%(?= )/, "");
  return `95 % interval of the mean: ${ends} (${METHODS[visited.by]})`;
}

/**
 * Wins, draws and losses of the root player, each as its share of the visits.
 * @param {{name: string, ended: [number, number, number]}[]} rows
 */
export function endings(rows) {
  return html(
    "div.endings",
    rows.map(({ name, ended }) => {
      const total = ended[0] + ended[1] + ended[2];
      const shares = ended.map((n) => (total > 0 ? n / total : 0));
      const words = ended.map(
        (n, at) => `${["won", "drawn", "lost"][at]} ${count(Math.round(n))} (${percentText(Number(shares[at]))})`,
      );
      return html(
        "div.ending-row",
        { title: `${name === "" ? "" : `${brief(name)}: `}${words.join(", ")}` },
        name !== "" && html("bdi.ending-name.cut", name),
        html(
          "span.ending-bar",
          { role: "img", "aria-label": words.join(", ") },
          shares.map((share, at) => {
            if (share === 0) return null;
            const mark = ["W", "D", "L"][at];
            return html(
              "span",
              { class: `ending ending-${mark}`, style: { "flex-grow": share } },
              share > 0.13 ? `${mark} ${(100 * share).toFixed(1)}` : "",
            );
          }),
        ),
      );
    }),
  );
}

/**
 * The two terms by which the parent chose the child last, on one scale that ends at their sum.
 * @param {number} exploit
 * @param {number} explore
 * @param {number | undefined} n visits of the child by then
 * @param {number | undefined} nParent visits of its parent by then
 */
function ucbBars(exploit, explore, n, nParent) {
  const decimals = decimalsFor([exploit, explore, exploit + explore], DECIMALS);
  const write = (/** @type {number} */ term) => plain(term, decimals);
  const most = Math.max(Math.abs(exploit) + Math.abs(explore), Number.MIN_VALUE);
  const when = isGiven(n) && isGiven(nParent) ? `, at ${count(Number(n))} of ${count(Number(nParent))} visits` : "";
  const rows = /** @type {const} */ ([
    ["exploit", exploit, 0],
    ["explore", explore, Math.max(0, exploit)],
  ]);
  return html(
    "table.ucb",
    html("caption", `Chosen last by ${write(exploit + explore)}${when}`),
    html(
      "tbody",
      rows.map(([name, value, from]) => {
        const style = { "margin-left": `${(100 * from) / most}%`, width: `${(100 * Math.abs(value)) / most}%` };
        const bar = html("span", { class: `ucb-bar ucb-${name}`, style });
        return html(
          "tr",
          html("th", { scope: "row" }, name),
          html("td.ucb-place", { "aria-hidden": "true" }, bar),
          html("td.number", write(value)),
        );
      }),
    ),
  );
}
