"""The equality of two logs, column by column, with a sentence for the first difference."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.log import Log

TEXTS = {field.column for field in FIELDS.values() if field.kind in ("text", "long text")}


def assert_same(one: Log, other: Log) -> None:
    """Every column, text, list and unknown field is equal; NaN equals NaN."""
    assert set(one.columns) == set(other.columns)
    for name, column in one.columns.items():
        mine, theirs = column, other.columns[name]
        if name in TEXTS or (name == "key" and one.key_form == "text"):
            stated = one.columns["given"] & GIVEN["key"] != 0 if name == "key" else slice(None)
            assert words(one, mine[stated]) == words(other, theirs[stated]), name
            continue
        assert mine.dtype == theirs.dtype, name
        if mine.shape != theirs.shape or mine.tobytes() != theirs.tobytes():  # equal bytes need no slow look
            np.testing.assert_array_equal(mine, theirs, err_msg=name)
    assert one.roots == other.roots
    assert (one.players, one.factors, one.key_form) == (other.players, other.factors, other.key_form)
    assert one.contribution_names == other.contribution_names
    assert dict(one.header) == dict(other.header)
    for row in range(one.n_rows):
        assert extras(one, row) == extras(other, row), row
        assert plies(one, row) == plies(other, row), row


def words(log: Log, column: np.ndarray) -> list[str | None]:
    return [log.text(int(index)) if index < 2**31 else None for index in column.astype(np.int64)]


def extras(log: Log, row: int) -> Any:
    """The unknown fields of a row; in which order they stand does not matter."""
    return json.loads(log.extras.of(row) or b"{}") if log.extras is not None else {}


def plies(log: Log, row: int) -> list[tuple[str | None, str]]:
    if log.stub_plies is None:
        return []
    texts, numbers = log.stub_plies.of(row)
    return [
        (log.text(int(text)), repr(float(number) + 0.0)) for text, number in zip(texts, numbers, strict=True)
    ]
