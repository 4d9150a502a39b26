"""The values of a foreign tree's fields, converted to those of our fields."""

from __future__ import annotations

from math import isqrt
from typing import Any, Final

from plyscope.visualizer.formats.foreign.find.probe import ply_text
from plyscope.visualizer.formats.foreign.meaning.fields import number, plain
from plyscope.visualizer.formats.foreign.meaning.guess import BOUND_WORDS
from plyscope.visualizer.formats.foreign.meaning.label_texts import number_in_text

NUMBERS: Final = frozenset(
    ("score", "pre_score", "static", "depth", "visits", "mean", "prior", "alpha", "beta"),
)
SCALARS: Final = (str, int, float)


def told_for(role: str, value: Any) -> tuple[Any, bool]:
    """The value converted for a role, None if it does not fit, and whether nothing of it is lost.

    >>> told_for("score", "12.5"), told_for("score", "c6 12.5"), told_for("ply", {"from": "e2", "to": "e4"})
    ((12.5, True), (12.5, False), ('e2e4', False))
    """
    told: Any = None
    if role in NUMBERS:
        told = number(value)
        if told is None and isinstance(value, str):
            return number_in_text(value, role), False
    elif role == "ply":
        told = ply_text(value)
        return told, isinstance(value, int | float) or told == value
    elif role == "player":
        told = str(value) if isinstance(value, SCALARS) else None
    elif role == "bound":
        told = BOUND_WORDS.get(plain(value)) if isinstance(value, str) else None
    elif role == "position":
        told = value if isinstance(value, str) and value else None
    elif role == "board":
        told = board_text(value)
    return told, told is not None


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
