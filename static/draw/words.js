// @ts-check
/** A node's fields in words: labels, outcomes as sentences, names of nodes. */

import { counts, isStub } from "../data/claims.js";
import { FIELDS, WORDS } from "../data/fields.js";
import { count, counted, duration, full, isGiven, plain, signedFull, windowText } from "./numbers.js";
import { fullFigure, fullScore, resultText, standsFor } from "./scores.js";
import { seen } from "./seen.js";
import { endsBelow, endsText } from "./wedge.js";

/** @import { FieldWords } from "../data/fields.js" */
/** @import { Bound, TableEntry, TreeNode } from "../data/types.js" */
/** @import { Figure } from "./numbers.js" */

/**
 * One line of the details: what it is called, what it is, an explanation, and the value with all of its digits.
 * @typedef {{label: string, value: string, title?: string, whole?: string}} Field
 */

const RESULT =
  "in plies from the root, as the log declares its scores of wins; proven where all plies of the loser were searched";

/** The name of a node: its ply, the plies of a stub in words, or the root. @param {TreeNode} node */
export function nodeName(node) {
  if (isStub(node)) return stubText(node);
  if (node.ply !== undefined && node.ply !== "") return seen(node.ply);
  if (node.parent !== null) return `#${node.id}`;
  const again = node.attempt === undefined ? "" : ` #${node.attempt}`;
  return node.iteration === undefined ? `root${again}` : `root, iteration ${count(node.iteration)}${again}`;
}

/**
 * A stub in words: `27 pruned`, `6 over the limit`.
 * @param {Pick<TreeNode, "outcome" | "count" | "visits">} node
 */
export function stubText(node) {
  const n = node.count === undefined ? "some" : count(node.count);
  if (node.outcome === "unlogged" && node.visits === 0) return `${n} not visited`;
  if (node.outcome === "unlogged" && isGiven(node.visits)) return `others: ${counted(Number(node.visits), "visit")}`;
  return `${n} ${node.outcome === "limited" ? "over the limit" : node.outcome}`;
}

/** A stub as a sentence: `27 siblings cut off by alpha-beta`. @param {TreeNode} node */
export function stubSentence(node) {
  const siblings = node.count === undefined ? "siblings" : counted(node.count, "sibling");
  if (node.outcome === "unlogged" && isGiven(node.visits))
    return `${siblings} without rows of their own, with ${counted(Number(node.visits), "visit")} together`;
  const left = node.nodes === undefined ? "" : `, ${counted(node.nodes, "node")} in all`;
  return `${siblings} ${WORDS.outcome[node.outcome ?? "unlogged"]}${left}`;
}

/**
 * The reason why the visit ended, in words; `searched` is the number of plies searched before a cut, where it is known.
 * @param {TreeNode} node
 * @param {number} [searched]
 */
export function outcomeText(node, searched) {
  if (node.visited !== undefined && !isStub(node)) return visitedOutcome(node);
  const of = node.moves === undefined ? "" : ` of ${count(node.moves)}`;
  const bare = node.n_children === 0 && !searched;
  switch (node.outcome) {
    case "cutoff":
      if (node.cut_by !== undefined && node.cut_by !== "child") return `cut ${WORDS.cut_by[node.cut_by]}`;
      if (bare) return "cut off; its replies are not in this log";
      if (searched === undefined)
        return node.moves === undefined ? "cut off" : `cut off, ${counted(node.moves, "ply", "plies")}`;
      return of === "" ? `cut after ${counted(searched, "ply", "plies")}` : `cut after ${count(searched)}${of}`;
    case "searched":
      if (bare) return "searched; its replies are not in this log";
      return searched === undefined
        ? WORDS.outcome.searched
        : `searched ${of === "" ? counted(searched, "ply", "plies") : count(searched) + of}`;
    case "leaf":
      return node.quiescence ? "leaf of the quiescence search" : WORDS.outcome.leaf;
    case "terminal":
      return WORDS.outcome.terminal + (node.ending ? `, ${WORDS.ending[node.ending]}` : "");
    case undefined:
      return "";
    default:
      return isStub(node) ? stubSentence(node) : WORDS.outcome[node.outcome];
  }
}

/**
 * The outcome of a node of a best-first tree, where a leaf is a node that has no children yet.
 * @param {TreeNode} node
 */
function visitedOutcome(node) {
  switch (node.outcome) {
    case "leaf":
    case "open":
      return "not expanded yet";
    case "searched":
      return node.n_children === 0 ? "expanded; its children are not in this log" : "expanded";
    case "terminal":
      return WORDS.outcome.terminal + (node.ending ? `, ${WORDS.ending[node.ending]}` : "");
    default:
      return node.outcome === undefined ? "" : WORDS.outcome[node.outcome];
  }
}

/** Why a position was visited, in words. @param {NonNullable<TreeNode["purpose"]>} purpose */
export function purposeText(purpose) {
  return WORDS.purpose[purpose];
}

/**
 * The visits among `children` that count as searched plies: stubs, null moves and probes do not.
 * @param {readonly TreeNode[]} children
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
 */
export function tableText(entry, mate) {
  const parts = [entry.use ? WORDS["tt.use"][entry.use] : "an entry"];
  const meant = standsFor(entry.score, mate);
  if (isGiven(entry.score)) parts.push(`worth ${fullFigure(entry)}${meant && ` (${meant})`}`);
  if (entry.depth !== undefined) parts.push(`of depth ${plain(entry.depth)}`);
  if (entry.ply !== undefined) parts.push(`with ${entry.ply}`);
  if (entry.from !== undefined) parts.push(`stored by #${entry.from}`);
  return parts.join(" ");
}

/** The words for a bound of a score. @param {Bound | undefined} bound */
function boundText(bound) {
  return bound === undefined ? "" : WORDS.bound[bound];
}

/**
 * The context of a node's fields: `unit` is what a score counts and `mate` how wins are scored, as the log says;
 * `position` is the text of a position without a drawn board, and `players` are those of `scores`, in their order.
 * @typedef {{searched?: number, unit?: string, mate?: unknown, position?: string, players?: readonly string[]}} Context
 */

/**
 * What there is to say of one field; nothing where it is empty.
 * @typedef {(node: TreeNode, field: FieldWords, context: Context) => (Field | undefined)[]} Told
 */

/** @type {Told} */
const elsewhere = () => [];

/**
 * The fields that are not written as others of their kind are, or that stand elsewhere on the page.
 * @type {Record<string, Told>}
 */
const TOLD = {
  score: (node, _, { unit, mate }) => [
    isGiven(node.score)
      ? line("score", fullFigure(node) + (unit === undefined ? "" : ` ${unit}`), boundText(node.bound))
      : undefined,
    line("result", resultText(node, mate), RESULT),
  ],
  bound: ({ bound }, { label }) => [
    line(label, bound === "exact" ? "exact" : bound && `${bound} bound`, boundText(bound)),
  ],
  outcome: (node, { label }, { searched }) => [
    line(label, isStub(node) ? stubSentence(node) : outcomeText(node, searched)),
  ],
  cut_by: elsewhere, // the outcome says it
  ending: (node, field) => (node.outcome === "terminal" ? [] : plainly(node, field)),
  moves: (node, field) => (isStub(node) ? [] : plainly(node, field)),
  alpha: (node, _, { mate }) => [
    node.alpha === undefined && node.beta === undefined
      ? undefined
      : line("window", windowText(node.alpha, node.beta, signedFull), windowTitle(node, mate)),
  ],
  beta: elsewhere,
  scores: ({ scores }, { label, title }, { players = [] }) => [
    line(label, scores && scoresText(scores, players, full), title),
  ],
  seconds: ({ seconds }, { label, title }) => [
    line(label, seconds === undefined ? undefined : duration(seconds), title),
  ],
  quiescence: ({ quiescence }, { label }) => [line(label, quiescence ? "yes" : undefined)],
  position: (_, { label }, { position }) => [line(label, position)],
  id: ({ id }, { label }) => [line(label, `#${id}`)],
  ply: elsewhere,
  layer: elsewhere,
  factors: elsewhere,
  contributions: elsewhere,
  board: elsewhere,
  tt: elsewhere,
  count: elsewhere,
  plies: elsewhere,
  pre_scores: elsewhere,
};

/**
 * One number a player, each with its name where the log has them: `A 4, B 0, C 4`.
 * @param {readonly (Figure | null)[]} scores
 * @param {readonly string[]} players
 * @param {(figure: Figure) => string} write
 */
export function scoresText(scores, players, write) {
  return scores.map((each, i) => [players[i] ?? "", each === null ? "?" : write(each)].join(" ").trim()).join(", ");
}

/**
 * A field as its kind is told: a field that is new in the table is shown so, until somebody says otherwise.
 * @param {TreeNode} node
 * @param {FieldWords} field
 * @returns {(Field | undefined)[]}
 */
function plainly(node, { name, kind, label, title }) {
  const value = /** @type {Record<string, any>} */ (node)[name];
  if (value === undefined) return [];
  const texts = {
    score: () => (isGiven(value) ? signedFull(value) : undefined),
    amount: () => full(value),
    whole: () => count(value),
    flag: () => (value ? "yes" : "no"),
    word: () => /** @type {Record<string, Record<string, string>>} */ (WORDS)[name]?.[value] ?? value,
    numbers: () => value.map((/** @type {any} */ each) => (each === null ? "?" : full(each))).join(", "),
    texts: () => value.join(", "),
    entry: () =>
      Object.entries(value)
        .map(([part, figure]) => `${part.replace("_", " ")} ${plain(figure)}`)
        .join(", "),
  };
  const text = texts[/** @type {keyof typeof texts} */ (kind)];
  return [line(label, text === undefined ? String(value) : text(), title)];
}

/** @param {string} label @param {string | undefined} value @param {string} [title] @returns {Field | undefined} */
function line(label, value, title) {
  return value === undefined || value === "" ? undefined : { label, value, title };
}

/**
 * Every known field of a node that is not a list or a picture, in the order in which one reads it.
 * @param {TreeNode} node
 * @param {Context} [context]
 * @returns {Field[]}
 */
export function nodeFields(node, context = {}) {
  const fields = FIELDS.flatMap((field) => (TOLD[field.name] ?? plainly)(node, field, context));
  fields.push(line("level", String(node.level), "distance from the root"));
  if (node.below) {
    fields.push(line("below", `${counted(node.below.nodes, "node")}, ${counted(node.below.height, "level")} deep`));
    const ends = endsBelow(node, context.mate, fullScore);
    if (ends !== null) fields.push(line("children", endsText(ends)));
  }
  return fields.filter((field) => field !== undefined);
}

/** @param {TreeNode} node @param {unknown} mate how the log scores wins */
function windowTitle({ alpha, beta }, mate) {
  const [low, high] = [standsFor(alpha, mate), standsFor(beta, mate)];
  const meant = [low && `alpha is ${low}`, high && `beta is ${high}`].filter((part) => part !== "");
  return ["alpha and beta on entry", ...meant].join("; ");
}

/** How a line came to its score, in words. @param {string} how */
export function lineText(how) {
  const words = {
    leaf: "down to a leaf at the horizon",
    end: "down to a row without children",
    visits: "each time on to the most visited child",
    not_recorded: "down to a row whose replies are not in this log",
    terminal: "down to the end of the game",
    stand_pat: "down to a node that stood pat",
    table: "down to a table entry whose source is not in this log",
    window_edge: "down to the edge of a window",
    null_move: "down to a cut by a null move",
    estimate: "down to an estimate, in place of plies that were not searched",
    chance: "down to a node of chance",
    unknown: "as far as the log tells",
  };
  return words[/** @type {keyof typeof words} */ (how)] ?? how;
}
