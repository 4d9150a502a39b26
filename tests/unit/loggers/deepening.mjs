// Iterative deepening on Nim that runs out of time by an exception, in three of its iterations.
//
// node deepening.mjs LOG FOLDER_OF_LOGGERS BUFFER MAX_LEVEL enter|node

import fs from "node:fs";
const { SearchLog } = await import(`file://${process.argv[3]}/search_log.mjs`);

const PLAYERS = ["first", "second"];
const LIMITS = { 3: 7, 5: 20, 7: 60 }; // nodes; other iterations have no limit
const counts = { nodes: 0, leaves: 0, prune_events: 0, pruned: 0, tt_hits: 0 };

class OutOfTime extends Error {}

function search(heap, level, depth, alpha, beta, ply = null, purpose = "full") {
  const fields = { player: PLAYERS[level % 2], depth, alpha, beta, purpose };
  if (way !== "node") {
    const row = log.enter(ply, fields);
    return searchEntered(heap, level, depth, alpha, beta, row, (score, more) => log.score(score, more));
  }
  if (level === 0) fields.iteration = depth;
  const node = log.node(ply, fields);
  try {
    return searchEntered(heap, level, depth, alpha, beta, node.id, node.score);
  } finally {
    node.leave();
  }
}

function searchEntered(heap, level, depth, alpha, beta, row, logScore) {
  counts.nodes++;
  if (--nLeft < 0) throw new OutOfTime();
  if (heap === 0 || depth === 0) {
    counts.leaves++;
    if (heap === 0) {
      logScore(level - 100, { outcome: "terminal", ending: "loss", bound: "exact", moves: 0 });
      return level - 100;
    }
    logScore(0, { outcome: "leaf", bound: "exact", moves: Math.min(3, heap) });
    return 0;
  }
  const key = [heap, level, depth].join();
  if (table.has(key)) {
    counts.tt_hits++;
    const [score, from] = table.get(key);
    const tt = { use: "cut", depth, bound: "exact", score, from };
    logScore(score, { outcome: "tt", bound: "exact", tt });
    return score;
  }
  let best = -Infinity, window = alpha;
  const takes = [1, 2, 3].filter((take) => take <= heap);
  for (const [i, take] of takes.entries()) {
    const valueOf = (beta, purpose) =>
      -search(heap - take, level + 1, depth - 1, -beta, -window, `take ${take}`, purpose);
    let value = i === 0 ? valueOf(beta, "full") : valueOf(window + 1, "scout");
    if (i > 0 && window < value && value < beta) value = valueOf(beta, "research");
    if (value > best) {
      best = value;
      if (level === 0) choice = `take ${take}`;
    }
    window = Math.max(window, best);
    if (window >= beta) {
      const rest = takes.slice(i + 1).map((other) => `take ${other}`);
      log.cut(rest);
      counts.prune_events += rest.length > 0 ? 1 : 0;
      counts.pruned += rest.length;
      break;
    }
  }
  const bound = best >= beta ? "lower" : best <= alpha ? "upper" : "exact";
  if (bound === "exact") table.set(key, [best, row]);
  logScore(best, { outcome: best >= beta ? "cutoff" : "searched", bound, moves: takes.length });
  return best;
}

const [path, , buffer, maxLevel, way] = process.argv.slice(2);
const file = fs.openSync(path, "w");
const log = new SearchLog(
  (text) => fs.writeSync(file, text),
  { game: "nim", players: PLAYERS, search: { perspective: "mover", fail: "soft", table: "equal" } },
  { buffer: Number(buffer), maxLevel: maxLevel < 0 ? Infinity : Number(maxLevel) },
);
const table = new Map();
let nLeft, choice, ply, score;
for (let depth = 1; depth < 8; ++depth) {
  nLeft = LIMITS[depth] ?? Infinity;
  const run = () => search(12, 0, depth, -Infinity, Infinity);
  try {
    score = way === "node" ? run() : log.search(depth, run);
    ply = choice;
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
}
log.done({ ply, score, ...counts });
