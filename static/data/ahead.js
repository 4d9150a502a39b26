// @ts-check
/**
 * Answers fetched ahead: while the pointer rests on a node, the page asks what a press on it would ask, so that the
 * press needs no request. The answers enter the state only with the press, and only the last few are kept.
 */

import { shownBeside } from "./merged.js";

/** @import { Beside } from "./merged.js" */
/** @import { Id, Room, State, Store } from "./types.js" */

/** Milliseconds on a node before its next answer is asked for: walking on with an arrow held asks nothing. */
const REST = 80;
const MOST_KEPT = 4;

/** The answers of the open log that were asked for ahead. @param {Store} store */
export function createAhead(store) {
  /** @type {Map<string, Promise<any>>} */
  const kept = new Map();
  let of = /** @type {State["nodes"] | null} */ (null);

  return {
    /**
     * Have an answer asked for; null where it failed, or is not wanted any more.
     * @template T
     * @param {string} key
     * @param {() => Promise<T>} question
     * @returns {Promise<T | null>}
     */
    async ask(key, question) {
      if (of !== store.get().nodes) kept.clear();
      of = store.get().nodes;
      if (!kept.has(key)) {
        for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size + 1 - MOST_KEPT))) kept.delete(old);
        kept.set(key, question());
      }
      const answer = kept.get(key);
      try {
        const found = await answer;
        return kept.get(key) === answer && of === store.get().nodes ? found : null;
      } catch {
        return null; // whoever takes it asks again
      }
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
 * Ask ahead for the node under the pointer, else for the selected one, and give the listeners that prepare drawings the
 * state that a press would lead to. The page is not idle until that is done.
 * @param {Room & {wantedNext: (id: Id) => number, pressed: (id: Id, state: State) => State}} room
 */
export function askAhead({ store, loader, wantedNext, pressed, pause }) {
  let last = "";

  store.subscribe((state) => {
    const id = state.hovered?.id ?? state.selected;
    const known = id === null ? undefined : state.children.get(id);
    const now = [id, state.expanded.has(id ?? NaN), known?.prefix, state.shown.get(id ?? NaN), state.order].join();
    if (now === last) return;
    last = now;
    if (id === null) return;
    const release = store.hold();
    void pause(REST)
      .then(() => (last === now ? foresee(id, now) : undefined))
      .finally(release);
  });

  /** @param {Id} id @param {string} now */
  async function foresee(id, now) {
    const state = store.get();
    if (state.phase !== "ready" || state.opened?.log.live !== undefined || shownBeside(state) !== null) return;
    if ((state.nodes.get(id)?.n_children ?? 0) === 0) return;
    const known = await loader.foresee(id, state.expanded.has(id) ? wantedNext(id) : null);
    if (known !== null && last === now) store.foresee(pressed(id, { ...store.get(), ...known }));
  }
}
