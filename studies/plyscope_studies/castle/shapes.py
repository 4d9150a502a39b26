"""The sets of 1 to 3 touching cells of a plan, and the cells around each, as arrays; once a plan."""

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
    around: Ints
    """[shape, place]: the cells beside a shape, padded with the number of cells."""
    touches: npt.NDArray[np.bool_]
    """[shape, place, tile]: whether that cell is beside that tile's."""


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
    one, two, three = (_arrays(sorted(map(sorted, layer)), neighbours, n_columns) for layer in layers)
    return one, two, three


def shapes_for(rules: Rules) -> tuple[Shapes, Shapes, Shapes]:
    """The shapes of a plan's cells."""
    return shapes_of(rules.neighbours, rules.plan.n_columns)


def _arrays(listed: list[list[int]], neighbours: tuple[tuple[int, ...], ...], n_columns: int) -> Shapes:
    size = len(listed[0]) if listed else 1
    around = [sorted({b for cell in cells for b in neighbours[cell]} - set(cells)) for cells in listed]
    widest = max((len(each) for each in around), default=1)
    padded = np.full((len(listed), widest), len(neighbours), np.int64)
    touches = np.zeros((len(listed), widest, size), bool)
    for shape, (cells, beside) in enumerate(zip(listed, around, strict=True)):
        padded[shape, : len(beside)] = beside
        for place, cell in enumerate(beside):
            touches[shape, place] = [each in neighbours[cell] for each in cells]
    lines = np.array([is_line(cells, n_columns) for cells in listed], bool)
    return Shapes(np.array(listed, np.int64).reshape(-1, size), lines, padded, touches)
