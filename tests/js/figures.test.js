import assert from "node:assert/strict";
import test from "node:test";

import { pairRows } from "../../static/views/statistics/figures.js";

const row = (name, value, cells, most) => ({ key: `k-${name}`, name, share: value / most, value, cells });

test("rows of two logs pair by name on one scale, cells by their columns; what is not told is a dash", () => {
  const now = [row("a", 2, ["2"], 4), row("b", 4, ["4"], 4)];
  const before = [row("b", 8, ["8"], 8), row("c", 1, ["1"], 8)];
  const rows = pairRows(now, ["nodes"], before, ["nodes"]);
  assert.deepEqual(
    rows.map(({ name, share, cells, old }) => [name, share, cells, old]),
    [
      ["a", 0.25, ["2"], null],
      ["b", 0.5, ["4"], { share: 1, cells: ["8"] }],
      ["c", null, ["–"], { share: 0.125, cells: ["1"] }],
    ],
  );
  const [both, other] = [row("a", 1, ["1", "2 s"], 1), row("a", 1, ["9 %", "1"], 1)];
  const [first] = pairRows([both], ["nodes", "seconds"], [other], ["share", "nodes"]);
  assert.deepEqual(first?.old?.cells, ["1", "–"]);
});

test("shares that stand for themselves stay as they are", () => {
  const ratio = { key: "k", name: "table", share: 0.3, cells: ["30 %"] };
  const [first] = pairRows([ratio], ["succeeded"], [{ ...ratio, share: 0.9, cells: ["90 %"] }], ["succeeded"]);
  assert.equal(first?.share, 0.3);
  assert.equal(first?.old?.share, 0.9);
});
