"""Rule `reduced-unverified`: a reduced visit that beats its window is verified at full depth."""

from __future__ import annotations

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, visits, where_finished
from plyscope.visualizer.analysis.check.facts.reasons import best_first
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    is_aside,
    is_finished,
    purpose_of,
    reduction_of,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import REDUCED_MORE, VERIFIED, Sight
from plyscope.visualizer.analysis.columns.windows import improves
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


@kernel
def violates(sight: Sight, row: int) -> bool:
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


def figures(sight: Sight, row: int) -> Figures:
    """A deeper visit beside the score of the reduced one."""
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


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_reduced = codes(sight.reduction, rows) > 0
    return where_finished(sight, rows) & visits(sight, rows) & is_reduced


RULE = Rule(
    "reduced-unverified",
    "wrong",
    ("reduction", "alpha", "beta", "score"),
    figures,
    judged=judged,
    violates=violates,
    why_not=reason_against,
)
