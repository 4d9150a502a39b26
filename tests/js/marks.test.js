import assert from "node:assert/strict";
import test from "node:test";

import { placedPath } from "../../static/views/tree/marks.js";

test("absolute points move and scale, relative ones only scale", () => {
  assert.equal(placedPath("M8 3.2 13.5 12.5h-11z", 10, -4, 0.5), "M 14 -2.4 16.75 2.25 h -5.5 z");
  assert.equal(placedPath("M2 2V6H4", 1, 10, 1), "M 3 12 V 16 H 5");
});

test("an arc keeps its angle and its flags", () => {
  assert.equal(
    placedPath("M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3z", 1, 1, 2),
    "M 17 7 a 10 10 0 1 1 0 20 A 10 10 0 0 1 17 7 z",
  );
});

test("a first point is absolute even in small letters", () => {
  assert.equal(placedPath("m3 10 5-5 5 5", 1, 1, 1), "m 4 11 5 -5 5 5");
});
