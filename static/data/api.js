// @ts-check
/**
 * The one road to a log: every question the page asks, as a function that answers plain objects. Today a server
 * answers; anything with the same functions can take its place. Knows nothing of the state.
 */

/** @import { NodeIteration, Quotient, Statistics, WeightRange } from "./answers.js" */
/** @import { Game, GameUnfolded, Results } from "../match/types.js" */
/** @import { Played } from "../play/types.js" */
/** @import { Tuned } from "../tuning/types.js" */
/** @import { GameOfTurns } from "../views/game/actions.js" */
/** @import { Sent } from "../views/logs/bring-actions.js" */
/** @import { Beside } from "./merged.js" */
/** @import { Again, AskedField, AskedPair, ColourScale, Details, Drawing, ExactSearch } from "./types.js" */
/** @import { Explanation, Finding, Found, HitMark, Id, Live, Made, Mark, Moment, NoHit, Note } from "./types.js" */
/** @import { Opened, OverviewMark, OverviewPicture, Page, Rail, Ranking, Report, Reweighted } from "./types.js" */
/** @import { SearchedOn, Severity, State, Subtree, Summary, TreeNode, WeightsState } from "./types.js" */

/**
 * How far a comparison is that is asked for nodes; absent where a log alone is asked.
 * @typedef {{state?: string, reason?: string}} Waits
 */
/**
 * The nodes that a log is opened with: the first `opens` of its principal variation, with children as `nodes` answers.
 * @typedef {{opens: number, limit: number, best: number, order: Ranking}} FirstNodes
 */
/**
 * A log as the list shows it; one that is ready is `opened` with its first nodes, where these were asked for.
 * @typedef {Summary & {opened?: Opened & {nodes?: {node: TreeNode, children: Page}[]}}} Told
 */
/**
 * A log that the server has told, asked for these nodes.
 * @typedef {{log: Told, first: FirstNodes}} ToldWith
 */
/** What names the rows of a table, as docs/api.md says. @typedef {Record<string, string | number | undefined>} Options */
/**
 * A page of a table, with the nodes of its rows.
 * @typedef {{total: number, offset: number, columns: string[], rows: ({path: string} & Record<string, unknown>)[],
 *   nodes: TreeNode[], at?: number | null, here?: boolean}} Rows
 */

/**
 * What of the overview is drawn: `bands` from the top, of a part from `first` to `last`.
 * @typedef {{form: string, width: number, bands: number, colour: string, first?: number, last?: number}} Pixels
 */

/**
 * The questions. A log, a match, a game that is played and a tuning go by their ids; `wait` are seconds that the server
 * may keep an answer back until there is more to say.
 * @typedef {object} Api
 * @property {(log: string) => Promise<Statistics>} statistics
 * @property {(log: string) => Promise<GameOfTurns>} gameOfLog the game of a log's search, turn by turn
 * @property {(log: string, q?: number) => Promise<Quotient | {quotient: null, says: string}>} quotient the ranks at
 *   the root; `q` in place of the log's own
 * @property {(log: string, node: Id) => Promise<{total: number, items: NodeIteration[]}>} nodeIterations a node,
 *   found by its path, in each tree
 * @property {(log: string, moment: {event: number} | {node: Id}) => Promise<Moment>} replay an event, by number or
 *   as a node is entered
 * @property {(log: string, event: number, to: string, backwards: boolean) => Promise<Moment | {event: null, events:
 *   number}>} replayNext the next event of a kind: `in`, `over`, `out`, `back`, `cut`, `best`, else an expression
 * @property {(log: string, question: {of: "hits" | "findings" | "stops", q: string, width: number}) =>
 *   Promise<NonNullable<Rail["hits"]>>} rail nodes along the time of the search, by pixels
 * @property {(log: string, part: Pixels) => Promise<Omit<OverviewPicture, "colour">>} overview a part of the tree by
 *   pixels
 * @property {(log: string, question: Omit<Pixels, "colour"> & {of: "hits" | "findings", q?: string}) =>
 *   Promise<{lanes: Record<string, OverviewMark[]>}>} overviewMarks what is marked along it, by lane
 * @property {(log: string, ids: Id[], of: {form: string, bands: number}) => Promise<{nodes: number, length: number,
 *   places: Record<string, [begin: number, end: number, level: number]>}>} overviewPlaces where nodes stand in it
 * @property {(match: string) => Promise<Results>} match what a match came to so far
 * @property {(match: string, options: {offset: number, limit: number, player?: string, outcome?: string}) =>
 *   Promise<{total: number, offset: number, items: Game[]}>} games
 * @property {(match: string, number: number) => Promise<Game & GameUnfolded>} game with its plies
 * @property {(match: string, number: number, player: string) => Promise<{logs: Summary[]}>} logsOfGame lists the
 *   logs of a player's searches, by ply
 * @property {(id: string, wait: number) => Promise<Played>} play a game that is played; it is waited for while the
 *   agent thinks
 * @property {(log: string, node: Id) => Promise<{play: string}>} playOn begins a game at a node
 * @property {(log: string, node: Id, method: "GET" | "POST" | "DELETE", asked?: {agent?: string, wait?: number}) =>
 *   Promise<SearchedOn>} searchOn how far the search from a node on is, begun or cancelled
 * @property {(id: string, what: string, words: string) => Promise<Played>} playDo does something in a game
 * @property {(tuning: string) => Promise<Tuned>} tuning what was tuned, and all trials
 * @property {(tuning: string, which: string) => Promise<{match: Summary}>} gamesOfTrial lists the games of a trial,
 *   or those at the end (`fresh`)
 * @property {() => Promise<{logs: Summary[], default: string | null, folders: string[], notices?: string[]}>} logs
 * @property {(log: string) => Promise<Opened>} open one that is ready, as it was read, whatever was written since
 * @property {(log: string, first?: FirstNodes) => Promise<Told>} read has a log read
 * @property {(log: string, wait?: number, first?: FirstNodes) => Promise<Told>} summary how far its reading is
 * @property {(log: string, options: {after?: number, wait?: number, paused?: number}) => Promise<Live>} live how far
 *   a log is that is being written, once it has changed since the mark `after`
 * @property {(log: string) => Promise<unknown>} goOn lets the engine go on that waits
 * @property {(log: string) => Promise<Summary>} stopReading
 * @property {(content: string | Blob, name: string, first: FirstNodes, map?: string) => Promise<Told>} post brings a
 *   log in any form; `map` says what to take for what: `children=nextMove,score=value`
 * @property {() => Promise<unknown>} expectUpload says that somebody is about to bring a log, for which the server
 *   makes ready
 * @property {(n_bytes: number, name: string, map?: string) => Promise<{upload: string, piece: number}>} beginUpload
 *   begins to send a log in pieces of some bytes, which is read meanwhile
 * @property {(upload: string, at: number, piece: Blob, signal: AbortSignal) => Promise<Sent & {log?: Summary}>}
 *   sendPiece the answer to the last piece has the log
 * @property {(upload: string) => Promise<unknown>} giveUpUpload nothing of it stays
 * @property {(log: string, name: string) => Promise<Summary>} rename gives a paste another name
 * @property {(log: string) => Promise<unknown>} remove
 * @property {(log: string, mapping: Record<string, string>) => Promise<Opened | {log: Summary}>} map only the
 *   Summary where it is a large log, which is now read
 * @property {(log: string, ids: Id[], limit: number, first?: {best?: number, order?: Ranking}, beside?: Beside |
 *   null) => Promise<{nodes: {node: TreeNode, children: Page}[]} & Waits>} nodes at most 200 nodes with their first
 *   children, 2,000 in all; `first`: how many of those that come first in an order to send too; `beside`: of both
 *   logs as one tree
 * @property {(log: string, id: Id, offset: number, limit: number, order?: State["order"], beside?: Beside | null) =>
 *   Promise<{node: TreeNode, children: Page} & Waits>} node a node and a page of at most 500 children; but for
 *   `searched` the offset counts ranks, the best first
 * @property {(log: string, id: Id, beside?: Beside | null) => Promise<{path: TreeNode[], more?: number} & Waits>}
 *   path from the root
 * @property {(log: string, id: Id, beside?: Beside | null) => Promise<Details & Waits>} details
 * @property {(log: string) => Promise<{notes: Note[]}>} notes
 * @property {(log: string, note: Partial<Note> | {id?: Id, path?: string, text: null}) => Promise<{notes: Note[]}>}
 *   putNote puts a note in place of the one that its node has; without a text that is deleted
 * @property {(log: string, options: {wait?: number}) => Promise<Made>} share how far a page that is one file is
 * @property {(log: string, labels: State["labels"][string], view: {node?: Id, open: string}) => Promise<Made>}
 *   startShare makes one, whose cards show these fields, and which opens with these nodes selected and open
 * @property {(log: string) => Promise<Made>} endShare stops that, or forgets the page
 * @property {(log: string) => string} fileOfShare where the page that was made is a file
 * @property {(log: string) => string} fileOfCopy where the log with its notes is a file
 * @property {(log: string, id: Id) => Promise<Drawing>} board
 * @property {(log: string, id: Id, options: {levels?: number, max_bytes?: number, ids?: Id[]}) => Promise<Subtree>}
 *   subtree as a log that loads again
 * @property {(log: string, q: string, options: {offset?: number, limit?: number, from?: Id}) => Promise<{q: string,
 *   total: number, offset: number, items: TreeNode[], paths: string[], at?: number}>} search a ply, an id `#4117` or
 *   a path `c6 > d6`, as plies from the root
 * @property {(log: string, options: Options) => Promise<Rows & {signs?: Record<string, string[]>, notices?:
 *   string[], none?: NoHit, findings?: {rule: string, severity: Severity, at: number, message: string}[]}>} table
 * @property {(log: string, question: Options, ids: Id[]) => Promise<{total: number, marks: Record<string,
 *   HitMark>}>} queryMarks which of at most 1,000 nodes are rows of a table, or have some below
 * @property {(log: string, options: Options) => Promise<{total: number, nodes: {id: Id, total: number, others:
 *   number, items: TreeNode[]}[]}>} leading which children lead to a row of a table: of `ids`, or of what is opened
 *   first from `top` down
 * @property {(log: string, of: string, ids: Id[]) => Promise<{scale: ColourScale, values: Record<string, unknown>,
 *   places?: Record<string, number>}>} colour the scale of a field or expression over the whole log, and the values
 *   of at most 1,000 nodes
 * @property {(log: string) => Promise<{fields: AskedField[]}>} queryFields
 * @property {(log: string, form: "csv" | "parquet", options: Options) => string} fileOfRows where all rows of a
 *   table are a file
 * @property {(log: string, node?: Id) => string} fileOfFigure where the tree below a node is a figure as textbooks
 *   draw it
 * @property {(log: string, wait?: number) => Promise<Report>} check how far the check of a log is, and its report
 * @property {(log: string, options?: {quick?: 1}) => Promise<Report>} startCheck `quick`: only where it takes less
 *   than a second
 * @property {(log: string) => Promise<Report>} endCheck cancels it
 * @property {(log: string, options: {rule?: string, severity?: string, node?: Id, text?: string, more?: 1, offset?:
 *   number, limit?: number}) => Promise<{total: number, offset: number, items: Finding[], groups?: Found["groups"],
 *   unread?: number}>} findings
 * @property {(log: string, options: {weights?: string, ids?: string, wait?: number}) => Promise<Reweighted & {state:
 *   string} | WeightsState>} weights what weights make of a log; no answer yet, or why there is none, where the
 *   state is not `done`
 * @property {(log: string, options: {quick?: 1, wait?: number}) => Promise<{state: string, ranges?: WeightRange[],
 *   reason?: string, progress?: number}>} weightRanges how far each weight may go
 * @property {(log: string, options: {factor: string, from?: number, to?: number, wait?: number}) => Promise<any>}
 *   weightCurve every root ply's least and most against one weight
 * @property {(log: string, options?: {wait?: number}) => Promise<Again>} again how far a search with other weights
 *   is, and whether there can be one
 * @property {(log: string, options: {weights: string}) => Promise<Again>} startAgain
 * @property {(log: string) => Promise<Again>} endAgain cancels it
 * @property {(log: string, pair: AskedPair) => Promise<Explanation>} explain why the ply of `node` and not that of
 *   `versus`; each may be left out. Of a stub, `ply` is the one that is meant
 * @property {(log: string, method: "POST" | "GET" | "DELETE", asked: AskedPair & {which: string, wait?: number}) =>
 *   Promise<ExactSearch>} exact searches a ply of a pair exactly, says how far that is, or cancels it
 * @property {(log: string, asked: AskedPair & {which: string}) => Promise<Summary>} keepExact keeps an exact search
 *   as a log
 * @property {(log: string, options: Beside & {offset: number, limit: number, kinds?: string}) => Promise<Waits>}
 *   diff what changed from another log to this one: a `Compared` once the state is `done`
 * @property {(log: string, beside: Beside, options: Options) => Promise<Waits & Rows & {at?: number}>} changes a
 *   page of the changes as a table
 * @property {(log: string, beside: Beside, options: Options) => string} fileOfChanges where all changes are a file
 * @property {(log: string, ids: Id[]) => Promise<{marks: Record<string, Mark>}>} marks what at most 1,000 nodes
 *   have, those without findings on or below them left out
 */

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
 * The questions, asked by `send` (the browser's fetch) below `base`. After the browser's *back* a plain fetch takes an
 * answer from the cache, however old it is.
 * @param {(url: string, options?: RequestInit) => Promise<Response>} [send]
 * @param {string} [base]
 * @returns {Api}
 */
export function createApi(send = (url, options) => fetch(url, { cache: "no-cache", ...options }), base = "/api") {
  /** @param {string} path @param {RequestInit} [options] */
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

  /** @param {string} path @param {object} body */
  const put = (path, body) =>
    ask(path, { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

  /** @param {string} log */
  const at = (log) => `/logs/${encodeURIComponent(log)}`;

  /** Where nodes are asked for: in the log, or in both logs as one. @param {string} log @param {Beside | null} beside */
  const tree = (log, beside) => `${at(log)}${beside === null ? "" : "/diff"}/nodes`;

  /** @param {Options} values */
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
    statistics: (log) => ask(`${at(log)}/statistics`),
    gameOfLog: (log) => ask(`${at(log)}/game`),
    quotient: (log, q) => ask(`${at(log)}/quotient${q === undefined ? "" : `?q=${q}`}`),
    nodeIterations: (log, node) => ask(`${at(log)}/statistics/iterations?node=${node}`),
    replay: (log, moment) => ask(`${at(log)}/replay${query(moment)}`),
    replayNext: (log, event, to, backwards) => {
      const where = STEPS.includes(to) ? { to } : { to: "where", q: to };
      return ask(`${at(log)}/replay/next${query({ event, ...where, ...(backwards && { backwards: 1 }) })}`);
    },
    rail: (log, question) => ask(`${at(log)}/replay/rail${query(question)}`),
    overview: (log, part) => ask(`${at(log)}/overview${query(part)}`),
    overviewMarks: (log, question) => ask(`${at(log)}/overview/marks${query(question)}`),
    overviewPlaces: (log, ids, of) => ask(`${at(log)}/overview/places${query({ ...of, ids: ids.join(",") })}`),
    match: (match) => ask(`/matches/${encodeURIComponent(match)}`),
    games: (match, options) => ask(`/matches/${encodeURIComponent(match)}/games${query(options)}`),
    game: (match, number) => ask(`/matches/${encodeURIComponent(match)}/games/${number}`),
    logsOfGame: (match, number, player) =>
      ask(`/matches/${encodeURIComponent(match)}/games/${number}/logs${query({ player })}`, { method: "POST" }),
    play: (id, wait) => ask(`/plays/${encodeURIComponent(id)}${query({ wait })}`),
    playOn: (log, node) => ask(`${at(log)}/nodes/${node}/play`, { method: "POST" }),
    searchOn: (log, node, method, asked = {}) => ask(`${at(log)}/nodes/${node}/search${query(asked)}`, { method }),
    playDo: (id, what, words) => ask(`/plays/${encodeURIComponent(id)}${query({ what, words })}`, { method: "POST" }),
    tuning: (tuning) => ask(`/tunings/${encodeURIComponent(tuning)}`),
    gamesOfTrial: (tuning, which) =>
      ask(`/tunings/${encodeURIComponent(tuning)}/trials/${encodeURIComponent(which)}/games`, { method: "POST" }),
    logs: () => ask("/logs"),
    open: (log) => ask(`${at(log)}${query({ as_read: 1 })}`),
    read: (log, first) => ask(`${at(log)}/reading${query({ ...first })}`, { method: "POST" }),
    summary: (log, wait, first) => ask(`${at(log)}/summary${query({ wait, ...first })}`),
    live: (log, options) => ask(`${at(log)}/live${query(options)}`),
    goOn: (log) => ask(`${at(log)}/live/hold`, { method: "DELETE" }),
    stopReading: (log) => ask(`${at(log)}/reading`, { method: "DELETE" }),
    post: (content, name, first, map) =>
      ask(`/logs${query({ name, map, ...first })}`, { method: "POST", body: content }),
    expectUpload: () => ask("/uploads/expected", { method: "POST" }),
    beginUpload: (n_bytes, name, map) => ask(`/uploads${query({ n_bytes, name, map })}`, { method: "POST" }),
    sendPiece: (upload, at, piece, signal) =>
      ask(`/uploads/${upload}${query({ at })}`, { method: "PUT", body: piece, signal }),
    giveUpUpload: (upload) => ask(`/uploads/${upload}`, { method: "DELETE", keepalive: true }),
    rename: (log, name) => put(`${at(log)}/name`, { name }),
    remove: (log) => ask(at(log), { method: "DELETE" }),
    map: (log, mapping) => put(`${at(log)}/mapping`, mapping),
    nodes: (log, ids, limit, first = {}, beside = null) =>
      ask(`${tree(log, beside)}${query({ ...beside, ids: ids.join(","), limit, ...first })}`),
    node: (log, id, offset, limit, order, beside = null) =>
      ask(`${tree(log, beside)}/${id}${query({ ...beside, offset, limit, order })}`),
    path: (log, id, beside = null) => ask(`${tree(log, beside)}/${id}/path${query({ ...beside })}`),
    details: (log, id, beside = null) => ask(`${tree(log, beside)}/${id}/details${query({ ...beside })}`),
    notes: (log) => ask(`${at(log)}/notes`),
    putNote: (log, note) => put(`${at(log)}/notes`, note),
    share: (log, options) => ask(`${at(log)}/share${query(options)}`),
    startShare: (log, labels, view) =>
      ask(`${at(log)}/share${query({ labels: JSON.stringify(labels), ...view })}`, { method: "POST" }),
    endShare: (log) => ask(`${at(log)}/share`, { method: "DELETE" }),
    fileOfShare: (log) => `${base}${at(log)}/share.html`,
    fileOfCopy: (log) => `${base}${at(log)}/copy`,
    board: (log, id) => ask(`${at(log)}/nodes/${id}/board`),
    subtree: (log, id, options) =>
      ask(`${at(log)}/nodes/${id}/subtree${query({ ...options, ids: options.ids?.join(",") })}`),
    search: (log, q, options) => ask(`${at(log)}/search${query({ q, ...options })}`),
    table: (log, options) => asked(`${at(log)}/query${query(options)}`),
    queryMarks: (log, question, ids) => asked(`${at(log)}/query/marks${query({ ...question, ids: ids.join(",") })}`),
    leading: (log, options) => asked(`${at(log)}/query/leading${query(options)}`),
    colour: (log, of, ids) => asked(`${at(log)}/query/colour${query({ of, ids: ids.join(",") })}`),
    queryFields: (log) => ask(`${at(log)}/query/fields`),
    fileOfRows: (log, form, options) => `${base}${at(log)}/query.${form}${query(options)}`,
    fileOfFigure: (log, node) => `${base}${at(log)}/picture.svg${query({ node })}`,
    check: (log, wait) => ask(`${at(log)}/check${query({ wait })}`),
    startCheck: (log, options = {}) => ask(`${at(log)}/check${query(options)}`, { method: "POST" }),
    endCheck: (log) => ask(`${at(log)}/check`, { method: "DELETE" }),
    findings: (log, options) => ask(`${at(log)}/check/findings${query(options)}`),
    weights: (log, options) => ask(`${at(log)}/weights${query(options)}`),
    weightRanges: (log, options) => ask(`${at(log)}/weights/ranges${query(options)}`),
    again: (log, options = {}) => ask(`${at(log)}/weights/search${query(options)}`),
    startAgain: (log, options) => ask(`${at(log)}/weights/search${query(options)}`, { method: "POST" }),
    endAgain: (log) => ask(`${at(log)}/weights/search`, { method: "DELETE" }),
    weightCurve: (log, options) => ask(`${at(log)}/weights/curve${query(options)}`),
    explain: (log, pair) => ask(`${at(log)}/explain${query(pair)}`),
    exact: (log, method, asked) => ask(`${at(log)}/explain/exact${query(asked)}`, { method }),
    keepExact: (log, asked) => ask(`${at(log)}/explain/exact/log${query(asked)}`, { method: "POST" }),
    diff: (log, options) => ask(`${at(log)}/diff${query({ ...options, merged: 1 })}`),
    changes: (log, beside, options) => ask(`${at(log)}/diff/table${query({ ...beside, ...options })}`),
    fileOfChanges: (log, beside, options) =>
      `${base}${at(log)}/diff/table.csv${query({ ...beside, ...options, wait: 10 })}`,
    marks: (log, ids) => ask(`${at(log)}/check/marks${query({ ids: ids.join(",") })}`),
  };
}
