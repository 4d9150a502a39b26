"""Rule `depth-step`: a child's depth is one less than its parent's, less reductions, more extensions."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, nodes, where_known
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import (
    depth_of,
    extension_of,
    is_aside,
    is_quiescence,
    is_stub,
    reduction_of,
)
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store.words import CHANCE, NULL, PROBE


@kernel
def expected_depth(sight: Sight, row: int) -> float:
    """The depth that follows from the parent's."""
    return depth_of(sight, int(sight.parent[row])) - 1.0 - reduction_of(sight, row) + extension_of(sight, row)


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the depth differs from the one that follows from the parent's."""
    parent = int(sight.parent[row])
    if parent < 0:
        return False
    if not abs(expected_depth(sight, row) - depth_of(sight, row)) > 1e-9:
        return False  # asked first, as it nearly always ends here
    if is_stub(sight, row) or is_aside(sight, row):
        return False
    if is_quiescence(sight, row) or is_quiescence(sight, parent):
        return False
    if sight.layer[row] == CHANCE or sight.layer[parent] == CHANCE:
        return False  # either side of a roll may take the depth
    return not depth_of(sight, parent) <= 0.0


def figures(sight: Sight, row: int) -> Figures:
    """The depth that follows from the parent's beside the logged one."""
    parent = int(sight.parent[row])
    expected, found = float(expected_depth(sight, row)), float(sight.depth[row])
    above = float(sight.depth[parent])
    parents, next_one, stated = apart(above, expected, found)
    message = f"Below a depth of {parents}, with its reduction and extension, comes {next_one}, not {stated}."
    return Figures(expected, found, message, (parent,))


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    above = np.maximum(sight.parent[rows], 0)
    is_quiet = codes(sight.quiescence, rows) == 1
    has_depth = where_known(sight.depth, rows) & (sight.depth[above] > 0 if len(sight.depth) else False)
    is_below = (sight.parent[rows] >= 0) & (sight.layer[above] != CHANCE) & (sight.layer[rows] != CHANCE)
    purpose = codes(sight.purpose, rows)
    is_ply = (purpose != NULL) & (purpose != PROBE)
    return np.asarray(nodes(sight, rows) & has_depth & is_below & ~is_quiet & is_ply)


RULE = Rule("depth-step", "odd", ("depth",), figures, judged=judged, violates=violates)
