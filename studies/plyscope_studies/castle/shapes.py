"""The sets of 1 to 3 touching cells of a plan as arrays, once a plan."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope_studies.castle.game import Rules, is_line

Ints = npt.NDArray[np.int64]


class Shapes(NamedTuple):
    """All sets of as many touching cells."""

    cells: Ints
    """[shape, tile], ascending."""
    is_line: npt.NDArray[np.bool_]


@lru_cache(maxsize=8)
def shapes_of(neighbours: tuple[tuple[int, ...], ...], n_columns: int) -> tuple[Shapes, Shapes, Shapes]:
    """The shapes of one, two and three cells."""
    layers = [{frozenset([cell]) for cell in range(len(neighbours))}]
    for _ in range(2):
        layers.append(
            {
                shape | {beside}
                for shape in layers[-1]
                for cell in shape
                for beside in neighbours[cell]
                if beside not in shape
            }
        )
    one, two, three = (_arrays(sorted(map(sorted, layer)), n_columns) for layer in layers)
    return one, two, three


def shapes_for(rules: Rules) -> tuple[Shapes, Shapes, Shapes]:
    """The shapes of a plan's cells."""
    return shapes_of(rules.neighbours, rules.plan.n_columns)


def _arrays(listed: list[list[int]], n_columns: int) -> Shapes:
    size = len(listed[0]) if listed else 1
    lines = np.array([is_line(cells, n_columns) for cells in listed], bool)
    return Shapes(np.array(listed, np.int64).reshape(-1, size), lines)
