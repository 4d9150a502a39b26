"""Masks of the rows that a rule can judge, and reasons why it can judge none of a log (`Rule.why_not`).

The search for the first row of a mask often ends in the first piece, so it costs nothing beside the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import pieces
from plyscope.visualizer.store.header_fields import said_over

Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]
Judged = Callable[[Sight, slice], Mask]

_CUT_BY_NULL: Final = words.CUT_BY.index("null")


def has_row(sight: Sight, judged: Sequence[Judged]) -> bool:
    """Whether all of `judged` mark a row."""
    return any(_has_row(sight, judged, rows) for rows in pieces(sight.n_rows))


def _has_row(sight: Sight, judged: Sequence[Judged], rows: slice) -> bool:
    found = judged[0](sight, rows)
    for each in judged[1:]:
        if not found.any():
            break
        found = found & each(sight, rows)
    return bool(found.any())


def every(sight: Sight) -> slice:
    """All rows, as one piece."""
    return slice(0, sight.n_rows)


def where_known(values: Array, rows: slice) -> Mask:
    """Return the rows that state a number in a column; none if the log lacks the column."""
    return np.asarray(~np.isnan(values[rows])) if len(values) else np.zeros(rows.stop - rows.start, np.bool_)


def where_folded(sight: Sight, folds: Array, rows: slice) -> Mask:
    """Return the rows that have a number in one of the arrays of folds."""
    return np.asarray(~np.isnan(folds[sight.fold_at[rows]]))


def codes(values: Array, rows: slice, default: int = 0) -> Array:
    """Return a column of whole numbers, all `default` if the log lacks it."""
    return values[rows] if len(values) else np.full(rows.stop - rows.start, default, np.int8)


def known(*names: str) -> Judged:
    """Return the mask of the rows that state a number in all of some columns."""
    return lambda sight, rows: np.logical_and.reduce(
        [where_known(getattr(sight, name), rows) for name in names]
    )


def stated(name: str) -> Judged:
    """Return the mask of the rows that state a column whose numbers are 0 and more."""
    return lambda sight, rows: np.asarray(codes(getattr(sight, name), rows, -1) >= 0)


def positive(name: str) -> Judged:
    """Return the mask of the rows whose number in a column is above 0."""
    return lambda sight, rows: np.asarray(codes(getattr(sight, name), rows) > 0)


def coded(name: str, *numbers: int) -> Judged:
    """Return the mask of the rows that have one of some numbers in a column."""
    return lambda sight, rows: np.logical_or.reduce(
        [codes(getattr(sight, name), rows, -1) == number for number in numbers]
    )


def other_than(name: str, number: int) -> Judged:
    """Return the mask of the rows that do not have a number in a column."""
    return lambda sight, rows: np.asarray(codes(getattr(sight, name), rows, -1) != number)


def marked(bits: int) -> Judged:
    """Return the mask of the rows that the sweep marked."""
    return lambda sight, rows: np.asarray(sight.marks[rows] & bits > 0)


def has_rows(sight: Sight, rows: slice) -> Mask:
    """Rows above others."""
    return np.asarray(sight.end[rows] > np.arange(rows.start, rows.stop) + 1)


def nodes(sight: Sight, rows: slice) -> Mask:
    """Rows except stubs."""
    return np.asarray(sight.outcome[rows] < words.FIRST_STUB)


def where_finished(sight: Sight, rows: slice) -> Mask:
    """Nodes that were left with a result."""
    outcome = sight.outcome[rows]
    return np.asarray(nodes(sight, rows) & (outcome != words.STOPPED) & (outcome != words.OPEN))


def visits(sight: Sight, rows: slice) -> Mask:
    """Nodes below others that are neither null moves nor probes."""
    purpose = codes(sight.purpose, rows)
    is_aside = (purpose == words.NULL) | (purpose == words.PROBE)
    return np.asarray(nodes(sight, rows) & (sight.parent[rows] >= 0) & ~is_aside)


def where_scored_by_plies(sight: Sight, rows: slice) -> Mask:
    """Nodes whose score should come from their plies: searched, not cut by a null move or an estimate."""
    outcome = sight.outcome[rows]
    is_searched = (outcome == 0) | (outcome == words.SEARCHED) | (outcome == words.CUTOFF)
    return np.asarray(is_searched & (codes(sight.cut_by, rows) < _CUT_BY_NULL))


def sees_in_two_ways(sight: Sight, rows: Array) -> bool:
    """Whether the search itself may see one position in two ways."""
    return bool(sight.is_inexact)


def where_choosing(layer: Array) -> Mask:
    """Rows whose layer is max or min."""
    return np.asarray((layer == words.MAX) | (layer == words.MIN))


def used_entries(sight: Sight, rows: slice) -> Mask:
    """Rows at which an entry cut or narrowed."""
    use = codes(sight.tt_use, rows)
    is_cut = (use == 0) & (sight.outcome[rows] == words.TT)
    return np.asarray((use == words.TT_USES.index("cut")) | (use == words.TT_USES.index("narrow")) | is_cut)


def where_window_known(sight: Sight, rows: slice) -> Mask:
    """Visits with a known window, and a known window that their parent had left."""
    above = np.maximum(sight.parent[rows], 0)
    if not (len(sight.alpha) and len(sight.beta)):
        return np.zeros(rows.stop - rows.start, np.bool_)
    has_edges = ~np.isnan(sight.alpha[above]) & ~np.isnan(sight.beta[above])
    return visits(sight, rows) & has_edges & ~np.isnan(sight.edge_before[rows])


def is_expanded(sight: Sight, rows: slice) -> Mask:
    """Return the nodes that generated all plies: searched, no quiescence, not cut before their first ply."""
    where = (sight.outcome[rows] == words.SEARCHED) | (sight.outcome[rows] == words.CUTOFF)
    if len(sight.cut_by):
        where &= sight.cut_by[rows] <= words.CUT_BY.index("child")
    if len(sight.quiescence):
        where &= sight.quiescence[rows] != 1
    return np.asarray(where)


WhyNot = Callable[[Sight], str | None]


def if_best_first(why: str) -> WhyNot:
    """Return a function that returns the reason `why` for a best-first log, and None for others."""
    return lambda sight: why if sight.best_first else None


best_first: Final = if_best_first("a best-first search has no windows")
best_first_averages: Final = if_best_first(
    "a best-first tree may average, so nothing is claimed of its best children"
)


def lines_alone(sight: Sight) -> str | None:
    """Return the reason why rules that need the tree cannot judge lines that an engine said, or None."""
    protocol = said_over(sight.log.header)
    if protocol is None:
        return None
    return f"these are lines that an engine said over {protocol}, not the tree that it searched"


def reason_if_threaded(sight: Sight) -> str | None:
    """Return the reason why rules that use the order of rows cannot judge the log, or None."""
    return "several threads searched: rows are not in the order of time" if sight.is_threaded else None


def reason_if_unordered(sight: Sight) -> str | None:
    """Return the reason why rules of windows that use the order of rows cannot judge the log, or None."""
    return reason_if_threaded(sight) or best_first(sight)


def reason_if_averaged(sight: Sight) -> str | None:
    """Return the reason why rules of best children cannot judge the log, or None."""
    if sight.best_first:
        return best_first_averages(sight)
    return "scores beside counts of visits, without windows, are averages" if sight.is_averaged else None


def other_order(sight: Sight) -> str | None:
    """Return the reason why rules of best-first trees cannot judge the log, or None."""
    if sight.best_first or len(sight.visits) == 0:
        return None
    return "only of a log that says `order: best_first`"


def selected_uniformly(sight: Sight) -> str | None:
    """Return the reason why visits say nothing of means, or None; ours is `select="plain"`."""
    options = sight.log.search.get("options")
    if not isinstance(options, dict):
        return None
    is_uniform = options.get("select") == "plain" or "uniform" in " ".join(map(str, options.values())).lower()
    return "its options say that plies are selected uniformly" if is_uniform else None


def unknown_window(sight: Sight) -> str | None:
    """Return the declarations that are missing if neither `fail` nor windows say how scores are clamped."""
    if not sight.fail_is_declared and not (len(sight.alpha) and len(sight.beta)):
        return "needs `search.fail`, or `alpha` and `beta`"
    return None
