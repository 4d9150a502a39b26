import assert from "node:assert/strict";
import test from "node:test";

import { tidy } from "../../static/layout/tidy.js";

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

test("two children stand one gap apart and their parent between them", () => {
  assert.deepEqual([...tidy([-1, 0, 0], [28, 28, 28], GAP)], [31, 14, 48]);
});

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
