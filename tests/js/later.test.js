/** An answer that comes late neither undoes what was asked after it, nor drops it. */
import assert from "node:assert/strict";
import test from "node:test";

import { fakeApi, full, openPage, plant, settle } from "./forest.js";

const NODES = plant([full(3, 3)]);
const EXPLAINED = { chosen: null, rival: null, split: [], lines: [], sentences: [], parts: [] };
const NONE = { state: "none", rows: 40, quick: false };
const RUNNING = { ...NONE, state: "running", progress: 0.5 };

/** Answers that come when the test says so: `answers.x(…)` gives those of the first question `x` that waits. */
function held(...names) {
  const waiting = {};
  const other = Object.fromEntries(
    names.map((name) => [name, () => new Promise((resolve) => void (waiting[name] ??= []).push(resolve))]),
  );
  const give = async (name, answer, at = 0) => {
    const [resolve] = (waiting[name] ?? []).splice(at, 1);
    assert.ok(resolve, `nobody asked ${name}`);
    resolve(answer);
    await settle();
  };
  return { other, give, waits: (name) => waiting[name]?.length ?? 0 };
}

test("what was asked for last stays chosen, whichever way to a node comes last", async () => {
  const { other, give } = held("path");
  const { actions, state } = await openPage(NODES, {}, other);
  const { path } = fakeApi(NODES).api;
  void actions.goTo(30);
  actions.select(1);
  await give("path", await path("a", 30));
  assert.equal(state().selected, 1);
  void actions.goTo(30);
  void actions.goTo(12);
  await give("path", await path("a", 12), 1);
  await give("path", await path("a", 30));
  assert.equal(state().selected, 12);
});

test("findings of the group that was unfolded last are listed, whichever answer comes last", async () => {
  const { other, give } = held("findings");
  const { actions, state } = await openPage(NODES, {}, other);
  const last = { rule: "depth-step", severity: "odd" };
  void actions.openFindings({ rule: "value", severity: "wrong" });
  void actions.openFindings(last);
  for (const at of [1, 0]) await give("findings", { total: 0, offset: 0, items: [] }, at);
  assert.deepEqual(state().findings?.kind, last);
});

test("a check that was cancelled and begun again does not end by the answer of the first", async () => {
  const { other, give } = held("startCheck", "check", "endCheck");
  const { actions, state } = await openPage(NODES, {}, other);
  await give("startCheck", RUNNING);
  void actions.cancelCheck();
  await settle();
  await give("endCheck", NONE);
  void actions.runCheck();
  await settle();
  await give("startCheck", RUNNING);
  await give("check", NONE);
  assert.equal(state().report?.state, "running");
});

test("the pair that is asked about while another is asked again stays explained", async () => {
  const { other, give } = held("explain");
  const { actions, state } = await openPage(NODES, {}, other);
  void actions.askWhy({ versus: 1 });
  await give("explain", EXPLAINED);
  void actions.renewWhy();
  void actions.askWhy({ versus: 2 });
  await settle();
  for (const at of [1, 0]) await give("explain", EXPLAINED, at);
  assert.deepEqual(state().why?.asked, { versus: 2 });
});

test("an exact search that was cancelled and begun again waits for its end, and goes on", async () => {
  const { other, give, waits } = held("explain", "exact");
  const { actions, state } = await openPage(NODES, {}, other);
  void actions.askWhy({ versus: 1 });
  await give("explain", EXPLAINED);
  void actions.searchExactly("rival");
  await settle();
  await give("exact", { state: "running", nodes: 1 });
  void actions.cancelExact("rival");
  void actions.searchExactly("rival");
  await settle();
  assert.equal(waits("exact"), 2, "the answer about the first search, and its end; the second is not begun before");
  for (const at of [1, 0]) await give("exact", { state: "none" }, at);
  await give("exact", { state: "running", nodes: 7 });
  assert.deepEqual([...state().exact.values()], [{ state: "running", nodes: 7 }]);
});

test("a search with other weights begins though the last answer about a cancelled one is still to come", async () => {
  const { other, give, waits } = held("startAgain", "again", "endAgain");
  const { actions, state } = await openPage(NODES, {}, other);
  void actions.searchAgain();
  await give("startAgain", { state: "running" });
  void actions.cancelAgain();
  await give("endAgain", { state: "none" });
  void actions.searchAgain();
  assert.equal(waits("startAgain"), 1);
  await give("startAgain", { state: "running", nodes: 5 });
  await give("again", { state: "none" });
  assert.deepEqual(state().weights.again, { state: "running", nodes: 5 });
});
