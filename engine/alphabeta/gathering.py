"""The result of a run, gathered from where the search left it: the trees to keep, their rows, counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plyscope.engine.alphabeta import counters
from plyscope.engine.alphabeta.table import NOT_IN_LOG
from plyscope.engine.game import Array
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.header import Choice
from plyscope.engine.record.memory import Memory
from plyscope.engine.record.recording import Tree
from plyscope.engine.record.rows import USED_TO_CUT, USED_TO_NARROW


def kept_trees(trees: Sequence[Tree], choice: Choice | None, keep: str) -> range:
    """The trees whose rows are kept: all, or those of the iteration that gave the choice."""
    if keep == "all" or choice is None:
        return range(len(trees))
    iteration = trees[choice.tree].iteration
    first = next(i for i, tree in enumerate(trees) if tree.iteration == iteration)
    return range(first, choice.tree + 1)


def rows_between(memory: Memory, first: int, end: int) -> Array:
    """The rows from `first` to `end`, numbered from 0, in place."""
    rows = memory.rows[first:end]
    if first > 0:
        rows["parent"] = np.where(rows["parent"] < 0, -1, rows["parent"] - first)
        rows["end"] -= first
    return rows


def hits_between(memory: Memory, n_hits: int, first: int, end: int) -> Array:
    """The table entries found at the rows from `first` to `end`, numbered as these are."""
    hits = memory.hits[:n_hits]
    from_row, to_row = np.searchsorted(hits["row"], (first, end))
    hits = hits[from_row:to_row]
    if first > 0:
        hits["row"] -= first
        hits["source"] = np.where(hits["source"] < first, NOT_IN_LOG, hits["source"] - first)
    return hits


def counted(
    options: SearchOptions, table_uses: int, hits: Array | None, tried_and_succeeded: Array
) -> dict[str, Any]:
    """Return the part of the result about the techniques that are on.

    `table_uses` is the whole run's; where rows are kept, the `hits` found at them are counted instead, as for
    the totals. `tried_and_succeeded` has a row for each of `counters.NAMES`.
    """
    found: dict[str, Any] = {}
    if options.table is not None:
        found["tt_hits"] = table_uses
        if hits is not None:
            found["tt_hits"] = int(np.isin(hits["use"], (USED_TO_CUT, USED_TO_NARROW)).sum())
    names = counters.names_of(options)
    if names:
        pairs = {name: tried_and_succeeded[counters.NAMES.index(name)].tolist() for name in names}
        found["counters"] = {
            name: {"tried": tried, "succeeded": succeeded} for name, (tried, succeeded) in pairs.items()
        }
    return found
