// @ts-check
/**
 * Loads the node of the details: the pinned one, else the selected one. A held arrow key passes many nodes: one
 * question is under way at a time, and the next one is about the node that is current by then.
 */

import { messageOf } from "../../data/api.js";
import { followed } from "../../data/line-actions.js";

/** @import { Api, Id, Loader, State, Store } from "../../data/types.js" */

/**
 * Keep the details at the node they should show for as long as the page lives.
 * @param {Store} store
 * @param {Api} api
 * @param {Loader} loader
 * @returns {() => Promise<void>} brings the details to where they should be; what is on its way is waited for
 */
export function createFollower(store, api, loader) {
  let running = /** @type {Promise<void> | null} */ (null);

  async function run() {
    for (let id = missing(store.get()); id !== null; id = missing(store.get())) await load(id);
  }

  /** @param {Id} id */
  async function load(id) {
    const { log, nodes, details } = store.get();
    // The old details stay until the new ones are there, so that the panel does not flicker.
    if (details === null) store.update({ details: { id, data: null } });
    try {
      const data = await loader.askTree((name, beside) => api.details(name, id, beside));
      if (data !== null && isWanted(id)) store.update({ details: { id, data } });
    } catch (error) {
      const text = messageOf(error);
      if (store.get().log === log && store.get().nodes === nodes && isWanted(id)) {
        store.update({ details: { id, data: null, error: text } });
      }
    }
  }

  /** @param {Id} id */
  const isWanted = (id) => followed(store.get()) === id;

  function follow() {
    if (running === null && missing(store.get()) !== null) {
      running = run().finally(() => {
        running = null;
      });
    }
    return running ?? Promise.resolve();
  }

  store.subscribe(() => void (store.isWalking() || follow()));
  store.subscribeAtRest(() => void follow());
  return follow;
}

/**
 * The node whose details are to be fetched, null where there are none to fetch.
 * @param {State} state
 */
function missing(state) {
  const { phase, panels, details } = state;
  const id = followed(state);
  if (phase !== "ready" || !panels.details || id === null) return null;
  const there = details?.id === id && (details.data !== null || details.error !== undefined);
  return there ? null : id;
}
