// @ts-check
/**
 * A search of the open log's position with other weights: begun, followed and cancelled here, while it runs beside the
 * server. Its log is opened in comparison with the open one.
 */

import { packWeights } from "../../data/route.js";

/** @import { Again, Room } from "../../data/types.js" */

/** Seconds that the server may wait before it says how far a search is. */
const WAIT = 1;

/**
 * @param {Room & {loadLogs: () => Promise<unknown>, openLog: (id: string) => Promise<void>, compareWith: (against:
 *   string) => Promise<void>}} room
 */
export function createAgainActions({ store, api, loader, attempt, notify, loadLogs, openLog, compareWith }) {
  /** The search that is followed, replaced by the next one. @type {{nodes: unknown} | null} */
  let followed = null;
  /** @type {unknown} the nodes of the log that was asked whether it can be searched again */
  let asked = null;

  /** @param {Again} again */
  const keep = (again) => store.update(({ weights }) => ({ weights: { ...weights, again } }));

  /** Keep the answers until the search has ended. @param {() => Promise<Again | null>} question */
  async function follow(question) {
    const mine = { nodes: store.get().nodes };
    followed = mine;
    try {
      let again = await attempt(question);
      let ran = false;
      while (again !== null && followed === mine) {
        keep(again);
        if (again.state !== "running") break;
        ran = true;
        again = await attempt(() => loader.ask((log) => api.again(log, { wait: WAIT })));
      }
      if (ran && followed === mine && again?.state === "done") await arrive();
    } finally {
      if (followed === mine) followed = null;
    }
  }

  /** Open the log of the finished search where the user waits for it, else show a notice. */
  async function arrive() {
    const { panels, weights } = store.get();
    const id = weights.again?.log;
    await loadLogs();
    if (panels.weights) return openAgain();
    const name = store.get().logs.find((log) => log.id === id)?.name ?? id;
    notify("note", `The search with other weights is done: ${name} is in the list of logs.`);
  }

  /** Open the log of the search, compared with the one it began at. */
  async function openAgain() {
    const { log, weights } = store.get();
    const found = weights.again?.log;
    if (log === null || found === undefined) return;
    await openLog(found);
    if (store.get().log === found) await compareWith(log);
  }

  // Opening the weights asks whether the log can be searched again, and whether it is being searched.
  store.subscribe(({ panels, weights, nodes }) => {
    if (!panels.weights || weights.found === null || asked === nodes) return;
    asked = nodes;
    if (followed?.nodes !== nodes) void follow(() => loader.ask((log) => api.again(log)));
  });

  return {
    /** Search again with the weights as they are. */
    async searchAgain() {
      const weights = packWeights(store.get().weights.changed);
      await follow(() => loader.ask((log) => api.startAgain(log, { weights })));
    },

    /** Cancel the search; nothing of it is kept. */
    async cancelAgain() {
      const before = followed;
      const again = await attempt(() => loader.ask((log) => api.endAgain(log)));
      if (again === null || followed !== before) return;
      followed = null;
      keep(again);
    },

    openAgain: () => attempt(openAgain),
  };
}
