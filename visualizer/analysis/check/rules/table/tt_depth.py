"""tt-depth: an entry that was used had been searched deep enough."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, used_entries, where_known
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.table.entries import proves_mate, searched_depth, searched_to
from plyscope.visualizer.analysis.columns.row import depth_of, is_used, source_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the entry is shallower than the node wants, or deeper where only equal depth is declared."""
    if not is_used(sight, row):
        return False
    stored = stored_depth(sight, row)
    wanted = searched_depth(depth_of(sight, row))
    if np.isnan(stored) or np.isnan(wanted) or proves_mate(sight, row, stored):
        return False
    return bool(stored < wanted or (sight.table_equal and stored != wanted))


@kernel
def stored_depth(sight: Sight, row: int) -> float:
    """Return the depth of an entry, else that of the node that stored it; NaN if neither is stated."""
    depth = float(sight.tt_depth[row]) if len(sight.tt_depth) > 0 else np.nan
    source = source_of(sight, row)
    if np.isnan(depth) and source >= 0:
        return searched_to(sight, source)[1]
    return searched_depth(depth)


def figures(sight: Sight, row: int) -> Figures:
    """The depth wanted beside the depth stored."""
    wanted, stored = depth_of(sight, row), float(stored_depth(sight, row))
    declared = "exactly" if sight.table_equal else "at least"
    needed, searched = apart(wanted, stored)
    return Figures(
        expected=wanted if sight.table_equal else [wanted, "inf"],
        found=stored,
        message=(
            f"{needed} plies are to be searched here, but the table entry that was used is of depth "
            f"{searched}, expected {declared} {needed}."
        ),
        involved=(source,) if (source := source_of(sight, row)) >= 0 else (),
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_told = where_known(sight.tt_depth, rows) | (codes(sight.tt_from, rows, -1) >= 0)
    return used_entries(sight, rows) & is_told & where_known(sight.depth, rows)


RULE = Rule("tt-depth", "wrong", ("tt", "depth"), figures, judged=judged, violates=violates)
