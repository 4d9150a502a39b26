// @ts-check
/** What a node's fields mean, in the words of the field: labels, outcomes as sentences, names of nodes. */

import { counts, isStub } from "../data/claims.js";
import { count, counted, duration, full, isGiven, plain, signedFull, windowText } from "./numbers.js";
import { fullFigure, fullScore, resultText, standsFor } from "./scores.js";
import { seen } from "./seen.js";
import { endsBelow, endsText } from "./wedge.js";

/** @typedef {import("../data/types.js").TreeNode} TreeNode */
/** @typedef {import("../data/types.js").TableEntry} TableEntry */
/** One line of the details: what it is called, what it is, an explanation, and the value with all of its digits. @typedef {{label: string, value: string, title?: string, whole?: string}} Field */

const CUT_BY = {
  child: "by a child",
  stand_pat: "by standing pat",
  null: "by the null move",
  estimate: "by an estimate",
};

const ENDINGS = { win: "won by the root player", loss: "lost by the root player", draw: "a draw" };

const PURPOSES = {
  full: "full window",
  scout: "scout (null window)",
  research: "re-search",
  null: "null move",
  probe: "probe",
};

const RESULT = "in plies from the root, as the log declares its scores of wins; proven where all plies of the loser were searched";

const STUB_WORDS = {
  pruned: "cut off by alpha-beta",
  limited: "over the branching limit",
  skipped: "skipped by forward pruning",
  unlogged: "searched, but not recorded",
};

/**
 * What a node is called: its ply, what a stub stands for, or the root.
 * @param {TreeNode} node
 * @returns {string}
 */
export function nodeName(node) {
  if (isStub(node)) return stubText(node);
  if (node.ply !== undefined && node.ply !== "") return seen(node.ply);
  if (node.parent !== null) return `#${node.id}`;
  return node.iteration === undefined ? "root" : `root, iteration ${node.iteration}`;
}

/**
 * A stub in words: `27 pruned`, `6 over the limit`.
 * @param {TreeNode} node
 * @returns {string}
 */
export function stubText(node) {
  const outcome = /** @type {keyof typeof STUB_WORDS} */ (node.outcome);
  const n = node.count === undefined ? "some" : count(node.count);
  return `${n} ${outcome === "limited" ? "over the limit" : outcome}`;
}

/**
 * A stub as a sentence: `27 siblings cut off by alpha-beta`.
 * @param {TreeNode} node
 * @returns {string}
 */
export function stubSentence(node) {
  const outcome = /** @type {keyof typeof STUB_WORDS} */ (node.outcome);
  const siblings = node.count === undefined ? "siblings" : counted(node.count, "sibling");
  return `${siblings} ${STUB_WORDS[outcome]}`;
}

/**
 * Why the visit ended, in words; `searched` is how many plies were searched before a cut, where that is known.
 * @param {TreeNode} node
 * @param {number} [searched]
 * @returns {string}
 */
export function outcomeText(node, searched) {
  const of = node.moves === undefined ? "" : ` of ${count(node.moves)}`;
  const bare = node.n_children === 0 && !searched;
  switch (node.outcome) {
    case "cutoff":
      if (node.cut_by !== undefined && node.cut_by !== "child") return `cut ${CUT_BY[node.cut_by]}`;
      if (bare) return "cut off; its replies are not in this log";
      if (searched === undefined) return node.moves === undefined ? "cut off" : `cut off, ${counted(node.moves, "ply", "plies")}`;
      return of === "" ? `cut after ${counted(searched, "ply", "plies")}` : `cut after ${count(searched)}${of}`;
    case "searched":
      if (bare) return "searched; its replies are not in this log";
      return searched === undefined ? "searched to the end" : `searched ${of === "" ? counted(searched, "ply", "plies") : count(searched) + of}`;
    case "leaf":
      return node.quiescence ? "leaf of the quiescence search" : "leaf at the horizon";
    case "terminal":
      return `game over${node.ending ? `, ${ENDINGS[node.ending]}` : ""}`;
    case "tt":
      return "taken from the transposition table";
    case "stopped":
      return "stopped before it was finished";
    case "open":
      return "entered, never left";
    case undefined:
      return "";
    default:
      return stubSentence(node);
  }
}

/**
 * Why a position was visited, in words.
 * @param {NonNullable<TreeNode["purpose"]>} purpose
 * @returns {string}
 */
export function purposeText(purpose) {
  return PURPOSES[purpose];
}

/**
 * The visits among `children` that count as searched plies: stubs, null moves and probes do not.
 * @param {readonly TreeNode[]} children
 * @returns {number}
 */
export function searchedPlies(children) {
  const plies = new Set();
  for (const child of children) {
    if (isStub(child) || !counts(child)) continue;
    plies.add(child.ply ?? child.id);
  }
  return plies.size;
}

/**
 * A table entry in words: `cut by a lower bound ≥ +9.5 of depth 3, best d6`.
 * @param {TableEntry} entry
 * @param {unknown} [mate] how the log scores wins
 * @returns {string}
 */
export function tableText(entry, mate) {
  const use = { cut: "cut by an entry", narrow: "window narrowed by an entry", order: "ordered by an entry" };
  const parts = [entry.use ? use[entry.use] : "an entry"];
  const meant = standsFor(entry.score, mate);
  if (isGiven(entry.score)) parts.push(`worth ${fullFigure(entry)}${meant && ` (${meant})`}`);
  if (entry.depth !== undefined) parts.push(`of depth ${plain(entry.depth)}`);
  if (entry.ply !== undefined) parts.push(`with ${entry.ply}`);
  if (entry.from !== undefined) parts.push(`stored by #${entry.from}`);
  return parts.join(" ");
}

/**
 * What the bound of a score says.
 * @param {string | undefined} bound
 * @returns {string}
 */
export function boundText(bound) {
  if (bound === "lower") return "lower bound: the true score is at least this";
  if (bound === "upper") return "upper bound: the true score is at most this";
  if (bound === "exact") return "exact";
  return "";
}

/**
 * Every known field of a node that is not a list or a picture, in the order in which one reads it.
 * @param {TreeNode} node
 * @param {{searched?: number, unit?: string, mate?: unknown, position?: string}} [context] `unit` is what a score
 *   counts and `mate` how wins are scored, as the log says
 * @returns {Field[]}
 */
export function nodeFields(node, { searched, unit, mate, position } = {}) {
  /** @type {Field[]} */
  const fields = [];
  /** @type {(label: string, value: string | undefined, title?: string) => void} */
  const add = (label, value, title) => {
    if (value !== undefined && value !== "") fields.push({ label, value, title });
  };
  /** @type {(label: string, value: number | undefined) => void} */
  const number = (label, value) => add(label, value === undefined ? undefined : full(value));
  const units = unit === undefined ? "" : ` ${unit}`;
  if (isGiven(node.score)) add("score", fullFigure(node) + units, boundText(node.bound));
  add("result", resultText(node, mate), RESULT);
  if (node.scores) add("scores", node.scores.map((score) => full(score)).join(", "), "one a player");
  add("bound", node.bound === "exact" ? "exact" : node.bound && `${node.bound} bound`, boundText(node.bound));
  add("outcome", isStub(node) ? stubSentence(node) : outcomeText(node, searched));
  if (node.outcome !== "terminal") add("ending", node.ending && ENDINGS[node.ending]);
  add("why", node.why);
  add("purpose", node.purpose && PURPOSES[node.purpose], "why this position was visited");
  if (node.alpha !== undefined || node.beta !== undefined) {
    add("window", windowText(node.alpha, node.beta, signedFull), windowTitle(node, mate));
  }
  if (isGiven(node.static)) add("static", signedFull(node.static), "the evaluation of this very position");
  if (isGiven(node.pre_score)) add("pre-score", signedFull(node.pre_score), "the quick score that sorts siblings");
  if (isGiven(node.stand_pat)) add("stand pat", signedFull(node.stand_pat), "the value of not moving, in quiescence");
  if (node.depth !== undefined) add("depth", full(node.depth), "plies left to search");
  number("reduction", node.reduction);
  number("extension", node.extension);
  if (node.quiescence) add("quiescence", "yes");
  add("level", String(node.level), "distance from the root");
  number("iteration", node.iteration);
  add("player", node.player, "who is to move");
  add("position", position);
  if (node.in_check !== undefined) add("in check", node.in_check ? "yes" : "no");
  if (!isStub(node) && node.moves !== undefined) add("legal plies", count(node.moves));
  if (node.below) {
    add("below", `${counted(node.below.nodes, "node")}, ${counted(node.below.height, "level")} deep`);
    const ends = endsBelow(node, mate, fullScore);
    if (ends !== null) add("children", endsText(ends));
  }
  number("visits", node.visits);
  number("prior", node.prior);
  number("mean", node.mean);
  if (node.seconds !== undefined) add("time", duration(node.seconds));
  if (node.key !== undefined) add("key", String(node.key), "position key");
  add("id", `#${node.id}`);
  return fields;
}

/** @param {TreeNode} node @param {unknown} mate how the log scores wins */
function windowTitle({ alpha, beta }, mate) {
  const [low, high] = [standsFor(alpha, mate), standsFor(beta, mate)];
  const meant = [low && `alpha is ${low}`, high && `beta is ${high}`].filter((part) => part !== "");
  return ["alpha and beta on entry", ...meant].join("; ");
}

/**
 * How a line came to its score, in words.
 * @param {string} how
 * @returns {string}
 */
export function lineText(how) {
  const words = {
    leaf: "down to a leaf at the horizon",
    end: "down to a row without children",
    not_recorded: "down to a row whose replies are not in this log",
    terminal: "down to the end of the game",
    stand_pat: "down to a node that stood pat",
    table: "down to a table entry whose source is not in this log",
    window_edge: "down to the edge of a window",
    null_move: "down to a cut by a null move",
    estimate: "down to a cut by an estimate",
    chance: "down to a node of chance",
    unknown: "as far as the log tells",
  };
  return words[/** @type {keyof typeof words} */ (how)] ?? how;
}
