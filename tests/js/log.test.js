/** What is known of a log: its claims, then and now, stale or not; what a text in the search box is. */
import assert from "node:assert/strict";
import test from "node:test";

import { bestFirst, isStub, ranksByVisits, toNumber } from "../../static/data/claims.js";
import { asKnown, enteredAt, leftAt, stageOf } from "../../static/data/then.js";
import { staleOf, staleToTell, stillDismissed } from "../../static/data/stale.js";
import { full, knowing, openedLog, plant } from "./forest.js";
import { kindOf } from "../../static/data/expression.js";

const node = (fields, index) => ({ id: index, parent: 9, level: 1, index, n_children: 0, ...fields });
/** The places of the children of a node of this layer, best first. */
const order = (children, layer, ranks) =>
  [...children]
    .sort(bestFirst(layer, ranks))
    .map(({ index }) => index)
    .join("");

test("a best-first tree is ordered by visits, or by means where the search chooses so", () => {
  const nodes = [
    { visits: 5, mean: 0.9 },
    { visits: 60, mean: 0.4, score: 0.4 },
    { mean: 0.95 },
    { outcome: "unlogged", visits: 99, mean: 1 },
    { visits: 5, mean: 0.2 },
  ].map(node);
  const sorted = (layer, search) => order(nodes, layer, ranksByVisits({ search }));
  assert.equal(sorted("max", { order: "best_first" }), "10423");
  assert.equal(sorted("min", { order: "best_first" }), "14023");
  assert.equal(sorted("max", { order: "best_first", choose: "mean" }), "20143");
  assert.equal(sorted("max", {}), "20143");
});

const bounded = (score, bound) => ({ score, bound });
const countedAs = (counted_as) => ({ score: 1, counted_as });

test("children are ordered by what their scores guarantee to the layer, and what counts less comes last", () => {
  for (const [children, max, min] of [
    [[{ score: 1 }, { score: 3 }, { score: -2 }], "102", "201"],
    // An upper bound does not stand before an exact score at a max node, however high it is.
    [[bounded(9, "upper"), bounded(2, "exact")], "10", "10"],
    // A lower bound guarantees its figure to max and nothing to min.
    [[bounded(1, "lower"), { score: 5 }, bounded(9, "lower")], "210", "102"],
    // Null moves and probes come after whatever counts, a missing score last of its kind.
    [[{ score: 9, purpose: "null" }, {}, { score: "nan" }, { score: "-inf" }], "3120", "3120"],
    // What the parent counted is what ranks.
    [[countedAs(0.5), countedAs(2)], "10", "01"],
  ]) {
    const nodes = children.map(node);
    assert.deepEqual([order(nodes, "max"), order(nodes, "min")], [max, min]);
  }
  const equal = [2, 0, 1].map((index) => node({ score: 1 }, index));
  assert.equal(order(equal, "max"), "012", "equal claims stay in the order of the search");
});

test("infinities are written as words and read as numbers", () => {
  const read = ["inf", "-inf", null, undefined, "nan"].map(toNumber);
  assert.deepEqual(read, [Infinity, -Infinity, NaN, NaN, NaN]);
});

test("only rows that stand for siblings are stubs", () => {
  for (const outcome of ["pruned", "limited", "skipped", "unlogged"]) assert.ok(isStub(node({ outcome }, 0)));
  for (const outcome of ["cutoff", "open", undefined]) assert.equal(isStub(node({ outcome }, 0)), false);
});

const below = (nodes, height, end, best) => ({ nodes, height, end, best });
/** root 0, a 1 (x 2, y 3), b 4 */
const NODES = [
  { parent: null, level: 0, outcome: "searched", score: 3, alpha: "-inf", below: below(4, 2, 5, 3) },
  { parent: 0, level: 1, outcome: "searched", score: 3, bound: "exact", why: "x", below: below(2, 1, 4) },
  { parent: 1, level: 2, score: 3, static: 3 },
  { parent: 1, level: 2, score: 5 },
  { parent: 0, level: 1, score: 2 },
].map((node, id) => ({ id, ...node }));

/** The events by walking: enter and leave of each node. */
function walked(node = NODES[0]) {
  const children = NODES.filter(({ parent }) => parent === node.id);
  return [[node.id, true], ...children.flatMap(walked), [node.id, false]];
}

test("a node is entered and left where a walk enters and leaves it, and its score is known from its exit on", () => {
  const events = walked();
  for (const node of NODES) {
    assert.deepEqual(events[enteredAt(node)], [node.id, true]);
    assert.deepEqual(events[leftAt(node)], [node.id, false]);
    for (let event = 0; event < events.length; event += 1) {
      const replay = { event, stack: [] };
      const [come, gone] = [enteredAt(node) <= event, leftAt(node) <= event];
      assert.equal(stageOf(replay, node), gone ? "left" : come ? "open" : "later");
      const known = asKnown(replay, node);
      for (const name of ["score", "outcome", "static"])
        assert.equal(known[name], gone ? node[name] : undefined, `${name} of ${node.id} at ${event}`);
      assert.equal(known.alpha, come ? node.alpha : undefined);
      assert.equal(known.below?.best, gone ? node.below?.best : undefined);
    }
    assert.equal(asKnown(null, node), node, "without a replay everything is known");
  }
});

const nodes = plant([full(2, 2)]);
const opened = openedLog(nodes);
const { stamp, ...unread } = { ...opened.log, stamp: "1-a", added: 10 };
const read = { ...unread, stamp };

/** A page that shows the log as it was read, beside a list that has it in this state. */
const page = (listed, more = {}) =>
  knowing(nodes, [0], { opened: { ...opened, log: read }, logs: [{ ...read, ...listed }], ...more });

test("a log has changed, or is gone, where the list that is shown beside it says so", () => {
  for (const [state, kind] of [
    [page({}), undefined],
    [page({ changed: true, added: 11 }), "changed"],
    [page({ stamp: "2-b" }), "changed"], // somebody else had it read again
    [{ ...page({}), logs: [{ ...unread, state: "waiting" }] }, undefined], // a new server has not read it yet
    [page({ gone: true }), "gone"],
    [page({ id: "b" }), "gone"], // it is off the list
    [page({ changed: true }, { phase: "loading", opened: null }), undefined],
  ])
    assert.equal(staleOf(state)?.kind, kind);
  const marks = [11, 12].map((added) => staleOf(page({ changed: true, added }))?.mark);
  assert.notEqual(marks[0], marks[1], "each change has a mark of its own");
});

test("what was dismissed comes back after a later change, once the file has rested for a look", () => {
  const mark = staleOf(page({ changed: true, added: 11 }))?.mark ?? "";
  let dismissed = { mark, last: mark };
  const look = (added) => {
    const state = page({ changed: true, added }, { dismissed });
    dismissed = stillDismissed(state);
    return staleToTell({ ...state, dismissed }) !== null;
  };
  assert.deepEqual([11, 12, 13, 14, 14, 15].map(look), [false, false, false, false, true, true]);
});

test("looks that tell nothing new leave what was dismissed as it is", () => {
  const changed = page({ changed: true });
  const mark = staleOf(changed)?.mark ?? "";
  const dismissed = { mark, last: mark };
  assert.equal(stillDismissed({ ...changed, dismissed }), dismissed);
});

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
