import assert from "node:assert/strict";
import test from "node:test";

import { sentence } from "../../static/views/tree/card.js";
import { meanText } from "../../static/draw/lettering.js";
import { runFields } from "../../static/draw/run-words.js";
import { tipFigures } from "../../static/views/tree/tip-figures.js";
import { nodeFields } from "../../static/draw/words.js";
import { openedLog } from "./forest.js";

const visit = (fields) => ({ id: 1, parent: 0, level: 1, index: 0, ply: "c6", n_children: 0, ...fields });
const told = (fields, players = []) => tipFigures(visit(fields), undefined, players);

test("a tip of a best-first tree has the mean, the visits, how games ended and the terms of the choice", () => {
  const node = {
    mean: 0.966249,
    visits: 1400,
    wins: 1377,
    draws: 19,
    losses: 4,
    prior: 0.25,
    ucb: { exploit: 0.97, explore: 0.123456, n: 3, n_parent: 9 },
  };
  assert.deepEqual(told(node), [
    ["mean", "0.9662"],
    ["visits", "1,400"],
    ["won, drawn, lost", "1,377, 19, 4"],
    ["prior", "0.25"],
    ["ucb", "0.97 + 0.1235"],
  ]);
  assert.deepEqual(told({ wins: 3 }), [["won, drawn, lost", "3, ?, ?"]]);
});

test("a tip says how likely an outcome of chance is", () => {
  assert.deepEqual(told({ prior: 0.15384615384615385 }), [["probability", "0.1538"]]);
});

test("scores of several players have their names, in the tip and in the details", () => {
  const scores = [4, null, 2.5];
  assert.deepEqual(told({ scores }, ["A", "B", "C"]), [["scores", "A 4, B ?, C 2.5"]]);
  assert.deepEqual(told({ scores }), [["scores", "4, ?, 2.5"]]);
  const field = nodeFields(visit({ scores }), { players: ["A", "B", "C"] }).find(({ label }) => label === "scores");
  assert.equal(field?.value, "A 4, B ?, C 2.5");
});

test("a tip says what the parent took, what was estimated, and how a visit differs from a plain one", () => {
  const parts = told({
    score: 4,
    counted_as: 3,
    estimate: -2.5,
    depth: 3,
    reduction: 2,
    extension: 0,
    quiescence: true,
    in_check: true,
  });
  assert.deepEqual(parts, [
    ["counted as", "+3.0"],
    ["estimate", "\u22122.5"],
    ["depth", "3"],
    ["reduced by", "2"],
    "quiescence",
    "in check",
  ]);
});

test("a card without a score has the mean and the visits of a best-first tree, on sight and read aloud", () => {
  assert.equal(meanText({ mean: 0.5, visits: 12_000 }, 2), "\u2300\u202f0.50 \u00b7 12k");
  assert.equal(meanText({ mean: 0.5 }, 2), "\u2300\u202f0.50");
  assert.equal(meanText({ visits: 7 }), "n\u202f=\u202f7");
  assert.equal(meanText({}), "");
  const face = { open: false, pv: false, digits: 2 };
  assert.equal(sentence({ node: visit({ mean: 0.5, visits: 1 }), ...face }), "c6, mean 0.50, 1 visit");
  assert.equal(sentence({ node: visit({ score: 3, mean: 0.5, visits: 1 }), ...face }), "c6, score +3");
});

test("a total that the document states stands apart from the count of that name", () => {
  const fields = runFields({ ...openedLog(new Map()), header: { document: { nodes: 4711, elapsed: 0.3 } } });
  const said = Object.fromEntries(fields.map(({ label, value }) => [label, value]));
  assert.equal(said["nodes, as stated"], "4,711");
  assert.equal(said["elapsed"], "0.3");
  assert.notEqual(said["nodes"], undefined);
});
