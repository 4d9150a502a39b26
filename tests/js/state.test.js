import assert from "node:assert/strict";
import test from "node:test";

import { createStore, initialState } from "../../static/data/state.js";

/** A store whose frames come when `draw` is called. */
function still(rest = 0) {
  const frames = [];
  const idle = [];
  const store = createStore(initialState(), {
    frame: (draw) => void frames.push(draw),
    idle: (now) => void idle.push(now),
    rest,
  });
  return { store, idle, frames, draw: () => frames.splice(0).forEach((frame) => frame()) };
}

test("all changes between two frames are drawn once", () => {
  const { store, draw, frames } = still();
  const drawn = [];
  store.subscribe((state, previous) => drawn.push(`${previous.colour} to ${state.colour}`));
  store.update({ colour: "score" });
  store.update(({ colour }) => ({ colour: colour === "score" ? "outcome" : "layer" }));
  assert.equal(frames.length, 1);
  assert.deepEqual(drawn, []);
  draw();
  assert.deepEqual(drawn, ["layer to outcome"]);
});

test("what is drawn now is not drawn again in its frame, and what comes later is", () => {
  const { store, draw } = still();
  const drawn = [];
  store.subscribe((state, previous) => drawn.push(`${previous.colour} to ${state.colour}`));
  store.update({ colour: "score" });
  store.drawNow();
  store.drawNow();
  assert.deepEqual(drawn, ["layer to score"]);
  draw();
  assert.deepEqual(drawn, ["layer to score"]);
  store.update({ colour: "outcome" });
  draw();
  assert.deepEqual(drawn, ["layer to score", "score to outcome"]);
});

test("what is drawn at rest comes a frame later, and once where somebody goes from node to node", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store, draw, idle } = still(100);
  const drawn = [];
  store.subscribeAtRest((state, previous) => drawn.push(`${previous.selected} to ${state.selected}`));
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

test("who has removed himself is not called any more", () => {
  const { store, draw } = still();
  let calls = 0;
  const remove = store.subscribe(() => (calls += 1));
  store.update({ animate: false });
  draw();
  remove();
  store.update({ animate: true });
  draw();
  assert.equal(calls, 1);
});

test("the page is idle only when no request, no motion and no redraw is under way", async () => {
  const { store, draw, idle } = still();
  let answer = (_) => {};
  const waiting = store.wait(new Promise((resolve) => (answer = resolve)));
  draw();
  assert.equal(idle.at(-1), undefined);
  assert.equal(store.get().pending, 1);
  const release = store.hold();
  answer(7);
  assert.equal(await waiting, 7);
  draw();
  assert.equal(idle.at(-1), undefined);
  release();
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

test("what was held is released once", () => {
  const { store, idle } = still();
  const [first, second] = [store.hold(), store.hold()];
  first();
  first();
  assert.notEqual(idle.at(-1), true);
  second();
  assert.equal(idle.at(-1), true);
});
