"""The kernels of levels of equal shares: one pass over all rows, as a node's place counts those before it."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from plyscope.engine.jit import kernel

Array = npt.NDArray[Any]


@kernel
def count_bands(before: Array, level: Array, per_band: int, n_in: Array) -> int:
    """Count the nodes of each band of `per_band` levels; `before` tells stubs, which add nothing to it."""
    for row in range(len(level)):
        if before[row + 1] > before[row]:  # a stub may stand below the last band
            n_in[level[row] // per_band] += 1
    return 0


@kernel
def draw_largest(
    before: Array,
    end: Array,
    level: Array,
    per_band: int,
    low: Array,
    high: Array,
    scratch: Array,
    largest: Array,
    sizes: Array,
) -> int:
    """Find the node of the largest subtree under each pixel of each band.

    before     int64, a row and one more: nodes before it in the order searched; a stub adds none
    end, level the row behind a subtree, and how deep the row is
    low, high  int64, bands by pixels: the place in its band of the first node that touches the pixel, and of
               the one behind the last
    scratch    int64, 2 by bands, all 0: nodes of each band so far, and the pixel that it has reached
    largest, sizes    bands by pixels: the row, and its nodes
    """
    width = low.shape[1]
    for row in range(len(level)):
        begin = before[row]
        if before[row + 1] == begin:
            continue
        band = level[row] // per_band if per_band > 1 else level[row]
        place = scratch[0, band]
        scratch[0, band] = place + 1
        if place < low[band, 0] or place >= high[band, width - 1]:
            continue
        x = scratch[1, band]
        while high[band, x] <= place:
            x += 1
        scratch[1, band] = x
        size = before[end[row]] - begin
        while x < width and low[band, x] <= place:
            if size > sizes[band, x]:
                sizes[band, x] = size
                largest[band, x] = row
            x += 1
    return 0


@kernel
def places_in_bands(
    rows: Array, before: Array, level: Array, per_band: int, n_so_far: Array, found: Array
) -> int:
    """Find how many nodes of its band stand before each of `rows`, nodes that ascend; `n_so_far` is all 0."""
    at = 0
    row = 0
    while at < len(rows):
        if before[row + 1] > before[row]:
            band = level[row] // per_band
            if row == rows[at]:
                found[at] = n_so_far[band]
                at += 1
            n_so_far[band] += 1
        row += 1
    return 0
