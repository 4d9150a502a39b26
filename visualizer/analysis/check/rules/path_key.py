"""path-key: the same plies lead to the same key."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.children import visits_of
from plyscope.visualizer.analysis.check.facts.digits import shortened
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.analysis.check.finding import Figures
from plyscope.visualizer.analysis.check.passes.kernel_call import Work
from plyscope.visualizer.analysis.check.passes.key_pass import path_flags, text_of_key
from plyscope.visualizer.analysis.check.passes.same_path_kernels import MET_KEY, OTHER_KEY
from plyscope.visualizer.analysis.check.rule import Rule
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.tree import Tree


def find(sight: Sight, work: Work) -> npt.NDArray[np.int64]:
    """The rows whose key is another than at the first visit by the same plies from a root."""
    return np.flatnonzero(path_flags(sight, work) & OTHER_KEY)


def has_judged(sight: Sight, work: Work) -> bool:
    """Whether a path was walked twice."""
    return bool((path_flags(sight, work) & MET_KEY).any())


def _first_visit(sight: Sight, row: int) -> int:
    """The first row with a key that the same plies from a root lead to."""
    plies = [int(sight.ply[each]) for each in Tree(sight.log).path(row)]
    rows = [int(root) for root in sight.roots if sight.ply[root] == plies[0]]
    for ply in plies[1:]:
        rows = [child for each in rows for child in visits_of(sight, each, ply)]
    return next(each for each in sorted(rows) if sight.given[each] & GIVEN["key"])


def figures(sight: Sight, row: int) -> Figures:
    """The key of the first visit, and that of this one."""
    first = _first_visit(sight, row)
    there, here = text_of_key(sight, first), text_of_key(sight, row)
    expected, found = shortened(there, here), shortened(here, there)
    number = int(sight.log.columns["id"][first])
    return Figures(
        expected=expected,
        found=found,
        message=f"The key here is {found}, but the same plies led to {expected} at node {number}.",
        involved=(first,),
    )


_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 4, "key": "start", "children": [
   {"ply": "c6", "layer": "min", "score": 4, "key": "A", "purpose": "full"},
   {"ply": "d3", "layer": "min", "score": 5, "key": "B", "purpose": "scout"},
   {"ply": "d3", "layer": "min", "score": 3, "key": "C", "purpose": "research"}]}}
"""

RULE = Rule(
    name="path-key",
    severity="wrong",
    reason="the same plies from the root lead to the same key",
    has_judged=has_judged,
    unjudged="no path of plies is met twice with a key",
    meaning=(
        "The same line was visited twice and had another key the second time. Usually the key is "
        "updated ply by ply and not restored when one is taken back, so that it drifts away from the "
        "board; sometimes the board itself drifts. Compute the key from scratch at every node in a "
        "debug build, and stop at the first that differs."
    ),
    needs=("key", "ply"),
    example=_EXAMPLE,
    find=find,
    figures=figures,
)
