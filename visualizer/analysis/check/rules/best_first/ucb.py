"""The terms by which a best-first search chose its children, recomputed from the stated visits and compared.

Logs do not state constants, so only the form can be judged: the term added to a child's worth is the same
multiple, among siblings, of UCB1's `sqrt(ln N / n)` or of PUCT's `prior × sqrt(N) / (1 + n)`. Engines count
the visit that is under way or do not, so each N and n may be one off, everywhere alike.
Sources: Auer, Cesa-Bianchi and Fischer 2002; Rosin 2011; Silver et al. 2017.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.judged import Rows
from plyscope.visualizer.analysis.columns.rounding import rounding
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store import words

FEWEST_SIBLINGS: Final = 4
"""The fewest siblings among which the odd one can be found."""
FEWEST_ROWS: Final = 20
"""The fewest rows that show the form of a log's terms."""
SAMPLE: Final = 1 << 14
"""The rows by which the form is found."""
RELATIVE: Final = 1e-5
"""The relative error of formulas in single precision."""
FEWEST_MISSED: Final = 3
"""This many choices that miss their best, a third of those that can be judged, are no rounding errors."""
PART_MISSED: Final = 3


class Terms(NamedTuple):
    """The rows that state how they were chosen; arrays of one entry each."""

    rows: Array
    parent: Array
    explore: Array
    n: Array
    n_parent: Array
    prior: Array
    error: Array
    """The error of `explore` by its digits and those of the prior."""


class Misfits(NamedTuple):
    """Rows whose term does not fit their siblings', and the term that would."""

    rows: Rows
    expected: npt.NDArray[np.float64]


NONE: Final = Misfits(np.zeros(0, np.int64), np.zeros(0))


def terms_of(sight: Sight) -> Terms | None:
    """Return the terms that a log states, None if it states none."""
    if not (len(sight.ucb_explore) and len(sight.ucb_n) and len(sight.ucb_n_parent)):
        return None
    stated = ~np.isnan(sight.ucb_explore) & ~np.isnan(sight.ucb_n) & ~np.isnan(sight.ucb_n_parent)
    rows = np.flatnonzero(stated & (sight.parent >= 0) & (sight.outcome < words.FIRST_STUB))
    prior = sight.prior[rows] if len(sight.prior) else np.full(len(rows), np.nan)
    explore = sight.ucb_explore[rows]
    by_prior = np.nan_to_num(rounding(sight.log, "prior") / prior, nan=0.0, posinf=0.0)
    error = rounding(sight.log, "ucb_explore") + np.abs(explore) * (RELATIVE + by_prior)
    return Terms(rows, sight.parent[rows], explore, sight.ucb_n[rows], sight.ucb_n_parent[rows], prior, error)


def misfits_of(terms: Terms) -> Misfits:
    """Return the rows that differ from their siblings in the form that all others have; none if no form fits.

    A multiple may grow with the parent's visits, so a larger one at more visits fits.
    """
    sample = Terms(*(np.asarray(each)[:SAMPLE] for each in terms))
    best, fewest = -1, SAMPLE + 1
    for place, form in enumerate(right_forms(sample)):
        fits = _compared(sample, form)
        if fits.is_form and fits.n_misfits < fewest:
            best, fewest = place, fits.n_misfits
    if best < 0:
        return NONE
    form = next(each for place, each in enumerate(right_forms(terms)) if place == best)
    fits = _compared(terms, form)
    if not fits.is_form:
        return NONE
    found = fits.judged & ~fits.fits & ~fits.is_excused
    order = np.argsort(terms.rows[found], kind="stable")
    return Misfits(terms.rows[found][order], fits.expected[found][order])


def right_forms(terms: Terms) -> Iterator[Array]:
    """Return the number that `explore` is a multiple of, for each form; NaN if a form has none."""
    for more_parent in (0.0, 1.0, -1.0):
        n_parent = terms.n_parent + more_parent
        for more in (0.0, 1.0):
            n = np.where(terms.n + more > 0, terms.n + more, np.nan)
            yield np.sqrt(np.where(n_parent > 1, np.log(n_parent), np.nan) / n)
            yield np.where(terms.prior > 0, terms.prior, np.nan) * np.sqrt(n_parent) / n


class _Compared(NamedTuple):
    judged: Any
    fits: Any
    expected: Any
    is_excused: Any
    n_misfits: int
    is_form: bool
    """Whether nineteen of twenty rows fit."""


def _compared(terms: Terms, form: Array) -> _Compared:
    """Compare each row's term with the median multiple of its siblings."""
    ratio = terms.explore / form
    ratio = np.where(np.isfinite(ratio), ratio, np.nan)
    order = np.lexsort((ratio, terms.parent))
    parent = terms.parent[order]
    starts = np.flatnonzero(np.r_[True, parent[1:] != parent[:-1]]) if len(parent) else np.zeros(0, np.int64)
    group = np.cumsum(np.r_[True, parent[1:] != parent[:-1]]) - 1 if len(parent) else parent
    is_known = ~np.isnan(ratio[order])  # unknown ones come last in their group
    n_known = np.bincount(group[is_known], minlength=len(starts))
    middle = order[starts + np.maximum(n_known - 1, 0) // 2]
    of_group = np.empty(len(order), np.int64)
    of_group[order] = group
    typical = middle[of_group]
    expected = ratio[typical] * form
    error = terms.error + np.abs(expected) * terms.error[typical] / np.abs(terms.explore[typical])
    known = ~np.isnan(ratio) & (n_known[of_group] >= FEWEST_SIBLINGS) & (terms.explore[typical] > 0)
    fits = np.abs(terms.explore - expected) <= error
    n_fit = np.bincount(of_group[known & fits], minlength=len(starts))
    judged = known & (4 * n_fit[of_group] >= 3 * n_known[of_group])
    more, less = terms.n_parent > terms.n_parent[typical], terms.n_parent < terms.n_parent[typical]
    is_excused = (more & (ratio > ratio[typical])) | (less & (ratio < ratio[typical]))
    n_all, n_good = int(np.count_nonzero(known)), int(np.count_nonzero(known & fits))
    is_form = n_all >= FEWEST_ROWS and 20 * n_good >= 19 * n_all
    return _Compared(judged, fits, expected, is_excused, n_all - n_good, is_form)


class Missed(NamedTuple):
    """Chosen rows, the sibling that each should have lost to, and the numbers that were compared."""

    rows: Rows
    best: Rows
    sums: npt.NDArray[np.float64]
    """Exploit and explore together of each row of the log, as the side that chose it sees them."""


def missed_choices(sight: Sight) -> Missed:
    """Return the choices that were not for the largest sum of the terms; none if they are too few to tell.

    The terms of siblings are of one moment where they state the same visits of their parent. The child that
    was chosen then is the one that has come once more since.
    """
    none = Missed(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    columns = (sight.ucb_exploit, sight.ucb_explore, sight.ucb_n, sight.ucb_n_parent, sight.visits)
    if not all(len(each) for each in columns) or not len(rows := _told(sight, columns)):
        return none
    ends = sight.range_low + sight.range_high
    by_min = sight.layer[np.maximum(sight.parent, 0)] == words.MIN
    found = []
    for is_turned in (True, False):
        other_side = (0.0 if np.isnan(ends) else ends) - sight.ucb_exploit
        exploit = np.where(by_min & is_turned, other_side, sight.ucb_exploit)
        found.append(_missed(sight, rows, exploit + sight.ucb_explore))
    chosen = min(found, key=lambda each: len(each.rows))
    n_told = len(np.unique(sight.parent[rows]))
    return chosen if len(chosen.rows) >= max(FEWEST_MISSED, n_told / PART_MISSED) else none


def _told(sight: Sight, columns: tuple[Array, ...]) -> Rows:
    """Return the children of nodes whose children all state terms of one moment; one of them came since."""
    is_child = (sight.parent >= 0) & ((sight.outcome < words.FIRST_STUB) | (sight.outcome == words.UNLOGGED))
    rows = np.flatnonzero(is_child)
    parent = sight.parent[rows]
    states = np.logical_and.reduce([~np.isnan(each[rows]) for each in columns])
    since = sight.visits[rows] - sight.ucb_n[rows]
    n_rows = np.bincount(parent, minlength=sight.n_rows)
    n_sound = np.bincount(parent[states & ((since == 0) | (since == 1))], minlength=sight.n_rows)
    n_chosen = np.bincount(parent[states & (since == 1)], minlength=sight.n_rows)
    least, most = np.full(sight.n_rows, np.inf), np.full(sight.n_rows, -np.inf)
    np.minimum.at(least, parent[states], sight.ucb_n_parent[rows[states]])
    np.maximum.at(most, parent[states], sight.ucb_n_parent[rows[states]])
    is_told = (n_rows > 1) & (n_sound == n_rows) & (n_chosen == 1) & (least == most)
    return np.asarray(rows[is_told[parent]], np.int64)


def _missed(sight: Sight, rows: Rows, sums: Array) -> Missed:
    order = np.lexsort((sums[rows], sight.parent[rows]))
    rows = rows[order]
    ends = np.append(np.flatnonzero(np.diff(sight.parent[rows])), len(rows) - 1)
    best = rows[ends]
    is_chosen = sight.visits[rows] > sight.ucb_n[rows]
    chosen = rows[is_chosen]  # one of each node, in the order of nodes
    error = 2 * (rounding(sight.log, "ucb_exploit") + rounding(sight.log, "ucb_explore"))
    is_less = sums[chosen] < sums[best] - error - RELATIVE * np.abs(sums[best])
    chosen, best = chosen[is_less], best[is_less]
    in_order = np.argsort(chosen)
    return Missed(chosen[in_order], best[in_order], sums)
