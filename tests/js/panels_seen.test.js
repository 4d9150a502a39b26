import assert from "node:assert/strict";
import test from "node:test";

import { amongFigures, brief, seen } from "../../static/draw/seen.js";
import { nodeName } from "../../static/draw/words.js";

test("characters that are not seen become signs", () => {
  assert.equal(seen("\u202eevil"), "\u2039U+202E\u203aevil");
  assert.equal(seen("a\u0000b\u001b[1m\u007f"), "a\u2400b\u241b[1m\u2421");
  assert.equal(seen("\u2066c6\u2069\ufeff"), "\u2039U+2066\u203ac6\u2039U+2069\u203a\u2039U+FEFF\u203a");
});

test("line ends, tabs, letters of every script and joined pictures stay as they are", () => {
  const text = "a\tb\nc \u05d0\u05d1 \u0645\u200c\u0646 \ud83d\udc69\u200d\ud83d\udcbb e\u0301";
  assert.equal(seen(text), text);
});

test("a node's name never turns the text around it", () => {
  const node = { id: 3, parent: 1, level: 1, index: 0, n_children: 0, ply: "\u202eevil" };
  assert.equal(nodeName(node), "\u2039U+202E\u203aevil");
});

test("a long text is without its middle, and never cut within a character", () => {
  assert.equal(brief("mobility (+5.0: 3 against 2)"), "mobility (+5.0: 3 against 2)");
  assert.equal(brief(`${"a".repeat(5000)} (+5.0: 3 against 2)`, 50), `${"a".repeat(29)}\u2026 (+5.0: 3 against 2)`);
  assert.equal(brief("\ud83d\ude00".repeat(50), 10), `${"\ud83d\ude00".repeat(5)}\u2026${"\ud83d\ude00".repeat(4)}`);
  assert.equal(brief("x".repeat(80)), "x".repeat(80));
});

test("a ply that reads as a number stands in quotes among figures", () => {
  assert.equal(amongFigures("7"), "\u201c7\u201d");
  assert.equal(amongFigures("-2.5"), "\u201c-2.5\u201d");
  assert.equal(amongFigures("c6"), "c6");
  assert.equal(amongFigures("1. e4"), "1. e4");
});
