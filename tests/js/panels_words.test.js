import assert from "node:assert/strict";
import test from "node:test";

import { keyParts } from "../../static/draw/element.js";
import { findPlace, isProse } from "../../static/views/logs/places.js";
import { placeAtCard, placeTip, WEIGHTS } from "../../static/views/tree/placing.js";
import { counterFields, runFields } from "../../static/draw/run-words.js";
import { foldedSentence } from "../../static/draw/wedge.js";
import { lineText, nodeFields, nodeName, outcomeText, searchedPlies, stubSentence } from "../../static/draw/words.js";

const MATE = { score: 1_000_000, step: 1, threshold: 999_000 };
const TOTALS = { rows: 9, nodes: 8, leaves: 4, prune_events: 1, pruned: 2, limited: 3, levels: [] };
const node = (fields) => ({ id: 7, parent: 1, level: 2, index: 0, n_children: 0, ...fields });
const byLabel = (fields) => Object.fromEntries(fields.map(({ label, value }) => [label, value]));

test("an outcome says how many plies of how many, as far as that is known, and an end for whom", () => {
  for (const [words, fields, searched] of [
    ["cut after 1 of 28", { outcome: "cutoff", moves: 28 }, 1],
    ["cut after 2 plies", { outcome: "cutoff" }, 2],
    ["cut off, 28 plies", { outcome: "cutoff", moves: 28, n_children: 2 }],
    ["cut off, 1 ply", { outcome: "cutoff", moves: 1, n_children: 1 }],
    ["cut by the null move", { outcome: "cutoff", cut_by: "null", moves: 28 }, 0],
    ["cut off; its replies are not in this log", { outcome: "cutoff", moves: 11 }],
    ["searched; its replies are not in this log", { outcome: "searched", moves: 11 }, 0],
    ["searched 9 of 11", { outcome: "searched", moves: 11, n_children: 9 }, 9],
    ["searched 1 ply", { outcome: "searched", n_children: 1 }, 1],
    ["searched 2 plies", { outcome: "searched", n_children: 2 }, 2],
    ["game over, lost by the root player", { outcome: "terminal", ending: "loss" }],
    ["game over", { outcome: "terminal" }],
  ])
    assert.equal(outcomeText(node(fields), searched), words);
  assert.equal(lineText("leaf"), "down to a leaf at the horizon");
  assert.equal(lineText("end"), "down to a row without children");
  assert.equal(lineText("not_recorded"), "down to a row whose replies are not in this log");
});

test("stubs, null moves, probes and second visits are no searched plies", () => {
  const searched = [{ ply: "a" }, { ply: "d", purpose: "scout" }];
  const others = [
    ["a", "research"],
    ["b", "null"],
    ["c", "probe"],
  ].map(([ply, purpose]) => ({ ply, purpose }));
  assert.equal(searchedPlies([...searched, ...others, { outcome: "pruned", count: 9 }].map(node)), 2);
});

test("a stub says its count and why its plies were not searched", () => {
  for (const [words, fields] of [
    ["1 sibling cut off by alpha-beta", { outcome: "pruned", count: 1 }],
    ["2 siblings searched, but not recorded, 1,700 nodes in all", { outcome: "unlogged", count: 2, nodes: 1700 }],
    ["1,200 siblings over the branching limit", { outcome: "limited", count: 1200 }],
    ["siblings skipped by forward pruning", { outcome: "skipped" }],
  ])
    assert.equal(stubSentence(node(fields)), words);
});

test("a node is called by its ply, a root by its iteration, a nameless one by its id", () => {
  assert.equal(nodeName(node({ ply: "c6" })), "c6");
  assert.equal(nodeName(node({ ply: "", parent: null, iteration: 122341 })), "root, iteration 122,341");
  assert.equal(nodeName(node({ parent: null })), "root");
  assert.equal(nodeName(node({})), "#7");
});

test("all fields are told with every digit, a result in words with its proof, and nothing that is unknown", () => {
  const below = { nodes: 9, height: 1, best: 0.1 + 0.2, worst: 0.3, worst_bound: "lower" };
  const figures = { static: 65.19999999999999, alpha: 0.1 + 0.2, beta: null };
  const full = node({ score: 999_995, bound: "exact", below, layer: "max", ...figures });
  const told = byLabel(nodeFields(full, { mate: MATE }));
  assert.equal(told["score"], "+999,995");
  assert.equal(told["result"], "win in 5 among the plies searched");
  assert.equal(told["static"], "+65.19999999999999");
  assert.equal(told["window"], "[+0.30000000000000004, +\u221e]");
  assert.equal(told["children"], "best +0.30000000000000004, worst \u2265\u00a0+0.3");
  const zero = byLabel(nodeFields(node({ score: 0, depth: 0, in_check: false, alpha: null })));
  assert.deepEqual([zero["score"], zero["depth"], zero["in check"]], ["0", "0", "no"]);
  assert.equal(zero["window"], "[\u2212\u221e, +\u221e]");
  assert.ok(!("static" in zero) && !("time" in zero));
  const ucb = { exploit: 0.25, explore: 0.5, n: 12, n_parent: 1999 };
  assert.equal(byLabel(nodeFields(node({ ucb })))["ucb"], "exploit 0.25, explore 0.5, n 12, n parent 1,999");
});

test("children are called best and worst only where it is known who moves, else highest and lowest", () => {
  for (const [layer, best, worst, words] of [
    ["max", 0.5, 0.3, "best +0.5, worst +0.3"],
    ["min", 0.3, 0.5, "best +0.3, worst +0.5"],
    ["chance", 0.5, 0.3, "highest +0.5, lowest +0.3"],
    [undefined, 0.5, 0.3, "highest +0.5, lowest +0.3"],
  ]) {
    const at = node({ below: { nodes: 9, height: 1, best, worst }, ...(layer && { layer }) });
    assert.equal(foldedSentence(at).split("; ")[1], words);
    assert.equal(byLabel(nodeFields(at))["children"], words);
  }
});

test("the best and the worst of a folded node never read the same where they differ, and keep their bounds", () => {
  const below = { nodes: 9, height: 1, best: 0.12344, worst: 0.12341, best_bound: "upper" };
  const close = foldedSentence(node({ below, layer: "max" }));
  assert.equal(close, "9 nodes below, 1 level deep; best \u2264\u00a0+0.12344, worst +0.12341");
  const won = foldedSentence(node({ below: { ...below, best: 999_995, worst: 3, best_bound: "exact" } }), MATE);
  assert.match(won, /\+999,995 \(win in 5 among the plies searched\), \S+ \+3$/);
});

test("the result of a run is proven where its root is, and keeps its bound", () => {
  const score = (result, root) => {
    const fields = runFields({ totals: TOTALS, search: { mate: MATE }, result }, root && node(root));
    return fields.find(({ label }) => label === "score");
  };
  const [won, proof] = [{ score: 999_995 }, { is: "proven" }];
  assert.equal(score(won, { ...won, proof })?.value, "win in 5");
  assert.equal(score(won, { score: 999_993, proof })?.value, "win in 5 among the plies searched");
  assert.equal(score(won, {})?.whole, "+999,995 (win in 5 among the plies searched)");
  const bounds = ["lower", "upper", undefined].map((bound) => score({ score: 7, bound })?.value);
  assert.deepEqual(bounds, ["\u2265\u00a0+7", "\u2264\u00a0+7", "+7"]);
});

test("a run says its rank with the quotient, what was drawn and what it cost, and totals without a result too", () => {
  const result = { ply: "c6", score: 2, rank: 1, randomness_quotient: 8, seconds: 0.41 };
  const told = byLabel(runFields({ result, totals: TOTALS }));
  assert.deepEqual([told["rank (Q = 8)"], told["chosen by draw"], told["chosen"]], ["1", "c6", undefined]);
  assert.deepEqual([told["siblings pruned"], told["limited"], told["time"]], ["2", "3", "0.41 s"]);
  const bare = byLabel(runFields({ totals: TOTALS }));
  assert.ok("nodes" in bare && !("chosen" in bare));
});

test("siblings that no row counts are unknown, and at least those that some do; leaves say what returned at once", () => {
  const totals = { ...TOTALS, pruned: 0, limited: 2000, uncounted_pruned: 5, uncounted_limited: 1, returned: 2 };
  const fields = new Map(runFields({ result: {}, totals }).map((field) => [field.label, field]));
  assert.equal(fields.get("siblings pruned")?.value, "unknown");
  assert.match(fields.get("siblings pruned")?.title ?? "", /5 rows do not say how many/);
  assert.equal(fields.get("limited")?.value, "≥ 2,000");
  assert.equal(fields.get("leaves")?.value, "4");
  assert.equal(fields.get("leaves")?.title, "2 of them where quiescence or pruning returned at once");
});

test("a log of a match says where in which game it stood, and no other says anything of games", () => {
  const match = { game: 0, turn: 14, plies: 61, players: ["deep", "random"], searched: "deep" };
  const fields = (told) => byLabel(runFields({ totals: TOTALS, header: { match: told } }));
  const found = fields({ ...match, result: "random won", why: "over" });
  assert.equal(found["game of the match"], "0");
  assert.equal(found["turn"], "14 of 61");
  assert.equal(found["players"], "deep against random");
  assert.equal(found["searched by"], "deep");
  assert.equal(found["game's result"], "random won (over)");
  for (const other of [null, "cup", 3, { game: "3", turn: [], players: [1, 2], result: {} }])
    assert.deepEqual(fields(other), fields(undefined));
});

test("counters are pairs of what was tried and what succeeded, with the share", () => {
  const pair = (tried, succeeded) => ({ tried, succeeded });
  const counters = { table: pair(12345, 4321), null_move: pair(0, 0), mine: pair(2, 1), bad: pair("x"), none: null };
  const told = counterFields({ result: { counters } }).map(({ label, value }) => `${label}: ${value}`);
  assert.deepEqual(told, [
    "table: 12,345 probed, 4,321 hit (35\u00a0%)",
    "null move: 0 tried, 0 cut",
    "mine: 2 tried, 1 succeeded (50\u00a0%)",
  ]);
  for (const none of [undefined, null, 3, "x", []]) assert.deepEqual(counterFields({ result: { counters: none } }), []);
  assert.deepEqual(counterFields({}), []);
});

test("an error's line and column, or its path, are found in the text; where it names no place nothing is", () => {
  const marked = (message, text) => {
    const place = findPlace(message, text);
    return place === null ? null : [text.slice(place.start, place.end), place.line];
  };
  const cut = '{"a": 1,\n "score": fals}';
  const text = '{"a": {"outcome": "cut"}, "root": {"children": [{"ply": "x]"},\n {"ply": "y", "outcome": "cut"}]}}';
  const literal = "// {a: 1}\nvar t = {root: {score: 3, /* {] */ 'children': [{ply: 'it\\'s', score: x1}]}};";
  const lines = '{"plyscope": 1}\n{"id": 0, "outcome": "leaf"}\n{"id": 1, "outcome": "cut"}';
  for (const [message, inside, found] of [
    ["line 2, column 11: found fals", cut, ["fals", 2]],
    ["Line 1 is wrong", cut, ['{"a": 1,', 1]],
    ["line 9, column 1: cut short", cut, null],
    ["line 1, column 99: cut short", "{}", ["", 1]],
    ['$.root.children[1].outcome: found "cut", expected', text, ['"cut"', 2]],
    ["$.root.children[0].ply: found a text", text, ['"x]"', 1]],
    ["$.root.children: found a list", text, ["[", 1]],
    ["$.root.children[7].score: found a text", text, null],
    ["$: this looks like a list", text, null],
    ["root.children: expected a list", text, null],
    ["$.root.children[0].score: found x1", literal, ["x1", 2]],
    ['line 3, $.outcome: found "cut"', lines, ['"cut"', 3]],
  ])
    assert.deepEqual(marked(message, inside), found, message);
});

test("text that begins neither as JSON nor as an assignment is no log", () => {
  for (const text of ["I tried this", "<html lang='en'>", "shopping: milk", "import sys"])
    assert.ok(isProse(text), text);
  for (const text of ["", " {", "[1]", "'{}'", "var json = {", "// mine\nlet x =\n [", "({})"])
    assert.ok(!isProse(text), text);
});

const inside = ({ left, top, right, bottom }, page) =>
  left >= 0 && top >= 0 && right <= page.width && bottom <= page.height;

test("a tip never lies under the pointer and never leaves the window", () => {
  const page = { width: 1280, height: 720 };
  for (const tip of [
    { width: 360, height: 200 },
    { width: 300, height: 600 },
  ]) {
    for (let x = 0; x <= page.width; x += 40) {
      for (let y = 0; y <= page.height; y += 40) {
        const { left, top } = placeTip({ x, y }, tip, page);
        const [right, bottom] = [left + tip.width, top + tip.height];
        assert.ok(x < left || x > right || y < top || y > bottom, `covers the pointer at ${x}, ${y}`);
        assert.ok(inside({ left, top, right, bottom }, page), `leaves the window at ${x}, ${y}`);
      }
    }
  }
});

const TIP = { width: 340, height: 220 };
const CARD = { left: 500, right: 620, top: 400, bottom: 428 };

/** A column of so many cards of 120 by 28 pixels. */
const column = (left, n) =>
  Array.from({ length: n }, (_, i) => ({ left, right: left + 120, top: 60 + 34 * i, bottom: 88 + 34 * i }));

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test("the tip of a card alone stands below it, right edges in line, or above it at the foot of the window", () => {
  const tip = { width: 296, height: 220 };
  const page = { width: 1440, height: 900 };
  assert.deepEqual(placeAtCard(CARD, tip, page, []), { left: 324, top: 434 });
  assert.deepEqual(placeAtCard({ ...CARD, top: 850, bottom: 878 }, tip, page, []), { left: 324, top: 624 });
});

test("a tip covers no sibling, wherever its card stands in a window full of cards, and no child where it is wide", () => {
  for (const [width, height] of [
    [1920, 1080],
    [1280, 720],
    [800, 500],
  ]) {
    const of = (i) => column(10 + 190 * i, Math.floor((height - 100) / 34));
    const columns = Array.from({ length: Math.floor(width / 190) }, (_, i) => of(i));
    for (const [at, siblings] of columns.entries()) {
      const children = columns[at + 1] ?? [];
      const kindOf = (boxes) => (boxes === siblings ? "sibling" : boxes === children ? "child" : "other");
      const obstacles = columns.flatMap((boxes) => boxes.map((box) => ({ ...box, weight: WEIGHTS[kindOf(boxes)] })));
      for (const card of [siblings[0], siblings[Math.floor(siblings.length / 2)], siblings.at(-1)]) {
        const { left, top } = placeAtCard(card, TIP, { width, height }, obstacles);
        const tip = { left, top, right: left + TIP.width, bottom: top + TIP.height };
        assert.ok(inside(tip, { width, height }));
        const near = width > 800 ? [...siblings, ...children] : siblings;
        assert.ok(!near.some((one) => overlap(tip, one)), `column ${at} of ${width}`);
      }
    }
  }
});

test("keys are named as they are printed", () => {
  const named = ["Alt+ArrowLeft", "N", "+", " "].map(keyParts);
  assert.deepEqual(named, [["Alt", "\u2190"], ["Shift", "N"], ["+"], ["Space"]]);
});
