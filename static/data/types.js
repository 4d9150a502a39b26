// @ts-check
/**
 * The shapes of the server's answers and of the state of the page. No code: only types that other modules import. An
 * absent field is unknown, as in a log; all scores are seen from the root player.
 */

/** @import { Snapshot, Totals, WeightRange, WhatIf } from "./answers.js" */
/** @typedef {number} Id a node's name: its order of arrival in the log */
/** @typedef {import("./fields.js").Score} Score */
/** @typedef {import("./fields.js").Layer} Layer */
/** @typedef {import("./fields.js").Bound} Bound */
/** @typedef {import("./fields.js").Outcome} Outcome */
/** @typedef {import("./fields.js").Purpose} Purpose */
/** @typedef {import("./fields.js").TableEntry} TableEntry */
/** @typedef {import("./fields.js").LoggedFields} LoggedFields */
/** @typedef {import("./actions.js").Actions} Actions */
/** @typedef {import("./api.js").Api} Api */
/** @typedef {import("./loading.js").Loader} Loader */
/** @typedef {import("./route.js").Route} Route */
/** @typedef {import("./state.js").Store} Store */
/** @typedef {import("./walk-actions.js").WalkActions} WalkActions */

/**
 * The means that actions are given: the actions before them in the list, and functions to ask, fail and wait.
 * @typedef {object} Room
 * @property {Store} store
 * @property {Api} api
 * @property {Loader} loader
 * @property {WalkActions} walk
 * @property {<T>(work: () => Promise<T>) => Promise<T | null>} attempt runs `work` and shows its error as a notice
 * @property {(kind: Notice["kind"], text: string, act?: Notice["act"]) => void} notify
 * @property {(milliseconds: number) => Promise<void>} pause
 * @property {() => Promise<void>} painted resolves once what was drawn last is on the screen
 */
/**
 * Puts a part of the page into its place, where it follows the state as long as the page lives.
 * @typedef {(container: HTMLElement, store: Store, actions: Actions) => void} Mount
 */
/**
 * The same for a tab of the drawer, which returns the function that removes it: `head` stands beside the tabs, `body`
 * below them.
 * @typedef {(places: {head: HTMLElement, body: HTMLElement}, store: Store, actions: Actions) => () => void} MountTab
 */

/**
 * Whether a win or a loss is proven, all plies of its loser considered. `weaker`: only the later end that `score`
 * stands for is; `repetition`: through the table, so it holds but for repetition.
 * @typedef {{is: "proven" | "weaker" | "none", score?: Score, repetition?: boolean}} Proof
 */

/**
 * One entry of the list of logs.
 * @typedef {object} Summary
 * @property {string} id
 * @property {string} name
 * @property {"file" | "folder" | "example" | "pasted"} source
 * @property {"waiting" | "reading" | "ready" | "failed"} state
 * @property {string} [error] why it failed
 * @property {number} [progress] 0…1 while it is read
 * @property {boolean} [compiling] whether the reader of large logs is being compiled, once on a machine
 * @property {TopSoFar} [top] while it is read
 * @property {number} n_bytes
 * @property {number} [nodes]
 * @property {number} [depth]
 * @property {number} [limit]
 * @property {string} [game]
 * @property {string} [start] a key of the position that was searched
 * @property {string} [ply] the ply that the search chose at its root
 * @property {number} [added] when a paste came or a file was last written, in seconds since 1970; not of examples
 * @property {string} [stamp] a key of the file's content as it was read; not of pastes
 * @property {boolean} [changed] whether its file was written to since it was read
 * @property {boolean} [gone] whether the file of a log that was read was removed
 * @property {boolean} deletable
 * @property {boolean} [tuning] whether it is no log but the trials of a tuning, which have their own page
 * @property {boolean} [games] whether it is no log but the games of a match, whose results have their own page
 * @property {{state: "written" | "failed", from: "file" | "stdin" | "socket" | "post" | "search", awaited?: boolean}}
 *   [live] while it is being written; `awaited` where its file is not there yet
 * @property {boolean} [followed] whether it was followed, and the next log written there will be shown
 */

/**
 * What has come of the top of a tree that is being read: the root first, then the first of its children.
 * @typedef {{nodes: Pick<TreeNode, "level" | "ply" | "layer" | "score" | "bound" | "outcome" | "count">[], n_children:
 *   number, n_nodes: number, mate?: unknown}} TopSoFar
 */

/**
 * The progress of a log that is being written.
 * @typedef {object} Live
 * @property {"written" | "ended" | "failed"} state
 * @property {string} counts what `nodes` counts: `node`, or `play-out`
 * @property {number} mark of the last change, to wait for the next
 * @property {number} generation changes whenever nodes get other ids
 * @property {number} snapshot the last one, from which answers are made
 * @property {number} nodes that have come
 * @property {number} per_second
 * @property {number} [waiting] nodes whose parent has not come yet
 * @property {number} [unread_bytes] of the file, where they are many
 * @property {boolean} [gone] whether its file is not there
 * @property {boolean} [left] whether no program that can be seen has its file open
 * @property {number} [chunk_bytes] the stated size of the awaited chunk, where it is large
 * @property {number} [chunk_came] how many of these have come
 * @property {number} [cut_bytes] of its last line or chunk at the end, if it was not whole
 * @property {Id[]} [open] nodes that are entered and not left, from the root down
 * @property {string} [error] why it is not followed any more
 * @property {"file" | "stdin" | "socket" | "post" | "search"} [from]
 * @property {string} [log] its id once it has ended
 * @property {string} [next] the log of the engine that connected after this one
 * @property {"silent" | "unknown"} [lost] the viewer does not answer, or does not know the log since it was started
 *   anew
 * @property {{why: string, node: Id | null}} [hold] the node at which the engine waits, and the reason
 */

/**
 * A log that has been opened.
 * @typedef {object} Opened
 * @property {Summary} log
 * @property {string} [game]
 * @property {string} [position] of the root, as text
 * @property {string[]} players
 * @property {string} [root_player] the one of them from whom all numbers are seen
 * @property {Record<string, any>} [search]
 * @property {Record<string, any>} [result]
 * @property {{name: string, weight?: number, meaning?: string}[]} factors `meaning` says what a value counts
 * @property {string[]} contribution_names
 * @property {Totals} totals
 * @property {{id: Id, iteration?: number}[]} roots
 * @property {Id} root the tree that questions about the log take
 * @property {Id[]} pv from that root down
 * @property {(string | null)[]} [pv_plies] their plies
 * @property {boolean} pre_scored whether any node has a pre-score, so that children can come by it
 * @property {number} [more_pv] nodes at its end that were left out
 * @property {Snapshot[]} [snapshots] of a best-first log of several trees, by play-outs
 * @property {State["labels"][string]} [labels] what cards show, of a page that is one file
 * @property {string[]} notices
 * @property {Record<string, string>} mapping what was taken for what in somebody's own tree
 * @property {string[]} fields
 * @property {{low: number, high: number, declared: boolean}} [means] ends of the colours of means: the declared range,
 *   else the least and the greatest
 * @property {{low: number, high: number, reach: number}} [colour] range of the scores, wins and losses left out, and the end
 *   of the scale of colours to either side of 0
 * @property {boolean} drawable whether boards can be drawn
 * @property {boolean} playable whether its game is known here, so that one can play and search on
 * @property {string} [game_page] of the game or match whose log it is
 * @property {Record<string, any>} header
 */

/**
 * The place of a node, and figures derived from its log.
 * @typedef {object} Placed
 * @property {Id} id
 * @property {Id | null} parent
 * @property {number} level
 * @property {number} index position among its siblings
 * @property {number} [row] its place in the table, where it differs from its id
 * @property {number} [attempt] of a root, its place from 1 among the trees of its iteration where these are several
 * @property {Proof} [proof] of a score for a won or lost game; an unknown one counts as not proven
 * @property {number} [more_plies] of a stub, beyond those sent
 * @property {Record<string, string>} [others] the first fields that the format does not know, as short texts
 * @property {number} [more_others] how many more there are
 * @property {number} n_children rows below it, stubs included
 * @property {Visited} [visited] in a best-first tree that counts visits or has means
 * @property {Beside} [beside] the node of the other log, while one lies beside the open one
 * @property {{nodes: number, height: number, end?: number, best?: Score, worst?: Score, best_bound?: Bound,
 *   worst_bound?: Bound, best_proof?: Proof, worst_proof?: Proof}} [below]
 */

/**
 * What a card of a best-first tree shows of a node: its share of the visits of the node above, its mean as a share of
 * the declared range, and the 95 % interval of the mean with what that comes from; `exploit` as the node above saw it.
 * @typedef {{share?: number, rate?: number, exploit?: number, interval?: [Score, Score], by?: "wilson" | "stderr" | "range"}} Visited
 */

/** An order that ranks children; `searched` is how they stand. @typedef {"best" | "pre_score" | "visits" | "mean"} Ranking */

/** A visit of a position by the search, or a stub that stands for siblings without rows. @typedef {Placed & LoggedFields} TreeNode */

/**
 * A page of a node's children, in the order searched. Where the page does not hold all, `best` are the best children
 * outside it, also as searched.
 * @typedef {{total: number, offset: number, items: TreeNode[], best?: TreeNode[]}} Page
 */

/**
 * The line that decided a node's score.
 * @typedef {object} Line
 * @property {TreeNode[]} nodes from the node's child down
 * @property {TreeNode} leaf
 * @property {"leaf" | "terminal" | "stand_pat" | "table" | "window_edge" | "null_move" | "estimate" | "chance" |
 *   "not_recorded" | "end" | "visits" | "unknown"} how
 * @property {string} [note]
 * @property {number} [more] nodes of the line that were left out, in the middle of `nodes`
 */

/**
 * `value` is of a board that the log states; a `dark` cell is shaded.
 * @typedef {{x: number, y: number, pieces?: string[], name?: string, dark?: boolean, value?: number, label?: string}} Cell
 */

/**
 * A position as cells to draw; `drawing` is null, with a reason, where the game is not ours.
 * @typedef {object} Drawing
 * @property {null} [drawing]
 * @property {string} [reason]
 * @property {"squares" | "hexes" | "points" | "free" | "text"} [kind]
 * @property {Cell[]} [cells]
 * @property {string} [text]
 * @property {[number, number][]} [last] cells that the last ply touched
 * @property {[number, number][]} [changed] cells that differ from the parent's position
 * @property {{to: [number, number], from?: [number, number]}} [step] where the last ply ended, and where its piece stood
 * @property {string[][]} [hands] pieces beside the board, a list a player
 * @property {[number, number]} [check] the cell of a king that is attacked
 * @property {string[][]} [lines] lines through cells, each the names of its cells
 * @property {BoardPly[]} [plies] the plies searched here that end on a cell, best first
 * @property {string} [value] what the `value` of cells is
 * @property {Record<string, string>} [labels] what the labels of cells mean
 */

/**
 * A ply on the board of its parent; `rank` is its place among all plies with a score, 0 the best.
 * @typedef {object} BoardPly
 * @property {Id} id
 * @property {string} ply
 * @property {[number, number]} to
 * @property {[number, number]} [from]
 * @property {Score} [score]
 * @property {Bound} [bound]
 * @property {Proof} [proof]
 * @property {number} [rank]
 * @property {number} [mean] of a best-first tree, in place of a score
 * @property {number} [visits]
 * @property {TreeNode["visited"]} [visited]
 */

/**
 * @typedef {object} Details
 * @property {TreeNode} node
 * @property {TreeNode[]} path
 * @property {number} [more] nodes above the path that were left out
 * @property {Record<string, any>} extras unknown fields, as they are
 * @property {Line} line
 * @property {Drawing} [board]
 * @property {any} [lists]
 * @property {boolean} [isInPart] of a page that is one file: it has neither line nor board of this node
 */

/** @typedef {{text: string, whole: boolean, nodes: number}} Subtree */

/**
 * What has been fetched of a node's children: ids in the order of search. The first `prefix` of them are the
 * first children without a gap; any later ones were fetched alone: as part of a path, or among the best. Of each
 * order that ranks them, so many of the first are there, too.
 * @typedef {{total: number, items: Id[], prefix: number, ranked: Partial<Record<Ranking, number>>}} Children
 */

/** @typedef {{x: number, y: number, scale: number}} Camera a tree point (x, y) is drawn at (x · scale + camera.x, …) */

/**
 * A table of nodes: hits of a text (`search`) or of an expression (`hits`), children of a node, visits of its position.
 * @typedef {object} Listing
 * @property {"search" | "hits" | "children" | "visits" | "findings" | "changes"} source
 * @property {string} q the text or expression, the kind of changes or none; empty for a table of a node
 * @property {Id | null} of the node whose children or visits these are
 * @property {number} total rows in the whole log
 * @property {number} at index of the current row, -1 where there is none
 * @property {number} offset index of the first of `items`
 * @property {TreeNode[]} items the page of rows that is in sight
 * @property {string[]} paths of them, plies from the root
 * @property {Record<string, unknown>[]} cells of them, by column; none where the nodes themselves say all
 * @property {Record<string, string[]>} signs what stands before scores that are bounds, by column
 * @property {string[]} columns those that are shown, beside path and id
 * @property {string[] | null} chosen those that somebody chose
 * @property {string | null} sort the column or value that the rows are sorted by; null: the order of the search, of
 *   children that of the tree
 * @property {boolean} descending
 * @property {string[]} notices what is to be told of the question
 */

/**
 * @typedef {Listing & SearchState} Search
 * @typedef {object} SearchState
 * @property {Pick<State, "selected" | "expanded" | "held" | "kept" | "shown" | "top" | "camera">} began the place to
 *   return to
 * @property {string} [error] the error of the question
 * @property {[number, number]} [place] of the error in it, in characters
 * @property {string} [suggestion] a correction of it
 * @property {NoHit} [none] of an expression without a hit
 */

/**
 * What is true of an expression without a hit: at how many rows it is unknown, and the nearest looser one that has
 *   some.
 * @typedef {{rows: number, unknown: number, looser?: {q: string, total: number, without: string[]}}} NoHit
 */

/**
 * A field that expressions can use; `written`: its name in an expression, where it needs quotes.
 * @typedef {{name: string, type: string, meaning: string, words?: string[], written?: string}} AskedField
 */

/**
 * The scale of a field or expression over the whole log: ends of numbers, or its most frequent values.
 * @typedef {object} ColourScale
 * @property {"number" | "flag" | "category"} kind
 * @property {number} stated rows that state it
 * @property {number} absent nodes that do not
 * @property {number} [low] the ends of the scale; of a hundred numbers one lies beyond each
 * @property {number} [high]
 * @property {number} [least]
 * @property {number} [greatest]
 * @property {boolean} [logarithmic] of counts: equal steps of colour are equal ratios
 * @property {{value: unknown, rows: number}[]} [categories]
 * @property {number} [other_values] values that share one colour
 * @property {number} [other_rows]
 * @property {string[]} [notices]
 */

/**
 * The colouring of the tree: `nodes` is the node cache of the log whose values these are.
 * @typedef {{of: string, nodes: State["nodes"], scale: ColourScale, values: Map<Id, {value: unknown, place: number}>}}
 *   Colouring
 */

/**
 * Only the rows of a table and the nodes above them are drawn.
 * @typedef {object} Only
 * @property {"search" | "table"} of whose rows
 * @property {string} key which rows
 * @property {Record<string, string | number | undefined>} question what asks for them
 * @property {State["nodes"]} nodes of the log that it is about
 * @property {Map<Id, {total: number, others: number, items: Id[], order: State["order"]}>} led by node, which children
 *   lead to a row: how many, how many do not, and the first
 * @property {Set<Id>} all nodes whose other children are drawn too
 * @property {Pick<State, "expanded" | "held" | "kept" | "shown" | "top">} began what was open before
 */

/** Whether a node is a hit of the query, and how many hits are below it. @typedef {{hit: boolean, below: number}} HitMark */

/** @typedef {"wrong" | "waste" | "odd"} Severity cannot be; correct but for nothing; legitimate in some engines */

/**
 * The findings of a check by one rule.
 * @typedef {object} Group
 * @property {string} rule
 * @property {Severity} severity
 * @property {number} count
 * @property {string} reason what must hold, in one line
 * @property {string} meaning the meaning of a breach, and where to look
 * @property {Id} first
 */

/**
 * How far the check of a log is, and once it is done, what it found; while one rule is asked last, what the others did.
 * @typedef {object} Report
 * @property {"none" | "running" | "done" | "failed"} state
 * @property {number} rows
 * @property {boolean} quick whether it takes less than a second
 * @property {number} [progress] 0…1 while it runs
 * @property {string} [phase]
 * @property {boolean} [compiling] whether the rules are compiled now, once on a machine
 * @property {string} [error]
 * @property {Record<Severity, number>} [counts]
 * @property {Group[]} [groups]
 * @property {number} [in_log] of a shared page: the findings of the log, of which `groups` count those inside
 * @property {{rule: string, needs: string[], nodes: number, why?: string}[]} [not_checked]
 * @property {{what: string, why: string}[]} [not_judged] what no rule looked at, by what would matter most
 * @property {{rule: string, reason: string}[]} [checked]
 * @property {boolean} [plain] whether machine code was missing, which is compiled meanwhile
 */

/** An interval as [low, high], a number, or words. @typedef {Score | null | string | [Score | null, Score | null]} Figure */

/**
 * One contradiction. `at` is its place among the findings of its rule and severity.
 * @typedef {object} Finding
 * @property {string} rule
 * @property {Severity} severity
 * @property {number} at
 * @property {Id} node
 * @property {string} path
 * @property {Figure} [expected]
 * @property {Figure} [found]
 * @property {string} message
 * @property {string} reproduce
 * @property {Id[]} involved
 */

/**
 * The findings of a node: the worst severity, their number, and the number below it.
 * @typedef {{severity?: Severity, count: number, below: number, worst_below?: Severity}} Mark
 */

/** A rule at one severity. @typedef {Pick<Group, "rule" | "severity">} Kind */

/**
 * The findings with a text: their number by kind, and the number of those whose messages were not read yet.
 * @typedef {{text: string, groups: (Kind & {count: number})[], unread: number}} Found
 */

/**
 * Something to tell the person, until closed; `act` is what can be done about it, by a press that closes it.
 * @typedef {{id: number, kind: "error" | "note", text: string, act?: {label: string, press: () => unknown}}} Notice
 */

/**
 * The progress of making a page that is one file; `says` is the text on what its readers can see.
 * @typedef {object} Made
 * @property {"none" | "running" | "done" | "failed" | "refused" | "cancelled"} state
 * @property {"checking" | "gathering"} [phase]
 * @property {number} [progress] 0…1 of the phase
 * @property {string[]} [says]
 * @property {string} [reason]
 */

/**
 * What was noted on the node that `path` leads to; one without a node in this log has no `id`.
 * @typedef {{id?: Id, path: string, text: string, colour: import("./fields.js").NoteColour, iteration?: number}} Note
 */

/**
 * The notice on the open log's file that the user closed: its key, and the key from the last list of logs.
 * @typedef {{mark: string, last: string}} Dismissed
 */

/**
 * A node that a replayed search is in.
 * @typedef {{id: Id, ply?: string, left: number, best?: Score, best_id?: Id, alpha?: Score, beta?: Score}} Open
 */

/**
 * One event of a replayed search: a node is entered or left.
 * @typedef {object} Moment
 * @property {number} event
 * @property {number} events how many there are
 * @property {number} row
 * @property {number} rows
 * @property {Id} node
 * @property {boolean} enters
 * @property {Open[]} stack from the root to that node
 * @property {number} [more] open nodes that were left out between them
 */

/** What the drawer below the tree shows. @typedef {(typeof import("./route.js").DRAWERS)[number]} DrawerTab */

/** @typedef {"fit" | "refit" | "show" | "centre" | "reveal"} AimKind */
/**
 * @typedef {{kind: AimKind, id: Id | null, ids?: Id[]}} Aim where the camera should go once the next layout is known;
 *   `ids`: what to reveal
 */

/** @typedef {WhatIf & {more_plies: number, intervals: Record<string, [Score, Score]>}} Reweighted intervals by id */

/**
 * How far the server is, and why a log cannot be re-weighed.
 * @typedef {{state: string, progress?: number, reason?: string}} WeightsState
 */

/**
 * A search of the same position with other weights: how far it is, or why there can be none.
 * @typedef {object} Again
 * @property {"none" | "refused" | "running" | "done" | "failed" | "cancelled"} state
 * @property {string} [reason]
 * @property {Record<string, number>} [weights] that it is made with
 * @property {"starting" | "searching" | "writing"} [phase]
 * @property {number} [depth]
 * @property {number} [nodes]
 * @property {number} [seconds]
 * @property {string | null} [ply] the best so far
 * @property {number | null} [score]
 * @property {string} [log] the new one, once it is done
 * @property {{depth: number, nodes?: number}} [asked]
 * @property {string[]} [notes] what cannot be as it was in the logged search
 */

/**
 * A search from the position of a node on, or the line of an agent by which one may be asked for.
 * @typedef {Pick<Again, "state" | "reason" | "phase" | "depth" | "nodes" | "seconds" | "ply" | "log"> &
 *   {agent?: string, playouts?: number, order?: string, says?: string}} SearchedOn
 */

/**
 * One ply of a pair.
 * @typedef {{id: Id, ply: string | null, path: string, score?: Score | null, bound?: "exact" | "lower" | "upper" |
 *   "unstated"}} PairedPly
 */
/** A piece of a sentence, with the node or the factor that it is about. @typedef {{text: string, node?: Id, factor?: string}} Segment */
/**
 * One part of a margin, and the ply at whose leaf it weighs more.
 * @typedef {{name: string, amount: number, kind: "factor" | "rest", end?: "chosen" | "rival" | null}} MarginPart
 */
/**
 * A ply of a pair whose exact worth the log does not state: how deep it can be searched, or why it cannot.
 * @typedef {{which: "chosen" | "rival", id: Id, ply: string | null, depth?: number, reason?: string}} Searchable
 */
/** Sentences in segments. @typedef {{kind: "worth" | "cause" | "caveat", segments: Segment[]}[]} Parts */
/**
 * How far an exact search is, and what it found.
 * @typedef {{state: "none" | "running" | "done" | "failed", nodes?: number, compiling?: boolean, writing?: boolean,
 *   error?: string, score?: Score, depth?: number, parts?: Parts}} ExactSearch
 */

/**
 * A ply of a best-first tree; what is unknown is left out. `better` is said as the mover sees it, both of the last beside the chosen ply.
 * @typedef {{id: Id, ply: string | null, visits?: number, share?: number, mean?: Score, interval?: [Score, Score],
 *   interval_by?: "wilson" | "stderr" | "range",
 *   ended?: [number, number, number], within_noise?: boolean, better?: boolean}} PlyMean
 */

/**
 * The plies of the node, in the order in which the search chooses.
 * @typedef {{choose: "visits" | "mean" | null, range: [Score, Score] | null, visits?: number, plies: PlyMean[], more_plies: number,
 *   shared: [Score, Score] | null, to_overtake: number | null, to_part: number | null}} Means
 */

/**
 * Why one ply and not another.
 * @typedef {object} Explanation
 * @property {PairedPly | null} chosen X
 * @property {PairedPly | null} rival Y
 * @property {{layer: Layer | null, name: string | null} | null} [mover] who moves where the two plies are; no name of the
 *   root player, whose view all figures have
 * @property {number | null} margin the score of X less that of Y; null where it cannot be split
 * @property {"exact" | "at_least" | "at_most" | "unknown" | "unstated"} margin_is
 * @property {MarginPart[]} split parts that add up to the margin
 * @property {{nodes: {id: Id, ply: string | null}[], leaf: Id, ends: string, note: string}[]} lines from X, and from Y, down to the leaf
 * @property {string[]} sentences
 * @property {Parts} parts the sentences in segments
 * @property {Means} [means] of two plies of a best-first tree
 * @property {{node: Id, mean: Score | null, count: number, outcomes: {id: Id, ply: string | null, prior?: number, worth?: Score}[]}} [outcomes]
 *   where chance moves: none of them is chosen, so there is no pair
 * @property {Searchable[]} exact those of the two whose exact worth the log does not state
 */

/**
 * The two lines of a pair while they are walked together.
 * @typedef {object} Lines
 * @property {AskedPair} pair as it was asked about
 * @property {Id[]} x from the ply down
 * @property {Id[]} y
 * @property {Map<Id, Drawing | null>} boards of nodes of both; null while it is fetched
 * @property {{expanded: Set<Id>, held: Set<Id>, kept: Set<Id>, shown: Map<Id, number>, top: Id | null, camera: Camera}}
 *   began the tree as it was before
 */

/** The pair that is asked about. @typedef {{node?: Id, versus?: Id, ply?: string}} AskedPair */

/**
 * Other weights than those of the log.
 * @typedef {object} Weights
 * @property {Record<string, number>} changed by name; none: the lens is off
 * @property {Reweighted | null} found what they make of the log, the last answer
 * @property {Reweighted | null} logged the same of the weights of the log
 * @property {Map<Id, [number, number]>} intervals of drawn nodes, while the lens is on
 * @property {WeightRange[] | null} ranges the closest first
 * @property {WeightsState | null} waits while there is no answer: how far it is, or why there is none
 * @property {string | null} factor that the chart is about
 * @property {Again | null} again a search with other weights; null until it is asked about
 */

/**
 * A row of one of two compared logs.
 * @typedef {{id: Id, score?: Score, bound?: Bound, outcome?: Outcome, depth?: number, count?: number, visits?: number,
 *   mean?: number, visited?: Visited}} ComparedRow
 */

/** A piece of a sentence; `at` is the node that it names. @typedef {{text: string, at?: Id}} SentencePart */

/**
 * Two logs compared.
 * @typedef {object} Compared
 * @property {{row: number, at: Id} | null} first where they part
 * @property {Id[]} old_pv the principal variation of the old log
 * @property {Record<string, number>} counts
 * @property {SentencePart[][]} parts of the sentences
 * @property {string[]} notes
 */

/**
 * A pixel of the time of the search: how many rows begin there, the event and the id of the first.
 * @typedef {[x: number, count: number, event: number, id: Id]} RailMark
 */

/**
 * What stands along the time of the search, reduced to pixels; null: not asked for.
 * @typedef {object} Rail
 * @property {number} width pixels that it has on the page; 0 where it is not there
 * @property {{total: number, width: number, events: number, lanes: Record<string, RailMark[]>} | null} hits of the query
 * @property {{total: number, width: number, events: number, lanes: Record<string, RailMark[]>} | null} findings by severity
 * @property {{total: number, width: number, events: number, lanes: Record<string, RailMark[]>} | null} stops of a run of the replay
 */

/**
 * A run of nodes in the order searched, or of visits, the last one not included; of levels the same share of each.
 * @typedef {{first: number, last: number}} Part
 */

/**
 * A part of the tree as an icicle. A band has runs of pixels, three numbers each: pixels, place in `ids` (-1: no node),
 * nodes there. One list of those below says how the nodes of `ids` are coloured.
 * @typedef {object} OverviewPicture
 * @property {number} first
 * @property {number} last
 * @property {number} nodes of the log
 * @property {"icicle" | "levels"} form
 * @property {number} length the whole width, in what is counted: a node begins after so much of it
 * @property {"nodes" | "visits"} unit what that is
 * @property {number} top level of the first band
 * @property {number} per_band levels in a band
 * @property {number} bottom
 * @property {number} width
 * @property {number[][]} bands
 * @property {Id[]} ids
 * @property {(string | null)[]} plies that led to them
 * @property {string} colour the one that was asked for
 * @property {string[]} [layers]
 * @property {string[]} [outcomes]
 * @property {(Score | null)[]} [scores]
 * @property {string[]} [bounds]
 * @property {(Score | null)[]} [means]
 * @property {ColourScale} [scale]
 * @property {unknown[]} [values]
 * @property {(number | null)[]} [places]
 */

/**
 * A pixel of the overview at which something is marked: how many nodes begin there, and the id of the first.
 * @typedef {[x: number, count: number, id: Id]} OverviewMark
 */

/**
 * @typedef {object} Overview
 * @property {"icicle" | "levels"} form widths of subtrees, or all nodes of a level equally wide
 * @property {Part | null} part what is shown of it; null: all
 * @property {number} width pixels that it has on the page; 0 where it is not there
 * @property {OverviewPicture | null} picture
 * @property {{lanes: Record<string, OverviewMark[]>} | null} hits of the query
 * @property {{lanes: Record<string, OverviewMark[]>} | null} findings by severity
 * @property {Map<Id, [begin: number, behind: number, level: number]>} places of the selected node and the principal
 *   variation, in what the picture counts
 */

/**
 * What a node has beside it in the other log: `old` where both have it, else `side` says which has it. `first` is the
 * row where the runs part.
 * @typedef {{kind: string, below: number, missing?: number, old?: ComparedRow, side?: "old" | "new", first?: number}} Beside
 */

/**
 * Another log beside the open one.
 * @typedef {object} Diff
 * @property {string | null} against id of the old log; null: the lens is off
 * @property {number | null} iteration of the old log whose tree is compared; null: its main root
 * @property {Compared | null} found
 * @property {(SearchState["began"] & Pick<State, "drawer" | "panels" | "table">) | null} began where one was before
 */

/**
 * The one state of the page.
 * @typedef {object} State
 * @property {Summary[]} logs
 * @property {string[]} folders names of the folders that are looked into for logs
 * @property {string | null} log id of the open log
 * @property {Opened | null} opened
 * @property {"empty" | "loading" | "ready" | "error"} phase
 * @property {string} message what `loading` waits for, or what went wrong
 * @property {number | null} progress 0…1 while a log is read
 * @property {TopSoFar | null} topSoFar what has come of the log that is read
 * @property {Notice[]} notices
 * @property {(Made & {log: string, name: string}) | null} sharing the page that is made of a log, or is there to be saved
 * @property {Dismissed | null} dismissed what is not told again of the open log's file
 * @property {Map<Id, TreeNode>} nodes grows in place; see `revision`
 * @property {Map<Id, Children>} children grows in place; FOREST holds the roots
 * @property {number} revision goes up whenever `nodes` or `children` change
 * @property {Set<Id>} expanded oldest first
 * @property {Set<Id>} held opened to stay: not folded to make room
 * @property {Set<Id>} kept children drawn whatever their score, since somebody went there
 * @property {Map<Id, number>} shown how many children an open node shows, where the person asked for more
 * @property {number} room how many children every other open node shows, as many as the free height holds; 0 before that is known
 * @property {"searched" | Ranking} order in which children stand, and which are shown before the others: the best ones, those
 *   searched first, those of the best pre-score; of a best-first tree those of the most visits or of the best mean
 * @property {number} least nodes that a subtree must have to be drawn, unless somebody asked for more children; 0: any
 * @property {Id | null} top the node the drawing starts at where the tree above is too deep to draw
 * @property {Id | null} selected
 * @property {Id | null} pinned the node that the details are held at on purpose; else they follow the selection
 * @property {{id: Id, data: Details | null, error?: string} | null} details what the panel shows
 * @property {{of: Id, mark: number | undefined, total: number, items: TreeNode[], paths: string[], error?: string} | null}
 *   transpositions the visits of the position of the node in the details, the first of them; `mark` is of a log that grows
 * @property {{id: Id, x: number, y: number, part?: "card" | "wedge" | "more"} | null} hovered x and y in pixels of the window
 * @property {Camera} camera
 * @property {Aim | null} aim
 * @property {{width: number, height: number}} size of the tree's part of the window, in pixels
 * @property {string} colour `layer`, `score`, `outcome`, else a field or an expression
 * @property {Colouring | null} colouring the scale and values of such a field or expression, as far as they are here
 * @property {Search | null} search
 * @property {Listing | null} table children or visits that are listed in place of the hits
 * @property {Only | null} only where only the rows of a table and the nodes above them are drawn
 * @property {Map<Id, HitMark>} hitMarks of nodes that are hits of the query, or have hits below
 * @property {Report | null} report of the check; null until the server was asked
 * @property {Kind | null} openGroup the group of findings that is unfolded
 * @property {{kind: Kind, offset: number, text: string, items: Finding[]} | null} findings the page of it that is
 *   listed, of those that hold the text
 * @property {Finding | null} finding the one that is looked at
 * @property {(Kind & {at: number}) | null} linked the finding that a link names, until it is shown
 * @property {{hidden: Severity[], text: string, found: Found | null}} findingFilter what is typed, and what was found for it last
 * @property {Map<Id, Mark>} marks of nodes with findings on or below them
 * @property {{id: Id, total: number, items: Finding[]} | null} ofNode findings of the node in the details
 * @property {Note[]} notes in the order of the log; those without a node come last
 * @property {{at: number, length: number}} visited place in the history of visited nodes
 * @property {"system" | "light" | "dark"} theme
 * @property {boolean} animate
 * @property {boolean} isFirst whether somebody is here for the first time, who is shown what to try
 * @property {readonly string[]} tried what was tried of that
 * @property {boolean} showPlies whether boards show the plies that were searched there
 * @property {boolean} showMeanings whether bars say what their factors count
 * @property {Record<string, Partial<Record<Layer | "plain", string[]>>>} labels which fields cards show that are not as
 *   usual, by layer; by the game that they were chosen for (layout/labels.js)
 * @property {boolean} showTies whether the selected node is tied to the drawn visits of its position
 * @property {{logs: boolean, details: boolean, check: boolean, weights: boolean, drawer: boolean, overview: boolean}}
 *   panels which are open; `check` and `weights` lie over the details, `drawer` below the tree is seen while it has
 *   something
 * @property {Moment | null} replay the event that the replay is at; null where the search is not replayed
 * @property {object} opening another object each time that a log is opened, also where it is the same log
 * @property {Live | null} live how far the open log is, where it is being written
 * @property {boolean} paused whether the page stays where it was, though more is written
 * @property {boolean} following whether the line that is searched is kept in view
 * @property {boolean} playing whether the replay goes on by itself
 * @property {string} stop where a run of it stops: `cut`, `best`, else an expression
 * @property {number} rate events a second at which it plays
 * @property {Rail} rail what stands along the time of the search
 * @property {Overview} overview the whole tree as one picture
 * @property {DrawerTab | null} drawer the tab of the drawer that was asked for; null: the rows, where there are any
 * @property {import("../views/statistics/actions.js").Figure | null} figure the part of the statistics that was asked for
 * @property {Id | null} iteration the root of the tree that the chart of iterations points at; null: that of the selected node
 * @property {string[]} lenses names of those that are on, the newest last
 * @property {Weights} weights other weights, and what they make of the log
 * @property {{asked: AskedPair, answer: Explanation | null, error?: string} | null} why the pair that is explained;
 *   null until it is asked about
 * @property {Lines | null} lines the two lines of the pair, while they are walked together
 * @property {Map<string, ExactSearch>} exact the searches of single plies that were begun, by pair and ply
 * @property {SearchedOn & {node: Id} | null} searchedOn the search from a node on that was asked about last
 * @property {Diff} diff another log beside the open one
 * @property {{left: number, right: number}} widths of the panels, in pixels
 * @property {null | "paste" | "help" | "mapping" | "board" | "labels" | "compare"} dialog
 * @property {number} pending requests under way
 */

/** Names the roots' parent in State.children: it is never drawn. */
export const FOREST = -1;
