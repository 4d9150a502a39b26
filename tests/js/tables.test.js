import assert from "node:assert/strict";
import test from "node:test";

import { full, openPage, plant, settle } from "./forest.js";

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
