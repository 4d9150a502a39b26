"""The options of a Monte Carlo tree search, and their checks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal, get_args

from plyscope.engine.options import OptionError, check_number, check_one_of, check_positive, check_whole

Select = Literal["ucb1", "plain"]
Choose = Literal["visits", "mean"]

PLAYOUTS: Final = 1_000
"""Play-outs of a search that is given neither their number nor a time."""
MOST_POWER: Final = 100
HEURISTIC: Final = "heuristic"
RING: Final = "ring"


@dataclass(frozen=True)
class MonteCarloOptions:
    """The options of a Monte Carlo tree search.

    * `playouts` ends the search after so many, `seconds` after this time, whichever comes first; with
      neither it makes 1,000.
    * `select`: `ucb1` takes the child with the largest mean + `c` · sqrt(ln N / n); `plain` any, all with the
      same chance.
    * `guide`: `ring` draws the plies of play-outs by the tiles around the queens after them, to the power
      `guide_power`; 0 makes all alike.
    * `fpu` (first-play urgency): the urgency of a child without visits, which otherwise always comes first;
      `heuristic`: it does, and of several the one with the best evaluation.
    * `turn_limit` ends a play-out after so many plies; it counts as a draw.
    * `choose` says by which figure the ply is chosen.
    * `seed` is that of all draws (None: drawn and logged).
    * `log_visits`: children with fewer visits have no row of their own.
    * `evaluation` and `weights` are those of a search's options: `fpu="heuristic"` judges by them, and who
      won a game that is decided by points.

    >>> MonteCarloOptions(playouts=4000, c=1.0).select
    'ucb1'
    """

    algorithm: ClassVar[str] = "mcts"

    playouts: int | None = None
    seconds: float | None = None
    select: Select = "ucb1"
    c: float = 1.4
    guide: str | None = None
    guide_power: float = 1.0
    fpu: float | str | None = None
    turn_limit: int = 100
    choose: Choose = "visits"
    seed: int | None = None
    log_visits: int = 1
    evaluation: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    record: bool = True

    def __post_init__(self) -> None:
        for name in ("playouts", "turn_limit", "log_visits"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), 1, 2**31 - 2)
        if self.seed is not None:
            check_whole("seed", self.seed, 0, 2**64 - 1)
        if self.seconds is not None:
            check_positive("seconds", self.seconds)
        check_one_of("select", self.select, get_args(Select))
        check_one_of("choose", self.choose, get_args(Choose))
        check_number("c", self.c, 0, math.inf)
        check_number("guide_power", self.guide_power, 0, MOST_POWER)
        if self.guide not in (None, RING):
            raise OptionError(f"guide: {self.guide!r}, expected {RING}")
        if self.guide is None and self.guide_power != 1.0:
            raise OptionError(f"guide_power: nothing guides play-outs; expected guide={RING!r}")
        if self.select == "plain" and self.c != type(self).c:
            raise OptionError("c: plain selection adds nothing to a mean; expected select='ucb1'")
        self._check_fpu()
        for name, weight in self.weights.items():
            check_number(f"weights: {name}", weight, -math.inf, math.inf)
        if not isinstance(self.evaluation, str | None):
            raise OptionError(f"evaluation: {self.evaluation!r}, expected the name of one")

    def _check_fpu(self) -> None:
        if self.fpu is None or self.fpu == HEURISTIC:
            return
        if isinstance(self.fpu, str):
            raise OptionError(f"fpu: {self.fpu!r}, expected a number or {HEURISTIC}")
        check_number("fpu", self.fpu, -math.inf, math.inf)
        if self.select == "plain":
            raise OptionError("fpu: plain selection knows no urgency; expected select='ucb1'")

    @property
    def most_playouts(self) -> int | None:
        """The play-outs after which the search ends; None if time alone ends it."""
        return PLAYOUTS if self.playouts is None and self.seconds is None else self.playouts


def check_guide(game: Any, options: MonteCarloOptions) -> None:
    """Raise `OptionError` for guided play-outs of a game without queens.

    >>> from types import SimpleNamespace
    >>> check_guide(SimpleNamespace(name="nim"), MonteCarloOptions(guide="ring"))
    Traceback (most recent call last):
    plyscope.engine.options.OptionError: guide: nim has no ring, which counts the tiles around its queens
    """
    if options.guide == RING and not hasattr(game, RING):
        name = getattr(game, "name", type(game).__name__)
        raise OptionError(f"guide: {name} has no {RING}, which counts the tiles around its queens")
