// @ts-check
/**
 * The one road to a log: every question the page asks, as a function that answers plain objects. Today a server
 * answers; anything with the same functions can take its place. Knows nothing of the state.
 */

/** @import { Quotient, Statistics } from "./answers.js" */
/** @typedef {import("./answers.js").NodeIteration} NodeIteration */
/** @import { Game, GameUnfolded, Results } from "../match/types.js" */
/** @import { Played } from "../play/types.js" */
/** @import { Tuned } from "../tuning/types.js" */
/** @import { GameOfTurns } from "../views/game/actions.js" */
/** @import { Told } from "../views/logs/bring-actions.js" */
/** @import { Beside } from "./merged.js" */
/** @import { Again, AskedPair, Details, Drawing, ExactSearch } from "./types.js" */
/** @import { Explanation, Id, Live, Moment, Opened } from "./types.js" */
/** @import { Made, OverviewPicture, Rail, Ranking, Report, Reweighted } from "./types.js" */
/** @import { State, Subtree, Summary, WeightsState } from "./types.js" */
/** @typedef {import("./types.js").AskedField} AskedField */
/** @typedef {import("./types.js").ColourScale} ColourScale */
/** @typedef {import("./types.js").Finding} Finding */
/** @typedef {import("./types.js").Found} Found */
/** @typedef {import("./types.js").HitMark} HitMark */
/** @typedef {import("./types.js").Mark} Mark */
/** @typedef {import("./types.js").NoHit} NoHit */
/** @typedef {import("./types.js").Note} Note */
/** @typedef {import("./types.js").OverviewMark} OverviewMark */
/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Search} Search */
/** @typedef {import("./types.js").Severity} Severity */
/** @typedef {import("./types.js").TreeNode} TreeNode */
/** @typedef {import("./answers.js").WeightRange} WeightRange */

/**
 * How far a comparison is that is asked for nodes; absent where a log alone is asked.
 * @typedef {{state?: string, reason?: string}} Waits
 */
/** @typedef {ReturnType<typeof createApi>} Api */

/** Where a replay goes by a word of its own. */
const STEPS = ["in", "over", "out", "back", "cut", "best"];

/** Says in words what went wrong. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** An answer that is an error: `status` is the HTTP status, 0 where the server could not be reached. */
export class ApiError extends Error {
  /**
   * @param {string} message what is wrong, where, and what to do
   * @param {number} status
   * @param {any} [body] the whole answer
   */
  constructor(message, status, body) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
  }
}

/**
 * The questions, asked by `send` (the browser's fetch) below `base`.
 * @param {(url: string, options?: RequestInit) => Promise<Response>} [send]
 * @param {string} [base]
 */
export function createApi(send = (url, options) => fetch(url, options), base = "/api") {
  /** @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
  async function ask(path, options) {
    let response;
    try {
      response = await send(base + path, options);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new ApiError("The server does not answer: is `plyscope view` still running?", 0);
    }
    if (response.status === 204) return null;
    let body;
    try {
      body = await response.json();
    } catch {
      throw new ApiError(`The server's answer to ${path} is no JSON (status ${response.status}).`, response.status);
    }
    if (!response.ok) {
      throw new ApiError(String(body?.error ?? `The server answered ${response.status}.`), response.status, body);
    }
    return body;
  }

  /** @param {string} log */
  const at = (log) => `/logs/${encodeURIComponent(log)}`;

  /** Where nodes are asked for: in the log, or in both logs as one. @param {string} log @param {Beside | null} beside */
  const tree = (log, beside) => `${at(log)}${beside === null ? "" : "/diff"}/nodes`;

  /** @param {Record<string, string | number | undefined>} values */
  const query = (values) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
  };

  /**
   * Ask with an expression: a refusal comes as an answer, since browsers log every other one as an error of the page.
   * @param {string} path with a query
   */
  async function asked(path) {
    const answer = await ask(`${path}&refused=answer`);
    if (answer?.refused)
      throw new ApiError(String(answer.refused.error), Number(answer.refused.status), answer.refused);
    return answer;
  }

  return {
    /** @param {string} log @returns {Promise<Statistics>} */
    statistics: (log) => ask(`${at(log)}/statistics`),

    /** The game of a log's search, turn by turn. @param {string} log @returns {Promise<GameOfTurns>} */
    gameOfLog: (log) => ask(`${at(log)}/game`),

    /**
     * The ranks of the randomness quotient at the root.
     * @param {string} log
     * @param {number} [q] in place of the log's own
     * @returns {Promise<Quotient | {quotient: null, says: string}>}
     */
    quotient: (log, q) => ask(`${at(log)}/quotient${q === undefined ? "" : `?q=${q}`}`),

    /**
     * A node, found by its path of plies, in each tree of the log.
     * @param {string} log
     * @param {Id} node
     * @returns {Promise<{total: number, items: NodeIteration[]}>}
     */
    nodeIterations: (log, node) => ask(`${at(log)}/statistics/iterations?node=${node}`),

    /**
     * The event of a replay, by number or as a node is entered.
     * @param {string} log
     * @param {{event: number} | {node: Id}} moment
     * @returns {Promise<Moment>}
     */
    replay: (log, moment) => ask(`${at(log)}/replay${query(moment)}`),

    /**
     * The next event of a kind; its event is null where there is none.
     * @param {string} log
     * @param {number} event
     * @param {string} to `in`, `over`, `out`, `back`, `cut`, `best`, else an expression
     * @param {boolean} backwards
     * @returns {Promise<Moment | {event: null, events: number}>}
     */
    replayNext: (log, event, to, backwards) => {
      const where = STEPS.includes(to) ? { to } : { to: "where", q: to };
      return ask(`${at(log)}/replay/next${query({ event, ...where, ...(backwards && { backwards: 1 }) })}`);
    },

    /**
     * Nodes along the time of the search, reduced to pixels.
     * @param {string} log
     * @param {{of: "hits" | "findings" | "stops", q: string, width: number}} question
     * @returns {Promise<NonNullable<Rail["hits"]>>}
     */
    rail: (log, question) => ask(`${at(log)}/replay/rail${query(question)}`),

    /**
     * A part of the tree by pixels.
     * @param {string} log
     * @param {{form: string, width: number, bands: number, colour: string, first?: number, last?: number}} part
     * @returns {Promise<Omit<OverviewPicture, "colour">>}
     */
    overview: (log, part) => ask(`${at(log)}/overview${query(part)}`),

    /**
     * What is marked along it, by lane.
     * @param {string} log
     * @param {{form: string, width: number, bands: number, of: "hits" | "findings", q?: string, first?: number, last?: number}} question
     * @returns {Promise<{lanes: Record<string, OverviewMark[]>}>}
     */
    overviewMarks: (log, question) => ask(`${at(log)}/overview/marks${query(question)}`),

    /**
     * Where nodes stand in it: where they begin, where they end, their level.
     * @param {string} log
     * @param {Id[]} ids
     * @param {{form: string, bands: number}} of
     * @returns {Promise<{nodes: number, length: number, places: Record<string, [number, number, number]>}>}
     */
    overviewPlaces: (log, ids, of) => ask(`${at(log)}/overview/places${query({ ...of, ids: ids.join(",") })}`),

    /** What a match came to so far. @param {string} match @returns {Promise<Results>} */
    match: (match) => ask(`/matches/${encodeURIComponent(match)}`),

    /**
     * @param {string} match
     * @param {{offset: number, limit: number, player?: string, outcome?: string}} options
     * @returns {Promise<{total: number, offset: number, items: Game[]}>}
     */
    games: (match, options) => ask(`/matches/${encodeURIComponent(match)}/games${query(options)}`),

    /**
     * A game with its plies.
     * @param {string} match
     * @param {number} number
     * @returns {Promise<Game & GameUnfolded>}
     */
    game: (match, number) => ask(`/matches/${encodeURIComponent(match)}/games/${number}`),

    /**
     * Has the logs of a player's searches in a game listed, in the order of its plies.
     * @param {string} match
     * @param {number} number
     * @param {string} player
     * @returns {Promise<{logs: Summary[]}>}
     */
    logsOfGame: (match, number, player) =>
      ask(`/matches/${encodeURIComponent(match)}/games/${number}/logs${query({ player })}`, { method: "POST" }),

    /** A game that is played; while the agent thinks after `wait` seconds. @param {string} id @param {number} wait @returns {Promise<Played>} */
    play: (id, wait) => ask(`/plays/${encodeURIComponent(id)}${query({ wait })}`),

    /** Begins a game at a node. @param {string} log @param {Id} node @returns {Promise<{play: string}>} */
    playOn: (log, node) => ask(`${at(log)}/nodes/${node}/play`, { method: "POST" }),

    /** Does something in a game. @param {string} id @param {string} what @param {string} words @returns {Promise<Played>} */
    playDo: (id, what, words) => ask(`/plays/${encodeURIComponent(id)}${query({ what, words })}`, { method: "POST" }),

    /** What was tuned, and all trials. @param {string} tuning @returns {Promise<Tuned>} */
    tuning: (tuning) => ask(`/tunings/${encodeURIComponent(tuning)}`),

    /**
     * Has the games of a trial listed, or those that the best played at the end (`fresh`).
     * @param {string} tuning
     * @param {string} which
     * @returns {Promise<{match: Summary}>}
     */
    gamesOfTrial: (tuning, which) =>
      ask(`/tunings/${encodeURIComponent(tuning)}/trials/${encodeURIComponent(which)}/games`, { method: "POST" }),

    /** @returns {Promise<{logs: Summary[], default: string | null, folders: string[], notices?: string[]}>} */
    logs: () => ask("/logs"),

    /**
     * @param {string} log one that `read` said to be ready
     * @returns {Promise<Opened>} as it was read, whatever was written since; status 409 while it is read, with the Summary as `body.log`
     */
    open: (log) => ask(`${at(log)}${query({ as_read: 1 })}`),

    /**
     * Has a log read; answers once it is, or after `wait` seconds.
     * @param {string} log
     * @param {number} [wait]
     * @returns {Promise<Summary>}
     */
    read: (log, wait) => ask(`${at(log)}/reading${query({ wait })}`, { method: "POST" }),

    /**
     * @param {string} log
     * @param {number} [wait] seconds to wait for the end of its reading
     * @returns {Promise<Summary>}
     */
    summary: (log, wait) => ask(`${at(log)}/summary${query({ wait })}`),

    /**
     * How far a log is that is being written.
     * @param {string} log
     * @param {{after?: number, wait?: number, paused?: number}} options the last mark, seconds to wait for the next
     * @returns {Promise<Live>}
     */
    live: (log, options) => ask(`${at(log)}/live${query(options)}`),

    /** Lets the engine go on that waits. @param {string} log */
    goOn: (log) => ask(`${at(log)}/live/hold`, { method: "DELETE" }),

    /** Ends the reading of a large log. @param {string} log @returns {Promise<Summary>} */
    stopReading: (log) => ask(`${at(log)}/reading`, { method: "DELETE" }),

    /**
     * @param {string | Blob} content a log in any form
     * @param {string} name
     * @param {string} [map] what to take for what: `children=nextMove,score=value`
     * @returns {Promise<Summary>}
     */
    post: (content, name, map) => ask(`/logs${query({ name, map })}`, { method: "POST", body: content }),

    /** Says that somebody is about to bring a log, for which the server makes ready. */
    expectUpload: () => ask("/uploads/expected", { method: "POST" }),

    /**
     * Begins to send a log in pieces, which is read meanwhile.
     * @param {number} n_bytes
     * @param {string} name
     * @param {string} [map] as `post` has it
     * @returns {Promise<{upload: string, piece: number}>} piece: the bytes that a piece has best
     */
    beginUpload: (n_bytes, name, map) => ask(`/uploads${query({ n_bytes, name, map })}`, { method: "POST" }),

    /**
     * Sends one piece; the answer to the last has the log.
     * @param {string} upload
     * @param {number} at its place in the log, in bytes
     * @param {Blob} piece
     * @param {AbortSignal} signal
     * @returns {Promise<Told & {log?: Summary}>}
     */
    sendPiece: (upload, at, piece, signal) =>
      ask(`/uploads/${upload}${query({ at })}`, { method: "PUT", body: piece, signal }),

    /** Ends an upload: nothing of it stays. @param {string} upload */
    giveUpUpload: (upload) => ask(`/uploads/${upload}`, { method: "DELETE", keepalive: true }),

    /** Gives a paste another name. @param {string} log @param {string} name @returns {Promise<Summary>} */
    rename: (log, name) =>
      ask(`${at(log)}/name`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ name }),
      }),

    /** @param {string} log */
    remove: (log) => ask(at(log), { method: "DELETE" }),

    /**
     * @param {string} log
     * @param {Record<string, string>} mapping
     * @returns {Promise<Opened | {log: Summary}>} only the Summary where it is a large log, which is now read
     */
    map: (log, mapping) =>
      ask(`${at(log)}/mapping`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(mapping),
      }),

    /**
     * Several nodes, each with its first children; at most 200 ids and 2,000 children in all.
     * @param {string} log
     * @param {Id[]} ids
     * @param {number} limit
     * @param {{best?: number, order?: Ranking}} [first] how many of the children that come first
     *   in an order to send too, wherever they stand
     * @param {Beside | null} [beside] of both logs as one tree
     * @returns {Promise<{nodes: {node: TreeNode, children: Page}[]} & Waits>}
     */
    nodes: (log, ids, limit, first = {}, beside = null) =>
      ask(`${tree(log, beside)}${query({ ...beside, ids: ids.join(","), limit, ...first })}`),

    /**
     * A node and one page of its children.
     * @param {string} log
     * @param {Id} id
     * @param {number} offset
     * @param {number} limit at most 500
     * @param {State["order"]} [order] of the children: `best` and `pre_score` count the offset in
     *   ranks, the best first
     * @param {Beside | null} [beside]
     * @returns {Promise<{node: TreeNode, children: Page} & Waits>}
     */
    node: (log, id, offset, limit, order, beside = null) =>
      ask(`${tree(log, beside)}/${id}${query({ ...beside, offset, limit, order })}`),

    /**
     * @param {string} log
     * @param {Id} id
     * @param {Beside | null} [beside]
     * @returns {Promise<{path: TreeNode[], more?: number} & Waits>} from the root to the node
     */
    path: (log, id, beside = null) => ask(`${tree(log, beside)}/${id}/path${query({ ...beside })}`),

    /** @param {string} log @param {Id} id @param {Beside | null} [beside] @returns {Promise<Details & Waits>} */
    details: (log, id, beside = null) => ask(`${tree(log, beside)}/${id}/details${query({ ...beside })}`),

    /** What was noted on nodes. @param {string} log @returns {Promise<{notes: Note[]}>} */
    notes: (log) => ask(`${at(log)}/notes`),

    /**
     * Puts a note in place of the one that its node has; without a text that is deleted.
     * @param {string} log
     * @param {Partial<Note> | {id?: Id, path?: string, text: null}} note
     * @returns {Promise<{notes: Note[]}>}
     */
    putNote: (log, note) =>
      ask(`${at(log)}/notes`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(note),
      }),

    /**
     * How far a page that is one file is; what it tells whoever gets it, once it is made.
     * @param {string} log
     * @param {{wait?: number}} options
     * @returns {Promise<Made>}
     */
    share: (log, options) => ask(`${at(log)}/share${query(options)}`),

    /**
     * Makes such a page, whose cards show these fields.
     * @param {string} log
     * @param {State["labels"][string]} labels
     * @returns {Promise<Made>}
     */
    startShare: (log, labels) =>
      ask(`${at(log)}/share${query({ labels: JSON.stringify(labels) })}`, { method: "POST" }),

    /** Stops that, or forgets the page. @param {string} log @returns {Promise<Made>} */
    endShare: (log) => ask(`${at(log)}/share`, { method: "DELETE" }),

    /** Where the page that was made is a file. @param {string} log */
    fileOfShare: (log) => `${base}${at(log)}/share.html`,

    /** Where the log with its notes is a file. @param {string} log */
    fileOfCopy: (log) => `${base}${at(log)}/copy`,

    /** @param {string} log @param {Id} id @returns {Promise<Drawing>} */
    board: (log, id) => ask(`${at(log)}/nodes/${id}/board`),

    /**
     * The subtree as a log that loads again.
     * @param {string} log
     * @param {Id} id
     * @param {{levels?: number, max_bytes?: number, ids?: Id[]}} options
     * @returns {Promise<Subtree>}
     */
    subtree: (log, id, options) =>
      ask(`${at(log)}/nodes/${id}/subtree${query({ ...options, ids: options.ids?.join(",") })}`),

    /**
     * @param {string} log
     * @param {string} q a ply, an id `#4117` or a path `c6 > d6`
     * @param {{offset?: number, limit?: number, from?: Id}} options
     * @returns {Promise<{q: string, total: number, offset: number, items: TreeNode[], paths: string[], at?: number}>}
     *   paths of the items, as plies from the root
     */
    search: (log, q, options) => ask(`${at(log)}/search${query({ q, ...options })}`),

    /**
     * Rows of a table with their nodes.
     * @param {string} log
     * @param {Record<string, string | number | undefined>} options as docs/api.md says
     * @returns {Promise<{total: number, offset: number, columns: string[], rows: ({path: string} & Record<string,
     *   unknown>)[], nodes: TreeNode[], signs?: Record<string, string[]>, at?: number | null, here?: boolean, notices?:
     *   string[], none?: NoHit, findings?: {rule: string, severity: Severity,
     *   at: number, message: string}[]}>}
     */
    table: (log, options) => asked(`${at(log)}/query${query(options)}`),

    /**
     * Which nodes are rows of a table, or have some below; at most 1,000 ids.
     * @param {string} log
     * @param {Record<string, string | number | undefined>} question what names the rows
     * @param {Id[]} ids
     * @returns {Promise<{total: number, marks: Record<string, HitMark>}>}
     */
    queryMarks: (log, question, ids) => asked(`${at(log)}/query/marks${query({ ...question, ids: ids.join(",") })}`),

    /**
     * Which children of nodes lead to a row of a table: of `ids`, or of what is opened first from `top` down.
     * @param {string} log
     * @param {Record<string, string | number | undefined>} options as docs/api.md says
     * @returns {Promise<{total: number, nodes: {id: Id, total: number, others: number, items: TreeNode[]}[]}>}
     */
    leading: (log, options) => asked(`${at(log)}/query/leading${query(options)}`),

    /**
     * The scale of a field or expression over the whole log, and the values of some nodes; at most 1,000 ids.
     * @param {string} log
     * @param {string} of
     * @param {Id[]} ids
     * @returns {Promise<{scale: ColourScale, values: Record<string, unknown>, places?: Record<string, number>}>}
     */
    colour: (log, of, ids) => asked(`${at(log)}/query/colour${query({ of, ids: ids.join(",") })}`),

    /** @param {string} log @returns {Promise<{fields: AskedField[]}>} */
    queryFields: (log) => ask(`${at(log)}/query/fields`),

    /**
     * Where all rows of a table are a file.
     * @param {string} log
     * @param {"csv" | "parquet"} form
     * @param {Record<string, string | number | undefined>} options
     */
    fileOfRows: (log, form, options) => `${base}${at(log)}/query.${form}${query(options)}`,

    /** Where the tree below a node is a figure as textbooks draw it. @param {string} log @param {Id} [node] */
    fileOfFigure: (log, node) => `${base}${at(log)}/picture.svg${query({ node })}`,

    /**
     * How far the check of a log is, and its report; answers when it is done or after `wait` seconds.
     * @param {string} log
     * @param {number} [wait]
     * @returns {Promise<Report>}
     */
    check: (log, wait) => ask(`${at(log)}/check${query({ wait })}`),

    /**
     * Begins the check of a log; with `quick`, only where it takes less than a second.
     * @param {string} log
     * @param {{quick?: 1}} [options]
     * @returns {Promise<Report>}
     */
    startCheck: (log, options = {}) => ask(`${at(log)}/check${query(options)}`, { method: "POST" }),

    /** Cancels the check of a log. @param {string} log @returns {Promise<Report>} */
    endCheck: (log) => ask(`${at(log)}/check`, { method: "DELETE" }),

    /**
     * @param {string} log
     * @param {{rule?: string, severity?: string, node?: Id, text?: string, more?: 1, offset?: number, limit?: number}} options
     * @returns {Promise<{total: number, offset: number, items: Finding[], groups?: Found["groups"], unread?: number}>}
     */
    findings: (log, options) => ask(`${at(log)}/check/findings${query(options)}`),

    /**
     * What weights make of a log; no answer yet, or why there is none, where the state is not `done`.
     * @param {string} log
     * @param {{weights?: string, ids?: string, wait?: number}} options
     * @returns {Promise<Reweighted & {state: string} | WeightsState>}
     */
    weights: (log, options) => ask(`${at(log)}/weights${query(options)}`),

    /**
     * How far each weight may go.
     * @param {string} log
     * @param {{quick?: 1, wait?: number}} options
     * @returns {Promise<{state: string, ranges?: WeightRange[], reason?: string, progress?: number}>}
     */
    weightRanges: (log, options) => ask(`${at(log)}/weights/ranges${query(options)}`),

    /**
     * How far a search with other weights is, and whether there can be one.
     * @param {string} log
     * @param {{wait?: number}} [options]
     * @returns {Promise<Again>}
     */
    again: (log, options = {}) => ask(`${at(log)}/weights/search${query(options)}`),

    /**
     * Search the position of a log with other weights.
     * @param {string} log
     * @param {{weights: string}} options
     * @returns {Promise<Again>}
     */
    startAgain: (log, options) => ask(`${at(log)}/weights/search${query(options)}`, { method: "POST" }),

    /** Cancels that search. @param {string} log @returns {Promise<Again>} */
    endAgain: (log) => ask(`${at(log)}/weights/search`, { method: "DELETE" }),

    /**
     * Every root ply's least and most against one weight.
     * @param {string} log
     * @param {{factor: string, from?: number, to?: number, wait?: number}} options
     * @returns {Promise<any>}
     */
    weightCurve: (log, options) => ask(`${at(log)}/weights/curve${query(options)}`),

    /**
     * Why the ply of `node` and not that of `versus`; each may be left out. Of a stub, `ply` is the one that is meant.
     * @param {string} log
     * @param {AskedPair} pair
     * @returns {Promise<Explanation>}
     */
    explain: (log, pair) => ask(`${at(log)}/explain${query(pair)}`),

    /**
     * Searches a ply of a pair exactly, says how far that is, or cancels it.
     * @param {string} log
     * @param {"POST" | "GET" | "DELETE"} method
     * @param {AskedPair & {which: string, wait?: number}} asked
     * @returns {Promise<ExactSearch>}
     */
    exact: (log, method, asked) => ask(`${at(log)}/explain/exact${query(asked)}`, { method }),

    /**
     * Keeps an exact search as a log.
     * @param {string} log
     * @param {AskedPair & {which: string}} asked
     * @returns {Promise<Summary>}
     */
    keepExact: (log, asked) => ask(`${at(log)}/explain/exact/log${query(asked)}`, { method: "POST" }),

    /**
     * What changed from another log to this one; no answer yet, or why there is none, where the state is not `done`.
     * @param {string} log
     * @param {Beside & {offset: number, limit: number, kinds?: string}} options
     * @returns {Promise<Waits>} with a `Compared` once it is done
     */
    diff: (log, options) => ask(`${at(log)}/diff${query({ ...options, merged: 1 })}`),

    /**
     * A page of the changes as a table.
     * @param {string} log
     * @param {Beside} beside
     * @param {Record<string, string | number | undefined>} options as docs/api.md says
     * @returns {Promise<Waits & {total: number, offset: number, columns: string[], rows: ({path: string} &
     *   Record<string, unknown>)[], nodes: TreeNode[], at?: number, here?: boolean}>}
     */
    changes: (log, beside, options) => ask(`${at(log)}/diff/table${query({ ...beside, ...options })}`),

    /**
     * Where all changes are a file.
     * @param {string} log
     * @param {Beside} beside
     * @param {Record<string, string | number | undefined>} options
     */
    fileOfChanges: (log, beside, options) =>
      `${base}${at(log)}/diff/table.csv${query({ ...beside, ...options, wait: 10 })}`,

    /**
     * What nodes have, those without findings on or below them left out; at most 1,000 ids.
     * @param {string} log
     * @param {Id[]} ids
     * @returns {Promise<{marks: Record<string, Mark>}>}
     */
    marks: (log, ids) => ask(`${at(log)}/check/marks${query({ ids: ids.join(",") })}`),
  };
}
