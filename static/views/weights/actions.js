// @ts-check
/**
 * Actions on weights: change them, reweigh the log during a drag, ask for the range of each. One question is under way
 * at a time; the newest weights are asked for next, those between are left out.
 */

import { isStub, toNumber } from "../../data/claims.js";
import { isOld } from "../../data/merged.js";
import { ownDrawn } from "../../data/opening.js";
import { packWeights } from "../../data/route.js";
import { isReweighed, UNWEIGHED, differ } from "../../data/state.js";

/** @import { Reweighted, Room, State, TreeNode } from "../../data/types.js" */

/** Seconds that the server may wait before it says how far it is. */
const WAIT = 1;
/** The most nodes whose intervals are asked for at once: the limit of the server. */
const MOST_SHOWN = 1000;
/** Pixels of the tree's part of the window from which the evidence is opened below it by itself. */
const ROOMY = 560;
/** Changes of these may draw nodes whose intervals are not known. */
const DRAWING = /** @type {const} */ (["revision", "expanded", "shown", "room", "top", "order", "details"]);

/** @param {Room} room */
export function createWeightsActions({ store, api, loader, attempt, painted }) {
  let asking = false;
  let again = false;

  /** @param {Partial<State["weights"]>} change */
  const keep = (change) => store.update(({ weights }) => ({ weights: { ...weights, ...change } }));

  /**
   * Ask until the server has the answer; null where another log was opened, or the log cannot be re-weighed.
   * @template {{state: string, reason?: string}} T
   * @param {(log: string) => Promise<T>} question
   */
  async function answerOf(question) {
    for (;;) {
      const answer = await loader.ask(question);
      if (answer === null) return null;
      if (answer.state === "done") return answer;
      keep({ waits: answer });
      if (answer.state !== "running") return null;
    }
  }

  /** Ask for the log under the weights, and for the intervals of the drawn nodes. */
  async function reweigh() {
    again = true;
    if (asking) return;
    asking = true;
    try {
      while (again) {
        again = false;
        await attempt(once);
      }
    } finally {
      asking = false;
    }
  }

  async function once() {
    const { changed } = store.get().weights;
    const isOn = Object.keys(changed).length > 0;
    const ids = isOn ? wantedNodes(store.get()).join(",") : "";
    const options = { weights: packWeights(changed), ids, wait: WAIT };
    let answer;
    try {
      answer = await answerOf((log) => api.weights(log, options));
    } catch (error) {
      // A link may name weights that this log does not have: the last ones are restored, with a notice of the reason.
      const now = store.get().weights;
      if (now.changed === changed) keep({ changed: now.found?.changed ?? {} });
      throw error;
    }
    if (answer === null) return;
    const found = /** @type {Reweighted} */ (answer);
    const intervals = Object.entries(found.intervals).map(
      ([id, [low, high]]) =>
        /** @type {const} */ ([Number(id), /** @type {[number, number]} */ ([toNumber(low), toNumber(high)])]),
    );
    const stillOn = Object.keys(store.get().weights.changed).length > 0;
    const wasOn = isReweighed(store.get());
    if (isOn && store.get().weights.logged === null) {
      const logged = await answerOf((log) => api.weights(log, { weights: "", wait: WAIT }));
      if (logged === null) return;
      keep({ logged: /** @type {Reweighted} */ (logged) });
    }
    keep({ found, waits: null, ...(!isOn && { logged: found }), intervals: new Map(stillOn ? intervals : []) });
    const { aim, selected } = store.get();
    if (isReweighed(store.get()) !== wasOn && aim === null) store.update({ aim: { kind: "refit", id: selected } });
  }

  /** @param {{quick?: 1}} [options] quick: only where it takes about a second */
  async function loadRanges(options = {}) {
    if (store.get().weights.ranges !== null) return;
    await attempt(async () => {
      const answer = await answerOf((log) => api.weightRanges(log, { ...options, wait: WAIT }));
      if (answer?.ranges !== undefined) keep({ ranges: answer.ranges, waits: null });
    });
  }

  /** Ask for the ranges of the weights once a log is on the screen, where that is quick. */
  async function beginWeights() {
    const { nodes, opened } = store.get();
    await painted();
    if (store.get().nodes !== nodes || (opened?.factors ?? []).length === 0) return;
    await loadRanges({ quick: 1 });
  }

  /** Show the weights beside the tree and their evidence below it. */
  async function openWeights() {
    const isRoomy = store.get().size.width >= ROOMY;
    store.update(({ panels, drawer }) => ({
      panels: { ...panels, weights: true, check: false, drawer: true },
      drawer: isRoomy ? "weights" : drawer,
    }));
    if (store.get().weights.found === null) await reweigh();
    await loadRanges();
  }

  /** Change one weight, the others as they are. @param {string} name @param {number} weight */
  async function setWeight(name, weight) {
    const { weights } = store.get();
    const changed = { ...weights.changed, [name]: weight };
    if (weights.found?.logged[name] === weight) delete changed[name];
    keep({ changed, factor: name });
    await reweigh();
  }

  /** The weights of the log again. */
  async function endWeights() {
    keep({ changed: {}, intervals: UNWEIGHED.intervals });
    await reweigh();
  }

  /** Set the weights that a link names. @param {Record<string, number>} changed */
  async function restoreWeights(changed) {
    if (packWeights(changed) === packWeights(store.get().weights.changed)) return;
    if (Object.keys(changed).length === 0) return endWeights();
    keep({ changed, factor: Object.keys(changed).at(-1) ?? null });
    await reweigh();
  }

  /** @type {unknown} the nodes of the log that was weighed because its panel stands open */
  let begun = null;

  // Nothing else asks when another log is opened beside the open panel, or the panel is back after a comparison.
  store.subscribe(({ phase, panels, weights, nodes, diff }) => {
    const isUnasked = weights.found === null && weights.waits === null && !asking && begun !== nodes;
    if (phase !== "ready" || !panels.weights || diff.against !== null || !isUnasked) return;
    begun = nodes;
    void reweigh().then(() => loadRanges());
  });

  store.subscribe((state, previous) => {
    const isOn = state.phase === "ready" && Object.keys(state.weights.changed).length > 0;
    if (isOn && differ(state, previous, ...DRAWING)) {
      const known = state.weights.intervals;
      const isMissing = (/** @type {TreeNode | undefined} */ node) =>
        node !== undefined && !isStub(node) && !known.has(node.id);
      if (wantedNodes(state).some((id) => isMissing(state.nodes.get(id)))) void reweigh();
    }
  });

  return {
    beginWeights,
    openWeights,
    setWeight,
    endWeights,
    restoreWeights,
    loadRanges,

    /** Take what lies at the right back to the details, and the drawer to its rows. */
    closeWeights: () =>
      store.update(({ panels, drawer }) => ({
        panels: { ...panels, weights: false },
        drawer: drawer === "weights" ? null : drawer,
      })),

    /** Show the chart of one factor below the tree. @param {string} factor */
    showFactor(factor) {
      keep({ factor });
      store.update(({ panels }) => ({ panels: { ...panels, drawer: true }, drawer: "weights" }));
    },

    /** The factor that the chart is about. @param {string} factor */
    pickFactor: (factor) => keep({ factor }),

    /** Scores of root plies against one weight. @param {string} factor @param {number} from @param {number} to */
    curveOf: (factor, from, to) =>
      attempt(() => answerOf((log) => api.weightCurve(log, { factor, from, to, wait: WAIT }))),
  };
}

/** The nodes whose intervals are seen: that of the details, and those of the tree. @param {State} state */
function wantedNodes(state) {
  const ids = new Set([
    ...(state.details === null || isOld(state.details.id) ? [] : [state.details.id]),
    ...ownDrawn(state),
  ]);
  return [...ids].slice(0, MOST_SHOWN);
}
