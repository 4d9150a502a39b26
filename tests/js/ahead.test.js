import assert from "node:assert/strict";
import test from "node:test";

import { createAhead } from "../../static/data/ahead.js";
import { drawnNodes } from "../../static/data/opening.js";
import { createStore, initialState } from "../../static/data/state.js";
import { full, pageOn, plant, settle } from "./forest.js";

/** A page that asks ahead. */
const page = (roots) => pageOn(plant(roots), {}, {}, { isAsking: true });

test("where somebody rests on a folded node its children are asked for, and opening it asks nothing", async () => {
  const { store, actions, asked } = page([full(3, 3)]);
  await actions.openLog("a");
  actions.select(1);
  await settle();
  const [before, drawn] = [[...asked], drawnNodes(store.get())];
  assert.equal(before.at(-1), "nodes 1");
  assert.ok(!store.get().children.has(1), "nothing is known of them yet");
  await actions.expand(1);
  assert.deepEqual(asked, before);
  assert.equal(drawnNodes(store.get()).length, drawn.length + 3);
});

test("where more children can be shown the next ones are asked for, and showing them asks nothing", async () => {
  const { store, actions, asked } = page([full(300, 1)]);
  await actions.openLog("a");
  await settle();
  const drawn = drawnNodes(store.get());
  assert.deepEqual(asked, ["nodes 0", "node 0 from 16 of the best"]);
  await actions.showMore(0);
  await settle();
  assert.deepEqual(asked.slice(2), ["node 0 from 40 of the best"], "those after them, and none twice");
  assert.equal(drawnNodes(store.get()).length, drawn.length + 30);
});

test("what a press would show is told where somebody rests, and nothing of it is in the state before", async () => {
  const { store, actions } = page([full(300, 1), full(3, 3)]);
  const told = [];
  store.onForeseen((next) => void told.push(next));
  await actions.openLog("a");
  await settle();
  const drawn = drawnNodes(store.get()).length;
  const [more] = told.slice(-1);
  await actions.showMore(0);
  assert.deepEqual(more && drawnNodes(more), drawnNodes(store.get()));
  assert.equal(drawnNodes(store.get()).length, drawn + 30);
  actions.select(301);
  await settle();
  const known = store.get().nodes.size;
  const [opened] = told.slice(-1);
  await actions.expand(301);
  assert.equal(opened?.nodes.size, store.get().nodes.size);
  assert.ok(known < store.get().nodes.size, "its children are in the state once it is open");
  assert.deepEqual(opened && drawnNodes(opened), drawnNodes(store.get()));
});

test("walking on asks for the node at which one rests", async () => {
  const { actions, asked } = page([full(3, 3)]);
  await actions.openLog("a");
  await settle();
  const before = asked.length;
  for (const id of [1, 14, 27]) actions.select(id);
  await settle();
  assert.deepEqual(asked.slice(before), ["nodes 27"]);
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
  ahead.ask("k", async () => {
    throw new Error("the server was away");
  });
  assert.equal(await ahead.take("k", null, async () => "there again"), "there again");
  for (const key of "abcde") ahead.ask(key, async () => `early ${key}`);
  assert.equal(await ahead.take("a", null, async () => "anew"), "anew");
  assert.equal(await ahead.take("e", null, async () => "anew"), "early e");
});
