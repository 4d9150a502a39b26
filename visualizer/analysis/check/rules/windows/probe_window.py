"""Rule `probe-window`: a probe at its node's own position is searched with a window that meets the node's."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, nodes, where_known
from plyscope.visualizer.analysis.check.facts.reasons import reason_if_unordered
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import alpha_of, beta_of, purpose_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import windows
from plyscope.visualizer.store import words


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the window of a probe at its parent's position lies beside the parent's.

    A null window may lie anywhere: singular extensions test with one below the best.
    """
    parent = int(sight.parent[row])
    if purpose_of(sight, row) != words.PROBE or parent < 0:
        return False
    if sight.n_plies[row] != sight.n_plies[parent] or sight.layer[row] != sight.layer[parent]:
        return False
    alpha, beta = alpha_of(sight, row), beta_of(sight, row)
    low, high = alpha_of(sight, parent), beta_of(sight, parent)
    if not beta - alpha > sight.null_width * (1.0 + 1e-9):
        return False
    return bool(beta < low or alpha > high)


def figures(sight: Sight, row: int) -> Figures:
    """The window of the node, and that of its probe."""
    parent = int(sight.parent[row])
    whole = float(sight.alpha[parent]), float(sight.beta[parent])
    found = float(sight.alpha[row]), float(sight.beta[row])
    had, probed = windows(whole, found)
    message = f"Its node has the window {had}, but it was searched with {probed}, which lies beside that."
    return Figures(whole, found, message, (parent,))


def judged(sight: Sight, rows: slice) -> Mask:
    """Probes without a ply, with a window."""
    is_probe = codes(sight.purpose, rows) == words.PROBE
    is_probe &= sight.n_plies[rows] == sight.n_plies[np.maximum(sight.parent[rows], 0)]
    has_window = where_known(sight.alpha, rows) & where_known(sight.beta, rows)
    return np.asarray(nodes(sight, rows) & (sight.parent[rows] >= 0) & is_probe & has_window)


_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 25, "alpha": 20, "beta": 40, "children": [
   {"purpose": "probe", "layer": "max", "score": -30, "alpha": -40, "beta": -20, "children": [
     {"ply": "a", "layer": "min", "score": -30, "outcome": "leaf"}]},
   {"ply": "a", "layer": "min", "score": 25, "alpha": 20, "beta": 40, "outcome": "leaf"},
   {"ply": "b", "layer": "min", "score": 24, "alpha": 25, "beta": 40, "outcome": "leaf"}]}}
"""

RULE = Rule(
    name="probe-window",
    severity="odd",
    reason="a probe at its node's own position has a window that meets the node's",
    judged=judged,
    unjudged="no probe at its node's own position states a window",
    meaning=(
        "A search of the same position, as internal iterative deepening or a verification makes it, was "
        "asked about scores that the node does not ask about. Usually the window was turned for the other "
        "side although nobody has moved. A null window may lie anywhere: singular extensions test one below "
        "the best. Look at the arguments of the call that makes the probe."
    ),
    needs=("purpose", "alpha", "beta"),
    example=_EXAMPLE,
    violates=violates,
    figures=figures,
    why_not=reason_if_unordered,
)
