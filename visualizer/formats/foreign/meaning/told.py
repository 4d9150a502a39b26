"""The values of a foreign tree's fields, converted to those of our fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.find.probe import ply_text
from plyscope.visualizer.formats.foreign.meaning.fields import plain
from plyscope.visualizer.formats.foreign.meaning.guess import BOUND_WORDS


def told_for(role: str, values: Sequence[Any]) -> tuple[list[Any], npt.NDArray[np.bool_]]:
    """The values converted for a role, None where one does not fit, and a mask of those that lose nothing.

    >>> told, is_whole = told_for("ply", ["e4", {"from": "e2", "to": "e4"}, None])
    >>> told, is_whole.tolist()
    (['e4', 'e2e4', None], [True, False, True])
    """
    told = [None if value is None else TOLD[role](value) for value in values]
    if role == "ply":
        is_whole = [
            isinstance(value, int | float) or value == said for value, said in zip(values, told, strict=True)
        ]
    else:
        is_whole = [value is None or said is not None for value, said in zip(values, told, strict=True)]
    return told, np.array(is_whole, np.bool_)


def board_text(value: object) -> str | None:
    """A board as text, row by row, from text, lists of rows, or a list of the cells of a square.

    >>> print(board_text(["x", "o", None, None, "x", None, None, None, "o"]))
    x o .
    . x .
    . . o
    >>> board_text({"a1": "R"}) is None
    True
    """
    if isinstance(value, str):
        return value or None
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(row, str) and len(row) > 1 for row in value):
        return "\n".join(value)
    rows = value
    if not any(isinstance(row, list) for row in value):
        width = isqrt(len(value))
        if width < 2 or width * width != len(value):
            return None
        rows = [value[start : start + width] for start in range(0, len(value), width)]
    if not all(
        isinstance(row, list) and not any(isinstance(cell, list | dict) for cell in row) for row in rows
    ):
        return None
    cells = [["." if cell in (None, "", " ") else str(cell) for cell in row] for row in rows]
    widest = max((len(cell) for row in cells for cell in row), default=0)
    return "\n".join(" ".join(cell.rjust(widest) for cell in row) for row in cells)


TOLD: Final[Mapping[str, Callable[[Any], Any]]] = {
    "ply": ply_text,
    "player": lambda value: str(value) if isinstance(value, str | int | float) else None,
    "bound": lambda value: BOUND_WORDS.get(plain(value)) if isinstance(value, str) else None,
    "position": lambda value: value if isinstance(value, str) and value else None,
    "board": board_text,
}
"""By role, the function that converts a value; None for one that does not fit."""
