"""Memory that goes back to the system: the C library keeps what small arrays took, of no use to others."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, Final

WORTH_IT: Final = 2**24
"""Bytes from which on it is worth the time, some milliseconds."""


def give_back_memory(n_bytes: int) -> None:
    """Give back what small arrays of so many bytes in all took, if that is much and the C library can."""
    if n_bytes >= WORTH_IT:
        _trim()(0)


@cache
def _trim() -> Callable[[int], Any]:
    """The C library's `malloc_trim`, which is of Linux; else nothing."""
    try:
        trim: Callable[[int], Any] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return lambda pad: 0
    return trim
