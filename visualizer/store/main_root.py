"""The main root: the tree of a forest that the page opens on, commands answer about, and checks compare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log


def named_root(log: Log) -> int | None:
    """The row of the root that `result.root` names; None where it names none of this log."""
    named = log.result.get("root")
    if isinstance(named, int) and not isinstance(named, bool) and 0 <= named < len(log.roots):
        return log.roots[named].row
    return None


def last_finished_root(log: Log) -> int | None:
    """The row of the last root whose iteration was finished; None where the clock cut them all.

    A root that was entered and never left often states neither outcome nor score. Where the last roots were
    cut, the ones before them may be the windows that failed in the same iteration: an exact root comes first.
    """
    rows = [root.row for root in log.roots]
    finished = [row for row in rows if log.columns["outcome"][row] not in (words.STOPPED, words.OPEN)]
    finished = [row for row in finished if not np.isnan(log.columns["score"][row])] or finished
    uncut = [row for row in finished if not _was_cut(log, row)] or finished
    if uncut and uncut[-1] != rows[-1]:
        exact = [row for row in uncut if log.columns["bound"][row] in (0, words.EXACT)]
        uncut = exact or uncut
    return uncut[-1] if uncut else None


def main_root(log: Log) -> int:
    """The row of the root that the result names, else of the last finished one, else of the last one."""
    for row in (named_root(log), last_finished_root(log)):
        if row is not None:
            return row
    return _last_with_score([root.row for root in log.roots], log)


def _last_with_score(rows: Sequence[int], log: Log) -> int:
    scored = [row for row in rows if not np.isnan(log.columns["score"][row])]
    return (scored or rows)[-1]


def _was_cut(log: Log, row: int) -> bool:
    """Whether a ply of the root was stopped, whatever the root itself says."""
    below = slice(row + 1, int(log.columns["end"][row]))
    is_stopped = log.columns["outcome"][below] == words.STOPPED
    return bool((log.columns["parent"][below][is_stopped] == row).any())
