"""The half item at the end of a document that was cut short, which would hide its tree."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from plyscope.visualizer.formats.foreign.find.rows import ENDS, IDS, PARENTS, TARGETS
from plyscope.visualizer.formats.foreign.meaning.fields import plain

LINKING: Final = frozenset((*PARENTS, *(end for ends in ENDS for end in ends), "nodeto"))
"""Plain names of fields that name another node."""


def without_half(document: Any, n_open: int) -> Any:
    """A copy of a document that was cut short, without a half item that the one before shows to be half.

    `n_open` containers are open, each the last value in the one before; empty ones are left out. The tree is
    found in this copy, since a row that lacks its id, or an edge with one end, would hide it.

    >>> without_half([{"id": 1, "parent": 0}, {"id": 2}], 2), without_half([{"v": 1, "kids": [{"v": 2}]}], 4)
    ([{'id': 1, 'parent': 0}], [{'v': 1, 'kids': [{'v': 2}]}])
    """
    holders: list[Any] = []
    value = document
    while len(holders) < n_open and isinstance(value, dict | list):
        holders.append(copied := value.copy())
        if len(holders) > 1:
            holders[-2][_last_step(holders[-2])] = copied
        value = value[_last_step(value)] if value else None
    while len(holders) > 1 and not holders[-1]:
        holders.pop()
        _leave_out_last(holders[-1])
    for outer, inner in reversed([*pairwise(holders)]):
        is_map = isinstance(outer, dict) and all(isinstance(each, dict) for each in outer.values())
        if len(outer) > 1 and (isinstance(outer, list) or is_map):
            before = outer[-2] if isinstance(outer, list) else outer[[*outer][-2]]
            if _is_half(inner, before):
                _leave_out_last(outer)
            break
    return holders[0] if holders else document


def _last_step(container: Any) -> Any:
    return -1 if isinstance(container, list) else next(reversed(container))


def _leave_out_last(container: Any) -> None:
    if container:
        del container[_last_step(container)]


def _is_half(value: Any, before: Any) -> bool:
    """Whether a value lacks items of the one before it, or a field that names it or leads to another."""
    if isinstance(value, list) and isinstance(before, list):
        return len(value) < len(before)
    while isinstance(value, dict) and isinstance(before, dict):
        if any(name not in value for name in _linking(before)):
            return True
        last = next(reversed(value), None)
        value, before = value.get(last), before.get(last)
    return False


def _linking(fields: Mapping[str, Any]) -> list[str]:
    """The names of the scalars by which others name an object, or by which it names others."""
    said = {name: plain(name) for name, held in fields.items() if not isinstance(held, dict | list)}
    ids = sorted((name for name in said if said[name] in IDS), key=lambda name: IDS.index(said[name]))
    return ids[:1] + [name for name in said if said[name] in LINKING or said[name].startswith(TARGETS)]
