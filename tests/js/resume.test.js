import assert from "node:assert/strict";
import test from "node:test";

import { createActions } from "../../static/data/actions.js";
import { drawnNodes } from "../../static/data/opening.js";
import { createResume, sameNodes, twinOf } from "../../static/data/resume.js";
import { createStore, initialState } from "../../static/data/state.js";
import { fakeApi, knowing, pageOn, plant } from "./forest.js";

const node = (ply, ...children) => ({ ply, children });

const [A, B] = [node("a", node("c"), node("d")), node("b", node("e"), node("f"))];
const SMALL = [{ children: [A, B] }];

/** A page on a small log that is open, at node `at`; the log `becomes` another. */
async function shelf(at) {
  let served = fakeApi(plant(SMALL));
  let reads = 0;
  const api = Object.fromEntries(
    Object.keys(served.api).map((name) => [name, (...given) => served.api[name](...given)]),
  );
  api.read = async () => ({ opened: { ...served.opened, log: { ...served.opened.log, stamp: String(reads) } } });
  const store = createStore(initialState(), { frame: (draw) => void setImmediate(draw) });
  const actions = createActions(store, api, { pause: async () => {} });
  await actions.openLog("a");
  await actions.goTo(at);
  const becomes = (...plies) => {
    served = fakeApi(plant([{ children: plies }]));
    reads += 1;
    return actions.readAgain();
  };
  const name = (id) => store.get().nodes.get(id)?.ply ?? "root";
  const plies = () => drawnNodes(store.get()).map(name).join(" ");
  return { actions, state: store.get, becomes, plies, selected: () => name(store.get().selected) };
}

test("a node that has another id now is found by its plies, and what was open below others with it", async () => {
  const { actions, becomes, plies, selected } = await shelf(6);
  await actions.expand(1);
  await becomes(node("x", node("y")), node("b", node("z"), node("f", node("g"))), node("a", node("d")));
  assert.deepEqual([selected(), plies()], ["f", "root x b z f a d"]);
});

test("where the node is not there any more the root is selected, and that is said", async () => {
  const { state, becomes, selected } = await shelf(5);
  await becomes(node("a"), node("b", node("c")));
  assert.equal(selected(), "root");
  assert.match(state().notices[0]?.text ?? "", /not in a\.json any more; its root is selected/);
});

test("a search that fails after the log was read again says nothing of it", async () => {
  const answer = Promise.withResolvers();
  const { actions, state } = pageOn(plant(SMALL), {}, { search: () => answer.promise });
  await actions.openLog("a");
  const asked = actions.searchFor("e");
  await actions.readAgain();
  answer.reject(new Error("this log has no node 5"));
  await asked;
  assert.deepEqual([state().search, state().notices], [null, []]);
});

test("an id names the same node where the same plies lead to it through the same ids", () => {
  const before = plant(SMALL);
  const now = plant([{ children: [A, node("x", node("e"), node("h"))] }]);
  assert.deepEqual([...sameNodes(before, now, before.keys())], [0, 1, 2, 3]);
  assert.deepEqual([...sameNodes(before, before, [4, 2, 99])].sort(), [2, 4]);
});

test("of several visits of one ply each has its own twin", () => {
  const plies = (...names) => knowing(plant([{ children: names.map((name) => node(name)) }]), [0]);
  const before = plies("a", "b", "a");
  const twins = (now) => [1, 2, 3].map((id) => twinOf(before, id, now, 0));
  assert.deepEqual(twins(plies("b", "a", "a")), [2, 1, 3]);
  assert.deepEqual(twins(plies("a")), [1, undefined, undefined]);
});

test("the main root of a run that goes on has its twin in the main root of what it became", async () => {
  const root = (id, iteration) => [id, { id, level: 0, parent: null, index: 0, n_children: 1, iteration }];
  const ply = (id, parent) => [id, { id, level: 1, parent, index: 0, n_children: 1, ply: "c6" }];
  const log = { name: "run" };
  const before = knowing(new Map([root(0), ply(4, 0)]), [0], { selected: 4, opened: { root: 0, log } });
  const now = knowing(new Map([root(0, 10), root(7, 100), ply(8, 7)]), [], { opened: { root: 7, log } });
  const laid = [];
  const notes = [];
  await createResume({
    store: { get: () => now, update: () => {} },
    loader: { existing: async () => [0], children: async () => true },
    walk: { lay: async (how) => laid.push(how) },
    notify: (...said) => notes.push(said),
    painted: async () => {},
  })(before);
  assert.deepEqual([laid[0].node, laid[0].open, notes], [8, [7], []]);
});
