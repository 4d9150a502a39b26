// @ts-check
/** The game that the open log's search belongs to: the logs of its turns. */

import { isBestFirst } from "../../data/claims.js";

/** @import { Id, Opened, Room, SearchedOn, State } from "../../data/types.js" */

/** Seconds that the server may wait before it says how far a search is. */
const WAIT = 1;

/**
 * A search of the game. `each` is play-outs of each ply, in flat Monte Carlo; figures that its log does not state are
 * null.
 * @typedef {{id: string, turn: number, player: string | null, ply: string | null, score: number | null, wins: -1 | 0 | 1, is_mean: boolean, each: number | null, playouts: number | null, nodes: number | null, seconds: number | null}} Turn
 */

/**
 * A ply after which the next search of its player found less. `log` is its search: the id, in a match the name.
 * @typedef {{turn: number, player: string | null, ply: string | null, in_words: string, log: string}} WorstPly
 */

/**
 * @typedef {object} GameOfTurns
 * @property {number} game its number
 * @property {string[]} players whose searches are there, where the logs say so
 * @property {Turn[]} turns by ply
 * @property {number} left_out turns that are not listed
 * @property {WorstPly[]} worst
 */

/** Names of logs of a game: `game0003-ply0014-…`, as matches and UHP write them. */
const NAME = /^game\d{4,9}-ply\d{1,9}-/;

/** Whether the open log is the search of a turn of a game. @param {State} state */
export function isOfGame({ opened }) {
  return opened !== null && NAME.test(opened.log.name) && ["file", "folder"].includes(opened.log.source);
}

/**
 * Why the log of a search from a node on is not compared with the open one: it begins elsewhere, or grew otherwise.
 * @param {SearchedOn & {node: Id}} found
 * @param {Opened | null} opened
 */
export function notCompared(found, opened) {
  if (found.node !== opened?.root) return "Logs are compared from their roots on, and this one begins at the node.";
  const isAlike = (found.order === "best_first") === isBestFirst(opened);
  return isAlike ? null : "A tree that play-outs grew is not compared with one searched depth-first.";
}

/**
 * @param {Room & {loadLogs: () => Promise<unknown>, openLog: (id: string) => Promise<void>, compareWith: (against:
 *   string) => Promise<void>}} room
 */
export function createGameActions({ store, api, loader, attempt, loadLogs, openLog, compareWith }) {
  /** The search from a node on that is followed. @type {object | null} */
  let followed = null;

  /**
   * Ask about the search from a node on, and follow it until it has ended or another is asked about.
   * @param {Id} node
   * @param {"GET" | "POST" | "DELETE"} method
   * @param {string} [agent]
   */
  async function searchOn(node, method, agent) {
    const { nodes } = store.get();
    const mine = (followed = {});
    /** @param {"GET" | "POST" | "DELETE"} how @param {{agent?: string, wait?: number}} asked */
    const ask = (how, asked) => attempt(() => loader.ask((log) => api.searchOn(log, node, how, asked)));
    let ran = false;
    let found = await ask(method, { agent });
    while (found !== null && followed === mine && store.get().nodes === nodes) {
      store.update({ searchedOn: { ...found, node } });
      if (found.state !== "running") break;
      ran = true;
      found = await ask("GET", { wait: WAIT });
    }
    if (ran && found?.state === "done") await loadLogs();
  }

  return {
    searchOn,

    /** Open the log of such a search, compared with the open one where it can be. @param {SearchedOn & {node: Id}} found */
    openSearchedOn: (found) =>
      attempt(async () => {
        const { log: id = "" } = found;
        const { log, opened } = store.get();
        await openLog(id);
        if (log !== null && notCompared(found, opened) === null && store.get().log === id) await compareWith(log);
      }),

    /** Play a game from the position of a node on, on a page of its own. @param {Id} node */
    playOn: async (node) => {
      const { log } = store.get();
      const begun = log === null ? null : await attempt(() => api.playOn(log, node));
      if (begun) location.assign(`/play/${begun.play}`);
    },

    /** Show the game turn by turn, or not. */
    toggleGame: () =>
      store.update((state) =>
        state.drawer === "game" && state.panels.drawer
          ? { drawer: null }
          : isOfGame(state)
            ? { drawer: "game", panels: { ...state.panels, drawer: true } }
            : {},
      ),

    /** The turns of the game of the open log. */
    gameOfLog: () => {
      const { log } = store.get();
      return log === null ? Promise.reject(new Error("no log is open")) : api.gameOfLog(log);
    },
  };
}
