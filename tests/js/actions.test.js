import assert from "node:assert/strict";
import test from "node:test";

import { createActions } from "../../static/data/actions.js";
import { ApiError } from "../../static/data/api.js";
import { drawnNodes } from "../../static/data/opening.js";
import { readRoute, writeRoute } from "../../static/data/route.js";
import { createStore, initialState } from "../../static/data/state.js";
import { FOREST } from "../../static/data/types.js";
import { chain, fakeApi, full, pageOn, plant, settle } from "./forest.js";

test("opening a log shows its root, and its principal variation as far as the window goes", async () => {
  const { actions, state } = pageOn(plant([full(3, 6)]), { pv: [0, 1, 2, 3, 4, 5, 6] });
  await actions.openLog("a");
  assert.equal(state().phase, "ready");
  assert.equal(state().selected, 0);
  assert.deepEqual([...state().expanded], [0, 1, 2]);
  assert.equal(drawnNodes(state()).length, 10);
});

test("a small tree opens level by level, the principal variation first, as far as it fits", async () => {
  const nodes = plant([full(2, 4)]);
  const openedWith = async (rows) => {
    const { actions, state } = pageOn(
      nodes,
      { pv: [0, 16, 24] },
      {},
      { fits: (now) => drawnNodes(now).length <= rows },
    );
    await actions.openLog("a");
    return [...state().expanded];
  };
  assert.deepEqual(await openedWith(99), [0, 16, 24, 1, 2, 9, 17, 3, 6, 10, 13, 18, 21, 25, 28]);
  assert.deepEqual(await openedWith(11), [0, 16, 24, 1, 2]);
});

test("a large log opens its principal variation alone", async () => {
  const { actions, state } = pageOn(plant([full(3, 6)]), { pv: [0, 1] }, {}, { fits: () => true });
  await actions.openLog("a");
  assert.deepEqual([...state().expanded], [0, 1]);
});

test("opening a node asks once for its children, and folding keeps them", async () => {
  const { actions, state, asked } = pageOn(plant([full(3, 2)]));
  await actions.openLog("a");
  await actions.expand(1);
  actions.collapse(1);
  await actions.expand(1);
  assert.deepEqual(asked, ["nodes 0", "nodes 1"]);
  assert.equal(drawnNodes(state()).length, 7);
});

test("folding around the selection selects what was folded", async () => {
  const { actions, state } = pageOn(plant([full(3, 3)]));
  await actions.openLog("a");
  await actions.goTo(3);
  actions.collapse(1);
  assert.equal(state().selected, 1);
});

test("going to a node fetches and opens the way to it", async () => {
  const { actions, state } = pageOn(plant([full(3, 5)]));
  await actions.openLog("a");
  await actions.goTo(250);
  assert.equal(state().selected, 250);
  assert.ok(drawnNodes(state()).includes(250));
});

test("going to the last of many children shows it without fetching those between", async () => {
  const nodes = plant([{ children: Array.from({ length: 5000 }, () => ({})) }]);
  const { actions, state, asked } = pageOn(nodes);
  await actions.openLog("a");
  await actions.goTo(4321);
  assert.ok(drawnNodes(state()).includes(4321));
  assert.deepEqual(asked, ["nodes 0"]);
  await actions.showMore(0);
  assert.ok(drawnNodes(state()).includes(4321));
});

test("a node deep down is drawn from some levels above it, and going up draws from further up", async () => {
  const nodes = plant([chain(3000)]);
  const { actions, state } = pageOn(nodes);
  await actions.openLog("a");
  await actions.goTo(2500);
  const { top } = state();
  assert.ok(top !== null && top > 2400);
  assert.equal(drawnNodes(state())[0], top);
  actions.select(top);
  await actions.goParent();
  assert.equal(state().selected, top - 1);
  await actions.goRoot();
  assert.deepEqual([state().top, state().selected], [null, 0]);
});

test("a node of more children than are fetched shows its best, best first", async () => {
  const nodes = plant([{ children: Array.from({ length: 5000 }, (_, score) => ({ score: score % 4000 })) }]);
  const { actions, state, asked } = pageOn(nodes);
  await actions.openLog("a");
  const best = Array.from({ length: 10 }, (_, i) => 4000 - i);
  assert.deepEqual(drawnNodes(state()), [0, ...best]);
  assert.deepEqual([asked, state().children.get(0)?.prefix], [["nodes 0"], 100]);
});

/** A root of 2,000 plies whose scores rise; the stub behind them says that six more were not searched. */
const RISING = plant([
  { children: [...Array.from({ length: 2000 }, (_, score) => ({ score })), { outcome: "limited", count: 6 }] },
]);
const STUB = 2001;

test("pressing for more brings the next best of a wide node, however far behind they were searched", async () => {
  const { actions, state } = pageOn(RISING);
  await actions.openLog("a");
  const before = drawnNodes(state()).length;
  await actions.showMore(0);
  const drawn = drawnNodes(state()).filter((id) => id !== 0 && id !== STUB);
  assert.equal(drawn.length + 2, before + 30);
  assert.deepEqual(
    drawn,
    Array.from({ length: drawn.length }, (_, i) => STUB - 1 - i),
  );
  for (let presses = 0; presses < 2; presses += 1) await actions.showMore(0);
  const more = drawnNodes(state()).filter((id) => id !== 0 && id !== STUB);
  assert.deepEqual(
    more,
    Array.from({ length: drawn.length + 200 }, (_, i) => STUB - 1 - i),
  );
});

test("with what was searched first shown first, pressing for more brings the next searched", async () => {
  const { actions, state } = pageOn(RISING);
  await actions.openLog("a");
  await actions.setOrder("searched");
  await actions.showMore(0);
  const drawn = drawnNodes(state()).filter((id) => id !== 0 && id !== STUB);
  assert.deepEqual(
    drawn,
    Array.from({ length: drawn.length }, (_, i) => 1 + i),
  );
  await actions.setOrder("best");
  const best = drawnNodes(state()).filter((id) => id !== 0 && id !== STUB);
  assert.deepEqual(
    best,
    Array.from({ length: drawn.length }, (_, i) => STUB - 1 - i),
  );
});

test("opening a branch while keeping what is open folds nothing, then or later", async () => {
  const nodes = plant([{ children: Array.from({ length: 4 }, () => full(10, 1)) }]);
  const [first, second, third] = [1, 12, 23];
  const { actions, state } = pageOn(nodes, {}, {}, { fold: (now, id) => new Set([0, id ?? 0, ...now.held]) });
  await actions.openLog("a");
  await actions.expand(first);
  await actions.expand(second, { hold: true });
  assert.deepEqual(
    [...state().expanded].sort((a, b) => a - b),
    [0, first, second],
  );
  await actions.expand(third);
  assert.deepEqual(
    [...state().expanded].sort((a, b) => a - b),
    [0, first, second, third],
  );
});

test("more children come in pages until there are no more", async () => {
  const nodes = plant([{ children: Array.from({ length: 700 }, (_, score) => ({ score })) }]);
  const { actions, state } = pageOn(nodes);
  await actions.openLog("a");
  for (let presses = 0; presses < 12; presses += 1) await actions.showMore(0);
  assert.equal(drawnNodes(state()).length, 701);
  assert.equal(state().children.get(0)?.prefix, 700);
  actions.showFewer(0);
  assert.ok(drawnNodes(state()).length < 20);
});

test("opening all siblings holds them open", async () => {
  const { actions, state } = pageOn(plant([full(3, 2)]));
  await actions.openLog("a");
  await actions.expandSiblings(1);
  assert.deepEqual(
    [...state().held].sort((a, b) => a - b),
    [1, 5, 9].filter((id) => state().nodes.has(id)),
  );
  assert.equal(drawnNodes(state()).length, state().nodes.size);
});

test("a forest lists its trees and opens the one that counts", async () => {
  const { actions, state } = pageOn(plant([full(2, 1), full(2, 1), full(2, 1)]), { root: 6, pv: [6, 7] });
  await actions.openLog("a");
  assert.deepEqual(drawnNodes(state()), [0, 3, 6, 7, 8]);
  assert.equal(state().children.get(FOREST)?.total, 3);
});

test("who walked on from a hit stays there when the search ends", async () => {
  const { actions, state } = pageOn(plant([{ children: [{ ply: "d3" }, { ply: "c6", children: [{}] }] }]));
  await actions.openLog("a");
  await actions.searchFor("c6");
  await actions.goFirstChild();
  actions.leaveSearch();
  assert.deepEqual([state().search, state().selected], [null, 3]);
});

test("the list of hits reads on where one looks, and keeps the current hit", async () => {
  const { actions, state } = pageOn(plant([{ children: Array.from({ length: 900 }, () => ({ ply: "c6" })) }]));
  await actions.openLog("a");
  await actions.searchFor("c6");
  actions.showHits(700);
  await settle();
  const { offset = 0, items = [], at } = state().search ?? {};
  assert.ok(offset <= 700 && offset + items.length > 720, `hits from ${offset}`);
  assert.equal(at, 0);
});

test("a link restores the view it was taken from", async () => {
  const nodes = plant([full(3, 4)]);
  const one = pageOn(nodes, { pv: [0, 1] });
  await one.actions.openLog("a");
  await one.actions.goTo(50);
  await one.actions.expand(82);
  one.actions.setCamera({ x: 7, y: -9, scale: 0.5 });
  const address = writeRoute(one.state());
  const two = pageOn(nodes, { pv: [0, 1] });
  await two.actions.openLog("a", readRoute(address));
  assert.deepEqual(drawnNodes(two.state()), drawnNodes(one.state()));
  assert.equal(two.state().selected, 50);
  assert.deepEqual(two.state().camera, { x: 7, y: -9, scale: 0.5 });
});

test("a link to a node that the log lacks says so, and the log opens", async () => {
  const { actions, state } = pageOn(plant([full(2, 2)]));
  await actions.openLog("a", readRoute("#log=a&node=99"));
  assert.equal(state().phase, "ready");
  assert.equal(state().selected, 0);
  assert.match(state().notices[0]?.text ?? "", /no node 99/);
});

test("what a damaged link names wrongly is left out, the rest is restored, and it is said once", async () => {
  const { actions, state } = pageOn(plant([full(2, 3)]));
  await actions.openLog("a", readRoute("#log=a&node=3&open=0.1.zzz.1&more=0-9.4444-3&pin=777&at=1_2_0.5"));
  assert.ok(state().expanded.has(1));
  assert.deepEqual([state().selected, state().pinned, state().camera.scale], [3, null, 0.5]);
  assert.equal(state().notices.length, 1);
  assert.match(state().notices[0]?.text ?? "", /no node 46656 and 3 more/);
});

test("a log that cannot be read says why in the tree's place", async () => {
  const { actions, state } = pageOn(
    plant([full(2, 2)]),
    {},
    {
      open: async () => {
        throw new ApiError("line 3: found ], expected a value", 400);
      },
    },
  );
  await actions.openLog("a");
  assert.deepEqual([state().phase, state().message], ["error", "line 3: found ], expected a value"]);
});

test("a log that cannot be read is not asked for", async () => {
  const { opened } = fakeApi(plant([full(2, 2)]));
  const { actions, state } = pageOn(
    plant([full(2, 2)]),
    {},
    {
      read: async () => ({ ...opened.log, state: "failed", error: "line 3: found ]" }),
      open: async () => {
        throw new Error("asked for");
      },
    },
  );
  await actions.openLog("a");
  assert.deepEqual([state().phase, state().message], ["error", "line 3: found ]"]);
});

test("a log that is being read is waited for, and asked for once it is there", async () => {
  const nodes = plant([full(2, 2)]);
  const { opened } = fakeApi(nodes);
  let looks = 0;
  let opens = 0;
  const said = [];
  const { actions, state } = pageOn(
    nodes,
    {},
    {
      read: async () => ({ ...opened.log, state: "reading", compiling: true }),
      summary: async () => {
        said.push(state().message);
        return { ...opened.log, state: (looks += 1) < 3 ? "reading" : "ready", progress: 0.5 };
      },
      open: async () => {
        opens += 1;
        return opened;
      },
    },
  );
  await actions.openLog("a");
  assert.equal(state().phase, "ready");
  assert.deepEqual([looks, opens], [3, 1]);
  assert.deepEqual(
    said.map((text) => text.includes("once on a machine")),
    [true, false, false],
  );
});

test("the answer of a log that was left meanwhile is dropped", async () => {
  const nodes = plant([full(2, 2)]);
  const { opened } = fakeApi(nodes);
  let answer = () => {};
  let opening = () => {};
  const asked = new Promise((resolve) => {
    opening = resolve;
  });
  const { actions, state } = pageOn(
    nodes,
    {},
    {
      open: (log) => {
        if (log !== "slow") return Promise.resolve(opened);
        opening();
        return new Promise((resolve) => (answer = () => resolve({ ...opened, root: 4 })));
      },
    },
  );
  const slow = actions.openLog("slow");
  await asked;
  await actions.openLog("a");
  answer();
  await slow;
  assert.deepEqual([state().log, state().opened?.root], ["a", 0]);
});

test("a paste that was renamed is listed by its new name, what is odd in the data folder is said once", async () => {
  const nodes = plant([full(2, 2)]);
  const { opened } = fakeApi(nodes);
  const { actions, state } = pageOn(
    nodes,
    {},
    { logs: async () => ({ logs: [opened.log], default: "a", folders: [], notices: ["x is skipped"] }) },
  );
  await actions.loadLogs();
  assert.deepEqual(
    state().notices.map(({ text }) => text),
    ["x is skipped"],
  );
  actions.dismiss(state().notices[0]?.id ?? 0);
  await actions.loadLogs();
  assert.deepEqual(state().notices, []);
  await actions.renameLog(opened.log.id, "quiet moves off");
  assert.deepEqual(
    state().logs.map(({ name }) => name),
    ["quiet moves off"],
  );
});

test("a post that is refused tells its caller, and the page unless asked to be quiet", async () => {
  const refuse = async () => {
    throw new ApiError("not JSON: line 1", 400);
  };
  const { actions, state } = pageOn(plant([{}]), {}, { post: refuse });
  assert.deepEqual(await actions.postLog("x", "pasted", { quiet: true }), { error: "not JSON: line 1" });
  assert.equal(state().notices.length, 0);
  await actions.postLog("x", "pasted");
  assert.equal(state().notices.length, 1);
});

test("the details follow the selection, one question at a time, until a node is pinned", async () => {
  const nodes = plant([full(6, 1)]);
  const asked = [];
  const { actions, state } = pageOn(
    nodes,
    {},
    {
      details: async (_, id) => {
        asked.push(id);
        return { node: nodes.get(id), path: [], extras: {}, line: { nodes: [], leaf: nodes.get(id), how: "leaf" } };
      },
    },
  );
  await actions.openLog("a");
  await settle();
  assert.equal(state().details?.id, 0);
  for (let step = 0; step < 6; step += 1) actions.goNext();
  await settle();
  assert.equal(state().details?.data?.node.id, 6);
  assert.deepEqual(asked, [0, 6]);
  assert.equal(state().pinned, null);
  await actions.pin(2);
  actions.goFirst();
  await settle();
  assert.deepEqual([state().selected, state().details?.id, state().pinned], [0, 2, 2]);
  await actions.pin(null);
  assert.deepEqual([state().details?.id, state().pinned, state().panels.details], [0, null, true]);
});

test("a folded panel of details asks for nothing", async () => {
  let asked = 0;
  const { actions, state } = pageOn(
    plant([full(2, 1)]),
    {},
    {
      details: async () => {
        asked += 1;
        throw new ApiError("gone", 404);
      },
    },
  );
  actions.setPanel("details", false);
  await actions.openLog("a");
  await settle();
  assert.deepEqual([asked, state().details], [0, null]);
  actions.setPanel("details", true);
  await settle();
  assert.deepEqual([asked, state().details?.error], [1, "gone"]);
});

test("the details of the node pinned last are those that are shown", async () => {
  const { actions, state } = pageOn(plant([full(2, 1)]));
  await actions.openLog("a");
  await Promise.all([actions.pin(1), actions.pin(2)]);
  assert.deepEqual([state().details?.id, state().details?.data?.node.id], [2, 2]);
  await actions.pin(null);
  assert.deepEqual([state().pinned, state().details?.id], [null, 0]);
});

test("what is pointed at has a place and a part", () => {
  const { actions, state } = pageOn(plant([{}]));
  actions.hover(0, 5, 6, "wedge");
  assert.deepEqual(state().hovered, { id: 0, x: 5, y: 6, part: "wedge" });
  actions.hover(0, 5, 6);
  assert.equal(state().hovered?.part, "card");
  actions.hover(null);
  assert.equal(state().hovered, null);
});

test("back does not lead out of the page", () => {
  const travelled = [];
  const store = createStore(initialState(), { frame: () => {} });
  const actions = createActions(store, fakeApi(plant([{}])).api, { travel: (steps) => void travelled.push(steps) });
  actions.back();
  actions.forward();
  store.update({ visited: { at: 1, length: 3 } });
  actions.back();
  actions.forward();
  assert.deepEqual(travelled, [-1, 1]);
});
