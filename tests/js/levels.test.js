import assert from "node:assert/strict";
import test from "node:test";

import { intoSpan } from "../../static/layout/levels.js";

/** Rows of height 10: three on level 1 around 25, three on level 2 around 5, and so climbing. */
const DEPTH = [0, 1, 1, 1, 2, 2, 2];
const HEIGHT = new Float64Array(7).fill(10);
const climbing = () => Float64Array.of(45, 35, 45, 55, 5, 15, 25);

test("a drawing that fits is left as it is, and nothing open has no height", () => {
  const middle = climbing();
  assert.equal(intoSpan(middle, HEIGHT, DEPTH, 60), 60);
  assert.deepEqual(middle, climbing());
  assert.equal(intoSpan(new Float64Array(0), [], [], 100), 0);
});

test("a level that climbs out comes back as a whole, and keeps its gaps", () => {
  const middle = climbing();
  assert.equal(intoSpan(middle, HEIGHT, DEPTH, 40), 40);
  const [root, ...rest] = middle;
  const [first, second] = [rest.slice(0, 3), rest.slice(3)];
  const gaps = [first, second].map((level) => level.map((one) => one - level[0]).join(" "));
  assert.deepEqual(gaps, ["0 10 20", "0 10 20"]);
  assert.equal(root, first[1]);
  assert.ok(Math.min(...middle) === 5 && Math.max(...middle) === 35);
});

test("what is higher than the room by itself takes what it needs", () => {
  const middle = climbing();
  assert.equal(intoSpan(middle, HEIGHT, DEPTH, 10), 30);
  assert.deepEqual([...middle], [15, 5, 15, 25, 5, 15, 25]);
});

test("levels below move along with the one that moved", () => {
  const middle = Float64Array.of(45, 35, 45, 55, 5, 15, 25, 15);
  intoSpan(middle, new Float64Array(8).fill(10), [...DEPTH, 3], 30);
  assert.equal(middle[7], middle[5]);
});
