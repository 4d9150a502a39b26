// @ts-check
/** Two listed logs of one position, and both opened as one tree. */

import { reasonAgainst } from "../logs/about.js";

/** @import { Actions, State, Summary } from "../../data/types.js" */

/** The first two logs of the list that are known to be of one position. @param {State} state @returns {[Summary, Summary] | undefined} */
export function pairOf({ logs }) {
  for (const log of logs) {
    const other = logs.find(
      (each) =>
        each !== log && log.start !== undefined && each.start === log.start && reasonAgainst(each, log) === null,
    );
    if (other !== undefined) return [log, other];
  }
  return undefined;
}

/** Open the first log, and compare it with the second. @param {Actions} actions @param {[Summary, Summary]} pair */
export async function comparePair(actions, [log, against]) {
  await actions.openLog(log.id);
  await actions.compareWith(against.id);
}
