"""The options of flat Monte Carlo, and their checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal, NamedTuple, get_args

from plyscope.engine.option import AnyOptions, Number, OptionError, Whole, Word, option
from plyscope_studies.flat.sources import EXAMPLE, HALTON, PSEUDO, TEXT

Rollouts = Literal["fixed", "progressive"]
Growth = Literal["plies", "cells"]
Source = Literal["pseudo", "quasi", "example", "mix", "halton"]
Ties = Literal["first", "random"]

_KINDS: Final = {"pseudo": PSEUDO, "quasi": TEXT, "example": EXAMPLE, "mix": TEXT, "halton": HALTON}

MANY: Final = Whole(1, 2**31 - 2)
FROM_NONE: Final = Whole(0, 2**31 - 2)
MOST_RECORDED: Final = 100
"""Play-outs of each ply that a log keeps at most: at the start of Odd these are some 700,000 nodes."""


class Next(NamedTuple):
    """With what a player goes on in its next turn: the number of that, and its play-outs of each ply."""

    turn: int
    n: int


@dataclass(frozen=True)
class FlatOptions(AnyOptions):
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

    rollouts: Rollouts = option("fixed", Word(get_args(Rollouts)))
    n: int = option(100, FROM_NONE)
    growth: Growth = option("plies", Word(get_args(Growth)))
    growth_rate: float = option(1.0, Number(0, 1e6))
    source: Source = option("pseudo", Word(get_args(Source)))
    quasi_turns: int = option(10, FROM_NONE)
    turn: int = option(1, MANY)
    most_playouts: int | None = option(None, MANY)
    ties: Ties = option("first", Word(get_args(Ties)))
    record_playouts: int = option(0, Whole(0, MOST_RECORDED))
    turn_limit: int = option(1_000, MANY)

    def __post_init__(self) -> None:
        super().__post_init__()
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
