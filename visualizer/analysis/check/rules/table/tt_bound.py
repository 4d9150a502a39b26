"""tt-bound: the claim of an entry suffices for the way it was used."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    Rows,
    codes,
    every,
    used_entries,
    where_known,
)
from plyscope.visualizer.analysis.check.facts.proofs import mates_in_reach
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.table.tt_source import (
    begins_later,
    earlier_visits,
    last_too_short,
)
from plyscope.visualizer.analysis.check.rules.table.used_entries import (
    range_of_source,
    reaches_no_edge,
    states_its_claim,
)
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import alpha_of, beta_of, is_cut, source_of
from plyscope.visualizer.analysis.columns.sight import TT_NARROW, Array, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
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
    return reaches_no_edge(sight, row, source_of(sight, row))


@kernel
def find_too_short(sight: Sight, is_broken: Array) -> None:
    """Mark the entries that ended a visit whose window they, or the node that they name, do not reach."""
    for row in range(len(sight.outcome)):
        if violates(sight, row):
            is_broken[row] = True


def find(sight: Sight, work: Work) -> Rows:
    """The same, and entries without bound and source that no earlier visit of their key justifies."""
    is_broken = np.zeros(sight.n_rows, np.bool_)
    work.run(find_too_short)(sight, is_broken)
    entries = earlier_visits(sight, work)
    is_broken[entries.rows[entries.too_short >= 0]] = True
    return np.flatnonzero(is_broken)


def is_odd(sight: Sight, rows: Rows) -> Mask:
    """The visit that stored the entry is not named, and may lie before the log begins."""
    is_unnamed = (source_of(sight, row) < 0 and not states_its_claim(sight, row) for row in rows.tolist())
    return np.array([*is_unnamed], np.bool_) & begins_later(sight)


def _figures(sight: Sight, row: int) -> Figures:
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
    """The same figures for an entry without a bound, by what its source had proven."""
    source = source_of(sight, row)
    is_named = source >= 0
    if not is_named:
        source = last_too_short(sight, row)
    low, high = range_of_source(sight, row, source)
    alpha, beta = float(alpha_of(sight, row)), float(beta_of(sight, row))
    number = int(sight.log.columns["id"][source])
    stored = f"Node {number}, which stored the entry,"
    if not is_named:
        stored = f"The entry states no bound, and node {number}, an earlier visit of this key with its score,"
    if np.isfinite(low) and np.isfinite(high):
        least, most, below, above = apart(low, high, alpha, beta)
        message = (
            f"{stored} proved only [{least}, {most}], which reaches neither "
            f"alpha {below} nor beta {above}, and yet it ended the visit."
        )
        return Figures([_json(alpha), _json(beta)], [low, high], message, (source,))
    is_lower = bool(np.isfinite(low))
    score, edge = (low, beta) if is_lower else (high, alpha)
    says, reach = _too_short(score, edge, is_lower)
    return Figures(
        expected=_beyond(edge, is_lower),
        found=score,
        message=f"{stored} proved only {says}, {reach}, and yet it ended the visit.",
        involved=(source,),
    )


def _too_short(score: float, edge: float, is_lower: bool) -> tuple[str, str]:
    """Two parts of a sentence: the score that a bound states, and the edge that it does not reach."""
    name, side = ("beta", "least") if is_lower else ("alpha", "most")
    says, needed = apart(score, edge)
    return f"at {side} {says}", f"which does not reach {name} {needed}"


def _beyond(edge: float, is_lower: bool) -> list[float | str]:
    return [_json(edge), "inf"] if is_lower else ["-inf", _json(edge)]


def _json(number: float) -> float | str:
    return number if np.isfinite(number) else str(number)


def _has_judged(sight: Sight, work: Work) -> bool:
    rows = every(sight)
    is_told = (codes(sight.tt_bound, rows) > 0) & where_known(sight.tt_score, rows)
    is_told |= codes(sight.tt_from, rows, -1) >= 0
    is_told &= used_entries(sight, rows) & (codes(sight.tt_use, rows) != TT_NARROW)
    return bool(is_told.any()) or len(earlier_visits(sight, work).rows) > 0


RULE = Rule(
    "tt-bound",
    "wrong",
    ("tt", "alpha", "beta"),
    _figures,
    has_judged=_has_judged,
    find=find,
    is_odd=is_odd,
)
