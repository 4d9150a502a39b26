"""A maze written out as the text of an explicit tree, so that our own search and the page can play it."""

from __future__ import annotations

import json
from typing import Any

from tests.second_engine.worlds import DRAW, FIRST, Maze, Spot

ENDINGS = {FIRST: "win", DRAW: "draw"}
MOST_NODES = 700


class TooLarge(Exception):  # noqa: N818
    """The maze has too many paths to be written out."""


def unfolded(world: Maze) -> str:
    """Every path of the maze to its end; a position met again has its key, so transpositions are true.

    Some positions can be passed (those whose number is a multiple of four). Raises TooLarge.
    """
    n_nodes = 0

    def node(spot: Spot, is_noisy: bool) -> dict[str, Any]:
        nonlocal n_nodes
        n_nodes += 1
        if n_nodes > MOST_NODES:
            raise TooLarge
        says: dict[str, Any] = {"player": ("max", "min")[world.mover(spot)], "key": str(world.key(spot))}
        if is_noisy:
            says["noisy"] = True
        ending = world.ending(spot)
        if ending:
            return says | {"ending": ENDINGS.get(ending, "loss")}
        weights = world.factors.values()
        says["value"] = sum(w * value for w, value in zip(weights, world.values(spot), strict=True))
        if world.in_check(spot):
            says["in_check"] = True
        noisy = world.noisy(spot)
        says["children"] = {
            world.ply_text(spot, ply): node(world.after(spot, ply), ply in noisy) for ply in world.plies(spot)
        }
        passed = world.passed(spot)
        if passed is not None and spot.number % 4 == 0 and "in_check" not in says:
            says["pass"] = node(passed, False)
        return says

    return json.dumps(node(world.start(), False))
