"""tt-depth: an entry that was used had been searched deep enough."""

from __future__ import annotations

from typing import Final

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


_EXAMPLE: Final = """
{"plyscope": 1,
 "search": {"table": "at_least"},
 "root": {"layer": "max", "depth": 3, "score": 5, "children": [
   {"ply": "c6", "layer": "min", "depth": 2, "score": 5, "outcome": "tt", "tt": {"use": "cut",
    "depth": 2, "bound": "exact", "score": 5}},
   {"ply": "d3", "layer": "min", "depth": 2, "score": 4, "outcome": "tt", "tt": {"use": "cut",
    "depth": 1, "bound": "exact", "score": 4}},
   {"ply": "e6", "layer": "min", "depth": 2, "score": 1}]}}
"""

RULE = Rule(
    name="tt-depth",
    severity="wrong",
    reason="a table entry is used only where it is deep enough (of equal depth where that is declared)",
    judged=judged,
    unjudged="no table entry that was used states its depth, or the node that stored it",
    meaning=(
        "A shallow result stands in for a deep one. Usually the depth is not compared at all, it is "
        "compared the wrong way round, or it is stored after it was decremented. Look at the line that "
        "decides whether a probed entry may end the visit. Wins and losses beyond the declared threshold "
        "may be used at any depth where the bound proves them: a win that is a lower bound or exact, a "
        "loss that is an upper bound or exact, and the other bounds where the stored depth reaches a "
        "nearer mate. Depths at or below 0 are one: quiescence."
    ),
    needs=("tt", "depth"),
    example=_EXAMPLE,
    violates=violates,
    figures=figures,
)
