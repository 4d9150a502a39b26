"""Rule `declared-fail`: scores leave their windows, or do not, as the header declares."""

from __future__ import annotations

import numpy as np

from plyscope.visualizer.analysis.check.facts.masks import Rows
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight


def find(sight: Sight, work: Work) -> Rows:
    """The first node that shows it, if scores contradict the declared form and all fit the other."""
    return np.array([sight.misdeclared_row] if sight.n_misdeclared else [], np.int64)


def figures(sight: Sight, row: int) -> Figures:
    """The form that all scores have, beside the declared one."""
    found, declared = ("hard", "soft") if sight.fail == HARD else ("soft", "hard")
    n = sight.n_misdeclared
    message = (
        f"Every score fits fail-{found}, but {n:,} of them do not fit `fail: {declared}`, which the header "
        f"declares: the log is judged as fail-{found}."
    )
    return Figures(found, declared, message)


def has_judged(sight: Sight, work: Work) -> bool:
    """Whether the header declares one."""
    return bool(sight.fail_is_declared) and not sight.best_first


RULE = Rule("declared-fail", "wrong", ("fail", "score"), figures, has_judged=has_judged, find=find)
