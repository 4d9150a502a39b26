// @ts-check
/** A part of the page that is seldom there: its code is loaded when it is first shown. */

/** @typedef {import("../data/types.js").State} State */
/** @typedef {import("../data/state.js").Store} Store */
/** @typedef {import("../data/actions.js").Actions} Actions */

/**
 * @param {HTMLElement} container
 * @param {Store} store
 * @param {Actions} actions
 * @param {object} part
 * @param {(state: State) => boolean} part.isThere
 * @param {() => Promise<(container: HTMLElement, store: Store, actions: Actions) => () => void>} part.load its mount
 * @returns {() => void}
 */
export function mountLazily(container, store, actions, { isThere, load }) {
  let remove = /** @type {(() => void) | null} */ (null);
  let loading = false;

  async function mount() {
    loading = true;
    const release = store.hold();
    try {
      remove = (await load())(container, store, actions);
    } catch {
      actions.notify("error", "A part of the page could not be loaded; is the server still there?");
    } finally {
      loading = false;
      release();
    }
  }

  /** @param {State} state */
  function draw(state) {
    const there = isThere(state);
    container.hidden = !there;
    if (there && remove === null && !loading) void mount();
  }

  draw(store.get());
  const unsubscribe = store.subscribe(draw);
  return () => {
    unsubscribe();
    remove?.();
  };
}
