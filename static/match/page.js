// @ts-check
/** The common parts of the pages of results: settings, the server's client, the signal that they are idle, their places. */

import { createApi } from "../data/api.js";
import { createStore, initialState } from "../data/state.js";
import { keepPresses } from "../views/page/presses.js";
import { keepSettings, readSettings } from "../views/page/settings.js";

/** Begin a page of results: `id` names what it shows. */
export function beginPage() {
  const root = document.documentElement;
  const store = createStore(
    { ...initialState(), ...readSettings(localStorage) },
    { idle: (idle) => (root.dataset.idle = String(idle)) },
  );
  keepSettings(localStorage, root, store);
  keepPresses(window);

  /** Work during which the page is not idle. @param {() => Promise<void>} work */
  async function during(work) {
    const release = store.hold();
    try {
      await work();
    } finally {
      release();
    }
  }

  return { store, api: createApi(), id: document.body.dataset.results ?? "", during };
}

/** The element of that id. @param {string} id */
export function at(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element #${id}.`);
  return element;
}
