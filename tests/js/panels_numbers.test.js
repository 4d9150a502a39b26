import assert from "node:assert/strict";
import test from "node:test";

import {
  apart,
  bytes,
  count,
  counted,
  decimalsFor,
  duration,
  exact,
  fixed,
  full,
  plain,
  shortCount,
  signed,
  windowText,
} from "../../static/draw/numbers.js";

test("a figure has the real minus sign or a plus, one that rounds to nothing neither, and words of JSON are read", () => {
  for (const [value, text, digits] of [
    [-2.5, "\u22122.5"],
    [12.5, "+12.5"],
    [0, "0"],
    [-0, "0"],
    [0.001, "0.0", 1],
    [-0.001, "0.0", 1],
    [5.625, "+5.63", 2],
    [1.5e12, "+1.5e12"],
    ["inf", "+\u221e"],
    ["-inf", "\u2212\u221e"],
    ["nan", "NaN"],
  ])
    assert.equal(signed(value, digits), text);
  const written = [undefined, -2e-5, 30000].map((value) => plain(value));
  assert.deepEqual(written, ["\u2013", "\u22122e\u22125", "30,000"]);
});

test("halves go up, of the digits that count, as in sentences", () => {
  const halves = [5.625, 5.6249999999999, 0.285, -2.125, 1000.045].map((value) => fixed(value, 2));
  assert.deepEqual(halves, ["5.63", "5.63", "0.29", "-2.13", "1000.05"]);
  assert.equal(fixed(-0.04, 1), "0.0");
});

test("decimals are those that the figures of a column need together", () => {
  assert.equal(decimalsFor([1, 2, -3]), 0);
  assert.equal(decimalsFor([1, 2.5, 0.25]), 2);
  assert.equal(decimalsFor([1 / 3], 2), 2);
  assert.equal(decimalsFor([1234.56]), 1);
  assert.equal(decimalsFor(["inf", "nan", null]), 0);
});

test("an open edge of a window is infinite, and edges that differ never read the same", () => {
  assert.equal(windowText(null, 3), "[\u2212\u221e, +3]");
  assert.equal(windowText(-1, undefined), "[\u22121, +\u221e]");
  assert.equal(windowText(0.12341, 0.12344), "[+0.12341, +0.12344]");
  assert.equal(windowText(0.1, null, full), "[0.1, \u221e]");
});

test("counts have their thousands apart and the singular at one, in little room two or three digits", () => {
  assert.equal(count(1234567), "1,234,567");
  assert.equal(counted(1, "node"), "1 node");
  assert.equal(counted(2000, "ply", "plies"), "2,000 plies");
  assert.deepEqual([987, 1000, 12345, 123456, 4100000].map(shortCount), ["987", "1k", "12.3k", "123k", "4.1M"]);
});

test("durations and sizes take the unit that fits", () => {
  const durations = [0.0000005, 0.0042, 0.41, 12.34, 200].map(duration);
  assert.deepEqual(durations, ["1 \u00b5s", "4.2 ms", "0.41 s", "12.3 s", "3 min 20 s"]);
  assert.deepEqual([812, 5_100_000, 268_435_456].map(bytes), ["812 B", "5.1 MB", "268 MB"]);
});

const siblings = (figures) => figures.map((figure) => signed(figure, apart(figures)));

test("siblings get as many digits as tell them apart and no more; what is not 0 never reads as 0", () => {
  for (const [figures, texts] of [
    [[0.12341, 0.12344], "+0.12341 +0.12344"],
    [[12.5, -3], "+12.5 \u22123.0"],
    [[30_000.25, 30_000.26, -1], "+30,000.25 +30,000.26 \u22121.00"],
    [[1 / 3, 1 / 3], "+0.33 +0.33"],
    [[1.2345e12, 1.2346e12], "+1.2345e12 +1.2346e12"],
    [[0.00012341, 0.00012344], "+1.2341e\u22124 +1.2344e\u22124"],
    [[0.004], "+0.004"],
    [[-0.0041, 0, 5], "\u22120.004 0.000 +5.000"],
    [[-0, 0], "0 0"],
    [[-7.1, -7.100000000000001, -8], "\u22127.1 \u22127.1 \u22128.0"],
    [[0.1 + 0.2, 0.3], "+0.3 +0.3"],
  ])
    assert.equal(siblings(figures).join(" "), texts);
});

test("siblings that differ by more than rounding never read the same, whatever their sizes", () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 500; round += 1) {
    const figures = Array.from({ length: 2 + Math.floor(random() * 8) }, () => {
      const size = 10 ** Math.floor(random() * 24 - 10);
      return Number(((random() - 0.5) * size).toPrecision(1 + Math.floor(random() * 16)));
    });
    const near = figures[0];
    figures.push(near * (1 + 2 ** -52), near + 1e-5, near);
    const texts = siblings(figures);
    for (const [i, one] of figures.entries())
      for (const [j, other] of figures.entries())
        if (texts[i] === texts[j]) assert.ok(Math.abs(one - other) <= 1e-11 * Math.abs(one), String(figures));
  }
});

test("a figure in full has every digit that it has", () => {
  assert.equal(full(0.1 + 0.2), "0.30000000000000004");
  assert.equal(full(-1234567.25), "\u22121,234,567.25");
  assert.equal(full(-1e-9), "\u22121e\u22129");
  assert.equal(full("-inf"), "\u2212\u221e");
  assert.equal(full(undefined), "\u2013");
  assert.equal(exact(0.1 + 0.2), "0.3");
});
