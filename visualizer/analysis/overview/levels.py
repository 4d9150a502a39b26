"""The whole tree as rows of pixels, one a level: each node of a level gets an equal share of the width.

An icicle shows the sizes of subtrees; this shows the widths of levels, and every node of a level has the same
width. A part is a share of each level, on the same scale as a part of the icicle: the nodes from number
`first` to `last` of `N` are the share from `first / N` to `last / N`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.engine.compile.plain_call import plain
from plyscope.engine.jit import compiled, kernel
from plyscope.visualizer.analysis.overview.measure import FEW_ROWS
from plyscope.visualizer.analysis.overview.picture import NONE, Mark, Overview, refuse
from plyscope.visualizer.store.tree import Tree

Ints = npt.NDArray[np.int64]
SAFE: Final = 2**62
"""Products below it are exact in an int64; larger ones are made of Python's integers."""


class Bands(NamedTuple):
    """The levels of a tree, grouped into bands."""

    per_band: int
    """The number of levels in a band."""
    bottom: int
    """The deepest level of a node."""
    n_in: Ints
    """The number of nodes in each band."""


_kept: Final[WeakKeyDictionary[Tree, tuple[int, Bands]]] = WeakKeyDictionary()
"""By tree, the last number of bands asked for, and the bands."""


def level_picture(tree: Tree, width: int, n_bands: int, first: int = 0, last: int | None = None) -> Overview:
    """The shares of all levels from node `first` to `last`, on `width` pixels and at most `n_bands` bands.

    Under a pixel stands the node of the largest subtree, of equal ones the first. Raises ValueError as
    `overview` does.

    >>> from plyscope.visualizer.formats.detect import read_log
    >>> root = b'{"children": [{"children": [{}, {}, {}]}, {}]}'
    >>> level_picture(Tree(read_log(b'{"plyscope": 1, "root": ' + root + b'}')), 6, 4).largest.tolist()
    [[0, 0, 0, 0, 0, 0], [1, 1, 1, 5, 5, 5], [2, 2, 3, 3, 4, 4]]
    """
    n_nodes = tree.n_logged
    last = n_nodes if last is None else min(last, n_nodes)
    refuse(n_nodes, width, n_bands, first, last)
    per_band, bottom, n_in = bands_of(tree, n_bands)
    low, high = _touching(n_in, n_nodes, width, first, last)
    largest, sizes = np.full(low.shape, NONE, dtype=np.int32), np.zeros(low.shape, dtype=np.int64)
    columns = tree.log.columns
    run = plain(draw_largest) if tree.log.n_rows <= FEW_ROWS else compiled(draw_largest)
    scratch = np.zeros((2, len(n_in)), dtype=np.int64)
    end, level = (
        np.asarray(columns[name]) for name in ("end", "level")
    )  # machine code takes no mapped files
    run(tree.nodes_before, end, level, per_band, low, high, scratch, largest, sizes)
    return Overview(first, last, n_nodes, 0, per_band, bottom, largest, (high - low).astype(np.int32))


def bands_of(tree: Tree, n_bands: int) -> Bands:
    """At most `n_bands` bands of as many levels each."""
    kept = _kept.get(tree)
    if kept is None or kept[0] != n_bands:
        levels = np.asarray(tree.log.columns["level"])
        bottom = int(levels[~tree.is_stub].max())
        per_band = -(-(bottom + 1) // n_bands)
        n_in = np.zeros(bottom // per_band + 1, dtype=np.int64)
        run = plain(count_bands) if tree.log.n_rows <= FEW_ROWS else compiled(count_bands)
        run(tree.nodes_before, levels, per_band, n_in)
        kept = _kept[tree] = (n_bands, Bands(per_band, bottom, n_in))
    return kept[1]


def level_places(tree: Tree, rows: npt.NDArray[np.integer[Any]], n_bands: int) -> tuple[Ints, Ints, Ints]:
    """By row, its index in its band, the number of nodes there, and its level; a stub has its parent's."""
    columns = tree.log.columns
    rows = np.asarray(rows, dtype=np.int64)
    rows = np.where(tree.is_stub[rows], np.maximum(columns["parent"][rows], 0), rows)
    per_band, _, n_in = bands_of(tree, n_bands)
    asked, back = np.unique(rows, return_inverse=True)
    found = np.zeros(len(asked), dtype=np.int64)
    run = plain(places_in_bands) if tree.log.n_rows <= FEW_ROWS else compiled(places_in_bands)
    run(
        asked, tree.nodes_before, np.asarray(columns["level"]), per_band, np.zeros(len(n_in), np.int64), found
    )
    levels = columns["level"][rows].astype(np.int64)
    return found[back], n_in[levels // per_band], levels


def level_marks(
    tree: Tree, rows: npt.NDArray[np.integer[Any]], width: int, n_bands: int, first: int, last: int
) -> list[Mark]:
    """The pixels at which `rows` begin in the part, each on its level; a stub where its parent does."""
    rows = np.unique(np.asarray(rows, np.int64))
    if not len(rows):
        return []
    place, n_in, _ = level_places(tree, rows, n_bands)
    n_nodes = tree.n_logged
    kind: Any = np.int64 if n_nodes * n_nodes * width < SAFE else np.object_
    place, n_in = place.astype(kind), n_in.astype(kind)
    begin = place * n_nodes - n_in * first
    is_inside = np.asarray((begin >= 0) & (place * n_nodes < n_in * last), dtype=np.bool_)
    at = (begin[is_inside] * width // (n_in[is_inside] * (last - first))).astype(np.int64)
    order = np.argsort(at, kind="stable")
    pixels, firsts, counts = np.unique(at[order], return_index=True, return_counts=True)
    marked = rows[is_inside][order][firsts]
    return [Mark(*each) for each in np.stack([pixels, counts, marked], axis=1).tolist()]


def _touching(n_in: Ints, n_nodes: int, width: int, first: int, last: int) -> tuple[Ints, Ints]:
    """By band and pixel, the index of the first node that touches it, and of the one after the last."""
    kind: Any = np.int64 if n_nodes * n_nodes * width < SAFE else np.object_
    edges: Any = first * width + np.arange(width + 1).astype(kind) * (last - first)
    scaled, whole = n_in.astype(kind)[:, None] * edges, n_nodes * width
    low = (scaled[:, :-1] // whole).astype(np.int64)
    high = (-(-scaled[:, 1:] // whole)).astype(np.int64)
    return low, high


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
    """Count the nodes of its band before each of `rows`, ascending nodes; `n_so_far` is filled with 0."""
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
