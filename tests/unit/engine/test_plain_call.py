"""Kernels as plain Python: on memory views they read and write the arrays that machine code would."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import Mock

import numpy as np
import pytest

from plyscope.engine import jit
from plyscope.engine.compile import code_cache
from plyscope.engine.compile.plain_call import plain, plain_view
from plyscope.engine.jit import kernel


class Columns(NamedTuple):
    """An array to read, one to write, and a number."""

    score: Any
    found: Any
    factor: float


@kernel
def scale_scores(columns: Columns, records: Any) -> int:
    """Write each score times the factor, and the last into a record."""
    for row in range(len(columns.score)):
        columns.found[row] = columns.score[row] * columns.factor
    records[0]["last"] = columns.found[len(columns.score) - 1]
    return len(columns.score)


def test_a_plain_kernel_writes_into_the_arrays_it_is_given() -> None:
    columns = Columns(np.array([1.0, 2.0]), np.zeros(2), 2.0)
    records = np.zeros(1, [("last", np.float64)])
    assert plain(scale_scores)(columns, records) == 2
    assert columns.found.tolist() == [2.0, 4.0]
    assert records["last"].tolist() == [4.0]


def test_an_item_of_a_view_is_a_number_of_python_and_read_only_stays_so() -> None:
    values = np.array([3], np.int16)
    values.flags.writeable = False
    view = plain_view(values)
    assert type(view[0]) is int
    assert view.readonly


def test_a_kernel_that_was_never_compiled_is_not_at_hand_and_nobody_asks_numba() -> None:
    arguments = Mock()
    assert not jit.is_at_hand(scale_scores, arguments)
    arguments.assert_not_called()


@kernel
def _filled(numbers: Any, number: int) -> bool:
    for i in range(len(numbers)):
        numbers[i] = number
    return len(numbers) > 1


def test_a_kernel_that_may_not_be_compiled_now_is_called_where_its_code_is_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "cache_folder", lambda: tmp_path)
    numbers = np.zeros(3)
    with pytest.raises(jit.NotCompiledError, match="_filled"):
        jit.at_hand(_filled)(numbers, 7)
    assert jit.compiled(_filled)(numbers, 7) is True
    numbers[:] = 0
    assert jit.at_hand(_filled)(numbers, 7) is True
    assert numbers.tolist() == [7, 7, 7]
    with pytest.raises(jit.NotCompiledError):
        jit.at_hand(_filled)(np.zeros(2, dtype=np.int8), 1)
