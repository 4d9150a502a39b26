import assert from "node:assert/strict";
import test from "node:test";

import { intervalText } from "../../static/draw/scores.js";
import { reweighedScore } from "../../static/draw/reweighed.js";
import { spanOf, stepOf, weightText } from "../../static/views/weights/words.js";
import { hatchingOf, labelsOf } from "../../static/views/weights/chart.js";

const MATE = { score: 100, step: 1, threshold: 90 };

test("an interval is a score, a bound, two scores, or unknown", () => {
  assert.equal(intervalText([3, 3], null), "+3");
  assert.equal(intervalText([-Infinity, 3], null), "\u2264\u00a0+3");
  assert.equal(intervalText([3, Infinity], null), "\u2265\u00a0+3");
  assert.equal(intervalText([-1, 2], null, 0), "\u22121 \u2026 +2");
  assert.equal(intervalText([-Infinity, Infinity], null), "?");
});

test("a won game of an interval is said by its distance, as not proven", () => {
  assert.equal(intervalText([97, 97], MATE), "win in 3?");
});

test("a slider runs to twice its weight, around 0 as far as the largest, and as far as it stands", () => {
  assert.deepEqual(spanOf(18, 18, 24), [0, 36]);
  assert.deepEqual(spanOf(-8, -20, 24), [-20, 0]);
  assert.deepEqual(spanOf(0, 0, 24), [-24, 24]);
  assert.equal(stepOf([0, 36]), 0.1);
  assert.equal(stepOf([0, 1]), 0.005);
  assert.equal(weightText(-0.25), "\u22120.25");
});

test("hatching covers what depends, from end to end, and nothing else", () => {
  const strokes = hatchingOf(
    [
      { low: 0, high: 12, state: "depends" },
      { low: 12, high: 20, state: "certain" },
      { low: 20, high: 20.01, state: "depends" },
      { low: 20.01, high: 36, state: "falls" },
    ],
    [0, 36],
  );
  assert.equal(strokes[0]?.low, 0);
  assert.ok(strokes.length > 10);
  assert.ok(strokes.every(({ low, high }) => low < high && ((low >= 0 && high <= 12) || (low >= 20 && high <= 20.01))));
  assert.equal(strokes.filter(({ low }) => low >= 20).length, 1);
});

test("the plies of lines that end at one place are written apart, in their order, within the chart", () => {
  const line = (id, end) => ({
    id,
    ply: `p${id}`,
    low: [
      [0, 0],
      [1, -5],
    ],
    high: [
      [0, 0],
      [1, end],
    ],
  });
  const labels = labelsOf([line(1, 9), line(2, 9), line(3, 9.1), line(4, "inf"), line(5, 9)], 1, [-5, 10]);
  assert.deepEqual(
    labels.map(({ ply }) => ply),
    ["p3", "p1", "p2", "p4"],
  );
  assert.ok(labels.every(({ place }, i) => i === 0 || labels[i - 1].place - place > 1));
  assert.ok(labels.every(({ place }) => place >= -5 && place <= 11));
  assert.equal(labels.find(({ first }) => first)?.ply, "p1");
});

test("a re-weighed score stands behind the logged one, alone where it is the same or none was logged", () => {
  const node = { id: 1, score: 5, bound: "exact" };
  assert.equal(reweighedScore(node, [3, 4], 0, null), "+5 \u2192 +3 \u2026 +4");
  assert.equal(reweighedScore(node, [5, 5], 0, null), "+5");
  assert.equal(reweighedScore(node, [-Infinity, Infinity], 0, null), "+5 \u2192 ?");
  assert.equal(reweighedScore(node, null, 0, null), "+5 \u2192 \u2026");
  assert.equal(reweighedScore({ ...node, bound: "upper" }, [5, 5], 0, null), "\u2264\u00a0+5 \u2192 +5");
  assert.equal(reweighedScore({ id: 1 }, [5, 5], 0, null), "+5");
});

test("a proven win, or a bound, that no weight moves stays as it is said", () => {
  const won = { id: 1, score: 97, bound: "exact", proof: { is: "proven" } };
  assert.equal(reweighedScore(won, [97, 97], 0, MATE), "win in 3");
  const atMost = { id: 1, score: 5, bound: "upper" };
  const atLeast = { ...won, bound: "lower" };
  assert.equal(reweighedScore(atLeast, [97, Infinity], 0, MATE), "win in \u2264\u00a03");
  assert.equal(reweighedScore(atMost, [-Infinity, 5], 0, null), "\u2264\u00a0+5");
  assert.equal(reweighedScore(atMost, [-Infinity, 6], 0, null), "\u2264\u00a0+5 \u2192 \u2264\u00a0+6");
});
