"""Rule `probe-window`: a probe at its node's own position is searched with a window that meets the node's."""

from __future__ import annotations

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


RULE = Rule(
    "probe-window",
    "odd",
    ("purpose", "alpha", "beta"),
    figures,
    judged=judged,
    violates=violates,
    why_not=reason_if_unordered,
)
