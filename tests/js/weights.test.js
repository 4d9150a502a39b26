// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { intervalText } from "../../static/draw/scores.js";
import { endText, spanOf, standsText, stepOf, weightText } from "../../static/draw/weights.js";

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

test("ends of a range are rounded into it, so that what is read holds", () => {
  assert.equal(endText(13.433333333, true), "13.434");
  assert.equal(endText(13.433333333, false), "13.433");
  assert.equal(endText(-13.433333333, true), "\u221213.433");
  assert.equal(endText(8.499999999999993, false), "8.5");
  assert.equal(endText(0, true), "0");
  assert.equal(endText(Infinity, false), "\u221e");
});

test("a slider runs to twice its weight, around 0 as far as the largest, and as far as it stands", () => {
  assert.deepEqual(spanOf(18, 18, 24), [0, 36]);
  assert.deepEqual(spanOf(-8, -20, 24), [-20, 0]);
  assert.deepEqual(spanOf(0, 0, 24), [-24, 24]);
  assert.equal(stepOf([0, 36]), 0.1);
  assert.equal(stepOf([0, 1]), 0.005);
});

test("a stretch says where it begins and ends", () => {
  const range = (/** @type {any} */ stands) => standsText(/** @type {any} */ ({ stands }));
  assert.equal(range([1.5, "inf"]), "from 1.5");
  assert.equal(range(["-inf", 2]), "up to 2");
  assert.equal(range([1.5, 2]), "1.5 to 2");
  assert.equal(range(["-inf", "inf"]), "any weight");
  assert.equal(range(null), "");
  assert.equal(weightText(-0.25), "\u22120.25");
});
