/** An answer that comes late neither undoes what was asked after it, nor drops it. */
import assert from "node:assert/strict";
import test from "node:test";

import { fakeApi, full, pageOn, plant, settle } from "./forest.js";

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

/** A page on a log of 40 nodes. */
async function opened(other) {
  const page = pageOn(plant([full(3, 3)]), {}, other);
  await page.actions.openLog("a");
  await settle();
  return page;
}

test("a node that is chosen while the way to another is fetched stays chosen", async () => {
  const { other, give } = held("path");
  const { actions, state } = await opened(other);
  void actions.goTo(30);
  actions.select(1);
  await give("path", await fakeApi(plant([full(3, 3)])).api.path("a", 30, null));
  assert.equal(state().selected, 1);
});

test("of two nodes far away the one asked for later is gone to, whichever answer comes first", async () => {
  const { other, give } = held("path");
  const { actions, state } = await opened(other);
  void actions.goTo(30);
  void actions.goTo(12);
  const { path } = fakeApi(plant([full(3, 3)])).api;
  await give("path", await path("a", 12, null), 1);
  await give("path", await path("a", 30, null));
  assert.equal(state().selected, 12);
});

test("findings of the group that was unfolded last are listed, whichever answer comes last", async () => {
  const { other, give } = held("findings");
  const { actions, state } = await opened(other);
  const first = { rule: "value", severity: "wrong" };
  const second = { rule: "depth-step", severity: "odd" };
  void actions.openFindings(first);
  void actions.openFindings(second);
  await give("findings", { total: 0, offset: 0, items: [] }, 1);
  await give("findings", { total: 0, offset: 0, items: [] });
  assert.deepEqual(state().findings?.kind, second);
});

test("a check that was cancelled and begun again does not end by the answer of the first", async () => {
  const { other, give } = held("startCheck", "check", "endCheck");
  const { actions, state } = await opened(other);
  const running = { state: "running", rows: 40, quick: false, progress: 0.5 };
  const none = { state: "none", rows: 40, quick: false };
  await give("startCheck", running);
  void actions.cancelCheck();
  await settle();
  await give("endCheck", none);
  void actions.runCheck();
  await settle();
  await give("startCheck", running);
  await give("check", none);
  assert.equal(state().report?.state, "running");
});

test("the pair that is asked about while another is asked again stays explained", async () => {
  const { other, give } = held("explain");
  const { actions, state } = await opened(other);
  const answer = { chosen: null, rival: null, split: [], lines: [], sentences: [], parts: [] };
  void actions.askWhy({ versus: 1 });
  await give("explain", answer);
  void actions.renewWhy();
  void actions.askWhy({ versus: 2 });
  await settle();
  await give("explain", answer, 1);
  await give("explain", answer);
  assert.deepEqual(state().why?.asked, { versus: 2 });
});

test("an exact search that was cancelled and begun again waits for its end, and goes on", async () => {
  const { other, give, waits } = held("explain", "exact");
  const { actions, state } = await opened(other);
  void actions.askWhy({ versus: 1 });
  await give("explain", { chosen: null, rival: null, split: [], lines: [], sentences: [], parts: [] });
  void actions.searchExactly("rival");
  await settle();
  await give("exact", { state: "running", nodes: 1 });
  void actions.cancelExact("rival");
  void actions.searchExactly("rival");
  await settle();
  assert.equal(waits("exact"), 2, "the answer about the first search, and its end; the second is not begun before");
  await give("exact", { state: "none" }, 1);
  await give("exact", { state: "none" });
  await give("exact", { state: "running", nodes: 7 });
  assert.deepEqual([...state().exact.values()], [{ state: "running", nodes: 7 }]);
});

test("a search with other weights begins though the last answer about a cancelled one is still to come", async () => {
  const { other, give, waits } = held("startAgain", "again", "endAgain");
  const { actions, state } = await opened(other);
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
