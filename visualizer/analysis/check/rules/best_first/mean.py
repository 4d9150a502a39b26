"""Rule `mean`: in a best-first tree a mean is that of the results below it and of the node's own."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.masks import Mask, Rows, nodes, where_known
from plyscope.visualizer.analysis.check.facts.reasons import other_order
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.best_first.visit_counts import (
    SHARED,
    figure,
    may_sums_differ,
    maybe_shared,
    position_sharing,
    rest_of,
    sums_of_shared,
    visits_of_edges,
)
from plyscope.visualizer.analysis.columns.row import is_stub
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the results that are not those of children would lie outside the range."""
    low, high = sight.range_low, sight.range_high
    if not sight.best_first or is_stub(sight, row) or not -np.inf < low <= high < np.inf:
        return False
    rest, own, error = rest_of(sight, row)
    if not own >= 0.0:
        return False  # unknown, or `visits` says it
    return bool(rest < own * low - error or rest > own * high + error)


def reason_against(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    other = other_order(sight)
    if other is None and len(sight.mean) and position_sharing(sight) == SHARED:
        return "positions share their figures, so means need not add up"
    return other


def figures(sight: Sight, row: int) -> Figures:
    """The means that the children and the node's own visits leave possible, beside the one stated."""
    rest, own, _ = (float(each) for each in rest_of(sight, row))
    visits, found = float(figure(sight.visits, row)), float(figure(sight.mean, row))
    from_children = found * visits - rest
    low = (from_children + own * float(sight.range_low)) / visits
    high = (from_children + own * float(sight.range_high)) / visits
    stated, least, most = apart(found, low, high)
    mean = least if own == 0 else f"between {least} and {most}"
    source = "Its children" if own == 0 else f"Its children and {apart(own)[0]} visits of its own"
    message = f"{source} make a mean {mean}, but the node states {stated}."
    if sight.end[row] == row + 1:
        message = f"Results lie between {least} and {most}, but the mean is {stated}."
    involved = tuple(children_of(sight, row))[:MOST_INVOLVED]
    return Figures([low, high] if own else low, found, message, involved)


def excuses(sight: Sight, rows: Rows) -> Mask:
    """Rows that are one of several edges to a position: the results below came by all of them."""
    return np.asarray(~np.isnan(visits_of_edges(sight)[rows]))


def is_odd(sight: Sight, rows: Rows) -> Mask | bool:
    """Sums would hold without children that may be shared and have no key to say so."""
    if may_sums_differ(sight) or not maybe_shared(sight).any():
        return may_sums_differ(sight)
    found = np.zeros(len(rows), np.bool_)
    worth = sight.mean
    if len(sight.counted_as):
        worth = np.where(np.isnan(sight.counted_as), sight.mean, sight.counted_as)
    n_shared, sum_of_shared = sums_of_shared(sight, sight.visits), sums_of_shared(sight, sight.visits * worth)
    for i, row in enumerate(rows.tolist()):
        rest, own, error = rest_of(sight, row)
        rest, own = rest + sum_of_shared[row], own + n_shared[row]
        found[i] = n_shared[row] > 0 and (
            own * sight.range_low - error <= rest <= own * sight.range_high + error
        )
    return found


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    has_both = where_known(sight.visits, rows) & where_known(sight.mean, rows)
    is_plain = (sight.bound[rows] == 0) & (sight.layer[rows] != words.CHANCE)
    return np.asarray(nodes(sight, rows) & has_both & is_plain)


RULE = Rule(
    "mean",
    "wrong",
    ("visits", "mean", "range"),
    figures,
    judged=judged,
    violates=violates,
    excuses=excuses,
    why_not=reason_against,
    is_odd=is_odd,
)
