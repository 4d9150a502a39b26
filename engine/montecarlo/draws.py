"""Seeded random draws of kernels: the same numbers compiled and as plain Python, on every machine.

A *source* is an array of one 64-bit word. Each draw adds an odd constant to it and mixes the sum, so the
sequence of a seed has 2 ** 64 draws before it repeats.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.game import Array
from plyscope.engine.games.bits import FULL, mixed
from plyscope.engine.jit import kernel, word

_STEP: Final = 0x9E37_79B9_7F4A_7C15
"""2 ** 64 divided by the golden ratio, odd: sums of it are spread evenly (Weyl sequence)."""

_UNIT: Final = 1.0 / (1 << 53)


def source_of(seed: int) -> Array:
    """Return a source of draws; seeds that are equal modulo 2 ** 64 give the same draws.

    >>> source = source_of(3)
    >>> [draw_below(source, 6) for _ in range(8)]
    [5, 1, 1, 0, 4, 4, 3, 4]
    """
    return np.array([mixed(seed & FULL)], np.uint64)


@kernel
def draw_word(source: Array) -> int:
    """Return the next 64 random bits."""
    here = (word(source[0]) + _STEP) & FULL
    source[0] = here
    return mixed(here)


@kernel
def draw_below(source: Array, n: int) -> int:
    """Return a whole number from 0 to `n` - 1, `n` below 2 ** 31, each with a chance of 1/n.

    The chances differ by less than `n` / 2 ** 32 of themselves.
    """
    return int(np.int64(((draw_word(source) >> 32) * word(n)) >> 32))


@kernel
def draw_fraction(source: Array) -> float:
    """Return a number from 0 up to, not including, 1, a multiple of 2 ** -53."""
    return float(draw_word(source) >> 11) * _UNIT


@kernel
def shuffle(source: Array, numbers: Array, n: int) -> None:
    """Put the first `n` of `numbers` in random order, each order with the same chance (Fisher, Yates)."""
    for last in range(n - 1, 0, -1):
        other = draw_below(source, last + 1)
        kept = numbers[last]
        numbers[last] = numbers[other]
        numbers[other] = kept
