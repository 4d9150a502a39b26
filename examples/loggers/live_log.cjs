// With search_log.mjs or search_log.cjs: a search that `plyscope view --listen 5015` shows while it runs, and that can
// be held there. Copy both files beside your engine. Node 16 or later; a module imports this file as well.
//
//   import { connect } from "./live_log.cjs";
//   const log = new SearchLog(connect(5015), { search: { perspective: "mover" } }, { buffer: 65536 });
//   if (score < before - 100) log.breakpoint("the score fell"); // wherever a condition of your own holds
const { Worker } = require("node:worker_threads");

const BYTES_ON_THE_WAY = 2 ** 24; // so many may wait for the viewer before the search does
const [STATE, N_BYTES, N_REPLIES] = [0, 1, 2]; // what the search and the thread that sends share
const [CONNECTING, CONNECTED, REFUSED, LOST, CLOSED] = [0, 1, 2, 3, 4];

/** What the thread does that sends: a search is one call, which lets no event of the network come in between. */
function send(STATE, N_BYTES, N_REPLIES, CONNECTED, REFUSED, LOST, CLOSED) {
  const { parentPort, workerData } = require("node:worker_threads");
  const { port, shared } = workerData;
  const set = (at, value) => {
    Atomics.store(shared, at, value);
    Atomics.notify(shared, at);
  };
  const lose = () => {
    const state = Atomics.load(shared, STATE);
    if (state >= REFUSED) return;
    if (state === CONNECTED) {
      const reason = "it was closed, or shows another engine; what is logged from here on is dropped";
      require("node:fs").writeSync(2, `the viewer on port ${port} takes no more of this log: ${reason}\n`);
    }
    set(STATE, state === CONNECTED ? LOST : REFUSED);
    set(N_BYTES, 0);
    set(N_REPLIES, Atomics.load(shared, N_REPLIES) + 1);
    viewer.destroy();
    parentPort.close();
  };
  let reply = "";
  const viewer = require("node:net").connect(port, "127.0.0.1", () => set(STATE, CONNECTED));
  viewer.setEncoding("utf-8");
  viewer.on("error", lose);
  viewer.on("close", lose);
  viewer.on("data", (text) => {
    reply += text;
    if (reply === "go\n") {
      reply = "";
      set(N_REPLIES, Atomics.load(shared, N_REPLIES) + 1);
    } else if (reply.includes("\n")) lose();
  });
  parentPort.on("message", (bytes) => {
    if (bytes !== null) {
      viewer.write(bytes, () => {
        Atomics.sub(shared, N_BYTES, bytes.length);
        Atomics.notify(shared, N_BYTES);
      });
    } else if (Atomics.load(shared, STATE) === CONNECTED) {
      viewer.end(() => {
        set(STATE, CLOSED);
        parentPort.close();
        viewer.destroy();
      });
    }
  });
}

/**
 * Return what writes to the viewer on a port of this machine, for `new SearchLog`; throws where nobody listens there.
 * Once the viewer is closed, a line on stderr says so, and what is written is dropped. `close()` ends the log before
 * the program ends.
 */
function connect(port) {
  const shared = new Int32Array(new SharedArrayBuffer(12));
  const codes = [STATE, N_BYTES, N_REPLIES, CONNECTED, REFUSED, LOST, CLOSED];
  const thread = new Worker(`(${send})(${codes})`, { eval: true, workerData: { port, shared } });
  thread.unref(); // the end of the program is the end of the log
  Atomics.wait(shared, STATE, CONNECTING);
  if (Atomics.load(shared, STATE) !== CONNECTED) {
    throw new Error(`nobody listens on port ${port}: start \`plyscope view --listen ${port}\` first`);
  }
  const waitForAtMost = (most) => {
    for (let n; (n = Atomics.load(shared, N_BYTES)) > most && write.isOpen();) Atomics.wait(shared, N_BYTES, n);
  };
  let isClosedAtExit = false;
  const write = (text) => {
    if (!write.isOpen()) return;
    if (!isClosedAtExit) process.on("exit", write.close); // after the log, which hands over then what waits
    isClosedAtExit = true;
    const bytes = new TextEncoder().encode(text);
    waitForAtMost(BYTES_ON_THE_WAY);
    Atomics.add(shared, N_BYTES, bytes.length);
    thread.postMessage(bytes);
  };
  write.isOpen = () => Atomics.load(shared, STATE) === CONNECTED;
  write.hold = (line) => {
    const n = Atomics.load(shared, N_REPLIES);
    write(line);
    if (write.isOpen()) Atomics.wait(shared, N_REPLIES, n);
  };
  write.close = () => {
    waitForAtMost(0);
    if (!write.isOpen()) return;
    thread.postMessage(null);
    Atomics.wait(shared, STATE, CONNECTED);
  };
  return write;
}

module.exports = { connect };
