"""Converters for the values of fields in logs, and the names of unknown fields in files.

A converter takes the values of one field on many nodes and gives an array, or raises `Bad`; to find the bad
value, call it with one at a time. None (JSON `null`) never reaches a converter.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.columns import COLUMNS
from plyscope.visualizer.store.fields import FIELDS, NATIVE, Field
from plyscope.visualizer.store.words import Vocabulary

Array = npt.NDArray[Any]
Converter = Callable[[list[Any]], Array]

NUMBER_WORDS: Final = {
    "inf": np.inf,
    "+inf": np.inf,
    "-inf": -np.inf,
    "infinity": np.inf,
    "+infinity": np.inf,
    "-infinity": -np.inf,
    "nan": np.nan,
}
"""Numbers that JSON lacks, as texts; case does not matter."""

A_NUMBER: Final = 'expected a number, "inf", "-inf" or "nan"'


class Bad(Exception):  # noqa: N818
    """A field does not take a value: what was expected and, if only a part is bad, the part."""

    def __init__(self, expected: str, inside: str = "", value: Any = ...) -> None:
        super().__init__(expected)
        self.expected = expected
        self.inside = inside
        self.value = value


def number(value: Any) -> float | None:
    """The float that `value` is or spells, None where it is no number.

    >>> number(3), number("-inf"), number(True)
    (3.0, -inf, None)
    """
    kind = type(value)
    if kind is float:
        return float(value)
    if kind is int:
        try:
            return float(value)
        except OverflowError:
            return np.inf if value > 0 else -np.inf
    if kind is str:
        return NUMBER_WORDS.get(value.strip().lower())
    return None


def check_kind(values: list[Any], kinds: set[type], expected: str) -> None:
    """Raise `Bad` where a value is of no type of `kinds`."""
    if not set(map(type, values)) <= kinds:
        raise Bad(expected)


def whole_numbers(low: int, high: int) -> Converter:
    """A converter for whole numbers from `low` to `high`; `3.0` is taken as 3."""
    expected = f"expected a whole number from {low} to {high}"

    def convert(values: list[Any]) -> Array:
        if set(map(type, values)) == {int} and min(values) >= low and max(values) <= high:
            return np.array(values, dtype=np.int64)
        for value in values:
            kind = type(value)
            if not (kind is int or (kind is float and value.is_integer())) or not low <= value <= high:
                raise Bad(expected)
        return np.array([int(value) for value in values], dtype=np.int64)

    return convert


def words_of(vocabulary: Vocabulary) -> Converter:
    """A converter for the words of one vocabulary, to their codes."""
    codes = {word: code for code, word in enumerate(vocabulary.words) if word}
    expected = "expected one of " + ", ".join(f'"{word}"' for word in codes)

    def convert(values: list[Any]) -> Array:
        try:
            return np.fromiter(map(codes.__getitem__, values), dtype=np.uint8, count=len(values))
        except (KeyError, TypeError):
            raise Bad(expected) from None

    return convert


INT64: Final = 2**63 - 1
MOST_PLAYERS: Final = 30_000
"""The most players of a log; their column has 16 bits."""


def converter(field: Field) -> Converter | None:
    """The converter of a field's values; None for kinds that are read in another way.

    >>> converter(FIELDS["moves"])([3, 4.0]).tolist()
    [3, 4]
    """
    if field.kind == "whole":
        return whole_numbers(0, 2 ** (8 * field.bytes - 1) - 1)
    return None if field.vocabulary is None else words_of(field.vocabulary)


CONVERTERS: Final = {
    name: convert
    for name, field in FIELDS.items()
    if (convert := converter(field)) is not None and field.column in COLUMNS
}
"""The converters of words and whole numbers, by full name, such as `tt.depth`."""

TEXTS: Final = frozenset(name for name, field in FIELDS.items() if field.kind in ("text", "long text"))
"""Fields whose columns hold numbers of texts."""

OURS: Final = re.compile(rf"(?:data\.)*(?:{'|'.join(sorted(NATIVE))})")
"""Names that need a prefix in files: an unknown field with a name of ours is written `data.NAME`."""


def written_name(name: str) -> str:
    """The name of an unknown field in a file.

    >>> written_name("cost"), written_name("score"), written_name("data.score")
    ('cost', 'data.score', 'data.data.score')
    """
    return f"data.{name}" if OURS.fullmatch(name) else name


def read_name(name: str) -> str:
    """The name of an unknown field, by its name in a file.

    >>> read_name("cost"), read_name("data.cost"), read_name("data.score"), read_name("data.data.score")
    ('cost', 'data.cost', 'score', 'data.score')
    """
    return name.removeprefix("data.") if name.startswith("data.") and OURS.fullmatch(name) else name


OPEN_WHERE_NULL: Final = frozenset(
    name for name, field in FIELDS.items() if field.kind in ("low edge", "high edge")
)
