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

from engine.game import DRAWN, FIRST_WON, ONGOING, SCORED
from engine.jit import kernel, word
from engine.rows import (
    CUT_BY_CHILD,
    CUTOFF,
    DRAW,
    EXACT,
    FULL,
    LEAF,
    LIMITED,
    LOSS,
    LOWER,
    OPEN,
    PRUNED,
    RESEARCH,
    ROWS_A_VISIT,
    SCOUT,
    SEARCHED,
    TERMINAL,
    UPPER,
    WIN,
    Memory,
)
from engine.stack import NOT_BEGUN, Array, Stack

# Why `search` returned.
FINISHED: Final = 0
BUDGET_SPENT: Final = 1
ROWS_FULL: Final = 2
TOO_NARROW: Final = 3
"""A position has more plies than the buffers hold; nothing was done to it yet."""
NO_PLIES: Final = 4
"""A position is not over and has no plies: the game contradicts itself."""

_INFINITY: Final = np.inf
_NO_NUMBER: Final = np.nan


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
        state = stack.states[0, 0]
        status = game.status(state)
        depth = option["depth"] if status == ONGOING else 0
        n_moves = generate(game, state, stack, 0) if depth > 0 else 0
        if n_moves < 0:
            return TOO_NARROW
        if depth > 0 and n_moves == 0:
            return NO_PLIES
        score = worth(game, state, status, option, stack, 0)
        if memory is not None:
            if len(memory.rows) - counts[0]["n_rows"] < ROWS_A_VISIT:
                return ROWS_FULL
            row = memory.rows[counts[0]["n_rows"]]
            write_entry(
                row, -1, -1, 0, option["depth"], game.player(state), FULL, option["alpha"], option["beta"]
            )
            row["moves"] = n_moves
            row["static"] = score
            row["key"] = word(game.key(state))
            for factor in range(len(stack.weights)):
                memory.factors[counts[0]["n_rows"], factor] = stack.values[factor]
        counts[0]["nodes"] += 1
        counts[0]["n_ranked"] = 0
        if depth == 0:
            if memory is not None:
                write_end(memory.rows[counts[0]["n_rows"]], counts[0]["n_rows"], score, status, option)
                counts[0]["n_rows"] += 1
            counts[0]["leaves"] += 1
            counts[0]["score"] = score
            return FINISHED
        begin(game, option, stack, memory, 0, 0, depth, n_moves, option["alpha"], option["beta"])
        stack.frames[0]["row"] = counts[0]["n_rows"]
        counts[0]["n_rows"] += 1
        level = 0

    n_rows = counts[0]["n_rows"]
    n_stub_plies = counts[0]["n_stub_plies"]
    nodes = counts[0]["nodes"]
    leaves = counts[0]["leaves"]
    at_horizon = counts[0]["at_horizon"]
    reason = FINISHED
    while level >= 0:
        frame = stack.frames[level]

        # Step 2. Return in the middle, before anything is written that there is no room for.
        if memory is not None and (
            len(memory.rows) - n_rows < ROWS_A_VISIT
            or len(memory.stub_plies) - n_stub_plies < frame["n_moves"]
        ):
            reason = ROWS_FULL
            break

        place = frame["next"]
        if place == frame["n_kept"] or frame["is_cut"]:
            # Step 3. Leave the node: what was left out, the score and what it claims.
            n_pruned = frame["n_kept"] - place
            n_limited = frame["n_moves"] - frame["n_kept"]
            if n_pruned > 0:
                counts[0]["prune_events"] += 1
                counts[0]["pruned"] += n_pruned
            counts[0]["limited"] += n_limited
            score = frame["best"]
            if memory is not None:
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
                row = memory.rows[parent]
                row["end"] = n_rows
                row["score"] = score
                row["outcome"] = CUTOFF if frame["is_cut"] else SEARCHED
                row["cut_by"] = CUT_BY_CHILD if frame["is_cut"] else 0
                row["bound"] = bound_of(score, frame["alpha"], frame["beta"])
            level -= 1
            if level >= 0:
                fold(option, stack, counts, level, score)
            else:
                counts[0]["score"] = score
            continue

        if nodes >= node_budget:
            reason = BUDGET_SPENT
            break

        # Step 4. The child's window: alpha-beta; after the first child a null window (principal variation).
        alpha = frame["alpha"]
        beta = frame["beta"]
        purpose = FULL
        if option["prunes"]:
            width = option["null_width"]
            if frame["maximizes"]:
                alpha = max(alpha, frame["edge"])
                if frame["retries"]:
                    alpha = max(alpha, frame["scout_score"] - width)
                    purpose = RESEARCH
                elif option["scouts"] and place > 0 and alpha < alpha + width < beta:
                    beta = alpha + width
                    purpose = SCOUT
            else:
                beta = min(beta, frame["edge"])
                if frame["retries"]:
                    beta = min(beta, frame["scout_score"] + width)
                    purpose = RESEARCH
                elif option["scouts"] and place > 0 and beta > beta - width > alpha:
                    alpha = beta - width
                    purpose = SCOUT
        assert alpha < beta

        # Step 5. Enter the child. At the horizon, or when the game is over, its pre-score is its score.
        slot = stack.order[level, place]
        status = stack.statuses[level, slot]
        depth = frame["depth"] - 1
        is_inner = status == ONGOING and depth > 0
        state = stack.states[level + 1, slot]
        n_moves = 0
        if is_inner:
            n_moves = generate(game, state, stack, level + 1)
            if n_moves <= 0:
                reason = NO_PLIES if n_moves == 0 else TOO_NARROW
                break
        score = stack.pre_scores[level, slot]
        frame["child_purpose"] = purpose
        if memory is not None:
            row = memory.rows[n_rows]
            ply = stack.plies[level, slot]
            write_entry(row, frame["row"], ply, level + 1, depth, game.player(state), purpose, alpha, beta)
            row["moves"] = n_moves
            row["static"] = score
            row["key"] = word(game.key(state))
            for factor in range(len(stack.weights)):
                memory.factors[n_rows, factor] = memory.values[level, slot, factor]
            if not is_inner:
                write_end(row, n_rows, score, status, option)
        nodes += 1
        if is_inner:
            level += 1
            begin(game, option, stack, memory, level, slot, depth, n_moves, alpha, beta)
            stack.frames[level]["row"] = n_rows
        else:
            leaves += 1
            at_horizon += status == ONGOING
            fold(option, stack, counts, level, score)
        n_rows += 1

    counts[0]["level"] = level
    counts[0]["n_rows"] = n_rows if memory is not None else 0
    counts[0]["n_stub_plies"] = n_stub_plies
    counts[0]["nodes"] = nodes
    counts[0]["leaves"] = leaves
    counts[0]["at_horizon"] = at_horizon
    return reason


@kernel
def generate(game: Any, state: Array, stack: Stack, level: int) -> int:
    """The number of plies of a node at `level`, written to its buffer; negative where that is too narrow."""
    n_moves: int = game.generate(state, stack.plies[level])
    return n_moves


@kernel
def begin(
    game: Any,
    option: Any,
    stack: Stack,
    memory: Memory | None,
    level: int,
    slot: int,
    depth: int,
    n_moves: int,
    alpha: float,
    beta: float,
) -> None:
    """Set up an inner node at `level`: play and judge each of its plies, sort them, keep the best of them.

    Siblings stand best pre-score first for the side to move, ties in order of generation; the branching limit
    keeps the first of them.
    """
    state = stack.states[level, slot]
    maximizes = game.player(state) == option["root_player"]
    pre_scores = stack.pre_scores[level]
    order = stack.order[level]
    for i in range(n_moves):
        child = stack.states[level + 1, i]
        child[:] = state
        game.apply(child, stack.plies[level, i])
        status = game.status(child)
        stack.statuses[level, i] = status
        pre_score = worth(game, child, status, option, stack, level + 1)
        pre_scores[i] = pre_score
        if memory is not None:
            for factor in range(len(stack.weights)):
                memory.values[level, i, factor] = stack.values[factor]
        place = i
        if maximizes:
            while place > 0 and pre_score > pre_scores[order[place - 1]]:
                order[place] = order[place - 1]
                place -= 1
        else:
            while place > 0 and pre_score < pre_scores[order[place - 1]]:
                order[place] = order[place - 1]
                place -= 1
        order[place] = i
    frame = stack.frames[level]
    frame["depth"] = depth
    frame["n_moves"] = n_moves
    frame["n_kept"] = min(n_moves, option["limit"])
    frame["next"] = 0
    frame["slot"] = slot
    frame["maximizes"] = maximizes
    frame["is_cut"] = False
    frame["retries"] = False
    frame["alpha"] = alpha
    frame["beta"] = beta
    frame["best"] = -_INFINITY if maximizes else _INFINITY
    frame["edge"] = frame["best"]


@kernel
def fold(option: Any, stack: Stack, counts: Array, level: int, score: float) -> None:
    """Take the score of the child just left into its parent at `level`: a re-search, a new best, a cut."""
    frame = stack.frames[level]
    # A scout that beats its window but not the node's is searched again.
    if frame["child_purpose"] == SCOUT:
        if frame["maximizes"]:
            scout_edge = max(frame["alpha"], frame["edge"]) + option["null_width"]
            beats = scout_edge <= score < frame["beta"]
        else:
            scout_edge = min(frame["beta"], frame["edge"]) - option["null_width"]
            beats = frame["alpha"] < score <= scout_edge
        if beats:
            frame["retries"] = True
            frame["scout_score"] = score
            return
    if level == 0:
        rank(frame, stack, counts, score)
    frame["retries"] = False
    frame["next"] += 1
    if frame["maximizes"]:
        if score > frame["best"]:
            frame["best"] = score
        frame["is_cut"] = option["prunes"] and score >= frame["beta"]
    else:
        if score < frame["best"]:
            frame["best"] = score
        frame["is_cut"] = option["prunes"] and score <= frame["alpha"]
    if level > 0:
        frame["edge"] = frame["best"]


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
        place -= 1
    ranked[place]["score"] = score
    ranked[place]["ply"] = stack.plies[0, stack.order[0, frame["next"]]]
    if counts[0]["n_ranked"] == len(ranked):
        frame["edge"] = ranked[len(ranked) - 1]["score"]


@kernel
def worth(game: Any, state: Array, status: int, option: Any, stack: Stack, level: int) -> float:
    """The static of a position, or its terminal score: a win counts more, a loss less, the nearer it is."""
    if status in (ONGOING, SCORED):
        game.values(state, stack.values)
        score = 0.0
        for factor in range(len(stack.weights)):
            score += stack.weights[factor] * stack.values[factor]
    elif status == DRAWN:
        score = option["draw"]
    else:
        score = option["mate"] - option["mate_step"] * level
        if (status == FIRST_WON) != (option["root_player"] == 0):
            score = -score
    return score


@kernel
def bound_of(score: float, alpha: float, beta: float) -> int:
    """What a score returned for the window (alpha, beta) claims; a fail-high is a lower bound.

    >>> bound_of(5.0, 1.0, 5.0) == LOWER, bound_of(1.0, 1.0, 5.0) == UPPER, bound_of(2.0, 1.0, 5.0) == EXACT
    (True, True, True)
    """
    if score >= beta:
        return LOWER
    return UPPER if score <= alpha else EXACT


@kernel
def write_entry(
    row: Any,
    parent: int,
    ply: int,
    level: int,
    depth: int,
    player: int,
    purpose: int,
    alpha: float,
    beta: float,
) -> None:
    """What is known of a node when it is entered."""
    row["parent"] = parent
    row["ply"] = ply
    row["level"] = level
    row["depth"] = depth
    row["player"] = player
    row["outcome"] = OPEN
    row["bound"] = 0
    row["cut_by"] = 0
    row["ending"] = 0
    row["purpose"] = purpose
    row["alpha"] = alpha
    row["beta"] = beta
    row["score"] = _NO_NUMBER


@kernel
def write_end(row: Any, number: int, score: float, status: int, option: Any) -> None:
    """A node without children is left as soon as it is entered; its score is exact."""
    row["end"] = number + 1
    row["score"] = score
    row["bound"] = EXACT
    row["moves"] = 0
    if status in (ONGOING, SCORED):
        row["outcome"] = LEAF
        return
    row["outcome"] = TERMINAL
    if status == DRAWN:
        row["ending"] = DRAW
    else:
        row["ending"] = WIN if (status == FIRST_WON) == (option["root_player"] == 0) else LOSS


@kernel
def write_stub(
    memory: Memory,
    stack: Stack,
    level: int,
    parent: int,
    outcome: int,
    place: int,
    count: int,
    number: int,
    n_stub_plies: int,
) -> None:
    """The row `number` for `count` children of the node at `level` that were not visited, from `place` on."""
    row = memory.rows[number]
    row["parent"] = parent
    row["end"] = number + 1
    row["ply"] = -1
    row["level"] = level + 1
    row["moves"] = count
    row["outcome"] = outcome
    row["key"] = n_stub_plies
    for i in range(count):
        slot = stack.order[level, place + i]
        memory.stub_plies[n_stub_plies + i]["ply"] = stack.plies[level, slot]
        memory.stub_plies[n_stub_plies + i]["pre_score"] = stack.pre_scores[level, slot]
