import assert from "node:assert/strict";
import test from "node:test";

import { axisOf, namedTicks } from "../../static/views/why/mean-chart.js";
import { percentText } from "../../static/draw/lettering.js";

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
