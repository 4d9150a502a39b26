import assert from "node:assert/strict";
import test from "node:test";

import { createWhyActions, isSamePair, pairOf } from "../../static/views/why/actions.js";
import { scaleOfSteps, stepsOf } from "../../static/views/why/waterfall.js";

const explained = () => ({
  chosen: { id: 1, ply: "c6", path: "c6", score: 7, bound: "exact" },
  rival: { id: 2, ply: "d3", path: "d3", score: 4, bound: "upper" },
  margin: 3,
  margin_is: "at_least",
  split: [
    { name: "discs", amount: -1, kind: "factor" },
    { name: "mobility", amount: 4.5, kind: "factor" },
    { name: "corners", amount: 0, kind: "factor" },
    { name: "parity", amount: 0, kind: "factor" },
    { name: "window edge", amount: -0.5, kind: "rest" },
  ],
  lines: [],
  sentences: [],
  parts: [],
});

test("the pinned ply is X and the selected one Y; without a pin the server finds X", () => {
  assert.deepEqual(pairOf({ pinned: 3, selected: 5 }), { node: 3, versus: 5 });
  assert.deepEqual(pairOf({ pinned: 3, selected: 3 }), { node: 3 });
  assert.deepEqual(pairOf({ pinned: null, selected: 5 }), { versus: 5 });
  assert.deepEqual(pairOf({ pinned: null, selected: null }), {});
  assert.ok(isSamePair({ node: 3 }, { node: 3 }));
  assert.ok(!isSamePair({ node: 3 }, { versus: 3 }));
  assert.ok(!isSamePair(undefined, {}));
});

test("the waterfall runs from Y to X by size, every bar where the last one ended", () => {
  const steps = stepsOf(explained());
  assert.deepEqual(
    steps.map(({ name }) => name),
    ["d3", "mobility", "discs", "window edge", "2 others, equal", "c6"],
  );
  assert.deepEqual(
    steps.map(({ from, to }) => [from, to]),
    [
      [4, 4],
      [4, 8.5],
      [8.5, 7.5],
      [7.5, 7],
      [7, 7],
      [7, 7],
    ],
  );
  assert.deepEqual(
    steps.map(({ figure }) => figure),
    ["≤ +4.0", "+4.5", "−1.0", "−0.5", "0", "+7.0"],
  );
  assert.deepEqual(
    steps.map(({ rest = false }) => rest),
    [false, false, false, true, false, false],
  );
});

test("a rounding error of the sums is no row; a rest of that name that counts is one", () => {
  const namesWith = (amount) =>
    stepsOf({ ...explained(), split: [...explained().split, { name: "rounding", amount, kind: "rest" }] }).map(
      ({ name }) => name,
    );
  assert.deepEqual(namesWith(1.33e-15), ["d3", "mobility", "discs", "window edge", "2 others, equal", "c6"]);
  assert.ok(namesWith(0.25).includes("rounding"));
});

test("factors are no others where nothing else is listed", () => {
  const split = ["mobility", "discs"].map((name) => ({ name, amount: 0, kind: "factor" }));
  const found = stepsOf({ ...explained(), margin: 0, split });
  assert.deepEqual(
    found.map(({ name }) => name),
    ["d3", "2 factors, equal", "c6"],
  );
});

test("all bars stand on one scale that need not begin at 0", () => {
  const scale = scaleOfSteps(stepsOf(explained()));
  assert.deepEqual(
    [4, 8.5, 7].map((score) => Number(scale(score).toFixed(3))),
    [0, 1, 0.667],
  );
});

test("without a margin there is no waterfall", () => {
  assert.deepEqual(stepsOf({ ...explained(), margin: null, split: [] }), []);
  assert.deepEqual(stepsOf({ ...explained(), rival: null }), []);
});

/** A store, and an API that answers when it is told to. */
function room() {
  let state = { why: null, pinned: null, selected: 1, nodes: new Map(), log: "a" };
  const questions = [];
  const store = { get: () => state, update: (change) => (state = { ...state, ...change }) };
  const api = { explain: (_, pair) => new Promise((answer, fail) => questions.push({ pair, answer, fail })) };
  const loader = { ask: (question) => question("a") };
  return { store, questions, actions: createWhyActions({ store, api, loader }) };
}

test("one question is under way at a time; the pairs between are passed over", async () => {
  const { store, questions, actions } = room();
  const done = actions.askWhy({ versus: 1 });
  void actions.askWhy({ versus: 2 });
  void actions.askWhy({ versus: 3 });
  assert.deepEqual(
    questions.map(({ pair }) => pair),
    [{ versus: 1 }],
  );
  questions[0]?.answer(explained());
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    questions.map(({ pair }) => pair),
    [{ versus: 1 }, { versus: 3 }],
  );
  questions[1]?.answer(explained());
  await done;
  assert.deepEqual(store.get().why.asked, { versus: 3 });
});

test("a refusal is said in the place of the answer, and a swap asks the other way round", async () => {
  const { store, questions, actions } = room();
  const refused = actions.askWhy({ versus: 1 });
  questions[0]?.fail(new Error("this log has no node 1"));
  await refused;
  assert.deepEqual(store.get().why, { asked: { versus: 1 }, answer: null, error: "this log has no node 1" });
  store.update({ why: { asked: {}, answer: explained() } });
  void actions.swapPair();
  assert.deepEqual(questions[1]?.pair, { node: 2, versus: 1 });
  store.update({ why: { asked: {}, answer: { ...explained(), rival: { id: 9, ply: "e3", path: "(limited)" } } } });
  await actions.swapPair();
  assert.equal(questions.length, 2);
});
