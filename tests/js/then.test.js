import assert from "node:assert/strict";
import test from "node:test";

import { asKnown, enteredAt, leftAt, stageOf } from "../../static/data/then.js";

const below = (nodes, height, end, best) => ({ nodes, height, end, best });
/** root 0, a 1 (x 2, y 3), b 4 */
const NODES = [
  { parent: null, level: 0, outcome: "searched", score: 3, alpha: "-inf", below: below(4, 2, 5, 3) },
  { parent: 0, level: 1, outcome: "searched", score: 3, bound: "exact", why: "x", below: below(2, 1, 4) },
  { parent: 1, level: 2, score: 3, static: 3 },
  { parent: 1, level: 2, score: 5 },
  { parent: 0, level: 1, score: 2 },
].map((node, id) => ({ id, ...node }));

/** The events by walking: enter and leave of each node. */
function walked(node = NODES[0]) {
  const children = NODES.filter(({ parent }) => parent === node.id);
  return [[node.id, true], ...children.flatMap(walked), [node.id, false]];
}

test("a node is entered and left where a walk enters and leaves it, and its score is known from its exit on", () => {
  const events = walked();
  for (const node of NODES) {
    assert.deepEqual(events[enteredAt(node)], [node.id, true]);
    assert.deepEqual(events[leftAt(node)], [node.id, false]);
    for (let event = 0; event < events.length; event += 1) {
      const replay = { event, stack: [] };
      const [come, gone] = [enteredAt(node) <= event, leftAt(node) <= event];
      assert.equal(stageOf(replay, node), gone ? "left" : come ? "open" : "later");
      const known = asKnown(replay, node);
      for (const name of ["score", "outcome", "static"])
        assert.equal(known[name], gone ? node[name] : undefined, `${name} of ${node.id} at ${event}`);
      assert.equal(known.alpha, come ? node.alpha : undefined);
      assert.equal(known.below?.best, gone ? node.below?.best : undefined);
    }
    assert.equal(asKnown(null, node), node, "without a replay everything is known");
  }
});
