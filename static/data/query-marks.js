// @ts-check
/** Which of the nodes that are here are hits of the query, and how many hits are below each: asked as they come. */

import { isOld } from "./merged.js";

/** @typedef {import("./types.js").Id} Id */

/** Nodes asked about at once. */
const MARKED = 500;

/**
 * @param {object} room
 * @param {import("./state.js").Store} room.store
 * @param {import("./api.js").Api} room.api
 * @param {import("./loading.js").Loader} room.loader
 */
export function followQueryMarks({ store, api, loader }) {
  /** @type {Set<Id>} */
  let asked = new Set();
  let marking = false;

  async function mark() {
    if (marking) return;
    marking = true;
    try {
      for (let ids = unmarked(); ids.length > 0; ids = unmarked()) {
        const wanted = ids;
        const q = query();
        for (const id of wanted) asked.add(id);
        if (q === null) continue;
        const answer = await loader.ask((log) => api.queryMarks(log, q, wanted));
        if (answer === null || query() !== q) continue;
        const found = Object.entries(answer.marks);
        store.update(({ hitMarks }) => ({ hitMarks: new Map([...hitMarks, ...found.map(([id, one]) => /** @type {const} */ ([Number(id), one]))]) }));
      }
    } catch {
      // The query itself says what is wrong with it, or that the server is gone.
    } finally {
      marking = false;
    }
  }

  /** The expression whose hits are marked. */
  function query() {
    const { search } = store.get();
    return search?.source === "hits" && search.total > 0 ? search.q : null;
  }

  function unmarked() {
    if (query() === null) return [];
    const ids = [];
    for (const id of store.get().nodes.keys()) {
      if (asked.has(id) || isOld(id)) continue;
      ids.push(id);
      if (ids.length === MARKED) break;
    }
    return ids;
  }

  let last = /** @type {string | null} */ (null);
  store.subscribe((state, previous) => {
    const now = query();
    if (now !== last || state.nodes !== previous.nodes) {
      last = now;
      asked = new Set();
      if (state.hitMarks.size > 0) store.update({ hitMarks: new Map() });
    }
    if (now !== null) void mark();
  });
}
