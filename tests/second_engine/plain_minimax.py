"""The slow and obvious twin: minimax to the end, without windows, cuts, tables or tricks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.second_engine.options import SecondOptions
from tests.second_engine.worlds import DRAW, FIRST


def minimax_score(world: Any, options: SecondOptions) -> float:
    """The root's score with the horizon and the kept sets of `options`."""
    return _scorer(world, options)(world.start(), options.depth, 0)


def ply_scores(world: Any, options: SecondOptions) -> dict[str, float]:
    """The score of each ply of the root, whether `options` keep it or not."""
    score, start = _scorer(world, options), world.start()
    return {
        world.ply_text(start, ply): score(world.after(start, ply), options.depth - 1, 1)
        for ply in world.plies(start)
    }


def _scorer(world: Any, options: SecondOptions) -> Callable[[Any, int, int], float]:
    """A function that scores a position at a depth and a level."""
    root_player = world.mover(world.start())

    def static(position: Any) -> float:
        pairs = zip(world.factors.values(), world.values(position), strict=True)
        total = sum(weight * value for weight, value in pairs)
        return total if root_player == 0 else 0.0 - total

    def score(position: Any, depth: int, level: int) -> float:
        ending = world.ending(position)
        if ending == DRAW:
            return options.draw
        if ending:
            mate = options.mate_score - options.mate_step * level
            return mate if (ending == FIRST) == (root_player == 0) else -mate
        maximizes = world.mover(position) == root_player
        below = list(world.plies(position))
        scores: list[float] = []
        if depth <= 0:
            if options.quiescence is None or depth <= -options.quiescence:
                return static(position)
            if not world.in_check(position):
                below, scores = list(world.noisy(position)), [static(position)]
        elif options.limit is not None:
            sign = -1 if maximizes else 1
            below = sorted(below, key=lambda ply: sign * static(world.after(position, ply)))[: options.limit]
        scores += [score(world.after(position, ply), depth - 1, level + 1) for ply in below]
        if not scores:
            return static(position)
        return max(scores) if maximizes else min(scores)

    return score
