// @ts-check
/**
 * The fields of a node, the words of their values and the counters of a search, from the table in
 * visualizer/store/fields.py: `python -m plyscope.visualizer.store.field_files` writes this file.
 */

/** @typedef {number | "inf" | "-inf" | "nan"} Score numbers that JSON lacks are written as words */
/** @typedef {"max" | "min" | "chance" | "other"} Layer */
/** @typedef {"upper" | "lower" | "exact"} Bound */
/** @typedef {"searched" | "cutoff" | "leaf" | "terminal" | "tt" | "stopped" | "open" | "pruned" | "limited" | "skipped" | "unlogged"} Outcome */
/** @typedef {"full" | "scout" | "research" | "null" | "probe"} Purpose */
/** @typedef {"child" | "stand_pat" | "null" | "estimate"} CutBy */
/** @typedef {"win" | "loss" | "draw"} Ending */
/** @typedef {"cut" | "narrow" | "order"} TableUse */

/**
 * the table entry that the visit used.
 * @typedef {object} TableEntry
 * @property {TableUse} [use] what the entry did
 * @property {number} [depth] the depth it was stored with
 * @property {Bound} [bound] its bound
 * @property {Score} [score] its score
 * @property {string} [ply] its ply
 * @property {number} [from] the node that stored it, by `id` or by its number
 */

/**
 * the terms by which the parent chose this child.
 * @typedef {object} ChoiceTerms
 * @property {number} [exploit] what the child is worth to it
 * @property {number} [explore] what is added since it was visited little
 * @property {number} [n] visits of the child by then
 * @property {number} [n_parent] visits of its parent by then
 */

/**
 * What a log may state of a node; an absent field is unknown.
 * @typedef {object} LoggedFields
 * @property {string} [ply] the move that led to the node
 * @property {Layer} [layer] who is to move: the root player (`max`), the opponent (`min`), `chance`, or an `other` player
 * @property {string} [player] who is to move, one of `players`
 * @property {Score} [score] what the search returned
 * @property {Bound} [bound] the true score is the score (`exact`), at least (`lower`) or at most (`upper`) that
 * @property {Outcome} [outcome] why the visit ended, or what a stub stands for
 * @property {Purpose} [purpose] why this position was visited
 * @property {CutBy} [cut_by] what made the visit end early
 * @property {Ending} [ending] how the game ended, seen as scores are
 * @property {string} [why] why the game ended, in words
 * @property {Score} [static] the evaluation of this very position
 * @property {Score} [pre_score] the quick score by which siblings are sorted
 * @property {Score} [stand_pat] the value of not moving, in quiescence
 * @property {(Score | null)[]} [factors] raw values of the terms, in the order of the header's `factors`, null where unknown
 * @property {(Score | null)[]} [contributions] what each term added, by name, such as `{"mobility": 15}`
 * @property {Score} [estimate] one more ply that static reasoning stood in for, as the mover could have it
 * @property {Score} [counted_as] what the parent took for this visit, where that is not its score
 * @property {(Score | null)[]} [scores] one number a player, in the order of `players`, in games of more than two
 * @property {number} [depth] plies left to search; may be fractional or negative
 * @property {number} [reduction] plies by which the visit was reduced
 * @property {number} [extension] plies by which the visit was extended
 * @property {boolean} [quiescence] inside the quiescence search
 * @property {boolean} [in_check] the mover is in check
 * @property {number} [moves] legal plies generated
 * @property {Score | null} [alpha] lower edge of the window on entry, null where open
 * @property {Score | null} [beta] upper edge of the window on entry, null where open
 * @property {number} [count] how many siblings a stub stands for
 * @property {string[]} [plies] the plies that a stub stands for
 * @property {(Score | null)[]} [pre_scores] their pre-scores, one a ply
 * @property {string} [key] position key: 16 hexadecimal digits, a number, or any text
 * @property {string} [left_key] the key on leaving the node, where it is another than on entry
 * @property {TableEntry} [tt] the table entry that the visit used
 * @property {number} [nodes] nodes searched here and below; of an `unlogged` stub, those without rows
 * @property {number} [seconds] time spent below this node
 * @property {number} [visits] visits, in a best-first tree
 * @property {number} [prior] prior probability, of chance or in a best-first tree
 * @property {number} [mean] mean result of the visits
 * @property {number} [stderr] standard error of the mean
 * @property {number} [wins] visits that the root player won
 * @property {number} [draws] visits that ended in a draw
 * @property {number} [losses] visits that the root player lost
 * @property {ChoiceTerms} [ucb] the terms by which the parent chose this child
 * @property {number} [expanded_at] the visit of the root at which the node got its children
 * @property {string} [position] the position as text
 * @property {string} [left_position] the position on leaving the node, where it is another than on entry
 * @property {string} [board] the board as free text
 * @property {number} [iteration] the depth of this iteration, where a log has several trees
 */

/**
 * What people are told of a field.
 * @typedef {{name: string, kind: string, label: string, title: string}} FieldWords
 */

/**
 * Every field that a node states itself, in the order in which one reads them.
 * @type {readonly FieldWords[]}
 */
// prettier-ignore
export const FIELDS = [
  {"name": "score", "kind": "score", "label": "score", "title": "what the search returned"},
  {"name": "bound", "kind": "word", "label": "bound", "title": "the true score is the score (exact), at least (lower) or at most (upper) that"},
  {"name": "outcome", "kind": "word", "label": "outcome", "title": "why the visit ended, or what a stub stands for"},
  {"name": "cut_by", "kind": "word", "label": "cut", "title": "what made the visit end early"},
  {"name": "ending", "kind": "word", "label": "ending", "title": "how the game ended, seen as scores are"},
  {"name": "why", "kind": "text", "label": "why", "title": "why the game ended, in words"},
  {"name": "counted_as", "kind": "score", "label": "counted as", "title": "what the parent took for this visit, where that is not its score"},
  {"name": "scores", "kind": "numbers", "label": "scores", "title": "one number a player, in the order of players, in games of more than two"},
  {"name": "moves", "kind": "whole", "label": "legal plies", "title": "legal plies generated"},
  {"name": "static", "kind": "score", "label": "static", "title": "the evaluation of this very position"},
  {"name": "pre_score", "kind": "score", "label": "pre-score", "title": "the quick score by which siblings are sorted"},
  {"name": "stand_pat", "kind": "score", "label": "stand pat", "title": "the value of not moving, in quiescence"},
  {"name": "factors", "kind": "numbers", "label": "factors", "title": "raw values of the terms, in the order of the header's factors, null where unknown"},
  {"name": "contributions", "kind": "named numbers", "label": "contributions", "title": "what each term added, by name, such as {\"mobility\": 15}"},
  {"name": "estimate", "kind": "score", "label": "estimate", "title": "one more ply that static reasoning stood in for, as the mover could have it"},
  {"name": "purpose", "kind": "word", "label": "purpose", "title": "why this position was visited"},
  {"name": "depth", "kind": "amount", "label": "depth", "title": "plies left to search; may be fractional or negative"},
  {"name": "reduction", "kind": "amount", "label": "reduction", "title": "plies by which the visit was reduced"},
  {"name": "extension", "kind": "amount", "label": "extension", "title": "plies by which the visit was extended"},
  {"name": "quiescence", "kind": "flag", "label": "quiescence", "title": "inside the quiescence search"},
  {"name": "alpha", "kind": "low edge", "label": "alpha", "title": "lower edge of the window on entry, null where open"},
  {"name": "beta", "kind": "high edge", "label": "beta", "title": "upper edge of the window on entry, null where open"},
  {"name": "nodes", "kind": "whole", "label": "nodes searched", "title": "nodes searched here and below; of an unlogged stub, those without rows"},
  {"name": "seconds", "kind": "amount", "label": "time", "title": "time spent below this node"},
  {"name": "visits", "kind": "amount", "label": "visits", "title": "visits, in a best-first tree"},
  {"name": "prior", "kind": "amount", "label": "prior", "title": "prior probability, of chance or in a best-first tree"},
  {"name": "mean", "kind": "amount", "label": "mean", "title": "mean result of the visits"},
  {"name": "stderr", "kind": "amount", "label": "standard error of the mean", "title": "standard error of the mean"},
  {"name": "wins", "kind": "amount", "label": "wins", "title": "visits that the root player won"},
  {"name": "draws", "kind": "amount", "label": "draws", "title": "visits that ended in a draw"},
  {"name": "losses", "kind": "amount", "label": "losses", "title": "visits that the root player lost"},
  {"name": "ucb", "kind": "entry", "label": "ucb", "title": "the terms by which the parent chose this child"},
  {"name": "expanded_at", "kind": "amount", "label": "expanded at", "title": "the visit of the root at which the node got its children"},
  {"name": "id", "kind": "id", "label": "id", "title": "name of the node, each once in a file"},
  {"name": "ply", "kind": "text", "label": "ply", "title": "the move that led to the node"},
  {"name": "layer", "kind": "word", "label": "layer", "title": "who is to move: the root player (max), the opponent (min), chance, or an other player"},
  {"name": "player", "kind": "player", "label": "player", "title": "who is to move, one of players"},
  {"name": "in_check", "kind": "flag", "label": "in check", "title": "the mover is in check"},
  {"name": "key", "kind": "key", "label": "key", "title": "position key: 16 hexadecimal digits, a number, or any text"},
  {"name": "left_key", "kind": "text", "label": "key on leaving", "title": "the key on leaving the node, where it is another than on entry"},
  {"name": "position", "kind": "long text", "label": "position", "title": "the position as text"},
  {"name": "left_position", "kind": "long text", "label": "position on leaving", "title": "the position on leaving the node, where it is another than on entry"},
  {"name": "board", "kind": "long text", "label": "board", "title": "the board as free text"},
  {"name": "tt", "kind": "entry", "label": "table entry", "title": "the table entry that the visit used"},
  {"name": "count", "kind": "whole", "label": "count", "title": "how many siblings a stub stands for"},
  {"name": "plies", "kind": "texts", "label": "plies", "title": "the plies that a stub stands for"},
  {"name": "pre_scores", "kind": "numbers", "label": "pre-scores", "title": "their pre-scores, one a ply"},
  {"name": "iteration", "kind": "whole", "label": "iteration", "title": "the depth of this iteration, where a log has several trees"}
];

/** What people read for each word of a field. */
// prettier-ignore
export const WORDS = {
  "layer": {"max": "the root player moves", "min": "the opponent moves", "chance": "chance moves", "other": "a third player moves"},
  "bound": {"upper": "upper bound: the true score is at most this", "lower": "lower bound: the true score is at least this", "exact": "exact"},
  "outcome": {"searched": "searched, not cut off", "cutoff": "cut off", "leaf": "leaf at the horizon", "terminal": "game over", "tt": "taken from the transposition table", "stopped": "stopped before it was finished", "open": "entered, never left", "pruned": "cut off by alpha-beta", "limited": "over the branching limit", "skipped": "skipped by forward pruning", "unlogged": "searched, but not recorded"},
  "purpose": {"full": "full window", "scout": "scout (null window)", "research": "re-search", "null": "null move", "probe": "probe"},
  "cut_by": {"child": "by a child", "stand_pat": "by standing pat", "null": "by the null move", "estimate": "by an estimate"},
  "ending": {"win": "won by the root player", "loss": "lost by the root player", "draw": "a draw"},
  "tt.use": {"cut": "cut by an entry", "narrow": "window narrowed by an entry", "order": "ordered by an entry"},
  "tt.bound": {"upper": "upper bound: the true score is at most this", "lower": "lower bound: the true score is at least this", "exact": "exact"}
};

/**
 * What is tried and what succeeds, of each counter that our engine writes, and what that means.
 * @type {Record<string, [string, string, string]>}
 */
// prettier-ignore
export const COUNTERS = {
  "table": ["probed", "hit", "positions looked up in the transposition table"],
  "table_cuts": ["deep enough", "cut", "entries of the table that could be used, and those that ended a visit"],
  "scouts": ["scouted", "stood", "null-window searches, and those that needed no re-search"],
  "aspiration": ["windows tried", "held", "iterations begun with a window around the score before"],
  "killers": ["brought forward", "cut", "plies tried early because they cut at the same level before"],
  "history": ["brought forward", "cut", "plies tried before those of equal pre-score because they often cut elsewhere"],
  "iid": ["tried", "found the best", "internal iterative deepening: shallower searches for the ply to try first"],
  "stand_pat": ["asked", "cut", "positions in quiescence whose static was held against the window"],
  "null_move": ["tried", "cut", "passes tried, and those after which the window was still beaten"],
  "lmr": ["reduced", "stood", "late move reductions: late plies searched less deep, and those that needed no verification"],
  "reverse_futility": ["tried", "cut", "reverse futility pruning (static null move): statics less a margin held against the window"],
  "prove_wins": ["unproven", "proven or refuted", "iterations whose win or loss was unproven, and those that were settled"]
};

/** @typedef {"blue" | "green" | "red" | "violet" | "grey"} NoteColour */

/**
 * The colours of notes, the usual one first.
 * @type {readonly [NoteColour, ...NoteColour[]]}
 */
export const NOTE_COLOURS = ["blue", "green", "red", "violet", "grey"];
