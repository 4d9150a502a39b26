// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { scoreReach, scoreShare, sentence } from "../../static/draw/card.js";
import { cardName } from "../../static/draw/lettering.js";
import { pvOf } from "../../static/data/opening.js";
import { knowing, openedLog, plant } from "./forest.js";

/** @typedef {import("../../static/data/types.js").TreeNode} TreeNode */

/** @param {Partial<TreeNode>} [fields] @returns {TreeNode} */
const visit = (fields) => ({ id: 1, parent: 0, level: 1, index: 0, ply: "c6", layer: "min", n_children: 0, ...fields });

test("a scout, a re-search, a null move and a probe differ on the card and when read aloud", () => {
  const purposes = /** @type {const} */ (["full", "scout", "research", "null", "probe"]);
  const names = purposes.map((purpose) => cardName(visit({ purpose })));
  assert.equal(new Set(names).size, 5);
  assert.ok(names.every((name) => name.endsWith("c6")));
  assert.equal(names[0], "c6");
  const spoken = purposes.map((purpose) => sentence({ node: visit({ purpose }), open: false, pv: false }));
  assert.deepEqual(spoken, ["c6, min", "c6, min, scout", "c6, min, re-search", "c6, min, null move", "c6, min, probe"]);
});

test("a principal variation of one node is no line", () => {
  const nodes = plant([{ children: [{}] }]);
  const state = knowing(nodes, []);
  state.opened = openedLog(nodes, { pv: [0] });
  assert.equal(pvOf(state).size, 0);
  state.opened = openedLog(nodes, { pv: [0, 1] });
  assert.equal(pvOf(state).size, 2);
});

test("a few scores far out do not wash out the colours of all others", () => {
  const children = Array.from({ length: 40 }, (_, i) => ({ score: i % 2 ? -(i % 10) : i % 10 }));
  const nodes = plant([{ score: 1, children: [...children, { score: 10_000 }, { score: /** @type {const} */ ("inf") }, {}] }]);
  const reach = scoreReach({ nodes, revision: 1 });
  assert.ok(reach >= 8 && reach <= 9);
  const share = (/** @type {import("../../static/data/types.js").Score} */ score) => scoreShare(visit({ score }), reach);
  assert.deepEqual([share(10_000), share("-inf"), share(0)], [1, -1, 0]);
  assert.ok(share(5) > 0.5);
  nodes.set(99, visit({ id: 99, score: 50 }));
  assert.equal(scoreReach({ nodes, revision: 1 }), reach);
});

test("where every score is 0 or none is known, nothing is for or against", () => {
  const nodes = plant([{ score: 0, children: [{}] }]);
  assert.equal(scoreReach({ nodes, revision: 0 }), 0);
  assert.equal(scoreShare(visit({ score: 0 }), 0), 0);
  assert.ok(Number.isNaN(scoreShare(visit(), 0)));
});
