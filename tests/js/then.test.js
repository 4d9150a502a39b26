import assert from "node:assert/strict";
import test from "node:test";

import { asKnown, enteredAt, leftAt, stageOf } from "../../static/data/then.js";

/** root 0, a 1 (x 2, y 3), b 4 */
const NODES = [
  {
    id: 0,
    parent: null,
    level: 0,
    index: 0,
    n_children: 2,
    score: 3,
    outcome: "searched",
    alpha: "-inf",
    beta: "inf",
    below: { nodes: 4, height: 2, end: 5, best: 3 },
  },
  {
    id: 1,
    parent: 0,
    level: 1,
    index: 0,
    n_children: 2,
    score: 3,
    bound: "exact",
    outcome: "searched",
    why: "x",
    below: { nodes: 2, height: 1, end: 4 },
  },
  { id: 2, parent: 1, level: 2, index: 0, n_children: 0, score: 3, static: 3 },
  { id: 3, parent: 1, level: 2, index: 1, n_children: 0, score: 5 },
  { id: 4, parent: 0, level: 1, index: 1, n_children: 0, score: 2 },
];

/** The events by walking: enter and leave of each node. */
function walked() {
  const events = [];
  const walk = (node) => {
    events.push([node.id, true]);
    for (const child of NODES) if (child.parent === node.id) walk(child);
    events.push([node.id, false]);
  };
  walk(NODES[0]);
  return events;
}

test("a node is entered and left where a walk enters and leaves it", () => {
  const events = walked();
  for (const node of NODES) {
    assert.deepEqual(events[enteredAt(node)], [node.id, true]);
    assert.deepEqual(events[leftAt(node)], [node.id, false]);
  }
});

test("a score is known from the exit of its node on, and never before", () => {
  const events = walked();
  for (let event = 0; event < events.length; event += 1) {
    const replay = { event, stack: [] };
    for (const node of NODES) {
      const gone = events.slice(0, event + 1).some(([id, enters]) => id === node.id && !enters);
      const come = events.slice(0, event + 1).some(([id, enters]) => id === node.id && enters);
      assert.equal(stageOf(replay, node), gone ? "left" : come ? "open" : "later");
      const known = asKnown(replay, node);
      assert.equal(known.score, gone ? node.score : undefined);
      assert.equal(known.outcome, gone ? node.outcome : undefined);
      assert.equal(known.static, gone ? node.static : undefined);
      assert.equal(known.alpha, come ? node.alpha : undefined);
      assert.equal(known.below?.best, gone ? node.below?.best : undefined);
    }
  }
});

test("without a replay everything is known", () => {
  for (const node of NODES) assert.equal(asKnown(null, node), node);
});
