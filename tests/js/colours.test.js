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

test("a score is coloured by the square root of its size, up to the end of the scale", () => {
  assert.deepEqual(toneOf({ score: 25 }, scale), { side: "for", share: 0.575, proven: false });
  assert.deepEqual(toneOf({ score: -25, bound: "upper" }, scale), { side: "against", share: 0.575, proven: false });
  assert.ok(toneOf({ score: 0.001 }, scale).share >= 0.15, "even the least shows its side");
  assert.equal(toneOf({ score: "inf" }, scale).share, 1);
  assert.equal(toneOf({ score: 250 }, scale).share, 1);
});

test("a won or lost game has a colour of its own, and shows whether it is proven", () => {
  assert.deepEqual(toneOf({ score: 999_995, proof: { is: "proven" } }, scale), { side: "win", share: 1, proven: true });
  assert.deepEqual(toneOf({ score: -999_995, proof: { is: "weaker" } }, scale), {
    side: "loss",
    share: 1,
    proven: false,
  });
  assert.equal(toneOf({ score: 999_995, bound: "lower" }, scale).side, "win");
});

test("a bound that leaves a won game open is as pale as an even score", () => {
  assert.deepEqual(toneOf({ score: 999_995, bound: "upper" }, scale), { side: "for", share: 0, proven: false });
  assert.equal(toneOf({ score: 0 }, scale).share, 0);
});

test("where no score is known nothing is coloured, and where the scale has no length its sides still differ", () => {
  assert.equal(toneOf({}, scale).side, "unknown");
  assert.equal(toneOf({ score: "nan" }, scale).side, "unknown");
  assert.deepEqual(toneOf({ score: 3 }, { reach: 0 }), { side: "for", share: 1, proven: false });
});

test("counts are coloured by their ratios, so that those near the leaves differ too", () => {
  const counts = {
    kind: "number",
    stated: 4,
    absent: 0,
    low: 0,
    high: 999,
    least: 0,
    greatest: 999,
    logarithmic: true,
  };
  const values = new Map([0, 9, 99, 999].map((value) => [value, { value, place: -1 }]));
  const shares = [0, 9, 99, 999].map(
    (id) => paintOf({ colour: "visits", colouring: { of: "visits", scale: counts, values } }, id)?.share,
  );
  assert.deepEqual(
    shares.map((share) => Math.round(300 * (share ?? -1))),
    [0, 100, 200, 300],
  );
});
