"""Rules `value`, `claim`, `declared-fail`: a node returns and claims what its children prove."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import some, visits_with
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    Rows,
    best_first_averages,
    reason_if_averaged,
    where_folded,
    where_known,
    where_scored_by_plies,
)
from plyscope.visualizer.analysis.check.facts.proofs import proven_fold
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claim_fold import is_folded
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import best_child_of, is_quiescence, kind_of_fail, taken_of
from plyscope.visualizer.analysis.columns.sight import (
    CLAIMED,
    COUNTED,
    FAILS_HIGH,
    FITS_HARD,
    FOLD_OUTSIDE,
    TABLE_DISAGREES,
    UNCLEAR,
    VALUE_WRONG,
    Sight,
)
from plyscope.visualizer.analysis.columns.value_kernels import value_under
from plyscope.visualizer.analysis.nodes.digits import apart, intervals


@kernel
def violates_value(sight: Sight, row: int) -> bool:
    """Whether the sweep found the score to be none that the plies ask for."""
    marks = sight.marks[row]
    odd = sight.odd_forms[kind_of_fail(sight, row, marks & FAILS_HIGH > 0)]
    return bool(marks & (VALUE_WRONG | odd) or row == sight.unread_row)


def is_odd_value(sight: Sight, rows: Rows) -> Mask:
    """Nodes whose score only the rest of the log speaks against, or layers that are a guess."""
    found = np.asarray(sight.marks[rows] & VALUE_WRONG == 0)
    if _guesses_layers(sight):
        found |= np.array([_is_a_childs(sight, row) for row in rows.tolist()], np.bool_)
    return found


def _guesses_layers(sight: Sight) -> bool:
    """Whether the reader derived the layers of a foreign tree from its scores."""
    return sight.is_foreign and not {"layer", "player"} & set(sight.log.mapping)


def _is_a_childs(sight: Sight, row: int) -> bool:
    """Whether a child that counts has the row's score: it is right if the other player moves."""
    return bool(visits_with(sight, row, float(sight.score[row]), COUNTED))


def _figures_of_value(sight: Sight, row: int) -> Figures:
    if not sight.marks[row] & VALUE_WRONG:
        return _odd_figures(sight, row)
    if sight.layer[row] == 0:
        return _unlayered_figures(sight, row)
    expected, found = float(value_under(sight, row, sight.fail)), float(sight.score[row])
    best = float(best_child_of(sight, row))
    what = "The best of its children" + ("" if sight.fail != HARD or best == expected else ", clamped,")
    asked, returned = apart(expected, found)
    return Figures(
        expected,
        found,
        f"{what} is {asked}, but the node returned {returned}.",
        visits_with(sight, row, best, COUNTED),
    )


def _unlayered_figures(sight: Sight, row: int) -> Figures:
    """The scores of the children beside one that none of them has."""
    found = float(sight.score[row])
    visits = visits_with(sight, row, None, COUNTED)
    scores = [taken_of(sight, each) for each in visits]
    returned, *below = apart(found, *scores)
    return Figures(
        scores,
        found,
        f"The node returned {returned}, which none of its children has, whoever is to move: {some(below)}.",
        visits,
    )


def _read(sight: Sight) -> str:
    if sight.n_parents == 1:
        return "The one node with children has the score of none of them"
    return f"Of {sight.n_parents} nodes with children {sight.n_read} have the score of one of them"


def _odd_figures(sight: Sight, row: int) -> Figures:
    found = float(sight.score[row])
    if row == sight.unread_row:
        return Figures(
            "scores that are those of children",
            f"{sight.n_read} of {sight.n_parents}",
            f"{_read(sight)}, seen by the root player or by the mover: these are no minimax scores, or "
            "another field holds them.",
        )
    best = float(best_child_of(sight, row))
    is_clamped = bool(sight.marks[row] & FITS_HARD)
    expected = best if is_clamped else float(value_under(sight, row, HARD))
    side = "high" if sight.marks[row] & FAILS_HIGH else "low"
    of_kind = "its quiescence" if is_quiescence(sight, row) else "this log"
    how = "not clamped to it" if is_clamped else "clamped to it"
    has, returned, asked = apart(best, found, expected)
    return Figures(
        expected,
        found,
        f"The best of its children is {has}, and the node returned {returned}, but nearly all scores of "
        f"{of_kind} that leave their window on this side (fail {side}) are {how}, which makes it {asked}.",
        visits_with(sight, row, best, COUNTED),
    )


def judged_by_value(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_layered = (
        where_scored_by_plies(sight, rows)
        & where_folded(sight, sight.fold_bests, rows)
        & where_known(sight.score, rows)
    )
    return np.asarray(is_layered | (sight.n_parents > 0))


VALUE_RULE = Rule(
    "value",
    "wrong",
    ("score",),
    _figures_of_value,
    judged=(judged_by_value,),
    violates=violates_value,
    is_odd=is_odd_value,
    why_not=reason_if_averaged,
)


@kernel
def violates_claim(sight: Sight, row: int) -> bool:
    """Whether the fold of the children reaches outside the node's claim."""
    if not sight.marks[row] & FOLD_OUTSIDE or sight.marks[row] & (UNCLEAR | TABLE_DISAGREES):
        return False
    if not is_folded(sight, row):
        return False
    low, high = proven_fold(sight, row)
    least, most = claim_of(sight, row)
    return bool(low < least or high > most)


def _figures_of_claim(sight: Sight, row: int) -> Figures:
    low, high = proven_fold(sight, row)
    expected = (float(low), float(high))
    least, most = claim_of(sight, row)
    found = (float(least), float(most))
    proven, claimed = intervals(expected, found)
    return Figures(
        expected,
        found,
        f"Its children prove a value in {proven}, but the node claims {claimed}.",
        visits_with(sight, row, None, COUNTED),
    )


CLAIM_RULE = Rule(
    "claim",
    "wrong",
    ("bound|alpha", "bound|beta"),
    _figures_of_claim,
    judged=(
        where_scored_by_plies,
        lambda sight, rows: sight.marks[rows] & (CLAIMED | UNCLEAR | TABLE_DISAGREES) == CLAIMED,
        lambda sight, rows: where_folded(sight, sight.fold_lows, rows),
    ),
    violates=violates_claim,
    why_not=best_first_averages,
)


def find_declared_fail(sight: Sight, work: Work) -> Rows:
    """The first node that shows it, if scores contradict the declared form and all fit the other."""
    return np.array([sight.misdeclared_row] if sight.n_misdeclared else [], np.int64)


def _figures_of_declared_fail(sight: Sight, row: int) -> Figures:
    found, declared = ("hard", "soft") if sight.fail == HARD else ("soft", "hard")
    n = sight.n_misdeclared
    message = (
        f"Every score fits fail-{found}, but {n:,} of them do not fit `fail: {declared}`, which the header "
        f"declares: the log is judged as fail-{found}."
    )
    return Figures(found, declared, message)


def _has_judged_declared_fail(sight: Sight, work: Work) -> bool:
    return bool(sight.fail_is_declared) and not sight.best_first


DECLARED_FAIL_RULE = Rule(
    "declared-fail",
    "wrong",
    ("fail", "score"),
    _figures_of_declared_fail,
    has_judged=_has_judged_declared_fail,
    find=find_declared_fail,
)
