import assert from "node:assert/strict";
import test from "node:test";

import { createActions } from "../../static/data/actions.js";
import { drawnNodes } from "../../static/data/opening.js";
import { createResume, sameNodes, twinOf } from "../../static/data/resume.js";
import { createStore, initialState } from "../../static/data/state.js";
import { FOREST } from "../../static/data/types.js";
import { fakeApi, knowing, plant } from "./forest.js";

const node = (ply, ...children) => ({ ply, children });

const SMALL = [{ children: [node("a", node("c"), node("d")), node("b", node("e"), node("f"))] }];

/** A page on one content of a log, which `becomes` another. */
function shelf(roots) {
  let served = fakeApi(plant(roots));
  let reads = 0;
  const first = served.api;
  const names = Object.keys(first);
  const api = Object.fromEntries(names.map((name) => [name, (...given) => served.api[name](...given)]));
  api.read = async () => ({ ...served.opened.log, stamp: String(reads) });
  api.open = async () => ({ ...served.opened, log: { ...served.opened.log, stamp: String(reads) } });
  const store = createStore(initialState(), { frame: (draw) => void setImmediate(draw) });
  const actions = createActions(store, api, { pause: async () => {} });
  const becomes = (next) => {
    served = fakeApi(plant(next));
    reads += 1;
  };
  const plies = () => drawnNodes(store.get()).map((id) => store.get().nodes.get(id)?.ply ?? "root");
  const selected = () => store.get().nodes.get(store.get().selected ?? -1)?.ply ?? "root";
  return { actions, state: store.get, becomes, plies, selected };
}

test("a log that has grown is read again at the same node, with the same nodes open", async () => {
  const { actions, state, becomes, plies, selected } = shelf(SMALL);
  await actions.openLog("a");
  await actions.expand(4);
  await actions.goTo(5);
  actions.collapse(1);
  becomes([{ children: [...(SMALL[0]?.children ?? []), node("g")] }]);
  await actions.readAgain();
  assert.deepEqual([selected(), state().selected], ["e", 5]);
  assert.deepEqual(plies(), ["root", "a", "b", "e", "f", "g"]);
});

test("a node that has another id now is found by its plies, and what was open below others with it", async () => {
  const { actions, becomes, plies, selected } = shelf(SMALL);
  await actions.openLog("a");
  await actions.expand(1);
  await actions.goTo(6);
  becomes([{ children: [node("x", node("y")), node("b", node("z"), node("f", node("g"))), node("a", node("d"))] }]);
  await actions.readAgain();
  assert.equal(selected(), "f");
  assert.deepEqual(plies(), ["root", "x", "b", "z", "f", "a", "d"]);
});

test("where the node is not there any more the root is selected, and that is said", async () => {
  const { actions, state, becomes, selected } = shelf(SMALL);
  await actions.openLog("a");
  await actions.goTo(5);
  becomes([{ children: [node("a"), node("b", node("c"))] }]);
  await actions.readAgain();
  assert.equal(selected(), "root");
  assert.match(state().notices[0]?.text ?? "", /not in a\.json any more; its root is selected/);
});

test("what was pinned and looked for in the old content is not taken over onto the new one", async () => {
  const { actions, state, becomes } = shelf(SMALL);
  await actions.openLog("a");
  await actions.pin(2);
  await actions.searchFor("e");
  assert.equal(state().search?.total, 1);
  becomes(SMALL);
  await actions.readAgain();
  assert.deepEqual([state().pinned, state().search, state().report], [null, null, null]);
});

test("a search that fails after the log was read again says nothing of it", async () => {
  const { actions, state, becomes } = shelf(SMALL);
  await actions.openLog("a");
  await actions.goTo(5);
  let fail = () => {};
  const { nodes } = state();
  const store = createStore({ ...state(), nodes }, { frame: (draw) => void setImmediate(draw) });
  const { api } = fakeApi(plant(SMALL));
  const other = createActions(
    store,
    { ...api, search: () => new Promise((_, reject) => (fail = reject)) },
    { pause: async () => {} },
  );
  const asked = other.searchFor("e");
  becomes(SMALL);
  await other.readAgain();
  fail(new Error("this log has no node 5"));
  await asked;
  assert.equal(store.get().search, null);
});

test("an id names the same node where the same plies lead to it through the same ids", () => {
  const before = plant(SMALL);
  const now = plant([{ children: [node("a", node("c"), node("d")), node("x", node("e"), node("h"))] }]);
  assert.deepEqual([...sameNodes(before, now, before.keys())], [0, 1, 2, 3]);
  assert.deepEqual([...sameNodes(before, before, [4, 2, 99])].sort(), [2, 4]);
});

test("of several visits of one ply each has its own twin", () => {
  const before = knowing(plant([{ children: [node("a"), node("b"), node("a")] }]), [0]);
  const now = knowing(plant([{ children: [node("b"), node("a"), node("a")] }]), [0]);
  assert.deepEqual(
    [1, 2, 3].map((id) => twinOf(before, id, now, 0)),
    [2, 1, 3],
  );
  const fewer = knowing(plant([{ children: [node("a")] }]), [0]);
  assert.deepEqual(
    [1, 2, 3].map((id) => twinOf(before, id, fewer, 0)),
    [1, undefined, undefined],
  );
});

test("the main root of a run that goes on has its twin in the main root of what it became", async () => {
  const node = (id, level, parent, more = {}) => ({ id, level, parent, index: 0, n_children: 1, ...more });
  const before = {
    nodes: new Map([
      [0, node(0, 0, null)],
      [4, node(4, 1, 0, { ply: "c6" })],
    ]),
    children: new Map([
      [FOREST, { items: [0] }],
      [0, { items: [4] }],
    ]),
    expanded: new Set([0]),
    shown: new Map(),
    selected: 4,
    top: null,
    room: 0,
    camera: null,
    opened: { root: 0, log: { name: "run" } },
  };
  const now = {
    nodes: new Map([
      [0, node(0, 0, null, { iteration: 10 })],
      [7, node(7, 0, null, { iteration: 100 })],
      [8, node(8, 1, 7, { ply: "c6" })],
    ]),
    children: new Map([
      [FOREST, { items: [0, 7] }],
      [7, { items: [8] }],
    ]),
    opened: { root: 7, log: { name: "run" } },
  };
  const store = { get: () => now, update: () => {} };
  const loader = { existing: async () => [0], children: async () => true };
  const laid = [];
  const notes = [];
  const resume = createResume({
    store,
    loader,
    walk: { lay: async (how) => laid.push(how) },
    notify: (...said) => notes.push(said),
    painted: async () => {},
  });
  await resume(before);
  assert.deepEqual([laid[0].node, laid[0].open, notes], [8, [7], []]);
});

test("as many children as before are shown once the tree has the height that it keeps", async () => {
  const nodes = new Map([[0, { id: 0, parent: FOREST, ply: null, layer: "max" }]]);
  let now = {
    nodes,
    selected: 0,
    expanded: new Set(),
    shown: new Map(),
    children: new Map(),
    opened: { root: 0, log: { name: "run" } },
    room: 19,
  };
  const before = now;
  const drawn = new Promise((resolve) =>
    setTimeout(() => {
      now = { ...now, room: 20 }; // as a tree that has become higher has it
      resolve(undefined);
    }),
  );
  const resume = createResume({
    store: {
      get: () => now,
      update: (change) => {
        now = { ...now, ...(typeof change === "function" ? change(now) : change) };
      },
    },
    loader: { existing: async () => [0], children: async () => true },
    walk: { lay: async () => {} },
    notify: () => {},
    painted: () => drawn,
  });
  await resume(before);
  await drawn;
  assert.equal(now.room, 19);
});
