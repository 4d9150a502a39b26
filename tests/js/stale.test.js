import assert from "node:assert/strict";
import test from "node:test";

import { staleOf, staleToTell, stillDismissed } from "../../static/data/stale.js";
import { full, knowing, openedLog, plant } from "./forest.js";

const nodes = plant([full(2, 2)]);
const opened = openedLog(nodes);
const read = { ...opened.log, stamp: "1-a", added: 10 };

/** A page that shows the log as it was read, beside a list that tells of it. */
const page = (logs, more = {}) => knowing(nodes, [0], { opened: { ...opened, log: read }, logs, ...more });

test("a log that is as it was read has nothing to tell", () => {
  assert.equal(staleOf(page([read])), null);
});

test("a log whose file was written to has changed, with another mark for each change", () => {
  const marks = [11, 12].map((added) => staleOf(page([{ ...read, changed: true, added }])));
  assert.deepEqual(
    marks.map((stale) => stale?.kind),
    ["changed", "changed"],
  );
  assert.notEqual(marks[0]?.mark, marks[1]?.mark);
});

test("a log that somebody else had read again has changed since it was read here", () => {
  assert.equal(staleOf(page([{ ...read, stamp: "2-b" }]))?.kind, "changed");
});

test("a log that a new server has not read yet has not changed", () => {
  const { stamp: _, ...unread } = read;
  assert.equal(staleOf(page([{ ...unread, state: "waiting" }])), null);
});

test("a log is gone whose file is, and one that is off the list", () => {
  assert.equal(staleOf(page([{ ...read, gone: true }]))?.kind, "gone");
  assert.equal(staleOf(page([{ ...read, id: "b" }]))?.kind, "gone");
});

test("nothing is told of a log that is not shown yet", () => {
  assert.equal(staleOf(page([{ ...read, changed: true }], { phase: "loading", opened: null })), null);
});

test("what was dismissed comes back after a later change, once the file has rested for a look", () => {
  const first = page([{ ...read, changed: true, added: 11 }]);
  const mark = staleOf(first)?.mark ?? "";
  let dismissed = { mark, last: mark };
  const look = (added) => {
    const state = page([{ ...read, changed: true, added }], { dismissed });
    dismissed = stillDismissed(state);
    return staleToTell({ ...state, dismissed }) !== null;
  };
  assert.deepEqual([11, 12, 13, 14, 14, 15].map(look), [false, false, false, false, true, true]);
});

test("looks that tell nothing new leave what was dismissed as it is", () => {
  const changed = page([{ ...read, changed: true }]);
  const mark = staleOf(changed)?.mark ?? "";
  const dismissed = { mark, last: mark };
  assert.equal(stillDismissed({ ...changed, dismissed }), dismissed);
});
