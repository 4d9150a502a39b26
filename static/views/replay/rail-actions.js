// @ts-check
/** The marks along the time of the search: hits of the query, findings, stops of a run; asked for pixel by pixel. */

import { differ } from "../../data/state.js";

/** @import { Room, State } from "../../data/types.js" */

/** @typedef {"hits" | "findings" | "stops"} Lane */

/**
 * The question of each part of the rail; null where there is nothing to ask.
 * @param {State} state
 * @returns {Record<Lane, string | null>}
 */
export function railQuestions({ phase, search, report, panels, replay, stop }) {
  if (phase !== "ready") return { hits: null, findings: null, stops: null };
  const isAsked = search?.source === "hits" && search.total > 0;
  const hasFindings = panels.check && report?.state === "done" && Object.values(report.counts ?? {}).some((n) => n > 0);
  return { hits: isAsked ? search.q : null, findings: hasFindings ? "" : null, stops: replay === null ? null : stop };
}

/** Keeps the rail as the state has it. @param {Room} room */
export function createRailActions({ store, api, loader }) {
  /** @type {Record<Lane, string>} what was asked for last */
  const asked = { hits: "", findings: "", stops: "" };

  /** @param {Lane} lane @param {string} key @param {string} q @param {number} width */
  async function ask(lane, key, q, width) {
    try {
      const found = await loader.ask((log) => api.rail(log, { of: lane, q, width }));
      if (asked[lane] === key) store.update(({ rail }) => ({ rail: { ...rail, [lane]: found } }));
    } catch {
      if (asked[lane] === key) store.update(({ rail }) => ({ rail: { ...rail, [lane]: null } })); // who asked is told elsewhere
    }
  }

  function follow() {
    const state = store.get();
    const questions = railQuestions(state);
    for (const lane of /** @type {const} */ (["hits", "findings", "stops"])) {
      const q = questions[lane];
      const key =
        q === null || state.rail.width === 0
          ? ""
          : JSON.stringify([
              state.log,
              state.opened?.log.stamp,
              q,
              state.rail.width,
              lane === "findings" && state.report?.counts,
            ]);
      if (key === asked[lane]) continue;
      asked[lane] = key;
      if (q === null) store.update(({ rail }) => ({ rail: { ...rail, [lane]: null } }));
      else if (key !== "") void ask(lane, key, q, state.rail.width);
    }
  }

  store.subscribe((state, previous) => {
    if (differ(state, previous, "phase", "opened", "search", "report", "panels", "replay", "stop", "rail")) follow();
  });

  return {
    /** The pixels that the rail has now. @param {number} width */
    setRailWidth: (width) => {
      if (store.get().rail.width !== width) store.update(({ rail }) => ({ rail: { ...rail, width } }));
    },
  };
}
