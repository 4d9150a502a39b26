"""The path to a cut, whose nodes are marked as open in a file that has parents first.

If a writer prints every node once, before its children and with its result, then the nodes above the cut look
finished, though they have lost children. They are marked as open, so that nothing is concluded from what is
missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log


def with_open_path(log: Log) -> Log:
    """The log with its last row, and the nodes above that may have lost children, marked as open."""
    return with_open(log, _path_to_the_end(log))


def with_open(log: Log, path: Sequence[int]) -> Log:
    """The log with these rows marked as open, and a notice about it."""
    if not path:
        return log
    outcome = log.columns["outcome"].copy()
    outcome[path] = words.OPEN
    nodes = f"{len(path)} nodes" if len(path) > 1 else "1 node"
    return replace(
        log,
        columns={**log.columns, "outcome": outcome},
        notices=(
            *log.notices,
            f"The log ends inside the tree: {nodes} on the way to its end may have lost children and "
            "are shown as open.",
        ),
    )


def _path_to_the_end(log: Log) -> list[int]:
    """The last row and those above it that may be unfinished."""
    parent, outcome = log.columns["parent"], log.columns["outcome"]
    row = log.n_rows - 1
    path = [row] if outcome[row] in (words.SEARCHED, words.CUTOFF) else []
    while (row := int(parent[row])) >= 0:
        if outcome[row] not in (words.STOPPED, words.OPEN):
            path.append(row)
    return path
