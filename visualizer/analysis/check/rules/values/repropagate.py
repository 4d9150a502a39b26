"""repropagate: folding the leaves up again gives the score of the root."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from plyscope.visualizer.analysis.check.facts.masks import Rows
from plyscope.visualizer.analysis.check.facts.reasons import if_best_first
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.values.leaf_fold import refolded
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.leaf_scores import is_close
from plyscope.visualizer.analysis.columns.row import is_finished
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store.log import Log


class Worth(NamedTuple):
    """The interval of a root's score by its leaves; NaN if it is unknown."""

    low: float
    high: float


class Found(NamedTuple):
    """The result of folding a log up again: roots with another score, and their worth by the leaves."""

    broken: dict[int, Worth]
    n_known: int
    """Roots whose worth could be compared with their score."""


_found: WeakKeyDictionary[Log, Found] = WeakKeyDictionary()


def find(sight: Sight, work: Work) -> Rows:
    """The roots whose score is not what their leaves give."""
    refold = refolded(sight, work)
    rows = [int(row) for row in sight.roots if is_finished(sight, row)]
    broken = {}
    n_known = 0
    for row in rows:
        worth = Worth(float(refold.low[row]), float(refold.high[row]))
        n_known += not (np.isnan(worth.low) or np.isnan(sight.score[row]))
        if not gives(sight, row, worth, is_last=row == rows[-1]):
            broken[row] = worth
    _found[sight.log] = Found(broken, n_known)
    return np.array(sorted(broken), np.int64)


def _has_judged(sight: Sight, work: Work) -> bool:
    kept = _found.get(sight.log)
    return kept is not None and kept.n_known > 0


def gives(sight: Sight, row: int, worth: Worth, *, is_last: bool) -> bool:
    """Whether the score may be what a root is worth, or that lies within its claim; True where not known.

    Without bound and window a score may be that of a search outside its window; only the last root's is
    taken as it is then.
    """
    claim = Worth(*claim_of(sight, row))
    score = float(sight.score[row])
    if np.isnan(worth.low) or np.isnan(score):
        return True
    if _is_least(sight, worth.low, score) and _is_least(sight, score, worth.high):
        return True
    if np.isnan(claim.low):
        return not is_last
    return _is_least(sight, claim.low, worth.low) and _is_least(sight, worth.high, claim.high)


def _is_least(sight: Sight, one: float, other: float) -> bool:
    return bool(one <= other or is_close(one, other, sight.tolerance))


def _figures(sight: Sight, row: int) -> Figures:
    kept = _found[sight.log]
    low, high = worth = kept.broken[row]
    found = float(sight.score[row])
    least, most, returned = apart(low, high, found)
    gives = least if low == high else f"[{least}, {most}]"
    return Figures(
        expected=low if low == high else worth,
        found=found,
        message=f"Folded up again from the leaves, the root is worth {gives}, but it returned {returned}.",
    )


RULE = Rule(
    "repropagate",
    "odd",
    ("score", "static|factors|contributions"),
    _figures,
    has_judged=_has_judged,
    find=find,
    why_not=if_best_first("does not apply to a best-first search"),
)
