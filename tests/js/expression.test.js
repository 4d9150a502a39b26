import assert from "node:assert/strict";
import test from "node:test";

import { kindOf } from "../../static/data/expression.js";

/** Texts apart by bars, in lines. */
const listed = (text) => text.trim().split(/ *[|\n] */);

test("plies, paths and ids are no expressions, whatever signs games write", () => {
  const texts = listed(`c6 | c6 > d6 | c6#2 > d6 | #4117 | e8=Q+ | Qh5 > g6 | Nf3 | 0-0 | A-2 > A-1 | a > b > c
    wA1 bQ- | bG1 \\wB1 | wS1 /bQ | <img src=x> | (pruned) | 1 > 2 | 11-15 > 23-19 | is | scored`);
  for (const text of ["", ...texts]) assert.equal(kindOf(text), "text", text);
});

test("what compares, calls or names a condition is an expression, misspelt fields too", () => {
  const texts = listed(`score < -50 | score>5 | nodes_below > 1000 | abs(static - score) > 200 | outcome = 'cutoff'
    outcom = 'leaf' | outcome='leaf' | depth >= 3 | layer = 'min' and score > 3 | factors.mobility > 3
    parent.score != score | score is null | ply like 'c%' | ply in ('a', 'b') | is_stub | not in_check
    depth between 2 and 4 | (score > 3) | -score > 3 | alpha = -inf | purpose = 'null' and depth > 3
    isnan(score) | not (score > 3) | scor <= 5 | score < | (((( | score=nan | '; drop table x; --`);
  for (const text of texts) assert.equal(kindOf(text), "expression", text);
});

test("a word and a number may be a path or a misspelt field", () => {
  for (const text of ["scor > 50", "pass > 3", "1/0 > 1"]) assert.equal(kindOf(text), "either");
});
