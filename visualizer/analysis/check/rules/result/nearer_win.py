"""Rule `nearer-win`: of proven wins the nearest is played."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyscope.visualizer.analysis.check.facts.judged import Rows
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.result.result_claim import candidate_roots
from plyscope.visualizer.analysis.columns.claims import is_close
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import is_aside, is_stub, taken_of
from plyscope.visualizer.analysis.columns.sight import COUNTED, Sight
from plyscope.visualizer.analysis.nodes import proof
from plyscope.visualizer.store import words
from plyscope.visualizer.store.positions import shown_ply


class PassedOver(NamedTuple):
    """The chosen ply and one that wins sooner, as rows, and the plies from the root to either win."""

    chosen: int
    nearer: int
    plies: int | None
    """None where the win of the chosen ply is not proven."""
    fewer: int


def passed_over(sight: Sight) -> PassedOver | None:
    """The nearest proven win at the root of the result, if the chosen ply wins later or is not proven to."""
    root, chosen = _choice(sight)
    if chosen < 0:
        return None
    sign = 1 if sight.layer[root] == words.MAX else -1
    wins = {}
    child = root + 1
    while child < sight.end[root]:
        if not is_stub(sight, child) and not is_aside(sight, child):
            end = proof.end_by_games(sight.log, child)
            if end is not None and end[0] == sign:
                wins[child] = end[1]
        child = int(sight.end[child])
    if not wins:
        return None
    nearest = min(wins, key=lambda row: (wins[row], row))
    ply = sight.ply[chosen]
    of_chosen = min((plies for row, plies in wins.items() if sight.ply[row] == ply), default=None)
    if of_chosen is not None:
        is_later = wins[nearest] < of_chosen
    else:
        is_later = is_close(taken_of(sight, chosen), taken_of(sight, nearest), sight.tolerance)
    return PassedOver(chosen, nearest, of_chosen, wins[nearest]) if is_later else None


def _choice(sight: Sight) -> tuple[int, int]:
    """The root that the result comes from, and its last counted visit of the chosen ply; -1 where unknown."""
    ply = sight.log.chosen_ply
    if ply is None or sight.rank > 0:
        return -1, -1
    for root in candidate_roots(sight, sight.log.result):
        if sight.layer[root] not in (words.MAX, words.MIN):
            continue
        chosen = -1
        child = root + 1
        while child < sight.end[root]:
            if sight.marks[child] & COUNTED and sight.log.text(int(sight.ply[child])) == ply:
                chosen = child
            child = int(sight.end[child])
        if chosen >= 0:
            return root, chosen
    return -1, -1


def find(sight: Sight, work: Work) -> Rows:
    """The chosen ply, if a nearer win was passed over."""
    found = passed_over(sight)
    return np.array([] if found is None else [found.chosen], np.int64)


def _has_judged(sight: Sight, work: Work) -> bool:
    ends = (sight.ending == words.WIN) | (sight.ending == words.LOSS)
    return _choice(sight)[1] >= 0 and bool(ends.any())


def reason_against(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    return "a best-first search plays what it visited most" if sight.best_first else None


def _figures(sight: Sight, row: int) -> Figures:
    found = passed_over(sight)
    assert found is not None
    nearer = shown_ply(sight.log, found.nearer) or ""
    sooner = _within(found.fewer)
    if found.plies is None:
        message = f"{nearer} {sooner}, which is proven, and has the same score; of this ply no win is proven."
    else:
        message = f"This ply {_within(found.plies)}, but {nearer} {sooner}: a nearer win was passed over."
    return Figures(found.fewer, found.plies, message, (found.nearer,))


def _within(plies: int) -> str:
    return "wins at once" if plies == 1 else f"wins in {plies:,} plies"


RULE = Rule(
    "nearer-win",
    "odd",
    ("result", "ending", "layer|player"),
    _figures,
    has_judged=_has_judged,
    find=find,
    why_not=reason_against,
)
