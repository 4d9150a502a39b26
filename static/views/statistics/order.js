// @ts-check
/** The order of plies in figures: at which ply cuts came, and where the best ply stood among the pre-scores. */

import { html } from "../../draw/element.js";
import { drawFigures, pairRows } from "./figures.js";
import { count } from "../../draw/numbers.js";
import { percent } from "./parts.js";

/** @import { Order, Statistics } from "../../data/answers.js" */
/** @import { FigureRow } from "./figures.js" */

const CUTS = ["cuts", "share"];

/**
 * At which ply cuts came.
 * @param {Statistics} found
 * @param {(ids: number[]) => () => unknown} listed
 * @param {Statistics | null} old of another log beside this one
 */
export function cutsAt({ order: of }, listed, old) {
  if (of === null) return [];
  const known = of.by_child - of.at_unknown_ply;
  const before = old?.order ?? null;
  const rowsOf = (/** @type {Order} */ each) =>
    histogram("cut", each.at_ply, each.at_later_ply, each.at_ply_ids, each.by_child - each.at_unknown_ply, {
      from: 1,
      noun: "ply",
      listed,
    });
  const more = [];
  if (known > 0) {
    more.push(
      html("p.figure-caption", "At which ply cuts came; a press lists such nodes, the first 20 at most."),
      drawFigures(
        "At which ply cuts came",
        "cut at",
        CUTS,
        before === null ? rowsOf(of) : pairRows(rowsOf(of), CUTS, rowsOf(before), CUTS),
      ),
    );
  }
  const others = [
    ["stand pat", of.by_stand_pat],
    ["null move", of.by_null],
    ["estimate", of.by_estimate],
    ["not said", of.by_unknown],
  ];
  const said = others.filter(([, n]) => Number(n) > 0).map(([name, n]) => `${name} ${count(Number(n))}`);
  if (said.length > 0) more.push(html("p.dim", `Other cuts: ${said.join(", ")}.`));
  if (of.at_unknown_ply > 0)
    more.push(html("p.dim", `At ${count(of.at_unknown_ply)} cuts plies have no row, so the number is not known.`));
  return more;
}

/**
 * Where the best ply stood in the order of pre-scores.
 * @param {Statistics} found
 * @param {(ids: number[]) => () => unknown} listed
 */
export function ranks({ order: of }, listed) {
  const asked = of === null ? 0 : of.best_rank.reduce((sum, n) => sum + n, 0) + of.best_rank_later;
  if (of === null || asked === 0) return [];
  return [
    html(
      "p.figure-caption",
      `At ${percent((of.best_rank[0] ?? 0) / asked)} of ${count(asked)} nodes with an exact score no ply had a better pre_score than the best one.`,
    ),
    drawFigures(
      "Plies of better pre_score than the best ply",
      "better plies",
      ["nodes", "share"],
      histogram("best", of.best_rank, of.best_rank_later, of.best_rank_ids, asked, { from: 0, noun: "", listed }),
    ),
  ];
}

/**
 * @param {string} key
 * @param {number[]} counts
 * @param {number} later
 * @param {number[][]} ids of the first nodes of each count, and then of the later ones
 * @param {number} total
 * @param {{from: number, noun: string, listed: (ids: number[]) => () => unknown}} as `from`: the number of the first
 * @returns {FigureRow[]}
 */
function histogram(key, counts, later, ids, total, { from, noun, listed }) {
  const shown = counts.slice(0, 8);
  const rest = counts.slice(8).reduce((sum, n) => sum + n, 0) + later;
  const most = Math.max(1, rest, ...shown);
  /** @param {string} name @param {number} n @param {number[]} nodes */
  const row = (name, n, nodes) => ({
    key: `${key}-${name}`,
    name,
    share: n / most,
    value: total > 0 ? n / total : 0,
    cells: [count(n), percent(total > 0 ? n / total : 0)],
    ...(nodes.length > 0 && { act: () => void listed(nodes)() }),
  });
  const rows = shown.map((n, i) => row(noun === "" ? String(i + from) : `${noun} ${i + from}`, n, ids[i] ?? []));
  return rest > 0 ? [...rows, row("more", rest, ids.slice(8).flat().slice(0, 20))] : rows;
}
