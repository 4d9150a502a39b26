import assert from "node:assert/strict";
import test from "node:test";

import { apart } from "../../static/draw/numbers.js";
import {
  figureText,
  fullScore,
  proofOf,
  resultText,
  scoreText,
  shortScore,
  standsFor,
} from "../../static/draw/scores.js";

const MATE = { score: 1_000_000, step: 1, threshold: 999_000 };
const PROVEN = { is: "proven" };

const claim = (score, bound = "exact", proof = PROVEN) => ({ score, bound, proof });

test("a bound is never shown as if it were exact", () => {
  assert.equal(figureText({ score: 4, bound: "upper" }), "\u2264\u00a0+4");
  assert.equal(figureText({ score: -4, bound: "lower" }), "\u2265\u00a0\u22124");
  assert.equal(figureText({ score: 4, bound: "exact" }), "+4");
  assert.equal(figureText({ score: 4 }), "+4");
  assert.equal(figureText({ bound: "lower" }), "");
});

test("a proven win or loss is said by its distance, for both sides", () => {
  assert.equal(resultText(claim(999_995), MATE), "win in 5");
  assert.equal(resultText(claim(-999_996), MATE), "loss in 4");
  assert.equal(resultText(claim(999_995, "lower"), MATE), "win in 5 or less");
  assert.equal(resultText(claim(-999_996, "upper"), MATE), "loss in 4 or less");
  assert.equal(resultText(claim(-1_000_000), MATE), "lost");
  assert.equal(resultText(claim(32000 - 14), { score: 32000, step: 2, threshold: 31000 }), "win in 7");
});

test("a win without a distance that is not proven is one among the plies searched", () => {
  assert.equal(resultText({ score: 999_995.5, bound: "exact" }, MATE), "win among the plies searched");
  const weaker = { is: "weaker", score: 999_993 };
  assert.equal(
    resultText({ score: 999_995.5, bound: "exact", proof: weaker }, MATE),
    "win among the plies searched, proven only in 7",
  );
});

test("a win or loss that is not proven is one among the plies searched, and so is one of which nothing is known", () => {
  for (const proof of [{ is: "none" }, undefined]) {
    assert.equal(resultText({ score: 999_995, bound: "exact", proof }, MATE), "win in 5 among the plies searched");
    assert.equal(
      resultText({ score: -999_996, bound: "upper", proof }, MATE),
      "loss in 4 or less among the plies searched",
    );
  }
});

test("a win of which only a later one is proven says both", () => {
  const weaker = { is: "weaker", score: 999_993 };
  assert.equal(
    resultText(claim(999_997, "exact", weaker), MATE),
    "win in 3 among the plies searched, proven only in 7",
  );
  assert.equal(
    resultText(claim(999_997, "lower", weaker), MATE),
    "win in 3 or less among the plies searched, proven only in 7",
  );
  assert.equal(
    resultText(claim(-999_997, "exact", { is: "weaker", score: -999_993 }), MATE),
    "loss in 3 among the plies searched, proven only in 7",
  );
  assert.equal(
    resultText(claim(999_997, "exact", { ...weaker, repetition: true }), MATE),
    "win in 3 among the plies searched, proven only in 7, but for repetition",
  );
});

test("a proof through the table holds but for repetition", () => {
  assert.equal(
    resultText(claim(999_995, "exact", { is: "proven", repetition: true }), MATE),
    "win in 5, but for repetition",
  );
});

test("a bound that leaves the end open says the utmost, proven or not", () => {
  for (const proof of [PROVEN, undefined]) {
    assert.equal(resultText({ score: 999_997, bound: "upper", proof }, MATE), "at best a win in 3");
    assert.equal(resultText({ score: -999_996, bound: "lower", proof }, MATE), "at worst a loss in 4");
    assert.equal(proofOf({ score: 999_997, bound: "upper", proof }, MATE), null);
  }
  assert.equal(resultText(claim(1_000_000, "upper"), MATE), "");
  assert.equal(resultText(claim(-1_000_000, "lower"), MATE), "");
});

test("an ordinary score and an undeclared one are no distance", () => {
  assert.equal(resultText(claim(12.5), MATE), "");
  assert.equal(resultText(claim("inf"), MATE), "");
  assert.equal(resultText(claim(999_995), undefined), "");
  assert.equal(resultText(claim(999_995), { score: 1_000_000, step: 1 }), "");
});

test("a score between two distances keeps its figure, so that two of them differ", () => {
  assert.equal(scoreText(claim(999_995.5), MATE), "win (+999,995.5)");
  assert.equal(shortScore(claim(999_994.5, "exact", { is: "none" }), MATE), "win? (+999,994.5)");
});

test("on a card what is proven differs from what is not by a sign, and bounds keep theirs", () => {
  const weaker = { is: "weaker", score: 999_993 };
  assert.equal(shortScore(claim(999_995), MATE), "win in 5");
  assert.equal(shortScore({ score: 999_995 }, MATE), "win in 5?");
  assert.equal(shortScore(claim(999_997, "exact", weaker), MATE), "win in 7, 3?");
  assert.equal(shortScore(claim(999_997, "exact", { ...weaker, repetition: true }), MATE), "win in 7\u2020, 3?");
  assert.equal(shortScore(claim(999_995, "exact", { is: "proven", repetition: true }), MATE), "win in 5\u2020");
  assert.equal(shortScore(claim(999_995, "lower"), MATE), "win in \u2264\u00a05");
  assert.equal(shortScore(claim(-999_996, "upper", { is: "none" }), MATE), "loss in \u2264\u00a04?");
  assert.equal(shortScore(claim(999_997, "upper"), MATE), "\u2264\u00a0win in 3");
  assert.equal(shortScore(claim(-999_996, "lower"), MATE), "\u2265\u00a0loss in 4");
  assert.equal(shortScore(claim(1_000_000, "upper"), MATE), figureText(claim(1_000_000, "upper")));
});

test("a card says all other scores as figures, with the digits of its siblings", () => {
  assert.equal(shortScore(claim(12.5, "upper"), MATE, apart([12.5, 12.501])), "\u2264\u00a0+12.500");
  assert.equal(shortScore(claim(999_995), undefined), "+999,995");
});

test("a tip has every digit, beside the words of a result", () => {
  assert.equal(fullScore(claim(65.19999999999999, "lower"), MATE), "\u2265\u00a0+65.19999999999999");
  assert.equal(fullScore({ score: 999_995 }, MATE), "+999,995 (win in 5 among the plies searched)");
  assert.equal(fullScore({}, MATE), "");
});

test("a figure that claims nothing says what it stands for", () => {
  assert.equal(standsFor(999_995, MATE), "the score of a win in 5");
  assert.equal(standsFor(-1_000_000, MATE), "the score of a game lost at the root");
  assert.equal(standsFor(12, MATE), "");
  assert.equal(standsFor(undefined, MATE), "");
});
