// @ts-check
/** What can be done with the search: ask, walk its hits, read on in their list, and return to where it began. */

/** @typedef {import("./types.js").Id} Id */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Search} Search */

/** Hits that one answer holds, and how many of them stand before the one that is asked for. */
const PAGE = 100;
const BEFORE = 30;

/**
 * @param {object} room
 * @param {import("./state.js").Store} room.store
 * @param {import("./api.js").Api} room.api
 * @param {import("./loading.js").Loader} room.loader
 * @param {import("./walk-actions.js").WalkActions} room.walk
 * @param {<T>(work: () => Promise<T>) => Promise<T | null>} room.attempt
 */
export function createSearchActions({ store, api, loader, walk, attempt }) {
  let searchesAsked = 0;

  /**
   * Search plies, ids and paths; the hit at or after the selection becomes the current one and is gone to.
   * @param {string} q an empty text ends the search
   */
  async function searchFor(q) {
    searchesAsked += 1;
    const asked = searchesAsked;
    const question = q.trim();
    if (question === "") {
      store.update({ search: null });
      return;
    }
    const { nodes, search } = store.get();
    const began = search?.began ?? place(store.get());
    try {
      const from = store.get().selected ?? undefined;
      const options = { offset: 0, limit: PAGE, ...(from !== undefined && { from }) };
      const found = await loader.ask((log) => api.search(log, question, options));
      if (found === null || asked !== searchesAsked) return;
      const at = found.total === 0 ? -1 : (found.at ?? 0);
      store.update({ drawer: null, search: { q: question, total: found.total, at, offset: found.offset, items: found.items, paths: found.paths, began } });
      if (at >= 0) await goToHit(at);
    } catch (error) {
      if (asked !== searchesAsked || store.get().nodes !== nodes) return;
      const text = error instanceof Error ? error.message : String(error);
      store.update({ search: { q: question, total: 0, at: -1, offset: 0, items: [], paths: [], began, error: text } });
    }
  }

  /**
   * Have the hits around one in the list.
   * @param {number} at its index
   * @returns {Promise<Search | null>} null where the search has ended meanwhile
   */
  async function hitsAround(at) {
    const { search } = store.get();
    if (search === null || (at >= search.offset && at < search.offset + search.items.length)) return search;
    const offset = Math.max(0, Math.min(at - BEFORE, search.total - PAGE));
    const found = await loader.ask((log) => api.search(log, search.q, { offset, limit: PAGE }));
    const now = store.get().search;
    if (found === null || now === null || now.q !== search.q) return null;
    const read = { ...now, offset: found.offset, items: found.items, paths: found.paths };
    store.update({ search: read });
    return read;
  }

  /** @param {number} at index of a hit */
  async function goToHit(at) {
    const search = await hitsAround(at);
    const hit = search?.items[at - search.offset];
    if (search === null || hit === undefined) return;
    store.update({ search: { ...search, at } });
    await walk.goTo(hit.id);
  }

  return {
    searchFor,
    /** @param {number} at index of a hit */
    showHits: (at) => void attempt(() => hitsAround(at)),

    /** @param {number} at index of a hit, the nearest that there is */
    async goToHit(at) {
      const total = store.get().search?.total ?? 0;
      if (total > 0) await attempt(() => goToHit(Math.max(0, Math.min(total - 1, at))));
    },

    /**
     * Go to the next hit (1) or the previous one (−1), around the ends.
     * @param {number} step
     */
    async searchStep(step) {
      const { search } = store.get();
      if (search === null || search.total === 0) return;
      await attempt(() => goToHit((((search.at + step) % search.total) + search.total) % search.total));
    },

    /** End the search, and return to where it began unless somebody walked on from its hit. */
    leaveSearch() {
      searchesAsked += 1;
      const { search, selected } = store.get();
      if (search === null) return;
      const hit = search.items[search.at - search.offset]?.id;
      if (selected !== hit) store.update({ search: null });
      else {
        store.update({ search: null, ...search.began, aim: null, hovered: null });
        walk.fillRoom();
      }
    },
  };
}

/** Where one is, and what is open there. @param {State} state @returns {Search["began"]} */
function place({ selected, expanded, held, kept, shown, top, camera }) {
  return { selected, expanded, held, kept, shown, top, camera };
}
