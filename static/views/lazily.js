// @ts-check
/** A part of the page that is seldom there: its code is loaded when it is first shown. */

/** @import { Actions, Mount, State, Store } from "../data/types.js" */

/**
 * @param {HTMLElement} container
 * @param {Store} store
 * @param {Actions} actions
 * @param {object} part
 * @param {(state: State) => boolean} part.isThere
 * @param {() => Promise<Mount>} part.load
 */
export function mountLazily(container, store, actions, { isThere, load }) {
  let isBegun = false;

  async function mount() {
    isBegun = true;
    const release = store.hold();
    try {
      (await load())(container, store, actions);
    } catch {
      isBegun = false;
      actions.notify("error", "A part of the page could not be loaded; is the server still there?");
    } finally {
      release();
    }
  }

  /** @param {State} state */
  function draw(state) {
    const there = isThere(state);
    container.hidden = !there;
    if (there && !isBegun) void mount();
  }

  store.follow(draw);
}
