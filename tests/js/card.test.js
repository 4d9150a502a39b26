import assert from "node:assert/strict";
import test from "node:test";

import { sentence } from "../../static/views/tree/card.js";
import { apart } from "../../static/draw/numbers.js";
import { cardName } from "../../static/draw/lettering.js";
import { pvOf } from "../../static/data/opening.js";
import { knowing, openedLog, plant } from "./forest.js";

const visit = (fields) => ({ id: 1, parent: 0, level: 1, index: 0, ply: "c6", layer: "min", n_children: 0, ...fields });

test("a scout, a re-search, a null move and a probe differ on the card and when read aloud", () => {
  const purposes = ["full", "scout", "research", "null", "probe"];
  const names = purposes.map((purpose) => cardName(visit({ purpose })));
  assert.equal(new Set(names).size, 5);
  assert.ok(names.every((name) => name.endsWith("c6")));
  assert.equal(names[0], "c6");
  const spoken = purposes.map((purpose) => sentence({ node: visit({ purpose }), open: false, pv: false }));
  assert.deepEqual(spoken, ["c6, min", "c6, min, scout", "c6, min, re-search", "c6, min, null move", "c6, min, probe"]);
});

test("a card read aloud says a win in full words, and other scores with the digits of their siblings", () => {
  const mate = { score: 1_000_000, step: 1, threshold: 999_000 };
  const face = { open: false, pv: false, mate };
  assert.equal(sentence({ node: visit({ score: 999_995 }), ...face }), "c6, min, win in 5 among the plies searched");
  assert.equal(sentence({ node: visit({ score: 999_995, proof: { is: "proven" } }), ...face }), "c6, min, win in 5");
  const digits = apart([0.12341, 0.12344]);
  assert.equal(
    sentence({ node: visit({ score: 0.12341, bound: "upper" }), ...face, digits }),
    "c6, min, score at most +0.12341",
  );
  assert.equal(sentence({ node: visit({ score: 40 }), ...face, digits }), "c6, min, score +40");
  assert.equal(sentence({ node: visit({ score: 7.1 }), ...face, digits }), "c6, min, score +7.1");
});

test("a principal variation of one node is no line", () => {
  const nodes = plant([{ children: [{}] }]);
  const state = knowing(nodes, []);
  state.opened = openedLog(nodes, { pv: [0] });
  assert.equal(pvOf(state).size, 0);
  state.opened = openedLog(nodes, { pv: [0, 1] });
  assert.equal(pvOf(state).size, 2);
});
