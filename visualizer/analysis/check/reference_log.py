"""Compare a log with another search of the same position: scores that are exact in both must be equal.

This shows faults that one log cannot show: run the same search with its table off, or its reductions off, and
compare the two.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.judged import Rows
from plyscope.visualizer.analysis.check.report import AGAINST, Finding
from plyscope.visualizer.analysis.check.reproduction import path_of, reproduce
from plyscope.visualizer.analysis.columns.rounding import are_close
from plyscope.visualizer.analysis.nodes.digits import apart, exact
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

Numbers = npt.NDArray[np.float64]


def against(log: Log, other: Log) -> list[Finding]:
    """Return the nodes that `log` and `other` score differently, in the order in which they were left.

    Raises LogError if the games or positions differ, or no node can be compared.

    >>> from plyscope.visualizer.formats.detect import read_log
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
    mine_at, theirs_at = _comparable(log), _comparable(other)
    row, other_row = _same_places(log, other, mine_at, theirs_at)
    if not len(row):
        raise LogError(
            "nothing to compare: no node of equal path and `depth` has a score and `bound` exact in both logs"
        )
    score, expected = log.columns["score"][row], other.columns["score"][other_row]
    differs = ~are_close(score, expected)
    row, score, expected = row[differs], score[differs], expected[differs]
    order = np.lexsort((-log.columns["level"][row].astype(np.int64), log.columns["end"][row]))
    depth = log.columns["depth"][row]
    each = zip(*(values[order].tolist() for values in (row, depth, score, expected)), strict=True)
    return [_finding(log, *one) for one in each]


def _comparable(log: Log) -> Rows:
    """Return the rows of finished nodes with a depth and an exact score."""
    columns = log.columns
    depth = log.column("depth")
    if depth is None:
        return np.zeros(0, np.int64)
    outcome = columns["outcome"]
    is_finished = (outcome < words.FIRST_STUB) & (outcome != words.STOPPED) & (outcome != words.OPEN)
    has_numbers = ~np.isnan(depth) & ~np.isnan(columns["score"])
    return np.flatnonzero(is_finished & (columns["bound"] == words.EXACT) & has_numbers)


def _same_places(log: Log, other: Log, mine: Rows, theirs: Rows) -> tuple[Rows, Rows]:
    """Return the rows of `mine` with path and depth of one of `theirs`, and the last such row of `theirs`."""
    if not len(mine) or not len(theirs):
        return mine[:0], theirs[:0]
    paths, other_paths = _numbered_paths(log, other)
    depths = np.concatenate([log.columns["depth"][mine], other.columns["depth"][theirs]])
    values, depth_of = np.unique(depths, return_inverse=True)
    place = np.concatenate([paths[mine], other_paths[theirs]]) * len(values) + depth_of
    place, other_place = place[: len(mine)], place[len(mine) :]
    # Of several visits in the other log the last one counts: unique takes the first.
    known, first = np.unique(other_place[::-1], return_index=True)
    at = np.searchsorted(known, place)
    at[at == len(known)] = 0
    is_known = known[at] == place
    return mine[is_known], theirs[::-1][first[at[is_known]]]


def _numbered_paths(log: Log, other: Log) -> tuple[Rows, Rows]:
    """Return a number for each row of both logs, equal if the same plies lead to it from a root."""
    logs = (log, other)
    plies = _numbered_plies(logs)
    numbers = [np.zeros(each.n_rows, np.int64) for each in logs]
    orders = [np.argsort(each.columns["level"], kind="stable") for each in logs]
    deepest = max(int(each.columns["level"].max(initial=0)) for each in logs)
    ends = [np.cumsum(np.bincount(each.columns["level"], minlength=deepest + 1)) for each in logs]
    n_plies = 1 + max(int(each.max(initial=-1)) for each in plies) + 1
    n_paths = 1  # every root is path 0
    for level in range(1, deepest + 1):
        rows = [order[end[level - 1] : end[level]] for order, end in zip(orders, ends, strict=True)]
        steps = [
            number[each.columns["parent"][at]] * n_plies + ply[at] + 1
            for each, number, ply, at in zip(logs, numbers, plies, rows, strict=True)
        ]
        _, found = np.unique(np.concatenate(steps), return_inverse=True)
        found += n_paths
        n_paths = int(found.max()) + 1
        numbers[0][rows[0]], numbers[1][rows[1]] = found[: len(rows[0])], found[len(rows[0]) :]
    return numbers[0], numbers[1]


def _numbered_plies(logs: Sequence[Log]) -> list[Rows]:
    """Return the ply of each row as a number that means the same in all logs, -1 if it is not stated."""
    number_of: dict[str | None, int] = {None: -1}
    numbered = []
    for log in logs:
        texts, at = np.unique(log.columns["ply"], return_inverse=True)
        numbers = [number_of.setdefault(log.text(int(text)), len(number_of) - 1) for text in texts]
        numbered.append(np.array(numbers, np.int64)[at])
    return numbered


def _finding(log: Log, row: int, depth: float, score: float, expected: float) -> Finding:
    here, there = apart(score, expected)
    return Finding(
        rule=AGAINST,
        severity="wrong",
        row=row,
        id=int(log.columns["id"][row]),
        path=path_of(log, row),
        expected=expected,
        found=score,
        message=f"The score is {here} here and {there} in the other log, both exact at depth {exact(depth)}.",
        reproduce=reproduce(log, row),
        rows_involved=(),
    )
