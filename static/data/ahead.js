// @ts-check
/**
 * Answers asked for ahead: where somebody rests on a node, what pressing it would ask next is asked then, so that the
 * press needs no request. Nothing of it is in the state before that, and only the last few answers are kept.
 */

import { shownBeside } from "./merged.js";

/** @typedef {import("./types.js").Id} Id */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./merged.js").Beside} Beside */
/** @typedef {ReturnType<typeof createAhead>} Ahead */

/** Milliseconds on a node before its next answer is asked for: walking on with an arrow held asks nothing. */
const REST = 80;
const MOST_KEPT = 4;

/**
 * The answers of the open log that were asked for ahead.
 * @param {import("./state.js").Store} store
 */
export function createAhead(store) {
  /** @type {Map<string, Promise<any>>} */
  const kept = new Map();
  let of = /** @type {State["nodes"] | null} */ (null);

  return {
    /**
     * @param {string} key
     * @param {() => Promise<any>} question
     */
    ask(key, question) {
      if (of !== store.get().nodes) kept.clear();
      of = store.get().nodes;
      if (kept.has(key)) return;
      for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size + 1 - MOST_KEPT))) kept.delete(old);
      const answer = question();
      answer.catch(() => {}); // whoever takes it asks again
      kept.set(key, answer);
    },

    /**
     * The answer that was asked for ahead, once; else that of the question.
     * @template T
     * @param {string} key
     * @param {Beside | null} beside
     * @param {() => Promise<T>} question
     * @returns {Promise<T>}
     */
    take(key, beside, question) {
      const answer = of === store.get().nodes && beside === null ? kept.get(key) : undefined;
      kept.delete(key);
      return answer === undefined ? question() : answer.catch(question);
    },
  };
}

/**
 * Ask ahead for what the node under the pointer would need, else the selected one.
 * @param {object} room
 * @param {import("./state.js").Store} room.store
 * @param {import("./loading.js").Loader} room.loader
 * @param {(id: Id) => number} room.wantedNext how many of its children an open node would show next
 * @param {(milliseconds: number) => Promise<void>} room.pause
 */
export function askAhead({ store, loader, wantedNext, pause }) {
  let last = "";

  store.subscribe((state) => {
    const id = state.hovered?.id ?? state.selected;
    const known = id === null ? undefined : state.children.get(id);
    const now = [id, state.expanded.has(id ?? NaN), known?.prefix, state.shown.get(id ?? NaN), state.order].join();
    if (now === last) return;
    last = now;
    void pause(REST).then(() => {
      if (last === now && id !== null) foresee(id);
    });
  });

  /** @param {Id} id */
  function foresee(id) {
    const state = store.get();
    if (state.phase !== "ready" || state.opened?.log.live !== undefined || shownBeside(state) !== null) return;
    if ((state.nodes.get(id)?.n_children ?? 0) === 0) return;
    loader.foresee(id, state.expanded.has(id) ? wantedNext(id) : null);
  }
}
