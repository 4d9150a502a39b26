"""The value that a row states of a field, as plain Python: floats may be infinite or NaN, nothing is cut."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.fields import Field, Kind, entry_of
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.positions import respelled, shown_ply


def value_of(log: Log, row: int, field: Field, most_values: int | None = None) -> Any:
    """The value of `field` at `row`, None where the row does not state it.

    Open edges of a window are infinite. Lists have None for unknown items, and at most `most_values` entries;
    contributions are a list in the order of `Log.contribution_names`. A table entry is a dict by inner names,
    with `from` as an id.

    >>> from plyscope.visualizer.formats.detect import read_log
    >>> from plyscope.visualizer.store.fields import FIELDS
    >>> log = read_log(b'{"plyscope": 1, "root": {"layer": "max", "alpha": null, "beta": "inf", "moves": 3}}')
    >>> [value_of(log, 0, FIELDS[name]) for name in ("layer", "alpha", "beta", "moves", "score")]
    ['max', -inf, inf, 3, None]
    """
    if field.kind in _LISTS:
        return _LISTS[field.kind](log, row, field, most_values)
    return _BESIDE[field.name](log, row) if field.name in _BESIDE else _READ[field.kind](log, row, field)


def names_in(log: Log, group: str) -> list[str]:
    """Return the names of the values of `factors`, `contributions` or `scores`, in their order, each once.

    Scores are called by the players where there are as many; the second `a` of a header is `a#2`.
    """
    if group == "factors":
        names: Sequence[str] = [factor.name for factor in log.factors]
    elif group == "contributions":
        names = log.contribution_names
    else:
        matrix = log.column(group)
        n_values = 0 if matrix is None else matrix.shape[1]
        names = log.players if len(log.players) == n_values else [str(at) for at in range(n_values)]
    before = Counter[str]()
    distinct = []
    for name in names:
        before[name] += 1
        distinct.append(name if before[name] == 1 else f"{name}#{before[name]}")
    return distinct


def extras_of(log: Log, row: int) -> dict[str, Any]:
    """The fields of `row` that the log format does not know, by name; nested as deep as they like.

    The ply as the log wrote it is one, where it is shown otherwise.
    """
    written = log.text(int(log.columns["ply"][row]))
    same = written is None or written == shown_ply(log, row)
    respelled_as = {} if same else {log.mapping.get("ply", "ply as written"): written}
    found = b"" if log.extras is None else log.extras.of(row)
    if not found:
        return respelled_as
    fields = json_value(found)
    assert isinstance(fields, dict)
    return {**respelled_as, **fields}


def _item(log: Log, row: int, name: str) -> Any:
    """Return the number in column `name` at `row` as Python's own; None if the log has no such column.

    A page of nodes asks this thousands of times. Indexing costs ten times as much in a column that is mapped
    from disk.
    """
    column = log.columns.get(name)
    return None if column is None else column.item(row)


def _number(log: Log, row: int, field: Field) -> float | None:
    value: float | None = _item(log, row, field.column)
    if value is None:
        return None
    is_stated = _item(log, row, "given") & field.bit if field.bit else value == value
    return value if is_stated else None


def _whole(log: Log, row: int, field: Field) -> int | None:
    value: int | None = _item(log, row, field.column)
    return None if value is None or value < 0 else value


def _flag(log: Log, row: int, field: Field) -> bool | None:
    value = _whole(log, row, field)
    return None if value is None else bool(value)


def _word(log: Log, row: int, field: Field) -> str | None:
    code = _item(log, row, field.column)
    assert field.vocabulary is not None
    return None if code is None else field.vocabulary.words[code] or None


def _text(log: Log, row: int, field: Field) -> str | None:
    index = _whole(log, row, field)
    return None if index is None else log.texts[index]


def _player(log: Log, row: int, field: Field) -> str | None:
    index = _whole(log, row, field)
    return None if index is None else log.players[index]


def _key(log: Log, row: int, field: Field) -> str | None:
    """The position key as the log wrote it."""
    key = _item(log, row, "key")
    if key is None or not _item(log, row, "given") & GIVEN["key"]:
        return None
    if log.key_form == "hex":
        return f"{key:016x}"
    return log.texts[key] if log.key_form == "text" else str(key)


def _id(log: Log, row: int, field: Field) -> int | None:
    named = _whole(log, row, field)
    return None if named is None else _own_id(log, named)


def _entry(log: Log, row: int, field: Field) -> dict[str, Any] | None:
    values = {each.inner_name: _READ[each.kind](log, row, each) for each in entry_of(field.name)}
    if (ply := values.get("ply")) is not None:
        values["ply"] = respelled(log, row, ply)
    return {name: value for name, value in values.items() if value is not None} or None


def _own_id(log: Log, row: int) -> int:
    number: int = _item(log, row, "id")
    return number


def _iteration(log: Log, row: int) -> int | None:
    at = bisect_left(log.roots, row, key=lambda root: root.row)
    is_root = at < len(log.roots) and log.roots[at].row == row
    return log.roots[at].iteration if is_root else None


def _list(log: Log, row: int, field: Field, most_values: int | None) -> list[float | None] | None:
    if field.name == "pre_scores":
        values = None if log.stub_plies is None else log.stub_plies.of(row)[1]
    else:
        matrix = log.columns.get(field.column)
        values = None if matrix is None else matrix[row]
    if values is None or np.isnan(values).all():
        return None
    return _numbers(values[:most_values])


def _numbers(values: npt.NDArray[np.float64]) -> list[float | None]:
    if not np.isnan(values).any():
        return values.tolist()  # type: ignore[no-any-return]
    return [None if value != value else value for value in values.tolist()]


def _plies(log: Log, row: int, field: Field, most_values: int | None) -> list[str] | None:
    texts = [] if log.stub_plies is None else log.stub_plies.of(row)[0][:most_values].tolist()
    if not texts or texts[0] < 0:  # of some stubs only the pre-scores are known
        return None
    parent = int(log.columns["parent"][row])
    return [respelled(log, parent, log.texts[index]) for index in texts]


_LISTS: Final[dict[Kind, Callable[[Log, int, Field, int | None], Any]]] = {
    "numbers": _list,
    "named numbers": _list,
    "texts": _plies,
}

_BESIDE: Final[dict[str, Callable[[Log, int], Any]]] = {
    "id": _own_id,
    "iteration": _iteration,
    "ply": shown_ply,
}

_READ: Final[dict[Kind, Callable[[Log, int, Field], Any]]] = {
    "score": _number,
    "low edge": _number,
    "high edge": _number,
    "amount": _number,
    "whole": _whole,
    "flag": _flag,
    "word": _word,
    "text": _text,
    "long text": _text,
    "player": _player,
    "key": _key,
    "id": _id,
    "entry": _entry,
}


OTHER: Final = "other"
"""A factor of this name without a weight is the remainder besides the weighted ones."""


def contributions_at(log: Log, row: int) -> dict[str, float]:
    """The contribution of each factor to the evaluation of `row`; factors unknown there are left out."""
    stated = log.column("contributions")
    if stated is not None:
        found = dict(zip(names_in(log, "contributions"), stated[row].tolist(), strict=True))
        if found := {name: amount for name, amount in found.items() if math.isfinite(amount)}:
            return found
    weights = [1.0 if each.name == OTHER and each.weight is None else each.weight for each in log.factors]
    return {
        name: weight * value
        for (name, value), weight in zip(_values(log, row), weights, strict=True)
        if weight is not None and math.isfinite(weight * value)
    }


def values_at(log: Log, row: int) -> dict[str, float]:
    """The raw values of the factors at `row`; without those that are not known there."""
    return {name: value for name, value in _values(log, row) if math.isfinite(value)}


def _values(log: Log, row: int) -> list[tuple[str, float]]:
    matrix = log.column("factors")
    names = names_in(log, "factors")
    values = [math.nan] * len(names) if matrix is None else matrix[row].tolist()
    return list(zip(names, values, strict=True))
