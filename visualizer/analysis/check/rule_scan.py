"""Ask many rules at once, piece by piece of the rows: each rule has a kernel of its own."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.judged import Rows
from plyscope.visualizer.analysis.check.rule import Rule
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight

CHUNK: Final = 1 << 14
"""Rows that one rule after the other is asked about, between two reports of progress; few enough to
stay in the cache of the processor."""
BY_ROW: Final = 0.4
"""The part of the progress that is the rules asked row by row."""
MOST_THREADS: Final = 4

Violates = Callable[[Sight, int], bool]


@cache
def scanner(violates: Violates) -> Callable[..., int]:
    """Return a kernel that writes the rows in [first, last) that break a rule; it returns how many."""

    @kernel
    def scan_rows(sight: Sight, first: int, last: int, rows: Any) -> int:
        n_broken = 0
        for row in range(first, last):
            if violates(sight, row):
                rows[n_broken] = row
                n_broken += 1
        return n_broken

    return scan_rows


def scan(
    sight: Sight, asked: Mapping[str, Rule], work: Work, ahead: Future[None] | None = None
) -> dict[str, Rows]:
    """Return the rows that break each of the rules `asked`, ascending.

    Rules over the whole log wait for `ahead`, a pass that has begun before.
    """
    by_row = {name: rule.violates for name, rule in asked.items() if rule.violates is not None}
    if not by_row:
        return _find(sight, asked, work, ahead)
    progress = _Progress(work)
    with ThreadPoolExecutor(_n_threads(work)) as pool:
        if work.compiled:
            coming = pool.submit(_find, sight, asked, progress.work_of(1), ahead)
            broken = _scan_rows(sight, by_row, progress.work_of(0), pool)
            broken |= coming.result()
        else:
            broken = _scan_rows(sight, by_row, progress.work_of(0), pool)
            broken |= _find(sight, asked, progress.work_of(1), ahead)
    return {name: _unexcused(sight, rule, broken[name]) for name, rule in asked.items()}


def _unexcused(sight: Sight, rule: Rule, rows: Rows) -> Rows:
    return rows if rule.excuses is None or not len(rows) else rows[~rule.excuses(sight, rows)]


class _Progress:
    """The joint progress of two threads: the rules row by row, and those over the whole log."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._done = [0.0, 0.0]

    def work_of(self, place: int) -> Work:
        """Return the work of one of the two threads."""
        return replace(self._work, on_progress=partial(self._has_come, place))

    def _has_come(self, place: int, part: float) -> None:
        self._done[place] = part
        self._work.on_progress(BY_ROW * self._done[0] + (1 - BY_ROW) * self._done[1])


def _n_threads(work: Work) -> int:
    return min(MOST_THREADS, os.cpu_count() or 1) if work.compiled else 1


def _find(
    sight: Sight, asked: Mapping[str, Rule], work: Work, ahead: Future[None] | None = None
) -> dict[str, Rows]:
    """Return the rows that break each rule over the whole log, once `ahead` is done."""
    if ahead is not None:
        ahead.result()
    finds = [(name, rule.find, rule.effort) for name, rule in asked.items() if rule.find is not None]
    whole, done = sum(effort for _, _, effort in finds), 0
    found = {}
    for name, find, effort in finds:
        part = work.part(done / whole, (done + effort) / whole)
        found[name] = np.asarray(find(sight, part), np.int64)
        done += effort
    work.go_on(1.0)
    return found


def _scan_rows(
    sight: Sight, rules: Mapping[str, Violates], work: Work, pool: ThreadPoolExecutor
) -> dict[str, Rows]:
    """Return the rows that break each of the rules; the pool takes pieces of the rows."""
    scanners = {name: work.run(scanner(violates)) for name, violates in rules.items()}

    def scan_chunk(first: int) -> dict[str, Rows]:
        last = min(first + CHUNK, sight.n_rows)
        rows = np.empty(last - first, np.int64)
        return {
            name: rows[:n_broken].copy()
            for name, scan_rows in scanners.items()
            if (n_broken := scan_rows(sight, first, last, rows))
        }

    found: dict[str, list[Rows]] = {name: [np.zeros(0, np.int64)] for name in rules}
    firsts = range(0, sight.n_rows, CHUNK)
    work.go_on(1 / (len(firsts) + 1))  # not 0, which means that kernels are being compiled
    coming = deque(pool.submit(scan_chunk, first) for first in firsts)
    try:
        while coming:
            work.go_on(1 - len(coming) / (len(firsts) + 1))
            for name, rows in coming.popleft().result().items():
                found[name].append(rows)
    finally:
        for each in coming:
            each.cancel()
    work.go_on(1.0)
    return {name: np.concatenate(pieces) for name, pieces in found.items()}
