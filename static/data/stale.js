// @ts-check
/**
 * Changes of the open log's file since it was read. Pure functions of the list of logs, which the page asks for every
 * few seconds.
 */

/** @import { Dismissed, State } from "./types.js" */

/**
 * How the shown content differs from its file. `mark` is another for each change that the list was seen to tell.
 * @typedef {{kind: "changed" | "gone", name: string, mark: string}} Stale
 */

/**
 * How the open log differs from its file; null where it does not, as far as the list tells. A log that is off the
 * list is gone; one that somebody else had read again has changed since it was read here.
 * @param {Pick<State, "phase" | "log" | "logs" | "opened">} state
 * @returns {Stale | null}
 */
export function staleOf({ phase, log, logs, opened }) {
  if (phase !== "ready" || opened === null) return null;
  const { name, stamp } = opened.log;
  const listed = logs.find(({ id }) => id === log);
  if (listed === undefined || listed.gone) return { kind: "gone", name, mark: "gone" };
  const isOther = listed.stamp !== undefined && listed.stamp !== stamp;
  if (!listed.changed && !isOther) return null;
  return { kind: "changed", name, mark: `changed ${listed.stamp} ${listed.added}` };
}

/**
 * How the open log differs from its file, unless that was dismissed.
 * @param {Pick<State, "phase" | "log" | "logs" | "opened" | "dismissed">} state
 */
export function staleToTell(state) {
  return state.dismissed === null ? staleOf(state) : null;
}

/**
 * The notice that stays dismissed after the list was asked for again. A later change is shown once the file is the same
 * in two successive lists, so that a search that goes on writing does not bring the notice back each time.
 * @param {Pick<State, "phase" | "log" | "logs" | "opened" | "dismissed">} state
 * @returns {Dismissed | null} the very same where nothing is new
 */
export function stillDismissed(state) {
  const { dismissed } = state;
  if (dismissed === null) return null;
  const mark = staleOf(state)?.mark ?? "";
  if (mark !== dismissed.last) return { ...dismissed, last: mark };
  return mark === dismissed.mark ? dismissed : null;
}
