// @ts-check
/**
 * Two logs as one tree: while another log lies beside the open one, nodes are asked of both. A node that only the
 * other log has gets an id below FOREST, so that ids stay numbers and none means two nodes.
 */

import { FOREST } from "./types.js";

/** @import { Id, State } from "./types.js" */

/** Seconds that the server may wait for a comparison before it says how far it is. */
export const WAIT = 1;

/** The parameters of a request that name the comparison. @typedef {{against: string, against_iteration?: number, wait: number}} Beside */

/** Whether only the log beside the open one has the node. @param {Id} id */
export function isOld(id) {
  return id < FOREST;
}

/** The id of such a node in its own log, and back. @param {Id} id */
export function otherId(id) {
  return FOREST - 1 - id;
}

/**
 * The parameters of requests that name a comparison.
 * @param {string} against
 * @param {number | null} iteration of the old log; null: its main root
 * @returns {Beside}
 */
export function besideOf(against, iteration) {
  return { against, ...(iteration !== null && { against_iteration: iteration }), wait: WAIT };
}

/** The comparison that the tree shows; null while it shows the open log alone. @param {Pick<State, "diff">} state */
export function shownBeside({ diff }) {
  return diff.against === null || diff.found === null ? null : besideOf(diff.against, diff.iteration);
}

/** The name of the log or iteration beside the open log: `old.json`, `iteration 3`. @param {Pick<State, "diff" | "log" | "logs">} state */
export function besideName({ diff: { against, iteration }, log, logs }) {
  const name = logs.find(({ id }) => id === against)?.name ?? against ?? "";
  if (iteration === null) return name;
  return against === log ? `iteration ${iteration}` : `iteration ${iteration} of ${name}`;
}
