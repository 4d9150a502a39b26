"""key-static: one key has one evaluation."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.digits import apart, shortened
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.analysis.check.finding import Figures, Severity
from plyscope.visualizer.analysis.check.passes.kernel_call import Work
from plyscope.visualizer.analysis.check.passes.key_pass import first_of_key, key_flags, text_of_key
from plyscope.visualizer.analysis.check.passes.same_key_kernels import MET_STATIC, OTHER_STATIC
from plyscope.visualizer.analysis.check.rule import Rule


def find(sight: Sight, work: Work) -> npt.NDArray[np.int64]:
    """The rows whose static is another than at the first row of their key."""
    return np.flatnonzero(key_flags(sight, work) & OTHER_STATIC)


def has_judged(sight: Sight, work: Work) -> bool:
    """Whether a key was met twice."""
    return bool((key_flags(sight, work) & MET_STATIC).any())


def figures(sight: Sight, row: int) -> Figures:
    """The static of the first row of the key, and that of this one."""
    first = first_of_key(sight, row, lambda rows: ~np.isnan(sight.static[rows]))
    expected, found = float(sight.static[first]), float(sight.static[row])
    number = int(sight.log.columns["id"][first])
    here, there = apart(found, expected)
    return Figures(
        expected=expected,
        found=found,
        message=(
            f"The evaluation is {here} here, but {there} at node {number}, which has the same key "
            f"{shortened(text_of_key(sight, row))}."
        ),
        involved=(first,),
    )


def severity_in(sight: Sight) -> Severity:
    """Wrong where the log declares that statics depend on the position alone."""
    return "wrong" if sight.static_pure else "odd"


_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 4, "key": "start", "children": [
   {"ply": "c6", "layer": "min", "score": 4, "key": "A", "static": 4},
   {"ply": "d3", "layer": "min", "score": 2, "key": "B", "static": 2},
   {"ply": "e6", "layer": "min", "score": 1, "key": "A", "static": 1}]}}
"""

RULE = Rule(
    name="key-static",
    severity="odd",
    reason="one key has one static (wrong where `static_pure` is declared)",
    has_judged=has_judged,
    unjudged="no key is met twice with a static",
    meaning=(
        "The same position is evaluated differently when it is reached another way. An evaluation may "
        "mean to (the last ply, the number of plies played), but then its scores do not belong into a "
        "table. Usually an incremental evaluation is not restored when a ply is taken back, or a phase "
        "or ply counter leaks in, or the key lacks what the evaluation looks at, such as castling rights. "
        "A lazy evaluation that stops early where it is far from the window is none of these: log it "
        "under a name of its own. Evaluate both positions from scratch and compare."
    ),
    needs=("key", "static"),
    example=_EXAMPLE,
    find=find,
    figures=figures,
    severity_in=severity_in,
)
