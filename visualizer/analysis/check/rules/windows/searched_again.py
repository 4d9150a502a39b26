"""Rules `research-missing` and `research-disagrees`: several visits of one ply."""

from __future__ import annotations

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import visits_of_ply
from plyscope.visualizer.analysis.check.facts.masks import (
    coded,
    marked,
    sees_in_two_ways,
    stated,
    where_finished,
    where_window_known,
)
from plyscope.visualizer.analysis.check.facts.proofs import is_proven
from plyscope.visualizer.analysis.check.facts.reasons import best_first_averages, reason_if_unordered
from plyscope.visualizer.analysis.check.rule import Figures, Rule, rows_marked
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    is_finished,
    narrowed_alpha,
    narrowed_beta,
    purpose_of,
    score_as_taken,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import CLAIMED, COUNTED, DISAGREES, REVISITED, Sight
from plyscope.visualizer.analysis.columns.windows import improves, mate_edges
from plyscope.visualizer.analysis.nodes.digits import apart, intervals
from plyscope.visualizer.store import words


@kernel
def violates_research_missing(sight: Sight, row: int) -> bool:
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


def _figures_of_research_missing(sight: Sight, row: int) -> Figures:
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


RESEARCH_MISSING_RULE = Rule(
    "research-missing",
    "wrong",
    ("purpose", "alpha", "beta", "score"),
    _figures_of_research_missing,
    judged=(where_finished, coded("purpose", words.SCOUT), where_window_known),
    violates=violates_research_missing,
    why_not=reason_if_unordered,
)


def _figures_of_research_disagrees(sight: Sight, row: int) -> Figures:
    earlier = [visit for visit in visits_of_ply(sight, row) if visit < row and sight.marks[visit] & COUNTED]
    before = earlier[-1] if earlier else row
    expected, found = claim_taken(sight, before), claim_taken(sight, row)
    first, second = intervals(expected, found)
    return Figures(
        expected,
        found,
        f"An earlier visit of this ply claims {first}, this one {second}.",
        tuple(earlier),
    )


def claim_taken(sight: Sight, row: int) -> tuple[float, float]:
    """The claim of a visit as its parent saw it."""
    low, high = claim_of(sight, row)
    return float(score_as_taken(sight, row, low)), float(score_as_taken(sight, row, high))


RESEARCH_DISAGREES_RULE = Rule(
    "research-disagrees",
    "wrong",
    ("bound|alpha", "bound|beta"),
    _figures_of_research_disagrees,
    judged=(stated("before"), marked(CLAIMED)),
    find=rows_marked(DISAGREES),
    is_odd=sees_in_two_ways,
    why_not=best_first_averages,
)
