"""Ask many rules at once, row by row: their kernels are composed into one, so that a row is read once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from visualizer.analysis.check.machine import Work
from visualizer.analysis.check.rule import Rule
from visualizer.analysis.check.sight import Sight

Rows = npt.NDArray[np.int64]

CHUNK: Final = 1 << 18
"""Rows asked between two looks at whether to stop."""
BLOCK: Final = 2048
"""Rows that one rule after the other is asked about, few enough to stay in the cache of the processor."""

Breaks = Callable[[Sight, int], bool]
Judge = Callable[[Sight, int, int, int, Any], None]


@kernel
def _ask_none(sight: Sight, mask: int, first: int, last: int, bits: Any) -> None:
    return


def _with(rest: Judge, breaks: Breaks, bit: int) -> Judge:
    """Ask `rest`, then `breaks` of every row in [first, last) where its bit is in the mask."""

    @kernel
    def ask(sight: Sight, mask: int, first: int, last: int, bits: Any) -> None:
        rest(sight, mask, first, last, bits)
        if mask & bit:
            for row in range(first, last):
                if breaks(sight, row):
                    bits[row - first] |= bit

    return ask


@cache
def scanner(kernels: tuple[Breaks, ...]) -> Callable[..., int]:
    """A kernel that writes the rows in [first, last) that break a rule, and which; returns how many.

    Bit i of what it writes: kernel i is broken. It asks those whose bit is in the mask.
    """
    ask: Judge = _ask_none
    for i, breaks in enumerate(kernels):
        ask = _with(ask, breaks, 1 << i)

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
) -> dict[str, Rows]:
    """The rows that break each of the rules `asked`, ascending; `every` rule is in the compiled scanner."""
    by_row = [name for name, rule in every.items() if rule.breaks is not None]
    kernels = tuple(rule.breaks for rule in every.values() if rule.breaks is not None)
    mask = sum(1 << i for i, name in enumerate(by_row) if name in asked)
    scan_rows = work.run(scanner(kernels))
    size = min(CHUNK, sight.n_rows)
    block = np.zeros(min(BLOCK, size), np.int64)
    rows, bits = np.zeros(size, np.int64), np.zeros(size, np.int64)
    found: list[tuple[Rows, Rows]] = []
    work.go_on(0.0)
    for first in range(0, sight.n_rows, CHUNK):
        n_broken = scan_rows(sight, mask, first, min(first + CHUNK, sight.n_rows), block, rows, bits)
        if n_broken:
            found.append((rows[:n_broken].copy(), bits[:n_broken].copy()))
        work.go_on(min(first + CHUNK, sight.n_rows) / sight.n_rows)
    all_rows = np.concatenate([rows[:0], *(each[0] for each in found)])
    all_bits = np.concatenate([bits[:0], *(each[1] for each in found)])
    broken: dict[str, Rows] = {}
    for name, rule in asked.items():
        if rule.find is not None:
            broken[name] = np.asarray(rule.find(sight, work), np.int64)
        else:
            broken[name] = all_rows[all_bits >> by_row.index(name) & 1 == 1]
    return broken
