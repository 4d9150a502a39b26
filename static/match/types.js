// @ts-check
/** The shapes of the server's answers about a match. */

/** @import { WorstPly } from "../views/game/actions.js" */
/** @import { SequentialTest, Standings } from "../data/answers.js" */

/**
 * The results of a match so far, its players in the order in which they were named.
 * @typedef {object} File
 * @property {false} awaited
 * @property {string} name of the file
 * @property {boolean} is_cut whether a line stands behind the last whole one
 * @property {number} total of its games
 * @property {SequentialTest & {in_words: string}} [test]
 */

/** @typedef {Standings & File} Counted */
/** @typedef {Counted | {awaited: true, name: string}} Results */

/**
 * A line of the list of games.
 * @typedef {object} Game
 * @property {number} number
 * @property {number} opening
 * @property {[string, string]} players who moved first stands first
 * @property {string | null} winner
 * @property {"over" | "length" | "fault" | "adjudicated" | "resigned" | "going"} why
 * @property {string | null} fault
 * @property {number} n_plies
 * @property {[number, number]} seconds
 * @property {Record<string, number>} logs how many by player
 * @property {Record<string, string>} no_logs
 */

/**
 * What one game has besides.
 * @typedef {{plies: string[], n_opening: number, worst: WorstPly[]}} GameUnfolded
 */

export {};
