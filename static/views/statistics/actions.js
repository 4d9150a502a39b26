// @ts-check
/** The statistics of the open log: asked for once, and shown at a figure. */

/** @typedef {import("../../data/types.js").Id} Id */
/** @typedef {import("../../data/types.js").Score} Score */
/**
 * @typedef {"pruned" | "apart" | "levels" | "order" | "limits" | "where" | "counters" | "iterations" | "quotient"}
 *   Figure a part of the tab
 */

/**
 * @typedef {{level: number, nodes: number, leaves: number, cuts: number, pruned: number, limited: number,
 *   uncounted_pruned: number, uncounted_limited: number, branching: number | null, branching_with_stubs: number | null,
 *   effective_branching: number | null, visits: number | null}} LevelFigures
 */
/**
 * @typedef {{cuts: number, by_child: number, by_stand_pat: number, by_null: number, by_estimate: number, by_unknown:
 *   number, at_ply: number[], at_later_ply: number, at_unknown_ply: number, first_share: number | null, cost: number,
 *   best_rank: number[], best_rank_later: number, best_asked: number, at_ply_ids: Id[][], best_rank_ids: Id[][]}}
 *   OrderFigures
 */
/** @typedef {{id: Id, path: string, level: number, iteration: number | null, pruned: number}} PrunedAt */
/**
 * @typedef {{id: Id, path: string, level: number, iteration: number | null, pre_score: number, score: number, bound:
 *   string, apart: number}} ApartAt
 */
/** @typedef {{id: Id, path: string, level: number, iteration: number | null, spent: number, cut_at: number | null}} SpentAt */
/**
 * @typedef {{pruned: PrunedAt[], apart: ApartAt[], spent: SpentAt[], most_pruned_at: number, apart_asked: number,
 *   ended: number}} Extremes
 */
/** @typedef {{limit: number, decision: "kept" | "changed" | "unknown", saved: number, saved_at_most: number}} LimitFigures */
/** @typedef {{today: number | null, ply: string | null, each: LimitFigures[], left_out: number, rests_on: string[]}} LimitsFigures */
/**
 * @typedef {{name: string, tried: number, succeeded: number | null, nodes: number | null, tried_is: string,
 *   succeeded_is: string}} PairFigures
 */
/**
 * @typedef {{ply: string | null, id: Id, visits: number, nodes: number, share: number, pruned: number, seconds: number
 *   | null, playouts: number | null}} RootPlyFigures
 */
/**
 * @typedef {{nodes: number, quiescence: number, purposes: {purpose: string, visits: number, nodes: number, seconds:
 *   number | null}[], root_plies: RootPlyFigures[], more_root_plies?: number}} WhereFigures
 */
/**
 * @typedef {{id: Id, iteration: number | null, attempt: number, depth: number | null, nodes: number, score: Score |
 *   null, mean: number | null, bound: string, outcome: string, ply: string | null, pv: (string | null)[], pv_ids: Id[],
 *   growth: number | null, uniform_branching: number | null}} IterationFigures
 */
/**
 * @typedef {{root: Id, iteration: number | null, attempt: number, id: Id | null, score: Score | null, mean: number |
 *   null, bound: string, outcome: string, depth: number | null, nodes: number | null, pv: (string | null)[], pv_ids:
 *   Id[]}} NodeIteration
 */
/**
 * @typedef {{rank: number, probability: number, ply: string | null, cost_low: number | null, cost_high: number | null,
 *   score_low: number | null, score_high: number | null, id: Id | null, exact: boolean}} RankFigures
 */
/**
 * @typedef {{quotient: number, rank: number | null, n_plies: number, bars: RankFigures[], rest: number, loss_low:
 *   number, loss_high: number | null}} QuotientFigures
 */

/**
 * A level of a best-first tree.
 * @typedef {{level: number, nodes: number, visits: number, expanded: number, children: number, branching: number |
 *   null}} VisitedLevel
 */
/**
 * A best-first tree by its visits.
 * @typedef {{playouts: number | null, nodes: number, deepest: number, levels: VisitedLevel[], more_levels?: number,
 *   first_share: number | null, effective_plies: number | null, snapshots: import("../../data/types.js").Snapshot[]}}
 *   VisitedFigures
 */

/**
 * What the server counts; docs/api.md says what each is.
 * @typedef {object} Statistics
 * @property {number} nodes
 * @property {number} searched
 * @property {number} unknown_searched
 * @property {number} prune_events
 * @property {number} pruned
 * @property {number} uncounted_pruned
 * @property {boolean} best_first
 * @property {LevelFigures[]} levels
 * @property {number} [more_levels]
 * @property {Extremes} extremes
 * @property {OrderFigures | null} order
 * @property {LimitsFigures | null} limits
 * @property {PairFigures[]} counters
 * @property {{found: number, cut: number, narrow: number, order: number} | null} table
 * @property {WhereFigures} where
 * @property {IterationFigures[]} iterations
 * @property {number} [more_iterations]
 * @property {QuotientFigures | null} quotient
 * @property {VisitedFigures | null} visited of a best-first tree that counts visits
 * @property {{figure: string, says: string}[]} missing
 */

/**
 * @param {object} room
 * @param {import("../../data/state.js").Store} room.store
 * @param {import("../../data/api.js").Api} room.api
 * @param {import("../../data/walk-actions.js").WalkActions} room.walk
 * @param {(q: string, as?: Partial<Pick<import("../../data/types.js").Listing, "chosen" | "sort" | "descending">>) => Promise<void>} room.searchFor
 * @param {<T>(work: () => Promise<T>) => Promise<T | null>} room.attempt
 */
export function createStatisticsActions({ store, api, walk, searchFor, attempt }) {
  /** @type {WeakMap<object, Promise<Statistics>>} */
  const kept = new WeakMap();

  return {
    /** Show the statistics, at a figure where one is named. @param {Figure | null} [at] */
    showStatistics: (at = null) =>
      store.update(({ panels }) => ({ drawer: "statistics", figure: at, panels: { ...panels, drawer: true } })),

    /** Show the statistics, or not. */
    toggleStatistics: () =>
      store.update(({ drawer, panels }) =>
        drawer === "statistics" && panels.drawer
          ? { drawer: null }
          : { drawer: "statistics", figure: null, panels: { ...panels, drawer: true } },
      ),

    /** The statistics of the open log, counted once. @returns {Promise<Statistics>} */
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
     * @returns {Promise<QuotientFigures | {quotient: null, says: string}>}
     */
    quotient: (q) => {
      const { log } = store.get();
      return log === null ? Promise.reject(new Error("no log is open")) : api.quotient(log, q);
    },

    /**
     * List the nodes for which an expression is true, and go to one of them.
     * @param {string} q
     * @param {Partial<Pick<import("../../data/types.js").Listing, "chosen" | "sort" | "descending">>} [as]
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
     * @returns {Promise<Statistics | null>}
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

    /** A node through the trees of the open log. @param {Id} node @returns {Promise<{total: number, items: NodeIteration[]}>} */
    nodeIterations: (node) => {
      const { log } = store.get();
      return log === null ? Promise.reject(new Error("no log is open")) : api.nodeIterations(log, node);
    },
  };
}
