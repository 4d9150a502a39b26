import assert from "node:assert/strict";
import test from "node:test";

import { barShare, factorRows, heaviest, shortened, sumNote, sumOf, valuesNote } from "../../static/draw/bars.js";

const header = {
  factors: [{ name: "mobility", weight: 5, meaning: "Plies." }, { name: "corners", weight: -2 }, { name: "luck" }],
  contribution_names: ["discs", "mobility"],
};
const row = (name, contribution) => ({ name, contribution });
const listed = (rows) => rows.map(({ name }) => name).join(", ");
const told = (rows) => rows.map(({ name, contribution }) => `${name} ${contribution}`).join(", ");

test("a contribution is the weight times the value, or stated alone; without a weight the sum is unknown", () => {
  const rows = factorRows({ factors: [2, 3, null] }, header);
  assert.equal(told(rows), "mobility 10, corners -6");
  assert.equal(sumOf(rows), 4);
  const lacking = factorRows({ factors: [2, 3, 4, 9] }, header);
  assert.equal(told(lacking), "mobility 10, corners -6, luck NaN", "values beyond the factors have no bar");
  assert.match(sumNote(sumOf(lacking), 4, 1e-9), /unknown/);
  assert.equal(told(factorRows({ contributions: [1.5] }, header)), "discs 1.5");
});

test("the sum is said to be the static evaluation only within the tolerance, for the player from whom it is seen", () => {
  for (const [sum, stated, tolerance, text, aloud] of [
    [12.5, 12.5, 1e-9, "= static", "= static for black"],
    [12.5 + 1e-12, 12.5, 1e-9, "= static", "= static for black"],
    [12.5, 13, 1e-9, "static is +13.0", "static is +13.0 for black"],
    [12.5, 13, 0.1, "= static", "= static for black"],
    [12.5, undefined, 1e-9, "", "for black"],
    [NaN, 3, 1e-9, "unknown: a factor has no weight", "unknown: a factor has no weight"],
  ])
    assert.deepEqual([sumNote(sum, stated, tolerance), sumNote(sum, stated, tolerance, "black")], [text, aloud]);
});

test("bars are measured against the longest, whichever side it is on", () => {
  const shares = [barShare(-5, 10), barShare(10, 10), barShare(0, 0), barShare(NaN, 10), barShare(-Infinity, 10)];
  assert.deepEqual(shares, [0.5, 1, 0, 0, 1]);
});

test("the lesser factors are summed up and none is lost", () => {
  const rows = [5, -1, 9, 2, -7].map((contribution, i) => row(`f${i}`, contribution));
  assert.equal(told(heaviest(rows, 3)), "f2 9, f4 -7, 3 smaller 6");
  assert.deepEqual(heaviest(rows, 5), rows);
});

test("factors that add nothing stand last, more than two as one row", () => {
  const many = [5, 0, 4, 0, 3, 0, 2, 0, 1].map((size, i) => row(`f${i}`, size));
  for (const [rows, most, names] of [
    [[row("a", 0), row("b", -2), row("c", NaN), row("d", 0)], 9, "b, c, a, d"],
    [[row("a", 0), row("b", -2), row("c", 0), row("d", 0)], 9, "b, 3 more are 0"],
    [[row("a", 0), row("b", 0), row("c", 0)], 9, "3 are 0"],
    [many, 4, "f0, f2, 3 smaller, 4 more are 0"],
  ])
    assert.equal(listed(shortened(rows, most)), names);
});

test("what a factor counts stands on its row, whether values or contributions are logged", () => {
  const meanings = (fields) => factorRows(fields, header).map(({ name, meaning }) => `${name}: ${meaning}`);
  assert.deepEqual(meanings({ factors: [1, 2] }), ["mobility: Plies.", "corners: undefined"]);
  assert.deepEqual(meanings({ contributions: [36, -8] }), ["discs: undefined", "mobility: Plies."]);
  assert.equal(heaviest(factorRows({ factors: [1, 2] }, header), 1)[0]?.meaning, undefined);
});

test("whose the values are is said as far as the log names its players", () => {
  for (const [players, root_player, words] of [
    [["white", "black"], "black", "black's less white's: black is the root player"],
    [["white", "black"], undefined, "the root player's less the opponent's"],
    [["white"], "white", "the root player's less the opponent's"],
    [[], undefined, "the root player's less the opponent's"],
    [["a", "b", "c"], "b", "seen from b"],
    [["a", "b", "c"], undefined, "seen from the root player"],
  ])
    assert.equal(valuesNote({ players, root_player }), `Values are ${words}.`);
});
