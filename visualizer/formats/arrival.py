"""The arrival of a file that may still be on its way while it is read."""

from __future__ import annotations

import sys
from collections.abc import Callable

Arrived = Callable[[int], int]
"""Waits until so many bytes of a file, or all, are there; returns how many are there, which may be more."""


def all_there(n_bytes: int) -> int:
    """The whole file is there."""
    return max(n_bytes, sys.maxsize)
