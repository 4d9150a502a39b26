"""The arrival of a file that is read while it is uploaded."""

from __future__ import annotations

import sys
from collections.abc import Callable

Arrived = Callable[[int], int]
"""Waits until so many bytes of a file, or all, are there; returns the number there, which may be larger."""


def all_there(n_bytes: int) -> int:
    """The whole file is there."""
    return max(n_bytes, sys.maxsize)
