import assert from "node:assert/strict";
import test from "node:test";

import { intervalText } from "../../static/draw/scores.js";
import { reweighedScore } from "../../static/draw/reweighed.js";
import { spanOf, stepOf, weightText } from "../../static/views/weights/words.js";
import { hatchingOf, labelsOf } from "../../static/views/weights/chart.js";

const MATE = { score: 100, step: 1, threshold: 90 };

test("an interval is a score, a bound, two scores, or unknown, and a won game its distance, as not proven", () => {
  for (const [interval, mate, text] of [
    [[3, 3], null, "+3"],
    [[-Infinity, 3], null, "\u2264\u00a0+3"],
    [[3, Infinity], null, "\u2265\u00a0+3"],
    [[-1, 2], null, "\u22121 \u2026 +2"],
    [[-Infinity, Infinity], null, "?"],
    [[97, 97], MATE, "win in 3?"],
  ])
    assert.equal(intervalText(interval, mate, 0), text);
});

test("a slider runs to twice its weight, around 0 as far as the largest, and as far as it stands", () => {
  assert.deepEqual(spanOf(18, 18, 24), [0, 36]);
  assert.deepEqual(spanOf(-8, -20, 24), [-20, 0]);
  assert.deepEqual(spanOf(0, 0, 24), [-24, 24]);
  assert.deepEqual([stepOf([0, 36]), stepOf([0, 1]), weightText(-0.25)], [0.1, 0.005, "\u22120.25"]);
});

test("hatching covers what depends, from end to end, and nothing else", () => {
  const segment = (low, high, state) => ({ low, high, state });
  const [wide, narrow] = [segment(0, 12, "depends"), segment(20, 20.01, "depends")];
  const strokes = hatchingOf([wide, segment(12, 20, "certain"), narrow, segment(20.01, 36, "falls")], [0, 36]);
  const inside = (of) => strokes.filter(({ low, high }) => low >= of.low && low < high && high <= of.high);
  assert.equal(strokes[0]?.low, 0);
  assert.ok(inside(wide).length > 9);
  assert.equal(inside(narrow).length, 1);
  assert.equal(strokes.length, inside(wide).length + 1);
});

test("the plies of lines that end at one place are written apart, in their order, within the chart", () => {
  const edge = (start, end) => [
    [0, start],
    [1, end],
  ];
  const ends = [9, 9, 9.1, "inf", 9].map((end, at) => [at + 1, end]);
  const lines = ends.map(([id, end]) => ({ id, ply: `p${id}`, low: edge(0, -5), high: edge(0, end) }));
  const labels = labelsOf(lines, 1, [-5, 10]);
  assert.deepEqual(labels.map(({ ply }) => ply).join(" "), "p3 p1 p2 p4");
  assert.ok(labels.every(({ place }, i) => i === 0 || labels[i - 1].place - place > 1));
  assert.ok(labels.every(({ place }) => place >= -5 && place <= 11));
  assert.equal(labels.find(({ first }) => first)?.ply, "p1");
});

test("a re-weighed score stands behind the logged one, alone where it is the same or none was logged", () => {
  const exact = { id: 1, score: 5, bound: "exact" };
  const atMost = { ...exact, bound: "upper" };
  const won = { id: 1, score: 97, bound: "exact", proof: { is: "proven" } };
  for (const [node, interval, text] of [
    [exact, [3, 4], "+5 \u2192 +3 \u2026 +4"],
    [exact, [5, 5], "+5"],
    [exact, [-Infinity, Infinity], "+5 \u2192 ?"],
    [exact, null, "+5 \u2192 \u2026"],
    [atMost, [5, 5], "\u2264\u00a0+5 \u2192 +5"],
    [{ id: 1 }, [5, 5], "+5"],
    // A proven win, or a bound, that no weight moves stays as it is said.
    [won, [97, 97], "win in 3"],
    [{ ...won, bound: "lower" }, [97, Infinity], "win in \u2264\u00a03"],
    [atMost, [-Infinity, 5], "\u2264\u00a0+5"],
    [atMost, [-Infinity, 6], "\u2264\u00a0+5 \u2192 \u2264\u00a0+6"],
  ])
    assert.equal(reweighedScore(node, interval, 0, MATE), text);
});
