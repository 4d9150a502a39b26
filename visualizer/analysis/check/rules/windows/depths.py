"""Rules of depths and re-searches: the depth of a ply's search, and the results of its visits."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import visits_of_ply
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    best_first,
    best_first_averages,
    coded,
    known,
    marked,
    other_than,
    positive,
    reason_if_unordered,
    sees_in_two_ways,
    stated,
    visits,
    where_finished,
    where_window_known,
)
from plyscope.visualizer.analysis.check.facts.proofs import is_proven
from plyscope.visualizer.analysis.check.rule import Figures, Rule, rows_marked
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    depth_of,
    extension_of,
    is_aside,
    is_finished,
    is_quiescence,
    is_stub,
    narrowed_alpha,
    narrowed_beta,
    purpose_of,
    reduction_of,
    score_as_taken,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import (
    CLAIMED,
    COUNTED,
    DISAGREES,
    REDUCED_MORE,
    REVISITED,
    VERIFIED,
    Sight,
)
from plyscope.visualizer.analysis.columns.windows import improves, mate_edges
from plyscope.visualizer.analysis.nodes.digits import apart, intervals
from plyscope.visualizer.store import words


@kernel
def expected_depth(sight: Sight, row: int) -> float:
    """The depth that follows from the parent's."""
    return depth_of(sight, int(sight.parent[row])) - 1.0 - reduction_of(sight, row) + extension_of(sight, row)


@kernel
def violates_depth_step(sight: Sight, row: int) -> bool:
    """Whether the depth differs from the one that follows from the parent's."""
    parent = int(sight.parent[row])
    if parent < 0:
        return False
    if not abs(expected_depth(sight, row) - depth_of(sight, row)) > 1e-9:
        return False  # asked first, as it nearly always ends here
    if is_stub(sight, row) or is_aside(sight, row):
        return False
    if is_quiescence(sight, row) or is_quiescence(sight, parent):
        return False
    if sight.layer[row] == words.CHANCE or sight.layer[parent] == words.CHANCE:
        return False  # either side of a roll may take the depth
    return not depth_of(sight, parent) <= 0.0


def _figures_of_depth_step(sight: Sight, row: int) -> Figures:
    parent = int(sight.parent[row])
    expected, found = float(expected_depth(sight, row)), float(sight.depth[row])
    above = float(sight.depth[parent])
    parents, next_one, stated = apart(above, expected, found)
    message = f"Below a depth of {parents}, with its reduction and extension, comes {next_one}, not {stated}."
    return Figures(expected, found, message, (parent,))


def is_below_depth(sight: Sight, rows: slice) -> Mask:
    """Rows whose parent had depth left, and is no chance node."""
    above = sight.parent[rows]
    return np.asarray((sight.depth[above] > 0) & (sight.layer[above] != words.CHANCE))


DEPTH_STEP_RULE = Rule(
    "depth-step",
    "odd",
    ("depth",),
    _figures_of_depth_step,
    judged=(
        visits,
        known("depth"),
        other_than("quiescence", 1),
        other_than("layer", words.CHANCE),
        is_below_depth,
    ),
    violates=violates_depth_step,
)


@kernel
def violates_reduced_unverified(sight: Sight, row: int) -> bool:
    """Whether a visit reduced more than its node beats its window, and no less reduced one follows."""
    if sight.marks[row] & (REDUCED_MORE | VERIFIED) != REDUCED_MORE or not reduction_of(sight, row) > 0:
        return False
    parent = int(sight.parent[row])
    if parent < 0 or is_aside(sight, row):
        return False
    if not is_finished(sight, row) or not is_finished(sight, parent):
        return False
    if sight.score[parent] != sight.score[parent]:
        return False
    score = float(sight.score[row])
    taken = taken_of(sight, row)
    if taken != score and not improves(sight, row, taken):
        return False
    is_scout = purpose_of(sight, row) == words.SCOUT
    beats = False
    if sight.layer[parent] == words.MAX:
        beats = score >= beta_of(sight, row) if is_scout else score > alpha_of(sight, row)
    elif sight.layer[parent] == words.MIN:
        beats = score <= alpha_of(sight, row) if is_scout else score < beta_of(sight, row)
    return beats


def _figures_of_reduced_unverified(sight: Sight, row: int) -> Figures:
    parent = int(sight.parent[row])
    score = float(sight.score[row])
    edge = float(alpha_of(sight, row) if sight.layer[parent] == words.MAX else beta_of(sight, row))
    plies = float(reduction_of(sight, row))
    returned, beaten = apart(score, edge)
    (less,) = apart(plies)
    message = (
        f"Searched {less} less deep, it returned {returned}, better than {beaten}, and was not verified."
    )
    return Figures("a visit at full depth", score, message, (parent,))


def reason_against(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    return best_first(sight) if sight.verifies else "`search.verify` is false: late plies cost more by design"


REDUCED_UNVERIFIED_RULE = Rule(
    "reduced-unverified",
    "wrong",
    ("reduction", "alpha", "beta", "score"),
    _figures_of_reduced_unverified,
    judged=(where_finished, visits, positive("reduction")),
    violates=violates_reduced_unverified,
    why_not=reason_against,
)


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
