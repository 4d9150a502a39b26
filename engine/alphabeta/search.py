"""The search: alpha-beta, iterative and resumable, one source for compiled and for plain games.

`search` walks one tree depth first with an explicit stack and can return after any step: when its node
budget is spent, when the rows run out, when a plain game needs wider buffers. Called again, it goes on.
Compiled, it is specialised for the game and for whether it records (`memory` is None or not); every option
is a run-time value. Scores, windows and bounds are seen from the root player throughout: `max` layers are
where that player moves, whatever the level, so passes and double moves need nothing special.

`visit` enters a node, `folding` folds a child's score into its parent.
"""

from __future__ import annotations

from typing import Any, Final

from plyscope.engine.alphabeta.asserting import check_leaving, check_window
from plyscope.engine.alphabeta.counters import IID, TRIED
from plyscope.engine.alphabeta.expanding import expand, worth
from plyscope.engine.alphabeta.folding import fold, take_leave
from plyscope.engine.alphabeta.proof import leave_proof
from plyscope.engine.alphabeta.sides import INFINITY
from plyscope.engine.alphabeta.stack import NOT_BEGUN, PLAYING, PROBING, SCOUT_BEAT, UNPLAYED, Stack
from plyscope.engine.alphabeta.visit import GOES_ON, LEFT, bound_of, enter
from plyscope.engine.alphabeta.writing import fetch_ahead, write_end, write_factors, write_stub
from plyscope.engine.game import Array
from plyscope.engine.games.stepping import copy_state, seat
from plyscope.engine.jit import is_plain, kernel
from plyscope.engine.record.memory import Memory
from plyscope.engine.record.rows import (
    CUTOFF,
    FULL,
    LIMITED,
    NULL,
    NULL_PLY,
    PROBE,
    PRUNED,
    RESEARCH,
    ROWS_A_VISIT,
    SCOUT,
    SEARCHED,
)

# Reasons of `search` to return; `visit` adds that buffers are too narrow, or that a game contradicts itself.
FINISHED: Final = 0
BUDGET_SPENT: Final = 1
ROWS_FULL: Final = 2

LEAST_REDUCED_DEPTH: Final = 3
"""Late plies of nodes nearer to the horizon are not reduced."""


@kernel
def search(
    game: Any, options: Array, stack: Stack, counts: Array, memory: Memory | None, node_budget: int
) -> int:
    """Go on with the search in `stack` until it is finished or has visited `node_budget` nodes in all.

    Returns the reason. `counts[0]` is its progress; the root's score and the plies that may be chosen are in
    `counts[0]["score"]` and `stack.ranked`.
    """
    option = options[0]
    level = counts[0]["level"]

    # Step 1. Enter the root.
    if level == NOT_BEGUN:
        number = counts[0]["n_rows"]
        state = stack.states[0, 0]
        status = game.status(state)
        score = worth(game, state, status, option, stack.weights, stack.values[0, 0], 0)
        if memory is not None:
            if len(memory.rows) - number < ROWS_A_VISIT or lacks_hits(option, counts, memory):
                return ROWS_FULL
            write_factors(memory.factors[number]["values"], stack.values[0, 0])
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

        # Step 2. Return in the middle, before writing anything without room for it.
        if memory is not None and (
            len(memory.rows) - n_rows < ROWS_A_VISIT
            or len(memory.stub_plies) - n_stub_plies < frame["n_moves"]
            or lacks_hits(option, counts, memory)
        ):
            reason = ROWS_FULL
            break

        place = frame["next"]
        if frame["is_cut"] or (place == frame["n_kept"] and frame["phase"] == PLAYING):
            # Step 3. Leave the node: stubs, the score and its bound. The bound is relative to the window on
            # entry, since only that is known to the parent; a table entry may have narrowed it since.
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
                if frame["phase"] < PROBING:  # cut before its plies were sorted, which stubs need
                    expand(game, option, stack, level)
                    uncount_tries(stack, frame)
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
                assert parent < n_rows  # the subtree of a row follows it
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

        # Step 4. Choose the child, its depth and its window. Both layers are written out: one code for both,
        # by the sign of the mover, costs 4 % of a whole search.
        alpha = frame["alpha"]
        beta = frame["beta"]
        purpose = FULL
        reduction = 0
        slot = 0
        if frame["phase"] == PLAYING:
            # A ply: after the first a null window (principal variation); late ones at less depth.
            slot = stack.order[level, place]
            if option["prunes"]:
                if option["lmr_from"] > 0 and frame["retries"] == 0:
                    reduction = reduction_of(option, frame, place)
                # No scout where its window would be empty: the edge is infinite, or so large that the width
                # is lost in it. And none where it would be as wide as the node's own: a full search.
                # After a scout that may be trusted the ply is worth at least the scout's score. The window
                # begins a null width below that, so that this very score is inside it, and exact.
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
            # Null move: hand over the move; if that is good enough, so is some ply. In the window of entry,
            # for which a cut claims a bound, whatever a table entry made of it.
            copy_state(stack.states[seat(game, level, frame["slot"])], stack.states[level + 1, 0])
            passed = stack.states[seat(game, level + 1, 0)]
            if frame["phase"] == UNPLAYED or game.pass_turn(passed) == 0:
                expand(game, option, stack, level)
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
            slot = 0  # no ply is played yet, so the place of the first one's factors is free
            status = game.status(passed)
            static = worth(game, passed, status, option, stack.weights, stack.values[level, slot], level + 1)
        else:
            ply = stack.plies[level, slot]
            status = stack.statuses[level, slot]
            static = stack.pre_scores[level, slot]
            if game.undoes():
                game.apply(stack.states[0, 0], ply)
        if memory is not None:
            fetch_ahead(memory, n_rows, n_stub_plies)
            write_factors(memory.factors[n_rows]["values"], stack.values[level, slot])
        frame["child_purpose"] = purpose
        frame["child_note"] = counts[0]["n_notes"]
        frame["child_reduction"] = reduction
        depth = frame["depth"] - 1
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
def lacks_hits(option: Any, counts: Array, memory: Memory) -> bool:
    """Whether there is no room for another table entry that was found."""
    return bool(option["uses_table"] and counts[0]["n_hits"] >= len(memory.hits))


@kernel
def reduction_of(option: Any, frame: Any, place: int) -> int:
    """1 for a late ply, 0 for others; in check none is late, since any may be forced.

    A reduced search is only trusted if its ply does not beat the edge; a ply that does is searched again.
    Without an edge every ply would be.
    """
    if place < option["lmr_from"] or frame["depth"] < LEAST_REDUCED_DEPTH or frame["in_check"]:
        return 0
    if frame["maximizes"]:
        return 1 if max(frame["alpha"], frame["edge"]) > -INFINITY else 0
    return 1 if min(frame["beta"], frame["edge"]) < INFINITY else 0


@kernel
def uncount_tries(stack: Stack, frame: Any) -> None:
    """Undo the counts of sorting the plies of a node that is cut already, and sorted only for its stubs.

    None of its plies is tried, and without rows it is not even sorted: both must count the same.
    """
    if frame["placed_by"] >= 0:
        stack.counters[frame["placed_by"], TRIED] -= 1
    if frame["phase"] == PROBING:
        stack.counters[IID, TRIED] -= 1


@kernel
def take_back(game: Any, stack: Stack, level: int, ply: int) -> None:
    """Come back in place from the node at `level`, which `ply` led to, to its parent.

    Handing over the move is taken back by the copy that was made before it.
    """
    if ply == NULL_PLY:
        copy_state(stack.states[level, 0], stack.states[0, 0])
    else:
        game.undo(stack.states[0, 0], ply)
