"""Rule `choice`: a best-first search chose by the figures that it states, at its root and below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.judged import Mask, Rows, other_order, selected_uniformly
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.best_first.ucb import (
    NONE,
    Misfits,
    Missed,
    misfits_of,
    missed_choices,
    terms_of,
)
from plyscope.visualizer.analysis.check.rules.best_first.ucb_forms import WrongForm, wrong_forms
from plyscope.visualizer.analysis.check.rules.best_first.visit_counts import may_sums_differ, visits_of_edges
from plyscope.visualizer.analysis.columns.claims import won_by
from plyscope.visualizer.analysis.columns.declarations import PERCENTS
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.rounding import MOST_DECIMALS, decimals_of
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import main_root, once_a_log
from plyscope.visualizer.store.positions import shown_ply
from plyscope.visualizer.store.tree import Tree

CHOOSING: Final = ("visits", "mean")
ROUNDING: Final = 1e-9
FEWEST_NODES: Final = 20
"""The fewest nodes that show whether a search tries each child before it tries one twice."""


class Fault(NamedTuple):
    """One contradiction between the choice and the figures, at a row."""

    row: int
    figures: Figures
    is_odd: bool = False


def choice_is_told(sight: Sight) -> bool:
    """Whether the log states the chosen ply, and by which figure it was chosen, or its score."""
    return sight.log.chosen_ply is not None and (
        sight.log.search.get("choose") in CHOOSING or _asks_score(sight)
    )


def chosen_faults(sight: Sight) -> Iterator[Fault]:
    """Return the faults: a ply that is not the best, a win that was left, a score that is not a mean."""
    ply = sight.log.chosen_ply
    if ply is None or len(sight.visits) == 0:
        return
    root = main_root(sight.log)
    tree = Tree(sight.log)
    below = [
        child
        for child in children_of(sight, root)
        if sight.outcome[child] < words.FIRST_STUB and sight.visits[child] > 0
    ]
    chosen = next((child for child in below if tree.is_ply(child, ply)), None)
    if chosen is None:
        return
    best = _best(sight, root, below)
    if best is not None and _is_better(sight, root, best, chosen):
        values = sight.visits if sight.log.search.get("choose") == "visits" else sight.mean
        has, most = apart(float(values[chosen]), float(values[best]))
        name = "visits" if sight.log.search.get("choose") == "visits" else "as its mean"
        message = f"The ply chosen, {ply}, has {has} {name}, but {tree.ply(best)} has {most}."
        yield Fault(chosen, Figures(tree.ply(best), ply, message, (best,)))
    won = [child for child in below if won_by(sight, child) == _sign(sight, root)]
    if won and chosen not in won and sight.rank == 0 and not _is_as_good(sight, root, chosen, won[0]):
        message = f"{tree.ply(won[0])} is proven to win, but the ply chosen, {ply}, is not."
        yield Fault(chosen, Figures(tree.ply(won[0]), ply, message, tuple(won[:MOST_INVOLVED])), is_odd=True)
    if _asks_score(sight):
        yield from _score_faults(sight, root, chosen, float(sight.log.result["score"]))


def _best(sight: Sight, root: int, below: list[int]) -> int | None:
    """Return the best child by the declared figure; None if none is declared or the ply was drawn."""
    choose = sight.log.search.get("choose")
    if choose not in CHOOSING or sight.rank > 0 or (choose == "mean" and len(sight.mean) == 0):
        return None
    if choose == "visits":
        return max(below, key=lambda child: float(sight.visits[child]))
    stated = [child for child in below if not np.isnan(sight.mean[child])]
    return max(stated, key=lambda child: _sign(sight, root) * float(sight.mean[child]), default=None)


def _is_better(sight: Sight, root: int, best: int, chosen: int) -> bool:
    """Whether `best` exceeds `chosen` beyond rounding; proven children are chosen by other rules."""
    if sight.bound[best] != 0 or sight.bound[chosen] != 0:
        return False
    if sight.log.search.get("choose") == "visits":
        return bool(sight.visits[best] > sight.visits[chosen])
    difference = _sign(sight, root) * float(sight.mean[best] - sight.mean[chosen])
    return difference > 2 * sight.mean_error + 1e-9 * abs(float(sight.mean[best]))


def _is_as_good(sight: Sight, root: int, chosen: int, other: int) -> bool:
    """Whether `chosen` was as good for all that the search knows: all its visits had as good results.

    Or the search chooses by visits that it gave regardless of means.
    """
    if sight.log.search.get("choose") == "visits" and selected_uniformly(sight) is not None:
        return True
    if len(sight.mean) == 0:
        return False
    return bool(_sign(sight, root) * float(sight.mean[chosen] - sight.mean[other]) >= -2 * sight.mean_error)


def _score_faults(sight: Sight, root: int, chosen: int, score: float) -> Iterator[Fault]:
    """Return a fault if the result's score is neither mean nor score of the ply or the root."""
    means = [float(sight.mean[row]) for row in (chosen, root)]
    if np.isnan(means).any():
        return
    scores = [float(sight.score[row]) for row in (chosen, root)]
    span = sight.range_high - sight.range_low
    error = _rounding_of(score, span) + sight.mean_error + 1e-6 * span
    if not any(abs(score - each) <= error for each in (*means, *scores)):
        stated, mean, root_mean = apart(score, *means)
        message = (
            f"The result's score is {stated}, but the mean of its ply is {mean}, of the root {root_mean}."
        )
        yield Fault(chosen, Figures(means[0], score, message, (root,)))


def _rounding_of(number: float, span: float) -> float:
    decimals = decimals_of(np.array([number]))
    if decimals > MOST_DECIMALS or (decimals == 0 and span < PERCENTS):
        return 0.0
    return 0.5 * 10.0**-decimals


def _sign(sight: Sight, root: int) -> float:
    """Return -1 if the root's mover wants the smallest: when the declared root player is the other one."""
    return -1.0 if sight.layer[root] == words.MIN else 1.0


def _asks_score(sight: Sight) -> bool:
    score: Any = sight.log.result.get("score")
    is_number = isinstance(score, int | float) and not isinstance(score, bool)
    return is_number and len(sight.mean) > 0 and bool(np.isfinite(sight.range_high - sight.range_low))


def judged_nodes(sight: Sight) -> Rows:
    """Return the nodes with a child that has two visits, in a search without priors."""
    if len(sight.visits) == 0 or len(sight.prior):
        return np.zeros(0, np.int64)
    is_twice = (sight.parent >= 0) & (sight.outcome < words.FIRST_STUB) & (sight.visits >= 2)
    parents = np.unique(sight.parent[is_twice]).astype(np.int64)
    return np.asarray(parents[sight.layer[parents] != words.CHANCE], np.int64)


def n_untried(sight: Sight) -> npt.NDArray[np.float64]:
    """Return, by row, the number of children without a visit, by rows, stubs and `moves`; 0 if unknown."""
    n_rows = sight.n_rows
    below = sight.parent >= 0
    is_node = below & (sight.outcome < words.FIRST_STUB)
    is_stub = below & (sight.outcome == words.UNLOGGED)
    count = sight.count.astype(np.float64) if len(sight.count) else np.full(n_rows, -1.0)
    in_stub = np.where(np.isnan(sight.visits), count, np.minimum(count, sight.visits))

    def sums(where: Mask, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.bincount(sight.parent[where], values[where], n_rows).astype(np.float64)

    ones = np.ones(n_rows)
    n_tried = sums(is_node & (sight.visits > 0), ones) + sums(is_stub, in_stub)
    found = sums(is_node & (sight.visits == 0), ones) + sums(is_stub, count - in_stub)
    if len(sight.moves):
        found = np.where(sight.moves >= 0, np.maximum(sight.moves - n_tried, found), found)
    is_unclear = sums(is_stub & (count < 0), ones) + sums(is_node & np.isnan(sight.visits), ones)
    return np.where(is_unclear > 0, 0.0, found)


def untried(sight: Sight) -> Rows:
    """Return the nodes with such children, ascending, if the search nearly always tries all first."""
    nodes = judged_nodes(sight)
    if len(nodes) < FEWEST_NODES:
        return np.zeros(0, np.int64)
    found = nodes[n_untried(sight)[nodes] >= 1]
    return found if 20 * len(found) <= len(nodes) else np.zeros(0, np.int64)


class Found(NamedTuple):
    """The rows at which each part of the rule is broken."""

    counts: Rows
    misfits: Misfits
    forms: tuple[WrongForm, ...]
    untried: Rows
    missed: Missed


def miscounted(sight: Sight) -> Rows:
    """Rows chosen at more visits, of them or of their parent, than there are."""
    terms = terms_of(sight)
    if terms is None or len(sight.visits) == 0:
        return NONE.rows
    is_more = _exceeds(terms.n, sight.visits[terms.rows])
    by_all_edges = visits_of_edges(sight)[terms.parent]  # N of a shared position is that of all edges to it
    n_parent = np.where(np.isnan(by_all_edges), sight.visits[terms.parent], by_all_edges)
    is_more |= _exceeds(terms.n_parent, n_parent)
    return terms.rows[is_more]


def _exceeds(one: Array, other: Array) -> Array:
    return np.asarray(one > other + ROUNDING * np.abs(other))


@once_a_log
def _found(sight: Sight) -> Found:
    terms = terms_of(sight)
    forms = tuple(wrong_forms(sight))
    is_wrong = any(form.term == "explore" for form in forms)
    misfits = NONE if terms is None or is_wrong else misfits_of(terms)
    return Found(miscounted(sight), misfits, forms, untried(sight), missed_choices(sight))


def find(sight: Sight, work: Work) -> Rows:
    """The rows that break any part."""
    found = _found(sight)
    chosen = np.array([fault.row for fault in chosen_faults(sight)], np.int64)
    of_forms = [form.rows for form in found.forms]
    each = (chosen, found.counts, found.misfits.rows, found.untried, found.missed.rows, *of_forms)
    return np.unique(np.concatenate(each))


def _has_judged(sight: Sight, work: Work) -> bool:
    return choice_is_told(sight) or terms_of(sight) is not None or len(judged_nodes(sight)) > 0


def is_odd(sight: Sight, rows: Rows) -> Mask:
    """A term of another form, and a child that was not tried; the ply and counts are wrong."""
    found = _found(sight)
    wrong = set() if sight.is_threaded else {fault.row for fault in chosen_faults(sight) if not fault.is_odd}
    if not may_sums_differ(sight):
        wrong |= set(found.counts.tolist())
        for form in found.forms:
            wrong |= set(form.rows.tolist())
    return ~np.isin(rows, [*wrong])


def _figures(sight: Sight, row: int) -> Figures:
    return next(_all_figures(sight, row))


def _all_figures(sight: Sight, row: int) -> Iterator[Figures]:
    of_ply = [fault for fault in chosen_faults(sight) if fault.row == row]
    yield from (fault.figures for fault in of_ply if not fault.is_odd)
    found = _found(sight)
    parent = int(sight.parent[row])
    if row in found.counts:
        for whose, stated, at in (("", sight.ucb_n, row), ("its parent's ", sight.ucb_n_parent, parent)):
            n, n_visits = float(stated[row]), float(sight.visits[at])
            if _exceeds(np.array(n), np.array(n_visits)):
                counted, there_are = apart(n, n_visits)
                message = f"It was chosen at {counted} of {whose}visits, but there are {there_are}."
                yield Figures(n_visits, n, message, (parent,))
    for form in found.forms:
        if row in form.rows:
            yield _figures_of_form(sight, row, form)
    yield from (fault.figures for fault in of_ply if fault.is_odd)
    place = int(np.searchsorted(found.misfits.rows, row))
    if place < len(found.misfits.rows) and found.misfits.rows[place] == row:
        expected, stated_term = float(found.misfits.expected[place]), float(sight.ucb_explore[row])
        should_be, is_stated = apart(expected, stated_term)
        message = f"By its siblings' terms `explore` would be {should_be}, but it is {is_stated}."
        yield Figures(expected, stated_term, message, (parent,))
    place = int(np.searchsorted(found.missed.rows, row))
    if place < len(found.missed.rows) and found.missed.rows[place] == row:
        yield _figures_of_missed(sight, row, int(found.missed.best[place]), found.missed.sums)
    if row in found.untried:
        n_left = int(n_untried(sight)[row])
        most = max(float(sight.visits[child]) for child in children_of(sight, row))
        verb = "was" if n_left == 1 else "were"
        message = f"{n_left} of its plies {verb} never tried, while another was {apart(most)[0]} times."
        yield Figures(0, n_left, message, tuple(children_of(sight, row))[:MOST_INVOLVED])


def _figures_of_missed(sight: Sight, row: int, best: int, sums: Array) -> Figures:
    most, least = float(sums[best]), float(sums[row])
    of_best, of_chosen = apart(most, least)
    sibling = shown_ply(sight.log, best) or "a sibling"
    message = (
        f"It was chosen with {of_chosen} for exploit and explore together, while {sibling} had {of_best}."
    )
    return Figures(most, least, message, (best, int(sight.parent[row])))


def _figures_of_form(sight: Sight, row: int, form: WrongForm) -> Figures:
    if form.term == "exploit":
        mean, exploit = float(sight.mean[row]), float(sight.ucb_exploit[row])
        is_mean, stated = apart(mean, exploit)
        message = f"`exploit` is {stated}, {form.what}; the mean of its visits is {is_mean}."
        return Figures(mean, exploit, message)
    explore = float(sight.ucb_explore[row])
    (stated,) = apart(explore)
    message = f"`explore` is {stated}; at all rows it is one multiple of {form.what}."
    return Figures("a multiple of sqrt(ln N / n), N the visits of the parent", explore, message)


RULE = Rule(
    "choice",
    "wrong",
    ("visits",),
    _figures,
    has_judged=_has_judged,
    find=find,
    why_not=other_order,
    is_odd=is_odd,
)
