"""tt-bound: what an entry claims is enough for what was made of it."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.digits import apart
from plyscope.visualizer.analysis.check.facts.entries import (
    is_cut,
    mates_in_reach,
    source_of,
    source_range,
)
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, used_entries, where_known
from plyscope.visualizer.analysis.check.facts.row import alpha_of, beta_of
from plyscope.visualizer.analysis.check.facts.sight import TT_NARROW, Sight
from plyscope.visualizer.analysis.check.finding import Figures
from plyscope.visualizer.analysis.check.rule import Rule
from plyscope.visualizer.store.words import BOUNDS, EXACT, LOWER, UPPER


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether an entry that does not reach the window ended the visit."""
    if not is_cut(sight, row):
        return False
    if states_its_claim(sight, row):
        bound, score = sight.tt_bound[row], sight.tt_score[row]
        least, most = mates_in_reach(sight, row)
        if bound == LOWER:
            return bool(score < min(beta_of(sight, row), most) and not score >= sight.range_high)
        return bool(
            bound == UPPER and score > max(alpha_of(sight, row), least) and not score <= sight.range_low
        )
    low, high = source_range(sight, row)
    return bool(low < high and low < beta_of(sight, row) and high > alpha_of(sight, row))


@kernel
def states_its_claim(sight: Sight, row: int) -> bool:
    """Whether the entry states its bound and its score."""
    has_both = len(sight.tt_bound) > 0 and len(sight.tt_score) > 0
    return bool(has_both and sight.tt_bound[row] > 0 and not np.isnan(sight.tt_score[row]))


def figures(sight: Sight, row: int) -> Figures:
    """The edge that the entry would have to reach beside its score."""
    if not states_its_claim(sight, row):
        return _figures_of_source(sight, row)
    score = float(sight.tt_score[row])
    is_lower = sight.tt_bound[row] == LOWER
    edge = beta_of(sight, row) if is_lower else alpha_of(sight, row)
    source = source_of(sight, row)
    claim = "exact" if sight.bound[row] == EXACT else BOUNDS[sight.bound[row]] or "unstated"
    says, reach = _too_short(score, edge, is_lower)
    return Figures(
        expected=_beyond(edge, is_lower),
        found=score,
        message=f"The entry only says {says}, {reach}, and yet it ended the visit (its own bound: {claim}).",
        involved=(source,) if source >= 0 else (),
    )


def _figures_of_source(sight: Sight, row: int) -> Figures:
    """The same of an entry without a bound, by what the node that stored it had proven."""
    source = source_of(sight, row)
    low, high = source_range(sight, row)
    alpha, beta = float(alpha_of(sight, row)), float(beta_of(sight, row))
    number = int(sight.log.columns["id"][source])
    if np.isfinite(low) and np.isfinite(high):
        least, most, below, above = apart(low, high, alpha, beta)
        message = (
            f"Node {number}, which stored the entry, proved only [{least}, {most}], which reaches neither "
            f"alpha {below} nor beta {above}, and yet it ended the visit."
        )
        return Figures([_json(alpha), _json(beta)], [low, high], message, (source,))
    is_lower = bool(np.isfinite(low))
    score, edge = (low, beta) if is_lower else (high, alpha)
    says, reach = _too_short(score, edge, is_lower)
    return Figures(
        expected=_beyond(edge, is_lower),
        found=score,
        message=(
            f"Node {number}, which stored the entry, proved only {says}, {reach}, and yet it ended the visit."
        ),
        involved=(source,),
    )


def _too_short(score: float, edge: float, is_lower: bool) -> tuple[str, str]:
    """What a bound says, and that it does not reach the edge."""
    name, side = ("beta", "least") if is_lower else ("alpha", "most")
    says, needed = apart(score, edge)
    return f"at {side} {says}", f"which does not reach {name} {needed}"


def _beyond(edge: float, is_lower: bool) -> list[float | str]:
    return [_json(edge), "inf"] if is_lower else ["-inf", _json(edge)]


def _json(number: float) -> float | str:
    return number if np.isfinite(number) else str(number)


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_told = (codes(sight.tt_bound, rows) > 0) & where_known(sight.tt_score, rows)
    is_told |= codes(sight.tt_from, rows, -1) >= 0
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
    unjudged="no table entry that cut states its bound and score, or the node that stored it",
    meaning=(
        "A bound was returned as if it were the score. Usually the flag of the entry is not looked at, the "
        "two flags are swapped, or they are not turned for the side to move; sometimes the flag is set by "
        "comparing with the window after it was narrowed. Look at the lines that store the flag and at "
        "those that return from a probe. Where `search.mate` is declared, no score is better for the mover "
        "than a win by the next ply, so an entry that reaches that cuts too. Of an entry that states no "
        "bound but its source (`tt.from`), the source's score, window and plies tell what it had proven."
    ),
    needs=("tt", "alpha", "beta"),
    example=_EXAMPLE,
    violates=violates,
    figures=figures,
)
