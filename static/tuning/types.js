// @ts-check
/** The shapes of the server's answers about a tuning. */

/**
 * A trial: a set of weights, in the order of the tuning's names, and what its games came to.
 * @typedef {{trial: number, weights: number[], value: number, won: number, drawn: number, lost: number, has_games: boolean}} Tried
 */

/**
 * A tuning that was run; `smoothed` are the weights without their signs, over three neighbours.
 * @typedef {object} Tuned
 * @property {string} name of the file
 * @property {string} game
 * @property {string | null} evaluation
 * @property {string} against
 * @property {number} games of a trial
 * @property {string[]} names of the weights
 * @property {(Tried & {smoothed: number[]})[]} trials
 * @property {number} best the number of the best trial
 * @property {(Tried & {of_95: [number, number]}) | null} fresh what the best took in games that no trial has played
 * @property {Record<string, number>} importances
 * @property {string[]} faults_in_words what part of the games ended by a fault
 */

export {};
