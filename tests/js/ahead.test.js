import assert from "node:assert/strict";
import test from "node:test";

import { createAhead } from "../../static/data/ahead.js";
import { drawnNodes } from "../../static/data/opening.js";
import { createStore, initialState } from "../../static/data/state.js";
import { full, openPage, pageOn, plant, settle } from "./forest.js";

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

test("where more children can be shown the next ones are asked for, and showing them asks nothing", async () => {
  const { actions, asked, drawn } = await page(full(300, 1));
  const shown = drawn();
  assert.deepEqual(asked, ["nodes 0", "node 0 from 16 of the best"]);
  await actions.showMore(0);
  await settle();
  assert.deepEqual(asked.slice(2), ["node 0 from 40 of the best"], "those after them, and none twice");
  assert.equal(drawn(), shown + 30);
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
