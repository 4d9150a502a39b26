"""The uniformity of a source's draws: a histogram, and its χ² against equal chances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plyscope.engine import jit
from plyscope.engine.game import Array
from plyscope.engine.jit import kernel
from plyscope.engine.montecarlo.draws import source_of
from plyscope_studies.flat.sources import KINDS, draw_one, shifts_of


@dataclass(frozen=True)
class Histogram:
    """A histogram: how often each of the numbers 0 … n-1 was drawn."""

    counts: tuple[int, ...]

    @property
    def shares(self) -> tuple[float, ...]:
        """The counts as parts of all draws."""
        return tuple(count / sum(self.counts) for count in self.counts)

    @property
    def chi_square(self) -> float:
        """Pearson's χ² against equal chances; its degrees of freedom are one less than there are numbers.

        >>> Histogram((60, 40)).chi_square
        4.0
        """
        expected = sum(self.counts) / len(self.counts)
        return sum((count - expected) ** 2 for count in self.counts) / expected


@kernel
def count_draws(kind: int, source: Array, shifts: Array, n: int, n_draws: int, counts: Array) -> None:
    """Draw one of `n` so often, and count each; of Halton's points the first coordinate."""
    for point in range(n_draws):
        counts[draw_one(kind, source, shifts, point, 0, n)] += 1


def histogram(source: str, n: int, n_draws: int, seed: int, *, compiled: bool = True) -> Histogram:
    """Draw one of `n` by a source (`pseudo`, `text`, `example`, `halton`) `n_draws` times.

    >>> histogram("halton", 4, 4096, 1, compiled=False).counts
    (1024, 1024, 1024, 1024)
    """
    words = source_of(seed)
    shifts = shifts_of(words)
    counts = np.zeros(n, np.int64)
    count = jit.compiled(count_draws) if compiled else count_draws
    count(KINDS[source], words, shifts, n, n_draws, counts)
    return Histogram(tuple(counts.tolist()))
