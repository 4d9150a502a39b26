import assert from "node:assert/strict";
import test from "node:test";

import { moved, zoomed } from "../../static/views/overview/actions.js";
import { boxOf, cellAt, cellBeside, icicle } from "../../static/views/overview/icicle.js";

const picture = {
  first: 0,
  last: 6,
  nodes: 6,
  form: "icicle",
  length: 6,
  unit: "nodes",
  top: 0,
  per_band: 1,
  bottom: 1,
  width: 12,
  bands: [
    [12, 0, 1],
    [2, -1, 0, 6, 1, 1, 3, 2, 1, 1, 2, 4],
  ],
  ids: [7, 8, 9],
  plies: [null, "a", "b"],
  colour: "layer",
  layers: ["max", "min", "min"],
};

test("a part is zoomed around a place that stays, and ends with all nodes", () => {
  assert.deepEqual(zoomed({ first: 0, last: 100 }, 100, 0.5, 0.5), { first: 25, last: 75 });
  assert.deepEqual(zoomed({ first: 25, last: 75 }, 100, 0, 0.5), { first: 25, last: 50 });
  assert.deepEqual(zoomed({ first: 25, last: 75 }, 100, 1, 0.5), { first: 50, last: 75 });
  assert.deepEqual(zoomed({ first: 90, last: 100 }, 100, 0.5, 4), { first: 60, last: 100 });
  assert.equal(zoomed({ first: 25, last: 75 }, 100, 0.5, 2), null);
});

test("a part never has fewer than four nodes, nor more than there are", () => {
  assert.deepEqual(zoomed({ first: 10, last: 15 }, 100, 0.5, 0.1), { first: 11, last: 15 });
  assert.equal(zoomed({ first: 0, last: 3 }, 3, 0.5, 0.5), null);
});

test("a part is moved no further than the tree goes", () => {
  assert.deepEqual(moved({ first: 20, last: 40 }, 100, 0.5), { first: 30, last: 50 });
  assert.deepEqual(moved({ first: 20, last: 40 }, 100, -2), { first: 0, last: 20 });
  assert.deepEqual(moved({ first: 75, last: 95 }, 100, 0.5), { first: 80, last: 100 });
});

test("each pixel has the cell of its run", () => {
  assert.deepEqual(cellAt(picture, 1, 2), { at: 1, id: 8, nodes: 1, from: 2, to: 8 });
  assert.deepEqual(cellAt(picture, 1, 7), { at: 1, id: 8, nodes: 1, from: 2, to: 8 });
  assert.deepEqual(cellAt(picture, 1, 11), { at: 2, id: 9, nodes: 4, from: 11, to: 12 });
  for (const [band, x] of [
    [1, 0],
    [1, 12],
    [0, -1],
    [2, 0],
  ])
    assert.equal(cellAt(picture, band ?? 0, x ?? 0), null);
});

test("beside a cell is the next one of its band, beyond what is empty", () => {
  assert.equal(cellBeside(picture, 1, 3, 1)?.id, 9);
  assert.equal(cellBeside(picture, 1, 8, -1)?.id, 8);
  assert.equal(cellBeside(picture, 1, 0, 1)?.id, 8);
  assert.equal(cellBeside(picture, 1, 3, -1), null);
  assert.equal(cellBeside(picture, 0, 3, 1), null);
});

test("one path has all runs of a colour", () => {
  assert.deepEqual(
    icicle(picture, 10, { reach: 0 }).map(({ name, d }) => [name, d.split("M").length - 1]),
    [
      ["max", 1],
      ["min", 3],
    ],
  );
});

test("a box lies where its nodes are, at least a pixel wide, and not beyond the part", () => {
  assert.deepEqual(boxOf(picture, [1, 4, 1], 10), { x: 2, y: 10, width: 6 });
  const part = { ...picture, first: 2, last: 4 };
  assert.deepEqual(boxOf(part, [1, 4, 1], 10), { x: 0, y: 10, width: 12 });
  assert.equal(boxOf(part, [4, 6, 1], 10), null);
  assert.equal(boxOf(picture, [1, 4, 5], 10), null);
  assert.equal(boxOf({ ...picture, width: 2 }, [5, 6, 1], 10)?.width, 1);
});
