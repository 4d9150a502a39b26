// @ts-check
/** Which of the nodes that are here are hits of the query, and how many hits are below each: asked as they come. */

import { isOld } from "./merged.js";
import { rowsAsked } from "./only-actions.js";

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
        const question = query();
        const key = JSON.stringify(question);
        for (const id of wanted) asked.add(id);
        if (question === null) continue;
        const answer = await loader.ask((log) => api.queryMarks(log, question, wanted));
        if (answer === null || JSON.stringify(query()) !== key) continue;
        const found = Object.entries(answer.marks);
        store.update(({ hitMarks }) => ({
          hitMarks: new Map([...hitMarks, ...found.map(([id, one]) => /** @type {const} */ ([Number(id), one]))]),
        }));
      }
    } catch {
      // The query itself says what is wrong with it, or that the server is gone.
    } finally {
      marking = false;
    }
  }

  /** What names the rows that are marked: those that alone are drawn, else the hits of the expression. */
  function query() {
    const { only, search } = store.get();
    return only?.question ?? (search?.source === "hits" && search.total > 0 ? rowsAsked(search) : null);
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

  let last = "null";
  store.subscribe((state, previous) => {
    const now = JSON.stringify(query());
    if (now !== last || state.nodes !== previous.nodes) {
      last = now;
      asked = new Set();
      if (state.hitMarks.size > 0) store.update({ hitMarks: new Map() });
    }
    if (now !== "null") void mark();
  });
}
