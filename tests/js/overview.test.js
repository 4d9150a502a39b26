import assert from "node:assert/strict";
import test from "node:test";

import { moved, zoomed } from "../../static/views/overview/actions.js";
import { boxOf, cellAt, cellBeside, icicle } from "../../static/views/overview/icicle.js";

const picture = {
  ...{ first: 0, last: 6, nodes: 6, form: "icicle", length: 6, unit: "nodes", colour: "layer" },
  ...{ top: 0, per_band: 1, bottom: 1, width: 12, ids: [7, 8, 9], plies: [null, "a", "b"] },
  layers: ["max", "min", "min"],
  bands: [
    [12, 0, 1],
    [2, -1, 0, 6, 1, 1, 3, 2, 1, 1, 2, 4],
  ],
};

test("a part is zoomed around a place that stays and ends with all nodes, moved no further than the tree goes", () => {
  const part = (first, last) => ({ first, last });
  for (const [before, place, factor, after] of [
    [part(0, 100), 0.5, 0.5, part(25, 75)],
    [part(25, 75), 0, 0.5, part(25, 50)],
    [part(25, 75), 1, 0.5, part(50, 75)],
    [part(90, 100), 0.5, 4, part(60, 100)],
    [part(25, 75), 0.5, 2, null],
    [part(10, 15), 0.5, 0.1, part(11, 15)], // never fewer than four nodes
  ])
    assert.deepEqual(zoomed(before, 100, place, factor), after);
  assert.equal(zoomed(part(0, 3), 3, 0.5, 0.5), null);
  assert.deepEqual(moved(part(20, 40), 100, 0.5), part(30, 50));
  assert.deepEqual(moved(part(20, 40), 100, -2), part(0, 20));
  assert.deepEqual(moved(part(75, 95), 100, 0.5), part(80, 100));
});

test("each pixel has the cell of its run, and beside a cell is the next one of its band", () => {
  const run = { at: 1, id: 8, nodes: 1, from: 2, to: 8 };
  for (const [band, x, cell] of [
    [1, 2, run],
    [1, 7, run],
    [1, 11, { at: 2, id: 9, nodes: 4, from: 11, to: 12 }],
    [1, 0, null],
    [1, 12, null],
    [0, -1, null],
    [2, 0, null],
  ])
    assert.deepEqual(cellAt(picture, band, x), cell);
  const beside = (...place) => cellBeside(picture, ...place)?.id;
  assert.deepEqual([beside(1, 3, 1), beside(1, 8, -1), beside(1, 0, 1)], [9, 8, 8]);
  assert.deepEqual([beside(1, 3, -1), beside(0, 3, 1)], [undefined, undefined]);
});

test("one path has all runs of a colour", () => {
  const runs = icicle(picture, 10, { reach: 0 }).map(({ name, d }) => `${name} ${d.split("M").length - 1}`);
  assert.deepEqual(runs, ["max 1", "min 3"]);
});

test("a box lies where its nodes are, at least a pixel wide, and not beyond the part", () => {
  assert.deepEqual(boxOf(picture, [1, 4, 1], 10), { x: 2, y: 10, width: 6 });
  const part = { ...picture, first: 2, last: 4 };
  assert.deepEqual(boxOf(part, [1, 4, 1], 10), { x: 0, y: 10, width: 12 });
  assert.equal(boxOf(part, [4, 6, 1], 10), null);
  assert.equal(boxOf(picture, [1, 4, 5], 10), null);
  assert.equal(boxOf({ ...picture, width: 2 }, [5, 6, 1], 10)?.width, 1);
});
