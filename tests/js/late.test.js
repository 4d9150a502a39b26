/** Answers that come late, or were asked for ahead, neither undo nor drop what was asked after them. */
import assert from "node:assert/strict";
import test from "node:test";

import { fakeApi, full, openPage, pageOn, plant, settle } from "./forest.js";
import { createAhead } from "../../static/data/ahead.js";
import { drawnNodes } from "../../static/data/opening.js";
import { createStore, initialState } from "../../static/data/state.js";

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

/** The children of the root as a table; further answers about tables come when they are let go. */
async function waiting() {
  const asked = [];
  const answers = [];
  const table = (_, { rows, node, sort, desc, columns }) => {
    asked.push([rows, node, sort, desc, columns]);
    const answer = { total: 3, offset: 0, columns: ["score"], rows: [], nodes: [] };
    return new Promise((resolve) => answers.push(() => resolve(answer)));
  };
  const { actions, state } = await openPage(plant([full(3, 2)]), {}, { table });
  const answer = async () => {
    await settle();
    answers.shift()?.();
    await settle();
  };
  const listed = () => {
    const { source, of, sort, descending } = state().table;
    return [source, of, sort, descending];
  };
  void actions.showTable("children", 0);
  await answer();
  return { actions, asked, answer, listed };
}

test("a heading that is pressed while the table is asked for sorts the table that comes", async () => {
  const { actions, listed, answer } = await waiting();
  void actions.showTable("children", 1);
  void actions.sortBy("score");
  await answer();
  await answer();
  assert.deepEqual(listed(), ["children", 1, "score", false]);
});

test("a heading that is pressed twice turns the order round, however late the first answer comes", async () => {
  const { actions, listed, answer } = await waiting();
  void actions.sortBy("score");
  void actions.sortBy("score");
  await answer();
  await answer();
  assert.deepEqual(listed(), ["children", 0, "score", true]);
});

test("columns that are chosen while rows are sorted come sorted", async () => {
  const { actions, asked, answer } = await waiting();
  void actions.sortBy("score");
  void actions.chooseColumns(["level"]);
  await answer();
  await answer();
  assert.deepEqual(asked.at(-1), ["children", 0, "score", undefined, "level"]);
});

/** A page that asks ahead, and how many nodes it draws. */
async function page(...roots) {
  const open = await openPage(plant(roots), {}, {}, { isAsking: true });
  return { ...open, drawn: () => drawnNodes(open.state()).length };
}

test("where somebody rests on a folded node its children are asked for, and opening it asks nothing", async () => {
  const { state, actions, asked, drawn } = await page(full(3, 3));
  const n_asked = asked.length;
  for (const id of [14, 27, 1]) actions.select(id); // on the way one does not rest
  await settle();
  const [before, shown] = [[...asked], drawn()];
  assert.deepEqual(before.slice(n_asked), ["nodes 1"]);
  assert.ok(!state().children.has(1), "nothing is known of them yet");
  await actions.expand(1);
  assert.deepEqual(asked, before);
  assert.equal(drawn(), shown + 3);
});

test("what a press would show is told where somebody rests, and nothing of it is in the state before", async () => {
  const { store, state, actions } = pageOn(plant([full(300, 1), full(3, 3)]), {}, {}, { isAsking: true });
  const told = [];
  store.onForeseen((next) => void told.push(next));
  await actions.openLog("a");
  await settle();
  const [shown, more] = [drawnNodes(state()).length, told.at(-1)];
  await actions.showMore(0);
  assert.deepEqual(drawnNodes(more), drawnNodes(state()));
  assert.equal(drawnNodes(more).length, shown + 30);
  actions.select(301);
  await settle();
  const [known, opened] = [state().nodes.size, told.at(-1)];
  await actions.expand(301);
  assert.ok(known < state().nodes.size, "its children are in the state once it is open");
  assert.deepEqual([opened.nodes.size, drawnNodes(opened)], [state().nodes.size, drawnNodes(state())]);
});

test("an answer asked for ahead is taken once, and not by another log or a comparison", async () => {
  const store = createStore(initialState(), { frame: () => {} });
  const ahead = createAhead(store);
  let questions = 0;
  const question = async () => (questions += 1);
  ahead.ask("k", question);
  assert.equal(await ahead.take("k", null, question), 1);
  assert.equal(await ahead.take("k", null, question), 2);
  ahead.ask("k", question);
  assert.equal(await ahead.take("k", { against: "b", wait: 0 }, question), 4);
  ahead.ask("k", question);
  store.update({ nodes: new Map() });
  assert.equal(await ahead.take("k", null, question), 6);
});

test("an answer that failed is asked for again, and only the last few are kept", async () => {
  const ahead = createAhead(createStore(initialState(), { frame: () => {} }));
  ahead.ask("k", () => Promise.reject(new Error("the server was away")));
  assert.equal(await ahead.take("k", null, async () => "there again"), "there again");
  for (const key of "abcde") ahead.ask(key, async () => `early ${key}`);
  assert.equal(await ahead.take("a", null, async () => "anew"), "anew");
  assert.equal(await ahead.take("e", null, async () => "anew"), "early e");
});
