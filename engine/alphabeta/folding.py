"""Backing up: the score of a child just left leads to a re-search in its parent, a new best, or a cut.

When the parent itself is left, the table and the orderings remember it.
"""

from __future__ import annotations

from typing import Any

from plyscope.engine.alphabeta.counters import IID, LMR, NULL_MOVE, SCOUTS, SUCCEEDED, TRIED
from plyscope.engine.alphabeta.ordering import move_up, reward
from plyscope.engine.alphabeta.proof import fold_proof
from plyscope.engine.alphabeta.sides import better_of, cutting_edge, improved, is_as_good, is_better, own_edge
from plyscope.engine.alphabeta.stack import PLAYING, REDUCED_BEAT, SCOUT_BEAT, UNPLAYED, Stack
from plyscope.engine.alphabeta.table import NOT_IN_LOG, store
from plyscope.engine.game import Array
from plyscope.engine.jit import is_plain, kernel
from plyscope.engine.record.memory import Memory
from plyscope.engine.record.rows import CUT_BY_CHILD, CUT_BY_ESTIMATE, CUT_BY_NULL, NULL, PROBE, SCOUT


@kernel
def fold(option: Any, stack: Stack, counts: Array, level: int, score: float) -> None:
    """Take the score of the child just left into its parent at `level`: a re-search, a new best, a cut."""
    frame = stack.frames[level]
    maximizes = frame["maximizes"]
    purpose = frame["child_purpose"]
    # A pass is no ply of the node, and a probe no search of this depth: neither says what a ply is worth.
    if purpose == NULL:
        counts[0]["n_notes"] = frame["child_note"]
        fold_pass(option, stack, counts, frame, score)
        return
    if purpose == PROBE:
        counts[0]["n_notes"] = frame["child_note"]
        fold_probe(option, stack, frame, level, score)
        return
    to_beat = better_of(maximizes, own_edge(frame), frame["edge"])
    # A late ply that beats the window at less depth is searched again at full depth. This is asked before
    # the scout: what a reduced scout found is of less depth, even where it lies beyond the node's window.
    if frame["child_reduction"] > 0:
        stack.counters[LMR, TRIED] += 1
        if is_better(maximizes, score, to_beat):
            stack.counters[SCOUTS, TRIED] += purpose == SCOUT
            frame["retries"] = REDUCED_BEAT
            counts[0]["n_notes"] = frame["child_note"]
            return
        stack.counters[LMR, SUCCEEDED] += 1
    # A scout that beats its window but not the node's is searched again. Beyond the node's window its lower
    # bound is enough: the node is cut whatever the ply is worth.
    if purpose == SCOUT:
        stack.counters[SCOUTS, TRIED] += 1
        scout_edge = improved(maximizes, to_beat, option["null_width"])
        if is_as_good(maximizes, score, scout_edge) and is_better(maximizes, cutting_edge(frame), score):
            frame["retries"] = SCOUT_BEAT
            frame["scout_score"] = score
            counts[0]["n_notes"] = frame["child_note"]
            return
        stack.counters[SCOUTS, SUCCEEDED] += 1
    if level == 0:
        rank(frame, stack, counts, score)
    if option["proves"]:
        fold_proof(option, stack, counts, level, score)  # before the best changes, with which it compares
    slot = stack.order[level, frame["next"]]
    frame["retries"] = 0
    frame["next"] += 1
    if is_better(maximizes, score, frame["best"]):
        frame["best"] = score
        frame["best_slot"] = slot
    # An edge that a table entry has moved inwards cuts too: the entry bounds this very position, so a score
    # that reaches it is exact within the window on entry, as `bound_of` finds.
    frame["is_cut"] = option["prunes"] and is_as_good(maximizes, score, cutting_edge(frame))
    if frame["is_cut"]:
        frame["cut_by"] = CUT_BY_CHILD
    if level > 0:  # at the root `rank` moves the edge, so that as many plies as are asked for are exact
        frame["edge"] = frame["best"]


@kernel
def fold_pass(option: Any, stack: Stack, counts: Array, frame: Any, score: float) -> None:
    """Handing over the move was good enough: a cut, though never a proven win. Otherwise the plies follow.

    The edges are those of entry: the pass was searched for them, and nothing of it is exact between a table
    entry's edge and theirs.
    """
    maximizes = frame["maximizes"]
    edge = frame["entry_beta"] if maximizes else frame["entry_alpha"]
    frame["phase"] = UNPLAYED
    stack.counters[NULL_MOVE, TRIED] += 1
    if is_as_good(maximizes, score, edge):
        stack.counters[NULL_MOVE, SUCCEEDED] += 1
        counts[0]["at_horizon"] += 1
        # A win after a pass is none: the passed search is shallower and the pass no ply. Its distance would
        # be believed as a mate's, so the node claims no more than the edge.
        frame["best"] = score if abs(score) < option["mate_threshold"] else edge
        frame["is_cut"] = True
        frame["cut_by"] = CUT_BY_NULL


@kernel
def fold_probe(option: Any, stack: Stack, frame: Any, level: int, score: float) -> None:
    """Take a probe's score; after the last of them, or one that would cut, the best is put first."""
    maximizes = frame["maximizes"]
    if is_better(maximizes, score, frame["probe_best"]):
        frame["probe_best"] = score
        frame["probe_place"] = frame["probe"]
    frame["probe"] += 1
    reaches = option["prunes"] and is_as_good(maximizes, score, cutting_edge(frame))
    if reaches or frame["probe"] == frame["n_kept"]:
        move_up(stack.order[level], frame["probe_place"], 0)
        frame["placed"] = stack.order[level, 0]
        frame["placed_by"] = IID
        frame["phase"] = PLAYING


@kernel
def rank(frame: Any, stack: Stack, counts: Array, score: float) -> None:
    """Insert the root's ply just searched into the best so far, which only have exact scores.

    Once there are as many as asked for, the root's edge is the worst of them, so every further ply that beats
    it is exact too: a ranking by the scores of an ordinary search would compare bounds. The root maximizes,
    since its mover is the root player.
    """
    if not max(frame["alpha"], frame["edge"]) < score < frame["beta"]:
        return
    ranked = stack.ranked
    place = counts[0]["n_ranked"]
    if place == len(ranked):
        place -= 1
    else:
        counts[0]["n_ranked"] = place + 1
    while place > 0 and score > ranked[place - 1]["score"]:
        ranked[place]["score"] = ranked[place - 1]["score"]
        ranked[place]["ply"] = ranked[place - 1]["ply"]
        ranked[place]["proven"] = ranked[place - 1]["proven"]
        place -= 1
    ranked[place]["score"] = score
    ranked[place]["proven"] = counts[0]["proven"]
    ranked[place]["ply"] = stack.plies[0, stack.order[0, frame["next"]]]
    if is_plain():
        for better in range(counts[0]["n_ranked"] - 1):
            assert not ranked[better]["score"] < ranked[better + 1]["score"]
    if counts[0]["n_ranked"] == len(ranked):
        frame["edge"] = ranked[len(ranked) - 1]["score"]


@kernel
def take_leave(
    option: Any, stack: Stack, counts: Array, memory: Memory | None, level: int, score: float, bound: int
) -> None:
    """Store the results of the visit at `level`: its score in the table, killers, history, counters."""
    frame = stack.frames[level]
    slot = frame["best_slot"]
    ply = stack.plies[level, slot] if slot >= 0 else -1
    # An estimate is no search of this depth, which an entry would claim.
    if option["uses_table"] and frame["cut_by"] != CUT_BY_ESTIMATE:
        # After a fail-low all scores are bounds on the wrong side, so the largest says nothing, and the ply
        # of an earlier entry stays.
        fails_low = is_as_good(frame["maximizes"], own_edge(frame), frame["best"])
        row = frame["row"] if memory is not None else NOT_IN_LOG
        stored = -1 if fails_low else ply
        proven = counts[0]["proven"]
        store(stack.table, option, frame["key"], level, frame["depth"], score, bound, stored, row, proven)
    if frame["phase"] != PLAYING or frame["n_kept"] == 0:
        return
    if frame["placed_by"] >= 0:
        is_best = slot >= 0 and slot == frame["placed"]
        is_good = is_best and (frame["is_cut"] or frame["placed_by"] == IID)
        stack.counters[frame["placed_by"], SUCCEEDED] += is_good
    if frame["cut_by"] == CUT_BY_CHILD and (option["killers"] or option["history"]):
        mover = 0 if frame["maximizes"] else 1
        reward(option, stack, level, mover, ply, frame["depth"])
