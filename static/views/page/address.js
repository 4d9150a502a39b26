// @ts-check
/** Keeps the address bar a link to exactly this view, and goes where the browser's back and forward lead. */

import { readRoute, writeRoute } from "../../data/route.js";
import { nodeName } from "../../draw/words.js";

/** @import { Actions, State, Store } from "../../data/types.js" */

/** Milliseconds of quiet before the address changes: browsers allow only so many changes a minute. */
const QUIET = 200;

/**
 * @param {Window} page
 * @param {Store} store
 * @param {Actions} actions
 * @param {{quiet?: number}} [options]
 */
export function mountAddress(page, store, actions, { quiet = QUIET } = {}) {
  let timer = 0;
  let place = /** @type {{log: string | null, selected: number | null}} */ ({ log: null, selected: null });
  let travelling = false;
  let going = 0; // steps through the history that the browser has not taken yet
  const at = Number(page.history.state?.at ?? 0); // after a reload, the history is still there
  if (at > 0) store.update({ visited: { at, length: at + 1 } });

  function write() {
    timer = 0;
    const state = store.get();
    if (state.phase !== "ready" || travelling) return;
    const address = writeRoute(state);
    const moved = place.log !== state.log || place.selected !== state.selected;
    const begins = place.log === null;
    if (address === page.location.hash && !moved) return;
    place = { log: state.log, selected: state.selected };
    if (!moved || begins || state.following) {
      page.history.replaceState({ at: state.visited.at }, "", address);
      return;
    }
    const at = state.visited.at + 1;
    page.history.pushState({ at }, "", address);
    store.update({ visited: { at, length: at + 1 } });
  }

  /** @param {PopStateEvent} event */
  async function onPop(event) {
    const route = readRoute(page.location.hash);
    if (route.log === null) {
      write(); // a link within the page, such as the one that skips to the tree
      return;
    }
    travelling = true;
    const state = store.get();
    const at = Number(event.state?.at ?? state.visited.at);
    const left = going - (at - state.visited.at);
    going = at !== state.visited.at && going * left > 0 ? left : 0;
    store.update({
      visited: { at, length: Math.max(at + 1, state.visited.length) },
      colour: route.colour,
      order: route.order,
      least: route.least,
      drawer: route.drawer,
      iteration: route.iteration,
    });
    try {
      if (route.log !== state.log) await actions.openLog(route.log, route);
      else {
        if (state.opened !== null) actions.settleOrder(state.opened);
        if (route.against === null) await actions.endDiff();
        else await actions.compareWith(route.against, { iteration: route.againstIteration, stay: true });
        await actions.restore(route);
        await actions.restoreWeights(route.weights);
        await actions.restoreTable(route.table);
      }
    } finally {
      travelling = false;
      place = { log: store.get().log, selected: store.get().selected };
    }
  }

  store.subscribe((state) => {
    const title = titleOf(state);
    if (page.document.title !== title) page.document.title = title;
    if (timer !== 0) page.clearTimeout(timer);
    timer = page.setTimeout(write, quiet);
  });
  page.addEventListener("popstate", onPop);

  /** Go this far in the history of visited nodes, never out of it. @param {number} steps */
  function travel(steps) {
    if (going === 0) {
      page.clearTimeout(timer);
      write(); // the node that was chosen just now, from which one goes
    }
    const { at, length } = store.get().visited;
    const to = at + going + steps;
    if (to < 0 || to >= length) return;
    going += steps;
    page.history.go(steps);
  }

  return { travel };
}

/** The title of this view for the window and the history: `b5 · reversi-midgame · Plyscope`. @param {State} state */
function titleOf({ logs, log, phase, nodes, selected }) {
  const name = logs
    .find((summary) => summary.id === log)
    ?.name.replace(/\.(jsonl?|plyb|parquet|js|txt)?(\.gz|\.zst)?$/, "");
  const node = phase === "ready" && selected !== null ? nodes.get(selected) : undefined;
  const short = node && (nodeName(node).length > 40 ? `${nodeName(node).slice(0, 40)}\u2026` : nodeName(node));
  return [short, name, "Plyscope"].filter((part) => part !== undefined && part !== "").join(" \u00b7 ");
}
