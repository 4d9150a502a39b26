"""Options of the second engine, and random ones: every technique mixed with every other."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from tests.second_engine.worlds import kernels_of


@dataclass(frozen=True)
class SecondOptions:
    """Options of a search, named as in the search log; all techniques are off by default."""

    depth: int = 3
    algorithm: Literal["minimax", "alphabeta", "pvs"] = "alphabeta"
    fail: Literal["soft", "hard"] = "soft"
    limit: int | None = None
    iterative: bool = False
    aspiration: float | None = None
    table: bool = False
    table_depth: Literal["equal", "at_least"] = "equal"
    table_use: Literal["cut", "narrow"] = "cut"
    table_keep: Literal["iterations", "clear"] = "iterations"
    killers: bool = False
    history: bool = False
    internal_deepening: int | None = None
    quiescence: int | None = None
    null_move: int | None = None
    reductions: int | None = None
    futility: float | None = None
    lift: float | None = None
    """The evaluation less this margin a ply counts as a ply of the mover, where it lies inside the window."""
    frontier: float | None = None
    """At the last ply and in quiescence plies are skipped where the evaluation and this margin fail low."""
    toll: float = 0.0
    """What a ply costs its mover: a child counts so much less than its score."""
    nodes: int | None = None
    """Stop after so many nodes."""
    draw: float = 0.0
    """What a draw is worth to the root player (contempt)."""
    repetition: bool = False
    """Whether a position met again on the path is a draw."""
    null_width: float = 1.0
    research: Literal["low", "short"] = "low"
    """Where a re-search starts: at the scout's edge, or one null width short of the scout's score."""
    statics: bool = True
    """Whether nodes state their evaluation, or only the factors that it is made of."""
    mate_score: float = 10_000.0
    mate_step: float = 1.0
    mate_threshold: float = 9_000.0

    @property
    def equals_minimax(self) -> bool:
        """Whether the root's score must be that of plain minimax of the same horizon and kept sets."""
        approximate = (
            self.null_move,
            self.reductions,
            self.futility,
            self.lift,
            self.frontier,
            self.toll or None,
        )
        deeper = self.table and self.table_depth == "at_least"
        return all(each is None for each in approximate) and not deeper and self.nodes is None


def drawn_techniques(
    draw: random.Random, kernels: Collection[str], most_depth: int = 5, *, exact: bool = False
) -> dict[str, Any]:
    """Options by name; with `exact` only such as must give plain minimax's score."""
    said: dict[str, Any] = {
        "depth": draw.randint(1, most_depth),
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
    return said


def drawn_options(draw: random.Random, world: Any, *, exact: bool = False) -> SecondOptions:
    """Options for a search of `world` by the second engine."""
    said = drawn_techniques(draw, kernels_of(world), exact=exact)
    if not exact:
        said |= drawn_guesses(random.Random(repr(said)))  # what follows is drawn as without them
        if "toll" in said:
            said.pop("nodes", None)  # of a search stopped at once nothing may say that windows are moved
    return SecondOptions(**said)


def drawn_guesses(draw: random.Random) -> dict[str, float]:
    """Estimates that stand in for plies, and tolls for plies; each in a quarter of the searches."""
    choices = {"lift": [0.5, 2.0], "frontier": [0.0, 0.5, 2.0], "toll": [0.25, 1.0]}
    return {name: draw.choice(values) for name, values in choices.items() if draw.random() < 0.25}
