import assert from "node:assert/strict";
import test from "node:test";

import { bestFirst, isStub, ranksByVisits, toNumber } from "../../static/data/claims.js";

const node = (index, fields) => ({ id: index, parent: 9, level: 1, index, n_children: 0, ...fields });

test("a best-first tree is ordered by visits, or by means where the search chooses so", () => {
  const some = [
    { visits: 5, mean: 0.9 },
    { visits: 60, mean: 0.4, score: 0.4 },
    { mean: 0.95 },
    { outcome: "unlogged", visits: 99, mean: 1 },
    { visits: 5, mean: 0.2 },
  ];
  const nodes = some.map((fields, index) => ({ id: index, parent: 0, level: 1, index, n_children: 0, ...fields }));
  const sorted = (layer, search) =>
    [...nodes].sort(bestFirst(layer, ranksByVisits({ search }))).map(({ index }) => index);
  assert.deepEqual(sorted("max", { order: "best_first" }), [1, 0, 4, 2, 3]);
  assert.deepEqual(sorted("min", { order: "best_first" }), [1, 4, 0, 2, 3]);
  assert.deepEqual(sorted("max", { order: "best_first", choose: "mean" }), [2, 0, 1, 4, 3]);
  assert.deepEqual(sorted("max", {}), [2, 0, 1, 4, 3]);
  const taken = nodes.slice(0, 2).map((node) => ({ ...node, score: 1, counted_as: node.index === 0 ? 0.5 : 2 }));
  assert.deepEqual(
    [...taken].sort(bestFirst("max")).map(({ index }) => index),
    [1, 0],
  );
});

const order = (nodes, layer) => [...nodes].sort(bestFirst(layer)).map(({ index }) => index);

test("max takes the highest score first and min the lowest", () => {
  const nodes = [node(0, { score: 1 }), node(1, { score: 3 }), node(2, { score: -2 })];
  assert.deepEqual(order(nodes, "max"), [1, 0, 2]);
  assert.deepEqual(order(nodes, "min"), [2, 0, 1]);
});

test("an upper bound does not stand before an exact score at a max node, however high it is", () => {
  const nodes = [node(0, { score: 9, bound: "upper" }), node(1, { score: 2, bound: "exact" })];
  assert.deepEqual(order(nodes, "max"), [1, 0]);
  assert.deepEqual(order(nodes, "min"), [1, 0]);
});

test("a lower bound guarantees its figure to max and nothing to min", () => {
  const nodes = [
    node(0, { score: 1, bound: "lower" }),
    node(1, { score: 5, bound: "exact" }),
    node(2, { score: 9, bound: "lower" }),
  ];
  assert.deepEqual(order(nodes, "max"), [2, 1, 0]);
  assert.deepEqual(order(nodes, "min"), [1, 0, 2]);
});

test("null moves and probes come after whatever counts, and a missing score last of its kind", () => {
  const nodes = [
    node(0, { score: 9, purpose: "null" }),
    node(1, {}),
    node(2, { score: "nan" }),
    node(3, { score: "-inf" }),
  ];
  assert.deepEqual(order(nodes, "max"), [3, 1, 2, 0]);
});

test("equal claims stay in the order of the search", () => {
  assert.deepEqual(order([node(2, { score: 1 }), node(0, { score: 1 }), node(1, { score: 1 })], "max"), [0, 1, 2]);
});

test("infinities are written as words and read as numbers", () => {
  assert.deepEqual(
    [toNumber("inf"), toNumber("-inf"), toNumber(null), toNumber(undefined), toNumber("nan")],
    [Infinity, -Infinity, NaN, NaN, NaN],
  );
});

test("only rows that stand for siblings are stubs", () => {
  assert.deepEqual(
    ["pruned", "limited", "skipped", "unlogged", "cutoff", "open"].map((outcome) => isStub(node(0, { outcome }))),
    [true, true, true, true, false, false],
  );
  assert.equal(isStub(node(0, {})), false);
});
