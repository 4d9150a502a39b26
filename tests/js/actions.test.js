import assert from "node:assert/strict";
import test from "node:test";

import { ApiError } from "../../static/data/api.js";
import { drawnNodes } from "../../static/data/opening.js";
import { readRoute } from "../../static/data/route.js";
import { mountAddress } from "../../static/views/page/address.js";
import { fakeApi, full, openPage, pageOn, plant, settle } from "./forest.js";

const SMALL = plant([full(2, 2)]);
/** `n` figures that rise or fall by one. */
const from = (first, n, step = 1) => Array.from({ length: n }, (_, i) => first + step * i);
/** A root with `n` plies, a ply what `make` says of its place. */
const wide = (n, make) => plant([{ children: Array.from({ length: n }, (_, at) => make(at)) }]);
const texts = ({ notices }) => notices.map(({ text }) => text);

test("opening a log shows its root, and its principal variation as far as the window goes", async () => {
  const { state } = await openPage(plant([full(3, 6)]), { pv: [0, 1, 2, 3, 4, 5, 6] });
  assert.deepEqual([state().phase, state().selected, [...state().expanded]], ["ready", 0, [0, 1, 2]]);
  assert.equal(drawnNodes(state()).length, 10);
  const large = await openPage(plant([full(3, 6)]), { pv: [0, 1] }, {}, { fits: () => true });
  assert.deepEqual([...large.state().expanded], [0, 1], "a large log opens nothing else");
});

test("a small tree opens level by level, the principal variation first, as far as it fits", async () => {
  for (const [rows, open] of [
    [99, [0, 16, 24, 1, 2, 9, 17, 3, 6, 10, 13, 18, 21, 25, 28]],
    [11, [0, 16, 24, 1, 2]],
  ]) {
    const fits = (now) => drawnNodes(now).length <= rows;
    const { state } = await openPage(plant([full(2, 4)]), { pv: [0, 16, 24] }, {}, { fits });
    assert.deepEqual([...state().expanded], open);
  }
});

test("opening a node asks once for its children, folding keeps them and selects what was folded", async () => {
  const { actions, state, asked } = await openPage(plant([full(3, 2)]));
  await actions.expand(1);
  actions.select(3);
  actions.collapse(1);
  assert.equal(state().selected, 1);
  await actions.expand(1);
  assert.deepEqual(asked, ["nodes 0", "nodes 1"]);
  assert.equal(drawnNodes(state()).length, 7);
});

test("going to the last of many children shows it without fetching those between", async () => {
  const { actions, state, asked } = await openPage(wide(5000, () => ({})));
  await actions.goTo(4321);
  assert.ok(drawnNodes(state()).includes(4321));
  assert.deepEqual(asked, ["nodes 0"]);
  await actions.showMore(0);
  assert.ok(drawnNodes(state()).includes(4321));
});

test("of a wide node the next best come by a press, however far behind they were searched, or the next searched", async () => {
  const plies = from(0, 2000).map((score) => ({ score }));
  const { actions, state, asked } = await openPage(plant([{ children: [...plies, { outcome: "limited", count: 6 }] }]));
  const drawn = () => drawnNodes(state()).filter((id) => id !== 0 && id !== 2001); // neither the root nor the stub
  const before = drawn().length;
  assert.deepEqual(drawn(), from(2000, before, -1));
  assert.deepEqual([asked, state().children.get(0)?.prefix], [["nodes 0"], 100]);
  await actions.showMore(0);
  assert.deepEqual(drawn(), from(2000, before + 30, -1));
  for (let presses = 0; presses < 2; presses += 1) await actions.showMore(0);
  assert.deepEqual(drawn(), from(2000, before + 230, -1));
  await actions.setOrder("searched");
  await actions.showMore(0);
  assert.deepEqual(drawn(), from(1, drawn().length));
  await actions.setOrder("best");
  assert.deepEqual(drawn(), from(2000, drawn().length, -1));
});

test("who walked on from a hit stays there when the search ends", async () => {
  const { actions, state } = await openPage(plant([{ children: [{ ply: "d3" }, { ply: "c6", children: [{}] }] }]));
  await actions.searchFor("c6");
  await actions.goFirstChild();
  actions.leaveSearch();
  assert.deepEqual([state().search, state().selected], [null, 3]);
});

test("what a damaged link names wrongly is left out, the rest is restored, and it is said once", async () => {
  const open = async (address) => {
    const { actions, state } = pageOn(plant([full(2, 3)]));
    await actions.openLog("a", readRoute(address));
    assert.equal(state().notices.length, 1);
    return state();
  };
  const missing = await open("#log=a&node=99");
  assert.deepEqual([missing.phase, missing.selected], ["ready", 0]);
  assert.match(texts(missing)[0], /no node 99/);
  const damaged = await open("#log=a&node=3&open=0.1.zzz.1&more=0-9.4444-3&pin=777&at=1_2_0.5");
  assert.ok(damaged.expanded.has(1));
  assert.deepEqual([damaged.selected, damaged.pinned, damaged.camera.scale], [3, null, 0.5]);
  assert.match(texts(damaged)[0], /no node 46656 and 3 more/);
});

test("a log that cannot be read says why in the tree's place, and is asked for once at most", async () => {
  const { opened } = fakeApi(SMALL);
  const message = "line 3: found ], expected a value";
  const refuses = async () => {
    throw new ApiError(message, 400);
  };
  for (const read of [refuses, async () => ({ ...opened.log, state: "failed", error: message })]) {
    const other = { read, nodes: () => assert.fail("asked for") };
    const { state } = await openPage(SMALL, {}, other);
    assert.deepEqual([state().phase, state().message], ["error", message]);
  }
});

test("a log that is being read is waited for, and asked for once it is there", async () => {
  const { opened } = fakeApi(SMALL);
  let looks = 0;
  const said = [];
  const other = {
    read: async () => ({ ...opened.log, state: "reading", compiling: true }),
    summary: async () => {
      said.push(state().message);
      const isReady = (looks += 1) === 3;
      return { ...opened.log, state: isReady ? "ready" : "reading", progress: 0.5, ...(isReady && { opened }) };
    },
  };
  const { actions, state } = pageOn(SMALL, {}, other);
  await actions.openLog("a");
  assert.deepEqual([state().phase, looks], ["ready", 3]);
  const compiling = said.map((text) => text.includes("once on a machine"));
  assert.deepEqual(compiling, [true, false, false]);
});

test("nodes that come with a log that is opened are not asked for again", async () => {
  const { api, opened } = fakeApi(SMALL);
  const { nodes } = await api.nodes("a", [opened.root], 100);
  const read = async () => ({ ...opened.log, opened: { ...opened, totals: { ...opened.totals, rows: 5000 }, nodes } });
  const { actions, asked, state } = pageOn(SMALL, {}, { read });
  await actions.openLog("a");
  assert.deepEqual([asked, drawnNodes(state()).length], [[], 1 + nodes[0].children.items.length]);
});

test("the answer of a log that was left meanwhile is dropped", async () => {
  const { opened } = fakeApi(SMALL);
  const [asked, held] = [Promise.withResolvers(), Promise.withResolvers()];
  const read = (log) => (log === "slow" ? (asked.resolve(), held.promise) : Promise.resolve({ opened }));
  const { actions, state } = pageOn(SMALL, {}, { read });
  const slow = actions.openLog("slow");
  await asked.promise;
  await actions.openLog("a");
  held.resolve({ opened: { ...opened, root: 4 } });
  await slow;
  assert.deepEqual([state().log, state().opened?.root], ["a", 0]);
});

test("the details follow the selection, one question at a time, until a node is pinned", async () => {
  const nodes = plant([full(6, 1)]);
  const asked = [];
  const line = { nodes: [], how: "leaf" };
  const details = async (_, id) => (asked.push(id), { node: nodes.get(id), path: [], extras: {}, line });
  const { actions, state } = await openPage(nodes, {}, { details });
  await settle();
  assert.equal(state().details?.id, 0);
  for (let step = 0; step < 6; step += 1) actions.goNext();
  await settle();
  assert.equal(state().details?.data?.node.id, 6);
  assert.deepEqual([asked, state().pinned], [[0, 6], null]);
  await Promise.all([actions.pin(1), actions.pin(2)]);
  assert.equal(state().details?.data?.node.id, 2, "of two that are pinned at once the last is shown");
  actions.goFirst();
  await settle();
  assert.deepEqual([state().selected, state().details?.id, state().pinned], [0, 2, 2]);
  await actions.pin(null);
  assert.deepEqual([state().details?.id, state().pinned, state().panels.details], [0, null, true]);
});

test("a folded panel of details asks for nothing", async () => {
  let asked = 0;
  const details = async () => {
    asked += 1;
    throw new ApiError("gone", 404);
  };
  const { actions, state } = pageOn(SMALL, {}, { details });
  actions.setPanel("details", false);
  await actions.openLog("a");
  await settle();
  assert.deepEqual([asked, state().details], [0, null]);
  actions.setPanel("details", true);
  await settle();
  assert.deepEqual([asked, state().details?.error], [1, "gone"]);
});

test("back does not lead out of the page, however often it is asked before the browser has gone", () => {
  const gone = [];
  let pop = () => {};
  const page = { addEventListener: (_, on) => (pop = on), setTimeout: () => 1, clearTimeout: () => {}, document: {} };
  const history = { state: null, go: (steps) => void gone.push(steps) };
  const { store, actions } = pageOn(plant([{}]), {}, {}, { travel: (steps) => address.travel(steps) });
  const address = mountAddress({ ...page, history, location: { hash: "#log=a" } }, store, actions);
  for (const visited of [undefined, { at: 1, length: 3 }]) {
    if (visited) store.update({ visited });
    actions.back();
    actions.back();
    actions.forward();
    actions.forward();
    actions.forward();
  }
  assert.deepEqual(gone, [-1, 1, 1]);
  pop({ state: { at: 2 } }); // one of them comes after the other
  store.update({ visited: { at: 2, length: 3 } });
  for (const at of [undefined, 1, 0]) {
    if (at !== undefined) pop({ state: { at } });
    actions.back();
    actions.back();
  }
  assert.deepEqual(gone, [-1, 1, 1, -1, -1]);
});
