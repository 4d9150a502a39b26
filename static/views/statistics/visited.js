// @ts-check
/** Figures of a best-first tree: its visits by level, and how concentrated they are at the root. */

import { count } from "../../draw/numbers.js";
import { figure, link, percent } from "./parts.js";
import { amongFigures } from "../../draw/seen.js";

/** @import { Statistics, Visited } from "../../data/answers.js" */
/** @import { Actions } from "../../data/types.js" */
/** @import { Part } from "./parts.js" */

/** @param {Visited} visited @param {Actions} actions @returns {Part} */
export function visitedLevels(visited, actions) {
  const { levels, nodes, deepest, playouts } = visited;
  const most = Math.max(1, ...levels.map((level) => level.visits));
  const caption = `${playouts === null ? "" : `${count(Math.round(playouts))} play-outs; `}${count(nodes)} visited nodes have a row, down to level ${deepest}.`;
  return {
    name: "levels",
    title: "Visits by level",
    caption,
    what: "level",
    columns: ["visits", "visited nodes", "branching"],
    rows: levels.map((level) => ({
      key: `level-${level.level}`,
      name: String(level.level),
      share: level.visits / most,
      value: level.visits,
      cells: [count(Math.round(level.visits)), count(level.nodes), figure(level.branching)],
      title: `${count(level.expanded)} nodes with visited children; branching: visited children with a row, a node that has any. Visits with those of stubs`,
      ...(level.nodes > 0 && {
        act: () =>
          actions.showNodes(`level = ${level.level} and visits > 0 and not is_stub`, {
            chosen: ["visits", "mean"],
            sort: "visits",
            descending: true,
          }),
      }),
    })),
  };
}

/** @param {Statistics} found @param {Visited} visited @param {Actions} actions @returns {Part | null} */
export function visitedPlies({ where }, { first_share: first, effective_plies: effective }, actions) {
  const plies = [...where.root_plies].sort((a, b) => (b.playouts ?? 0) - (a.playouts ?? 0));
  const total = plies.reduce((sum, ply) => sum + (ply.playouts ?? 0), 0);
  const top = plies[0];
  if (top === undefined || first === null || effective === null || total === 0) return null;
  const name = amongFigures(top.ply ?? `#${top.id}`);
  const rest = ` has ${percent(first)} of the visits of the root\u2019s plies: as concentrated as ${figure(effective)} plies that share them evenly.`;
  return {
    name: "where",
    title: "Visits at the root",
    caption: name + rest,
    says: [link("where-first", name, `Go to ${name}`, () => actions.goTo(top.id)), rest],
    what: "ply",
    columns: ["visits", "share"],
    rows: plies.map((ply) => ({
      key: `ply-${ply.id}`,
      name: ply.ply ?? `#${ply.id}`,
      share: (ply.playouts ?? 0) / (top.playouts ?? 1),
      value: ply.playouts ?? 0,
      cells: [ply.playouts === null ? "?" : count(Math.round(ply.playouts)), percent((ply.playouts ?? 0) / total)],
      act: () => void actions.goTo(ply.id),
    })),
  };
}
