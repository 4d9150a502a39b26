"""`plyscope.statistics` and `quotient`: the figures of a search, and how often each rank is drawn."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from plyscope.engine.option import OptionError
from plyscope.engine.quotient import draw_ranks
from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.columns.kernel_call import QUICK_ROWS
from plyscope.visualizer.analysis.quotient import (
    ChiSquare,
    RankChance,
    chi_square,
    lines_of,
    rank_chances,
    svg_of,
)
from plyscope.visualizer.analysis.statistics.figures import Statistics
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.store.tree import Tree

USUAL_PLIES: Final = 10
MOST_PLIES: Final = 1000


def statistics(
    log: Log | Source, *, map: Mapping[str, str] | str | None = None, progress: bool | None = None
) -> Statistics:
    """Count a log: one that is open, or whatever `plyscope.open` opens. Raises LogError.

    A large log compiles the counting first, once on a machine.

    >>> found = statistics('{"plyscope": 1, "root": {"children": [{"ply": "a"}, {"ply": "b"}]}}')
    >>> found.levels[0].branching, [lack.figure for lack in found.missing][:1]
    (2.0, ['limits'])
    """
    tree = tree_of(this := opened(log, map, progress))
    with StatusLine.of_call(progress) as status:
        return shown(this.name, tree, status)


def shown(name: str, tree: Tree, status: StatusLine) -> Statistics:
    """The figures of a tree, while `status` says what takes long."""
    if tree.log.n_rows > QUICK_ROWS:
        status.show(f"counting {name}")
    return counted_in(
        tree,
        name=name,
        on_compiling=lambda: status.wait(f"counting {name}  compiling, once on a machine …"),
    )


@dataclass(frozen=True)
class RankChances:
    """The chances of all ranks. `str` of it is the table; notebooks show the chart."""

    quotient: int
    ranks: tuple[RankChance, ...]
    counts: tuple[int, ...] | None = None
    """How often each rank was drawn; None without draws."""
    seed: int | None = None
    """The seed of the draws."""
    chi_square: ChiSquare | None = field(default=None)
    """The draws against the chances; None without draws, or where they are too few to say."""

    @property
    def svg(self) -> str:
        """The chart as SVG: bars by rank, drawn frequencies as rings."""
        return svg_of(self.quotient, self.ranks, self.counts)

    def as_json(self) -> dict[str, Any]:
        """The figures as `plyscope quotient --json` writes them."""
        return asdict(self)

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return "\n".join(lines_of(self.quotient, self.ranks, self.counts, self.seed, self.chi_square))


def quotient(
    quotient: int, *, plies: int = USUAL_PLIES, draws: int | None = None, seed: int | None = None
) -> RankChances:
    """Return how often each rank of `plies` plies is played under the randomness quotient.

    Rank r, 0 for the best ply, has probability (Q - 1) / Q^(r + 1), the last 1 / Q^r. With `draws` that many
    ranks are drawn as searches draw them, from one generator that `seed` starts (one is chosen where none is
    given), and held against the chances by a χ² test.

    Raises OptionError, a ValueError, for a quotient below 2, plies not from 1 to 1,000, draws below 1.

    >>> [each.probability for each in quotient(2, plies=4).ranks]
    [0.5, 0.25, 0.125, 0.125]
    """
    _within("quotient", quotient, 2, None)
    _within("plies", plies, 1, MOST_PLIES)
    chances = rank_chances(quotient, plies)
    if draws is None:
        if seed is not None:
            raise OptionError(
                "seed: there is nothing to draw; expected a number of draws, such as draws=100000"
            )
        return RankChances(quotient, chances)
    _within("draws", draws, 1, None)
    seed = random.randrange(2**31) if seed is None else seed
    counts = tuple(draw_ranks(quotient, seed, plies, draws))
    return RankChances(quotient, chances, counts, seed, chi_square(counts, chances))


def _within(name: str, number: int, least: int, most: int | None) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < least or number > (most or number):
        wanted = f"a whole number from {least}" + ("" if most is None else f" to {most:,}")
        raise OptionError(f"{name}: found {number!r}, expected {wanted}")
