"""The kernels of the overview: under each pixel of an icicle the largest node, and how many are there."""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from plyscope.engine.jit import kernel

Array = npt.NDArray[Any]

NONE: Final = -1


@kernel
def draw_above(
    rows: Array,
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
) -> int:
    """Draw the nodes at `rows`, which begin before the part and reach into it; `draw_part` draws those in it.

    before     int64, a row and one more: nodes before it in the order searched (a stub adds none), or visits
    end, level the row behind a subtree, and how deep the row is
    first, last the part shown, in the same; the picture is as wide as that
    top, per_band the level of the first band, and how many levels a band stands for
    largest, sizes, counts    bands by pixels: the row, its nodes, and how many touch the pixel
    """
    width = largest.shape[1]
    for at in range(len(rows)):
        row = rows[at]
        behind = before[end[row]]
        # Above the first band every node is as wide as the picture.
        if level[row] < top or behind <= first:
            continue
        band = (level[row] - top) // per_band
        size = behind - before[row]
        right = (min(behind, last) - first) * width / (last - first)
        x = 0
        while x < right:
            counts[band, x] += 1
            if size > sizes[band, x]:
                sizes[band, x] = size
                largest[band, x] = row
            x += 1
    return 0


@kernel
def draw_part(
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
) -> int:
    """Draw the nodes that begin in the part, at rows from `first_row` to `last_row`; see `draw_above`."""
    width = largest.shape[1]
    span = last - first
    x = 0
    edge = span / width  # of the pixel `x` on its right, in nodes from the left of the picture
    behind = before[first_row]
    for row in range(first_row, last_row):
        begin = behind
        behind = before[row + 1]
        size = before[end[row]] - begin
        if size == 0:  # a stub has no width, nor has a node without visits
            continue
        # Nodes come in the order of their pixels: to find the pixel by a division took most of the time.
        while begin - first >= edge:
            x += 1
            edge = (x + 1) * span / width
        band = level[row] - top
        if per_band > 1:
            band //= per_band
        counts[band, x] += 1
        # The first of equals stays, so that a picture does not depend on how far it is zoomed in.
        if size > sizes[band, x]:
            sizes[band, x] = size
            largest[band, x] = row
        if begin - first + size > edge:
            right = (min(begin + size, last) - first) * width / span
            pixel = x + 1
            while pixel < right:
                counts[band, pixel] += 1
                if size > sizes[band, pixel]:
                    sizes[band, pixel] = size
                    largest[band, pixel] = row
                pixel += 1
    return 0


@kernel
def deepest(first_row: int, last_row: int, before: Array, end: Array, level: Array) -> int:
    """The greatest level of the nodes from `first_row` to `last_row`, -1 where there is none."""
    found = -1
    for row in range(first_row, last_row):
        if level[row] > found and before[end[row]] > before[row]:
            found = level[row]
    return found
