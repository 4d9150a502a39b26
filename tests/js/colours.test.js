import assert from "node:assert/strict";
import test from "node:test";

import { scaleOf, toneOf } from "../../static/draw/colours.js";
import { paintOf } from "../../static/draw/paint.js";
import { openedLog, plant } from "./forest.js";

const mate = { score: 1_000_000, step: 1, threshold: 999_000 };
const scale = { reach: 100, mate };

test("the scale is that of the log, whatever has been fetched of it", () => {
  const opened = openedLog(plant([{ score: 1 }]), { colour: { low: -3, high: 400, reach: 100 }, search: { mate } });
  assert.deepEqual(scaleOf(opened), scale);
  assert.deepEqual(scaleOf(null), { reach: 0, mate: undefined });
});

test("a score is coloured by the square root of its size, a won or lost game by a colour of its own", () => {
  for (const [score, side, share, more = {}] of [
    [25, "for", 0.575],
    [-25, "against", 0.575, { bound: "upper" }],
    [250, "for", 1],
    ["inf", "for", 1],
    [0, "for", 0],
    [999_995, "win", 1, { proof: { is: "proven" }, proven: true }],
    [-999_995, "loss", 1, { proof: { is: "weaker" } }],
    [999_995, "win", 1, { bound: "lower" }],
    [999_995, "for", 0, { bound: "upper" }], // the game may be open
  ]) {
    const { proven = false, ...fields } = more;
    assert.deepEqual(toneOf({ score, ...fields }, scale), { side, share, proven });
  }
  assert.ok(toneOf({ score: 0.001 }, scale).share >= 0.15, "even the least shows its side");
});

test("where no score is known nothing is coloured, and where the scale has no length its sides still differ", () => {
  for (const none of [{}, { score: "nan" }]) assert.equal(toneOf(none, scale).side, "unknown");
  assert.deepEqual(toneOf({ score: 3 }, { reach: 0 }), { side: "for", share: 1, proven: false });
});

test("counts are coloured by their ratios, so that those near the leaves differ too", () => {
  const counts = { kind: "number", stated: 4, absent: 0, low: 0, high: 999, least: 0, greatest: 999 };
  const values = new Map([0, 9, 99, 999].map((value) => [value, { value, place: -1 }]));
  const colouring = { of: "visits", scale: { ...counts, logarithmic: true }, values };
  const shares = [...values.keys()].map((id) => paintOf({ colour: "visits", colouring }, id)?.share);
  assert.deepEqual(
    shares.map((share) => Math.round(300 * share)),
    [0, 100, 200, 300],
  );
});
