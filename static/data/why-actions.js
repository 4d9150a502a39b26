// @ts-check
/**
 * Why this ply and not that one: the pair follows the pinned and the selected node. One question is under way at a
 * time, and the next asks for wherever one is by then; the last answer stays until the next is there.
 */

import { isOld } from "./merged.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").AskedPair} AskedPair */
/** @typedef {ReturnType<typeof createWhyActions>} WhyActions */

/**
 * The pair that a state means: the pinned node is X, the selected one Y. Without a pin the server sets the selected
 * ply against the best beside it, the best against the next, and at a root the chosen ply against the best other.
 * @param {Pick<State, "pinned" | "selected">} state
 * @returns {AskedPair}
 */
export function pairOf({ pinned, selected: id }) {
  const selected = id !== null && isOld(id) ? null : id;
  if (pinned !== null && isOld(pinned)) return {};
  if (pinned !== null) return selected === null || selected === pinned ? { node: pinned } : { node: pinned, versus: selected };
  return selected === null ? {} : { versus: selected };
}

/** @param {AskedPair | undefined} one @param {AskedPair} other */
export function isSamePair(one, other) {
  return one !== undefined && one.node === other.node && one.versus === other.versus;
}

/**
 * @param {object} room
 * @param {import("./state.js").Store} room.store
 * @param {import("./api.js").Api} room.api
 * @param {import("./loading.js").Loader} room.loader
 */
export function createWhyActions({ store, api, loader }) {
  let wanted = /** @type {AskedPair | null} */ (null);
  let asking = false;

  /** @param {AskedPair} [pair] the one that the state means when left out */
  async function askWhy(pair = pairOf(store.get())) {
    wanted = pair;
    if (asking) return;
    asking = true;
    try {
      while (wanted !== null && !isSamePair(store.get().why?.asked, wanted)) await ask(wanted);
    } finally {
      asking = false;
      wanted = null;
    }
  }

  /** @param {AskedPair} asked */
  async function ask(asked) {
    const { nodes } = store.get();
    try {
      const answer = await loader.ask((log) => api.explain(log, asked));
      if (answer !== null) store.update({ why: { asked, answer } });
      else wanted = null;
    } catch (error) {
      if (store.get().nodes !== nodes) wanted = null;
      else store.update({ why: { asked, answer: null, error: error instanceof Error ? error.message : String(error) } });
    }
  }

  /** Let X and Y change places; a ply that was not searched stays Y. */
  async function swapPair() {
    const { chosen = null, rival = null } = store.get().why?.answer ?? {};
    if (chosen === null || rival === null || rival.score === undefined) return;
    await askWhy({ node: rival.id, versus: chosen.id });
  }

  return { askWhy, swapPair };
}
