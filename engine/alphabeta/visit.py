"""The beginning of a visit, before any child is visited.

A node is left at once where the game is over, at the horizon, where a table entry suffices or where standing
pat is good enough; otherwise its frame is set up, and its plies are played, evaluated, sorted and kept.
"""

from __future__ import annotations

from typing import Any, Final

from plyscope.engine.alphabeta.counters import (
    REVERSE_FUTILITY,
    STAND_PAT,
    SUCCEEDED,
    TABLE,
    TABLE_CUTS,
    TRIED,
)
from plyscope.engine.alphabeta.expanding import expand
from plyscope.engine.alphabeta.proof import is_full_width, is_trusted, is_won_or_lost
from plyscope.engine.alphabeta.sides import improved, is_as_good, worst_of_all
from plyscope.engine.alphabeta.stack import PASSING, UNPLAYED, Stack
from plyscope.engine.alphabeta.table import find, score_at, turned_bound
from plyscope.engine.alphabeta.writing import write_end, write_ending, write_entry, write_hit
from plyscope.engine.game import ONGOING, Array
from plyscope.engine.games.stepping import seat
from plyscope.engine.jit import is_plain, kernel, word
from plyscope.engine.record.memory import Memory
from plyscope.engine.record.rows import (
    CUT_BY_ESTIMATE,
    CUT_BY_STAND_PAT,
    CUTOFF,
    EXACT,
    IN_CHECK,
    LOWER,
    NULL,
    QUIESCENCE,
    TT,
    UPPER,
    USED_TO_CUT,
    USED_TO_NARROW,
    USED_TO_ORDER,
)

# Results of entering a node.
LEFT: Final = 0
"""It is left again; the score is its own."""
GOES_ON: Final = -1
"""Its frame is set up."""
TOO_NARROW: Final = 3
"""A position has more plies than the buffers hold; nothing was done to it yet."""
NO_PLIES: Final = 4
"""A position is not over and has no plies: the game contradicts itself."""

MOST_ESTIMATED_DEPTH: Final = 3
"""Estimates cut only this near to the horizon."""


@kernel
def enter(
    game: Any,
    option: Any,
    stack: Stack,
    counts: Array,
    memory: Memory | None,
    level: int,
    slot: int,
    status: int,
    depth: int,
    static: float,
    purpose: int,
    reduction: int,
    alpha: float,
    beta: float,
    parent: int,
    ply: int,
    number: int,
) -> tuple[int, float]:
    """Enter a node whose row is `number`; `static` is its evaluation, or its score where the game is over.

    Returns the result, and the score where the node is left again. Scores and windows are seen from the root
    player; `depth` are the plies left, after `reduction`; `parent` is the row above, -1 at a root. Seventeen
    numbers, not a record of them: made for every node, a tuple of the last twelve costs 3 % of a whole
    search, and 8 % in Connect Four.
    """
    state = stack.states[seat(game, level, slot)]
    is_quiet = option["quiescence"] > 0 and depth <= 0 and status == ONGOING
    goes_on = status == ONGOING and (depth > 0 or (is_quiet and depth > -option["quiescence"]))
    in_check = option["asks_check"] and status == ONGOING and game.in_check(state)
    maximizes = game.player(state) == option["root_player"]
    key = word(0)
    if memory is not None or option["uses_table"] or option["proves"]:
        key = word(game.key(state))

    # Step A. Probe the table: its score ends the visit, narrows the window, or its ply comes first. Not at
    # leaves, which have their static already and are most of all nodes.
    narrow_alpha = alpha
    narrow_beta = beta
    use = 0
    place = -1
    found_score = 0.0
    found_bound = 0
    is_deep = False
    if goes_on and option["uses_table"]:
        place = find(stack.table, key)
        if place >= 0:
            entry = stack.table[place]
            found_score = score_at(entry, level, option)
            found_bound = turned_bound(entry["bound"], option)
            use = USED_TO_ORDER
            is_deep = entry["depth"] == depth or (option["uses_deeper"] and entry["depth"] > depth)
            # Never at the root: it has to rank several plies, and an entry has at most one.
            if is_deep and level > 0 and is_trusted(option, entry):
                # A win or loss narrows no window where wins are to be proven: the proof of a node that it cut
                # would be the entry's (docs/decisions/0015).
                may_narrow = option["narrows"] and (
                    not option["proves"] or abs(found_score) < option["mate_threshold"]
                )
                if (
                    found_bound == EXACT
                    or (found_bound == LOWER and found_score >= beta)
                    or (found_bound == UPPER and found_score <= alpha)
                ):
                    use = USED_TO_CUT
                elif may_narrow and found_bound == LOWER and found_score > alpha:
                    use = USED_TO_NARROW
                    narrow_alpha = found_score
                elif may_narrow and found_bound == UPPER and found_score < beta:
                    use = USED_TO_NARROW
                    narrow_beta = found_score

    # Step B. Standing pat, then the plies: in quiescence the noisy ones, or all if the mover is in check: it
    # may lose by every ply, so it may not decline to move.
    n_moves = 0
    stands_pat = is_quiet and goes_on and not in_check and use != USED_TO_CUT
    is_pat_enough = False
    if stands_pat:
        if option["prunes"]:
            is_pat_enough = is_as_good(maximizes, static, narrow_beta if maximizes else narrow_alpha)
        if not is_pat_enough:
            n_moves = game.noisy(state, stack.plies[level])
            goes_on = n_moves != 0
    elif goes_on and use != USED_TO_CUT:
        n_moves = game.generate(state, stack.plies[level])
        if n_moves == 0:
            return NO_PLIES, 0.0
    if n_moves < 0:
        return TOO_NARROW, 0.0

    # Step C. Count the visit and write its row. Not before: if the buffers were too narrow, the whole visit
    # is made again, and would be counted twice.
    if option["uses_table"] and (place >= 0 or goes_on):
        stack.counters[TABLE, TRIED] += 1
        if place >= 0:
            stack.counters[TABLE, SUCCEEDED] += 1
            stack.counters[TABLE_CUTS, TRIED] += is_deep
            stack.counters[TABLE_CUTS, SUCCEEDED] += use == USED_TO_CUT
            counts[0]["table_uses"] += use in (USED_TO_CUT, USED_TO_NARROW)
    if stands_pat:
        stack.counters[STAND_PAT, TRIED] += 1
        stack.counters[STAND_PAT, SUCCEEDED] += is_pat_enough
    if memory is not None:
        flags = (QUIESCENCE if is_quiet else 0) | (IN_CHECK if in_check else 0)
        write_entry(
            memory.rows[number],
            parent,
            ply,
            depth,
            reduction,
            game.player(state),
            purpose,
            flags,
            alpha,
            beta,
            static,
            key,
            n_moves,
        )
        if use != 0:
            hit = memory.hits[counts[0]["n_hits"]]
            write_hit(hit, number, stack.table[place], found_score, found_bound, use)
            counts[0]["n_hits"] += 1

    # Step D. Leave the node where there is nothing to visit. The static of a leaf is exact in any window,
    # since nothing was left out. Standing pat leaves out all plies, so it is a bound.
    if use == USED_TO_CUT or is_pat_enough or not goes_on:
        score = found_score if use == USED_TO_CUT else static
        bound = found_bound if use == USED_TO_CUT else EXACT
        if is_pat_enough:
            bound = bound_of(score, alpha, beta)
        if option["fails_hard"] and not alpha <= score <= beta:
            bound = bound_of(score, alpha, beta)
            score = min(max(score, alpha), beta)
        is_end = use != USED_TO_CUT and not is_pat_enough
        if option["proves"]:
            counts[0]["proven"] = (
                stack.table[place]["proven"] if use == USED_TO_CUT else is_won_or_lost(status)
            )
        counts[0]["leaves"] += is_end
        counts[0]["at_horizon"] += status == ONGOING
        if memory is not None:
            row = memory.rows[number]
            outcome = TT if use == USED_TO_CUT else CUTOFF
            if is_end:
                outcome = write_ending(row, status, option)
            cut_by = CUT_BY_STAND_PAT if is_pat_enough else 0
            write_end(row, number + 1, score, bound, outcome, cut_by)
        return LEFT, score

    # Step E. Set up the frame.
    counts[0]["at_horizon"] += is_quiet
    frame = stack.frames[level]
    frame["row"] = number
    frame["depth"] = depth
    frame["n_moves"] = n_moves
    frame["n_kept"] = min(n_moves, option["limit"])
    if len(stack.full) > 0 and is_full_width(stack.full, key):
        frame["n_kept"] = n_moves
    frame["next"] = 0
    frame["slot"] = slot
    frame["ply"] = ply
    frame["maximizes"] = maximizes
    frame["is_cut"] = False
    frame["cut_by"] = 0
    frame["retries"] = 0
    frame["entry_alpha"] = alpha
    frame["entry_beta"] = beta
    frame["alpha"] = narrow_alpha
    frame["beta"] = narrow_beta
    if is_plain():
        assert alpha <= narrow_alpha < narrow_beta <= beta
        assert frame["n_kept"] > 0
        assert memory is None or number > parent  # rows are numbered as they are written
    frame["best"] = static if stands_pat else worst_of_all(maximizes)
    frame["edge"] = frame["best"]
    frame["best_slot"] = -1
    frame["key"] = key
    frame["in_check"] = in_check
    frame["child_reduction"] = 0
    frame["table_ply"] = stack.table[place]["ply"] if place >= 0 else -1
    frame["phase"] = UNPLAYED
    frame["proven"] = True
    frame["first_note"] = counts[0]["n_notes"]
    frame["child_note"] = counts[0]["n_notes"]

    # Step F. Try to cut before any ply is played: by an estimate, which costs nothing, then by a null move.
    # Not in check, where a pass is impossible; not at an edge that is a win or a loss, which no static
    # reaches; not at the root, which must name a ply.
    if option["prunes"] and level > 0 and depth > 0 and not in_check:
        edge = beta if maximizes else alpha
        if -option["mate_threshold"] < edge < option["mate_threshold"]:
            if option["reverse_futility"] > 0 and depth <= MOST_ESTIMATED_DEPTH:
                # Reverse futility pruning (static null move): the opponent is assumed to gain at most the
                # margin with each ply left. The static minus that is the score.
                estimate = improved(maximizes, static, -option["reverse_futility"] * depth)
                stack.counters[REVERSE_FUTILITY, TRIED] += 1
                if is_as_good(maximizes, estimate, edge):
                    stack.counters[REVERSE_FUTILITY, SUCCEEDED] += 1
                    counts[0]["at_horizon"] += 1
                    frame["best"] = estimate
                    frame["is_cut"] = True
                    frame["cut_by"] = CUT_BY_ESTIMATE
                    return GOES_ON, 0.0
            # Not twice in a row, which would hand the same position back; only where the static reaches the
            # edge, so that a pass is likely to; and only where the reduction leaves a depth of 0 or more.
            may_pass = 0 < option["null_reduction"] < depth and purpose != NULL
            if may_pass and is_as_good(maximizes, static, edge):
                frame["phase"] = PASSING
                return GOES_ON, 0.0
    expand(game, option, stack, level)
    return GOES_ON, 0.0


@kernel
def bound_of(score: float, alpha: float, beta: float) -> int:
    """Return the bound that a score is, returned for the window (alpha, beta); a fail-high is a lower bound.

    >>> bound_of(5.0, 1.0, 5.0) == LOWER, bound_of(1.0, 1.0, 5.0) == UPPER, bound_of(2.0, 1.0, 5.0) == EXACT
    (True, True, True)
    """
    if score >= beta:
        return LOWER
    return UPPER if score <= alpha else EXACT
