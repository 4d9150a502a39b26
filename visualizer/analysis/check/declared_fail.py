"""See whether a header declares fail-soft and every score fits fail-hard, or the other way round.

Then one finding says so, in place of one at each node, and all rules see the log as what its scores are.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.visualizer.analysis.check.facts.masks import Rows
from plyscope.visualizer.analysis.check.rule_scan import scan
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.columns.declarations import HARD, SOFT
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight, sight_of
from plyscope.visualizer.analysis.columns.sweep import derive

OF_FAIL: Final = ("leaf", "stand-pat", "terminal", "value")
"""The rules that judge a score by its window as `fail` says."""
FEWEST: Final = 2
"""One score that fits the other form only may be a fault of its own."""


def settled(sight: Sight, work: Work) -> Sight:
    """Return the sight, with the other `fail` if scores contradict the declared one and none the other."""
    has_windows = len(sight.alpha) > 0 and len(sight.beta) > 0
    if not sight.fail_is_declared or sight.best_first or not has_windows:
        return sight
    rows = _misfits(sight, work)
    if len(rows) < FEWEST:
        return sight
    if np.isnan(sight.alpha[rows]).any() or np.isnan(sight.beta[rows]).any():
        return sight  # in a window that is not stated any score is possible
    turned = sight_of(sight.log)._replace(fail=SOFT + HARD - sight.fail)
    other = derive(turned, work)
    if len(_misfits(other, work)):
        return sight
    first = int(rows[np.argmin(sight.end[rows])])
    return other._replace(n_misdeclared=len(rows), misdeclared_row=first)


def _misfits(sight: Sight, work: Work) -> Rows:
    rules = {name: RULES[name] for name in OF_FAIL}
    asked = {name: rule for name, rule in rules.items() if rule.why_not is None or not rule.why_not(sight)}
    found = scan(sight, asked, Work(work.compiled))
    return np.unique(np.concatenate([np.zeros(0, np.int64), *found.values()]))
