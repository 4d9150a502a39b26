"""The kernel of the overview: under each pixel of an icicle the largest node, and how many there are."""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from plyscope.engine.jit import kernel

Array = npt.NDArray[Any]

NONE: Final = -1


@kernel
def draw_rows(
    rows: Array,
    first_row: int,
    last_row: int,
    before: Array,
    end: Array,
    level: Array,
    first: int,
    last: int,
    top: int,
    per_band: int,
    largest: Array,
    sizes: Array,
    counts: Array,
) -> None:
    """Draw the nodes at `rows`, then those from `first_row` to `last_row`, where they reach into the part.

    before     int64, a row and one more: nodes before it in the order searched; a stub adds none
    end, level the row behind a subtree, and how deep the row is
    first, last the part shown, in nodes; the picture is as wide as that
    top, per_band the level of the first band, and how many levels a band stands for
    largest, sizes, counts    bands by pixels: the row, its nodes, and how many touch the pixel
    """
    n_bands, width = largest.shape
    span = last - first
    at = 0
    while at < len(rows) + last_row - first_row:
        row = rows[at] if at < len(rows) else first_row + at - len(rows)
        at += 1
        begin, behind = before[row], before[end[row]]
        # Above the first band every node is as wide as the picture; a stub has no width at all.
        if level[row] < top or before[row + 1] == begin or behind <= first or begin >= last:
            continue
        band = (level[row] - top) // per_band
        if band >= n_bands:
            continue
        size = behind - begin
        # A product of such whole numbers is a float, so where a quotient is whole it is exact.
        x = int((max(begin, first) - first) * width / span)
        right = (min(behind, last) - first) * width / span
        while x < right:
            counts[band, x] += 1
            # The first of equals stays, so that a picture does not depend on how far it is zoomed in.
            if size > sizes[band, x]:
                sizes[band, x] = size
                largest[band, x] = row
            x += 1


@kernel
def deepest(first_row: int, last_row: int, before: Array, level: Array) -> int:
    """The greatest level of the nodes from `first_row` to `last_row`, -1 where there is none."""
    found = -1
    for row in range(first_row, last_row):
        if level[row] > found and before[row + 1] > before[row]:
            found = level[row]
    return found
