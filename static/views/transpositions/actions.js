// @ts-check
/** Loads the visits of the position of the details: their number in the log, and the first of them. */

import { messageOf } from "../../data/api.js";
import { followed } from "../../data/line-actions.js";
import { isOld } from "../../data/merged.js";

/** @import { Id, Room, State } from "../../data/types.js" */

/** Visits that are brought; the table has all. */
const MOST = 12;

/** @param {Room} room */
export function followTranspositions({ store, api, loader }) {
  let isAsking = false;

  async function follow() {
    if (isAsking) return;
    isAsking = true;
    for (let of = missing(store.get()); of !== null; of = missing(store.get())) await ask(of);
    isAsking = false;
  }

  /** @param {Id} of */
  async function ask(of) {
    const { nodes, live } = store.get();
    const asked = { of, mark: live?.snapshot };
    const question = { rows: "visits", key: of, columns: "", nodes: 1, limit: MOST };
    try {
      const found = await loader.ask((log) => api.table(log, question));
      if (found === null) return;
      const { total, nodes: items, rows } = found;
      store.update({ transpositions: { ...asked, total, items, paths: rows.map(({ path }) => path) } });
    } catch (error) {
      if (store.get().nodes !== nodes) return;
      store.update({ transpositions: { ...asked, total: 0, items: [], paths: [], error: messageOf(error) } });
    }
  }

  store.subscribeAtRest(() => void follow());
}

/** The node whose visits are asked for next; null where they are there, or it states no key. @param {State} state */
function missing(state) {
  const { phase, panels, nodes, transpositions, live } = state;
  const id = followed(state);
  if (phase !== "ready" || !panels.details || id === null || isOld(id) || nodes.get(id)?.key === undefined) return null;
  return transpositions?.of === id && transpositions.mark === live?.snapshot ? null : id;
}
