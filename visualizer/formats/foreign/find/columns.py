"""Tables written by columns: lists of equal length, one of which names parents or children."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plyscope.visualizer.formats.foreign.find.places import places_in
from plyscope.visualizer.formats.foreign.find.probe import NAMES
from plyscope.visualizer.formats.foreign.find.rows import PARENTS
from plyscope.visualizer.formats.foreign.meaning.fields import plain

FEWEST: Final = 2


def rows_of_columns(document: object) -> list[dict[str, Any]] | None:
    """The rows of the table by columns that a document is or holds; None where there is none.

    Rows get their number as `id`, from 0 or from 1, as the parents or children in the table count.

    >>> rows_of_columns({"parents": [-1, 0, 0], "visits": [9, 5, 3], "of": "mine"})[1]
    {'id': 1, 'parents': 0, 'visits': 5}
    >>> rows_of_columns({"children": [[2, 3], [], []], "text": ["s", "a", "b"]})[0]
    {'id': 1, 'children': [2, 3], 'text': 's'}
    >>> rows_of_columns({"x": [1, 2, 3], "y": [4, 5, 6]}) is None
    True
    """
    for place in places_in(document):
        if isinstance(place.value, dict) and (rows := _rows(place.value)) is not None:
            return rows
    return None


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    lists = {name: held for name, held in columns.items() if isinstance(held, list)}
    for name, held in lists.items():
        n_rows = len(held)
        if n_rows < FEWEST:
            continue
        if plain(name) in PARENTS:
            links = [(each, at) for at, each in enumerate(held) if each is not None and each != -1]
        elif plain(name) in NAMES and all(isinstance(each, list) for each in held):
            links = [(at, child) for at, each in enumerate(held) for child in each]
        else:
            continue
        first = _first_number(links, n_rows, of_parents=plain(name) in PARENTS)
        if first is None:
            continue
        whole = [other for other, values in lists.items() if len(values) == n_rows]
        if len(whole) < FEWEST:
            continue
        return [{"id": at + first} | {other: lists[other][at] for other in whole} for at in range(n_rows)]
    return None


def _first_number(links: Sequence[tuple[Any, Any]], n_rows: int, *, of_parents: bool) -> int | None:
    """0 or 1 as the number of the first row, so that each parent comes before its child; None if neither."""
    if not links or not all(type(end) is int for link in links for end in link):
        return None
    for first in (0, 1):
        ends = [(up - first, to) if of_parents else (up, to - first) for up, to in links]
        if all(0 <= up < to < n_rows for up, to in ends):
            return first
    return None
