"""The whole tree as one picture, however large: an icicle, reduced to the pixels there are.

A level is a row of the picture, a node as wide as its subtree has nodes, in the order searched: so the time
of a depth-first search runs from left to right. In the log of a best-first search a node is as wide as its
visits. Where many nodes share a pixel it shows the largest.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Final, NamedTuple, TypeVar
from weakref import ReferenceType, WeakKeyDictionary, ref

import numpy as np
import numpy.typing as npt

from plyscope.engine.compile.plain_call import plain
from plyscope.engine.jit import compiled, kernel
from plyscope.visualizer.analysis.overview.measure import FEW_ROWS, measure_of
from plyscope.visualizer.store.tree import Tree

MOST_WIDTH: Final = 4096
MOST_BANDS: Final = 256
HALVED_FROM_ROWS: Final = 300_000
"""From this many rows on, two threads draw one half each; fewer rows take two milliseconds."""

Pixels = npt.NDArray[np.int32]
T = TypeVar("T")


@dataclass(frozen=True)
class Overview:
    """A part of the icicle: `n_bands` rows of `width` pixels."""

    first: int
    """The total before the left edge: nodes in the order searched, without stubs, or visits."""
    last: int
    """The same before the right edge."""
    length: int
    """The whole width, in nodes or visits."""
    top: int
    """The level of the first band."""
    per_band: int
    """The number of levels in a band: 1 if there is room for all."""
    bottom: int
    """The deepest level of the part."""
    largest: npt.NDArray[np.int32]
    """By band and pixel: the row of the largest node there, -1 where there is none."""
    counts: npt.NDArray[np.int32]
    """By band and pixel, the number of nodes that touch it."""


class Mark(NamedTuple):
    """A pixel at which nodes begin: its place, their number, and the row of the first of them."""

    x: int
    n_rows: int
    row: int


def marks_of(tree: Tree, rows: npt.NDArray[np.integer[Any]], width: int, first: int, last: int) -> list[Mark]:
    """The pixels at which `rows` begin in the part from `first` to `last`; a stub where it would."""
    rows = np.unique(np.asarray(rows, np.int64))
    before = measure_of(tree).before[rows]
    is_inside = (before >= first) & (before < last)
    pixels, firsts, counts = np.unique(
        (before[is_inside] - first) * width // (last - first), return_index=True, return_counts=True
    )
    at = rows[is_inside][firsts]
    return [Mark(*each) for each in np.stack([pixels, counts, at], axis=1).tolist()]


def overview(
    tree: Tree, width: int, n_bands: int, first: int = 0, last: int | None = None, *, few_rows: int = FEW_ROWS
) -> Overview:
    """The part of the forest from `first` to `last`, on `width` pixels and at most `n_bands` bands.

    A part of more than `few_rows` rows is drawn by machine code.

    Both count nodes, or visits (see `measure_of`). The first band is the last level on which one node covers
    the whole part. Raises ValueError where the part is empty, or the picture larger than 4096 by 256.

    >>> from plyscope.visualizer.formats.detect import read_log
    >>> tree = Tree(read_log(b'{"plyscope": 1, "root": {"children": [{"ply": "a"}, {"ply": "b"}]}}'))
    >>> overview(tree, 6, 4).largest.tolist()
    [[0, 0, 0, 0, 0, 0], [-1, -1, 1, 1, 2, 2]]
    """
    measure = measure_of(tree)
    before, length, columns = measure.before, measure.length, tree.log.columns
    last = length if last is None else min(last, length)
    refuse(length, width, n_bands, first, last, measure.unit)
    first_row, last_row = row_at(tree, first), row_at(tree, last - 1) + 1
    above = np.array(tree.path(first_row)[:-1], dtype=np.int64)
    covering = above[before[columns["end"][above]] >= last]
    top = int(columns["level"][covering[-1]]) if len(covering) else 0
    if before[columns["end"][first_row]] >= last:
        top = int(columns["level"][first_row])
    run = plain if last_row - first_row <= few_rows else compiled
    end, level = (
        np.asarray(columns[name]) for name in ("end", "level")
    )  # machine code takes no mapped files

    def levels_of(begin: int, behind: int) -> int:
        return int(run(deepest)(begin, behind, before, end, level))

    bottom = max(*_halves(first_row, last_row, levels_of), top)
    per_band = -(-(bottom - top + 1) // n_bands)
    shape = (-(-(bottom - top + 1) // per_band), width)

    def draw(begin: int, behind: int) -> tuple[Pixels, npt.NDArray[np.int64], Pixels]:
        largest, counts = np.full(shape, NONE, dtype=np.int32), np.zeros(shape, dtype=np.int32)
        sizes = np.zeros(shape, dtype=np.int64)
        part = Part(before, end, level, first, last, top, per_band, largest, sizes, counts)
        if begin == first_row:
            run(draw_above)(above, part)
        run(draw_part)(begin, behind, part)
        return largest, sizes, counts

    (largest, sizes, counts), *others = _halves(first_row, last_row, draw)
    for its_largest, its_sizes, its_counts in others:
        np.copyto(largest, its_largest, where=its_sizes > sizes)
        counts += its_counts
    return Overview(first, last, length, top, per_band, bottom, largest, counts)


def _halves(first_row: int, last_row: int, work: Callable[[int, int], T]) -> list[T]:
    """`work` of all rows; where they are many, of each half of them, in two threads."""
    if last_row - first_row < HALVED_FROM_ROWS:
        return [work(first_row, last_row)]
    middle = (first_row + last_row) // 2
    with ThreadPoolExecutor(1) as other:
        second = other.submit(work, middle, last_row)
        return [work(first_row, middle), second.result()]


def refuse(length: int, width: int, n_bands: int, first: int, last: int, unit: str = "nodes") -> None:
    """Raise ValueError where the part is empty, or the picture too large."""
    if not 0 <= first < last:
        raise ValueError(f"there are {length:,} {unit}, and none from {first:,} to {last:,}")
    if not (0 < width <= MOST_WIDTH and 0 < n_bands <= MOST_BANDS):
        raise ValueError(f"{width} by {n_bands} pixels, expected at most {MOST_WIDTH} by {MOST_BANDS}")


def row_at(tree: Tree, number: int) -> int:
    """The deepest row that begins at this number of the order searched, or before it."""
    return int(np.searchsorted(measure_of(tree).before, number, side="right")) - 1


Array = npt.NDArray[Any]

NONE: Final = -1


class Part(NamedTuple):
    """A part of the tree to be drawn, and its picture: bands by pixels."""

    before: Array
    """A row and one more: nodes before it in the order searched (a stub adds none), or visits."""
    end: Array
    level: Array
    first: int
    """The beginning and the end of the part, in the same; the picture is as wide as that."""
    last: int
    top: int
    """The level of the first band."""
    per_band: int
    """The number of levels in a band."""
    largest: Array
    """The row of the largest node that touches the pixel."""
    sizes: Array
    """Its nodes."""
    counts: Array
    """How many nodes touch it."""


@kernel
def draw_above(rows: Array, part: Part) -> int:
    """Draw the nodes at `rows`, which begin before the part and reach into it."""
    before, end, level, first, last, top, per_band, largest, sizes, counts = part
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
def draw_part(first_row: int, last_row: int, part: Part) -> int:
    """Draw the nodes that begin in the part, at rows from `first_row` to `last_row`; see `draw_above`."""
    before, end, level, first, last, top, per_band, largest, sizes, counts = part
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
        # Nodes come in the order of their pixels, so no slow division is needed to find the pixel.
        while begin - first >= edge:
            x += 1
            edge = (x + 1) * span / width
        band = level[row] - top
        if per_band > 1:
            band //= per_band
        counts[band, x] += 1
        # The first of equals stays, so that a picture does not depend on the zoom.
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


LARGE_ROWS: Final = 500_000
SECONDS_BEFORE: Final = 0.7
"""Until the page has drawn a log that was sent to it."""

threads: Final[WeakKeyDictionary[Tree, Thread]] = WeakKeyDictionary()
"""By tree the thread that makes its overview ready, or did."""


def make_ready(tree: Tree) -> None:
    """Have a thread draw the overview of a large log a moment after it is opened, so that it is measured."""
    if tree.log.n_rows >= LARGE_ROWS and tree not in threads:
        threads[tree] = Thread(target=_draw_small, args=(ref(tree),), name="plyscope-overview", daemon=True)
        threads[tree].start()


def _draw_small(tree: ReferenceType[Tree]) -> None:
    Event().wait(SECONDS_BEFORE)
    if (shown := tree()) is not None:
        overview(shown, width=8, n_bands=4)
