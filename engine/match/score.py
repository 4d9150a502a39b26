"""The score of one player: its share of the points of the games, with the uncertainty."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from typing import Final

Z_95: Final = 1.959963984540054
"""How many standard errors an interval of 95 % reaches to each side."""


@dataclass(frozen=True)
class Score:
    """Games won, drawn and lost.

    won_by_fault, lost_by_fault  how many of those won and lost ended by a fault of the loser
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    won_by_fault: int = 0
    lost_by_fault: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))

    @property
    def n_games(self) -> int:
        """All games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A win is 1, a draw 0.5."""
        return self.won + self.drawn / 2

    @property
    def share(self) -> float:
        """The points of each game; NaN where none was played.

        >>> Score(3, 2, 1).share
        0.6666666666666666
        """
        return self.points / self.n_games if self.n_games else math.nan

    @property
    def error(self) -> float:
        """The standard error of that share, from the spread of the games; NaN where none was played."""
        if not self.n_games:
            return math.nan
        squares = self.won + self.drawn / 4 - self.n_games * self.share**2
        return math.sqrt(max(squares, 0.0)) / self.n_games

    @property
    def reversed(self) -> Score:
        """The same games as the other player sees them."""
        return Score(self.lost, self.drawn, self.won, self.lost_by_fault, self.won_by_fault)

    @property
    def by_fault(self) -> int:
        """The games that ended by a fault of either."""
        return self.won_by_fault + self.lost_by_fault

    @property
    def without_faults(self) -> Score:
        """The other games."""
        return Score(self.won - self.won_by_fault, self.drawn, self.lost - self.lost_by_fault)


def wilson(share: float, n_games: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share of `n_games`; (0, 1) where there are none.

    For a share with draws, which vary less than wins and losses, it is wider than necessary.
    Wilson, Probable inference, the law of succession, and statistical inference, 1927.

    >>> [round(end, 3) for end in wilson(0.7, 60)]
    [0.575, 0.801]
    """
    if not n_games:
        return 0.0, 1.0
    middle = (share + z * z / (2 * n_games)) / (1 + z * z / n_games)
    spread = math.sqrt(share * (1 - share) / n_games + (z / (2 * n_games)) ** 2)
    half = z * spread / (1 + z * z / n_games)
    return max(0.0, middle - half), min(1.0, middle + half)
