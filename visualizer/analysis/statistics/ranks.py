"""The place of each ply in the order of pre-scores below its node: the least and the greatest it may have.

A branching limit K keeps the plies of places below K. Equal pre-scores are in order of generation, which is
the order of rows if the whole log is sorted so and nothing reorders plies; else equal ones may have either
order. A ply without pre-score may have any place. Outcomes of chance have the place 0, since no limit drops
them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.row import (
    count_of,
    depth_of,
    is_aside,
    is_stub,
    moves_of,
    pre_score_of,
    stub_slice,
)
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store import words

ANY: Final = 2**31 - 1
"""The greatest place of a ply with an unknown place."""


class Places(NamedTuple):
    """Places by row, and room for the plies of one node."""

    known: Array
    """The bound of each score by all that is known of it, as a code of `bound`; 0 where it is not known."""
    least: Array
    """The least place of a visit's ply, or of a stub's best ply."""
    most: Array
    stamp: Array
    """By ply: the node below which `first` was written."""
    first: Array
    """The number of the ply's first visit among the node's plies."""
    value: Array
    """Pre-scores of the node's plies, the best first after sorting."""
    number: Array
    """Their numbers before sorting."""
    low: Array
    high: Array
    row: Array
    """The first visit of each ply, or the stub that has it."""
    unseen: Array
    """By row: the least place of plies that have neither row nor stub, ANY where there are none."""
    widest: Array
    """One entry: the most plies below a node, as far as they are counted."""


def places_of(sight: Sight, known: Array) -> Places:
    """Room for the places of a log's plies; `known` as `Places` has it."""
    n_rows, n_texts = sight.n_rows, len(sight.log.texts)
    parent = sight.parent[sight.parent >= 0]
    n_most = int(np.bincount(parent).max(initial=0)) if len(parent) else 0
    if len(sight.stub_rows):
        stub_parent = sight.parent[sight.stub_rows]
        lengths = np.diff(sight.stub_starts)
        inside = stub_parent >= 0
        n_most += int(np.bincount(stub_parent[inside], weights=lengths[inside]).max(initial=0))
    return Places(
        known=known,
        least=np.zeros(n_rows, np.int32),
        most=np.zeros(n_rows, np.int32),
        stamp=np.full(n_texts + 1, -1, np.int32),
        first=np.zeros(n_texts + 1, np.int32),
        value=np.zeros(n_most),
        number=np.zeros(n_most, np.int64),
        low=np.zeros(n_most, np.int64),
        high=np.zeros(n_most, np.int64),
        row=np.zeros(n_most, np.int64),
        unseen=np.full(n_rows, ANY, np.int32),
        widest=np.zeros(1, np.int64),
    )


@kernel
def place_rows(sight: Sight, places: Places, first: int, last: int, is_sorted: bool, has_cuts: bool) -> None:
    """Write the places of the rows from `first` to `last`.

    `is_sorted`: rows are in the order of generation of equal pre-scores. `has_cuts`: a node may have been cut
    off without a stub for the rest.
    """
    for row in range(first, last):
        if sight.end[row] > row + 1 and sight.layer[row] != words.CHANCE:
            place_children(sight, places, row, is_sorted, has_cuts)


@kernel
def place_children(sight: Sight, places: Places, row: int, is_sorted: bool, has_cuts: bool) -> None:
    """Write the places of the plies of one node."""
    sign = -1.0 if sight.layer[row] == words.MIN else 1.0
    n = 0
    n_unknown = 0  # plies that may stand anywhere
    n_after = 0  # plies that were cut off and come after all that were visited
    n_told = 0
    has_pruned = False
    child = row + 1
    end = int(sight.end[row])
    while child < end:
        outcome = sight.outcome[child]
        if outcome == words.PRUNED or outcome == words.SKIPPED or outcome == words.UNLOGGED:
            begin, stop = stub_slice(sight, child)
            stands_for = count_of(sight, child)
            n_told += max(stands_for, stop - begin)
            n_nameless = 0
            for i in range(begin, stop):
                pre_score = sign * float(sight.stub_pre_scores[i])
                if pre_score == pre_score:
                    places.value[n] = pre_score
                    places.number[n] = n
                    places.row[n] = child
                    n += 1
                else:
                    n_nameless += 1
            if stands_for < 0 and begin == stop:
                n_nameless = ANY
            else:
                n_nameless += max(0, stands_for - (stop - begin))
            comes_after = is_sorted and outcome == words.PRUNED
            if comes_after:
                n_after += n_nameless
            else:
                n_unknown += n_nameless
            has_pruned = has_pruned or outcome == words.PRUNED
            places.least[child] = 0 if n_nameless > 0 and not comes_after else ANY
            places.most[child] = ANY
        elif outcome == words.LIMITED:
            n_told += max(0, count_of(sight, child))
        elif not is_stub(sight, child) and not is_aside(sight, child):
            ply = int(sight.ply[child])
            is_new = True
            if ply >= 0:
                is_new = places.stamp[ply] != row
                if is_new:
                    places.stamp[ply] = row
                    places.first[ply] = n
            if is_new:
                n_told += 1
                pre_score = sign * pre_score_of(sight, child)
                if ply < 0 or pre_score != pre_score:
                    n_unknown += 1
                    if ply >= 0:
                        places.first[ply] = -1
                else:
                    places.value[n] = pre_score
                    places.number[n] = n
                    places.row[n] = child
                    n += 1
        child = int(sight.end[child])
    n_missing = 0  # plies that are not in the log
    if not has_pruned:
        n_moves = moves_of(sight, row)
        outcome = sight.outcome[row]
        if n_moves >= 0 and depth_of(sight, row) > 0.0:
            n_missing = max(0, n_moves - n_told)
        elif outcome == words.CUTOFF or (outcome == 0 and has_cuts and places.known[row] != words.EXACT):
            n_missing = ANY
        if not is_sorted:
            n_unknown += n_missing
    places.unseen[row] = ANY
    if n_missing > 0:
        places.unseen[row] = n if is_sorted else 0
    sort(places, n)
    i = 0
    while i < n:
        j = i
        while j + 1 < n and places.value[j + 1] == places.value[i]:
            j += 1
        for k in range(i, j + 1):
            at = places.number[k]
            places.low[at] = k if is_sorted else i
            places.high[at] = min(ANY, (k if is_sorted else j) + n_unknown)
        i = j + 1
    n_plies = n + n_after + n_unknown
    if n_plies < ANY:
        places.widest[0] = max(n_plies, places.widest[0])
    for at in range(n):
        stub = places.row[at]
        if is_stub(sight, stub):
            places.least[stub] = min(places.low[at], places.least[stub])
    child = row + 1
    while child < end:
        if is_stub(sight, child):
            if is_sorted and sight.outcome[child] == words.PRUNED and n_after > 0:
                places.least[child] = min(n, places.least[child])
        elif not is_aside(sight, child):
            ply = int(sight.ply[child])
            at = int(places.first[ply]) if ply >= 0 else -1
            places.least[child] = places.low[at] if at >= 0 else 0
            places.most[child] = places.high[at] if at >= 0 else ANY
        child = int(sight.end[child])


@kernel
def sort(places: Places, n: int) -> None:
    """Sort the first `n` values, the greatest first, equal ones by their number (Shell, gaps of Knuth)."""
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            value = places.value[i]
            at = places.number[i]
            j = i
            while j >= gap and (
                places.value[j - gap] < value
                or (places.value[j - gap] == value and places.number[j - gap] > at)
            ):
                places.value[j] = places.value[j - gap]
                places.number[j] = places.number[j - gap]
                j -= gap
            places.value[j] = value
            places.number[j] = at
        gap //= 3
