// @ts-check
/**
 * The shapes of answers of the server, from the dataclasses in visualizer/analysis:
 * `python -m plyscope.visualizer.analysis.answer_files` writes this file.
 */

/** @import { Score } from "./fields.js" */
/** @import { Id } from "./types.js" */

/**
 * The figures of a match, its players in the order in which they were named.
 * @typedef {object} Standings
 * @property {Record<string, any>} match
 * @property {number} games
 * @property {MatchPlayer[]} agents
 * @property {string[]} order The strongest first.
 * @property {string[][]} cycles Players of whom each beats the next by more than chance, and the last the first.
 * @property {Record<string, number>} endings The number of games that ended each way: over, length, adjudicated, resigned, fault.
 * @property {Fault[]} faults
 * @property {string[]} faults_in_words The part of the result that rests on them, then the most frequent.
 * @property {string[]} warnings
 * @property {SequentialTest} [test]
 */

/**
 * The figures of one log. `str()` is what `plyscope stats` prints, `as_json()` what `--json` gives.
 * @typedef {object} Statistics
 * @property {number} rows Nodes and stubs.
 * @property {number} nodes
 * @property {number} leaves
 * @property {number} returned Leaves above the horizon: quiescence or pruning returned there before any ply was searched.
 * @property {number} cuts
 * @property {number} prune_events
 * @property {number} pruned
 * @property {number} limited
 * @property {number} uncounted_pruned Prune events that do not say how many plies they cut off; `pruned` leaves these out.
 * @property {number} uncounted_limited The same of the branching limit, for `limited`.
 * @property {number} searched Nodes that the search visited, with and without rows; `nodes` are those with rows. A row that states `nodes` stands for so many, where it has no more rows below it.
 * @property {number} unknown_searched `unlogged` stubs that state no `nodes`, of which no row above does: `searched` leaves them out.
 * @property {Level[]} levels Nodes, leaves, cuts and branching at each distance from the root.
 * @property {number} [more_levels] How many of `levels` were left out.
 * @property {boolean} best_first Whether it is a best-first search, which has no windows and cuts.
 * @property {Extremes} extremes The nodes at which the most happened: plies pruned, scores far from pre-scores, effort lost.
 * @property {Order | null} order At which ply cuts came, what the plies before cost, where the best ply stood by pre-score.
 * @property {Limits | null} limits Smaller branching limits: whether each would have kept the choice, changed it or leaves it open.
 * @property {Pair[]} counters The techniques of the search: how often each was tried, and how often it succeeded.
 * @property {Table | null} table Nodes with an entry of the transposition table, by its use; null where the log states no `tt`.
 * @property {Where} where The distribution of nodes and time: by ply of the root, by purpose, in quiescence.
 * @property {Iteration[]} iterations Every tree of the log: depth, nodes, score, best ply, growth.
 * @property {number} [more_iterations] How many of `iterations` were left out.
 * @property {Quotient | null} quotient The ranks that the randomness quotient may play; null for a log without one.
 * @property {Visited | null} visited Of a best-first tree: visits by level, how concentrated they are, and which ply led when.
 * @property {Lack[]} missing Figures that are not given, or not of all nodes, each with the field that the log lacks.
 */

/**
 * One node, found by its path of plies, in one tree of the log; `id` is null where the tree lacks it.
 * @typedef {object} NodeIteration
 * @property {Id} root
 * @property {number | null} iteration
 * @property {number} attempt
 * @property {Id | null} id
 * @property {Score | null} score
 * @property {number | null} mean
 * @property {string} bound
 * @property {string} outcome
 * @property {number | null} depth
 * @property {number | null} nodes
 * @property {(string | null)[]} pv The plies of the line that decided its score.
 * @property {Id[]} pv_ids
 */

/**
 * A search under other weights; see `what_if`. `str` of it is what the command prints.
 * @typedef {object} WhatIf
 * @property {Record<string, number>} weights Every weight that can be changed, as it is here.
 * @property {Record<string, number>} changed Those that are not as logged.
 * @property {Record<string, number | null>} logged The weights of the log; null where it does not state one.
 * @property {Record<string, string>} fixed By name, why a weight cannot change.
 * @property {NamedPly} first The ply that is worth most at least.
 * @property {ChosenPly} choice
 * @property {boolean} certain Whether no other ply can be worth more than the first, whatever was not searched.
 * @property {boolean} tie Whether the first is certain, and another ply may be worth exactly as much.
 * @property {Unsearched} depends_on
 * @property {ReweightedPly[]} plies The plies of the root: the first, then the others, those that can reach most first.
 * @property {number} [more_plies] How many of `plies` were left out.
 * @property {Leaves} leaves
 * @property {string} sentence
 * @property {Piece[]} parts The sentence in pieces.
 */

/**
 * The range of each weight, the others as logged.
 * @typedef {object} WeightRanges
 * @property {ChosenPly} choice
 * @property {string} sentence
 * @property {string} leaves
 * @property {WeightRange[]} ranges First that which flips the choice by the least share of itself.
 * @property {Record<string, string>} fixed By name, why a weight cannot change.
 */

/**
 * The plies of the root between two weights of a factor.
 * @typedef {object} WeightCurve
 * @property {string} name
 * @property {number} weight
 * @property {number} from
 * @property {number} to
 * @property {PlyCurve[]} plies
 * @property {number} more_plies
 */

/**
 * The totals of a log, the same as `plyscope stats` prints; `levels` has those of each level.
 * @typedef {object} Totals
 * @property {number} rows Nodes and stubs.
 * @property {number} nodes
 * @property {number} leaves
 * @property {number} returned Leaves above the horizon: quiescence or pruning returned there before any ply was searched.
 * @property {number} cuts
 * @property {number} prune_events
 * @property {number} pruned
 * @property {number} limited
 * @property {number} uncounted_pruned Prune events that do not say how many plies they cut off; `pruned` leaves these out.
 * @property {number} uncounted_limited The same of the branching limit, for `limited`.
 * @property {number} searched Nodes that the search visited, with and without rows; `nodes` are those with rows. A row that states `nodes` stands for so many, where it has no more rows below it.
 * @property {number} unknown_searched `unlogged` stubs that state no `nodes`, of which no row above does: `searched` leaves them out.
 * @property {LevelCounts[]} levels From the root down.
 * @property {number} [more_levels] How many of `levels` were left out.
 */

/**
 * A player's result in a match: its games, its share of the points, and its rating.
 * @typedef {object} MatchPlayer
 * @property {string} name
 * @property {number} won
 * @property {number} drawn
 * @property {number} lost
 * @property {Score} share Points of each game, a win 1 and a draw 0.5; NaN where none was played.
 * @property {[number, number]} share_of_95 Wilson's interval of 95 %.
 * @property {number} elo The likeliest rating; the mean of all players is 1500.
 * @property {[Score, Score]} elo_of_95 Wald's interval of 95 %, with an infinite end where the games set none.
 * @property {number} elo_in_sequence
 * @property {number} spread_of_sequences
 * @property {number | null} plies_of_a_win The mean length of the games that it won by the rules; null where there are none.
 * @property {Record<string, Points>} against By the name of another player.
 */

/**
 * Games won, drawn and lost.
 * @typedef {object} Points
 * @property {number} won
 * @property {number} drawn
 * @property {number} lost
 * @property {Score} share Points of each game, a win 1 and a draw 0.5; NaN where none was played.
 * @property {[number, number]} share_of_95 Wilson's interval of 95 %.
 */

/**
 * A fault by which an agent lost games.
 * @typedef {object} Fault
 * @property {string} agent
 * @property {string} fault
 * @property {number} games
 */

/**
 * A test in sequence of whether the first player is better; `ratio` is the log-likelihood ratio.
 * @typedef {object} SequentialTest
 * @property {number | null} better
 * @property {"better" | "not better" | "go on"} says
 * @property {number} ratio
 * @property {number} low
 * @property {number} high
 */

/**
 * The nodes at one distance from the root, over all trees of the log.
 * @typedef {object} Level
 * @property {number} level The distance from the root.
 * @property {number} nodes
 * @property {number} leaves
 * @property {number} returned Leaves above the horizon: quiescence or pruning returned there before any ply was searched.
 * @property {number} cuts
 * @property {number} prune_events
 * @property {number} pruned
 * @property {number} limited
 * @property {number} uncounted_pruned Prune events that do not say how many plies they cut off; `pruned` leaves these out.
 * @property {number} uncounted_limited The same of the branching limit, for `limited`.
 * @property {number} quiescence Nodes in the quiescence search.
 * @property {number} expanded Nodes with at least one row below them.
 * @property {number} children Nodes one level below: visits, so a re-search counts again.
 * @property {number} siblings Plies that stubs one level below stand for, by their counts.
 * @property {number} uncounted_siblings Stubs one level below without a count; `siblings` leaves their plies out.
 * @property {number | null} visits In a best-first tree the sum of the nodes' visits; null where none is stated.
 * @property {number | null} branching Children a node that was expanded.
 * @property {number | null} branching_with_stubs Children, and plies that stubs stand for, a node that was expanded; null beside uncounted ones.
 * @property {number | null} effective_branching Nodes one level below, a node of this level; leaves and cut nodes divide as well.
 */

/**
 * The nodes at which the most happened, those with the most first; equal ones as they were searched.
 * @typedef {object} Extremes
 * @property {PrunedAt[]} pruned
 * @property {ApartAt[]} apart
 * @property {SpentAt[]} spent
 * @property {number} most_pruned_at Nodes at which as many plies were pruned as at the first of `pruned`.
 * @property {number} apart_asked Nodes whose difference is known, or known to be at least so much.
 * @property {number} ended Nodes left out of `apart`, whose score stands for a won or lost game.
 */

/**
 * A node at which alpha-beta pruned plies.
 * @typedef {object} PrunedAt
 * @property {Id} id
 * @property {string} path
 * @property {number} level
 * @property {number | null} iteration Of the tree that it stands in; null where that is the main tree, or the log numbers none.
 * @property {number} pruned Plies, by the counts of its stubs; those without a count are left out.
 */

/**
 * A node whose pre-score and score differ.
 * @typedef {object} ApartAt
 * @property {Id} id
 * @property {string} path
 * @property {number} level
 * @property {number | null} iteration Of the tree that it stands in; null where that is the main tree, or the log numbers none.
 * @property {number} pre_score
 * @property {number} score
 * @property {string} bound Of the score; of a bound, `apart` is what they differ by at least.
 * @property {number} apart
 */

/**
 * A node that was cut off by a child, and what was spent there before.
 * @typedef {object} SpentAt
 * @property {Id} id
 * @property {string} path
 * @property {number} level
 * @property {number | null} iteration Of the tree that it stands in; null where that is the main tree, or the log numbers none.
 * @property {number} spent Nodes in its plies before the one that cut.
 * @property {number | null} cut_at The number of the ply that cut, from 1; null where plies have no row.
 */

/**
 * The quality of move ordering: at which ply cuts came, what came before, where the best ply stood.
 * @typedef {object} Order
 * @property {number} cuts Nodes that were cut off.
 * @property {number} by_child
 * @property {number} by_stand_pat
 * @property {number} by_null
 * @property {number} by_estimate
 * @property {number} by_unknown Cuts that do not say what cut, and below which no ply stands that could have.
 * @property {number[]} at_ply Cuts by a child at the first counted ply, the second, … as far as they are listed.
 * @property {number} at_later_ply
 * @property {number} at_unknown_ply Cuts by a child below which plies have no row (`unlogged`).
 * @property {number} cost Nodes spent in plies before the one that cut, each node once however such plies lie in one another.
 * @property {number[]} best_rank Searched nodes with an exact score whose best ply had 0, 1, … plies of strictly better pre_score.
 * @property {number} best_rank_later
 * @property {number} best_asked Searched nodes with an exact score and a best ply.
 * @property {Id[][]} at_ply_ids For each entry of `at_ply`, and then the later ones, the ids of the first such nodes.
 * @property {Id[][]} best_rank_ids The same of `best_rank`.
 * @property {number | null} first_share Share of the cuts by a child, whose ply is known, that came at the first ply.
 */

/**
 * The smaller limits of the main root's tree.
 * @typedef {object} Limits
 * @property {number | null} today The limit of the search; null where it declares none.
 * @property {string | null} ply The choice that would be kept or changed.
 * @property {Limit[]} each
 * @property {number} left_out Smaller limits that were not tried, since there are too many of them.
 * @property {string[]} rests_on Techniques of this search that are taken to do with a smaller limit what they did here.
 */

/**
 * A smaller branching limit: would the root have chosen the same, and how many nodes would go.
 * @typedef {object} Limit
 * @property {number} limit
 * @property {"kept" | "changed" | "unknown"} decision
 * @property {number} saved Nodes below plies that this limit surely drops, in the tree of the main root.
 * @property {number} saved_at_most The same with plies of which it cannot be told whether they would be dropped.
 */

/**
 * The tries and successes of a technique; `nodes` were spent in what was tried.
 * @typedef {object} Pair
 * @property {string} name
 * @property {number} tried
 * @property {number | null} succeeded
 * @property {number | null} nodes
 * @property {string} tried_is What counts as a try, in words.
 * @property {string} succeeded_is
 */

/**
 * Nodes at which an entry of the transposition table was found, by what it did.
 * @typedef {object} Table
 * @property {number} found
 * @property {number} cut
 * @property {number} narrow
 * @property {number} order
 */

/**
 * The nodes and the time of a search, by ply of the root and by purpose.
 * @typedef {object} Where
 * @property {number} nodes
 * @property {number} quiescence Nodes in the quiescence search.
 * @property {Purpose[]} purposes
 * @property {RootPly[]} root_plies Of the main root, the most nodes first.
 * @property {number} [more_root_plies] How many of `root_plies` were left out.
 */

/**
 * Visits of one purpose, and the nodes in their subtrees, each once; '' where unstated.
 * @typedef {object} Purpose
 * @property {string} purpose
 * @property {number} visits
 * @property {number} nodes Nodes of that very purpose or below such a visit.
 * @property {number | null} seconds Time below the outermost of these visits, of those that state it; null where none does.
 */

/**
 * The effort below one ply of the main root, all its visits together.
 * @typedef {object} RootPly
 * @property {string | null} ply
 * @property {Id} id The id of its last visit.
 * @property {number} visits
 * @property {number} nodes
 * @property {number} share Of all nodes below the main root.
 * @property {number} pruned Plies that alpha-beta pruned below it, by the counts of stubs.
 * @property {number | null} seconds
 * @property {number | null} playouts In a best-first tree, the visits that the ply states.
 */

/**
 * One tree of the log: an iteration, or another window of the same.
 * @typedef {object} Iteration
 * @property {Id} id The id of its root.
 * @property {number | null} iteration
 * @property {number} attempt The place among the trees of its iteration, from 1.
 * @property {number | null} depth
 * @property {number} nodes
 * @property {number | null} seconds
 * @property {Score | null} score
 * @property {number | null} mean Of a best-first tree, whose nodes have means in place of scores.
 * @property {string} bound `exact`, `lower`, `upper`, or '' where unstated.
 * @property {string} outcome
 * @property {string | null} ply The first ply of `pv`.
 * @property {(string | null)[]} pv
 * @property {Id[]} pv_ids The nodes of `pv`.
 * @property {number | null} growth Nodes of this iteration, all attempts, a node of the one before; the effective branching factor.
 * @property {number | null} uniform_branching The b of a uniform tree as deep and as large: Σ b^i = N, over nodes that are not in quiescence.
 */

/**
 * The ranks that the randomness quotient may play at the main root.
 * @typedef {object} Quotient
 * @property {number} quotient
 * @property {number | null} rank The rank that was drawn.
 * @property {number} n_plies
 * @property {RankBar[]} bars
 * @property {number} rest Probability of the ranks that are not listed.
 * @property {number} loss_low The expected loss against the best ply, at least: each rank's probability times its cost.
 * @property {number | null} loss_high The expected loss at most; null where a cost that counts has no bound.
 */

/**
 * The ply of one rank: how likely it is played, and what it would cost, between two bounds.
 * @typedef {object} RankBar
 * @property {number} rank
 * @property {number} probability
 * @property {string | null} ply The ply that surely has this rank; null where bounds leave it open, or several are equal.
 * @property {number | null} cost_low Score given up against the best ply at least; null where nothing is known.
 * @property {number | null} cost_high At most; null where there is no bound.
 * @property {number | null} score_low The score of the ply of this rank, to the log's root player, is at least this; null without a bound.
 * @property {number | null} score_high At most.
 * @property {Id | null} id The node of `ply`.
 * @property {boolean} exact Whether the cost is known.
 */

/**
 * A best-first tree by its visits; the main tree alone, since the others are earlier snapshots of it.
 * @typedef {object} Visited
 * @property {number | null} playouts Visits of the root; null where it states none.
 * @property {number} nodes Visited nodes that have a row.
 * @property {number} deepest The level of the deepest of them.
 * @property {number | null} first_share Of the visits of the root's plies, those of the most visited one; null where there are none.
 * @property {number | null} effective_plies Equally visited plies that would be as concentrated: 1 / the sum of squared shares (Simpson's).
 * @property {Snapshot[]} snapshots Which ply led after how many play-outs, where the log has several trees.
 * @property {VisitedLevel[]} levels
 * @property {number} [more_levels] How many of `levels` were left out.
 */

/**
 * The tree as it was after `playouts` visits of its root.
 * @typedef {object} Snapshot
 * @property {Id} id Of its root.
 * @property {number | null} iteration
 * @property {number} playouts
 * @property {Id} leader The id of the ply that the search would have chosen then.
 * @property {string | null} ply
 * @property {number} visits
 * @property {number | null} mean
 */

/**
 * The visited nodes of the main tree at one distance from its root.
 * @typedef {object} VisitedLevel
 * @property {number} level
 * @property {number} nodes Nodes with a row and at least one visit.
 * @property {number} visits Theirs together, with those that stubs at this level state.
 * @property {number} expanded Those of them with a visited child, which may stand in a stub.
 * @property {number} children Visited nodes one level below, without those in stubs.
 * @property {number | null} branching Visited children a node that has any; those in stubs are not counted, so it is at least so much.
 */

/**
 * A figure that is not given, or not of all nodes, and why; `figure` is a name such as `order.best`.
 * @typedef {object} Lack
 * @property {string} figure
 * @property {string} says
 */

/**
 * A ply of the root, as its last visit.
 * @typedef {object} NamedPly
 * @property {Id} id
 * @property {string | null} ply
 */

/**
 * The ply that the search chose; of a drawn one, the best as logged.
 * @typedef {object} ChosenPly
 * @property {Id} id
 * @property {string | null} ply
 * @property {"certain" | "depends" | "falls"} state It is `certain`, it `depends` on unsearched plies, or it `falls`.
 * @property {boolean} drawn
 */

/**
 * The plies that could still change the worth of the first ply, or of one that could overtake it.
 * @typedef {object} Unsearched
 * @property {number} plies Plies that stubs stand for, and stopped nodes; 0 where the first ply is certain.
 * @property {boolean} at_least Whether there may be more: a stub that does not say how many plies it stands for.
 * @property {number} unknown Nodes whose worth the log does not state, such as table rows whose source is not in it.
 * @property {number} rivals Plies of the root that could overtake the first.
 * @property {number} without_rows Plies of the root among `plies` that have no row.
 */

/**
 * A ply of the root under other weights: it is worth from `low` to `high`, seen from the root player.
 * @typedef {object} ReweightedPly
 * @property {Id} id
 * @property {string | null} ply
 * @property {Score} low -inf where it is not known.
 * @property {Score} high
 * @property {"first" | "could overtake" | "ruled out"} place `first` for what is worth most at least, `could overtake` for what may be worth more, `ruled out`.
 */

/**
 * The rows that were weighed anew, and those that keep their worth.
 * @typedef {object} Leaves
 * @property {number} all
 * @property {number} moved
 * @property {number} stand_pats
 * @property {number} endings
 * @property {string} words
 */

/**
 * A piece of a sentence, and the node that it names.
 * @typedef {object} Piece
 * @property {string} text
 * @property {Id | null} id
 * @property {boolean} strong
 */

/**
 * The range of one weight, the others as logged: where the choice stands, depends or falls.
 * @typedef {object} WeightRange
 * @property {string} name
 * @property {number} weight As logged.
 * @property {"certain" | "depends" | "falls"} state The choice as logged: `certain`, `depends` (on unsearched plies) or `falls`.
 * @property {[Score, Score] | null} stands Between these weights the choice certainly stands; null where it does not as logged.
 * @property {[Score, Score] | null} holds Just beyond these weights it certainly falls; infinite where that never happens.
 * @property {Score} flips_at The least change of the weight after which the choice no longer certainly stands.
 * @property {Score} share That change as a share of the weight.
 * @property {string} takes That share as it is read: `−25 %`, `never`, `open`.
 * @property {string} certain `stands` as it is read, in three digits and rounded into it: `13.5 to 26.5`, `any weight`; or empty.
 * @property {string} words
 * @property {([Score, Score, "certain" | "depends" | "falls"])[]} segments All weights from -inf to inf: from, to, state; at most the 100 stretches nearest to the logged one.
 * @property {boolean} is_cut
 */

/**
 * The least and the most of a ply of the root against one weight: straight from corner to corner.
 * @typedef {object} PlyCurve
 * @property {Id} id
 * @property {string | null} ply
 * @property {[number, Score][]} low [weight, score]; a corner where it jumps stands twice.
 * @property {[number, Score][]} high
 * @property {boolean} thinned Whether corners were left out.
 */

/**
 * The counts of one level.
 * @typedef {object} LevelCounts
 * @property {number} level The distance from the root.
 * @property {number} nodes
 * @property {number} leaves
 * @property {number} returned Leaves above the horizon: quiescence or pruning returned there before any ply was searched.
 * @property {number} cuts
 * @property {number} prune_events
 * @property {number} pruned
 * @property {number} limited
 * @property {number} uncounted_pruned Prune events that do not say how many plies they cut off; `pruned` leaves these out.
 * @property {number} uncounted_limited The same of the branching limit, for `limited`.
 */

export {};
