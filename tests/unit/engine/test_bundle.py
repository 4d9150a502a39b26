"""Many arrays as one argument: a kernel reads a bundle as it reads the NamedTuple."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.errors import TypingError

from plyscope.engine.compile.bundle import Bundle
from plyscope.engine.jit import compiled, kernel


class Facts(NamedTuple):
    """A field of every kind."""

    bytes_: Any
    words: Any
    table: Any
    factor: float
    place: int
    is_on: bool
    name: str


@kernel
def weigh(facts: Facts, row: int) -> float:
    """A number that every field decides."""
    total = facts.factor * facts.bytes_[row] + facts.table[row, 1] * 10 + len(facts.table)
    if facts.is_on:
        facts.words[facts.place] += 1
    return float(total + facts.words[facts.place])


def facts(**changed: Any) -> Facts:
    values = Facts(np.arange(4, dtype=np.uint8), np.zeros(3, np.int32), np.ones((4, 2)), 0.5, 2, True, "name")
    return values._replace(**changed)


@pytest.mark.parametrize("changed", [{}, {"is_on": False}, {"place": 0}, {"factor": -2.0}])
def test_a_kernel_gives_the_same_for_a_bundle_as_for_its_named_tuple(changed: dict[str, Any]) -> None:
    plain, bundled = facts(**changed), facts(**changed)
    assert compiled(weigh)(Bundle(bundled), 3) == weigh(plain, 3)
    assert bundled.words.tolist() == plain.words.tolist()


def test_a_bundle_of_other_types_is_another_type() -> None:
    assert Bundle(facts())._numba_type_ == Bundle(facts(factor=3.0))._numba_type_
    assert Bundle(facts())._numba_type_ != Bundle(facts(words=np.zeros(3, np.int64)))._numba_type_


def test_a_bundle_refuses_an_array_that_is_not_contiguous() -> None:
    with pytest.raises(AssertionError, match="words"):
        Bundle(facts(words=np.zeros(6, np.int32)[::2]))


@kernel
def last_of_table(facts: Facts, by: int) -> float:
    """An item of the table, by its shape."""
    return float(facts.table[facts.table.shape[0] - by, facts.table.shape[1] - by])


def test_an_array_of_a_bundle_tells_its_shape() -> None:
    assert compiled(last_of_table)(Bundle(facts(table=np.arange(6.0).reshape(2, 3))), 1) == 5.0


@kernel
def overwrite(facts: Facts, row: int) -> int:
    """Write into the words."""
    facts.words[row] = 7
    return int(facts.words[row])


def test_a_kernel_that_writes_into_a_read_only_array_is_not_compiled() -> None:
    words = np.zeros(3, np.int32)
    assert compiled(overwrite)(Bundle(facts(words=words)), 1) == 7
    words.flags.writeable = False
    with pytest.raises(TypingError, match="setitem"):
        compiled(overwrite)(Bundle(facts(words=words)), 1)
