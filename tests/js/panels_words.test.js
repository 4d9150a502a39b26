import assert from "node:assert/strict";
import test from "node:test";

import { keyParts } from "../../static/draw/element.js";
import { findPlace, isProse } from "../../static/views/logs/places.js";
import { placeAtCard, placeTip, WEIGHTS } from "../../static/views/tree/placing.js";
import { counterFields, runFields } from "../../static/draw/run-words.js";
import { foldedSentence } from "../../static/draw/wedge.js";
import {
  lineText,
  nodeFields,
  nodeName,
  outcomeText,
  searchedPlies,
  stubSentence,
  tableText,
} from "../../static/draw/words.js";

const node = (fields) => ({ id: 7, parent: 1, level: 2, index: 0, n_children: 0, ...fields });

test("a cut says after how many of how many plies, as far as that is known", () => {
  assert.equal(outcomeText(node({ outcome: "cutoff", moves: 28 }), 1), "cut after 1 of 28");
  assert.equal(outcomeText(node({ outcome: "cutoff" }), 2), "cut after 2 plies");
  assert.equal(outcomeText(node({ outcome: "cutoff", moves: 28, n_children: 2 })), "cut off, 28 plies");
  assert.equal(outcomeText(node({ outcome: "cutoff", cut_by: "null", moves: 28 }), 0), "cut by the null move");
});

test("a searched node without children says that its replies are not in the log", () => {
  assert.equal(outcomeText(node({ outcome: "searched", moves: 11 }), 0), "searched; its replies are not in this log");
  assert.equal(outcomeText(node({ outcome: "cutoff", moves: 11 })), "cut off; its replies are not in this log");
  assert.equal(outcomeText(node({ outcome: "searched", moves: 11, n_children: 9 }), 9), "searched 9 of 11");
});

test("one ply is said in the singular", () => {
  assert.equal(outcomeText(node({ outcome: "searched", n_children: 1 }), 1), "searched 1 ply");
  assert.equal(outcomeText(node({ outcome: "searched", n_children: 2 }), 2), "searched 2 plies");
  assert.equal(outcomeText(node({ outcome: "cutoff", moves: 1, n_children: 1 })), "cut off, 1 ply");
});

test("a line ends at a leaf only where the log says so", () => {
  assert.equal(lineText("leaf"), "down to a leaf at the horizon");
  assert.equal(lineText("end"), "down to a row without children");
  assert.equal(lineText("not_recorded"), "down to a row whose replies are not in this log");
});

test("a game's end says for whom", () => {
  assert.equal(outcomeText(node({ outcome: "terminal", ending: "loss" })), "game over, lost by the root player");
  assert.equal(outcomeText(node({ outcome: "terminal" })), "game over");
});

test("stubs, null moves, probes and second visits are no searched plies", () => {
  const children = [
    node({ id: 1, ply: "a" }),
    node({ id: 2, ply: "a", purpose: "research" }),
    node({ id: 3, ply: "b", purpose: "null" }),
    node({ id: 4, ply: "c", purpose: "probe" }),
    node({ id: 5, outcome: "pruned", count: 9 }),
    node({ id: 6, ply: "d", purpose: "scout" }),
  ];
  assert.equal(searchedPlies(children), 2);
});

test("a stub says its count and why its plies were not searched", () => {
  assert.equal(stubSentence(node({ outcome: "pruned", count: 1 })), "1 sibling cut off by alpha-beta");
  assert.equal(
    stubSentence(node({ outcome: "unlogged", count: 2, nodes: 1700 })),
    "2 siblings searched, but not recorded, 1,700 nodes in all",
  );
  assert.equal(stubSentence(node({ outcome: "limited", count: 1200 })), "1,200 siblings over the branching limit");
  assert.equal(stubSentence(node({ outcome: "skipped" })), "siblings skipped by forward pruning");
});

test("a node is called by its ply, a root by its iteration, a nameless one by its id", () => {
  assert.equal(nodeName(node({ ply: "c6" })), "c6");
  assert.equal(nodeName(node({ ply: "", parent: null, iteration: 122341 })), "root, iteration 122,341");
  assert.equal(nodeName(node({ parent: null })), "root");
  assert.equal(nodeName(node({ parent: null, iteration: 3 })), "root, iteration 3");
  assert.equal(nodeName(node({})), "#7");
});

test("a table entry keeps its bound", () => {
  const text = tableText({ use: "cut", score: 9.5, bound: "lower", depth: 3, ply: "d6", from: 812 });
  assert.equal(text, "cut by an entry worth \u2265\u00a0+9.5 of depth 3 with d6 stored by #812");
  const mate = { score: 1_000_000, step: 1, threshold: 999_000 };
  assert.equal(
    tableText({ use: "cut", score: 999_995 }, mate),
    "cut by an entry worth +999,995 (the score of a win in 5)",
  );
});

test("all fields are told with every digit, and a result in words with its proof", () => {
  const mate = { score: 1_000_000, step: 1, threshold: 999_000 };
  const below = { nodes: 9, height: 1, best: 0.1 + 0.2, worst: 0.3, worst_bound: "lower" };
  const fields = node({
    score: 999_995,
    bound: "exact",
    static: 65.19999999999999,
    alpha: 0.1 + 0.2,
    beta: null,
    below,
    layer: "max",
  });
  const labels = new Map(nodeFields(fields, { mate }).map((field) => [field.label, field.value]));
  assert.equal(labels.get("score"), "+999,995");
  assert.equal(labels.get("result"), "win in 5 among the plies searched");
  assert.equal(labels.get("static"), "+65.19999999999999");
  assert.equal(labels.get("window"), "[+0.30000000000000004, +\u221e]");
  assert.equal(labels.get("children"), "best +0.30000000000000004, worst \u2265\u00a0+0.3");
});

test("children are called best and worst only where it is known who moves, else highest and lowest", () => {
  const below = { nodes: 9, height: 1, best: 0.5, worst: 0.3 };
  const words = (layer) => {
    const below_ = layer === "min" ? { ...below, best: 0.3, worst: 0.5 } : below;
    const at = node({ below: below_, ...(layer && { layer }) });
    return [foldedSentence(at).split("; ")[1], nodeFields(at).find(({ label }) => label === "children")?.value];
  };
  for (const [layer, text] of [
    ["max", "best +0.5, worst +0.3"],
    ["min", "best +0.3, worst +0.5"],
  ])
    assert.deepEqual(words(layer), [text, text]);
  for (const layer of [undefined, "chance"]) assert.deepEqual(words(layer), Array(2).fill("highest +0.5, lowest +0.3"));
});

test("the best and the worst of a folded node never read the same where they differ, and keep their bounds", () => {
  const below = { nodes: 9, height: 1, best: 0.12344, worst: 0.12341, best_bound: "upper" };
  assert.equal(
    foldedSentence(node({ below, layer: "max" })),
    "9 nodes below, 1 level deep; best \u2264\u00a0+0.12344, worst +0.12341",
  );
  const won = { nodes: 9, height: 1, best: 999_995, worst: 3 };
  const mate = { score: 1_000_000, step: 1, threshold: 999_000 };
  assert.match(
    foldedSentence(node({ below: won, layer: "min" }), mate),
    /best \+999,995 \(win in 5 among the plies searched\), worst \+3$/,
  );
});

test("the result of a run is proven where its root is, and the root has its score", () => {
  const totals = { rows: 1, nodes: 1, leaves: 1, prune_events: 0, pruned: 0, limited: 0, levels: [] };
  const search = { mate: { score: 1_000_000, step: 1, threshold: 999_000 } };
  const opened = { totals, search, result: { score: 999_995 } };
  const score = (root) => runFields(opened, node(root)).find(({ label }) => label === "score");
  assert.equal(score({ score: 999_995, proof: { is: "proven" } })?.value, "win in 5");
  assert.equal(score({ score: 999_993, proof: { is: "proven" } })?.value, "win in 5 among the plies searched");
  assert.equal(score({})?.whole, "+999,995 (win in 5 among the plies searched)");
});

test("a result that is a bound is shown as one", () => {
  const totals = { rows: 1, nodes: 1, leaves: 1, prune_events: 0, pruned: 0, limited: 0, levels: [] };
  const score = (bound) =>
    runFields({ totals, result: { score: 7, bound } }).find(({ label }) => label === "score")?.value;
  assert.deepEqual([score("lower"), score("upper"), score()], ["\u2265\u00a0+7", "\u2264\u00a0+7", "+7"]);
});

test("fields that are unknown are not shown, those that are zero or false are", () => {
  const labels = new Map(
    nodeFields(node({ score: 0, depth: 0, in_check: false, alpha: null })).map((field) => [field.label, field.value]),
  );
  assert.equal(labels.get("score"), "0");
  assert.equal(labels.get("depth"), "0");
  assert.equal(labels.get("in check"), "no");
  assert.equal(labels.get("window"), "[\u2212\u221e, +\u221e]");
  assert.equal(labels.has("static"), false);
  assert.equal(labels.has("time"), false);
});

test("the rank of the run is named with its quotient", () => {
  const totals = { rows: 9, nodes: 8, leaves: 4, prune_events: 1, pruned: 2, limited: 3, levels: [] };
  const opened = { result: { ply: "c6", score: 2, rank: 1, randomness_quotient: 8, seconds: 0.41 }, totals };
  const fields = new Map(runFields(opened).map((field) => [field.label, field.value]));
  assert.equal(fields.get("rank (Q = 8)"), "1");
  assert.equal(fields.get("chosen by draw"), "c6");
  assert.ok(!fields.has("chosen"));
  assert.equal(fields.get("siblings pruned"), "2");
  assert.equal(fields.get("limited"), "3");
  assert.equal(fields.get("time"), "0.41 s");
});

test("siblings that no row counts are unknown, and at least those that some do", () => {
  const totals = {
    rows: 9,
    nodes: 8,
    leaves: 4,
    prune_events: 5,
    pruned: 0,
    limited: 2000,
    uncounted_pruned: 5,
    uncounted_limited: 1,
    levels: [],
  };
  const fields = new Map(runFields({ result: {}, totals }).map((field) => [field.label, field]));
  assert.equal(fields.get("siblings pruned")?.value, "unknown");
  assert.match(fields.get("siblings pruned")?.title ?? "", /5 rows do not say how many/);
  assert.equal(fields.get("limited")?.value, "≥ 2,000");
});

test("the terms by which a child was chosen are told one by one", () => {
  const ucb = { exploit: 0.25, explore: 0.5, n: 12, n_parent: 1999 };
  const labels = new Map(nodeFields(node({ visits: 13, ucb })).map((field) => [field.label, field.value]));
  assert.equal(labels.get("ucb"), "exploit 0.25, explore 0.5, n 12, n parent 1,999");
});

test("a log of a match says where in which game it stood, and no other says anything of games", () => {
  const totals = { rows: 1, nodes: 1, leaves: 1, prune_events: 0, pruned: 0, limited: 0, levels: [] };
  const match = { game: 0, turn: 14, plies: 61, players: ["deep", "random"], searched: "deep" };
  const fields = (told) =>
    new Map(runFields({ totals, header: { match: told } }).map((each) => [each.label, each.value]));
  const found = fields({ ...match, result: "random won", why: "over" });
  assert.equal(found.get("game of the match"), "0");
  assert.equal(found.get("turn"), "14 of 61");
  assert.equal(found.get("players"), "deep against random");
  assert.equal(found.get("searched by"), "deep");
  assert.equal(found.get("game's result"), "random won (over)");
  for (const other of [undefined, null, "cup", 3, { game: "3", turn: [], players: [1, 2], result: {} }])
    assert.deepEqual([...fields(other)], [...fields(undefined)]);
});

test("a log without a result still has its totals", () => {
  const totals = { rows: 1, nodes: 1, leaves: 1, prune_events: 0, pruned: 0, limited: 0, levels: [] };
  const labels = runFields({ totals }).map((field) => field.label);
  assert.ok(labels.includes("nodes") && !labels.includes("chosen"));
});

test("counters are pairs of what was tried and what succeeded, with the share", () => {
  const counters = {
    table: { tried: 12345, succeeded: 4321 },
    null_move: { tried: 0, succeeded: 0 },
    mine: { tried: 2, succeeded: 1 },
  };
  const opened = { result: { counters: { ...counters, bad: { tried: "x" }, none: null } } };
  assert.deepEqual(
    counterFields(opened).map(({ label, value }) => `${label}: ${value}`),
    [
      "table: 12,345 probed, 4,321 hit (35\u00a0%)",
      "null move: 0 tried, 0 cut",
      "mine: 2 tried, 1 succeeded (50\u00a0%)",
    ],
  );
});

test("a log whose counters are none has no fields for them", () => {
  for (const counters of [undefined, null, 3, "x", []]) {
    assert.deepEqual(counterFields({ result: { counters } }), []);
  }
  assert.deepEqual(counterFields({}), []);
});

test("an error's line and column are found in the text", () => {
  const text = '{"a": 1,\n "score": fals}';
  assert.deepEqual(findPlace("line 2, column 11: found fals", text), { start: 19, end: 23, line: 2 });
  assert.deepEqual(findPlace("Line 1 is wrong", text), { start: 0, end: 8, line: 1 });
});

const marked = (message, text) => {
  const place = findPlace(message, text);
  return place === null ? null : [text.slice(place.start, place.end), place.line];
};

test("an error's path is found in the text", () => {
  const text = '{"a": {"outcome": "cut"}, "root": {"children": [{"ply": "x]"},\n {"ply": "y", "outcome": "cut"}]}}';
  assert.deepEqual(marked('$.root.children[1].outcome: found "cut", expected', text), ['"cut"', 2]);
  assert.deepEqual(marked("$.root.children[0].ply: found a text", text), ['"x]"', 1]);
  assert.deepEqual(marked("$.root.children: found a list", text), ["[", 1]);
  assert.equal(marked("$.root.children[7].score: found a text", text), null);
  assert.equal(marked("$: this looks like a list", text), null);
});

test("a path is found in a literal with comments, and in its line of many", () => {
  const literal = "// {a: 1}\nvar t = {root: {score: 3, /* {] */ 'children': [{ply: 'it\\'s', score: x1}]}};";
  assert.deepEqual(marked("$.root.children[0].score: found x1", literal), ["x1", 2]);
  const lines = '{"plyscope": 1}\n{"id": 0, "outcome": "leaf"}\n{"id": 1, "outcome": "cut"}';
  assert.deepEqual(marked('line 3, $.outcome: found "cut"', lines), ['"cut"', 3]);
});

test("text that begins neither as JSON nor as an assignment is no log", () => {
  for (const text of ["I tried this", "<html lang='en'>", "shopping: milk", "import sys"])
    assert.ok(isProse(text), text);
  for (const text of ["", " {", "[1]", "'{}'", "var json = {", "// mine\nlet x =\n [", "({})"])
    assert.ok(!isProse(text), text);
});

test("an error that names no place, or one outside of the text, marks nothing", () => {
  assert.equal(findPlace("root.children: expected a list", "{}"), null);
  assert.equal(findPlace("line 9, column 1: cut short", "{}"), null);
  assert.deepEqual(findPlace("line 1, column 99: cut short", "{}"), { start: 2, end: 2, line: 1 });
});

test("a tip never lies under the pointer and never leaves the window", () => {
  const page = { width: 1280, height: 720 };
  for (const tip of [
    { width: 360, height: 200 },
    { width: 300, height: 600 },
  ]) {
    for (let x = 0; x <= page.width; x += 40) {
      for (let y = 0; y <= page.height; y += 40) {
        const { left, top } = placeTip({ x, y }, tip, page);
        const covers = x >= left && x <= left + tip.width && y >= top && y <= top + tip.height;
        assert.ok(!covers, `covers the pointer at ${x}, ${y}`);
        assert.ok(
          left >= 0 && top >= 0 && left + tip.width <= page.width && top + tip.height <= page.height,
          `leaves the window at ${x}, ${y}`,
        );
      }
    }
  }
});

const TIP = { width: 340, height: 220 };

/** A column of so many cards of 120 by 28 pixels. */
const column = (left, n, top = 60) =>
  Array.from({ length: n }, (_, i) => ({ left, right: left + 120, top: top + 34 * i, bottom: top + 34 * i + 28 }));

const placed = (card, tip, page, others) => {
  const obstacles = Object.entries(others).flatMap(([name, boxes]) =>
    boxes.filter((box) => box !== card).map((box) => ({ ...box, weight: WEIGHTS[name] })),
  );
  const { left, top } = placeAtCard(card, tip, page, obstacles);
  assert.ok(
    left >= 0 && top >= 0 && left + tip.width <= page.width && top + tip.height <= page.height,
    "in the window",
  );
  return { left, top, right: left + tip.width, bottom: top + tip.height };
};

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test("the tip of a card alone stands below it, right edges in line, or above it at the foot of the window", () => {
  const page = { width: 1440, height: 900 };
  const card = { left: 500, right: 620, top: 400, bottom: 428 };
  const tip = { width: 296, height: 220 };
  assert.deepEqual(placeAtCard(card, tip, page, []), { left: 324, top: 434 });
  assert.deepEqual(placeAtCard({ ...card, top: 850, bottom: 878 }, tip, page, []), { left: 324, top: 624 });
});

test("a tip covers no sibling, wherever its card stands in a window full of cards", () => {
  for (const page of [
    { width: 1920, height: 1080 },
    { width: 1280, height: 720 },
    { width: 800, height: 500 },
  ]) {
    const columns = Array.from({ length: Math.floor(page.width / 190) }, (_, i) =>
      column(10 + 190 * i, Math.floor((page.height - 100) / 34)),
    );
    columns.forEach((siblings, at) => {
      const others = columns.filter((_, i) => i !== at).flat();
      for (const card of [siblings[0], siblings[Math.floor(siblings.length / 2)], siblings.at(-1)]) {
        if (card === undefined) continue;
        const tip = placed(card, TIP, page, { sibling: siblings, other: others });
        assert.ok(
          !siblings.some((sibling) => overlap(tip, sibling)),
          `a sibling is covered in column ${at} of ${page.width}`,
        );
      }
    });
  }
});

test("a tip leaves the children in sight too where there is another place", () => {
  const page = { width: 1440, height: 900 };
  const siblings = column(500, 20);
  const children = column(670, 6, 200);
  const card = siblings[7];
  const tip = placed(card, TIP, page, { sibling: siblings, child: children, path: column(300, 1, 380) });
  assert.ok(![...siblings, ...children].some((box) => overlap(tip, box)));
});

test("a tip too tall for the room below and above its card stands beside it, never over it", () => {
  const tall = { width: 400, height: 700 };
  const card = { left: 500, right: 620, top: 400, bottom: 428 };
  assert.ok(!overlap(placed(card, tall, { width: 1440, height: 900 }, {}), card));
  const phone = placed(
    { ...card, left: 280, right: 386 },
    { width: 366, height: 700 },
    { width: 390, height: 844 },
    {},
  );
  assert.ok(phone.left >= 0 && phone.right <= 390);
});

test("keys are named as they are printed", () => {
  assert.deepEqual(keyParts("Alt+ArrowLeft"), ["Alt", "\u2190"]);
  assert.deepEqual(keyParts("N"), ["Shift", "N"]);
  assert.deepEqual(keyParts("+"), ["+"]);
  assert.deepEqual(keyParts(" "), ["Space"]);
});

test("leaves where quiescence or pruning returned at once are said to be such", () => {
  const totals = { rows: 9, nodes: 9, leaves: 5, returned: 2, prune_events: 0, pruned: 0, limited: 0, levels: [] };
  const opened = { totals };
  const leaves = runFields(opened).find((field) => field.label === "leaves");
  assert.deepEqual([leaves?.value, leaves?.title], ["5", "2 of them where quiescence or pruning returned at once"]);
});
