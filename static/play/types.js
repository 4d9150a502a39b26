// @ts-check
/** A game that is played, as the server tells it. */

/** @import { Drawing } from "../data/types.js" */

/** @typedef {[number, number]} Place */
/** A ply, and on which cell it ends and its piece stood. @typedef {{ply: string, to?: Place, from?: Place}} Legal */
/**
 * @typedef {object} Played
 * @property {string} game
 * @property {string[]} players
 * @property {number} side of the person
 * @property {number | null} to_move null where the game is over, -1 where chance moves
 * @property {string} agent
 * @property {boolean} is_search whether the agent has a randomness quotient
 * @property {number} quotient 1 for none
 * @property {string[]} plies
 * @property {Legal[]} legal none unless the person is to move
 * @property {Drawing} drawing
 * @property {string} position
 * @property {string | null} over how the game ended
 * @property {number | null} thinking seconds for which the agent has thought; null where it does not
 * @property {boolean} is_hint whether it thinks about a hint
 * @property {boolean} is_compiling
 * @property {string} said
 * @property {boolean} is_wrong
 * @property {string[]} why
 * @property {Record<string, string>} meanings what the factors count that sentences name
 * @property {string} folder
 * @property {string} command goes on with the game
 * @property {string | null} log of the agent's last ply
 * @property {string | null} hint the log of the hint for this position
 */

export {};
