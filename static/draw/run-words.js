// @ts-check
/** The run of a log in words and figures: the chosen ply and the counts of the search. */

import { COUNTERS } from "../data/fields.js";
import { percentText } from "./lettering.js";
import { atLeast, count, duration, full, plain } from "./numbers.js";
import { fullScore, scoreText } from "./scores.js";

/** @import { Opened, TreeNode } from "../data/types.js" */
/** @import { Field } from "./words.js" */

/**
 * The fields of the run, those that readers look for first before the others.
 * @param {Opened} opened
 * @param {TreeNode} [root] its proof holds for the result where it has the same score
 */
export function runFields({ game, search = {}, result = {}, totals, mapping = {}, header = {}, means }, root) {
  const isVisited = search["order"] === "best_first";
  // A foreign tree says nothing of unsearched plies: a count of 0 would be a claim.
  const counted = (/** @type {number} */ n) => (n === 0 && Object.keys(mapping).length > 0 ? undefined : n);
  /** @type {Field[]} */
  const fields = [];
  /** @type {(label: string, value: string | undefined, title?: string, whole?: string) => void} */
  const add = (label, value, title, whole = value) => {
    if (value !== undefined && value !== "") fields.push({ label, value, title, whole });
  };
  /** @type {(label: string, value: unknown, title?: string) => void} */
  const number = (label, value, title) => {
    if (typeof value === "number")
      add(label, Number.isInteger(value) ? count(value) : plain(value), title, full(value));
  };
  if (Number(result["rank"]) > 0) {
    add(
      "chosen by draw",
      textOf(result["ply"]),
      "the ply that was played: not the best, for the draw let others come first",
    );
  } else add("chosen", textOf(result["ply"]), "the ply that was played");
  const claim = {
    score: result["score"],
    bound: textOf(result["bound"]),
    proof: root?.score === result["score"] ? root?.proof : undefined,
  };
  if (isVisited && means?.declared === true && typeof result["score"] === "number")
    add("mean", percentText((result["score"] - means.low) / (means.high - means.low)), "of the chosen ply");
  else add("score", scoreText(claim, search["mate"]), undefined, fullScore(claim, search["mate"]));
  if (isVisited) {
    number("play-outs", result["playouts"] ?? root?.visits, "visits of the root");
    number("play-outs a second", perSecond(result), "of the whole search");
    number("deepest level", result["max_level"], "the greatest distance from the root that a play-out began at");
  }
  const quotient = result["randomness_quotient"];
  // Without the quotient every search plays the best ply.
  if (typeof quotient === "number" || Number(result["rank"]) > 0)
    number(
      typeof quotient === "number" ? `rank (Q = ${plain(quotient)})` : "rank",
      result["rank"],
      "place of the chosen ply among the root's plies, 0 is the best; above 0 only by the randomness quotient Q",
    );
  const { searched = totals.nodes, unknown_searched: unknown = 0 } = totals;
  if (isVisited) {
    number("nodes logged", totals.nodes, "nodes of the tree with a row of their own");
    number("not expanded", totals.leaves || undefined, "nodes that have no children yet");
  } else if (searched > totals.nodes || unknown > 0) {
    add(
      "nodes searched",
      atLeast(searched, unknown),
      "visits, those without a row of their own too, as far as the log says",
    );
    number("nodes logged", totals.nodes, "visits with a row of their own; all figures below are of these");
  } else number("nodes", totals.nodes, "visits, without stubs");
  const returned = totals.returned
    ? `${count(totals.returned)} of them where quiescence or pruning returned at once`
    : undefined;
  if (!isVisited) {
    number("leaves", totals.leaves, returned);
    number("prune events", counted(totals.prune_events), "times alpha-beta cut off the remaining siblings");
  }
  const dropped = (
    /** @type {string} */ label,
    /** @type {number} */ n,
    /** @type {number | undefined} */ uncounted,
    /** @type {string} */ title,
  ) => {
    if (uncounted) add(label, atLeast(n, uncounted), `${title}; ${count(uncounted)} rows do not say how many`);
    else number(label, counted(n), title);
  };
  if (!isVisited || totals.pruned > 0)
    dropped("siblings pruned", totals.pruned, totals.uncounted_pruned, "plies never searched because of alpha-beta");
  if (!isVisited || totals.limited > 0)
    dropped("limited", totals.limited, totals.uncounted_limited, "plies never searched because of the branching limit");
  const used = isVisited ? "table entries used" : "table entries used to cut or to narrow a window";
  number("table hits", result["tt_hits"], used);
  if (typeof result["seconds"] === "number") add("time", duration(result["seconds"]));
  if (!isVisited) number("depth", result["depth"] ?? search["depth"], "plies that the search looked ahead");
  number("limit", search["limit"], "plies searched at a node at most");
  number("seed", result["seed"]);
  add("algorithm", textOf(search["algorithm"]));
  add("engine", textOf(search["engine"]));
  add("game", game);
  for (const field of matchFields(header["match"])) fields.push(field);
  const ours = new Set(fields.map(({ label }) => label));
  for (const [name, value] of foreignTotals(header["document"])) {
    const label = ours.has(name) ? `${name}, as stated` : name;
    if (typeof value === "number") number(label, value, "as the document says");
    else add(label, String(value), "as the document says");
  }
  return fields;
}

/** Why a game has no result yet, as a match states it. */
const GOING = "going";

/** Where in which game of a match the search stood, as its header says. @param {unknown} match */
function matchFields(match) {
  if (typeof match !== "object" || match === null) return [];
  const { game, turn, plies, players, searched, result, why } = /** @type {Record<string, unknown>} */ (match);
  /** @type {Field[]} */
  const fields = [];
  const add = (/** @type {string} */ label, /** @type {string} */ value, /** @type {string} */ title) =>
    fields.push({ label, value, title, whole: value });
  if (typeof game === "number") add("game of the match", count(game), "its number in the results");
  if (typeof turn === "number") {
    const of = typeof plies === "number" && why !== GOING ? ` of ${count(plies)}` : "";
    add("turn", `${count(turn)}${of}`, "the ply of that game, from 1, that was searched");
  }
  if (Array.isArray(players) && players.every((name) => typeof name === "string"))
    add("players", players.join(" against "), "who moved first stands first");
  if (typeof searched === "string") add("searched by", searched, "whose search this is");
  if (typeof result === "string")
    add(
      "game's result",
      typeof why === "string" && why !== GOING ? `${result} (${why})` : result,
      "how that game ended, and why",
    );
  return fields;
}

/** Play-outs a second, as stated or told by the time. @param {Record<string, any>} result */
function perSecond({ playouts_per_second: stated, playouts, seconds }) {
  if (typeof stated === "number") return Math.round(stated);
  return typeof playouts === "number" && typeof seconds === "number" && seconds > 0
    ? Math.round(playouts / seconds)
    : undefined;
}

/**
 * The fields of a foreign document outside its tree; of an object each value by itself.
 * @param {unknown} document
 * @returns {[string, string | number | boolean][]}
 */
function foreignTotals(document) {
  if (typeof document !== "object" || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) => {
    const inside = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
    const all = inside.length > 0 ? inside.map(([inner, deeper]) => [`${name}.${inner}`, deeper]) : [[name, value]];
    return /** @type {[string, any][]} */ (
      all.filter(([, said]) => ["string", "number", "boolean"].includes(typeof said))
    );
  });
}

/**
 * What each technique of the search tried, and how often it succeeded; what are no counts is left out.
 * @param {Opened} opened
 * @returns {Field[]}
 */
export function counterFields({ result = {} }) {
  const counters = result["counters"];
  if (typeof counters !== "object" || counters === null) return [];
  return Object.entries(counters).flatMap(([name, pair]) => {
    const { tried, succeeded } = pair ?? {};
    if (typeof tried !== "number" || typeof succeeded !== "number") return [];
    const [what, how, title] = (Object.hasOwn(COUNTERS, name) ? COUNTERS[name] : undefined) ?? [
      "tried",
      "succeeded",
      undefined,
    ];
    const share = tried > 0 ? ` (${Math.round((100 * succeeded) / tried)}\u00a0%)` : "";
    return [
      { label: name.replaceAll("_", " "), value: `${count(tried)} ${what}, ${count(succeeded)} ${how}${share}`, title },
    ];
  });
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === "string" ? value : undefined;
}
