import assert from "node:assert/strict";
import test from "node:test";

import { apart } from "../../static/draw/numbers.js";
import { figureText, fullScore, resultText, scoreText, shortScore, standsFor } from "../../static/draw/scores.js";

const MATE = { score: 1_000_000, step: 1, threshold: 999_000 };
const PROVEN = { is: "proven" };
const NONE = { is: "none" };
/** Only a later win is proven. */
const WEAKER = { is: "weaker", score: 999_993 };
const AMONG = "among the plies searched";

const claim = (score, bound = "exact", proof = PROVEN) => ({ score, bound, proof });
const repeated = (proof) => ({ ...proof, repetition: true });

test("a bound is never shown as if it were exact", () => {
  for (const [shown, text] of [
    [{ score: 4, bound: "upper" }, "\u2264\u00a0+4"],
    [{ score: -4, bound: "lower" }, "\u2265\u00a0\u22124"],
    [{ score: 4, bound: "exact" }, "+4"],
    [{ score: 4 }, "+4"],
    [{ bound: "lower" }, ""],
  ])
    assert.equal(figureText(shown), text);
});

test("a win or loss is said by its distance, with its bound and how far it is proven, for both sides", () => {
  for (const [words, ...told] of [
    ["win in 5", 999_995],
    ["loss in 4", -999_996],
    ["lost", -1_000_000],
    ["win in 5 or less", 999_995, "lower"],
    ["loss in 4 or less", -999_996, "upper"],
    ["win in 5, but for repetition", 999_995, "exact", repeated(PROVEN)],
    [`win in 5 ${AMONG}`, 999_995, "exact", NONE],
    [`win in 5 ${AMONG}`, 999_995, "exact", null],
    [`loss in 4 or less ${AMONG}`, -999_996, "upper", NONE],
    [`win in 3 ${AMONG}, proven only in 7`, 999_997, "exact", WEAKER],
    [`win in 3 or less ${AMONG}, proven only in 7`, 999_997, "lower", WEAKER],
    [`loss in 3 ${AMONG}, proven only in 7`, -999_997, "exact", { is: "weaker", score: -999_993 }],
    [`win in 3 ${AMONG}, proven only in 7, but for repetition`, 999_997, "exact", repeated(WEAKER)],
    [`win ${AMONG}`, 999_995.5, "exact", null],
    [`win ${AMONG}, proven only in 7`, 999_995.5, "exact", WEAKER],
    ["", 1_000_000, "upper"],
    ["", -1_000_000, "lower"],
    ["", 12.5],
    ["", "inf"],
  ])
    assert.equal(resultText(claim(...told), MATE), words);
  assert.equal(resultText(claim(32000 - 14), { score: 32000, step: 2, threshold: 31000 }), "win in 7");
  for (const undeclared of [undefined, { score: 1_000_000, step: 1 }])
    assert.equal(resultText(claim(999_995), undeclared), "");
});

test("a bound that leaves the end open says the utmost, proven or not", () => {
  for (const proof of [PROVEN, null]) {
    assert.equal(resultText(claim(999_997, "upper", proof), MATE), "at best a win in 3");
    assert.equal(resultText(claim(-999_996, "lower", proof), MATE), "at worst a loss in 4");
  }
});

test("on a card what is proven differs from what is not by a sign, and bounds keep theirs", () => {
  for (const [text, ...told] of [
    ["win in 5", 999_995],
    ["win in 5?", 999_995, "exact", null],
    ["win in 7, 3?", 999_997, "exact", WEAKER],
    ["win in 7\u2020, 3?", 999_997, "exact", repeated(WEAKER)],
    ["win in 5\u2020", 999_995, "exact", repeated(PROVEN)],
    ["win in \u2264\u00a05", 999_995, "lower"],
    ["loss in \u2264\u00a04?", -999_996, "upper", NONE],
    ["\u2264\u00a0win in 3", 999_997, "upper"],
    ["\u2265\u00a0loss in 4", -999_996, "lower"],
    [figureText(claim(1_000_000, "upper")), 1_000_000, "upper"],
    ["win? (+999,994.5)", 999_994.5, "exact", NONE],
  ])
    assert.equal(shortScore(claim(...told), MATE), text);
  assert.equal(scoreText(claim(999_995.5), MATE), "win (+999,995.5)", "between two distances the figure is kept");
  assert.equal(shortScore(claim(12.5, "upper"), MATE, apart([12.5, 12.501])), "\u2264\u00a0+12.500");
  assert.equal(shortScore(claim(999_995), undefined), "+999,995");
});

test("a tip has every digit, beside the words of a result", () => {
  assert.equal(fullScore(claim(65.19999999999999, "lower"), MATE), "\u2265\u00a0+65.19999999999999");
  assert.equal(fullScore({ score: 999_995 }, MATE), `+999,995 (win in 5 ${AMONG})`);
  assert.equal(fullScore({}, MATE), "");
});

test("a figure that claims nothing says what it stands for", () => {
  assert.equal(standsFor(999_995, MATE), "the score of a win in 5");
  assert.equal(standsFor(-1_000_000, MATE), "the score of a game lost at the root");
  for (const other of [12, undefined]) assert.equal(standsFor(other, MATE), "");
});
