// @ts-check
/** The questions that statistics answer at once: where the search pruned most, where it surprised, the cost of its order. */

import { html } from "../../draw/element.js";
import { drawFigures } from "./figures.js";
import { atLeast, count, counted, decimalsFor, plain, signed } from "../../draw/numbers.js";
import { lacks, link, pathEnd, percent } from "./parts.js";
import { amongFigures } from "../../draw/seen.js";
import { cutsAt, ranks } from "./order.js";

/** @import { Statistics } from "../../data/answers.js" */
/** @import { Actions } from "../../data/types.js" */
/** @import { Part } from "./parts.js" */

const SIGNS = /** @type {Record<string, string>} */ ({ exact: "", lower: "≥ ", upper: "≤ ", "": "? " });
/** Nodes of a list that are shown as bars; the table of rows has all of them. */
const FEW = 8;

/**
 * Where did it prune most? Below which ply of the root, at which level, at which node.
 * @param {Statistics} found
 * @param {Actions} actions
 * @returns {Part | null}
 */
export function pruned(found, actions) {
  const { pruned: total, uncounted_pruned: uncounted, prune_events: events, levels, extremes, where } = found;
  const title = "Where did it prune most?";
  const part = { name: /** @type {const} */ ("pruned"), title, short: "Pruned most" };
  if (events === 0) return found.order === null ? null : { ...part, caption: nothingPruned(found) };
  const all = Math.max(1, total);
  const widest = levels.reduce(
    (best, level) => (level.pruned > best.pruned ? level : best),
    levels[0] ?? { level: 0, pruned: 0 },
  );
  const plies = [...where.root_plies].sort((a, b) => b.pruned - a.pruned).filter((ply) => ply.pruned > 0);
  const top = plies[0];
  const below = plies.reduce((sum, ply) => sum + ply.pruned, 0);
  // The plies of the root are those of the main tree alone; every other figure here counts all trees.
  const isOneOfMany = found.iterations.length > 1;
  const most = extremes.pruned[0];
  const stubs = (/** @type {string} */ also) => () =>
    actions.showNodes(`outcome = 'pruned'${also}`, { chosen: ["count", "level"], sort: "count", descending: true });
  /** @type {(Node | string)[]} */
  const says = [
    link("pruned-all", atLeast(total, uncounted), "All places where plies were pruned, as rows", stubs("")),
    ` ${total === 1 ? "ply was" : "plies were"} pruned, at ${counted(events, "place")}. `,
  ];
  if (top !== undefined) {
    const name = top.ply ?? `#${top.id}`;
    const ply = link("pruned-ply", amongFigures(name), `Go to ${name}`, () => actions.goTo(top.id));
    const others = plies.filter(({ pruned: n }) => n === top.pruned).length - 1;
    const share = `${percent(top.pruned / below)}${others > 0 ? " each" : ""}`;
    const tied = others > 0 ? ` and ${counted(others, "other")}` : "";
    if (isOneOfMany)
      says.push("In the main tree most were pruned below ", ply, `${tied} (${share} of its ${count(below)}); `);
    else says.push("The largest part: below ", ply, `${tied} (${share}); `);
  }
  if (widest.pruned > 0)
    says.push(
      top === undefined ? "The largest part: at " : isOneOfMany ? "by level, in all trees, at " : "by level, at ",
      link(
        "pruned-level",
        `level ${widest.level}`,
        "The places of this level, as rows",
        stubs(` and level = ${widest.level}`),
      ),
      ` (${percent(widest.pruned / all)}). `,
    );
  if (most !== undefined) {
    says.push(
      "The most at one node: ",
      link("pruned-most", count(most.pruned), "These places, as rows", stubs(` and count = ${most.pruned}`)),
      ", at ",
      nodeLink("pruned-node", most, actions),
    );
    says.push(extremes.most_pruned_at > 1 ? ` and ${counted(extremes.most_pruned_at - 1, "other")}.` : ".");
  }
  const scale = Math.max(1, top?.pruned ?? 0);
  const byLevel = levels.filter((level) => level.pruned > 0);
  return {
    ...part,
    caption: isOneOfMany
      ? `Plies pruned in the main tree, below each ply of its root: ${count(below)} of ${count(total)} in all trees.`
      : `Plies pruned below each ply of the root: ${count(below)} in all.`,
    says,
    what: "root ply",
    columns: ["pruned", "share"],
    rows: plies.map((ply) => ({
      key: `pruned-below-${ply.id}`,
      name: ply.ply ?? `#${ply.id}`,
      share: ply.pruned / scale,
      cells: [count(ply.pruned), percent(ply.pruned / below)],
      act: () => void actions.goTo(ply.id),
    })),
    more: [
      html("p.figure-caption", "Plies pruned at each level; a press lists the places."),
      drawFigures(
        "Plies pruned at each level",
        "level",
        ["pruned", "share"],
        byLevel.map((level) => ({
          key: `pruned-at-${level.level}`,
          name: String(level.level),
          share: level.pruned / Math.max(1, widest.pruned),
          cells: [atLeast(level.pruned, level.uncounted_pruned), percent(level.pruned / all)],
          act: () => void stubs(` and level = ${level.level}`)(),
        })),
      ),
    ],
  };
}

/**
 * The sentence for a log without a row on pruned plies: none was pruned, or the log does not tell.
 * @param {Statistics} found
 */
function nothingPruned(found) {
  const { order: of } = found;
  if (lacks(found, "pruned").length > 0) return ""; // which is said below
  if (isUntold(found)) return "Not known: the log does not say the outcome of any node.";
  if (of === null || of.cuts === 0) return "Nothing was pruned.";
  return `Not known: ${counted(of.cuts, "node was", "nodes were")} cut off, and the log has no rows of the plies pruned there.`;
}

/** Whether the log says of no node how it ended. @param {Statistics} found */
export function isUntold(found) {
  return found.missing.some(({ figure }) => figure === "order.cuts");
}

/**
 * Which node's pre-score and score differ most?
 * @param {Statistics} found
 * @param {Actions} actions
 * @returns {Part | null}
 */
export function apart(found, actions) {
  const { extremes } = found;
  const list = extremes.apart;
  const first = list[0];
  const part = {
    name: /** @type {const} */ ("apart"),
    title: "Which node's pre-score and score differ most?",
    short: "Pre-score and score",
  };
  if (first === undefined) {
    const says = extremes.apart_asked > 0 ? `At ${counted(extremes.apart_asked, "node")} the two are the same.` : "";
    return says === "" && lacks(found, "apart").length === 0 ? null : { ...part, caption: says };
  }
  const digits = decimalsFor(
    list.slice(0, FEW).flatMap((each) => [each.pre_score, each.score, each.apart]),
    2,
  );
  const isBound = first.bound === "lower" || first.bound === "upper";
  const rows = () =>
    actions.showNodes(
      `id in (${list.map(({ id }) => id).join(", ")})`,
      { chosen: ["pre_score", "score", "bound"], sort: "abs(score - pre_score)", descending: true },
      first.id,
    );
  const more = [];
  if (extremes.ended > 0)
    more.push(html("p.dim", `${counted(extremes.ended, "node")} of won, lost or finished games are left out.`));
  if (list.some(({ bound }) => bound === "lower" || bound === "upper"))
    more.push(html("p.dim", "≥: the score is a bound, so the two are apart by at least that."));
  if (list.some(({ bound }) => bound === ""))
    more.push(html("p.dim", "?: the log does not say whether the score is exact."));
  return {
    ...part,
    caption: "Pre-score and score farthest apart.",
    says: [
      nodeLink("apart-node", first, actions),
      ` had a pre-score of ${signed(first.pre_score, digits)}; the search gave it ${SIGNS[first.bound] ?? ""}${signed(first.score, digits)}: `,
      link(
        "apart-rows",
        `${isBound ? "at least " : ""}${plain(first.apart, digits)} apart`,
        "The nodes farthest apart, as rows",
        rows,
      ),
      `. Known of ${counted(extremes.apart_asked, "node")}.`,
    ],
    what: rowsAre(list.slice(0, FEW)),
    columns: ["pre-score", "score", "apart"],
    rows: list
      .slice(0, FEW)
      .map((each) => ({
        key: `apart-${each.id}`,
        name: rowName(each),
        share: each.apart / first.apart,
        cells: [
          signed(each.pre_score, digits),
          `${SIGNS[each.bound] ?? ""}${signed(each.score, digits)}`,
          `${each.bound === "lower" || each.bound === "upper" ? "≥ " : ""}${plain(each.apart, digits)}`,
        ],
        title: `#${each.id} ${each.path}${ofIteration(each.iteration)}`,
        act: () => void actions.goTo(each.id),
      })),
    more,
  };
}

/**
 * What did the move order cost? Nodes before the ply that cut, at which ply cuts came, where the best ply stood.
 * @param {Statistics} found
 * @param {Actions} actions
 * @param {Statistics | null} [old] of another log beside this one
 * @returns {Part | null}
 */
export function order(found, actions, old = null) {
  const { order: of, nodes, extremes } = found;
  const part = { name: /** @type {const} */ ("order"), title: "What did the move order cost?", short: "Move order" };
  if (of === null) return lacks(found, "order").length > 0 ? { ...part, caption: "" } : null;
  const known = of.by_child - of.at_unknown_ply;
  const first = extremes.spent[0];
  const listed = (/** @type {number[]} */ ids) => () => actions.showNodes(`id in (${ids.join(", ")})`, {}, ids[0]);
  /** @type {(Node | string)[]} */
  const says = [];
  if (first === undefined) {
    if (of.cuts > 0) says.push("Nothing: no node lies in a ply before one that cut. ");
    else says.push(isUntold(found) ? "Not known. " : "Nothing was cut off. ");
  } else {
    says.push(
      link(
        "order-cost",
        `${count(of.cost)} nodes`,
        "The nodes where most of them were spent, as rows",
        listed(extremes.spent.map(({ id }) => id)),
      ),
      ` (${percent(nodes > 0 ? of.cost / nodes : 0)}) lie in plies searched before the one that cut. The most at one node: ${count(first.spent)}, at `,
      nodeLink("order-node", first, actions),
      first.cut_at === null ? ". " : `, which its ply ${first.cut_at} cut. `,
    );
  }
  if (of.first_share !== null)
    says.push(`${percent(of.first_share)} of ${counted(known, "cut")} by a ply came at the first one.`);
  const scale = Math.max(1, first?.spent ?? 0);
  return {
    ...part,
    caption: "Nodes in plies before the one that cut.",
    says,
    what: rowsAre(extremes.spent.slice(0, FEW)),
    columns: ["cut at", "nodes"],
    rows: extremes.spent
      .slice(0, FEW)
      .map((each) => ({
        key: `spent-${each.id}`,
        name: rowName(each),
        share: each.spent / scale,
        cells: [each.cut_at === null ? "?" : `ply ${each.cut_at}`, count(each.spent)],
        title: `#${each.id} ${each.path}${ofIteration(each.iteration)}`,
        act: () => void actions.goTo(each.id),
      })),
    more: [...cutsAt(found, listed, old), ...ranks(found, listed)],
  };
}

/** @param {string} key @param {{id: number, path: string, iteration: number | null}} node @param {Actions} actions */
function nodeLink(key, node, actions) {
  const { id, path, iteration } = node;
  const text = amongFigures(pathEnd(path)) + ofIteration(iteration);
  return link(key, text, `Go to #${id}: ${path}${ofIteration(iteration)}`, () => actions.goTo(id));
}

/** A node as the row of a figure, whose end may be cut. @param {{path: string, iteration: number | null}} node */
const rowName = ({ path, iteration }) => (iteration === null ? "" : `(${iteration}) `) + pathEnd(path);

/** The nodes of a figure's rows, in words. @param {{iteration: number | null}[]} nodes */
const rowsAre = (nodes) => (nodes.some(({ iteration }) => iteration !== null) ? "(iteration) node" : "node");

/** The iteration of a node outside the main tree, in words. @param {number | null} iteration */
const ofIteration = (iteration) => (iteration === null ? "" : ` (iteration ${iteration})`);
