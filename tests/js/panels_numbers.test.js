// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { bytes, count, counted, decimalsFor, duration, mateText, plain, scoreText, shortCount, shortScore, signed, windowText } from "../../static/draw/numbers.js";

test("a negative figure has the real minus sign, a positive one a plus, zero neither", () => {
  assert.equal(signed(-2.5), "\u22122.5");
  assert.equal(signed(12.5), "+12.5");
  assert.equal(signed(0), "0");
  assert.equal(signed(-0), "0");
});

test("a figure that rounds to nothing has no sign", () => {
  assert.equal(signed(0.001, 1), "0.0");
  assert.equal(signed(-0.001, 1), "0.0");
});

test("infinite and NaN scores are read from the words that JSON sends", () => {
  assert.equal(signed("inf"), "+\u221e");
  assert.equal(signed("-inf"), "\u2212\u221e");
  assert.equal(signed("nan"), "NaN");
  assert.equal(plain(undefined), "\u2013");
});

test("very large and very small figures keep their size", () => {
  assert.equal(signed(1.5e12), "+1.5e12");
  assert.equal(plain(-2e-5), "\u22122e\u22125");
  assert.equal(plain(30000), "30,000");
});

test("decimals are those that the figures of a column need together", () => {
  assert.equal(decimalsFor([1, 2, -3]), 0);
  assert.equal(decimalsFor([1, 2.5, 0.25]), 2);
  assert.equal(decimalsFor([1 / 3], 2), 2);
  assert.equal(decimalsFor(["inf", "nan", null]), 0);
});

test("a bound is never shown as if it were exact", () => {
  assert.equal(scoreText(4, "upper"), "\u2264\u00a0+4");
  assert.equal(scoreText(-4, "lower"), "\u2265\u00a0\u22124");
  assert.equal(scoreText(4, "exact"), "+4");
  assert.equal(scoreText(4, undefined), "+4");
  assert.equal(scoreText(undefined, "lower"), "");
});

test("an open edge of a window is infinite", () => {
  assert.equal(windowText(null, 3), "[\u2212\u221e, +3]");
  assert.equal(windowText(-1, undefined), "[\u22121, +\u221e]");
});

test("counts have their thousands apart, and the singular at one", () => {
  assert.equal(count(1234567), "1,234,567");
  assert.equal(counted(1, "node"), "1 node");
  assert.equal(counted(2000, "ply", "plies"), "2,000 plies");
});

test("counts in little room keep two or three digits", () => {
  assert.deepEqual([987, 1000, 12345, 123456, 4100000].map(shortCount), ["987", "1k", "12.3k", "123k", "4.1M"]);
});

test("durations and sizes take the unit that fits", () => {
  assert.deepEqual([0.0000005, 0.0042, 0.41, 12.34, 200].map(duration), ["1 \u00b5s", "4.2 ms", "0.41 s", "12.3 s", "3 min 20 s"]);
  assert.deepEqual([812, 5_100_000, 268_435_456].map(bytes), ["812 B", "5.1 MB", "268 MB"]);
});

test("a score of a won or lost game is said by its distance, for both sides", () => {
  const mate = { score: 1e6, step: 1, threshold: 999000 };
  assert.equal(mateText(999995, "exact", mate), "win in 5");
  assert.equal(mateText(-999996, "exact", mate), "loss in 4");
  assert.equal(mateText(999995, "lower", mate), "win in 5 or less");
  assert.equal(mateText(-999996, "upper", mate), "loss in 4 or less");
  assert.equal(mateText(-1e6, "exact", mate), "lost");
  assert.equal(mateText(32000 - 14, undefined, { score: 32000, step: 2, threshold: 31000 }), "win in 7");
});

test("a bound that leaves the end open says the utmost", () => {
  const mate = { score: 1e6, step: 1, threshold: 999000 };
  assert.equal(mateText(999997, "upper", mate), "at best a win in 3");
  assert.equal(mateText(-999996, "lower", mate), "at worst a loss in 4");
  assert.equal(mateText(999997.5, "upper", mate), "at best a win");
  assert.equal(mateText(1e6, "upper", mate), "");
  assert.equal(mateText(-1e6, "lower", mate), "");
});

test("an ordinary score and an undeclared one are no distance", () => {
  const mate = { score: 1e6, step: 1, threshold: 999000 };
  assert.equal(mateText(12.5, "exact", mate), "");
  assert.equal(mateText("inf", "exact", mate), "");
  assert.equal(mateText(999995, "exact", undefined), "");
  assert.equal(mateText(999995, "exact", { score: 1e6, step: 1 }), "");
});

test("a card says wins by their distance and all else as figures", () => {
  const mate = { score: 1_000_000, step: 1, threshold: 999_000 };
  assert.equal(shortScore(999_995, "exact", 2, mate), "win in 5");
  assert.equal(shortScore(999_995, "lower", 2, mate), "win in \u2264\u00a05");
  assert.equal(shortScore(-999_996, "upper", 2, mate), "loss in \u2264\u00a04");
  assert.equal(shortScore(999_997, "upper", 2, mate), "\u2264\u00a0win in 3");
  assert.equal(shortScore(-999_996, "lower", 0, mate), "\u2265\u00a0loss in 4");
  assert.equal(shortScore(1_000_000, "upper", 0, mate), scoreText(1_000_000, "upper"));
  assert.equal(shortScore(12.5, "upper", 2, mate), scoreText(12.5, "upper", 2));
  assert.equal(shortScore(999_995, "exact", 0, undefined), "+999,995");
});
