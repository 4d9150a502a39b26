"""Rule `declared-fail`: scores leave their windows, or do not, as the header declares."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight


def find(sight: Sight, work: Work) -> npt.NDArray[np.int64]:
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


_EXAMPLE: Final = """
{"plyscope": 1,
 "search": {"fail": "soft"},
 "root": {"layer": "max", "score": 4, "alpha": null, "beta": null, "children": [
   {"ply": "a", "layer": "min", "score": 4, "static": 4, "alpha": null, "beta": null, "outcome": "leaf"},
   {"ply": "b", "layer": "min", "score": 4, "static": -9, "alpha": 4, "beta": null, "outcome": "leaf"},
   {"ply": "c", "layer": "min", "score": 4, "static": 1, "alpha": 4, "beta": null, "outcome": "leaf"}]}}
"""

RULE = Rule(
    name="declared-fail",
    severity="wrong",
    reason="scores leave their windows, or do not, as `search.fail` declares",
    has_judged=has_judged,
    unjudged="no `search.fail` is declared",
    meaning=(
        "The header says `fail: soft` and no score lies outside its window although the evaluations below "
        "do, or it says `hard` and scores do: every score fits the other form. Most often the header is "
        "wrong. If it is right, the loop clamps its result, as by `return alpha` at its end, or does not. "
        "It is said once, and the other rules judge the log as what its scores are."
    ),
    needs=("fail", "score"),
    example=_EXAMPLE,
    find=find,
    figures=figures,
)
