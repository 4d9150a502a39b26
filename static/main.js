// @ts-check
/** The start of the page: state, actions, the tree and the parts around it; then the log that the address names. */

import { createActions } from "./data/actions.js";
import { createApi } from "./data/api.js";
import { isShared, sendWithin } from "./data/shared/embedded.js";
import { pageOfResults, readRoute } from "./data/route.js";
import { createStore, initialState } from "./data/state.js";
import { html } from "./draw/element.js";
import { canvasMeasure, createLettering } from "./draw/lettering.js";
import { countText } from "./draw/wedge.js";
import { fitsWindow, foldToFit, roomFor } from "./layout/fold.js";
import { layOut } from "./layout/tree-layout.js";
import { mountAddress } from "./views/page/address.js";
import { keepFocus } from "./views/page/focus.js";
import { mountKeyboard } from "./views/page/keyboard.js";
import { mountNarrow } from "./views/page/narrow.js";
import { mountPage } from "./views/page/page.js";
import { keepPresses } from "./views/page/presses.js";
import { keepSettings, readSettings } from "./views/page/settings.js";
import { mountTree } from "./views/tree/tree-view.js";

/** @import { State } from "./data/types.js" */

const root = document.documentElement;
const testing = root.dataset.testing === "true";
/** Milliseconds at a node until its details are drawn: longer than between two presses of a key that is held. */
const REST = 100;

const embedded = document.getElementById("embedded");
const api = embedded === null ? createApi() : createApi(sendWithin(embedded), "");
/** All pages of files have one storage: a page that is one file keeps nothing. */
const storage = isShared ? { getItem: () => null, setItem: () => {} } : localStorage;
/** The wishes of a test beside the signal that the page is idle. */
const asked = testing ? new URLSearchParams(location.search).get("testing") : null;
/** The view that the address names, else the one with which a page in one file was shared. */
const route = { ...readRoute(location.hash), ...(location.hash === "" && JSON.parse(root.dataset.shared || "{}")) };
const store = createStore(
  {
    ...initialState(),
    ...(testing && { isFirst: asked === "first" }),
    ...readSettings(storage),
    colour: route.colour,
    order: route.order,
    phase: "loading",
  },
  {
    idle: (idle) => (root.dataset.idle = String(idle)),
    early: () => void root.getBoundingClientRect(), // styles and places too are known by the time the frame comes
    rest: testing ? 0 : REST,
  },
);
const container = document.getElementById("tree");
if (container === null) throw new Error("The page has no element #tree.");
const lettering = createLettering(canvasMeasure(container));
/** @param {State} state */
const extent = (state) => layOut(state, lettering, countText);
const actions = createActions(store, api, {
  fold: (state, id) => foldToFit(state, id, extent),
  room: roomFor,
  fits: (state) => fitsWindow(state, extent),
  travel: (steps) => address.travel(steps),
  download: (address) => html("a", { href: address, download: "" }).click(),
  painted: () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  isAsking: isShared ? false : testing ? asked === "ahead" : !savesData(),
});
keepSettings(storage, root, store);
mountPage(document, store, actions);
mountTree(container, store, actions);
mountKeyboard(document, store, actions);
mountNarrow(window, store, actions);
keepFocus(document, store);
keepPresses(window);
const address = mountAddress(window, store, actions, testing ? { quiet: 0 } : {});
void begin();

/** Whether the browser asks for few requests; only some browsers say so. */
function savesData() {
  return /** @type {{connection?: {saveData?: boolean}}} */ (navigator).connection?.saveData === true;
}

/** Open the log that the address names, else the first of the list. */
async function begin() {
  const release = store.hold();
  const first = await actions.loadLogs();
  // A reader who comes from the results of a match or a tuning wants a log and is not sent back there.
  const isList = new URLSearchParams(location.search).has("list");
  const resultsOf = (/** @type {string | null} */ id) => pageOfResults(store.get().logs.find((log) => log.id === id));
  const other = store.get().logs.find(({ id }) => resultsOf(id) === null)?.id ?? null;
  const log = route.log ?? (isList && resultsOf(first) !== null ? other : first);
  const results = resultsOf(log);
  if (results !== null) {
    location.replace(results);
    return;
  }
  const wrong = store.get().notices.find(({ kind }) => kind === "error")?.text;
  if (isList) actions.setPanel("logs", true);
  if (log === null) store.update({ phase: wrong === undefined ? "empty" : "error", message: wrong ?? "" });
  else await actions.openLog(log, route.log === null ? undefined : route);
  if (route.stop !== null) actions.setStop(route.stop);
  if (route.event !== null && store.get().phase === "ready") await actions.seekReplay(route.event);
  release();
}
