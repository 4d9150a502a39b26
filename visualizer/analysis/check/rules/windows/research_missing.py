"""Rule `research-missing`: a scout that beats its window and lies inside the node's is searched again."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import (
    Mask,
    codes,
    where_finished,
    where_window_known,
)
from plyscope.visualizer.analysis.check.facts.proofs import is_proven
from plyscope.visualizer.analysis.check.facts.reasons import reason_if_unordered
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    is_finished,
    narrowed_alpha,
    narrowed_beta,
    purpose_of,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import REVISITED, Sight
from plyscope.visualizer.analysis.columns.windows import improves, mate_edges
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a scout's score lies between its own edge and the node's, and no further visit follows."""
    parent = int(sight.parent[row])
    if purpose_of(sight, row) != words.SCOUT or parent < 0 or sight.marks[row] & REVISITED:
        return False
    if not is_finished(sight, row) or not is_finished(sight, parent):
        return False
    score = float(sight.score[row])
    if is_proven(sight, row) or sight.score[parent] != sight.score[parent]:
        return False
    least, most = mate_edges(sight, row)
    low, high = narrowed_alpha(sight, parent), narrowed_beta(sight, parent)
    taken = taken_of(sight, row)
    if taken != score and not improves(sight, row, taken):
        return False
    if sight.layer[parent] == words.MAX:
        return bool(beta_of(sight, row) <= score < most and taken < high)
    return bool(sight.layer[parent] == words.MIN and alpha_of(sight, row) >= score > least and taken > low)


def figures(sight: Sight, row: int) -> Figures:
    """A further visit beside the scout's score."""
    parent = int(sight.parent[row])
    maximizes = sight.layer[parent] == words.MAX
    edge = float(beta_of(sight, row) if maximizes else alpha_of(sight, row))
    score = float(sight.score[row])
    side = "least" if maximizes else "most"
    returned, beaten = apart(score, edge)
    return Figures(
        "a re-search",
        score,
        f"The scout returned {returned}, at {side} its edge {beaten}, and was not searched again.",
        (parent,),
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_scout = codes(sight.purpose, rows) == words.SCOUT
    return np.asarray(where_finished(sight, rows) & is_scout & where_window_known(sight, rows))


RULE = Rule(
    "research-missing",
    "wrong",
    ("purpose", "alpha", "beta", "score"),
    figures,
    judged=judged,
    violates=violates,
    why_not=reason_if_unordered,
)
