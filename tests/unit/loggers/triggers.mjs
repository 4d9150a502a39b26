// A tree of three plies, logged as a trigger says: node triggers.mjs LOG FOLDER_OF_LOGGERS all|below|at|rows
import fs from "node:fs";
const { SearchLog } = await import(`file://${process.argv[3]}/search_log.mjs`);

function search(log, ply = null, level = 0, key = "") {
  log.enter(ply, { key, depth: 3 - level });
  if (level < 3) {
    for (const reply of "abc") search(log, reply, level + 1, key + reply);
    log.cut(2);
  }
  log.score(level);
}

const file = fs.openSync(process.argv[2], "w");
const log = new SearchLog((text) => fs.writeSync(file, text));
if (process.argv[4] === "below") log.onlyBelow(["b", "a"]);
else if (process.argv[4] === "at") log.onlyAt("bac");
else if (process.argv[4] === "rows") log.maxRows(8);
for (const iteration of [1, 2]) log.search(iteration, () => search(log));
log.done({ ply: "a" });
