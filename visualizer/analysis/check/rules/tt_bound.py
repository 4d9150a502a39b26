"""tt-bound: what an entry claims is enough for what was made of it."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.digits import apart
from plyscope.visualizer.analysis.check.facts.entries import is_cut, source_of
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, used_entries, where_known
from plyscope.visualizer.analysis.check.facts.row import alpha_of, beta_of
from plyscope.visualizer.analysis.check.facts.sight import TT_NARROW, Sight
from plyscope.visualizer.analysis.check.finding import Figures
from plyscope.visualizer.analysis.check.rule import Rule
from plyscope.visualizer.store.words import BOUNDS, EXACT, LOWER, UPPER


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a bound that does not reach the window ended the visit."""
    if not is_cut(sight, row) or len(sight.tt_bound) == 0 or len(sight.tt_score) == 0:
        return False
    bound = sight.tt_bound[row]
    score = sight.tt_score[row]
    if np.isnan(score):
        return False
    if bound == LOWER:
        beta = beta_of(sight, row)
        return bool(score < beta and not score >= sight.range_high)
    if bound == UPPER:
        alpha = alpha_of(sight, row)
        return bool(score > alpha and not score <= sight.range_low)
    return False


def figures(sight: Sight, row: int) -> Figures:
    """The edge that the entry would have to reach beside its score."""
    score = float(sight.tt_score[row])
    is_lower = sight.tt_bound[row] == LOWER
    edge = beta_of(sight, row) if is_lower else alpha_of(sight, row)
    name, side = ("beta", "least") if is_lower else ("alpha", "most")
    source = source_of(sight, row)
    claim = "exact" if sight.bound[row] == EXACT else BOUNDS[sight.bound[row]] or "unstated"
    says, needed = apart(score, edge)
    return Figures(
        expected=[_json(edge), "inf"] if is_lower else ["-inf", _json(edge)],
        found=score,
        message=(
            f"The entry only says at {side} {says}, which does not reach {name} {needed}, "
            f"and yet it ended the visit (its own bound: {claim})."
        ),
        involved=(source,) if source >= 0 else (),
    )


def _json(number: float) -> float | str:
    return number if np.isfinite(number) else str(number)


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_told = (codes(sight.tt_bound, rows) > 0) & where_known(sight.tt_score, rows)
    return np.asarray(used_entries(sight, rows) & is_told & (codes(sight.tt_use, rows) != TT_NARROW))


_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 5, "alpha": null, "beta": null, "children": [
   {"ply": "c6", "layer": "min", "alpha": null, "beta": null, "score": 3, "outcome": "tt",
    "tt": {"use": "cut", "bound": "exact", "score": 3}},
   {"ply": "d3", "layer": "min", "alpha": 3, "beta": null, "score": 5, "outcome": "tt",
    "tt": {"use": "cut", "bound": "lower", "score": 5}},
   {"ply": "e6", "layer": "min", "alpha": 5, "beta": null, "score": 4, "outcome": "tt",
    "tt": {"use": "cut", "bound": "upper", "score": 4}}]}}
"""

RULE = Rule(
    name="tt-bound",
    severity="wrong",
    reason=(
        "an entry cuts only if it is exact, a lower bound at or above beta, or an upper bound at or "
        "below alpha"
    ),
    judged=judged,
    unjudged="no table entry that cut states its bound and score",
    meaning=(
        "A bound was returned as if it were the score. Usually the flag of the entry is not looked at, "
        "the two flags are swapped, or they are not turned for the side to move; sometimes the flag is "
        "set by comparing with the window after it was narrowed. Look at the lines that store the flag "
        "and at those that return from a probe."
    ),
    needs=("tt", "alpha", "beta"),
    example=_EXAMPLE,
    violates=violates,
    figures=figures,
)
