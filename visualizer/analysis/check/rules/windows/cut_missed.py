"""Rule `cut-missed`: no ply is visited after the score has reached the edge of the window."""

from __future__ import annotations

from typing import Final

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


_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 6, "bound": "lower", "alpha": null, "beta": 5, "children": [
   {"ply": "a", "layer": "min", "score": 6, "bound": "exact", "alpha": null, "beta": 5,
    "outcome": "leaf"},
   {"ply": "b", "layer": "min", "score": 4, "bound": "exact", "alpha": 5, "beta": 5,
    "outcome": "leaf"},
   {"ply": "c", "layer": "min", "score": 3, "bound": "exact", "alpha": 5, "beta": 5,
    "outcome": "leaf"}]}}
"""

RULE = Rule(
    name="cut-missed",
    severity="waste",
    reason="no further ply is visited once the score reaches beta (at a min layer: alpha)",
    judged=judged,
    unjudged="no visit stands below a node with a window and a layer",
    meaning=(
        "The node was refuted already, and the search went on. The result is the same, but time is "
        "lost in every such node. Usual causes: `>` in place of `>=` in the test for a cut, the test "
        "made against the window before a table entry narrowed it, or stand pat not tested. Look at "
        "the line that ends the loop."
    ),
    needs=("alpha", "beta", "score"),
    example=_EXAMPLE,
    figures=figures,
    violates=violates,
    why_not=reason_if_unordered,
)
