// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { drawnHeight, foldToFit } from "../../static/layout/fold.js";
import { full, knowing, plant } from "./forest.js";

/** A root with three plies of ten replies each; a reply has two below. Ids of the plies: */
const NODES = plant([{ children: Array.from({ length: 3 }, () => full(10, 1)) }]);
const [A, B, C] = [1, 12, 23];
const SIZE = { width: 900, height: 800 };

test("what fits stays open", () => {
  const state = knowing(NODES, [0, A, B], { size: SIZE });
  assert.deepEqual([...foldToFit(state, B)], [0, A, B]);
});

test("the branch that was opened first folds first, and no more than needed", () => {
  const state = knowing(NODES, [0, B, A, C], { size: SIZE });
  assert.ok(drawnHeight(state) > 800);
  assert.deepEqual([...foldToFit(state, C)], [0, A, C]);
});

test("the way to the opened node stays open even where it does not fit", () => {
  const state = knowing(NODES, [0, A, B, C], { size: { width: 900, height: 100 } });
  assert.deepEqual([...foldToFit(state, A)], [0, A]);
});

test("held branches stay open", () => {
  const state = knowing(NODES, [0, A, B, C], { size: SIZE, held: new Set([A]) });
  assert.deepEqual([...foldToFit(state, C)], [0, A, C]);
});

test("a branch whose folding gains no room stays open", () => {
  const nodes = plant([{ children: [{ children: [full(1, 2)] }, full(10, 1), full(10, 1), full(10, 1)] }]);
  const [chain, first, second, third] = [2, 5, 16, 27];
  const state = knowing(nodes, [0, 1, chain, first, second, third], { size: SIZE, held: new Set([1]) });
  assert.deepEqual([...foldToFit(state, third)], [0, 1, chain, second, third]);
});

test("zoomed out there is room for more", () => {
  const state = knowing(NODES, [0, A, B, C], { size: SIZE, camera: { x: 0, y: 0, scale: 0.5 } });
  assert.equal(foldToFit(state, C).size, 4);
});
