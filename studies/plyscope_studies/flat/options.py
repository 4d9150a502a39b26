"""The options of flat Monte Carlo, and their checks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, NamedTuple, get_args

from plyscope.engine.options import OptionError, check_number, check_one_of, check_positive, check_whole
from plyscope_studies.flat.sources import EXAMPLE, HALTON, PSEUDO, TEXT

Rollouts = Literal["fixed", "progressive"]
Growth = Literal["plies", "cells"]
Source = Literal["pseudo", "quasi", "example", "mix", "halton"]
Ties = Literal["first", "random"]

_KINDS: Final = {"pseudo": PSEUDO, "quasi": TEXT, "example": EXAMPLE, "mix": TEXT, "halton": HALTON}

MOST_RECORDED: Final = 100
"""Play-outs of each ply that a log keeps at most: at the start of Odd these are some 700,000 nodes."""


class Next(NamedTuple):
    """With what a player goes on in its next turn: the number of that, and its play-outs of each ply."""

    turn: int
    n: int


@dataclass(frozen=True)
class FlatOptions:
    """The options of flat Monte Carlo.

    * `rollouts`: `fixed` plays each legal ply out `n` times; `progressive` raises n before, by `growth_rate`
      times the number of legal plies, or of cells on which they end (`growth`). A player goes on with the
      raised number, so n grows from turn to turn.
    * `source` of the draws: `pseudo`; `quasi` and `example`, the two readings of the published generator;
      `mix`, `quasi` for the first `quasi_turns` turns and then `pseudo`; `halton`.
    * `turn` counts the turns of the player from 1; a player of a match goes on from there.
    * `most_playouts` of the whole turn: n is made smaller where it would take more, but not below 1.
    * `ties`: of plies with equal means the first that was generated, or any.
    * `record_playouts`: the log keeps the first so many play-outs of each ply, as chains of nodes.
    * `turn_limit` ends a play-out after so many plies; it counts as a draw.
    * `seconds` ends the search after this time, in which case not all plies were played out.
    * `seed`, `evaluation`, `weights` and `record` are those of any search.

    >>> FlatOptions(rollouts="progressive", n=100).playouts_each(122, 61)
    222
    """

    algorithm: ClassVar[str] = "monte_carlo"

    rollouts: Rollouts = "fixed"
    n: int = 100
    growth: Growth = "plies"
    growth_rate: float = 1.0
    source: Source = "pseudo"
    quasi_turns: int = 10
    turn: int = 1
    most_playouts: int | None = None
    ties: Ties = "first"
    record_playouts: int = 0
    turn_limit: int = 1_000
    seconds: float | None = None
    seed: int | None = None
    evaluation: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    record: bool = True

    def __post_init__(self) -> None:
        check_one_of("rollouts", self.rollouts, get_args(Rollouts))
        check_one_of("growth", self.growth, get_args(Growth))
        check_one_of("source", self.source, get_args(Source))
        check_one_of("ties", self.ties, get_args(Ties))
        check_whole("n", self.n, 0, 2**31 - 2)
        check_whole("record_playouts", self.record_playouts, 0, MOST_RECORDED)
        check_whole("quasi_turns", self.quasi_turns, 0, 2**31 - 2)
        check_number("growth_rate", self.growth_rate, 0, 1e6)
        for name in ("turn", "turn_limit", "most_playouts"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), 1, 2**31 - 2)
        if self.seed is not None:
            check_whole("seed", self.seed, 0, 2**64 - 1)
        if self.seconds is not None:
            check_positive("seconds", self.seconds)
        for name, weight in self.weights.items():
            check_number(f"weights: {name}", weight, -math.inf, math.inf)
        if not isinstance(self.evaluation, str | None):
            raise OptionError(f"evaluation: {self.evaluation!r}, expected the name of one")
        if self.rollouts == "fixed" and (self.growth != "plies" or self.growth_rate != 1.0):
            raise OptionError("growth: fixed play-outs do not grow; expected rollouts='progressive'")

    @property
    def kind(self) -> int:
        """The source of this turn, as kernels know it."""
        return PSEUDO if self.source == "mix" and self.turn > self.quasi_turns else _KINDS[self.source]

    def raised(self, n_plies: int, n_cells: int) -> int:
        """The play-outs of each ply, before the bound on all of them."""
        if self.rollouts == "fixed":
            return self.n
        grown = self.n + self.growth_rate * (n_plies if self.growth == "plies" else n_cells)
        return min(round(grown), 2**31 - 2)

    def playouts_each(self, n_plies: int, n_cells: int) -> int:
        """The play-outs of each of `n_plies` legal plies, which end on `n_cells` cells."""
        raised = self.raised(n_plies, n_cells)
        if self.most_playouts is None or n_plies == 0 or raised == 0:
            return raised
        return min(raised, max(1, self.most_playouts // n_plies))
