// @ts-check
/** What the server says of a match. */

/** @import { Score } from "../data/types.js" */

/**
 * Games won, drawn and lost, and the share of the points with Wilson's interval of 95 %.
 * @typedef {{won: number, drawn: number, lost: number, share: Score, share_of_95: [number, number]}} Points
 */

/**
 * A player. Ends of an interval that the games do not set are "inf" or "-inf".
 * @typedef {Points & {name: string, elo: number, elo_of_95: [Score, Score], elo_in_sequence: number,
 *   spread_of_sequences: number, plies_of_a_win: number | null, against: Record<string, Points>}} Player
 */

/**
 * The results of a match so far, its players in the order in which they were named.
 * @typedef {object} Counted
 * @property {false} awaited
 * @property {string} name of the file
 * @property {boolean} is_cut whether a line stands behind the last whole one
 * @property {{game: string, position: string | null, agents: {name: string, kind: string, options: Record<string,
 *   unknown>}[], games: number, n_opening?: number, most_plies?: number, seed?: number, adjudicate?: string}} match
 * @property {number} games
 * @property {number} total
 * @property {Player[]} agents
 * @property {string[]} order the strongest first
 * @property {string[][]} cycles
 * @property {{[why: string]: number}} endings how many games ended each way: over, length, adjudicated, fault
 * @property {{agent: string, fault: string, games: number}[]} faults
 * @property {string[]} faults_in_words what part of the result rests on them, then the most frequent
 * @property {string[]} warnings
 * @property {{in_words: string, says: string}} [test]
 */

/** @typedef {Counted | {awaited: true, name: string}} Results */

/**
 * A line of the list of games.
 * @typedef {object} Game
 * @property {number} number
 * @property {number} opening
 * @property {[string, string]} players who moved first stands first
 * @property {string | null} winner
 * @property {"over" | "length" | "fault" | "adjudicated"} why
 * @property {string | null} fault
 * @property {number} n_plies
 * @property {[number, number]} seconds
 * @property {Record<string, number>} logs how many by player
 * @property {Record<string, string>} no_logs
 */

export {};
