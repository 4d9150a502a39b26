import assert from "node:assert/strict";
import test from "node:test";

import { createWhyActions } from "../../static/views/why/actions.js";
import { scaleOfSteps, stepsOf } from "../../static/views/why/waterfall.js";

const part = (name, amount, kind = "factor") => ({ name, amount, kind });

const EXPLAINED = {
  chosen: { id: 1, ply: "c6", path: "c6", score: 7, bound: "exact" },
  rival: { id: 2, ply: "d3", path: "d3", score: 4, bound: "upper" },
  margin: 3,
  margin_is: "at_least",
  split: [
    part("discs", -1),
    part("mobility", 4.5),
    part("corners", 0),
    part("parity", 0),
    part("window edge", -0.5, "rest"),
  ],
  lines: [],
  sentences: [],
  parts: [],
};

test("the waterfall runs from Y to X by size on one scale, every bar where the last one ended", () => {
  const steps = stepsOf(EXPLAINED);
  const told = steps.map(({ name, from, to, figure, rest = false }) => [name, from, to, figure, rest]);
  assert.deepEqual(told, [
    ["d3", 4, 4, "≤ +4.0", false],
    ["mobility", 4, 8.5, "+4.5", false],
    ["discs", 8.5, 7.5, "−1.0", false],
    ["window edge", 7.5, 7, "−0.5", true],
    ["2 others, equal", 7, 7, "0", false],
    ["c6", 7, 7, "+7.0", false],
  ]);
  const scale = scaleOfSteps(steps);
  const places = [4, 8.5, 7].map((score) => Number(scale(score).toFixed(3)));
  assert.deepEqual(places, [0, 1, 0.667], "the scale need not begin at 0");
  assert.deepEqual(stepsOf({ ...EXPLAINED, margin: null, split: [] }), []);
  assert.deepEqual(stepsOf({ ...EXPLAINED, rival: null }), []);
});

test("a rounding error is no row, a rest of that name that counts is one; factors are no others by themselves", () => {
  const names = (split, more = {}) => stepsOf({ ...EXPLAINED, ...more, split }).map(({ name }) => name);
  const rounding = (amount) => names([...EXPLAINED.split, part("rounding", amount, "rest")]);
  assert.deepEqual(rounding(1.33e-15), names(EXPLAINED.split));
  assert.ok(rounding(0.25).includes("rounding"));
  const equal = names([part("mobility", 0), part("discs", 0)], { margin: 0 });
  assert.deepEqual(equal, ["d3", "2 factors, equal", "c6"]);
});

/** A store, and an API that answers when it is told to. */
function room() {
  let state = { why: null, pinned: null, selected: 1, nodes: new Map(), log: "a" };
  const questions = [];
  const store = { get: () => state, update: (change) => (state = { ...state, ...change }) };
  const api = { explain: (_, pair) => new Promise((answer, fail) => questions.push({ pair, answer, fail })) };
  const actions = createWhyActions({ store, api, loader: { ask: (question) => question("a") } });
  return { store, questions, actions, asked: () => questions.map(({ pair }) => pair) };
}

test("one question is under way at a time; the pairs between are passed over", async () => {
  const { store, questions, actions, asked } = room();
  const done = actions.askWhy({ versus: 1 });
  void actions.askWhy({ versus: 2 });
  void actions.askWhy({ versus: 3 });
  assert.deepEqual(asked(), [{ versus: 1 }]);
  questions[0].answer(EXPLAINED);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(asked(), [{ versus: 1 }, { versus: 3 }]);
  questions[1].answer(EXPLAINED);
  await done;
  assert.deepEqual(store.get().why.asked, { versus: 3 });
});

test("a refusal is said in the place of the answer, and a swap asks the other way round", async () => {
  const { store, questions, actions, asked } = room();
  const refused = actions.askWhy({ versus: 1 });
  questions[0].fail(new Error("this log has no node 1"));
  await refused;
  assert.deepEqual(store.get().why, { asked: { versus: 1 }, answer: null, error: "this log has no node 1" });
  store.update({ why: { asked: {}, answer: EXPLAINED } });
  void actions.swapPair();
  assert.deepEqual(asked()[1], { node: 2, versus: 1 });
  store.update({ why: { asked: {}, answer: { ...EXPLAINED, rival: { id: 9, ply: "e3", path: "(limited)" } } } });
  await actions.swapPair();
  assert.equal(questions.length, 2);
});
