import assert from "node:assert/strict";
import test from "node:test";

import { chosenChildren, drawnNodes, few, outline, pathTo } from "../../static/data/opening.js";
import { FOREST } from "../../static/data/types.js";
import { knowing, openedLog, plant } from "./forest.js";

/** A root with 30 plies, of scores 0, 1, … 29, and a stub behind them; every ply has one child of its own. */
const PLIES = Array.from({ length: 30 }, (_, score) => ({ score, children: [{}] }));
const WIDE = plant([{ children: [...PLIES, { outcome: "limited", count: 4 }] }]);
const STUB = 61;
/** The root's children of these scores, and the stub. */
const of = (...scores) => [...scores.map((score) => 1 + 2 * score), STUB];

const low = (more = {}, open = [0]) => knowing(WIDE, open, { size: { width: 900, height: 480 }, ...more });

test("a wide node shows its best few and its stub, best first or in the order of the search", () => {
  assert.equal(few(480), 8);
  assert.deepEqual(chosenChildren(low(), 0), of(29, 28, 27, 26, 25, 24, 23));
  assert.deepEqual(chosenChildren(low({ order: "searched" }), 0), of(0, 1, 2, 3, 4, 5, 6));
  // The principal variation, the selection and open nodes are shown whatever their score.
  const [selected, open, best] = [5, 2, 7].map((score) => of(score)[0]);
  const state = low({ selected: selected + 1, opened: openedLog(WIDE, { pv: [best] }) }, [0, open]);
  assert.deepEqual(chosenChildren(state, 0, new Set(pathTo(state, selected + 1))), of(29, 28, 27, 26, 7, 5, 2));
});

test("whoever asked for more children gets them, and one child alone is not said to be hidden", () => {
  for (const asked of [31, 30]) {
    const state = knowing(WIDE, [0], { shown: new Map([[0, asked]]) });
    assert.equal(chosenChildren(state, 0).length, 31);
    assert.ok(outline(state).hidden.every((hidden) => hidden === 0));
  }
});

test("the outline says how many children are not drawn, after those that are", () => {
  const { hidden, ids, depth, siblings, place } = outline(low());
  assert.deepEqual([hidden.at(-1), ids.at(-1), depth.at(-1)], [23, 0, 1]);
  assert.deepEqual([siblings[1], place[1]], [31, 0]);
});

test("drawn nodes come in reading order, and folded ones hide what is below", () => {
  const nodes = plant([{ children: [{ children: [{}, {}] }, { children: [{}] }] }]);
  assert.deepEqual(drawnNodes(knowing(nodes, [0, 1])), [0, 1, 2, 3, 4]);
  assert.deepEqual(drawnNodes(knowing(nodes, [0, 4])), [0, 1, 4, 5]);
  assert.deepEqual(drawnNodes(knowing(nodes, [1, 4])), [0]);
});

test("of many roots those nearest the tree that counts are drawn", () => {
  const nodes = plant(Array.from({ length: 20 }, () => ({})));
  const opened = openedLog(nodes, { root: 17, pv: [17] });
  const state = knowing(nodes, [], { size: { width: 900, height: 300 }, opened });
  assert.deepEqual(chosenChildren(state, FOREST), [15, 16, 17, 18, 19]);
});

test("a drawing that starts further down knows no nodes above", () => {
  const nodes = plant([{ children: [{ children: [{ children: [{}] }] }] }]);
  const state = knowing(nodes, [0, 1, 2], { top: 1, selected: 3 });
  assert.deepEqual(drawnNodes(state), [1, 2, 3]);
  assert.deepEqual(pathTo(state, 3), [1, 2, 3]);
});

test("small subtrees are hidden and counted, but for stubs, the way to the selection and where more was asked for", () => {
  const of = (n) => ({ below: { nodes: n, height: 1 }, children: [{}] });
  const nodes = plant([{ children: [of(3), of(20), {}, { outcome: "limited", count: 4 }] }]);
  const [big, small, leaf, stub] = [3, 1, 5, 6];
  const state = knowing(nodes, [0], { least: 10, order: "searched" });
  assert.deepEqual(outline(state).more.at(-1), { hidden: 2, others: 0, small: { plies: 2, nodes: 5 } });
  for (const [more, drawn] of [
    [{}, [0, big, stub]],
    [{ selected: leaf }, [0, big, leaf, stub]],
    [{ kept: new Set([small]) }, [0, small, big, stub]],
    [{ shown: new Map([[0, 30]]) }, [0, small, big, leaf, stub]],
    [{ least: 4 }, [0, small, big, stub]],
  ])
    assert.deepEqual(drawnNodes({ ...state, ...more }), drawn);
});
