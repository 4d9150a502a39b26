"""The plies of a node: played and judged, sorted by pre-score, limited, put in the order of the visits."""

from __future__ import annotations

from typing import Any

from plyscope.engine.alphabeta.counters import IID, TRIED
from plyscope.engine.alphabeta.ordering import arrange
from plyscope.engine.alphabeta.sides import INFINITY
from plyscope.engine.alphabeta.stack import PLAYING, PROBING, Stack
from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SCORED, Array
from plyscope.engine.games.stepping import copy_state, seat
from plyscope.engine.jit import is_plain, kernel


@kernel
def expand(game: Any, option: Any, stack: Stack, level: int) -> None:
    """Play and evaluate each ply of the node at `level`, sort them, keep the best of them, decide the order.

    Siblings are sorted by pre-score, best first for the side to move, ties in order of generation; the
    branching limit keeps the first of them. Techniques only reorder those kept.
    """
    frame = stack.frames[level]
    state = stack.states[seat(game, level, frame["slot"])]
    maximizes = frame["maximizes"]
    pre_scores = stack.pre_scores[level]
    order = stack.order[level]
    for i in range(frame["n_moves"]):
        child = stack.states[seat(game, level + 1, i)]
        if not game.undoes():
            copy_state(state, child)
        game.apply(child, stack.plies[level, i])
        status = game.status(child)
        stack.statuses[level, i] = status
        pre_score = worth(game, child, status, option, stack.weights, stack.values[level, i], level + 1)
        pre_scores[i] = pre_score
        if game.undoes():
            game.undo(child, stack.plies[level, i])
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
    n_kept = frame["n_kept"]
    if is_plain():
        for place in range(1, frame["n_moves"]):
            earlier, later = pre_scores[order[place - 1]], pre_scores[order[place]]
            assert not (earlier < later if maximizes else earlier > later)
    frame["phase"] = PLAYING
    frame["placed_by"] = -1
    if option["uses_table"] or option["killers"] or option["history"]:
        mover = 0 if maximizes else 1
        placed_by, placed = arrange(option, stack, level, n_kept, mover, frame["table_ply"])
        frame["placed_by"] = placed_by
        frame["placed"] = placed
    less = option["iid_reduction"]
    if 0 < less < frame["depth"] - 1 and n_kept > 1 and frame["table_ply"] < 0:
        frame["phase"] = PROBING
        frame["probe"] = 0
        frame["probe_place"] = 0
        frame["probe_best"] = -INFINITY if maximizes else INFINITY
        stack.counters[IID, TRIED] += 1


@kernel
def worth(
    game: Any, state: Array, status: int, option: Any, weights: Array, values: Array, level: int
) -> float:
    """The static of a position, whose factors are written to `values`, or its terminal score.

    A win counts more, a loss less, the nearer it is.
    """
    if status in (ONGOING, SCORED):
        game.values(state, values)
        score = 0.0
        for factor in range(len(weights)):
            score += weights[factor] * values[factor]
    elif status == DRAWN:
        score = option["draw"]
    else:
        score = option["mate"] - option["mate_step"] * level
        if (status == FIRST_WON) != (option["root_player"] == 0):
            score = -score
    return score
