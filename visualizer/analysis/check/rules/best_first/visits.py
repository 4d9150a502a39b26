"""Rules `visits`, `mean`, `ending-mean`: figures of a node are those of its children, or of its ending."""

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
    is_less,
    may_sums_differ,
    maybe_shared,
    position_sharing,
    rest_of,
    sum_below,
    sums_of_shared,
    visits_of_edges,
)
from plyscope.visualizer.analysis.columns.row import is_stub
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store.words import CHANCE, DRAW, ENDINGS, LOSS, TERMINAL, WIN


@kernel
def ended(sight: Sight, row: int) -> float:
    """Wins, draws and losses together, NaN where one of them is not stated."""
    return figure(sight.wins, row) + figure(sight.draws, row) + figure(sight.losses, row)


@kernel
def n_below(sight: Sight, row: int) -> int:
    """The rows directly below `row`."""
    n_children = 0
    child = row + 1
    while child < sight.end[row]:
        n_children += 1
        child = int(sight.end[child])
    return n_children


@kernel
def has_less(sight: Sight, values: Array, row: int) -> bool:
    """Whether the row has less of something than its children have together."""
    if len(values) == 0 or values[row] != values[row] or sight.end[row] == row + 1:
        return False
    error = sight.count_error * (n_below(sight, row) + 1)
    return is_less(values[row], sum_below(sight, values, row), error)


@kernel
def misses_its_visits(sight: Sight, row: int) -> bool:
    """Whether wins, draws and losses together are another number than the visits."""
    visits = figure(sight.visits, row)
    return bool(abs(ended(sight, row) - visits) > 3 * sight.count_error + 1e-9 * visits)


@kernel
def violates_visits(sight: Sight, row: int) -> bool:
    """Whether the row has less of something than its children, or wins, draws, losses miss its visits."""
    if not sight.best_first or is_stub(sight, row):
        return False
    visits = figure(sight.visits, row)
    if misses_its_visits(sight, row):
        return True
    if visits == visits and is_less(visits, sum_below(sight, sight.visits, row), 0.0):
        return True
    return (
        has_less(sight, sight.wins, row)
        or has_less(sight, sight.draws, row)
        or has_less(sight, sight.losses, row)
    )


def _figures_of_visits(sight: Sight, row: int) -> Figures:
    children = tuple(children_of(sight, row))[:MOST_INVOLVED]
    visits, n_ended = float(figure(sight.visits, row)), float(ended(sight, row))
    if is_less(visits, float(sum_below(sight, sight.visits, row)), 0.0):
        return _too_few(sight, sight.visits, "visits", row, children)
    if misses_its_visits(sight, row):
        sum_of, stated = apart(n_ended, visits)
        message = f"Wins, draws and losses are {sum_of} together, but the visits are {stated}."
        return Figures(visits, n_ended, message)
    named = (("wins", sight.wins), ("draws", sight.draws), ("losses", sight.losses))
    name, values = next(each for each in named if has_less(sight, each[1], row))
    return _too_few(sight, values, name, row, children)


def _too_few(sight: Sight, values: Array, name: str, row: int, children: tuple[int, ...]) -> Figures:
    found, least = float(values[row]), float(sum_below(sight, values, row))
    has, below = apart(found, least)
    return Figures(least, found, f"The node has {has} {name}, but its children have {below}.", children)


def excuses_visits(sight: Sight, rows: Rows) -> Mask:
    """Rows that are one of several edges to a position, whose subtree has the visits of all of them."""
    by_all_edges = visits_of_edges(sight)[rows]
    below = np.array([sum_below(sight, sight.visits, row) for row in rows.tolist()])
    is_own = np.array([misses_its_visits(sight, row) for row in rows.tolist()])
    return np.asarray((below <= by_all_edges) & ~is_own)


def is_odd_visits(sight: Sight, rows: Rows) -> Mask | bool:
    """Rows whose surplus visits may come from children that are shared, in a log without keys."""
    if may_sums_differ(sight):
        return True
    found = np.asarray(~np.isnan(visits_of_edges(sight)[rows]))
    if found.all() or not maybe_shared(sight).any():
        return found
    counts = [values for values in (sight.visits, sight.wins, sight.draws, sight.losses) if len(values)]
    shared = [sums_of_shared(sight, values) for values in counts]
    for i, row in enumerate(rows.tolist()):
        error = sight.count_error * (n_below(sight, row) + 1)
        found[i] |= not misses_its_visits(sight, row) and not any(
            is_less(float(values[row]), sum_below(sight, values, row) - float(sums[row]), error)
            for values, sums in zip(counts, shared, strict=True)
        )
    return found


VISITS_RULE = Rule(
    "visits",
    "wrong",
    ("visits",),
    _figures_of_visits,
    judged=(nodes, known("visits")),
    violates=violates_visits,
    excuses=excuses_visits,
    why_not=other_order,
    is_odd=is_odd_visits,
)


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
    judged=(nodes, known("visits", "mean"), coded("bound", 0), other_than("layer", CHANCE)),
    violates=violates_mean,
    excuses=excuses_mean,
    why_not=reason_against,
    is_odd=is_odd_mean,
)


@kernel
def counted(sight: Sight, row: int) -> float:
    """Return the value of a row's ending, an end of the range or the draw; NaN where it is unstated."""
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
