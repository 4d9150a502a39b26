"""Rule `table-disagrees`: a visit, what its plies prove and the table entry that narrowed it agree."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, sees_in_two_ways, where_known
from plyscope.visualizer.analysis.check.facts.reasons import best_first_averages
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.row import entry_high, entry_low, fold_of
from plyscope.visualizer.analysis.columns.sight import (
    CLAIMED,
    ENTRY_DISAGREES,
    TABLE_DISAGREES,
    TT_NARROW,
    Sight,
)
from plyscope.visualizer.analysis.nodes.digits import intervals


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the sweep found the claims to exclude one another."""
    return bool(sight.marks[row] & (TABLE_DISAGREES | ENTRY_DISAGREES))


def figures(sight: Sight, row: int) -> Figures:
    """The interval that the table entry claims, and the one that the visit found or its plies prove."""
    expected = (float(entry_low(sight, row)), float(entry_high(sight, row)))
    if sight.marks[row] & TABLE_DISAGREES:
        low, high = claim_of(sight, row)
        found, who = (float(low), float(high)), "the visit found"
    else:
        low, high = fold_of(sight, row)
        found, who = (float(low), float(high)), "the plies below prove"
    source = int(sight.tt_from[row]) if len(sight.tt_from) else -1
    entry, proven = intervals(expected, found)
    return Figures(
        expected,
        found,
        f"The table entry claims {entry}, but {who} {proven}.",
        (source,) if source >= 0 else (),
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_narrowed = (codes(sight.tt_use, rows) == TT_NARROW) & (codes(sight.tt_bound, rows) > 0)
    if is_narrowed.any():
        is_narrowed &= where_known(sight.tt_score, rows) & (sight.marks[rows] & CLAIMED > 0)
    return np.asarray(is_narrowed)


RULE = Rule(
    "table-disagrees",
    "wrong",
    ("tt", "bound|alpha", "bound|beta"),
    figures,
    judged=judged,
    violates=violates,
    is_odd=sees_in_two_ways,
    why_not=best_first_averages,
)
