"""Rule `cut-missed`: no ply is visited after the score has reached the edge of the window."""

from __future__ import annotations

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_window_known
from plyscope.visualizer.analysis.check.facts.reasons import reason_if_unordered
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import narrowed_alpha, narrowed_beta
from plyscope.visualizer.analysis.columns.sight import CUT_MISSED, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the best of the plies before had refuted the parent already."""
    return bool(sight.marks[row] & CUT_MISSED)


def figures(sight: Sight, row: int) -> Figures:
    """The mover's edge beside the best before."""
    parent = int(sight.parent[row])
    best = float(sight.edge_before[row])
    if sight.layer[parent] == words.MAX:
        edge, name = float(narrowed_beta(sight, parent)), "beta"
    else:
        edge, name = float(narrowed_alpha(sight, parent)), "alpha"
    had, reached = apart(best, edge)
    edge_text = f"{name}, {reached}"
    message = f"The plies before had {had}, which reaches {edge_text}; this one could not matter any more."
    return Figures(edge, best, message, (parent,))


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    return where_window_known(sight, rows)


RULE = Rule(
    "cut-missed",
    "waste",
    ("alpha", "beta", "score"),
    figures,
    judged=judged,
    violates=violates,
    why_not=reason_if_unordered,
)
