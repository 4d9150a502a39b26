"""Rule `window`: a child is searched with the window that its parent has left, not with less."""

from __future__ import annotations

from typing import Final

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_known, where_window_known
from plyscope.visualizer.analysis.check.facts.sight import WINDOW_ELSE, Sight
from plyscope.visualizer.analysis.check.facts.windows import reason_if_unordered, window_figures
from plyscope.visualizer.analysis.check.rule import Rule


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the window leaves out a part of what it should hold."""
    return bool(sight.marks[row] & WINDOW_ELSE)


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    return where_window_known(sight, rows) & where_known(sight.alpha, rows) & where_known(sight.beta, rows)


_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 5, "alpha": null, "beta": null, "children": [
   {"ply": "a", "layer": "min", "score": 5, "bound": "exact", "alpha": null, "beta": null,
    "outcome": "leaf"},
   {"ply": "b", "layer": "min", "score": 2, "bound": "upper", "alpha": 7, "beta": null,
    "outcome": "searched", "children": [
     {"ply": "c", "layer": "max", "score": 2, "bound": "exact", "alpha": 7, "beta": null,
      "outcome": "leaf"}]}]}}
"""

RULE = Rule(
    name="window",
    severity="wrong",
    reason="a child's window is what its parent has left: (max(alpha, best), beta), min layers mirrored",
    judged=judged,
    unjudged="no visit states its window below a parent that does",
    meaning=(
        "The child was searched with a window that leaves out scores that still mattered, so its "
        "answer may be a bound where a score was needed. Usual causes: alpha and beta swapped or not "
        "negated at one layer, the best so far of another node, a scout on the wrong side, or a re-"
        "search that starts beyond its scout's score. What narrows a window besides must be in the log: a "
        "table entry (`tt`), stand pat (`stand_pat`), an estimate (`estimate`), mate distance "
        "(`search.mate`); and what moves it: a change of scores on the way up (`counted_as`). Look at the "
        "arguments of the recursive call."
    ),
    needs=("alpha", "beta"),
    example=_EXAMPLE,
    figures=window_figures,
    violates=violates,
    why_not=reason_if_unordered,
)
