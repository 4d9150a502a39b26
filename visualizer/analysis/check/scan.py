"""Ask many rules at once, row by row: their kernels are composed into one, so that a row is read once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from visualizer.analysis.check.machine import run
from visualizer.analysis.check.rule import Rule
from visualizer.analysis.check.sight import Sight

Rows = npt.NDArray[np.int64]

BLOCK: Final = 1 << 18
"""Rows asked at once, between two looks at whether to stop."""


class StoppedError(Exception):
    """The check was stopped before it was done."""


@kernel
def _nothing(sight: Sight, row: int, mask: int) -> int:
    return 0


def _judge(kernels: tuple[Callable[[Sight, int], bool], ...]) -> Callable[[Sight, int, int], int]:
    """One kernel that asks those of `kernels` whose bit is in the mask; bit i answers: kernel i is broken."""
    judge: Callable[[Sight, int, int], int] = _nothing
    for i, breaks in enumerate(kernels):
        judge = _with(judge, breaks, 1 << i)
    return judge


def _with(
    rest: Callable[[Sight, int, int], int], breaks: Callable[[Sight, int], bool], bit: int
) -> Callable[[Sight, int, int], int]:
    @kernel
    def judge(sight: Sight, row: int, mask: int) -> int:
        bits = rest(sight, row, mask)
        if mask & bit and breaks(sight, row):
            bits |= bit
        return bits

    return judge


def scanner(kernels: tuple[Callable[[Sight, int], bool], ...]) -> Callable[..., int]:
    """A kernel that writes the rows in [first, last) that break a rule, and which; returns how many."""
    judge = _judge(kernels)

    @kernel
    def scan_rows(sight: Sight, mask: int, first: int, last: int, rows: Any, bits: Any) -> int:
        n_broken = 0
        for row in range(first, last):
            broken = judge(sight, row, mask)
            if broken:
                rows[n_broken] = row
                bits[n_broken] = broken
                n_broken += 1
        return n_broken

    return scan_rows


def scan(
    sight: Sight,
    every: Mapping[str, Rule],
    asked: Mapping[str, Rule],
    compiled: bool,
    on_progress: Callable[[float], None],
    should_stop: Callable[[], bool] | None,
) -> dict[str, Rows]:
    """The rows that break each of the rules `asked`, ascending; `every` rule is in the compiled scanner."""
    by_row = [name for name, rule in every.items() if rule.breaks is not None]
    kernels = tuple(rule.breaks for rule in every.values() if rule.breaks is not None)
    mask = sum(1 << i for i, name in enumerate(by_row) if name in asked)
    scan_rows = run(scanner(kernels), compiled, on_progress)
    size = min(BLOCK, sight.n_rows)
    rows, bits = np.zeros(size, np.int64), np.zeros(size, np.int64)
    found: list[tuple[Rows, Rows]] = []
    for first in range(0, sight.n_rows, BLOCK):
        if should_stop is not None and should_stop():
            raise StoppedError("the check was stopped")
        n_broken = scan_rows(sight, mask, first, min(first + BLOCK, sight.n_rows), rows, bits)
        if n_broken:
            found.append((rows[:n_broken].copy(), bits[:n_broken].copy()))
        on_progress(min(first + BLOCK, sight.n_rows) / sight.n_rows)
    all_rows = np.concatenate([rows[:0], *(each[0] for each in found)])
    all_bits = np.concatenate([bits[:0], *(each[1] for each in found)])
    broken: dict[str, Rows] = {}
    for name, rule in asked.items():
        if rule.find is not None:
            broken[name] = np.asarray(rule.find(sight), np.int64)
        else:
            broken[name] = all_rows[all_bits >> by_row.index(name) & 1 == 1]
    return broken
