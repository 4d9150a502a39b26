"""The fields of a node as logs write them: their names, the columns they go to, how values are read in bulk.

A converter takes the values of one field on many nodes and gives an array, or raises `Bad`; to learn which
value is bad, ask it about one at a time. None (JSON `null`) never reaches a converter, except for the two
edges of the window, where it means open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS

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
    """A value is not what the field takes: what was expected and, where only a part is bad, which part."""

    def __init__(self, expected: str, inside: str = "", value: Any = ...) -> None:
        super().__init__(expected)
        self.expected = expected
        self.inside = inside
        self.value = value


def number(value: Any) -> float | None:
    """The float that `value` writes, None where it is no number.

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


def numbers(values: list[Any]) -> Array:
    """Floats; whole numbers of any size are taken as the nearest float."""
    if set(map(type, values)) <= {int, float}:
        try:
            return np.array(values, dtype=np.float64)
        except OverflowError:
            pass
    read = [number(value) for value in values]
    if None in read:
        raise Bad(A_NUMBER)
    return np.array(read, dtype=np.float64)


def low_edges(values: list[Any]) -> Array:
    """Values of alpha: None is an open window, -inf."""
    return numbers([-np.inf if value is None else value for value in values])


def high_edges(values: list[Any]) -> Array:
    """Values of beta: None is an open window, inf."""
    return numbers([np.inf if value is None else value for value in values])


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


def vocabulary(all_words: tuple[str, ...]) -> Converter:
    """A converter for the words of one vocabulary, to their codes."""
    codes = {word: code for code, word in enumerate(all_words) if word}
    expected = "expected one of " + ", ".join(f'"{word}"' for word in codes)

    def convert(values: list[Any]) -> Array:
        try:
            return np.fromiter(map(codes.__getitem__, values), dtype=np.uint8, count=len(values))
        except (KeyError, TypeError):
            raise Bad(expected) from None

    return convert


def flags(values: list[Any]) -> Array:
    """True and false; 1 and 0 are taken too, as languages without booleans print them."""
    if not set(map(type, values)) <= {bool, int} or not set(values) <= {0, 1}:
        raise Bad("expected true or false")
    return np.array(values, dtype=np.int8)


@dataclass(frozen=True)
class Field:
    """A field that goes to one column: the column's name and the converter, None where it is a text."""

    column: str
    convert: Converter | None


INT64: Final = 2**63 - 1
MOST_PLAYERS: Final = 30_000
"""Players of one log; their column has 16 bits."""


def _table() -> Mapping[str, Field]:
    table = {}
    kinds: dict[Converter | None, str] = {
        vocabulary(words.LAYERS): "layer",
        vocabulary(words.OUTCOMES): "outcome",
        vocabulary(words.BOUNDS): "bound tt_bound",
        vocabulary(words.PURPOSES): "purpose",
        vocabulary(words.CUT_BY): "cut_by",
        vocabulary(words.ENDINGS): "ending",
        vocabulary(words.TT_USES): "tt_use",
        flags: "in_check quiescence",
        numbers: "score static pre_score stand_pat depth reduction extension seconds visits prior mean "
        "tt_depth tt_score",
        low_edges: "alpha",
        high_edges: "beta",
        whole_numbers(0, 2**31 - 1): "moves",
        whole_numbers(0, INT64): "count",
        None: "ply position board why tt_ply",
    }
    for convert, columns in kinds.items():
        for column in columns.split():
            table[column.replace("tt_", "tt.")] = Field(column, convert)
    return table


FIELDS: Final = _table()
"""Fields that go straight to one column, by their names in a log; those of a table entry as `tt.depth`."""

SPECIAL: Final = frozenset(
    [
        "id",
        "player",
        "key",
        "factors",
        "contributions",
        "scores",
        "tt",
        "tt.from",
        "plies",
        "pre_scores",
        "iteration",
    ]
)
"""Fields that are read in their own ways (see `gathered`)."""

OF_NODES: Final = frozenset(name for name in (*FIELDS, *SPECIAL) if "." not in name)
"""The fields above that a node states itself; `tt.depth` beside them is a field of somebody's own."""

NATIVE: Final = OF_NODES | {"children", "parent"}
"""Every name that a node of a log may write with a meaning of ours; all others are extras."""

OURS: Final = re.compile(rf"(?:data\.)*(?:{'|'.join(sorted(NATIVE))})")
"""What is told apart in files: a field of somebody's own that has a name of ours is written `data.NAME`."""


def written_name(name: str) -> str:
    """How a field of somebody's own is called in a file.

    >>> written_name("cost"), written_name("score"), written_name("data.score")
    ('cost', 'data.score', 'data.data.score')
    """
    return f"data.{name}" if OURS.fullmatch(name) else name


def read_name(name: str) -> str:
    """What a field that the format does not know is called, by its name in a file.

    >>> read_name("cost"), read_name("data.cost"), read_name("data.score"), read_name("data.data.score")
    ('cost', 'data.cost', 'score', 'data.score')
    """
    return name.removeprefix("data.") if name.startswith("data.") and OURS.fullmatch(name) else name


OPEN_WHERE_NULL: Final = ("alpha", "beta")


def without_nulls(name: str, values: list[Any], records: Array) -> tuple[list[Any], Array]:
    """The values that are stated, and their records: `null` is absent, except at an edge of the window.

    >>> without_nulls("score", [1.5, None], np.array([4, 7]))
    ([1.5], array([4]))
    """
    if name in OPEN_WHERE_NULL or NoneType not in set(map(type, values)):
        return values, records
    stated = np.array([value is not None for value in values], dtype=bool)
    return [value for value in values if value is not None], records[stated]


assert all(field.column in COLUMNS for field in FIELDS.values())
