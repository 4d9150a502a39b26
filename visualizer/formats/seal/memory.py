"""Returning memory to the system: the C library keeps the memory of freed small arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, Final

WORTH_IT: Final = 2**24
"""The fewest bytes that are worth the time, some milliseconds."""


def give_back_memory(n_bytes: int) -> None:
    """Return the memory of freed small arrays, if their `n_bytes` are many and the C library can."""
    if n_bytes >= WORTH_IT:
        _trim()(0)


@cache
def _trim() -> Callable[[int], Any]:
    """The C library's `malloc_trim`, which Linux has; else a function that does nothing."""
    try:
        trim: Callable[[int], Any] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return lambda pad: 0
    return trim
