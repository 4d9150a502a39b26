"""Sources of a play-out's draws: pseudo-random, a published quasi-random generator, Halton's points.

**The published generator** draws one of `n` so: scramble the sequence 0 … n-1, skip some from its beginning,
leap over some of the rest, and take any of what is left, all with the same chance. How much is skipped and
left out is uniform in [0, 1), new for every draw. Its text and its worked example contradict one another, so
there are two readings. Both scramble as the example does: i and n-1-i change places for every even i < n/2.

* `text`: skip the first ⌊s·n⌋; of the m that are left keep max(1, ⌊(1-p)·m⌋), evenly spaced.
* `example`: skip the places 0, 2, 4 …, ⌈s·n⌉ of them, as far as there are, but never all; then leave out
  every ⌈m / ⌈p·n⌉⌉-th from place 0. If that would be all of them, none is left out: the example does not say.

`scrambled`, `left_by_text` and `left_by_example` are the steps on lists, for tests and for people. The
kernels find the same element without the lists.

**Halton's points** have coordinate d of point i by writing i in the d-th prime base and mirroring its digits.
Ply d of play-out i takes that coordinate, shifted by a draw of the seed. It holds for the first
`N_COORDINATES` plies; the rest is pseudo-random, since large bases need more points than there are play-outs.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from plyscope.engine.game import Array
from plyscope.engine.jit import kernel
from plyscope.engine.montecarlo.draws import draw_below, draw_fraction

PSEUDO: Final = 0
TEXT: Final = 1
EXAMPLE: Final = 2
HALTON: Final = 3
KINDS: Final = {"pseudo": PSEUDO, "text": TEXT, "example": EXAMPLE, "halton": HALTON}

PRIMES: Final = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53], np.int64)
N_COORDINATES: Final = len(PRIMES)


def scrambled(n: int) -> list[int]:
    """Return 0 … n-1 as the generator scrambles them.

    >>> scrambled(10)
    [9, 1, 7, 3, 5, 4, 6, 2, 8, 0]
    """
    numbers = list(range(n))
    for i in range(0, (n + 1) // 2, 2):
        numbers[i], numbers[n - 1 - i] = numbers[n - 1 - i], numbers[i]
    return numbers


def left_by_text(n: int, skip: float, ignore: float) -> list[int]:
    """Return what is left to draw from, by the text.

    >>> left_by_text(10, 0.25, 0.25)
    [7, 3, 5, 6, 2, 8]
    """
    left = scrambled(n)[math.floor(skip * n) :]
    n_kept = max(1, math.floor((1 - ignore) * len(left)))
    return [left[i * len(left) // n_kept] for i in range(n_kept)]


def left_by_example(n: int, skip: float, ignore: float) -> tuple[list[int], list[int]]:
    """Return the sequence after skipping, and after leaping too, by the worked example.

    >>> left_by_example(10, 0.25, 0.25)
    ([1, 3, 4, 6, 2, 8, 0], [3, 4, 2, 8])
    """
    n_skipped = min(math.ceil(skip * n), (n + 1) // 2, n - 1)
    left = [each for i, each in enumerate(scrambled(n)) if i % 2 or i // 2 >= n_skipped]
    n_ignored = math.ceil(ignore * n)
    if n_ignored == 0:
        return left, left
    stride = math.ceil(len(left) / n_ignored)
    return left, [each for i, each in enumerate(left) if i % stride] or left


def shifts_of(source: Array) -> Array:
    """Return the shifts of Halton's coordinates, drawn from a source."""
    return np.array([draw_fraction(source) for _ in range(N_COORDINATES)])


@kernel
def element_of_scrambled(n: int, place: int) -> int:
    """Return the element at a place of the scrambled sequence."""
    mirrored = n - 1 - place
    lower = min(place, mirrored)
    if lower % 2 == 0:
        return mirrored
    return place


@kernel
def draw_by_text(source: Array, n: int) -> int:
    """Draw one of `n` by the text's reading."""
    n_skipped = math.floor(draw_fraction(source) * n)
    ignore = draw_fraction(source)
    n_left = n - n_skipped
    n_kept = max(1, math.floor((1 - ignore) * n_left))
    i = draw_below(source, n_kept)
    return element_of_scrambled(n, n_skipped + i * n_left // n_kept)


@kernel
def draw_by_example(source: Array, n: int) -> int:
    """Draw one of `n` by the example's reading."""
    skip = draw_fraction(source)
    ignore = draw_fraction(source)
    n_skipped = min(math.ceil(skip * n), (n + 1) // 2, n - 1)
    n_left = n - n_skipped
    n_ignored = math.ceil(ignore * n)
    stride = (n_left + n_ignored - 1) // n_ignored if n_ignored > 0 else 1
    i = 0
    if stride == 1:
        i = draw_below(source, n_left)
    else:
        i = draw_below(source, n_left - (n_left + stride - 1) // stride)
        i += i // (stride - 1) + 1
    return element_of_scrambled(n, 2 * i + 1 if i < n_skipped else i + n_skipped)


@kernel
def mirrored_digits(number: int, base: int) -> float:
    """Return the fraction whose digits after the point are those of `number`, mirrored (radical inverse).

    >>> mirrored_digits(6, 2)
    0.375
    """
    found = 0.0
    unit = 1.0
    while number > 0:
        unit /= base
        found += unit * (number % base)
        number //= base
    return found


@kernel
def draw_by_halton(source: Array, shifts: Array, point: int, coordinate: int, n: int) -> int:
    """Draw one of `n` by a coordinate of a point; by the source beyond the last coordinate."""
    if coordinate >= N_COORDINATES:
        return draw_below(source, n)
    x = mirrored_digits(point, PRIMES[coordinate]) + float(shifts[coordinate])
    if x >= 1.0:
        x -= 1.0
    return min(n - 1, math.floor(x * n))


@kernel
def draw_one(kind: int, source: Array, shifts: Array, point: int, coordinate: int, n: int) -> int:
    """Draw one of `n` by any source."""
    if kind == TEXT:
        return draw_by_text(source, n)
    if kind == EXAMPLE:
        return draw_by_example(source, n)
    if kind == HALTON:
        return draw_by_halton(source, shifts, point, coordinate, n)
    return draw_below(source, n)
