"""An algorithm as a package brings it: tree search whose play-outs grow from turn to turn of a match."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from typing import Any, ClassVar, Final

import pytest

from plyscope.engine import algorithms
from plyscope.engine.algorithms import Algorithm
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import search as grow
from plyscope.engine.option import AnyOptions, Whole, option
from plyscope.engine.record.recording import Recording


@dataclass(frozen=True)
class GrowingOptions(AnyOptions):
    """`n` hundred play-outs in the first turn, a hundred more in each further one."""

    algorithm: ClassVar[str] = "growing"

    n: int = option(1, Whole(1, 100))


def search(
    game: Any, position: Any, options: GrowingOptions, *told: Any, carried: int | None = None, **more: Any
) -> Recording:
    n = carried or options.n
    asked = MonteCarloOptions(playouts=100 * n, seed=options.seed, record=options.record)
    found = grow(game, position, asked, *told, **more)
    found.header["search"]["algorithm"] = options.algorithm
    found.header["result"]["playouts_each"] = n
    return replace(found, table=n + 1)


GROWING: Final = Algorithm("growing play-outs", GrowingOptions, search)


@contextmanager
def installed() -> Iterator[None]:
    """A package that brings it is installed, and no other that brings an algorithm."""
    point = EntryPoint("growing", f"{__name__}:GROWING", algorithms.GROUP)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(algorithms, "entry_points", lambda group: [point])
        yield
