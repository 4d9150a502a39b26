/** Small parts of what is drawn: paths, ticks, motions, folded crumbs, paired figures, colours. */
import assert from "node:assert/strict";
import test from "node:test";

import { placedPath } from "../../static/views/tree/marks.js";
import { axisOf, namedTicks } from "../../static/views/why/mean-chart.js";
import { percentText } from "../../static/draw/lettering.js";
import { ease, stageAt } from "../../static/views/tree/motion.js";
import { linkPath } from "../../static/views/tree/link.js";
import { foldedPath } from "../../static/views/page/breadcrumb.js";
import { pairRows } from "../../static/views/statistics/figures.js";
import { scaleOf, toneOf } from "../../static/draw/colours.js";
import { paintOf } from "../../static/draw/paint.js";
import { openedLog, plant } from "./forest.js";

test("absolute points move and scale, relative ones only scale, but for the first; an arc keeps its angle", () => {
  for (const [path, x, y, scale, placed] of [
    ["M8 3.2 13.5 12.5h-11z", 10, -4, 0.5, "M 14 -2.4 16.75 2.25 h -5.5 z"],
    ["M2 2V6H4", 1, 10, 1, "M 3 12 V 16 H 5"],
    ["m3 10 5-5 5 5", 1, 1, 1, "m 4 11 5 -5 5 5"],
    ["M8 3a5 5 30 1 1 0 10A5 5 0 0 1 8 3z", 1, 1, 2, "M 17 7 a 10 10 30 1 1 0 20 A 10 10 0 0 1 17 7 z"],
  ])
    assert.equal(placedPath(path, x, y, scale), placed);
});

const named = (values) => namedTicks(axisOf(values, [0, 1]), percentText).map(({ text }) => text);

test("every tick is named where its figure has room, else the rounder ones are, and never one alone", () => {
  assert.deepEqual(named([0.465, 0.492]), ["47\u202f%", "48\u202f%", "49\u202f%"]);
  assert.deepEqual(named([0.474, 0.492]), ["48\u202f%", "49\u202f%"]);
  assert.deepEqual(named([0.4765, 0.4868]), ["48\u202f%", "48.5\u202f%"]);
});

test("no two figures below an axis touch, whatever the means are", () => {
  for (let low = 0; low < 0.9; low += 0.0137) {
    for (const span of [0.0004, 0.0031, 0.018, 0.09]) {
      const axis = axisOf([low, low + span], [0, 1]);
      const ticks = namedTicks(axis, percentText);
      ticks.slice(1).forEach(({ at, text }, place) => {
        const before = ticks[place];
        const room = (at - (before?.at ?? 0)) * 96;
        assert.ok(room >= 3 * (text.length + (before?.text.length ?? 0)), `${low} ${span} ${text}`);
      });
    }
  }
});

const ALL = { leaving: true, moving: true, entering: true };

test("what goes folds before anything moves, what comes unfolds last, each slowly at first and at its end", () => {
  for (const [at, fold, move, unfold, parts = ALL] of [
    [0, 0, 0, 0],
    [1 / 3, 1, 0, 0],
    [0.5, 1, 0.5, 0],
    [1, 1, 1, 1],
    [0.5, 1, 1, 0.5, { leaving: false, moving: false, entering: true }], // other parts take no time
  ])
    assert.deepEqual(stageAt(at, parts), { fold, move, unfold });
  assert.deepEqual([ease(0), ease(0.5), ease(1)], [0, 0.5, 1]);
  assert.ok(ease(0.1) < 0.1 && ease(0.9) > 0.9);
});

test("a link runs straight through the lane of wedges and turns only in its own", () => {
  assert.equal(linkPath(100, 50, 260, 90), "M100 50H216C238 50 238 90 260 90");
  assert.ok(linkPath(100, 50, 120, 90).startsWith("M100 50H100C"));
});

test("whatever of a path is folded, every node is shown or listed, once and in order", () => {
  for (let length = 0; length < 7; length += 1) {
    const path = Array.from({ length }, (_, i) => i);
    for (const root of [true, false]) {
      for (const last of [1, 2, 3]) {
        const { first, hidden, last: end } = foldedPath(path, { root, last });
        assert.deepEqual([...first, ...hidden, ...end], path);
        assert.ok(first.length <= 1 && end.length === Math.min(last, length));
      }
    }
  }
});

const row = (name, value, cells, most) => ({ key: `k-${name}`, name, share: value / most, value, cells });

test("rows of two logs pair by name on one scale, cells by their columns; what is not told is a dash", () => {
  const now = [row("a", 2, ["2"], 4), row("b", 4, ["4"], 4)];
  const before = [row("b", 8, ["8"], 8), row("c", 1, ["1"], 8)];
  const rows = pairRows(now, ["nodes"], before, ["nodes"]);
  const paired = rows.map(({ name, share, cells, old }) => [name, share, cells, old]);
  assert.deepEqual(paired, [
    ["a", 0.25, ["2"], null],
    ["b", 0.5, ["4"], { share: 1, cells: ["8"] }],
    ["c", null, ["–"], { share: 0.125, cells: ["1"] }],
  ]);
  // Shares that stand for themselves stay as they are.
  const ratio = { key: "k", name: "table", share: 0.3, cells: ["30 %"] };
  const [stays] = pairRows([ratio], ["succeeded"], [{ ...ratio, share: 0.9, cells: ["90 %"] }], ["succeeded"]);
  assert.deepEqual([stays?.share, stays?.old?.share], [0.3, 0.9]);
  const [both, other] = [row("a", 1, ["1", "2 s"], 1), row("a", 1, ["9 %", "1"], 1)];
  const [first] = pairRows([both], ["nodes", "seconds"], [other], ["share", "nodes"]);
  assert.deepEqual(first?.old?.cells, ["1", "–"]);
});

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
  const means = { reach: 0, means: { low: 0, high: 1 } };
  const tones = [0.9, 0.2, 0.5, undefined].map((mean) => toneOf({ mean }, means));
  assert.deepEqual(tones.map(({ side }) => side).join(" "), "for against for unknown");
  assert.equal(tones[2].share, 0, "even in the middle between the declared ends");
});

test("counts are coloured by their ratios, so that those near the leaves differ too", () => {
  const counts = { kind: "number", stated: 4, absent: 0, low: 0, high: 999, least: 0, greatest: 999 };
  const values = new Map([0, 9, 99, 999].map((value) => [value, { value, place: -1 }]));
  const colouring = { of: "visits", scale: { ...counts, logarithmic: true }, values };
  const shares = [...values.keys()].map((id) => 300 * paintOf({ colour: "visits", colouring }, id)?.share);
  assert.deepEqual(shares.map(Math.round), [0, 100, 200, 300]);
});
