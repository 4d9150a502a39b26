// @ts-check
/** The standings: sentences, the table of players, the chart of ratings, the points of each against each. */

import { html } from "../draw/element.js";
import { MINUS, UNKNOWN, count, counted } from "../draw/numbers.js";
import { toNumber } from "../data/claims.js";

/** @import { Chart } from "../views/chart.js" */
/** @import { Score } from "../data/types.js" */
/** @import { Points } from "../data/answers.js" */
/** @import { Counted } from "./types.js" */

/** Players up to which everybody's points against everybody are a table. */
const MOST_CROSSED = 24;
/** Of the ratings of all players. */
const MEAN = 1500;

/** The players, the strongest first. @param {Counted} results */
function strongestFirst({ agents, order }) {
  const places = new Map(order.map((name, place) => [name, place]));
  return [...agents].sort((a, b) => (places.get(a.name) ?? 0) - (places.get(b.name) ?? 0));
}

/** The terms of the match in a line. @param {Counted} results */
export function termsOf({ match, agents, games, total }) {
  const { n_opening: opening = 0, most_plies: most, adjudicate, seed } = match;
  return [
    match.game,
    games === total ? counted(games, "game") : `${count(games)} of ${counted(total, "game")}`,
    `${counted(match.games, "game")}${agents.length > 2 ? " a pair" : ""}`,
    opening === 0
      ? `all from ${match.position == null ? "the start" : "one position"}`
      : `openings of ${counted(opening, "random ply", "random plies")}, from both sides`,
    most !== undefined &&
      `${adjudicate === undefined ? "drawn" : `adjudicated by ${adjudicate}`} after ${counted(most, "ply", "plies")}`,
    seed !== undefined && `seed ${seed}`,
  ]
    .filter((part, at) => part !== false && !(at === 2 && agents.length === 2))
    .join(" · ");
}

/** The sentences on faults, on the results of the games, and on their limits. @param {Counted} results */
export function sentencesOf(results) {
  if (results.games === 0) return ["No game is over yet."];
  const { match, test, cycles, endings, faults_in_words: faults, warnings } = results;
  const { adjudicated = 0, length = 0 } = endings;
  const most = match.most_plies === undefined ? "the most plies" : counted(match.most_plies, "ply", "plies");
  return [
    ...faults,
    ahead(results),
    ...(test === undefined ? [] : [test.in_words]),
    ...cycles.map((ring) => `${[...ring, ring[0]].join(" beats ")}, each by more than chance.`),
    ...(adjudicated > 0 ? [`${counted(adjudicated, "game")} ${adjudicated === 1 ? "was" : "were"} adjudicated.`] : []),
    ...(length > 0
      ? [`${counted(length, "game")} reached ${most} and ${length === 1 ? "counts" : "count"} as drawn.`]
      : []),
    ...warnings.map((warning) => `${warning}.`),
  ];
}

/** @param {Counted} results */
function ahead(results) {
  const [first, second] = strongestFirst(results);
  if (first === undefined || second === undefined) return "";
  const points = `${first.name} has ${pointsOf(first)} of ${counted(played(first), "point")}`;
  const isAbove = toNumber(first.elo_of_95[0]) > toNumber(second.elo_of_95[1]);
  const gap = Math.round(first.elo - second.elo);
  if (gap === 0) return `${points} and is rated as high as ${second.name}.`;
  return isAbove
    ? `${points} and stands ${count(gap)} points of Elo above ${second.name}, by more than chance.`
    : `${points} and is rated above ${second.name}, but the 95 % intervals of both overlap: that may be chance.`;
}

/** @param {Points} points */
function played({ won, drawn, lost }) {
  return won + drawn + lost;
}

/** @param {Points} points */
function pointsOf({ won, drawn }) {
  return `${won + drawn / 2}`;
}

/** @param {Counted} results */
export function tableOfPlayers(results) {
  const columns = [
    "",
    "points",
    "won",
    "drawn",
    "lost",
    "share",
    "95 % interval",
    "Elo",
    "95 % interval",
    "a win takes",
  ];
  return table(
    "Players, the strongest first",
    columns,
    strongestFirst(results).map((player) => [
      html("b", html("bdi", player.name)),
      `${pointsOf(player)} / ${played(player)}`,
      count(player.won),
      count(player.drawn),
      count(player.lost),
      percent(toNumber(player.share)),
      range(player.share_of_95, percent),
      Math.round(player.elo).toString().replace("-", MINUS),
      range(player.elo_of_95, (end) => Math.round(end).toString().replace("-", MINUS)),
      player.plies_of_a_win === null ? UNKNOWN : `${player.plies_of_a_win.toFixed(1)} plies`,
    ]),
  );
}

/** Points of each against each, in the order of strength; null where two play, or too many. @param {Counted} results */
export function crossTable(results) {
  const players = strongestFirst(results);
  if (players.length < 3 || players.length > MOST_CROSSED) return null;
  return table(
    "Points of each against each",
    ["", ...players.map(({ name }) => name)],
    players.map((player) => [
      html("b", html("bdi", player.name)),
      ...players.map((other) => {
        const met = player.against[other.name];
        if (met === undefined || played(met) === 0) return player === other ? "" : UNKNOWN;
        const title = `${met.won} won, ${met.drawn} drawn, ${met.lost} lost`;
        const style = { "--share": `${100 * toNumber(met.share)}%` };
        return html("span.match-met", { title, style }, `${pointsOf(met)} / ${played(met)}`);
      }),
    ]),
  );
}

/**
 * @param {string} caption
 * @param {string[]} columns
 * @param {(Node | string)[][]} rows
 * @param {{at: number, part: Node} | null} [below] a part across the table below a row
 */
export function table(caption, columns, rows, below = null) {
  return html(
    "div.match-scroll",
    { tabindex: 0, role: "group", "aria-label": caption },
    html(
      "table.match-table",
      html("caption.visually-hidden", caption),
      html(
        "thead",
        html(
          "tr",
          columns.map((column, at) =>
            html(at === 0 && column === "" ? "td" : "th", { scope: column === "" ? null : "col" }, column),
          ),
        ),
      ),
      html(
        "tbody",
        rows.flatMap(([first, ...others], at) => [
          html(
            "tr",
            html("th", { scope: "row" }, first ?? ""),
            others.map((cell) => html("td.number", cell)),
          ),
          below?.at === at && html("tr.match-below", html("td", { colspan: columns.length }, below.part)),
        ]),
      ),
    ),
  );
}

/** @param {number} share */
function percent(share) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : UNKNOWN;
}

/** @param {[Score, Score]} ends @param {(end: number) => string} write */
function range(ends, write) {
  const [low, high] = ends.map(toNumber).map((end) => (Number.isFinite(end) ? write(end) : "?"));
  return `${low} to ${high}`;
}

/**
 * Ratings with their intervals; an end that the games do not set is drawn to the edge, with a triangle.
 * @param {Counted} results
 * @returns {Chart}
 */
export function chartOfRatings(results) {
  const players = strongestFirst(results);
  const ends = players.flatMap(({ elo, elo_of_95: of95 }) => [elo, ...of95.map(toNumber)]).filter(Number.isFinite);
  const [least, most] = [Math.min(MEAN, ...ends) - 25, Math.max(MEAN, ...ends) + 25];
  const values = players.map(({ name, elo, elo_of_95: of95 }) => {
    const [low, high] = of95.map(toNumber);
    return { name, elo, low: Math.max(low ?? least, least), high: Math.min(high ?? most, most) };
  });
  const open = players.flatMap(({ name, elo_of_95: of95 }) =>
    of95.flatMap((end, at) =>
      Number.isFinite(toNumber(end))
        ? []
        : [{ name, at: at === 0 ? least : most, shape: at === 0 ? "triangle-left" : "triangle-right" }],
    ),
  );
  const y = { field: "name", type: "nominal", sort: null, title: null, axis: { labelLimit: 180 } };
  const x = {
    type: "quantitative",
    title: "Elo",
    axis: { tickCount: 6 },
    scale: { zero: false, nice: false, domain: [least, most] },
  };
  const tooltip = [
    { field: "name" },
    { field: "elo", format: ".0f" },
    { field: "low", format: ".0f" },
    { field: "high", format: ".0f" },
  ];
  return {
    name: "ratings",
    caption: `Elo with intervals of 95 %; the dashed line is the mean of all, ${MEAN}${open.length > 0 ? "; triangles: the games set no end" : ""}`,
    spec: {
      width: "container",
      height: 30 * players.length + 4,
      data: { values },
      layer: [
        {
          data: { values: [{}] },
          mark: { type: "rule", strokeDash: [4, 4], color: "var(--stub)", description: `Mean of all, ${MEAN}` },
          encoding: { x: { datum: MEAN, ...x } },
        },
        {
          mark: { type: "rule", strokeWidth: 2, color: "var(--max)" },
          encoding: { y, x: { field: "low", ...x }, x2: { field: "high" }, tooltip },
        },
        {
          mark: { type: "point", filled: true, opacity: 1, size: 70, color: "var(--max)" },
          encoding: { y, x: { field: "elo", ...x }, tooltip },
        },
        {
          data: { values: open },
          mark: { type: "point", filled: true, opacity: 1, size: 60, color: "var(--max)" },
          encoding: { y, x: { field: "at", ...x }, shape: { field: "shape", scale: null } },
        },
      ],
    },
    table: {
      columns: ["player", "Elo", "low", "high"],
      rows: players.map(({ name, elo, elo_of_95: [low, high] }) => [
        name,
        Math.round(elo),
        low === null ? UNKNOWN : String(low),
        high === null ? UNKNOWN : String(high),
      ]),
    },
  };
}
