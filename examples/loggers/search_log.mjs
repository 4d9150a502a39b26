// A search log for Plyscope, one JSON line a node: copy this file beside your engine. No dependencies.
//
//   const file = fs.openSync("search.jsonl", "w");          // in a browser: const lines = []
//   const log = new SearchLog((line) => fs.writeSync(file, line), { game: "nim", search: { perspective: "mover" } });
//   log.enter(ply, { depth, alpha, beta });                 // first thing in the search of a node
//   log.score(best, { outcome: "searched", bound: "exact" });  // last thing, whatever it returns
//   log.cut(pliesNotSearched);                              // where beta was reached
//   log.done({ ply: chosen, score: best });                 // after the search
//
// Every line is handed over at once, so a crash leaves a log that opens and shows where the search was.

export class SearchLog {
  #write;
  #path = [];
  #nextId = 0;

  constructor(write, header = {}) {
    this.#write = (line) => write(JSON.stringify(line, spelled) + "\n");
    this.#write({ plyscope: 1, ...header });
  }

  /** Log that a node is entered below the one that was entered last and not left. */
  enter(ply = null, fields = {}) {
    const id = this.#nextId++;
    const parent = this.#path.length ? { parent: this.#path.at(-1) } : {};
    this.#write({ id, ...parent, ...(ply === null ? {} : { ply: String(ply) }), ...fields });
    this.#path.push(id);
  }

  /** Log what the node entered last came to, and leave it. */
  score(score, fields = {}) {
    this.#write({ id: this.#path.pop(), score, ...fields });
  }

  /** Log the siblings that the node entered last will not search, as one row. */
  cut(plies, outcome = "pruned") {
    if (plies.length === 0) return;
    const stub = { id: this.#nextId++, parent: this.#path.at(-1), outcome };
    this.#write({ ...stub, count: plies.length, plies: plies.map(String) });
  }

  /** Log the choice. */
  done(result = {}) {
    this.#write({ result });
  }
}

/** JSON has no infinities: they are the texts "inf", "-inf" and "nan". */
function spelled(_key, value) {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
}
