"""Rule `in-check`: who is in check neither passes nor stands pat, and nobody passes twice running."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, where_known
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import cut_by_of, is_in_check, purpose_of, stand_pat_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words

_STAND_PAT: Final = words.CUT_BY.index("stand_pat")

PASSED: Final = 1
PASSED_AGAIN: Final = 2
STOOD_PAT: Final = 3


@kernel
def fault_of(sight: Sight, row: int) -> int:
    """The fault at `row`: PASSED or STOOD_PAT in check, PASSED_AGAIN after a null move; 0 if none."""
    parent = int(sight.parent[row])
    if parent >= 0 and purpose_of(sight, row) == words.NULL:
        if is_in_check(sight, parent):
            return PASSED
        if purpose_of(sight, parent) == words.NULL:
            return PASSED_AGAIN
    if is_in_check(sight, row):
        stand_pat = stand_pat_of(sight, row)
        if stand_pat == stand_pat or cut_by_of(sight, row) == _STAND_PAT:
            return STOOD_PAT
    return 0


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a null move or a stand pat stands where there should be none."""
    return fault_of(sight, row) > 0


def figures(sight: Sight, row: int) -> Figures:
    """The null move or stand pat at `row`, and the rule that it breaks."""
    parent = int(sight.parent[row])
    fault = fault_of(sight, row)
    if fault == PASSED:
        message = "A null move was tried in check: passing leaves the king to be taken, so it proves nothing."
        return Figures("no null move in check", "null", message, (parent,))
    if fault == PASSED_AGAIN:
        message = "A null move answers a null move: the same position with the same mover, only shallower."
        return Figures("no null move after another", "null", message, (parent,))
    value = float(stand_pat_of(sight, row))
    stood = "" if value != value else f" on {apart(value)[0]}"
    message = f"The mover stands pat{stood} in check, where it cannot decline to move."
    return Figures("no stand pat in check", "stand_pat", message)


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_asked = codes(sight.purpose, rows) == words.NULL
    if is_asked.any():
        is_asked &= sight.parent[rows] >= 0
    if len(sight.in_check) and len(sight.stand_pat):
        is_asked |= (sight.in_check[rows] >= 0) & where_known(sight.stand_pat, rows)
    return np.asarray(is_asked)


RULE = Rule("in-check", "odd", ("in_check|purpose",), figures, judged=judged, violates=violates)
