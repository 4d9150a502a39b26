"""Sentences about a foreign document, above all the reason why it is no tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plyscope.engine.quoting import counted
from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.foreign.meaning.fields import number

LISTED: Final = 3
"""The names that a notice lists; it counts the rest."""


def refusal(document: object, children: str | None) -> str:
    """The reason why a document is no tree, or none by the field `children` that a person named."""
    if children is None:
        return f"this looks like {looks_like(document)}; {EXPECTED}"
    objects = document if isinstance(document, list) else [document]
    seen = list(dict.fromkeys(name for item in objects[:100] if isinstance(item, dict) for name in item))
    what = f"fields seen: {', '.join(seen[:30])}" if seen else f"this looks like {looks_like(document)}"
    return f'mapping: nothing holds nodes under "{children}"; {what}'


EXPECTED: Final = (
    "expected a tree, objects that hold their children: "
    '{"name": "root", "children": [{"name": "c6", "score": 3}]}'
)


def looks_like(document: object) -> str:
    """A description of a document that is no tree.

    >>> looks_like([12, 7, 9])
    'a list of 3 numbers'
    >>> looks_like([[["x", "o", ""], ["", "x", ""], ["", "", "o"]]] * 4)
    'a list of 4 boards of 3 × 3 cells'
    >>> looks_like([{"move": "c6", "score": 3}, {"move": "d6", "score": 1}])
    'a table of 2 rows (move, score) of which none says what lies below it'
    >>> looks_like({"name": "left-pad", "version": "1.3.0"})
    'an object of 2 fields (name, version) of which none holds nodes'
    """
    if isinstance(document, dict):
        if not document:
            return "an empty object"
        rows = list(document.values())
        if len(rows) > 1 and all(
            isinstance(row, dict) and row and list(row) == list(rows[0]) for row in rows
        ):
            return f"a table of {len(rows)} × {len(rows[0])} values by row and column ({_named(document)})"
        return (
            f"an object of {counted(len(document), 'field')} ({_named(document)}) of which none holds nodes"
        )
    if not isinstance(document, list):
        return f"a single value, {shown(document)}"
    items = [item for item in document if item is not None]
    if not items:
        return "an empty list"
    if all(isinstance(item, dict) for item in items):
        return _table(items)
    if all(isinstance(item, list) for item in items):
        return _lists(items)
    if all(number(item) is not None for item in items):
        return f"a list of {counted(len(items), 'number')}"
    if all(isinstance(item, str) for item in items):
        return f"a list of {counted(len(items), 'text')}"
    return f"a list of {counted(len(items), 'thing')} of different kinds"


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows[:100] for name in row))
    cells = next((row[name] for row in rows for name in names if _grid(row.get(name))), None)
    if cells is not None:
        n_rows = counted(len(rows), "position")
        return f"a list of {n_rows} ({_named(names)}) of which none says what lies below it"
    return f"a table of {counted(len(rows), 'row')} ({_named(names)}) of which none says what lies below it"


def _lists(lists: Sequence[list[Any]]) -> str:
    grids = {_grid(item) for item in lists}
    if len(grids) == 1 and (grid := next(iter(grids))):
        return f"a list of {counted(len(lists), 'board')} of {grid[0]} × {grid[1]} cells"
    if all(not isinstance(cell, list | dict) for item in lists for cell in item):
        widths = {len(item) for item in lists}
        if len(widths) == 1:
            return f"a board or table of {len(lists)} × {widths.pop()} values"
        return f"a list of {counted(len(lists), 'list')} of values"
    return "lists in lists, of which nothing says what is a node and what a score"


def _grid(value: object) -> tuple[int, int] | None:
    """The rows and columns of a list of equally long lists of scalars."""
    if (
        not isinstance(value, list)
        or len(value) < 2
        or not all(isinstance(row, list) and row for row in value)
    ):
        return None
    if len({len(row) for row in value}) != 1 or any(
        isinstance(cell, list | dict) for row in value for cell in row
    ):
        return None
    return len(value), len(value[0])


def _named(names: Mapping[str, Any] | Sequence[str]) -> str:
    first = [name if len(name) <= 30 else f"{name[:29]}…" for name in list(names)[:6]]
    return ", ".join(first) + (", …" if len(names) > 6 else "")


def listed(names: Sequence[str]) -> str:
    """The first few names in quotes, and the number of the others.

    >>> listed(["a", "b", "c", "d", "e"])
    '"a", "b", "c" and 2 more'
    """
    shown = ", ".join(f'"{name}"' for name in names[:LISTED])
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED} more"
