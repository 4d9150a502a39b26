"""The scores on some lines of a tree that the rules call wrong, for verbs that show these lines.

Only the rules that judge a score from its node and its children are asked, about a small log: the rows of the
lines, their children, and the paths to them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from plyscope.visualizer.analysis.check.facts.judged import Rows
from plyscope.visualizer.analysis.check.report import Finding
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.store.log import Log, Root
from plyscope.visualizer.store.tree import Tree

ASKED: Final = frozenset({"nan", "value", "leaf", "terminal", "stand-pat", "static-sum", "chance"})


def wrong_scores(tree: Tree, lines: Rows) -> list[tuple[int, Finding]]:
    """Return the rows among `lines` whose scores are wrong, each with the first finding about it."""
    rows = _rows_around(tree, lines)
    report = check(_part_of(tree.log, rows), ignore=tuple(set(RULES) - ASKED))
    found: dict[int, Finding] = {}
    for finding in report.findings():
        row = int(rows[finding.row])
        if finding.severity == "wrong" and row in lines:
            found.setdefault(row, finding)
    return sorted(found.items())


def _rows_around(tree: Tree, lines: Rows) -> Rows:
    """The rows of the lines, of the paths to them, and all children of these."""
    parent = tree.log.columns["parent"]
    above: dict[int, None] = {}
    for row in lines.tolist():
        while row >= 0 and row not in above:
            above[row] = None
            row = int(parent[row])
    pieces = [np.asarray(tree.children(row), np.int64) for row in above]
    return np.unique(np.concatenate([np.array(list(above), np.int64), *pieces]))


def _part_of(log: Log, rows: Rows) -> Log:
    """A log of some rows, each with its parent; ascending, so that they stay in pre-order."""
    columns = {name: np.asarray(column)[rows] for name, column in log.columns.items()}
    parent = columns["parent"]
    columns["parent"] = np.where(parent >= 0, np.searchsorted(rows, parent), -1).astype(parent.dtype)
    columns["end"] = np.searchsorted(rows, columns["end"]).astype(columns["end"].dtype)
    columns.pop("tt_from", None)
    header = {name: value for name, value in log.header.items() if name != "result"}
    roots = tuple(Root(int(row)) for row in np.flatnonzero(parent < 0))
    return replace(
        log, header=header, columns=columns, roots=roots, stub_plies=None, extras=None, children=None,
        kept=None, lines=None, counted=None,
    )  # fmt: skip
