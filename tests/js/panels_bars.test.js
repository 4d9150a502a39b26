import assert from "node:assert/strict";
import test from "node:test";

import { barShare, factorRows, heaviest, shortened, sumNote, sumOf, valuesNote } from "../../static/draw/bars.js";

const header = {
  factors: [{ name: "mobility", weight: 5 }, { name: "corners", weight: -2 }, { name: "luck" }],
  contribution_names: ["discs"],
};

test("a contribution is the weight times the value", () => {
  const rows = factorRows({ factors: [2, 3, null] }, header);
  assert.deepEqual(
    rows.map(({ name, contribution }) => [name, contribution]),
    [
      ["mobility", 10],
      ["corners", -6],
    ],
  );
  assert.equal(sumOf(rows), 4);
});

test("a factor without a weight makes the sum unknown, never wrong", () => {
  const rows = factorRows({ factors: [2, 3, 4] }, header);
  assert.ok(Number.isNaN(rows[2]?.contribution));
  assert.ok(Number.isNaN(sumOf(rows)));
  assert.match(sumNote(sumOf(rows), 4, 1e-9), /unknown/);
});

test("a log may state contributions alone", () => {
  const rows = factorRows({ contributions: [1.5] }, header);
  assert.deepEqual(rows, [{ name: "discs", contribution: 1.5 }]);
});

test("values beyond the header's factors have no name and no bar", () => {
  assert.equal(factorRows({ factors: [1, 1, 1, 9] }, header).length, 3);
});

test("the sum is said to be the static evaluation only within the tolerance", () => {
  assert.equal(sumNote(12.5, 12.5, 1e-9), "= static");
  assert.equal(sumNote(12.5 + 1e-12, 12.5, 1e-9), "= static");
  assert.equal(sumNote(12.5, 13, 1e-9), "static is +13.0");
  assert.equal(sumNote(12.5, 13, 0.1), "= static");
  assert.equal(sumNote(12.5, undefined, 1e-9), "");
});

test("bars are measured against the longest, whichever side it is on", () => {
  assert.equal(barShare(-5, 10), 0.5);
  assert.equal(barShare(10, 10), 1);
  assert.equal(barShare(0, 0), 0);
  assert.equal(barShare(NaN, 10), 0);
  assert.equal(barShare(-Infinity, 10), 1);
});

test("the lesser factors are summed up and none is lost", () => {
  const rows = [5, -1, 9, 2, -7].map((contribution, i) => ({ name: `f${i}`, contribution }));
  const shown = heaviest(rows, 3);
  assert.deepEqual(
    shown.map(({ name, contribution }) => [name, contribution]),
    [
      ["f2", 9],
      ["f4", -7],
      ["3 smaller", 6],
    ],
  );
  assert.equal(sumOf(shown), sumOf(rows));
  assert.deepEqual(heaviest(rows, 5), rows);
});

test("factors that add nothing stand last, more than two as one row", () => {
  const row = (name, contribution) => ({ name, contribution });
  const names = (rows) => rows.map(({ name }) => name);
  assert.deepEqual(names(shortened([row("a", 0), row("b", -2), row("c", NaN), row("d", 0)], 9)), ["b", "c", "a", "d"]);
  assert.deepEqual(names(shortened([row("a", 0), row("b", -2), row("c", 0), row("d", 0)], 9)), ["b", "3 more are 0"]);
  assert.deepEqual(names(shortened([row("a", 0), row("b", 0), row("c", 0)], 9)), ["3 are 0"]);
  const many = [5, 0, 4, 0, 3, 0, 2, 0, 1].map((size, i) => row(`f${i}`, size));
  assert.deepEqual(names(shortened(many, 4)), ["f0", "f2", "3 smaller", "4 more are 0"]);
});

test("what a factor counts stands on its row, whether values or contributions are logged", () => {
  const told = {
    factors: [
      { name: "hand", weight: -8, meaning: "Pieces in hand." },
      { name: "ring", weight: 18 },
    ],
    contribution_names: ["ring", "hand"],
  };
  assert.deepEqual(
    factorRows({ factors: [1, 2] }, told).map(({ name, meaning }) => [name, meaning]),
    [
      ["hand", "Pieces in hand."],
      ["ring", undefined],
    ],
  );
  assert.deepEqual(
    factorRows({ contributions: [36, -8] }, told).map(({ name, meaning }) => [name, meaning]),
    [
      ["ring", undefined],
      ["hand", "Pieces in hand."],
    ],
  );
  assert.equal(heaviest(factorRows({ factors: [1, 2] }, told), 1)[0]?.meaning, undefined);
});

test("the sum is said to be for the player from whom it is seen", () => {
  assert.equal(sumNote(12.5, 12.5, 1e-9, "black"), "= static for black");
  assert.equal(sumNote(12.5, 13, 1e-9, "black"), "static is +13.0 for black");
  assert.equal(sumNote(12.5, undefined, 1e-9, "black"), "for black");
  assert.equal(sumNote(NaN, 3, 1e-9, "black"), "unknown: a factor has no weight");
});

test("whose the values are is said as far as the log names its players", () => {
  assert.equal(
    valuesNote({ players: ["white", "black"], root_player: "black" }),
    "Values are black's less white's: black is the root player.",
  );
  assert.equal(valuesNote({ players: ["white", "black"] }), "Values are the root player's less the opponent's.");
  assert.equal(
    valuesNote({ players: ["white"], root_player: "white" }),
    "Values are the root player's less the opponent's.",
  );
  assert.equal(valuesNote({ players: [] }), "Values are the root player's less the opponent's.");
  assert.equal(valuesNote({ players: ["a", "b", "c"], root_player: "b" }), "Values are seen from b.");
  assert.equal(valuesNote({ players: ["a", "b", "c"] }), "Values are seen from the root player.");
});
