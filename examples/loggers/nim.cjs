// Nim with one heap, the last to take wins: a negamax alpha-beta with the logger in its four places.
//
// node nim.cjs nim.jsonl && plyscope view nim.jsonl

const fs = require("node:fs");
const { SearchLog } = require("./search_log.cjs");

const PLAYERS = ["first", "second"];

function search(heap, level, depth, alpha, beta, ply = null) {
  log.enter(ply, { player: PLAYERS[level % 2], depth, alpha, beta }); // 1. enter
  if (heap === 0) {
    // the other player took the last one
    log.score(level - 100, { outcome: "terminal", ending: "loss", bound: "exact" }); // 2. score
    return [level - 100, null];
  }
  if (depth === 0) {
    log.score(0, { outcome: "leaf", bound: "exact" });
    return [0, null];
  }
  let best = -Infinity, chosen = null, window = alpha;
  const takes = [1, 2, 3].filter((take) => take <= heap);
  for (const [i, take] of takes.entries()) {
    const value = -search(heap - take, level + 1, depth - 1, -beta, -window, `take ${take}`)[0];
    if (value > best) [best, chosen] = [value, `take ${take}`];
    window = Math.max(window, best);
    if (window >= beta) {
      log.cut(takes.slice(i + 1).map((other) => `take ${other}`)); // 3. cut
      break;
    }
  }
  const bound = best >= beta ? "lower" : best <= alpha ? "upper" : "exact";
  log.score(best, { outcome: best >= beta ? "cutoff" : "searched", bound });
  return [best, chosen];
}

const file = fs.openSync(process.argv[2], "w");
const log = new SearchLog((line) => fs.writeSync(file, line), {
  game: "nim",
  players: PLAYERS,
  search: { depth: 6, perspective: "mover", fail: "soft" },
});
const [score, ply] = search(7, 0, 6, -Infinity, Infinity);
log.done({ ply, score }); // 4. done
