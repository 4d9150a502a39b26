"""The kinds of JSON values on the tape."""

from __future__ import annotations

from typing import Any, Final

ABSENT: Final = 0
NULL: Final = 1
FALSE: Final = 2
TRUE: Final = 3
WHOLE: Final = 4
"""A number without a point or an exponent, up to the largest float; its float is the nearest."""
NUMBER: Final = 5
LONG: Final = 6
"""A number that the scan leaves to Python's `float`; no row of a finished piece has this kind."""
TEXT: Final = 7
"""A text without escapes, whose bytes are taken as they are."""
ESCAPED: Final = 8
LIST: Final = 9
OBJECT: Final = 10
N_KINDS: Final = 11

BITS_64: Final = range(-(2**63), 2**64)
"""Whole numbers that the JSON library keeps to their last digit; beyond them it gives floats."""

OF_TYPE: Final[dict[type, int]] = {
    type(None): NULL,
    int: WHOLE,
    float: NUMBER,
    str: TEXT,
    list: LIST,
    tuple: LIST,
    dict: OBJECT,
}


def kind_of(value: Any) -> int:
    """The kind of a value that a JSON library parsed.

    >>> kind_of(True) == TRUE, kind_of(3) == WHOLE, kind_of({}) == OBJECT
    (True, True, True)
    """
    if value is True:
        return TRUE
    if value is False:
        return FALSE
    return OF_TYPE[type(value)]
