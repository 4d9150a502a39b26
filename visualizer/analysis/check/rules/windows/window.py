"""Rules `window` and `window-wide`: a child is searched with the window that its parent has left."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import visits_of_ply
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_known, where_window_known
from plyscope.visualizer.analysis.check.facts.reasons import reason_if_unordered
from plyscope.visualizer.analysis.check.rule import Figures, Rule, Severity
from plyscope.visualizer.analysis.columns.row import alpha_of, beta_of, is_stub, purpose_of
from plyscope.visualizer.analysis.columns.sight import WINDOW_ELSE, WINDOW_WIDER, Sight
from plyscope.visualizer.analysis.columns.windows import edges
from plyscope.visualizer.analysis.nodes.digits import windows
from plyscope.visualizer.store import words


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the window leaves out a part of what it should hold, or holds nothing from here on down."""
    return bool(sight.marks[row] & WINDOW_ELSE or begins_crossed(sight, row))


@kernel
def begins_crossed(sight: Sight, row: int) -> bool:
    """Whether the node was searched with alpha above beta, and its parent was not: what is below follows."""
    parent = int(sight.parent[row])
    is_crossed = alpha_of(sight, row) > beta_of(sight, row)
    is_crossed = is_crossed and (parent < 0 or not alpha_of(sight, parent) > beta_of(sight, parent))
    return bool(is_crossed and sight.end[row] > row + 1 and not is_stub(sight, row + 1))


@kernel
def is_wider(sight: Sight, row: int) -> bool:
    """Whether the window holds all that it should, and more."""
    return bool(sight.marks[row] & WINDOW_WIDER)


def window_figures(sight: Sight, row: int) -> Figures:
    """Return the window that the parent had left, and the one that the visit had."""
    low, high = (float(edge) for edge in edges(sight, row))
    width = float(sight.null_width)
    if purpose_of(sight, row) == words.SCOUT:
        if sight.layer[sight.parent[row]] == words.MAX:
            high = min(high, low + width)
        else:
            low = max(low, high - width)
    found = float(sight.alpha[row]), float(sight.beta[row])
    left, had = windows((low, high), found)
    return Figures(
        (low, high),
        found,
        f"Its parent had the window {left} left, but it was searched with {had}.",
        (int(sight.parent[row]), *visits_of_ply(sight, row)),
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    has_window = where_known(sight.alpha, rows) & where_known(sight.beta, rows)
    return has_window & (where_window_known(sight, rows) | (sight.parent[rows] < 0))


def judged_below(sight: Sight, rows: slice) -> Mask:
    """Visits below a parent that states its window too."""
    return where_window_known(sight, rows) & where_known(sight.alpha, rows) & where_known(sight.beta, rows)


def severity_at(sight: Sight, rows: npt.NDArray[np.int64]) -> list[Severity]:
    """Odd where alpha is above beta below no window that says more: it may be what it was on leaving."""
    return ["wrong" if sight.marks[row] & WINDOW_ELSE else "odd" for row in rows.tolist()]


def figures(sight: Sight, row: int) -> Figures:
    """The window that the parent had left, and the one that the visit had."""
    if sight.marks[row] & WINDOW_ELSE:
        return window_figures(sight, row)
    found = float(sight.alpha[row]), float(sight.beta[row])
    _, had = windows(found, found)
    message = f"It was searched with {had}: alpha is above beta, so that no score lies between them."
    return Figures((found[1], found[0]), found, message)


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
    unjudged="no visit states its window, as the root or below a parent that does",
    meaning=(
        "The child was searched with a window that leaves out scores that still mattered, so its "
        "answer may be a bound where a score was needed. Usual causes: alpha and beta swapped or not "
        "negated at one layer, the best so far of another node, a scout on the wrong side, or a re-"
        "search that starts beyond its scout's score. What narrows a window besides must be in the log: a "
        "table entry (`tt`), stand pat (`stand_pat`), an estimate (`estimate`), mate distance "
        "(`search.mate`); and what moves it: a change of scores on the way up (`counted_as`). Look at the "
        "arguments of the recursive call. Where alpha is above beta already and nothing above says what it "
        "should be, that is odd: the edges may be those on leaving, or an infinity that bears no minus."
    ),
    needs=("alpha", "beta"),
    example=_EXAMPLE,
    figures=figures,
    violates=violates,
    severity_at=severity_at,
    why_not=reason_if_unordered,
)

_EXAMPLE_OF_WIDE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 5, "alpha": null, "beta": null, "children": [
   {"ply": "a", "layer": "min", "score": 5, "bound": "exact", "alpha": null, "beta": null,
    "outcome": "leaf"},
   {"ply": "b", "layer": "min", "score": 2, "bound": "exact", "alpha": null, "beta": null,
    "outcome": "searched", "children": [
     {"ply": "c", "layer": "max", "score": 2, "bound": "exact", "alpha": null, "beta": null,
      "outcome": "leaf"}]}]}}
"""

WIDE = Rule(
    name="window-wide",
    severity="waste",
    reason="a child's window is no wider than what its parent has left",
    judged=judged_below,
    unjudged="no visit states its window below a parent that does",
    meaning=(
        "The child was searched with a wider window than needed: correct, but nodes were visited that "
        "could have been cut. Usual causes: alpha (at a min layer: beta) is not raised to the best so "
        "far before the next child, a scout is searched with the full window, or the parent's window "
        "is passed on in place of the one that a table entry narrowed. Look at the arguments of the "
        "recursive call."
    ),
    needs=("alpha", "beta"),
    example=_EXAMPLE_OF_WIDE,
    figures=window_figures,
    violates=is_wider,
    why_not=reason_if_unordered,
)
