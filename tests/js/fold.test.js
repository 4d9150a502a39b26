import assert from "node:assert/strict";
import test from "node:test";

import { foldToFit, fitsWindow, roomFor } from "../../static/layout/fold.js";
import { MARGIN, ROW } from "../../static/data/opening.js";
import { layOut, SIZES } from "../../static/layout/tree-layout.js";
import { chain, full, knowing, plant } from "./forest.js";

/** A root with three plies of ten replies each; a reply has two below. Ids of the plies: */
const NODES = plant([{ children: Array.from({ length: 3 }, () => full(10, 1)) }]);
const [A, B, C] = [1, 12, 23];
const SIZE = { width: 900, height: 800 };

const LETTERING = { name: () => "c6", digits: () => undefined, score: () => "+1", more: () => "+", width: () => 20 };
const extent = (state) => layOut(state, LETTERING, String);
const fold = (state, id) => foldToFit(state, id, extent);
const opened = (open, more = {}) => knowing(NODES, open, { size: SIZE, ...more });

test("the height of a card and its gap is the one that open nodes are measured by", () => {
  assert.equal(SIZES.card + SIZES.gap.siblings, ROW);
});

test("the branch that was opened first folds first and no more than needed; held ones and the way stay open", () => {
  assert.ok(extent(opened([0, B, A, C])).totalHeight > 800);
  for (const [state, id, open] of [
    [opened([0, A, B]), B, [0, A, B]],
    [opened([0, B, A, C]), C, [0, A, C]],
    [opened([0, A, B, C], { size: { width: 900, height: 100 } }), A, [0, A]],
    [opened([0, A, B, C], { held: new Set([A]) }), C, [0, A, C]],
    [opened([0, A, B, C], { camera: { x: 0, y: 0, scale: 0.5 } }), C, [0, A, B, C]], // zoomed out
  ])
    assert.deepEqual([...fold(state, id)], open);
});

test("a branch whose folding gains no room stays open", () => {
  const nodes = plant([{ children: [{ children: [full(1, 2)] }, full(10, 1), full(10, 1), full(10, 1)] }]);
  const [line, first, second, third] = [2, 5, 16, 27];
  const state = knowing(nodes, [0, 1, line, first, second, third], { size: SIZE, held: new Set([1]) });
  assert.deepEqual([...fold(state, third)], [0, 1, line, second, third]);
});

test("a branch that makes the drawing too wide folds when another tree is opened", () => {
  const nodes = plant([chain(6), full(2, 1)]);
  const state = knowing(nodes, [0, 1, 2, 3, 4, 5, 7], { size: { width: 500, height: 800 } });
  assert.ok(extent({ ...state, expanded: fold(state, 7) }).width <= 500);
  assert.ok(fold(state, 7).has(7));
});

test("one wide node shows as many children as the height holds", () => {
  const nodes = plant([full(60, 1)]);
  for (const height of [500, 900, 1400]) {
    const state = knowing(nodes, [0], { size: { width: 900, height } });
    const free = height - 2 * MARGIN - extent({ ...state, room: roomFor(state) }).totalHeight;
    assert.ok(free >= 0 && free < 2 * ROW, `${free} pixels are left of ${height}`);
  }
});

test("a chain of wide nodes fills the height at every level, without climbing out of the window", () => {
  const level = (below) => Array.from({ length: 40 }, (_, at) => (at === below?.at ? { children: below.plies } : {}));
  const nodes = plant([{ children: level({ at: 39, plies: level({ at: 0, plies: level() }) }) }]);
  const state = knowing(nodes, [0, 40, 41], { size: { width: 1200, height: 1000 } });
  const layout = extent({ ...state, room: roomFor(state) });
  assert.ok(layout.totalHeight <= 1000 - 2 * MARGIN);
  for (const depth of [1, 2, 3]) {
    const cards = layout.rows.depth.filter((one) => one === depth).length;
    assert.ok(cards >= 26, `${cards} rows on level ${depth}`);
  }
});

test("where several families stand in one column they share its height", () => {
  const nodes = plant([{ children: [full(40, 1), full(40, 1)] }]);
  const state = knowing(nodes, [0, 1, 42], { size: { width: 900, height: 1400 } });
  const room = roomFor(state);
  assert.ok(room > 16 && room < 20, `${room} children each`);
  assert.ok(extent({ ...state, room }).totalHeight <= 1400 - 2 * MARGIN);
});

test("what fits the window is what can be read in it", () => {
  const state = opened([0, A]);
  assert.ok(fitsWindow(state, extent));
  assert.ok(!fitsWindow({ ...state, size: { width: 900, height: 150 } }, extent));
  assert.ok(!fitsWindow({ ...state, size: { width: 250, height: 800 } }, extent));
});
