// @ts-check
/** Games of more than two: which of the other players moves, and everybody\u2019s scores as bars with their names. */

import { toNumber } from "../data/claims.js";
import { html } from "./element.js";
import { layerMark } from "./icons.js";
import { apart, full, signed } from "./numbers.js";
import { seen } from "./seen.js";

/** @import { Opened, TreeNode } from "../data/types.js" */

/**
 * The number of the player who is to move among the others than the root player, from 0; undefined in games of two,
 * where the root player moves, and where it is not known who does.
 * @param {Pick<TreeNode, "layer" | "player">} node
 * @param {Pick<Opened, "players" | "root_player"> | null} opened
 */
export function seatOf({ layer, player }, opened) {
  if (layer !== "other" || player === undefined || opened === null || opened.players.length < 3) return undefined;
  const seat = othersOf(opened).indexOf(player);
  return seat < 0 ? undefined : seat;
}

/** The names of all but the root player. @param {Pick<Opened, "players" | "root_player">} opened */
export function othersOf({ players, root_player: root }) {
  return players.filter((player) => player !== root);
}

/**
 * The side to move at a node, in words: `white to move`; empty where the game is over or the log does not tell.
 * @param {Pick<TreeNode, "layer" | "player" | "outcome">} node
 * @param {Pick<Opened, "players" | "root_player">} opened
 */
export function moverWords({ layer, player, outcome }, opened) {
  if (outcome === "terminal") return "";
  if (layer === "chance") return "chance moves";
  const others = othersOf(opened);
  const opponent = layer === "min" && others.length === 1 ? others[0] : undefined;
  const mover = player ?? (layer === "max" ? opened.root_player : opponent);
  return mover === undefined ? "" : `${seen(mover)} to move`;
}

/**
 * One number a player as bars from a line at 0, each with its player\u2019s mark and name.
 * @param {NonNullable<TreeNode["scores"]>} scores
 * @param {Pick<Opened, "players" | "root_player">} opened
 * @returns {HTMLElement}
 */
export function scoreBars(scores, opened) {
  const numbers = scores.map((each) => (each === null ? NaN : toNumber(each)));
  const finite = numbers.filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const width = high - low || 1;
  const digits = apart(scores.map((each) => each ?? undefined));
  const others = othersOf(opened);
  return html(
    "table.seats",
    html("caption.visually-hidden", "Scores by player"),
    html(
      "tbody",
      numbers.map((number, at) => {
        const name = opened.players[at] ?? `player ${at + 1}`;
        const seat = others.indexOf(name);
        const length = Number.isFinite(number) ? number : 0;
        const style = {
          "margin-left": `${(100 * (Math.min(0, length) - low)) / width}%`,
          width: `${(100 * Math.abs(length)) / width}%`,
        };
        const bar = html("span", { class: `seat-bar ${number < 0 ? "seat-below" : ""}`, style });
        return html(
          "tr",
          html("th", { scope: "row" }, seat < 0 ? layerMark("max") : layerMark("other", seat), html("bdi.cut", name)),
          html("td.seat-place", { "aria-hidden": "true" }, bar),
          html(
            "td.number",
            { title: Number.isNaN(number) ? null : full(scores[at]) },
            Number.isNaN(number) ? "?" : signed(scores[at], digits),
          ),
        );
      }),
    ),
  );
}
