"""The search: alpha-beta, iterative and resumable, one source for compiled and for plain games.

`search` walks one tree depth first with an explicit stack and can return after any step: when its node
budget is spent, when the rows run out, when a plain game needs wider buffers. Called again, it goes on.
Compiled, it is specialised for the game and for whether it records (`memory` is None or not); every option
is a run-time value. Scores, windows and bounds are seen from the root player throughout: `max` layers are
where that player moves, whatever the level, so passes and double moves need nothing special.

It is longer than 300 lines because the steps of a search are one thing to read.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from plyscope.engine.alphabeta.counters import (
    IID,
    LMR,
    NULL_MOVE,
    SCOUTS,
    SUCCEEDED,
    TRIED,
)
from plyscope.engine.alphabeta.ordering import move_up, reward
from plyscope.engine.alphabeta.proof import fold_proof, leave_proof
from plyscope.engine.alphabeta.stack import (
    NOT_BEGUN,
    PLAYING,
    PROBING,
    REDUCED_BEAT,
    SCOUT_BEAT,
    UNPLAYED,
    Stack,
)
from plyscope.engine.alphabeta.table import store
from plyscope.engine.alphabeta.visit import GOES_ON, LEFT, bound_of, enter, expand, worth
from plyscope.engine.alphabeta.writing import write_end, write_stub
from plyscope.engine.game import Array
from plyscope.engine.games.stepping import copy_state, seat
from plyscope.engine.jit import is_plain, kernel
from plyscope.engine.record.memory import Memory
from plyscope.engine.record.rows import (
    CUT_BY_CHILD,
    CUT_BY_ESTIMATE,
    CUT_BY_NULL,
    CUTOFF,
    EXACT,
    FULL,
    LIMITED,
    LOWER,
    NULL,
    NULL_PLY,
    PROBE,
    PRUNED,
    RESEARCH,
    ROWS_A_VISIT,
    SCOUT,
    SEARCHED,
    UPPER,
)

# Why `search` returned; `visit` adds that buffers are too narrow, or that a game contradicts itself.
FINISHED: Final = 0
BUDGET_SPENT: Final = 1
ROWS_FULL: Final = 2

INFINITY: Final = np.inf

LEAST_REDUCED_DEPTH: Final = 3
"""Late plies of nodes nearer to the horizon are not reduced."""


@kernel
def search(
    game: Any, options: Array, stack: Stack, counts: Array, memory: Memory | None, node_budget: int
) -> int:
    """Go on with the search in `stack` until it is finished or has visited `node_budget` nodes in all.

    Returns why it came back. `counts[0]` tells where it is; the root's score and the plies that may be chosen
    are in `counts[0]["score"]` and `stack.ranked`.
    """
    option = options[0]
    level = counts[0]["level"]

    # Step 1. Enter the root.
    if level == NOT_BEGUN:
        number = counts[0]["n_rows"]
        state = stack.states[0, 0]
        status = game.status(state)
        score = worth(game, state, status, option, stack, 0)
        if memory is not None:
            if len(memory.rows) - number < ROWS_A_VISIT or lacks_hits(option, counts, memory):
                return ROWS_FULL
            for factor in range(len(stack.weights)):
                memory.factors[number, factor] = stack.values[factor]
        alpha = option["alpha"]
        beta = option["beta"]
        assert alpha < beta
        came_to, score = enter(
            game,
            option,
            stack,
            counts,
            memory,
            0,
            0,
            status,
            option["depth"],
            score,
            FULL,
            0,
            alpha,
            beta,
            -1,
            -1,
            number,
        )
        if came_to > 0:
            return came_to
        counts[0]["nodes"] += 1
        counts[0]["n_rows"] += 1
        counts[0]["n_ranked"] = 0
        if came_to == LEFT:
            counts[0]["score"] = score
            return FINISHED
        level = 0

    n_rows = counts[0]["n_rows"]
    n_stub_plies = counts[0]["n_stub_plies"]
    nodes = counts[0]["nodes"]
    reason = FINISHED
    while level >= 0:
        frame = stack.frames[level]

        # Step 2. Return in the middle, before anything is written that there is no room for.
        if memory is not None and (
            len(memory.rows) - n_rows < ROWS_A_VISIT
            or len(memory.stub_plies) - n_stub_plies < frame["n_moves"]
            or lacks_hits(option, counts, memory)
        ):
            reason = ROWS_FULL
            break

        place = frame["next"]
        if frame["is_cut"] or (place == frame["n_kept"] and frame["phase"] == PLAYING):
            # Step 3. Leave the node: what was left out, the score and what it claims.
            n_pruned = frame["n_kept"] - place
            n_limited = frame["n_moves"] - frame["n_kept"]
            if n_pruned > 0:
                counts[0]["prune_events"] += 1
                counts[0]["pruned"] += n_pruned
            counts[0]["limited"] += n_limited
            bound = bound_of(frame["best"], frame["entry_alpha"], frame["entry_beta"])
            score = frame["best"]
            if option["fails_hard"]:
                score = min(max(score, frame["entry_alpha"]), frame["entry_beta"])
            if is_plain():
                check_leaving(option, frame, score, bound)
            if memory is not None:
                if frame["phase"] < PROBING:  # cut before its plies were sorted, which the stubs tell of
                    expand(game, option, stack, memory, level)
                parent = frame["row"]
                if n_pruned > 0:
                    write_stub(memory, stack, level, parent, PRUNED, place, n_pruned, n_rows, n_stub_plies)
                    n_rows += 1
                    n_stub_plies += n_pruned
                if n_limited > 0:
                    kept = frame["n_kept"]
                    write_stub(memory, stack, level, parent, LIMITED, kept, n_limited, n_rows, n_stub_plies)
                    n_rows += 1
                    n_stub_plies += n_limited
                outcome = CUTOFF if frame["is_cut"] else SEARCHED
                assert parent < n_rows  # the subtree of a row is what follows it
                write_end(memory.rows[parent], n_rows, score, bound, outcome, frame["cut_by"])
            if option["proves"]:
                leave_proof(option, stack, counts, level, score, bound)
            take_leave(option, stack, counts, memory, level, score, bound)
            if game.undoes() and level > 0:
                take_back(game, stack, level, frame["ply"])
            level -= 1
            if level >= 0:
                fold(option, stack, counts, level, score)
            else:
                counts[0]["score"] = score
            continue

        if nodes >= node_budget:
            reason = BUDGET_SPENT
            break

        # Step 4. Which child, how deep, in which window.
        alpha = frame["alpha"]
        beta = frame["beta"]
        depth = frame["depth"] - 1
        purpose = FULL
        reduction = 0
        slot = 0
        if frame["phase"] == PLAYING:
            # A ply: after the first a null window (principal variation); late ones at less depth.
            slot = stack.order[level, place]
            if option["prunes"]:
                if option["lmr_from"] > 0 and frame["retries"] == 0:
                    reduction = reduction_of(option, frame, place)
                width = option["null_width"]
                if frame["maximizes"]:
                    alpha = max(alpha, frame["edge"])
                    if frame["retries"] != 0:
                        purpose = RESEARCH
                        if frame["retries"] == SCOUT_BEAT and option["trusts_scouts"]:
                            alpha = max(alpha, frame["scout_score"] - width)
                    elif option["scouts"] and place > 0 and alpha < alpha + width < beta:
                        beta = alpha + width
                        purpose = SCOUT
                else:
                    beta = min(beta, frame["edge"])
                    if frame["retries"] != 0:
                        purpose = RESEARCH
                        if frame["retries"] == SCOUT_BEAT and option["trusts_scouts"]:
                            beta = min(beta, frame["scout_score"] + width)
                    elif option["scouts"] and place > 0 and beta > beta - width > alpha:
                        alpha = beta - width
                        purpose = SCOUT
        elif frame["phase"] == PROBING:
            # Internal iterative deepening (IID): each ply at less depth, to begin with the best of them.
            purpose = PROBE
            reduction = option["iid_reduction"]
            slot = stack.order[level, frame["probe"]]
            if option["prunes"] and frame["maximizes"]:
                alpha = max(alpha, frame["probe_best"])
            elif option["prunes"]:
                beta = min(beta, frame["probe_best"])
        else:
            # Null move: hand over the move; if that is good enough, so is some ply.
            copy_state(stack.states[seat(game, level, frame["slot"])], stack.states[level + 1, 0])
            passed = stack.states[seat(game, level + 1, 0)]
            if frame["phase"] == UNPLAYED or game.pass_turn(passed) == 0:
                expand(game, option, stack, memory, level)
                continue
            purpose = NULL
            reduction = option["null_reduction"]
            if frame["maximizes"]:
                beta = frame["entry_beta"]
                alpha = beta - option["null_width"]
            else:
                alpha = frame["entry_alpha"]
                beta = alpha + option["null_width"]
        assert alpha < beta
        if is_plain():
            check_window(option, frame, purpose, alpha, beta)

        # Step 5. Enter the child. At the horizon, or when the game is over, its pre-score is its score.
        if purpose == NULL:
            ply = NULL_PLY
            status = game.status(passed)
            static = worth(game, passed, status, option, stack, level + 1)
            if memory is not None:
                for factor in range(len(stack.weights)):
                    memory.factors[n_rows, factor] = stack.values[factor]
        else:
            ply = stack.plies[level, slot]
            status = stack.statuses[level, slot]
            static = stack.pre_scores[level, slot]
            if memory is not None:
                for factor in range(len(stack.weights)):
                    memory.factors[n_rows, factor] = memory.values[level, slot, factor]
            if game.undoes():
                game.apply(stack.states[0, 0], ply)
        frame["child_purpose"] = purpose
        frame["child_note"] = counts[0]["n_notes"]
        frame["child_reduction"] = reduction
        came_to, score = enter(
            game,
            option,
            stack,
            counts,
            memory,
            level + 1,
            slot,
            status,
            depth - reduction,
            static,
            purpose,
            reduction,
            alpha,
            beta,
            frame["row"],
            ply,
            n_rows,
        )
        if game.undoes() and came_to != GOES_ON:
            take_back(game, stack, level + 1, ply)
        if came_to > 0:
            reason = came_to
            break
        nodes += 1
        n_rows += 1
        if came_to == GOES_ON:
            level += 1
        else:
            fold(option, stack, counts, level, score)

    counts[0]["level"] = level
    counts[0]["n_rows"] = n_rows if memory is not None else 0
    counts[0]["n_stub_plies"] = n_stub_plies
    counts[0]["nodes"] = nodes
    return reason


@kernel
def check_window(option: Any, frame: Any, purpose: int, alpha: float, beta: float) -> None:
    """Assert of a child's window, in the plain build, what its purpose promises."""
    if purpose == NULL:
        # At the edge that cuts, of the node's own window, whatever the table made of it.
        if frame["maximizes"]:
            assert beta == frame["entry_beta"]
        else:
            assert alpha == frame["entry_alpha"]
        return
    assert frame["alpha"] <= alpha
    assert beta <= frame["beta"]
    if not option["prunes"]:
        assert purpose in (FULL, PROBE)
        assert alpha == frame["alpha"]
        assert beta == frame["beta"]
    if purpose == SCOUT:
        # One edge is the mover's, the other a null width beyond it; no score lies between them.
        assert alpha + option["null_width"] >= beta or beta - option["null_width"] <= alpha
        assert frame["next"] > 0
    if purpose == RESEARCH:
        assert frame["retries"] != 0


@kernel
def check_leaving(option: Any, frame: Any, score: float, bound: int) -> None:
    """Assert of a node that is left, in the plain build, what its score and its bound promise."""
    assert 0 <= frame["next"] <= frame["n_kept"] <= frame["n_moves"]
    assert frame["retries"] == 0
    if frame["is_cut"]:
        # What cuts beats an edge; only an entry of the table may have moved that edge inwards.
        assert option["prunes"]
        assert frame["cut_by"] != 0
        if frame["maximizes"]:
            assert not frame["best"] < frame["beta"]
        else:
            assert not frame["best"] > frame["alpha"]
    else:
        assert frame["phase"] == PLAYING
        assert frame["next"] == frame["n_kept"]
        assert frame["cut_by"] == 0
    if option["fails_hard"]:
        assert not score < frame["entry_alpha"]
        assert not score > frame["entry_beta"]
    # A score inside the window is exact, whatever was left out; one outside bounds it from that side.
    assert (bound == LOWER) == (frame["best"] >= frame["entry_beta"])
    assert bound in (UPPER, LOWER, EXACT)


@kernel
def lacks_hits(option: Any, counts: Array, memory: Memory) -> bool:
    """Whether there is no room for another table entry that was found."""
    return bool(option["uses_table"] and counts[0]["n_hits"] >= len(memory.hits))


@kernel
def reduction_of(option: Any, frame: Any, place: int) -> int:
    """1 for a late ply, whose search must have something to beat; 0 for others."""
    if place < option["lmr_from"] or frame["depth"] < LEAST_REDUCED_DEPTH or frame["in_check"]:
        return 0
    if frame["maximizes"]:
        return 1 if max(frame["alpha"], frame["edge"]) > -INFINITY else 0
    return 1 if min(frame["beta"], frame["edge"]) < INFINITY else 0


@kernel
def take_leave(
    option: Any, stack: Stack, counts: Array, memory: Memory | None, level: int, score: float, bound: int
) -> None:
    """Remember what the visit at `level` taught: its score in the table, what cut, what was well placed."""
    frame = stack.frames[level]
    slot = frame["best_slot"]
    ply = stack.plies[level, slot] if slot >= 0 else -1
    if option["uses_table"] and frame["cut_by"] != CUT_BY_ESTIMATE:
        fails_low = frame["best"] <= frame["alpha"] if frame["maximizes"] else frame["best"] >= frame["beta"]
        row = frame["row"] if memory is not None else -2
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


@kernel
def fold(option: Any, stack: Stack, counts: Array, level: int, score: float) -> None:
    """Take the score of the child just left into its parent at `level`: a re-search, a new best, a cut."""
    frame = stack.frames[level]
    purpose = frame["child_purpose"]
    if purpose == NULL:
        counts[0]["n_notes"] = frame["child_note"]
        fold_pass(option, stack, counts, frame, score)
        return
    if purpose == PROBE:
        counts[0]["n_notes"] = frame["child_note"]
        fold_probe(option, stack, frame, level, score)
        return
    # A late ply that beats the window at less depth is searched again at full depth.
    if frame["child_reduction"] > 0:
        stack.counters[LMR, TRIED] += 1
        if frame["maximizes"]:
            beats = score > max(frame["alpha"], frame["edge"])
        else:
            beats = score < min(frame["beta"], frame["edge"])
        if beats:
            stack.counters[SCOUTS, TRIED] += purpose == SCOUT
            frame["retries"] = REDUCED_BEAT
            counts[0]["n_notes"] = frame["child_note"]
            return
        stack.counters[LMR, SUCCEEDED] += 1
    # A scout that beats its window but not the node's is searched again.
    if purpose == SCOUT:
        stack.counters[SCOUTS, TRIED] += 1
        if frame["maximizes"]:
            scout_edge = max(frame["alpha"], frame["edge"]) + option["null_width"]
            beats = scout_edge <= score < frame["beta"]
        else:
            scout_edge = min(frame["beta"], frame["edge"]) - option["null_width"]
            beats = frame["alpha"] < score <= scout_edge
        if beats:
            frame["retries"] = SCOUT_BEAT
            frame["scout_score"] = score
            counts[0]["n_notes"] = frame["child_note"]
            return
        stack.counters[SCOUTS, SUCCEEDED] += 1
    if level == 0:
        rank(frame, stack, counts, score)
    if option["proves"]:
        fold_proof(option, stack, counts, level, score)
    slot = stack.order[level, frame["next"]]
    frame["retries"] = 0
    frame["next"] += 1
    if frame["maximizes"]:
        if score > frame["best"]:
            frame["best"] = score
            frame["best_slot"] = slot
        frame["is_cut"] = option["prunes"] and score >= frame["beta"]
    else:
        if score < frame["best"]:
            frame["best"] = score
            frame["best_slot"] = slot
        frame["is_cut"] = option["prunes"] and score <= frame["alpha"]
    if frame["is_cut"]:
        frame["cut_by"] = CUT_BY_CHILD
    if level > 0:
        frame["edge"] = frame["best"]


@kernel
def fold_pass(option: Any, stack: Stack, counts: Array, frame: Any, score: float) -> None:
    """Handing over the move was good enough: a cut, though never a proven win. Otherwise the plies follow."""
    edge = frame["entry_beta"] if frame["maximizes"] else frame["entry_alpha"]
    reaches = score >= edge if frame["maximizes"] else score <= edge
    frame["phase"] = UNPLAYED
    stack.counters[NULL_MOVE, TRIED] += 1
    if reaches:
        stack.counters[NULL_MOVE, SUCCEEDED] += 1
        counts[0]["at_horizon"] += 1
        frame["best"] = score if abs(score) < option["mate_threshold"] else edge
        frame["is_cut"] = True
        frame["cut_by"] = CUT_BY_NULL


@kernel
def fold_probe(option: Any, stack: Stack, frame: Any, level: int, score: float) -> None:
    """Take a probe's score; after the last of them, or one that would cut, the best is put first."""
    if frame["maximizes"]:
        is_better = score > frame["probe_best"]
        reaches = option["prunes"] and score >= frame["beta"]
    else:
        is_better = score < frame["probe_best"]
        reaches = option["prunes"] and score <= frame["alpha"]
    if is_better:
        frame["probe_best"] = score
        frame["probe_place"] = frame["probe"]
    frame["probe"] += 1
    if reaches or frame["probe"] == frame["n_kept"]:
        move_up(stack.order[level], frame["probe_place"], 0)
        frame["placed"] = stack.order[level, 0]
        frame["placed_by"] = IID
        frame["phase"] = PLAYING


@kernel
def rank(frame: Any, stack: Stack, counts: Array, score: float) -> None:
    """Put the root's ply just searched among the best so far, of which only exact scores are kept.

    The root's edge is the worst of them once they are as many as asked for, so every further ply that beats
    it is exact too: a ranking by the scores of an ordinary search would compare bounds.
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
def take_back(game: Any, stack: Stack, level: int, ply: int) -> None:
    """Come back in place from the node at `level`, which `ply` led to, to its parent.

    Handing over the move is taken back by the copy that was made before it.
    """
    if ply == NULL_PLY:
        copy_state(stack.states[level, 0], stack.states[0, 0])
    else:
        game.undo(stack.states[0, 0], ply)
