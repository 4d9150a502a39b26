"""The totals that a result states, compared with those of its rows: for the rule `result`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from plyscope.visualizer.analysis.columns.pieces import pieces
from plyscope.visualizer.analysis.columns.row import CUT
from plyscope.visualizer.analysis.columns.sight import TT_NARROW, Array, Sight
from plyscope.visualizer.store import words

SENTENCES = {
    "nodes": "nodes",
    "leaves": "leaves",
    "prune_events": "prune events",
    "pruned": "pruned plies",
    "limited": "plies dropped by the limit",
    "tt_hits": "table hits",
}


def wrong_totals(sight: Sight, result: Mapping[str, Any]) -> Iterator[tuple[int, int | float, str]]:
    """Return the counted number, the stated one and a sentence, for each total that differs."""
    counted = counted_totals(sight)
    for name, noun in SENTENCES.items():
        stated = result.get(name)
        if not isinstance(stated, int | float) or isinstance(stated, bool):
            continue
        if name in counted and stated != counted[name]:
            message = f"The result counts {stated:,} {noun}, but the rows hold {counted[name]:,}."
            yield counted[name], stated, message


def counted_totals(sight: Sight) -> dict[str, int]:
    """Return the totals that follow from the rows; none if rows were not recorded or not left.

    Stubs and table entries are counted only where the log writes them at all.
    """
    outcome = sight.outcome

    def n_of(code: int) -> int:
        return int(np.count_nonzero(outcome == code))

    if n_of(words.UNLOGGED) or n_of(words.OPEN):
        return {}
    totals = {"nodes": int(np.count_nonzero(outcome < words.FIRST_STUB))}
    if not n_of(0):
        totals["leaves"] = n_of(words.LEAF) + n_of(words.TERMINAL)
    for name, code in (("pruned", words.PRUNED), ("limited", words.LIMITED)):
        n_stubs = n_of(code)
        if not n_stubs:
            continue
        if name == "pruned":
            totals["prune_events"] = n_stubs
        if len(sight.count):
            n_plies = _sum_of(sight.count, outcome == code)
            if n_plies is not None:
                totals[name] = n_plies
    if len(sight.tt_use):
        totals["tt_hits"] = sum(int(np.count_nonzero(sight.tt_use == use)) for use in (CUT, TT_NARROW))
    return totals


def _sum_of(counts: Array, where: Array) -> int | None:
    """Return the sum of the counts of some rows, None if one of them is not stated."""
    total = 0
    for rows in pieces(len(counts)):
        piece = counts[rows] * where[rows]  # an index by a mask takes four times as long
        if piece.min() < 0:
            return None
        total += int(piece.sum(dtype=np.int64))
    return total
