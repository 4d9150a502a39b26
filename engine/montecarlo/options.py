"""The options of a Monte Carlo tree search, and their checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, get_args

from plyscope.engine.option import AnyOptions, Number, OptionError, Whole, Word, option

Select = Literal["ucb1", "plain"]
Choose = Literal["visits", "mean"]

PLAYOUTS: Final = 1_000
"""Play-outs of a search that is given neither their number nor a time."""
MANY: Final = Whole(1, 2**31 - 2)
HEURISTIC: Final = "heuristic"
RING: Final = "ring"


@dataclass(frozen=True)
class MonteCarloOptions(AnyOptions):
    """The options of a Monte Carlo tree search.

    * `playouts` and `seconds` end the search, whichever comes first.
    * `select`: `ucb1` takes the child with the largest mean + `c` · sqrt(ln N / n).
    * `guide`: `ring` draws plies by that figure, to the power `guide_power`.
    * `fpu` is the urgency of a child without visits, which otherwise always comes first; `heuristic`: it
      does, and of several the one with the best evaluation.
    * `evaluation` and `weights` are what `fpu="heuristic"` judges by, and who won a game that is decided by
      points.

    >>> MonteCarloOptions(playouts=4000, c=1.0).select
    'ucb1'
    """

    algorithm: ClassVar[str] = "mcts"

    playouts: int | None = option(
        None, MANY, "Play-outs to make; 1,000 if neither they nor --seconds are given.", "N"
    )
    select: Select = option(
        "ucb1", Word(get_args(Select)), "Choose children by UCB1, or uniformly at random."
    )
    c: float = option(1.4, Number(0), "Constant of UCB1 exploration.")
    fpu: float | str | None = option(
        None,
        Number(word=HEURISTIC),
        "First-play urgency: a child without visits counts U and need not come first; heuristic: of those "
        "without visits the one of the best evaluation comes first.",
        "U|heuristic",
    )
    guide: str | None = option(
        None, Word((RING,)), "Draw the plies of play-outs by the tiles around the queens after them (Hive)."
    )
    guide_power: float = option(
        1.0, Number(0, 100), "How strongly the guide counts; 0 makes all plies alike."
    )
    turn_limit: int = option(100, MANY, "End a play-out after N plies, as a draw.", "N")
    choose: Choose = option(
        "visits", Word(get_args(Choose)), "Play the ply with the most visits, or the best mean."
    )
    log_visits: int = option(1, MANY, "Log children with fewer visits as one row.", "N")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.guide is None and self.guide_power != type(self).guide_power:
            raise OptionError(f"guide_power: nothing guides play-outs; expected guide={RING!r}")
        if self.select == "plain" and self.c != type(self).c:
            raise OptionError("c: plain selection adds nothing to a mean; expected select='ucb1'")
        if self.select == "plain" and self.fpu not in (None, HEURISTIC):
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
    plyscope.engine.option.OptionError: guide: nim has no ring, which counts the tiles around its queens
    """
    if options.guide == RING and not hasattr(game, RING):
        name = getattr(game, "name", type(game).__name__)
        raise OptionError(f"guide: {name} has no {RING}, which counts the tiles around its queens")
