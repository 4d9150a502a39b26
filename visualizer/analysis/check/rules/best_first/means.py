"""Rules `mean` and `ending-mean`: a mean is that of the results below, or what the ending counts."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    Rows,
    coded,
    codes,
    known,
    nodes,
    other_order,
    other_than,
    where_known,
)
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.best_first.visit_counts import (
    SHARED,
    SINGLE_PRECISION,
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
from plyscope.visualizer.store.words import DRAW, ENDINGS, LOSS, TERMINAL, WIN


@kernel
def violates_mean(sight: Sight, row: int) -> bool:
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


def _figures_of_mean(sight: Sight, row: int) -> Figures:
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


def excuses_mean(sight: Sight, rows: Rows) -> Mask:
    """Rows that are one of several edges to a position: the results below came by all of them."""
    return np.asarray(~np.isnan(visits_of_edges(sight)[rows]))


def is_odd_mean(sight: Sight, rows: Rows) -> Mask | bool:
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


MEAN_RULE = Rule(
    "mean",
    "wrong",
    ("visits", "mean", "range"),
    _figures_of_mean,
    judged=(nodes, known("visits", "mean"), coded("bound", 0), other_than("layer", words.CHANCE)),
    violates=violates_mean,
    excuses=excuses_mean,
    why_not=reason_against,
    is_odd=is_odd_mean,
)


@kernel
def counted(sight: Sight, row: int) -> float:
    """Return what the ending of a row counts, an end of the range or the draw; NaN where it is unstated."""
    if sight.ending[row] == WIN:
        return sight.range_high
    if sight.ending[row] == LOSS:
        return sight.range_low
    if sight.ending[row] == DRAW:
        return sight.draw
    return np.nan


@kernel
def violates_ending_mean(sight: Sight, row: int) -> bool:
    """Whether a finished game has another mean than its ending counts."""
    if not sight.best_first or len(sight.ending) == 0 or len(sight.mean) == 0:
        return False
    span = sight.range_high - sight.range_low
    if sight.outcome[row] != TERMINAL or sight.bound[row] != 0 or not 0.0 < span < np.inf:
        return False
    return bool(abs(sight.mean[row] - counted(sight, row)) > sight.mean_error + SINGLE_PRECISION * span)


def _figures_of_ending_mean(sight: Sight, row: int) -> Figures:
    expected, found = float(counted(sight, row)), float(sight.mean[row])
    counts, stated = apart(expected, found)
    ending = ENDINGS[sight.ending[row]]
    message = f"A {ending} counts {counts} here, but the mean of its visits is {stated}."
    return Figures(expected, found, message)


def is_odd_ending_mean(sight: Sight, rows: Rows) -> Mask:
    """Engines discount far wins; but a win or loss that counts more for the other side is wrong."""
    middle = (sight.range_low + sight.range_high) / 2
    means, endings = sight.mean[rows], sight.ending[rows]
    is_turned = ((endings == WIN) & (means < middle)) | ((endings == LOSS) & (means > middle))
    return np.asarray(~is_turned)


def judged_by_ending_mean(sight: Sight, rows: slice) -> Mask:
    """Visited finished games whose ending has a worth."""
    ending = codes(sight.ending, rows)
    has_worth = (ending == WIN) | (ending == LOSS) | ((ending == DRAW) & (sight.draw == sight.draw))
    has_worth &= (sight.outcome[rows] == TERMINAL) & (sight.bound[rows] == 0)
    return np.asarray(has_worth & where_known(sight.mean, rows))


ENDING_MEAN_RULE = Rule(
    "ending-mean",
    "wrong",
    ("ending", "outcome", "mean", "range"),
    _figures_of_ending_mean,
    judged=(judged_by_ending_mean,),
    violates=violates_ending_mean,
    why_not=other_order,
    is_odd=is_odd_ending_mean,
)
