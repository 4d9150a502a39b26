"""tt-source: an entry has the result of its source, the node that stored it."""

from __future__ import annotations

from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import text_of_key
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    Rows,
    codes,
    every,
    reason_if_threaded,
    used_entries,
)
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.table.used_entries import (
    range_of_source,
    reaches_no_edge,
    searched_depth,
    searched_to,
    shifted,
    shifted_to,
    states_its_claim,
)
from plyscope.visualizer.analysis.columns.claims import is_close, returns
from plyscope.visualizer.analysis.columns.declarations import SOFT
from plyscope.visualizer.analysis.columns.kernel_call import Way, Work
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    best_child_of,
    beta_of,
    depth_of,
    is_cut,
    is_finished,
    source_of,
)
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.digits import apart, shortened
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.words import BOUNDS, LOWER, UPPER

UNFINISHED = 1
SCORE = 2
BOUND = 3
DEPTH = 4
KEY = 5
SHALLOW = 6
"""Stored with less depth than searched: of less use than it could be, and right."""

_KEY_GIVEN = GIVEN["key"]
NONE: Final = np.zeros(0, np.int64)


@kernel
def fault_of(sight: Sight, row: int) -> int:
    """The fault of a table entry against the node that stored it; 0 if they agree, or no node is named."""
    source = source_of(sight, row)
    return fault_with(sight, row, source) if source >= 0 else 0


@kernel
def fault_with(sight: Sight, row: int, source: int) -> int:
    """The fault of a table entry if `source` stored it; 0 if they agree."""
    if not is_finished(sight, source) or sight.end[source] > row:
        return UNFINISHED
    have_keys = len(sight.key) > 0 and sight.given[row] & sight.given[source] & _KEY_GIVEN
    if have_keys and sight.key[row] != sight.key[source]:
        return KEY
    keeps_mate = False  # as the least of them, which is no nearer here than there
    if len(sight.tt_score) > 0:
        found = sight.tt_score[row]
        expected = shifted(sight, source, row)
        if not np.isnan(found) and not np.isnan(expected) and not is_close(found, expected, sight.tolerance):
            keeps_mate = abs(found) == sight.mate_threshold and claims_less(sight, row, source)
            if not keeps_mate and not is_clamped(sight, row, source):
                return SCORE
    if not keeps_mate and (bounds_differ(sight, row, source) or claims_more(sight, row, source)):
        return BOUND
    if len(sight.tt_depth) > 0:
        stored = searched_depth(sight.tt_depth[row])
        least, most = searched_to(sight, source)
        if stored > most:
            return DEPTH
        if stored < least and stored < searched_depth(depth_of(sight, source)):
            return SHALLOW
    return 0


@kernel
def is_clamped(sight: Sight, row: int, source: int) -> bool:
    """Whether the source returned its best within its window, and stored it as it was: hard, and soft.

    A win by distance is shifted before it is clamped.
    """
    best = best_child_of(sight, source)
    return bool(
        is_close(sight.tt_score[row], shifted_to(sight, source, row, best), sight.tolerance)
        and not (sight.fail == SOFT and sight.fail_is_declared)
        and returns(sight, source, best)
    )


@kernel
def states_bounds(sight: Sight, row: int, source: int) -> bool:
    """Whether both the entry and its source state a bound."""
    return bool(len(sight.tt_bound) > 0 and sight.tt_bound[row] > 0 and sight.bound[source] > 0)


@kernel
def bounds_differ(sight: Sight, row: int, source: int) -> bool:
    """Whether both state a bound, and not the same."""
    return states_bounds(sight, row, source) and bool(sight.tt_bound[row] != sight.bound[source])


@kernel
def claims_more(sight: Sight, row: int, source: int) -> bool:
    """Whether the source states no bound, and its window and plies prove less than the entry says."""
    if len(sight.tt_bound) == 0 or len(sight.tt_score) == 0 or sight.bound[source] > 0:
        return False
    low, high = range_of_source(sight, row, source)
    found, bound = float(sight.tt_score[row]), sight.tt_bound[row]
    is_short = bound & LOWER and low < found and not is_close(low, found, sight.tolerance)
    return bool(is_short or (bound & UPPER and high > found and not is_close(high, found, sight.tolerance)))


@kernel
def claims_less(sight: Sight, row: int, source: int) -> bool:
    """Whether whatever the source proved, the entry holds: it only says less."""
    if not states_bounds(sight, row, source) or len(sight.tt_score) == 0:
        return False
    entry, proven = sight.tt_bound[row], sight.bound[source]
    found, expected = float(sight.tt_score[row]), shifted(sight, source, row)
    at_least = not entry & LOWER or (proven & LOWER and found <= expected)
    at_most = not entry & UPPER or (proven & UPPER and found >= expected)
    return bool(at_least and at_most)


@kernel
def find_faults(sight: Sight, is_broken: Array) -> None:
    """Mark the entries that differ from the result of the source that they name, or come before it."""
    for row in range(len(sight.tt_from)):
        if fault_of(sight, row) > 0:
            is_broken[row] = True


@kernel
def find_unnamed(
    sight: Sight, by_key: Array, begins: Array, places: Array, blamed: Array, too_short: Array
) -> None:
    """Write into `blamed` the last earlier visit of its key for each entry that none of them accounts for.

    `by_key` are rows with keys, ascending within each key; those of the key of entry i begin at `begins[i]`,
    and it is at `places[i]`. Only entries without a stated source are judged. Where no visit of the key was
    searched to its depth, `blamed` stays -1. `too_short` gets the last visit that accounts for an entry, if
    none of them had proven enough to end it.
    """
    for i in range(len(places)):
        at = int(places[i])
        row = int(by_key[at])
        stored = searched_depth(sight.tt_depth[row])
        last = short = -1
        is_explained = is_enough = False
        asks_more = is_cut(sight, row) and not states_its_claim(sight, row)
        while at > begins[i] and (not is_explained or (asks_more and not is_enough)):
            at -= 1
            source = int(by_key[at])
            if sight.end[source] <= row and is_finished(sight, source):
                fault = fault_with(sight, row, source)
                if fault == 0 or fault == SHALLOW:
                    is_explained = True
                    is_enough = not reaches_no_edge(sight, row, source)
                    short = source if short < 0 else short
                if last < 0 and searched_depth(depth_of(sight, source)) == stored:
                    last = source
        if not is_explained:
            blamed[i] = last
        elif asks_more and not is_enough:
            too_short[i] = short


class Earlier(NamedTuple):
    """Entries without a source, each with the last visit of its key that is blamed for a fault, else -1."""

    asked: tuple[Way, int]
    """How kernels ran, and the `fail` of the sight: two rules ask the same of a log, and it is found once."""
    rows: Rows
    blamed: Rows
    """The visits blamed for entries that no earlier visit of their key accounts for."""
    too_short: Rows
    """Where those that did had not proven enough to end the visit."""


_earlier: WeakKeyDictionary[Log, Earlier] = WeakKeyDictionary()


def unnamed(sight: Sight) -> Rows:
    """Return the used entries that name no source, where it can only be an earlier visit of their key.

    So it is where all nodes that could store one have a key and a row in the order of time, and no table was
    carried.
    """
    if not len(sight.key) or not len(sight.tt_depth) or not len(sight.depth):
        return NONE
    if sight.table_carried or sight.is_threaded:
        return NONE
    outcome, has_key = sight.outcome, sight.given & _KEY_GIVEN > 0
    is_end = (outcome == words.LEAF) | (outcome == words.TERMINAL) | (outcome >= words.FIRST_STUB)
    if sight.best_first or not (has_key | is_end).all() or (outcome == words.UNLOGGED).any():
        return NONE
    rows = every(sight)
    is_asked = used_entries(sight, rows) & has_key & (codes(sight.tt_from, rows, -1) < 0)
    return np.flatnonzero(is_asked & ~np.isnan(sight.tt_depth))


def earlier_visits(sight: Sight, work: Work) -> Earlier:
    """Compare the entries that name no source with earlier visits of their keys; cached."""
    asked = work.compiled, sight.fail
    kept = _earlier.get(sight.log)
    if kept is not None and kept.asked == asked:
        return kept
    entries = unnamed(sight)
    blamed, too_short = np.full((2, len(entries)), -1, np.int64)
    if len(entries):
        by_key = np.flatnonzero(sight.given & _KEY_GIVEN > 0)
        by_key = by_key[np.argsort(sight.key[by_key], kind="stable")]
        begins = np.searchsorted(sight.key[by_key], sight.key[entries])
        places = np.empty(sight.n_rows, np.int64)
        places[by_key] = np.arange(len(by_key))
        work.run(find_unnamed)(sight, by_key, begins, places[entries], blamed, too_short)
    found = Earlier(asked, entries, blamed, too_short)
    _earlier[sight.log] = found
    return found


def last_too_short(sight: Sight, row: int) -> int:
    """The last earlier visit that accounts for the entry of `row`, and had not proven enough to end it."""
    entries = _earlier[sight.log]
    return int(entries.too_short[np.searchsorted(entries.rows, row)])


def find(sight: Sight, work: Work) -> Rows:
    """The entries that differ from their source, or from all earlier visits of their key."""
    is_broken = np.zeros(sight.n_rows, np.bool_)
    work.run(find_faults)(sight, is_broken)
    entries = earlier_visits(sight, work)
    is_broken[entries.rows[entries.blamed >= 0]] = True
    return np.flatnonzero(is_broken)


def _has_judged(sight: Sight, work: Work) -> bool:
    is_named = codes(sight.tt_from, every(sight), -1) >= 0
    return bool(is_named.any()) or len(earlier_visits(sight, work).rows) > 0


def _source(sight: Sight, row: int) -> tuple[int, bool]:
    """The node that stored the entry, and whether the log names it; else the last visit that could be."""
    source = source_of(sight, row)
    if source >= 0:
        return source, True
    entries = _earlier[sight.log]
    return int(entries.blamed[np.searchsorted(entries.rows, row)]), False


def begins_later(sight: Sight) -> bool:
    """Whether the log lacks earlier iterations, whose visits may have stored the entries that it uses."""
    return any((root.iteration or 0) > 1 for root in sight.log.roots[:1])


def is_odd(sight: Sight, rows: Rows) -> Mask:
    """The entry only says less than it could, or its visit may lie before the log begins."""
    found = np.full(len(rows), begins_later(sight))
    for i, row in enumerate(rows.tolist()):
        source, is_named = _source(sight, row)
        found[i] = _says_less(sight, row, source) or (found[i] and not is_named)
    return found


def _says_less(sight: Sight, row: int, source: int) -> bool:
    """A distance of mate that differs is none of less: the edge of a window may be, and was stored then."""
    fault = fault_with(sight, row, source)
    if fault == SCORE and sight.mate_threshold == sight.mate_threshold:
        found, expected = float(sight.tt_score[row]), shifted(sight, source, row)
        is_distance = min(abs(found), abs(expected)) > sight.mate_threshold
        if is_distance and found not in (alpha_of(sight, source), beta_of(sight, source)):
            return False
    return fault == SHALLOW or (fault in (SCORE, BOUND) and claims_less(sight, row, source))


def _figures(sight: Sight, row: int) -> Figures:
    source, is_named = _source(sight, row)
    number = int(sight.log.columns["id"][source])
    fault = fault_with(sight, row, source)
    expected: object
    found: object
    if fault == UNFINISHED:
        expected, found = "finished", "not finished"
        message = f"The entry comes from node {number}, which was not finished when it was used."
    elif fault == KEY:
        here, there = text_of_key(sight, row), text_of_key(sight, source)
        expected, found = shortened(here, there), shortened(there, here)
        message = f"The key here is {expected}, but node {number}, which stored the entry, has {found}."
    elif fault == SCORE:
        expected, found = float(shifted(sight, source, row)), float(sight.tt_score[row])
        score = float(sight.score[source])
        returned, here, stored = apart(score, expected, found)
        says = returned if expected == score else f"{returned}, here {here} by the distance of the win"
        message = f"Node {number} returned {says}, but the entry it stored says {stored}."
        if bounds_differ(sight, row, source):
            kind, called = BOUNDS[sight.bound[source]], BOUNDS[sight.tt_bound[row]]
            message = (
                f"Node {number} returned {says}, a score that is {kind}, but the entry it stored says "
                f"{stored} and calls it {called}."
            )
    elif fault == BOUND:
        expected, found = BOUNDS[_bound_of(sight, source, row)], BOUNDS[sight.tt_bound[row]]
        message = f"Node {number} returned a score that is {expected}, but its entry calls it {found}."
    else:
        expected, found = depth_of(sight, source), float(sight.tt_depth[row])
        searched, stored = apart(expected, found)
        message = f"Node {number} was searched to depth {searched}, but its entry says {stored}."
    if not is_named:
        message = (
            f"No earlier visit of this key returned what the entry says: {message[0].lower()}{message[1:]}"
        )
    return Figures(expected=expected, found=found, message=message, involved=(source,))


def _bound_of(sight: Sight, source: int, row: int) -> int:
    """The bound that the source states, else the one that its window and plies leave it."""
    if sight.bound[source] > 0:
        return int(sight.bound[source])
    low, _ = range_of_source(sight, row, source)
    return LOWER if low >= float(sight.score[source]) else UPPER


RULE = Rule(
    "tt-source",
    "wrong",
    ("tt.from|key", "tt"),
    _figures,
    has_judged=_has_judged,
    find=find,
    why_not=reason_if_threaded,
    is_odd=is_odd,
)
