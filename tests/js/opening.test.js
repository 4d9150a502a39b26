import assert from "node:assert/strict";
import test from "node:test";

import { chosenChildren, drawnNodes, few, outline, pathTo } from "../../static/data/opening.js";
import { FOREST } from "../../static/data/types.js";
import { knowing, openedLog, plant } from "./forest.js";

/** A root with 30 plies, of scores 0, 1, … 29, and a stub behind them. */
const WIDE = plant([
  {
    children: [
      ...Array.from({ length: 30 }, (_, score) => ({ score, children: [{}] })),
      { outcome: "limited", count: 4 },
    ],
  },
]);
/** Ids of the children by their score: every ply has one child of its own. */
const child = (score) => 1 + 2 * score;
const STUB = 61;

test("a wide node shows its best few and its stub, best first or in the order of the search", () => {
  const state = knowing(WIDE, [0], { size: { width: 900, height: 480 } });
  assert.equal(few(480), 8);
  assert.deepEqual(chosenChildren(state, 0), [29, 28, 27, 26, 25, 24, 23].map(child).concat(STUB));
  const searched = knowing(WIDE, [0], { size: { width: 900, height: 480 }, order: "searched" });
  assert.deepEqual(chosenChildren(searched, 0), [0, 1, 2, 3, 4, 5, 6].map(child).concat(STUB));
});

test("the principal variation, the selection and open nodes are shown whatever their score", () => {
  const state = knowing(WIDE, [0, child(2)], { selected: child(5) + 1, size: { width: 900, height: 480 } });
  state.opened = openedLog(WIDE, { pv: [child(7)] });
  const path = new Set(pathTo(state, state.selected));
  assert.deepEqual(chosenChildren(state, 0, path), [29, 28, 27, 26, 7, 5, 2].map(child).concat(STUB));
});

test("whoever asked for more children gets them", () => {
  const state = knowing(WIDE, [0], { shown: new Map([[0, 31]]) });
  assert.equal(chosenChildren(state, 0).length, 31);
});

test("one child alone is drawn, not said to be hidden", () => {
  const state = knowing(WIDE, [0], { shown: new Map([[0, 30]]) });
  assert.equal(chosenChildren(state, 0).length, 31);
  assert.ok(outline(state).hidden.every((hidden) => hidden === 0));
});

test("the outline says how many children are not drawn, after those that are", () => {
  const state = knowing(WIDE, [0], { size: { width: 900, height: 480 } });
  const rows = outline(state);
  assert.equal(rows.hidden.at(-1), 23);
  assert.equal(rows.ids.at(-1), 0);
  assert.equal(rows.depth.at(-1), 1);
  assert.equal(rows.siblings[1], 31);
  assert.equal(rows.place[1], 0);
});

test("drawn nodes come in reading order, and folded ones hide what is below", () => {
  const nodes = plant([{ children: [{ children: [{}, {}] }, { children: [{}] }] }]);
  assert.deepEqual(drawnNodes(knowing(nodes, [0, 1])), [0, 1, 2, 3, 4]);
  assert.deepEqual(drawnNodes(knowing(nodes, [0, 4])), [0, 1, 4, 5]);
  assert.deepEqual(drawnNodes(knowing(nodes, [1, 4])), [0]);
});

test("of many roots those nearest the tree that counts are drawn", () => {
  const nodes = plant(Array.from({ length: 20 }, () => ({})));
  const state = knowing(nodes, [], { size: { width: 900, height: 300 } });
  state.opened = openedLog(nodes, { root: 17, pv: [17] });
  assert.deepEqual(chosenChildren(state, FOREST), [15, 16, 17, 18, 19]);
});

test("a drawing that starts further down knows no nodes above", () => {
  const nodes = plant([{ children: [{ children: [{ children: [{}] }] }] }]);
  const state = knowing(nodes, [0, 1, 2], { top: 1, selected: 3 });
  assert.deepEqual(drawnNodes(state), [1, 2, 3]);
  assert.deepEqual(pathTo(state, 3), [1, 2, 3]);
});

test("small subtrees are hidden and counted, but for stubs, the way to the selection and where more was asked for", () => {
  const below = (nodes) => ({ nodes, height: 1 });
  const nodes = plant([
    {
      children: [
        { below: below(3), children: [{}] },
        { below: below(20), children: [{}] },
        {},
        { outcome: "limited", count: 4 },
      ],
    },
  ]);
  const [big, small, leaf, stub] = [3, 1, 5, 6];
  const state = knowing(nodes, [0], { least: 10, order: "searched" });
  assert.deepEqual(chosenChildren(state, 0), [big, stub]);
  assert.deepEqual(outline(state).more.at(-1), { hidden: 2, others: 0, small: { plies: 2, nodes: 5 } });
  assert.deepEqual(drawnNodes({ ...state, selected: leaf }), [0, big, leaf, stub]);
  assert.deepEqual(drawnNodes({ ...state, kept: new Set([small]) }), [0, small, big, stub]);
  assert.deepEqual(drawnNodes({ ...state, shown: new Map([[0, 30]]) }), [0, small, big, leaf, stub]);
  assert.deepEqual(drawnNodes({ ...state, least: 4 }), [0, small, big, stub]);
});
