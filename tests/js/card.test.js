/** What cards and tips say of a node, and that no text of a log turns what stands around it. */
import assert from "node:assert/strict";
import test from "node:test";

import { pvOf } from "../../static/data/opening.js";
import { cardName, meanText } from "../../static/draw/lettering.js";
import { apart } from "../../static/draw/numbers.js";
import { amongFigures, brief, seen } from "../../static/draw/seen.js";
import { nodeFields, nodeName } from "../../static/draw/words.js";
import { sentence } from "../../static/views/tree/card.js";
import { tipFigures } from "../../static/views/tree/tip-figures.js";
import { knowing, openedLog, plant } from "./forest.js";

const visit = (fields) => ({ id: 1, parent: 0, level: 1, index: 0, ply: "c6", n_children: 0, ...fields });
const spoken = (fields, face = {}) => sentence({ node: visit(fields), open: false, pv: false, ...face });
const tip = (fields, players = []) => tipFigures(visit(fields), undefined, players);

test("a scout, a re-search, a null move and a probe differ on the card and when read aloud", () => {
  const purposes = ["full", "scout", "research", "null", "probe"];
  const names = purposes.map((purpose) => cardName(visit({ purpose })));
  assert.equal(new Set(names).size, 5);
  assert.ok(names[0] === "c6" && names.every((name) => name.endsWith("c6")));
  const said = purposes.map((purpose) => spoken({ purpose }));
  assert.deepEqual(said, ["c6", "c6, scout", "c6, re-search", "c6, null move", "c6, probe"]);
});

test("a card read aloud says a win in full words, and other scores with the digits of their siblings", () => {
  const face = { mate: { score: 1_000_000, step: 1, threshold: 999_000 }, digits: apart([0.12341, 0.12344]) };
  for (const [words, fields] of [
    ["min, win in 5 among the plies searched", { layer: "min", score: 999_995 }],
    ["win in 5", { score: 999_995, proof: { is: "proven" } }],
    ["score at most +0.12341", { score: 0.12341, bound: "upper" }],
    ["score +40", { score: 40 }],
    ["score +7.1", { score: 7.1 }],
  ])
    assert.equal(spoken(fields, face), `c6, ${words}`);
});

test("a principal variation of one node is no line", () => {
  const nodes = plant([{ children: [{}] }]);
  const line = (pv) => pvOf({ ...knowing(nodes, []), opened: openedLog(nodes, { pv }) }).size;
  assert.deepEqual([line([0]), line([0, 1])], [0, 2]);
});

test("a card without a score has the mean and the visits of a best-first tree, on sight and read aloud", () => {
  assert.equal(meanText({ mean: 0.5, visits: 12_000 }, 2), "\u2300\u202f0.50 \u00b7 12k");
  assert.equal(meanText({ mean: 0.5 }, 2), "\u2300\u202f0.50");
  assert.equal(meanText({ visits: 7 }), "n\u202f=\u202f7");
  assert.equal(meanText({}), "");
  assert.equal(spoken({ mean: 0.5, visits: 1 }, { digits: 2 }), "c6, mean 0.50, 1 visit");
  assert.equal(spoken({ score: 3, mean: 0.5, visits: 1 }, { digits: 2 }), "c6, score +3");
});

test("a tip of a best-first tree has the mean, the visits, how games ended and the terms of the choice", () => {
  const ucb = { exploit: 0.97, explore: 0.123456, n: 3, n_parent: 9 };
  assert.deepEqual(tip({ mean: 0.966249, visits: 1400, wins: 1377, draws: 19, losses: 4, prior: 0.25, ucb }), [
    ["mean", "0.9662"],
    ["visits", "1,400"],
    ["won, drawn, lost", "1,377, 19, 4"],
    ["prior", "0.25"],
    ["ucb", "0.97 + 0.1235"],
  ]);
  assert.deepEqual(tip({ wins: 3 }), [["won, drawn, lost", "3, ?, ?"]]);
  assert.deepEqual(tip({ prior: 0.15384615384615385 }), [["probability", "0.1538"]]);
});

test("scores of several players have their names, in the tip and in the details", () => {
  const scores = [4, null, 2.5];
  const players = ["A", "B", "C"];
  assert.deepEqual(tip({ scores }, players), [["scores", "A 4, B ?, C 2.5"]]);
  assert.deepEqual(tip({ scores }), [["scores", "4, ?, 2.5"]]);
  const field = nodeFields(visit({ scores }), { players }).find(({ label }) => label === "scores");
  assert.equal(field?.value, "A 4, B ?, C 2.5");
});

test("a tip says what the parent took, what was estimated, and how a visit differs from a plain one", () => {
  const figures = { score: 4, counted_as: 3, estimate: -2.5, depth: 3, reduction: 2, extension: 0 };
  assert.deepEqual(tip({ ...figures, quiescence: true, in_check: true }), [
    ["counted as", "+3.0"],
    ["estimate", "\u22122.5"],
    ["depth", "3"],
    ["reduced by", "2"],
    "quiescence",
    "in check",
  ]);
});

test("characters that are not seen become signs, all others stay as they are", () => {
  assert.equal(nodeName(visit({ ply: "\u202eevil" })), "\u2039U+202E\u203aevil");
  assert.equal(seen("a\u0000b\u001b[1m\u007f"), "a\u2400b\u241b[1m\u2421");
  assert.equal(seen("\u2066c6\u2069\ufeff"), "\u2039U+2066\u203ac6\u2039U+2069\u203a\u2039U+FEFF\u203a");
  const text = "a\tb\nc \u05d0\u05d1 \u0645\u200c\u0646 \ud83d\udc69\u200d\ud83d\udcbb e\u0301";
  assert.equal(seen(text), text);
});

test("a long text is without its middle, and never cut within a character", () => {
  const figure = "mobility (+5.0: 3 against 2)";
  for (const whole of [figure, "x".repeat(80)]) assert.equal(brief(whole), whole);
  assert.equal(brief(`${"a".repeat(5000)} (+5.0: 3 against 2)`, 50), `${"a".repeat(29)}\u2026 (+5.0: 3 against 2)`);
  assert.equal(brief("\ud83d\ude00".repeat(50), 10), `${"\ud83d\ude00".repeat(5)}\u2026${"\ud83d\ude00".repeat(4)}`);
});

test("a ply that reads as a number stands in quotes among figures", () => {
  const quoted = ["7", "-2.5", "c6", "1. e4"].map(amongFigures);
  assert.deepEqual(quoted, ["\u201c7\u201d", "\u201c-2.5\u201d", "c6", "1. e4"]);
});
