// @ts-check
/** The page, put together: state, actions, the tree and what stands around it; then the log that the address names. */

import { createActions } from "./data/actions.js";
import { createApi } from "./data/api.js";
import { readRoute } from "./data/route.js";
import { createStore, initialState } from "./data/state.js";
import { foldToFit } from "./layout/fold.js";
import { mountAddress } from "./views/address.js";
import { mountKeyboard } from "./views/keyboard.js";
import { mountPage } from "./views/page.js";
import { keepSettings, readSettings } from "./views/settings.js";
import { mountTree } from "./views/tree-view.js";

const root = document.documentElement;
const testing = root.dataset.testing === "true";

const route = readRoute(location.hash);
const store = createStore(
  { ...initialState(), ...readSettings(localStorage), colour: route.colour, phase: "loading" },
  { idle: (idle) => (root.dataset.idle = String(idle)) },
);
const actions = createActions(store, createApi(), {
  fold: foldToFit,
  travel: (steps) => history.go(steps),
});

const container = document.getElementById("tree");
if (container === null) throw new Error("The page has no element #tree.");
keepSettings(localStorage, root, store);
mountPage(document, store, actions);
mountTree(container, store, actions);
mountKeyboard(document, store, actions);
mountAddress(window, store, actions, testing ? { quiet: 0 } : {});
void begin();

/** Open the log that the address names, else the first of the list. */
async function begin() {
  const release = store.hold();
  const first = await actions.loadLogs();
  const log = route.log ?? first;
  const wrong = store.get().notices[0]?.text;
  if (log === null) store.update({ phase: wrong === undefined ? "empty" : "error", message: wrong ?? "" });
  else await actions.openLog(log, route.log === null ? undefined : route);
  release();
}
