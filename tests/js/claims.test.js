import assert from "node:assert/strict";
import test from "node:test";

import { bestFirst, isStub, ranksByVisits, toNumber } from "../../static/data/claims.js";

const node = (fields, index) => ({ id: index, parent: 9, level: 1, index, n_children: 0, ...fields });
/** The places of the children of a node of this layer, best first. */
const order = (children, layer, ranks) =>
  [...children]
    .sort(bestFirst(layer, ranks))
    .map(({ index }) => index)
    .join("");

test("a best-first tree is ordered by visits, or by means where the search chooses so", () => {
  const nodes = [
    { visits: 5, mean: 0.9 },
    { visits: 60, mean: 0.4, score: 0.4 },
    { mean: 0.95 },
    { outcome: "unlogged", visits: 99, mean: 1 },
    { visits: 5, mean: 0.2 },
  ].map(node);
  const sorted = (layer, search) => order(nodes, layer, ranksByVisits({ search }));
  assert.equal(sorted("max", { order: "best_first" }), "10423");
  assert.equal(sorted("min", { order: "best_first" }), "14023");
  assert.equal(sorted("max", { order: "best_first", choose: "mean" }), "20143");
  assert.equal(sorted("max", {}), "20143");
});

test("children are ordered by what their scores guarantee to the layer, and what counts less comes last", () => {
  for (const [children, max, min] of [
    [[{ score: 1 }, { score: 3 }, { score: -2 }], "102", "201"],
    // An upper bound does not stand before an exact score at a max node, however high it is.
    [
      [
        { score: 9, bound: "upper" },
        { score: 2, bound: "exact" },
      ],
      "10",
      "10",
    ],
    // A lower bound guarantees its figure to max and nothing to min.
    [[{ score: 1, bound: "lower" }, { score: 5 }, { score: 9, bound: "lower" }], "210", "102"],
    // Null moves and probes come after whatever counts, a missing score last of its kind.
    [[{ score: 9, purpose: "null" }, {}, { score: "nan" }, { score: "-inf" }], "3120", "3120"],
    // What the parent counted is what ranks.
    [
      [
        { score: 1, counted_as: 0.5 },
        { score: 1, counted_as: 2 },
      ],
      "10",
      "01",
    ],
  ]) {
    const nodes = children.map(node);
    assert.deepEqual([order(nodes, "max"), order(nodes, "min")], [max, min]);
  }
  const equal = [2, 0, 1].map((index) => node({ score: 1 }, index));
  assert.equal(order(equal, "max"), "012", "equal claims stay in the order of the search");
});

test("infinities are written as words and read as numbers", () => {
  const read = ["inf", "-inf", null, undefined, "nan"].map(toNumber);
  assert.deepEqual(read, [Infinity, -Infinity, NaN, NaN, NaN]);
});

test("only rows that stand for siblings are stubs", () => {
  for (const outcome of ["pruned", "limited", "skipped", "unlogged"]) assert.ok(isStub(node({ outcome }, 0)));
  for (const outcome of ["cutoff", "open", undefined]) assert.equal(isStub(node({ outcome }, 0)), false);
});
