import assert from "node:assert/strict";
import test from "node:test";

import { createStore, initialState } from "../../static/data/state.js";
import { readSettings } from "../../static/views/page/settings.js";

/** A store whose frames come when `draw` is called, and what was drawn of it, with what went before. */
function still(rest = 0) {
  const [frames, idle, drawn] = [[], [], []];
  const store = createStore(initialState(), {
    frame: (draw) => void frames.push(draw),
    idle: (now) => void idle.push(now),
    rest,
  });
  const note = (of) => (state, previous) => void drawn.push(`${previous[of]} to ${state[of]}`);
  return { store, idle, frames, drawn, note, draw: () => frames.splice(0).forEach((frame) => frame()) };
}

test("all changes between two frames are drawn once, unless they are drawn now", () => {
  const { store, draw, frames, drawn, note } = still();
  const remove = store.subscribe(note("colour"));
  store.update({ colour: "score" });
  store.update(({ colour }) => ({ colour: colour === "score" ? "outcome" : "layer" }));
  assert.deepEqual([frames.length, drawn], [1, []]);
  draw();
  assert.deepEqual(drawn.splice(0), ["layer to outcome"]);
  store.update({ colour: "score" });
  store.drawNow();
  store.drawNow();
  draw();
  assert.deepEqual(drawn.splice(0), ["outcome to score"]);
  store.update({ colour: "layer" });
  draw();
  assert.deepEqual(drawn.splice(0), ["score to layer"]);
  // Who has removed himself is not called any more.
  remove();
  store.update({ colour: "score" });
  draw();
  assert.deepEqual(drawn, []);
});

test("what is drawn at rest comes a frame later, and once where somebody goes from node to node", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store, draw, idle, drawn, note } = still(100);
  store.subscribeAtRest(note("selected"));
  store.update({ colour: "score" });
  draw();
  assert.deepEqual(drawn, []);
  draw();
  assert.deepEqual(drawn, ["null to null"]);
  for (const id of [1, 2, 3]) {
    store.update({ selected: id });
    assert.equal(store.isWalking(), id > 1);
    draw();
    draw();
    t.mock.timers.tick(50);
  }
  assert.deepEqual(drawn, ["null to null"]);
  assert.equal(idle.at(-1), false);
  t.mock.timers.tick(50);
  assert.equal(store.isWalking(), false);
  draw();
  assert.deepEqual(drawn, ["null to null", "null to 3"]);
  assert.equal(idle.at(-1), true);
});

test("the page is idle only when no request, no motion and no redraw is under way", async () => {
  const { store, draw, idle } = still();
  const answer = Promise.withResolvers();
  const waiting = store.wait(answer.promise);
  draw();
  assert.deepEqual([idle.at(-1), store.get().pending], [undefined, 1]);
  const [release, other] = [store.hold(), store.hold()];
  answer.resolve(7);
  assert.equal(await waiting, 7);
  draw();
  assert.equal(idle.at(-1), undefined);
  release();
  release();
  assert.notEqual(idle.at(-1), true, "what was held is released once");
  other();
  assert.equal(idle.at(-1), true);
  store.update({ colour: "score" });
  assert.equal(idle.at(-1), false);
  draw();
  assert.equal(idle.at(-1), true);
});

test("a request that fails is over all the same", async () => {
  const { store } = still();
  await assert.rejects(store.wait(Promise.reject(new Error("no"))), /no/);
  assert.equal(store.get().pending, 0);
});

test("settings that make no sense are left out, and widths among them are the usual ones", () => {
  const read = (kept) => readSettings({ getItem: () => kept });
  assert.deepEqual(read('{"left": 300, "right": 1e9}').widths, { left: 300, right: 344 });
  for (const kept of ['{"left": "wide"}', "[]", '{"left": 9}'])
    assert.deepEqual(read(kept).widths, { left: 256, right: 344 }, kept);
  for (const kept of ["no JSON", "{}"]) assert.equal(read(kept).theme, undefined, kept);
});
