// Logs a root and a child, at which it is held: over the socket of a viewer, or with 0 for the port into a file.
//
// node live.mjs PORT LOG FOLDER_OF_LOGGERS

import fs from "node:fs";
const { SearchLog } = await import(`file://${process.argv[4]}/search_log.mjs`);
const { connect } = await import(`file://${process.argv[4]}/live_log.cjs`);

const [port, path] = process.argv.slice(2);
const toFile = () => {
  const file = fs.openSync(path, "w");
  return (text) => fs.writeSync(file, text);
};
let write;
try {
  write = Number(port) ? connect(Number(port)) : toFile();
} catch (error) {
  console.error(error.message);
  process.exit(3);
}
const language = process.argv[1].split(".").at(-1);
const log = new SearchLog(write, { search: { engine: `in ${language}` } }, { buffer: 65536 });
log.search(1, () => {
  log.enter();
  log.enter("a1");
  log.breakpoint('at "a1"');
  log.score(2);
  log.score(2);
});
log.done();
