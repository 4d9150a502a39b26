import assert from "node:assert/strict";
import test from "node:test";

import { staleOf, staleToTell, stillDismissed } from "../../static/data/stale.js";
import { full, knowing, openedLog, plant } from "./forest.js";

const nodes = plant([full(2, 2)]);
const opened = openedLog(nodes);
const { stamp, ...unread } = { ...opened.log, stamp: "1-a", added: 10 };
const read = { ...unread, stamp };

/** A page that shows the log as it was read, beside a list that has it in this state. */
const page = (listed, more = {}) =>
  knowing(nodes, [0], { opened: { ...opened, log: read }, logs: [{ ...read, ...listed }], ...more });

test("a log has changed, or is gone, where the list that is shown beside it says so", () => {
  for (const [state, kind] of [
    [page({}), undefined],
    [page({ changed: true, added: 11 }), "changed"],
    [page({ stamp: "2-b" }), "changed"], // somebody else had it read again
    [{ ...page({}), logs: [{ ...unread, state: "waiting" }] }, undefined], // a new server has not read it yet
    [page({ gone: true }), "gone"],
    [page({ id: "b" }), "gone"], // it is off the list
    [page({ changed: true }, { phase: "loading", opened: null }), undefined],
  ])
    assert.equal(staleOf(state)?.kind, kind);
  const marks = [11, 12].map((added) => staleOf(page({ changed: true, added }))?.mark);
  assert.notEqual(marks[0], marks[1], "each change has a mark of its own");
});

test("what was dismissed comes back after a later change, once the file has rested for a look", () => {
  const mark = staleOf(page({ changed: true, added: 11 }))?.mark ?? "";
  let dismissed = { mark, last: mark };
  const look = (added) => {
    const state = page({ changed: true, added }, { dismissed });
    dismissed = stillDismissed(state);
    return staleToTell({ ...state, dismissed }) !== null;
  };
  assert.deepEqual([11, 12, 13, 14, 14, 15].map(look), [false, false, false, false, true, true]);
});

test("looks that tell nothing new leave what was dismissed as it is", () => {
  const changed = page({ changed: true });
  const mark = staleOf(changed)?.mark ?? "";
  const dismissed = { mark, last: mark };
  assert.equal(stillDismissed({ ...changed, dismissed }), dismissed);
});
