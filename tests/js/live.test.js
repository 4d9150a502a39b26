import assert from "node:assert/strict";
import test from "node:test";

import { createLiveActions } from "../../static/views/live/actions.js";
import { createStore, initialState } from "../../static/data/state.js";

/** A page on a log that is written, of which the viewer says one after the other what is in `said`. */
function following(said) {
  const summary = { id: "run", name: "run.jsonl" };
  const opened = (log) => ({ log, root: 0, roots: [0], pv: [] });
  const store = createStore(initialState(), { frame: (draw) => draw() });
  const before = [];
  let isOver;
  const over = new Promise((resolve) => (isOver = resolve));
  createLiveActions({
    store,
    api: {
      live: async () => said.shift(),
      open: async () => opened(summary), // it ended between two answers
    },
    loader: { replant: async () => true, children: async () => true, path: async () => true },
    attempt: async (work) => work(),
    openLog: async (id, route, state) => {
      before.push(state);
      store.update({ log: null, phase: "loading" });
      isOver();
    },
    renew: async () => {},
    pause: async () => {},
  });
  store.update({
    log: "run",
    phase: "ready",
    nodes: new Map([[0, { id: 0, parent: null, n_children: 1 }]]),
    opened: opened({ ...summary, live: {} }),
  });
  return { before, over };
}

test("the bar of a log stays until the ended log is opened, so that the tree keeps its height", async () => {
  const now = { state: "open", generation: 1, mark: 1, snapshot: 1 };
  const { before, over } = following([now, { state: "ended", log: "run" }]);
  await over;
  assert.equal(before[0].live?.snapshot, 1);
});
