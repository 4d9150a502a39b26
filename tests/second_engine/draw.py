"""Random options: every technique of the second engine mixed with every other."""

from __future__ import annotations

import random
from typing import Any

from tests.second_engine.options import SecondOptions
from tests.second_engine.worlds import kernels_of


def drawn_options(draw: random.Random, world: Any, *, exact: bool = False) -> SecondOptions:
    """Options for a search of `world`; with `exact` only such as must give plain minimax's score."""
    kernels = kernels_of(world)
    said: dict[str, Any] = {
        "depth": draw.randint(1, 5),
        "algorithm": draw.choice(["minimax", "alphabeta", "alphabeta", "pvs", "pvs"]),
        "fail": draw.choice(["soft", "hard"]),
        "null_width": draw.choice([0.25, 1.0, 1.0]),
        "research": draw.choice(["low", "short"]),
        "draw": draw.choice([0.0, 0.0, -0.5, 1.25]),
    }

    def maybe(name: str, values: list[Any], chance: float = 0.4) -> None:
        if draw.random() < chance:
            said[name] = draw.choice(values)

    maybe("limit", [1, 2, 3])
    maybe("iterative", [True], 0.5)
    if said.get("iterative"):
        maybe("aspiration", [0.25, 1.0, 4.0], 0.6)
    maybe("table", [True], 0.6)
    maybe("table_use", ["narrow"])
    maybe("table_keep", ["clear"])
    maybe("killers", [True])
    maybe("history", [True])
    maybe("internal_deepening", [1, 2], 0.3)
    if "noisy" in kernels:
        maybe("quiescence", [1, 2, 6])
    if not exact:
        maybe("table_depth", ["at_least"])
        if "pass_turn" in kernels:
            maybe("null_move", [1, 2])
        maybe("reductions", [1, 2])
        maybe("futility", [0.5, 1.5, 3.0], 0.3)
        maybe("nodes", [7, 40, 150], 0.2)
        said |= drawn_guesses(random.Random(repr(said)))  # what follows is drawn as without them
        if "toll" in said:
            said.pop("nodes", None)  # of a search stopped at once nothing may say that windows are moved
    return SecondOptions(**said)


def drawn_guesses(draw: random.Random) -> dict[str, float]:
    """Estimates that stand in for plies, and tolls for plies; each in a quarter of the searches."""
    choices = {"lift": [0.5, 2.0], "frontier": [0.0, 0.5, 2.0], "toll": [0.25, 1.0]}
    return {name: draw.choice(values) for name, values in choices.items() if draw.random() < 0.25}
