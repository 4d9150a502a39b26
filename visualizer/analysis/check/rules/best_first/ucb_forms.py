"""Terms of a best-first search in a wrong form: an exploration of other visits, a sum in place of a mean.

A term that fits no form that we know says nothing: rewards of other moves are mixed in, proofs and losses of
threads under way are counted. So only a wrong form that fits every row is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from plyscope.visualizer.analysis.check.facts.judged import Rows
from plyscope.visualizer.analysis.check.rules.best_first.ucb import (
    RELATIVE,
    SAMPLE,
    Terms,
    right_forms,
    terms_of,
)
from plyscope.visualizer.analysis.columns.rounding import rounding
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store import words

FEWEST: Final = 5
"""The fewest rows that show the form of a term, by their common constant."""
FEWEST_OTHERS: Final = 2
"""The fewest rows at which a wrong form and the right ones must differ."""
CONSTANT: Final = 1e-3
"""The relative variation of a common constant, beyond the rounding of digits."""


class WrongForm(NamedTuple):
    """The rows whose term has a wrong form, the right numbers if they follow, and the form in words."""

    rows: Rows
    term: str
    what: str


class _Exploits(NamedTuple):
    """Rows that state `exploit`, and within which limits the results of their first `n` visits add up."""

    rows: Array
    value: Array
    n: Array
    n_parent: Array
    low: Array
    high: Array
    error: Array
    by_min: Array
    """Whether the opponent chose the row."""


def wrong_forms(sight: Sight) -> list[WrongForm]:
    """Return the wrong form of each term that has one."""
    return [form for form in (_wrong_exploit(sight), _wrong_explore(sight)) if form is not None]


def _wrong_exploit(sight: Sight) -> WrongForm | None:
    told = _exploits(sight)
    if told is None or not len(told.rows):
        return None
    ends = sight.range_low, sight.range_high
    fits = [
        _lies_in(_turned(told.value, mask, ends) * told.n, told, low, high)
        for mask in _masks(told)
        for low, high in _sums(told, ends, np.zeros(len(told.rows), np.bool_))
    ]
    if any(each.all() for each in fits):
        return None
    fits_right = np.logical_or.reduce(fits)
    whats = {
        "the sum of its results": np.ones(len(told.rows)),
        "the sum of its results divided by the visits of its parent": told.n_parent,
    }
    for what, factor in whats.items():
        for mask, of_sums in product(_masks(told), _masks(told)):
            value = _turned(told.value, mask, ends) * factor
            for low, high in _sums(told, ends, of_sums):
                if _lies_in(value, told, low, high, factor).all():
                    others = told.rows[~fits_right]
                    is_told = len(others) >= FEWEST_OTHERS
                    return WrongForm(others, "exploit", what) if is_told else None
    return None


def _exploits(sight: Sight) -> _Exploits | None:
    columns = (sight.ucb_exploit, sight.ucb_n, sight.ucb_n_parent, sight.visits, sight.mean)
    span = sight.range_high - sight.range_low
    if not all(len(each) for each in columns) or not 0.0 < span < np.inf:
        return None
    is_told = np.logical_and.reduce([~np.isnan(each) for each in columns])
    is_told &= (sight.parent >= 0) & (sight.outcome < words.FIRST_STUB) & (sight.bound == 0)
    rows = np.flatnonzero(is_told & (sight.ucb_n > 0) & (sight.visits >= sight.ucb_n))[:SAMPLE]
    value, n, visits = sight.ucb_exploit[rows], sight.ucb_n[rows], sight.visits[rows]
    total = sight.mean[rows] * visits
    slack = visits * (sight.mean_error + RELATIVE * span)
    later = visits - n
    low = np.maximum(total - later * sight.range_high - slack, n * sight.range_low)
    high = np.minimum(total - later * sight.range_low + slack, n * sight.range_high)
    error = rounding(sight.log, "ucb_exploit") + RELATIVE * np.maximum(np.abs(value), span)
    by_min = sight.layer[sight.parent[rows]] == words.MIN
    return _Exploits(rows, value, n, sight.ucb_n_parent[rows], low, high, error, by_min)


def _masks(told: _Exploits) -> tuple[Array, ...]:
    """Rows that may be seen from the other side: none, those of one of the two, all."""
    none = np.zeros(len(told.rows), np.bool_)
    return none, told.by_min, ~told.by_min, ~none


def _turned(value: Array, mask: Array, ends: tuple[float, float]) -> Array:
    return np.where(mask, ends[0] + ends[1] - value, value)


def _sums(told: _Exploits, ends: tuple[float, float], mask: Array) -> Iterator[tuple[Array, Array]]:
    """The limits of the sums, turned at `mask`: unscaled, and with the range scaled to [0, 1]."""
    both = (ends[0] + ends[1]) * told.n
    low, high = np.where(mask, both - told.high, told.low), np.where(mask, both - told.low, told.high)
    yield low, high
    span, least = ends[1] - ends[0], ends[0] * told.n
    yield (low - least) / span, (high - least) / span


def _lies_in(value: Array, told: _Exploits, low: Array, high: Array, factor: Any = None) -> Array:
    error = told.error * (told.n if factor is None else factor)
    return np.asarray((value >= low - error) & (value <= high + error))


def _wrong_explore(sight: Sight) -> WrongForm | None:
    """The wrong form that fits all terms of `explore` with one constant; None where a right one does too."""
    terms = terms_of(sight)
    if terms is None or len(terms.rows) < FEWEST:
        return None
    terms = Terms(*(np.asarray(each)[:SAMPLE] for each in terms))
    if any(_has_constant(terms, form) for form in right_forms(terms)):
        return None
    root = sight.visits[sight.roots[np.searchsorted(sight.roots, terms.rows, side="right") - 1]]
    own = np.log(np.where(terms.n > 1, terms.n, np.nan))
    forms = {
        "sqrt(ln n / n), with ln of its own visits n": np.sqrt(own / terms.n),
        "sqrt(ln n / N), its visits n and its parent's N swapped": np.sqrt(own / terms.n_parent),
        "sqrt(ln N / n), with N the visits of the root": np.sqrt(np.log(root) / terms.n),
    }
    for what, form in forms.items():
        if _has_constant(terms, form):
            return WrongForm(terms.rows, "explore", what)
    return None


def _has_constant(terms: Terms, form: Array) -> bool:
    """Whether each term is the same multiple of `form`, at rows that can tell."""
    known = np.isfinite(form) & (form > 0) & (terms.explore > 0)
    if np.count_nonzero(known) < max(FEWEST, 0.9 * len(form)) or len(np.unique(form[known])) < FEWEST:
        return False
    ratio = terms.explore[known] / form[known]
    middle = float(np.median(ratio))
    return bool((np.abs(ratio - middle) <= CONSTANT * middle + terms.error[known] / form[known]).all())
