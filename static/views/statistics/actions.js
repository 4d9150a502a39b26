// @ts-check
/** The statistics of the open log: asked for once, and shown at a figure. */

/** @import { Statistics } from "../../data/answers.js" */
/** @import { Id, Listing, Room } from "../../data/types.js" */

/**
 * @typedef {"pruned" | "apart" | "levels" | "order" | "limits" | "where" | "counters" | "iterations" | "quotient"}
 *   Figure a part of the tab
 */

/**
 * @param {Room & {searchFor: (q: string, as?: Partial<Pick<Listing, "chosen" | "sort" | "descending">>) =>
 *   Promise<void>}} room
 */
export function createStatisticsActions({ store, api, walk, searchFor, attempt }) {
  /** @type {WeakMap<object, Promise<Statistics>>} */
  const kept = new WeakMap();

  return {
    /** Show the statistics, at the figure `at` if it is given. @param {Figure | null} [at] */
    showStatistics: (at = null) =>
      store.update(({ panels }) => ({ drawer: "statistics", figure: at, panels: { ...panels, drawer: true } })),

    /** Show the statistics, or not. */
    toggleStatistics: () =>
      store.update(({ drawer, panels }) =>
        drawer === "statistics" && panels.drawer
          ? { drawer: null }
          : { drawer: "statistics", figure: null, panels: { ...panels, drawer: true } },
      ),

    /** The statistics of the open log, counted once. */
    statistics: () => {
      const { opened, log } = store.get();
      if (opened === null || log === null) return Promise.reject(new Error("no log is open"));
      const known = kept.get(opened);
      if (known !== undefined) return known;
      const asked = api.statistics(log);
      kept.set(opened, asked);
      asked.catch(() => kept.delete(opened)); // asked again by whoever looks next
      return asked;
    },

    /**
     * The ranks that another randomness quotient may play at the root of the open log; without one, the log's own.
     * @param {number} [q]
     */
    quotient: (q) => {
      const { log } = store.get();
      return log === null ? Promise.reject(new Error("no log is open")) : api.quotient(log, q);
    },

    /**
     * List the nodes for which an expression is true, and go to one of them.
     * @param {string} q
     * @param {Partial<Pick<Listing, "chosen" | "sort" | "descending">>} [as]
     * @param {Id} [at]
     */
    async showNodes(q, as = {}, at) {
      store.update(({ panels }) => ({ panels: { ...panels, drawer: true } }));
      await searchFor(q, as);
      if (at !== undefined) await attempt(() => walk.goTo(at));
    },

    /** Point at a tree in the chart of iterations. @param {Id | null} iteration the id of its root */
    setIteration: (iteration) => store.update({ iteration }),

    /**
     * The statistics of the log beside the open one; null where there is none, or it is an iteration of the same log.
     */
    oldStatistics: async () => {
      const { diff, log } = store.get();
      const { against, found } = diff;
      if (against === null || found === null || against === log) return null;
      const known = kept.get(found) ?? api.statistics(against);
      kept.set(found, known);
      known.catch(() => kept.delete(found));
      return known;
    },

    /** A node through the trees of the open log. @param {Id} node */
    nodeIterations: (node) => {
      const { log } = store.get();
      return log === null ? Promise.reject(new Error("no log is open")) : api.nodeIterations(log, node);
    },
  };
}
