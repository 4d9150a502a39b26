/** Where rows stand: a tidy tree, levels that stay within the height, what stays open. */
import assert from "node:assert/strict";
import test from "node:test";

import { tidy } from "../../static/layout/tidy.js";
import { intoSpan } from "../../static/layout/levels.js";
import { fitsWindow, foldToFit, roomFor } from "../../static/layout/fold.js";
import { MARGIN, ROW } from "../../static/data/opening.js";
import { SIZES, layOut } from "../../static/layout/tree-layout.js";
import { chain, full, knowing, plant } from "./forest.js";

const GAP = { siblings: 6, cousins: 14 };

/** The slow, obvious way: recursion, and every row of a level against every other. */
function obvious(parent, height) {
  const childrenOf = (row) => parent.flatMap((above, at) => (above === row ? [at] : []));
  function place(row) {
    const placed = [];
    for (const child of childrenOf(row)) {
      const subtree = place(child);
      let shift = placed.length === 0 ? 0 : -Infinity;
      for (const above of placed.flat()) {
        for (const below of subtree) {
          if (above.level !== below.level + 1) continue;
          const gap = above.level === 1 ? GAP.siblings : GAP.cousins;
          shift = Math.max(shift, above.y + half(above.row) + gap + half(below.row) - below.y);
        }
      }
      placed.push(subtree.map(({ row: at, level, y }) => ({ row: at, level: level + 1, y: y + shift })));
    }
    const first = placed[0]?.[0]?.y ?? 0;
    const last = placed.at(-1)?.[0]?.y ?? 0;
    const own = { row, level: 0, y: 0 };
    return [own, ...placed.flat().map((spot) => ({ ...spot, y: spot.y - (first + last) / 2 }))];
  }
  const half = (row) => (height[row] ?? 0) / 2;
  const spots = place(-1).slice(1);
  const top = Math.min(...spots.map(({ row, y }) => y - half(row)));
  return parent.map((_, row) => (spots.find((spot) => spot.row === row)?.y ?? NaN) - top);
}

function dice(seed) {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

test("the layout is the same as the slow and obvious one on a thousand trees", () => {
  for (let seed = 1; seed <= 1000; seed += 1) {
    const roll = dice(seed * 7919);
    const n = 1 + Math.floor(roll() * 24);
    const height = Array.from({ length: n }, () => 10 + Math.floor(roll() * 30));
    // Pre-order: the parent of a row is on the path to the row before it.
    const parent = [-1];
    const bushy = roll();
    while (parent.length < n) {
      let above = parent.length - 1;
      while (above !== -1 && roll() > bushy) above = parent[above];
      parent.push(above);
    }
    const found = tidy(parent, height, GAP);
    obvious(parent, height).forEach((y, row) =>
      assert.ok(Math.abs(y - (found[row] ?? NaN)) < 1e-6, `seed ${seed}, row ${row}`),
    );
  }
});

test("a chain of 100,000 levels is straight, as many children stand one below the other, nothing is nothing", () => {
  const rows = [...Array(100_000).keys()];
  const height = new Float64Array(rows.length).fill(20);
  const chain = rows.map((row) => row - 1);
  assert.ok(tidy(chain, height, GAP).every((y) => y === 10));
  const children = rows.map((row) => (row === 0 ? -1 : 0));
  assert.equal(tidy(children, height, GAP).at(-1), 10 + 26 * 99_998);
  assert.equal(tidy([], [], GAP).length, 0);
});

/** Rows of height 10: three on level 1 around 25, three on level 2 around 5, and so climbing. */
const DEPTH = [0, 1, 1, 1, 2, 2, 2];
const HEIGHT = new Float64Array(7).fill(10);
const climbing = () => Float64Array.of(45, 35, 45, 55, 5, 15, 25);

test("a level that climbs out comes back as a whole, and those below it move along", () => {
  for (const [room, span, places] of [
    [60, 60, [...climbing()]], // it fits
    [40, 40, [25, 15, 25, 35, 5, 15, 25]],
    [10, 30, [15, 5, 15, 25, 5, 15, 25]], // it is higher than the room by itself
  ]) {
    const middle = climbing();
    assert.equal(intoSpan(middle, HEIGHT, DEPTH, room), span);
    assert.deepEqual([...middle], places);
  }
  const middle = Float64Array.of(...climbing(), 15);
  intoSpan(middle, new Float64Array(8).fill(10), [...DEPTH, 3], 30);
  assert.equal(middle[7], middle[5]);
  assert.equal(intoSpan(new Float64Array(0), [], [], 100), 0);
});

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
