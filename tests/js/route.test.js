import assert from "node:assert/strict";
import test from "node:test";

import { readRoute, writeRoute } from "../../static/data/route.js";
import { initialState } from "../../static/data/state.js";
import { full, knowing, plant } from "./forest.js";

const NODES = plant([full(3, 3)]);
/** The view of a state, by way of its address. */
const reread = (state) => readRoute(writeRoute(state));
/** What an address says that says nothing. */
const NOTHING = readRoute("");

test("an address holds the view, and reading it gives the view back", () => {
  const state = knowing(NODES, [0, 1, 14], {
    log: "a b",
    selected: 15,
    pinned: -5,
    colour: "score",
    order: "searched",
    least: 10,
    shown: new Map([[14, 30]]),
    camera: { x: -120.4, y: 33, scale: 0.75 },
    diff: { ...initialState().diff, against: "old one", iteration: 3 },
    weights: { ...initialState().weights, changed: { queen_ring: 9, "a,b:c%": -0.25 } },
  });
  assert.deepEqual(reread(state), {
    ...NOTHING,
    log: "a b",
    node: 15,
    pinned: -5,
    open: [0, 1, 14],
    shown: [[14, 30]],
    camera: { x: -120, y: 33, scale: 0.75 },
    against: "old one",
    againstIteration: 3,
    weights: { queen_ring: 9, "a,b:c%": -0.25 },
    colour: "score",
    order: "searched",
    least: 10,
  });
});

test("nodes of another log are only named where the address names that log", () => {
  const state = knowing(NODES, [0, -7], { selected: -7 });
  state.nodes = new Map([...NODES, [-7, { id: -7, parent: 0, level: 1, index: 3, n_children: 1 }]]);
  state.children.set(-7, { total: 1, items: [], prefix: 0, ranked: {} });
  const there = reread({ ...state, diff: { ...state.diff, against: "b" } });
  assert.deepEqual([there.open, there.node], [[0, -7], -7]);
  for (const address of ["#log=a&node=-7&open_old=5", "#log=a&node=-1&against=b"]) {
    const { node, open } = readRoute(address);
    assert.deepEqual([node, open], [null, []], address);
  }
});

test("branches below a folded node are not part of the view", () => {
  assert.deepEqual(reread(knowing(NODES, [0, 2])).open, [0]);
});

test("a list of open nodes that is too long is cut to the way to the selection", () => {
  const nodes = plant([{ children: Array.from({ length: 3000 }, () => full(1, 1)) }]);
  const open = [...nodes.values()].filter((node) => node.n_children > 0).map(({ id }) => id);
  const address = writeRoute(knowing(nodes, open, { selected: 5000 }));
  assert.ok(address.length < 2000);
  assert.deepEqual(readRoute(address).open, [0, 4999]);
});

test("whatever an address says wrongly is as if left out", () => {
  const { weights, colour, order, least, open, ...others } = NOTHING;
  assert.deepEqual([weights, order, least, open], [{}, "best", 0, []]);
  assert.deepEqual(new Set(Object.values(others).flat()), new Set([null, false]));
  const wrong = "#node=x1&pin=-3&open=1..2&at=1_2_nan&order=worst&more=a-b.3&weights=a:,b,:3,c:x,%25:2";
  assert.deepEqual(readRoute(wrong), NOTHING);
  assert.equal(readRoute("#colour=pink").colour, "pink", "it may be a field");
  assert.notEqual(colour, "pink");
  assert.equal(readRoute("#at=0_0_0").camera, null);
  assert.deepEqual(readRoute("#weights=a:inf,b:1e2,c,hand:-0.5").weights, { b: 100, hand: -0.5 });
});

test("a log that is not shown yet is all that its address names", () => {
  assert.equal(writeRoute(knowing(NODES, [0], { phase: "loading" })), "#log=a");
  assert.equal(writeRoute(knowing(NODES, [0], { log: null })), "");
});

test("an address holds the expression, the table, its columns and its order", () => {
  const [q, sort, chosen] = ["score < -5 and ply = 'a&b'", "abs(score)", ["score", "factors.queen ring"]];
  const listing = { source: "hits", q, of: null, chosen, sort, descending: true };
  const plain = { q, rows: null, columns: null, sort, descending: false, only: false };
  const asked = knowing(NODES, [0], { log: "a", search: listing });
  assert.deepEqual(reread(asked).table, { ...plain, columns: chosen, descending: true });
  const children = { ...listing, source: "children", q: "", of: 14, chosen: null, descending: false };
  assert.deepEqual(reread({ ...asked, table: children }).table, { ...plain, rows: { source: "children", of: 14 } });
  const typed = { ...asked, search: { ...listing, source: "search" } };
  assert.equal(reread(typed).table, null, "what is typed to walk is no view");
  assert.equal(readRoute("#log=a&rows=children.x&cols=a&sort=b").table, null);
  const bare = { ...plain, q: "level > 1", sort: null, descending: true };
  assert.deepEqual(readRoute("#log=a&q=level+>+1&cols=,&sort=-").table, bare);
});

test("the address says what part of the overview is shown", () => {
  const state = knowing(NODES, [0]);
  for (const form of ["icicle", "levels"])
    for (const part of [null, { first: 12, last: 5000 }]) {
      const shown = { panels: { ...state.panels, overview: true }, overview: { ...state.overview, form, part } };
      assert.deepEqual(reread({ ...state, ...shown }).overview, { form, part });
    }
  for (const wrong of ["9-3", "x", "1-2-3"])
    assert.deepEqual(readRoute(`#log=a&overview=${wrong}`).overview, { form: "icicle", part: null });
});
