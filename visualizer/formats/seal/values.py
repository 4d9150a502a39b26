"""Values of fields in logs: numbers that JSON lacks, what is expected, names of unknown fields in files."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from plyscope.visualizer.store.fields import FIELDS, NATIVE
from plyscope.visualizer.store.words import Vocabulary

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
    """A field does not take a value; the message says what was expected."""


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


def one_of(vocabulary: Vocabulary) -> str:
    """The words of a field, as an error lists them."""
    return "expected one of " + ", ".join(f'"{word}"' for word in vocabulary.codes)


INT64: Final = 2**63 - 1
MOST_PLAYERS: Final = 30_000
"""The most players of a log; their column has 16 bits."""
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
