// @ts-check
/** Figures of the run as a whole: levels, smaller limits, plies of the root, techniques, the randomness quotient. */

import { html } from "../../draw/element.js";
import { drawFigures, drawStrip } from "./figures.js";
import { PURPOSES } from "../../draw/lettering.js";
import { atLeast, count, counted, shortCount } from "../../draw/numbers.js";
import { figure, lacks, link, percent } from "./parts.js";
import { RANK_COLUMNS, rankCaption, rankRows } from "./ranks.js";
import { amongFigures } from "../../draw/seen.js";
import { isUntold } from "./questions.js";

/** @import { Limit, Statistics } from "../../data/answers.js" */
/** @import { Actions } from "../../data/types.js" */
/** @import { Part } from "./parts.js" */

/** Expressions for the tries that the techniques count. */
const FINISHED = "(outcome is null or outcome not in ('stopped', 'open'))";
const TRIES = /** @type {Record<string, string>} */ ({
  scouts: `purpose = 'scout' and ${FINISHED}`,
  "re-searches": `purpose = 'research' and ${FINISHED}`,
  reductions: `reduction > 0 and not is_stub and (purpose is null or purpose not in ('null', 'probe')) and ${FINISHED}`,
  "null moves": "purpose = 'null'",
  probes: "purpose = 'probe'",
});

/** @param {Statistics} found @param {Actions} actions @returns {Part} */
export function levels(found, actions) {
  const { levels: all, nodes, searched, unknown_searched: unknown, best_first, more_levels = 0 } = found;
  const most = Math.max(1, ...all.map((level) => level.nodes));
  const widest = all.reduce(
    (best, level) => (level.nodes > best.nodes ? level : best),
    all[0] ?? { level: 0, nodes: 0 },
  );
  const hasVisits = best_first && all.some(({ visits }) => visits !== null);
  const ofLevel = (/** @type {number} */ level) => () => actions.showNodes(`level = ${level} and not is_stub`);
  const share = percent(nodes > 0 ? widest.nodes / nodes : 0);
  const isWhole = searched === nodes && unknown === 0;
  const size = isWhole
    ? `${count(nodes)} nodes`
    : `${unknown > 0 ? "At least " : ""}${count(searched)} nodes were searched, ${count(nodes)} of them have a row; the figures are of these`;
  return {
    name: "levels",
    title: "Levels",
    caption: `${size}; level ${widest.level} has most of them, ${share}.`,
    says: [
      `${size}; `,
      link("levels-widest", `level ${widest.level}`, "Its nodes, as rows", ofLevel(widest.level)),
      ` has most of them, ${share}.`,
    ],
    what: "level",
    columns: hasVisits ? ["nodes", "visits", "branching"] : ["nodes", "cuts", "branching", "next/this"],
    rows: all.map((level) => ({
      key: `level-${level.level}`,
      name: String(level.level),
      share: level.nodes / most,
      value: level.nodes,
      cells: hasVisits
        ? [count(level.nodes), level.visits === null ? "–" : count(level.visits), figure(level.branching)]
        : [
            count(level.nodes),
            isUntold(found) ? "–" : count(level.cuts),
            figure(level.branching),
            figure(level.effective_branching),
          ],
      title: `${count(level.leaves)} leaves, ${atLeast(level.pruned, level.uncounted_pruned)} siblings pruned, ${atLeast(level.limited, level.uncounted_limited)} over the limit; with stubs ${level.branching_with_stubs === null ? "an unknown number of" : figure(level.branching_with_stubs)} children a node that was expanded`,
      ...(level.nodes > 0 && { act: ofLevel(level.level) }),
      acts: [
        undefined,
        ...(!hasVisits && level.cuts > 0
          ? [() => actions.showNodes(`outcome = 'cutoff' and level = ${level.level}`)]
          : []),
      ],
    })),
    more: more_levels > 0 ? [html("p.dim", `and ${count(more_levels)} deeper levels`)] : [],
  };
}

const VERDICTS = Object.freeze({
  kept: { mark: "✓", says: "kept" },
  changed: { mark: "✕", says: "changed" },
  unknown: { mark: "?", says: "cannot be known" },
});

/** @param {Statistics} found @returns {Part | null} */
export function limits(found) {
  const {
    limits: of,
    where: { nodes },
  } = found;
  if (of === null)
    return lacks(found, "limits").length > 0 ? { name: "limits", title: "Smaller limits", caption: "" } : null;
  if (of.each.length === 0) return null;
  const certain = of.each.filter(({ decision }) => decision !== "kept");
  const last = certain[certain.length - 1];
  const chosen = of.ply === null ? "the choice" : amongFigures(of.ply);
  const caption =
    last === undefined
      ? `${chosen} stays the choice at every smaller limit.`
      : last === of.each[of.each.length - 1]
        ? `At limit ${last.limit} ${last.decision === "changed" ? `${chosen} is chosen no more` : `it cannot be known whether ${chosen} stays`}.`
        : `${chosen} surely stays the choice from limit ${of.each[of.each.indexOf(last) + 1]?.limit} on.`;
  /** @param {Limit} each */
  const saved = (each) =>
    each.saved_at_most > each.saved ? `${count(each.saved)} to ${count(each.saved_at_most)}` : count(each.saved);
  const cells = of.each.map((each) => ({
    name: String(each.limit),
    kind: each.decision,
    mark: VERDICTS[each.decision].mark,
    says: `limit ${each.limit}: ${VERDICTS[each.decision].says}; ${saved(each)} nodes lie below what it drops`,
  }));
  const more = [];
  if (of.left_out > 0) more.push(html("p.dim", `${count(of.left_out)} limits between these were not tried.`));
  if (of.rests_on.length > 0) more.push(html("p.dim", `Taken to do the same there: ${of.rests_on.join(", ")}.`));
  return {
    name: "limits",
    title: "Smaller limits",
    caption,
    lead: drawStrip("Is the choice kept under a smaller branching limit?", cells),
    what: "limit",
    columns: ["decision", "nodes dropped"],
    rows: of.each.map((each) => ({
      key: `limit-${each.limit}`,
      name: String(each.limit),
      share: nodes > 0 ? each.saved / nodes : 0,
      value: each.saved,
      cells: [VERDICTS[each.decision].says, saved(each)],
    })),
    more,
  };
}

/** @param {Statistics} found @param {Actions} actions @returns {Part | null} */
export function where({ where: of }, actions) {
  const plies = of.root_plies;
  const first = plies[0];
  if (first === undefined) return null;
  const most = Math.max(1, first.nodes);
  const hasSeconds = plies.some(({ seconds }) => seconds !== null);
  const more = [];
  if (of.more_root_plies !== undefined) more.push(html("p.dim", `and ${count(of.more_root_plies)} more plies`));
  if (of.purposes.length > 1) {
    const mostOf = Math.max(1, ...of.purposes.map(({ nodes }) => nodes));
    more.push(
      html("p.figure-caption", "By purpose: a node counts for every purpose that it lies below."),
      drawFigures(
        "Nodes by purpose",
        "purpose",
        ["visits", "nodes"],
        of.purposes.map(({ purpose, visits, nodes }) => ({
          key: `purpose-${purpose}`,
          name: purpose === "" ? "not stated" : (/** @type {Record<string, string>} */ (PURPOSES)[purpose] ?? purpose),
          share: nodes / mostOf,
          cells: [count(visits), count(nodes)],
          act: () =>
            void actions.showNodes(purpose === "" ? "purpose is null and not is_stub" : `purpose = '${purpose}'`),
        })),
      ),
    );
  }
  if (of.quiescence > 0)
    more.push(
      html(
        "p",
        link("where-quiescence", `${count(of.quiescence)} nodes`, "These nodes, as rows", () =>
          actions.showNodes("quiescence and not is_stub"),
        ),
        ` (${percent(of.quiescence / Math.max(1, of.nodes))}) are in quiescence.`,
      ),
    );
  return {
    name: "where",
    title: "Where the nodes went",
    short: "Root plies",
    caption: `${percent(first.share)} of the nodes below the root lie below ${amongFigures(first.ply ?? `#${first.id}`)}.`,
    says: [
      `${percent(first.share)} of the nodes below the root lie below `,
      link("where-first", amongFigures(first.ply ?? `#${first.id}`), "Go to this ply", () => actions.goTo(first.id)),
      ".",
    ],
    what: "root ply",
    columns: ["nodes", "share", ...(hasSeconds ? ["seconds"] : [])],
    rows: plies.map((ply) => ({
      key: `root-ply-${ply.id}`,
      name: ply.ply ?? `#${ply.id}`,
      share: ply.nodes / most,
      value: ply.nodes,
      cells: [shortCount(ply.nodes), percent(ply.share), ...(hasSeconds ? [figure(ply.seconds)] : [])],
      title: `${count(ply.nodes)} nodes in ${count(ply.visits)} ${ply.visits === 1 ? "visit" : "visits"}`,
      act: () => void actions.goTo(ply.id),
    })),
    more,
  };
}

/** @param {Statistics} found @param {Actions} actions @returns {Part | null} */
export function counters(found, actions) {
  const { counters: pairs, table } = found;
  const tried = pairs.filter((pair) => pair.tried > 0);
  if (tried.length === 0 && table === null && lacks(found, "counters").length === 0) return null;
  const used = (/** @type {string} */ use, /** @type {number} */ n) =>
    n === 0
      ? "0"
      : link(`table-${use}`, count(n), "These nodes, as rows", () =>
          actions.showNodes(
            use === "cut" ? "tt.use = 'cut' or (tt.use is null and outcome = 'tt')" : `tt.use = '${use}'`,
          ),
        );
  const more =
    table === null
      ? []
      : [
          html(
            "p",
            `The transposition table had an entry at ${counted(table.found, "node")}. It ended the visit of `,
            used("cut", table.cut),
            ", narrowed the window of ",
            used("narrow", table.narrow),
            ", and named the first ply of ",
            used("order", table.order),
            ".",
          ),
        ];
  return {
    name: "counters",
    title: "Techniques",
    caption: tried.length === 0 ? "" : "How often each was tried, and the part that succeeded.",
    what: "technique",
    columns: ["tried", "succeeded"],
    rows: tried.map((pair) => ({
      key: `pair-${pair.name}`,
      name: pair.name,
      share: pair.succeeded === null ? null : pair.succeeded / pair.tried,
      cells: [count(pair.tried), pair.succeeded === null ? "unknown" : percent(pair.succeeded / pair.tried)],
      title:
        pair.succeeded === null
          ? `${pair.tried_is}; ${pair.succeeded_is}`
          : `${pair.tried_is}: ${count(pair.succeeded)} of ${count(pair.tried)} ${pair.succeeded_is}`,
      ...(TRIES[pair.name] !== undefined && { act: () => void actions.showNodes(TRIES[pair.name] ?? "") }),
    })),
    more,
  };
}

/** @param {Statistics} found @param {Actions} actions @returns {Part | null} */
export function quotient(found, actions) {
  const { quotient: of } = found;
  if (of === null)
    return lacks(found, "quotient").length > 0 ? { name: "quotient", title: "Randomness quotient", caption: "" } : null;
  return {
    name: "quotient",
    title: "Randomness quotient",
    short: "Quotient",
    caption: rankCaption(of),
    what: "rank",
    columns: RANK_COLUMNS,
    rows: rankRows(of, { act: (id) => void actions.goTo(id) }),
  };
}
