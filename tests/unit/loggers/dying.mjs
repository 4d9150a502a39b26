// Logs a root and its children, during whose search the engine ends: in a crash, by a way out, or by misuse.
//
// node dying.mjs LOG FOLDER_OF_LOGGERS BUFFER crash|exit|score|cut|done PLY

import fs from "node:fs";
const { SearchLog } = await import(`file://${process.argv[3]}/search_log.mjs`);

const [path, , buffer, end, quoted] = process.argv.slice(2);
const oddPly = JSON.parse(quoted); // an argument cannot be what is no UTF-8
const file = fs.openSync(path, "w");
const log = new SearchLog((text) => fs.writeSync(file, text), { note: "dies" }, { buffer: Number(buffer) });
log.enter(null, { alpha: -Infinity, 'n"\\': oddPly, nested: { list: [NaN, 1.5] } });
log.enter(oddPly);
log.score(Infinity);
const b = log.enter("b", { quiescence: true });
log.score(NaN);
log.cut([]);
log.cut(["x", oddPly], "limited");
log.enter("c", { depth: 0.1 });
log.score(1, { tt: { use: "cut", score: 1, from: b, ply: null }, factors: new Float64Array([2, NaN, -0.5]) });
log.cut(0);
log.cut(12);
log.cut();
log.enter("n");
log.score(null, { outcome: "open" });
log.node("o").score(null);
log.enter("d");
if (end === "exit") process.exit(3);
if (end === "done") {
  log.done();
  process.exit(0);
}
if (end !== "crash") {
  // leave both nodes, and do something that only an open node can have
  log.score(0);
  log.score(0);
  if (end === "score") log.score(0);
  else log.cut(1);
}
process.abort();
