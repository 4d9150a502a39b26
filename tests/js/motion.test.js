import assert from "node:assert/strict";
import test from "node:test";

import { ease, stageAt } from "../../static/views/tree/motion.js";
import { linkPath } from "../../static/views/tree/link.js";

const ALL = { leaving: true, moving: true, entering: true };

test("what goes folds before anything moves, and what comes unfolds last", () => {
  assert.deepEqual(stageAt(0, ALL), { fold: 0, move: 0, unfold: 0 });
  assert.deepEqual(stageAt(1 / 3, ALL), { fold: 1, move: 0, unfold: 0 });
  assert.deepEqual(stageAt(0.5, ALL), { fold: 1, move: 0.5, unfold: 0 });
  assert.deepEqual(stageAt(1, ALL), { fold: 1, move: 1, unfold: 1 });
});

test("a part that does not occur takes no time", () => {
  assert.deepEqual(stageAt(0.5, { leaving: false, moving: false, entering: true }), { fold: 1, move: 1, unfold: 0.5 });
});

test("motion begins and ends slowly", () => {
  assert.deepEqual([ease(0), ease(0.5), ease(1)], [0, 0.5, 1]);
  assert.ok(ease(0.1) < 0.1 && ease(0.9) > 0.9);
});

test("a link runs straight through the lane of wedges and turns only in its own", () => {
  assert.equal(linkPath(100, 50, 260, 90), "M100 50H216C238 50 238 90 260 90");
  assert.ok(linkPath(100, 50, 120, 90).startsWith("M100 50H100C"));
});
