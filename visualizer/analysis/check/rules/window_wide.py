"""Rule `window-wide`: a child is not searched with a wider window than its parent has left."""

from __future__ import annotations

from typing import Final

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_known, where_window_known
from plyscope.visualizer.analysis.check.facts.sight import WINDOW_WIDER, Sight
from plyscope.visualizer.analysis.check.facts.windows import reason_if_unordered, window_figures
from plyscope.visualizer.analysis.check.rule import Rule


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the window holds all that it should, and more."""
    return bool(sight.marks[row] & WINDOW_WIDER)


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    return where_window_known(sight, rows) & where_known(sight.alpha, rows) & where_known(sight.beta, rows)


_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 5, "alpha": null, "beta": null, "children": [
   {"ply": "a", "layer": "min", "score": 5, "bound": "exact", "alpha": null, "beta": null,
    "outcome": "leaf"},
   {"ply": "b", "layer": "min", "score": 2, "bound": "exact", "alpha": null, "beta": null,
    "outcome": "searched", "children": [
     {"ply": "c", "layer": "max", "score": 2, "bound": "exact", "alpha": null, "beta": null,
      "outcome": "leaf"}]}]}}
"""

RULE = Rule(
    name="window-wide",
    severity="waste",
    reason="a child's window is no wider than what its parent has left",
    judged=judged,
    unjudged="no visit states its window below a parent that does",
    meaning=(
        "The child was searched with a wider window than needed: correct, but nodes were visited that "
        "could have been cut. Usual causes: alpha (at a min layer: beta) is not raised to the best so "
        "far before the next child, a scout is searched with the full window, or the parent's window "
        "is passed on in place of the one that a table entry narrowed. Look at the arguments of the "
        "recursive call."
    ),
    needs=("alpha", "beta"),
    example=_EXAMPLE,
    figures=window_figures,
    violates=violates,
    why_not=reason_if_unordered,
)
