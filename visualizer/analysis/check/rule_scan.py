"""Ask many rules at once, row by row: their kernels are composed into one, which reads a row once."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.analysis.check.passes.kernel_call import Work
from plyscope.visualizer.analysis.check.rule import Rule

Rows = npt.NDArray[np.int64]

CHUNK: Final = 1 << 17
"""Rows asked between two looks at whether to stop."""
BY_ROW: Final = 0.4
"""The part of the progress that is the rules asked row by row."""
MOST_THREADS: Final = 4
BLOCK: Final = 2048
"""Rows that one rule after the other is asked about, few enough to stay in the cache of the processor."""

Violates = Callable[[Sight, int], bool]
Judge = Callable[[Sight, int, int, int, Any], None]


@kernel
def _ask_none(sight: Sight, mask: int, first: int, last: int, bits: Any) -> None:
    return


def _with(rest: Judge, violates: Violates, bit: int) -> Judge:
    """Ask `rest`, then `violates` of every row in [first, last) where its bit is in the mask."""

    @kernel
    def ask(sight: Sight, mask: int, first: int, last: int, bits: Any) -> None:
        rest(sight, mask, first, last, bits)
        if mask & bit:
            for row in range(first, last):
                if violates(sight, row):
                    bits[row - first] |= bit

    return ask


@cache
def scanner(kernels: tuple[Violates, ...]) -> Callable[..., int]:
    """Return a kernel that writes the rows in [first, last) that break rules, and which; it returns how many.

    Bit i of a written number means that kernel i is broken. Only kernels whose bit is in the mask are asked.
    """
    ask: Judge = _ask_none
    for i, violates in enumerate(kernels):
        ask = _with(ask, violates, 1 << i)

    @kernel
    def scan_rows(sight: Sight, mask: int, first: int, last: int, block: Any, rows: Any, bits: Any) -> int:
        n_broken = 0
        for start in range(first, last, len(block)):
            end = min(start + len(block), last)
            block[:] = 0
            ask(sight, mask, start, end, block)
            for row in range(start, end):
                if block[row - start]:
                    rows[n_broken] = row
                    bits[n_broken] = block[row - start]
                    n_broken += 1
        return n_broken

    return scan_rows


def scan(
    sight: Sight,
    every: Mapping[str, Rule],
    asked: Mapping[str, Rule],
    work: Work,
    ahead: Future[None] | None = None,
) -> dict[str, Rows]:
    """Return the rows that break each of the rules `asked`, ascending; the compiled scanner has `every` rule.

    Rules over the whole log wait for `ahead`, a pass that has begun before.
    """
    by_row = [name for name, rule in every.items() if rule.violates is not None]
    kernels = tuple(rule.violates for rule in every.values() if rule.violates is not None)
    mask = sum(1 << i for i, name in enumerate(by_row) if name in asked)
    progress = _Progress(work)
    by_rows = progress.work_of(0)
    scan_rows = work.run(scanner(kernels))
    with ThreadPoolExecutor(_n_threads(work)) as pool:
        if work.compiled:
            coming = pool.submit(_find, sight, asked, progress.work_of(1), ahead)
            all_rows, all_bits = _scan_rows(sight, scan_rows, mask, by_rows, pool)
            broken = coming.result()
        else:
            all_rows, all_bits = _scan_rows(sight, scan_rows, mask, by_rows, pool)
            broken = _find(sight, asked, progress.work_of(1))
    for name in asked:
        if name not in broken:
            broken[name] = all_rows[all_bits >> by_row.index(name) & 1 == 1]
    return {name: broken[name] for name in asked}


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
    sight: Sight, scan_rows: Callable[..., int], mask: int, work: Work, pool: ThreadPoolExecutor
) -> tuple[Rows, Rows]:
    """Return the rows that break a rule of the mask, and which; the pool takes pieces of the rows."""

    def scan_chunk(first: int) -> tuple[Rows, Rows]:
        last = min(first + CHUNK, sight.n_rows)
        block = np.zeros(min(BLOCK, last - first), np.int64)
        rows, bits = np.empty(last - first, np.int64), np.empty(last - first, np.int64)
        n_broken = scan_rows(sight, mask, first, last, block, rows, bits)
        return rows[:n_broken].copy(), bits[:n_broken].copy()

    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    firsts = range(0, sight.n_rows, CHUNK)
    work.go_on(1 / (len(firsts) + 1))  # not 0, which means that kernels are being compiled
    coming = deque(pool.submit(scan_chunk, first) for first in firsts)
    try:
        while coming:
            work.go_on(1 - len(coming) / (len(firsts) + 1))
            found.append(coming.popleft().result())
    finally:
        for each in coming:
            each.cancel()
    work.go_on(1.0)
    return np.concatenate([rows for rows, _ in found]), np.concatenate([bits for _, bits in found])
