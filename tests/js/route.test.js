import assert from "node:assert/strict";
import test from "node:test";

import { packIds, readRoute, unpackIds, writeRoute } from "../../static/data/route.js";
import { initialState } from "../../static/data/state.js";
import { full, knowing, plant } from "./forest.js";

const NODES = plant([full(3, 3)]);

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
  assert.deepEqual(readRoute(writeRoute(state)), {
    log: "a b",
    node: 15,
    ply: null,
    pinned: -5,
    open: [0, 1, 14],
    shown: [[14, 30]],
    camera: { x: -120, y: 33, scale: 0.75 },
    check: false,
    finding: null,
    event: null,
    stop: null,
    against: "old one",
    againstIteration: 3,
    weights: { queen_ring: 9, "a,b:c%": -0.25 },
    iteration: null,
    drawer: null,
    overview: null,
    table: null,
    colour: "score",
    order: "searched",
    least: 10,
  });
});

test("nodes of another log are only named where the address names that log", () => {
  const nodes = new Map([[-7, { id: -7, parent: 0, level: 1, index: 3, n_children: 1 }]]);
  const state = knowing(NODES, [0, 1], { selected: -7 });
  const there = {
    ...state,
    diff: { ...state.diff, against: "b" },
    nodes: new Map([...state.nodes, ...nodes]),
    expanded: new Set([0, -7]),
    children: new Map([...state.children, [-7, { total: 1, items: [], prefix: 0, ranked: {} }]]),
  };
  assert.deepEqual(readRoute(writeRoute(there)).open, [0, -7]);
  assert.equal(readRoute(writeRoute(there)).node, -7);
  assert.equal(readRoute("#log=a&node=-7&open_old=5").node, null);
  assert.deepEqual(readRoute("#log=a&node=-7&open_old=5").open, []);
  assert.equal(readRoute("#log=a&node=-1&against=b").node, null);
});

test("weights of an address that are none are left out", () => {
  assert.deepEqual(readRoute("#weights=queen_ring:9,hand:-0.5").weights, { queen_ring: 9, hand: -0.5 });
  assert.deepEqual(readRoute("#weights=a:inf,b:1e2,c").weights, { b: 100 });
});

test("branches below a folded node are not part of the view", () => {
  assert.deepEqual(readRoute(writeRoute(knowing(NODES, [0, 2]))).open, [0]);
});

test("ids are packed as distances, in any order and once each", () => {
  assert.equal(packIds([40, 4, 4, 41]), "4.10.1");
  assert.deepEqual(unpackIds("4.10.1"), [4, 40, 41]);
  assert.deepEqual(unpackIds(packIds([0])), [0]);
  assert.deepEqual(unpackIds(""), []);
});

test("a list of open nodes that is too long is cut to the way to the selection", () => {
  const nodes = plant([{ children: Array.from({ length: 3000 }, () => full(1, 1)) }]);
  const open = [...nodes.values()].filter((node) => node.n_children > 0).map(({ id }) => id);
  const address = writeRoute(knowing(nodes, open, { selected: 5000 }));
  assert.ok(address.length < 2000);
  assert.deepEqual(readRoute(address).open, [0, 4999]);
});

test("whatever an address says wrongly is as if left out", () => {
  const route = readRoute(
    "#log=a&node=x1&pin=-3&open=1..2&at=1_2_nan&colour=pink&order=worst&more=a-b.3&weights=a:,b,:3,c:x,%25:2",
  );
  assert.deepEqual(route, {
    log: "a",
    node: null,
    ply: null,
    pinned: null,
    open: [],
    shown: [],
    camera: null,
    check: false,
    finding: null,
    event: null,
    stop: null,
    against: null,
    againstIteration: null,
    weights: {},
    iteration: null,
    drawer: null,
    overview: null,
    table: null,
    colour: "pink",
    order: "best",
    least: 0,
  });
  assert.equal(readRoute("#at=0_0_0").camera, null);
  assert.equal(readRoute("").log, null);
});

test("a log that is not shown yet is all that its address names", () => {
  assert.equal(writeRoute(knowing(NODES, [0], { phase: "loading" })), "#log=a");
  assert.equal(writeRoute(knowing(NODES, [0], { log: null })), "");
});

test("an address holds the expression, the table, its columns and its order", () => {
  const listing = {
    source: "hits",
    q: "score < -5 and ply = 'a&b'",
    of: null,
    chosen: ["score", "factors.queen ring"],
    sort: "abs(score)",
    descending: true,
  };
  const asked = knowing(NODES, [0], { log: "a", search: listing });
  assert.deepEqual(readRoute(writeRoute(asked)).table, {
    q: listing.q,
    rows: null,
    columns: listing.chosen,
    sort: "abs(score)",
    descending: true,
    only: false,
  });
  const children = { ...listing, source: "children", q: "", of: 14, chosen: null, descending: false };
  assert.deepEqual(readRoute(writeRoute({ ...asked, table: children })).table, {
    q: listing.q,
    rows: { source: "children", of: 14 },
    columns: null,
    sort: "abs(score)",
    descending: false,
    only: false,
  });
  assert.equal(
    readRoute(writeRoute({ ...asked, search: { ...listing, source: "search" } })).table,
    null,
    "what is typed to walk is no view",
  );
  assert.equal(readRoute("#log=a&rows=children.x&cols=a&sort=b").table, null);
  assert.deepEqual(readRoute("#log=a&q=level+>+1&cols=,&sort=-").table, {
    q: "level > 1",
    rows: null,
    columns: null,
    sort: null,
    descending: true,
    only: false,
  });
});

test("the address says what part of the overview is shown", () => {
  const there = (part, form = "icicle") => {
    const state = initialState();
    const address = writeRoute({
      ...state,
      log: "a",
      phase: "ready",
      panels: { ...state.panels, overview: true },
      overview: { ...state.overview, form, part },
    });
    return readRoute(address).overview;
  };
  assert.deepEqual(there({ first: 12, last: 5000 }), { form: "icicle", part: { first: 12, last: 5000 } });
  assert.deepEqual(there(null), { form: "icicle", part: null });
  assert.deepEqual(there({ first: 12, last: 50 }, "levels"), { form: "levels", part: { first: 12, last: 50 } });
  assert.deepEqual(there(null, "levels"), { form: "levels", part: null });
  assert.equal(readRoute("#log=a").overview, null);
  for (const wrong of ["9-3", "x", "1-2-3"])
    assert.deepEqual(readRoute(`#log=a&overview=${wrong}`).overview, { form: "icicle", part: null });
});
