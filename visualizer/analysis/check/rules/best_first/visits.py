"""Rule `visits`: in a best-first tree no more visits went to the children than came to their parent."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.judged import Mask, Rows, nodes, other_order, where_known
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.best_first.visit_counts import (
    figure,
    is_less,
    may_sums_differ,
    maybe_shared,
    sum_below,
    sums_of_shared,
    visits_of_edges,
)
from plyscope.visualizer.analysis.columns.row import is_stub
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.digits import apart


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
def violates(sight: Sight, row: int) -> bool:
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


def _figures(sight: Sight, row: int) -> Figures:
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


def excuses(sight: Sight, rows: Rows) -> Mask:
    """Rows that are one of several edges to a position, below which lies what came by all of them."""
    by_all_edges = visits_of_edges(sight)[rows]
    below = np.array([sum_below(sight, sight.visits, row) for row in rows.tolist()])
    is_own = np.array([misses_its_visits(sight, row) for row in rows.tolist()])
    return np.asarray((below <= by_all_edges) & ~is_own)


def is_odd(sight: Sight, rows: Rows) -> Mask | bool:
    """Children that may be shared, with no key to say so, account for what is too much."""
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


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    return np.asarray(nodes(sight, rows) & where_known(sight.visits, rows))


RULE = Rule(
    "visits",
    "wrong",
    ("visits",),
    _figures,
    judged=(judged,),
    violates=violates,
    excuses=excuses,
    why_not=other_order,
    is_odd=is_odd,
)
