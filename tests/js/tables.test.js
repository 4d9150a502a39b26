import assert from "node:assert/strict";
import test from "node:test";

import { full, pageOn, plant, settle } from "./forest.js";

/** An open log whose answers about tables come when they are let go. */
async function waiting() {
  const asked = [];
  const answers = [];
  const table = (_, question) => {
    asked.push([question.rows, question.node, question.sort, question.desc, question.columns]);
    return new Promise((resolve) => {
      answers.push((total) => resolve({ total, offset: 0, columns: ["score"], rows: [], nodes: [] }));
    });
  };
  const { actions, state } = pageOn(plant([full(3, 2)]), {}, { table });
  await actions.openLog("a");
  return {
    actions,
    asked,
    listed() {
      const { table: shown } = state();
      return [shown?.source, shown?.of, shown?.sort, shown?.descending];
    },
    async answer(total = 3) {
      await settle();
      answers.shift()?.(total);
      await settle();
    },
  };
}

test("a heading that is pressed while the table is asked for sorts the table that comes", async () => {
  const { actions, listed, answer } = await waiting();
  void actions.showTable("children", 0);
  await answer();
  void actions.showTable("children", 1);
  void actions.sortBy("score");
  await answer();
  await answer();
  assert.deepEqual(listed(), ["children", 1, "score", false]);
});

test("a heading that is pressed twice turns the order round, however late the first answer comes", async () => {
  const { actions, listed, answer } = await waiting();
  void actions.showTable("children", 0);
  await answer();
  void actions.sortBy("score");
  void actions.sortBy("score");
  await answer();
  await answer();
  assert.deepEqual(listed(), ["children", 0, "score", true]);
});

test("columns that are chosen while rows are sorted come sorted", async () => {
  const { actions, asked, answer } = await waiting();
  void actions.showTable("children", 0);
  await answer();
  void actions.sortBy("score");
  void actions.chooseColumns(["level"]);
  await answer();
  await answer();
  assert.deepEqual(asked.at(-1), ["children", 0, "score", undefined, "level"]);
});
