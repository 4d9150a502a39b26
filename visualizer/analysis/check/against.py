"""Compare a log with another search of the same position: what is exact in both must be equal.

So a fault shows that one log cannot show: play the same search with its table off, or its reductions off, and
let the two disagree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from visualizer.analysis.check.report import Finding
from visualizer.analysis.check.reproduce import path_of, reproduce
from visualizer.formats.errors import LogError
from visualizer.store import words
from visualizer.store.log import Log

RULE: Final = "against"
REASON: Final = "nodes of equal path and depth, exact in both logs, have equal scores"
TOLERANCE: Final = 1e-9

Paths = dict[tuple[int, str | None], int]
"""Numbers of paths: of the parent's number and a ply. Every root is path 0."""


def against(log: Log, other: Log) -> list[Finding]:
    """What `log` scores otherwise than `other`, in the order in which its nodes were left.

    Raises LogError where the games or positions differ, or no node can be compared.

    >>> from visualizer.formats.detect import read_log
    >>> text = '{"plyscope": 1, "root": {"score": %d, "depth": 2, "bound": "exact"}}'
    >>> [found.message for found in against(*(read_log((text % n).encode()) for n in (3, 5)))]
    ['The score is 3 here and 5 in the other log, both exact at depth 2.']
    """
    mine, theirs = log.header.get("game"), other.header.get("game")
    if mine is not None and theirs is not None and mine != theirs:
        raise LogError(f"the logs are of different games, {str(mine)!r} and {str(theirs)!r}")
    mine, theirs = log.header.get("position"), other.header.get("position")
    if mine is not None and theirs is not None and mine != theirs:
        raise LogError(f"the logs are of different positions, {str(mine)!r} and {str(theirs)!r}")
    paths: Paths = {}
    known = {(path, depth): score for path, depth, score, _ in _exact_nodes(other, paths)}
    same = [
        (row, depth, score, known[path, depth])
        for path, depth, score, row in _exact_nodes(log, paths)
        if (path, depth) in known
    ]
    if not same:
        raise LogError(
            "nothing to compare: no node of equal path and `depth` has a score and `bound` exact in both logs"
        )
    end, level = log.columns["end"], log.columns["level"]
    broken = [
        each for each in same if not math.isclose(each[2], each[3], rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    ]
    broken.sort(key=lambda each: (int(end[each[0]]), -int(level[each[0]])))
    return [_finding(log, *each) for each in broken]


def _exact_nodes(log: Log, paths: Paths) -> Iterator[tuple[int, float, float, int]]:
    """Path, depth, score and row of every finished node with an exact score; new paths are numbered."""
    depths: Any = log.column("depth")
    if depths is None:
        return
    columns = {name: log.columns[name].tolist() for name in ("parent", "ply", "outcome", "bound", "score")}
    number_of: list[int] = []
    rows = zip(*columns.values(), depths.tolist(), strict=True)
    for row, (parent, ply, outcome, bound, score, depth) in enumerate(rows):
        step = (number_of[parent], log.text(ply)) if parent >= 0 else None
        number_of.append(0 if step is None else paths.setdefault(step, len(paths) + 1))
        is_finished = outcome < words.FIRST_STUB and outcome not in (words.STOPPED, words.OPEN)
        if is_finished and bound == words.EXACT and not math.isnan(depth) and not math.isnan(score):
            yield number_of[row], depth, score, row


def _finding(log: Log, row: int, depth: float, score: float, expected: float) -> Finding:
    return Finding(
        rule=RULE,
        severity="wrong",
        row=row,
        id=int(log.columns["id"][row]),
        path=path_of(log, row),
        expected=expected,
        found=score,
        message=(
            f"The score is {score:g} here and {expected:g} in the other log, both exact at depth {depth:g}."
        ),
        reproduce=reproduce(log, row),
    )
