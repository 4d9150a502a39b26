// A search log for Plyscope, one JSON line a node: copy this file beside your engine. No dependencies.
// (For `require` copy search_log.cjs instead, which is this file but for its last line.)
//
//   const file = fs.openSync("search.jsonl", "w");            // in a browser: const lines = []
//   const log = new SearchLog((text) => fs.writeSync(file, text), { game: "nim", search: { perspective: "mover" } });
//   log.search(iteration, () => {                             // around each search from the root
//     log.enter(ply, { depth, alpha, beta });                 // first thing in the search of a node
//     log.cut(pliesNotSearched);                              // where beta was reached
//     log.score(best, { outcome: "searched", bound: "exact" });  // last thing, whatever it returns
//   });
//   log.done({ ply: chosen, score: best });                   // after all searches
//
// `log.onlyBelow(["e2e4", "e7e5"])`, `log.onlyAt(key)` and `log.maxRows(100000)` keep a large search small.
// A log belongs to one thread, since no worker can be given it. Texts are UTF-8, with U+FFFD for each surrogate without
// its other half, and `done` says how many these were. Nodes that an exception leaves open are logged as `stopped`.

class SearchLog {
  #write;
  #buffer;
  #maxLevel;
  #waiting = "";
  #path = []; // the ids of the nodes entered and not left
  #nextId = 0;
  #iteration = null;
  #nHidden = 0; // how many nodes below #path are entered and not left
  #nUnlogged = 0; // how many nodes the next `unlogged` row stands for
  #unloggedPlies = new Set();
  #below = []; // the plies that lead to what is wanted
  #at = null; // its key
  #inside = null; // the height of the node of this key that is open
  #above = []; // hidden nodes on the way to such a node
  #isNew = false; // whether the first of them gave #unloggedPlies its ply
  #mostRows = Infinity;
  #nReplaced = 0;
  #atExit = () => this.flush();

  /**
   * `write` takes text: a line, or with a `buffer` of so many characters, several. With 0 each line is handed over
   * at once, so a crash loses nothing; 65536 is faster, and a killed process loses up to that much. Nodes below
   * `maxLevel` (the root is at level 0) get no rows: one `unlogged` row below their last logged ancestor says how
   * many they were.
   */
  constructor(write, header = {}, { buffer = 0, maxLevel = Infinity } = {}) {
    this.#write = write;
    this.#buffer = buffer;
    this.#maxLevel = maxLevel;
    if (buffer > 0) globalThis.process?.on?.("exit", this.#atExit);
    this.#print(`"plyscope":1${more(header)}`);
  }

  /** From now on log nothing but the way by these plies from the root, and what is below its end. */
  onlyBelow(plies) {
    this.#below = Array.from(plies, String);
  }

  /** From now on log nothing but the nodes whose field `key` is this one, the way there, and what is below. */
  onlyAt(key) {
    this.#at = String(key);
  }

  /** Give only the root and its plies rows once there are so many; the rest is counted. */
  maxRows(nRows) {
    this.#mostRows = nRows;
  }

  /**
   * Log that a node is entered below the one entered last and not left. Return its id, for `tt: { from: id }` where
   * the table entry that this node stores is used later; null where the node gets no row.
   */
  enter(ply = null, fields = {}) {
    const isAt = this.#at !== null && String(fields.key) === this.#at;
    if (isAt && this.#above.length > 0 && this.#above.length === this.#nHidden) this.#showAbove();
    if (this.#hides(ply, fields, isAt)) {
      this.#nHidden++;
      this.#nUnlogged++;
      const isAside = fields.purpose === "null" || fields.purpose === "probe";
      if (this.#nHidden === 1 && !isAside) {
        this.#isNew = !this.#unloggedPlies.has(String(ply));
        this.#unloggedPlies.add(String(ply)); // once, though it be searched again
      }
      return null;
    }
    this.#printUnlogged();
    const root = this.#path.length === 0 && fields.iteration === undefined ? `,"iteration":${this.#iteration}` : "";
    const id = this.#nextId;
    this.#print(this.#born() + root + (ply === null ? "" : `,"ply":${json(String(ply))}`) + more(fields));
    this.#path.push(id);
    return id;
  }

  /** Log what the node entered last came to, and leave it. */
  score(score, fields = {}) {
    if (this.#nHidden > 0) {
      this.#nHidden--;
      this.#above.splice(this.#nHidden);
      return;
    }
    if (this.#path.length === 0) throw new Error("score() without enter(): each node is entered once and scored once");
    this.#printUnlogged();
    this.#print(`"id":${this.#pop()},"score":${json(score)}${more(fields)}`);
  }

  /**
   * Log the siblings that the node entered last will not search, as one row. `plies` are their names, or how many
   * they are, or null where not even that is known.
   */
  cut(plies = null, outcome = "pruned") {
    const names = plies === null || typeof plies === "number" ? undefined : Array.from(plies, String);
    const count = names?.length ?? plies ?? undefined;
    if (this.#nHidden > 0 || count === 0) return;
    if (this.#path.length === 0) throw new Error("cut() without enter(): it belongs into a node");
    this.#printUnlogged();
    this.#print(this.#born() + more({ outcome, count, plies: names }));
  }

  /** Log the nodes that are still open as stopped: the next one entered is a root. */
  abandon() {
    this.#leaveTo(0);
    this.flush();
  }

  /**
   * Return what `run`, a search from the root that is not async, returns. However it ends, the next one begins at the
   * root again.
   */
  search(iteration, run) {
    this.abandon();
    this.#iteration = iteration ?? null;
    try {
      return run();
    } finally {
      this.abandon();
    }
  }

  /** Enter a node; `leave`, in a `finally` (or by `using`), leaves it as stopped, unless a `score` was logged. */
  node(ply = null, fields = {}) {
    const height = this.#path.length + this.#nHidden;
    const id = this.enter(ply, fields);
    const leave = () => this.#leaveTo(height);
    const score = (value, result) => {
      this.#leaveTo(height + 1); // what is still open below was stopped
      this.score(value, result);
    };
    return { id, score, leave, [Symbol.dispose ?? "dispose"]: leave };
  }

  /** Log the choice, and hand over what waits in the buffer. */
  done(result = {}) {
    this.abandon();
    this.#print(`"result":${json(result)}`);
    this.flush();
    globalThis.process?.off?.("exit", this.#atExit);
    const said = `search log: ${this.#nReplaced} surrogates had no other half: U+FFFD stands for each`;
    if (this.#nReplaced > 0) console.error(said);
  }

  /** Hold the search here until the page says go on; where `write` is not from live_log.cjs it goes on at once. */
  breakpoint(why = "") {
    if (!this.#write.hold) return;
    this.flush();
    this.#write.hold(`{"hold":${json(why)}${more({ node: this.#path.at(-1) })}}\n`);
  }

  /** Hand over what waits in the buffer; at the end of a node program this is done for you. */
  flush() {
    const text = this.#waiting;
    this.#waiting = "";
    if (text) this.#write(text);
  }

  /** Leave nodes as stopped, the last entered first, until `height` of them are open. */
  #leaveTo(height) {
    this.#nHidden = Math.min(this.#nHidden, Math.max(0, height - this.#path.length));
    this.#above.splice(this.#nHidden);
    while (this.#path.length > height) {
      this.#printUnlogged();
      this.#print(`"id":${this.#pop()},"outcome":"stopped"`);
    }
  }

  #pop() {
    if (this.#inside !== null && this.#path.length <= this.#inside + 1) this.#inside = null;
    return this.#path.pop();
  }

  /** Whether the node that is entered gets no row. */
  #hides(ply, fields, isAt) {
    const level = this.#path.length + this.#nHidden;
    if (this.#nHidden !== this.#above.length) return true;
    if (level > this.#maxLevel || (level > 1 && this.#nextId >= this.#mostRows)) return true;
    if (level > 0 && level <= this.#below.length && String(ply) !== this.#below[level - 1]) return true;
    if (this.#at === null || this.#inside !== null) return false;
    if (isAt) this.#inside = level;
    else if (level > 0) this.#above.push([ply, fields]);
    return this.#above.length > 0;
  }

  /** Print the hidden nodes on the way to the one that is entered, as if they had been wanted. */
  #showAbove() {
    const above = this.#above;
    this.#above = [];
    this.#nHidden = 0;
    this.#nUnlogged -= above.length;
    if (this.#isNew) this.#unloggedPlies.delete(String(above[0][0]));
    for (const [ply, fields] of above) {
      this.#printUnlogged();
      const id = this.#nextId;
      this.#print(this.#born() + `,"ply":${json(String(ply))}` + more(fields));
      this.#path.push(id);
    }
  }

  #born() {
    const parent = this.#path.length > 0 ? `,"parent":${this.#path.at(-1)}` : "";
    return `"id":${this.#nextId++}${parent}`;
  }

  #printUnlogged() {
    if (this.#nUnlogged === 0) return;
    const stub = more({ outcome: "unlogged", count: this.#unloggedPlies.size, nodes: this.#nUnlogged });
    this.#nUnlogged = 0;
    this.#unloggedPlies.clear();
    this.#print(this.#born() + stub);
  }

  #print(fields) {
    const put = (_, before) => (this.#nReplaced++, `${before}\ufffd`);
    const text = fields.includes("\\ud") ? fields.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f]../g, put) : fields;
    this.#waiting += `{${text}}\n`;
    if (this.#waiting.length >= this.#buffer) this.flush();
  }
}

/** JSON, in which infinities are the texts "inf", "-inf" and "nan", keys of 64 bits texts, and typed arrays lists. */
function json(value) {
  if (typeof value === "number") {
    return Number.isFinite(value) ? String(value) : value > 0 ? '"inf"' : value < 0 ? '"-inf"' : '"nan"';
  }
  if (typeof value === "bigint") return `"${value}"`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return `[${Array.from(value, json)}]`;
  return `{${more(value).slice(1)}}`;
}

/** The fields of an object as JSON, each with a comma before it. */
function more(fields) {
  let text = "";
  for (const name in fields) if (fields[name] !== undefined) text += `,${JSON.stringify(name)}:${json(fields[name])}`;
  return text;
}

export { SearchLog };
