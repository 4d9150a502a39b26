"""Rule `maxn`: where each player has a score, each takes the child that is best in its own."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import visits_with
from plyscope.visualizer.analysis.check.facts.judged import reason_if_averaged
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claims import is_close
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.mean import has_all_children
from plyscope.visualizer.analysis.columns.row import (
    cut_by_of,
    is_finished,
    lacks_stand_pat,
    player_of,
    taken_of,
    tt_use_of,
    unsearched_best,
)
from plyscope.visualizer.analysis.columns.sight import COUNTED, TT_NARROW, Sight
from plyscope.visualizer.analysis.columns.value_kernels import is_of_plies
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words

# Faults of a node.
NOTHING: Final = 0
SCORE: Final = 1
"""The score is not the root player's component of the node's own vector."""
CHOICE: Final = 2
"""Some child is better for the mover, or none is as good."""
VECTOR: Final = 3
"""No child that is best for the mover has this vector."""


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the vector of a node is not its mover's choice, or the score not a component of it."""
    return verdict(sight, row) != NOTHING


@kernel
def verdict(sight: Sight, row: int) -> int:
    """The fault of a node: NOTHING, SCORE, CHOICE or VECTOR; a cause goes before its consequences."""
    if is_chosen(sight, row):
        mover = player_of(sight, row)
        if not is_close(sight.scores[row, mover], best_component(sight, row, mover), sight.tolerance):
            return CHOICE
        if not has_vector(sight, row):
            return VECTOR
    if has_component(sight, row):
        component = sight.scores[row, root_player(sight)]
        return NOTHING if is_close(component, sight.score[row], sight.tolerance) else SCORE
    return NOTHING


@kernel
def root_player(sight: Sight) -> int:
    """The player whose component the scores are: as declared, else who moves at a root; -1 where unknown."""
    player = sight.root_player if sight.root_player >= 0 else player_of(sight, sight.roots[0])
    return int(player) if player < sight.scores.shape[1] else -1


@kernel
def has_component(sight: Sight, row: int) -> bool:
    """Whether a finished node states both a vector and a score, seen by a known root player."""
    if sight.scores.shape[1] < 2 or root_player(sight) < 0 or sight.score[row] != sight.score[row]:
        return False
    is_whole = sight.bound[row] == 0 or sight.bound[row] == words.EXACT
    return is_whole and is_finished(sight, row) and knows_vector(sight, row)


@kernel
def knows_vector(sight: Sight, row: int) -> bool:
    """Whether the row states a score for each player."""
    for player in range(sight.scores.shape[1]):
        if sight.scores[row, player] != sight.scores[row, player]:
            return False
    return True


@kernel
def is_chosen(sight: Sight, row: int) -> bool:
    """Whether the vector of the row should be that of a child, all of them known: not at paranoid nodes."""
    mover, n_players = player_of(sight, row), sight.scores.shape[1]
    if n_players < 2 or mover < 0 or mover >= n_players or sight.end[row] == row + 1:
        return False
    layer = sight.layer[row]
    if layer == words.CHANCE or (layer == words.MIN and n_players > 2 and not sight.is_maxn):
        return False
    is_whole = sight.bound[row] == 0 or sight.bound[row] == words.EXACT
    is_cut = sight.outcome[row] == words.CUTOFF or cut_by_of(sight, row) > 0 or not is_whole
    if is_cut or not is_of_plies(sight, row) or tt_use_of(sight, row) == TT_NARROW:
        return False
    stand = unsearched_best(sight, row, 1.0)
    if stand == stand or lacks_stand_pat(sight, row) or not knows_vector(sight, row):
        return False
    if not has_all_children(sight, row):
        return False
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED and not is_vector(sight, child):
            return False
        child = int(sight.end[child])
    return True


@kernel
def is_vector(sight: Sight, row: int) -> bool:
    """Whether a visit has a vector that its parent took unchanged: no bound, nothing added on the way up."""
    is_whole = sight.bound[row] == 0 or sight.bound[row] == words.EXACT
    is_moved = taken_of(sight, row) != sight.score[row]
    return is_whole and not is_moved and sight.outcome[row] != words.CUTOFF and knows_vector(sight, row)


@kernel
def best_component(sight: Sight, row: int, mover: int) -> float:
    """The most that a child which counts gives the mover."""
    best = -np.inf
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            best = max(best, float(sight.scores[child, mover]))
        child = int(sight.end[child])
    return best


@kernel
def has_vector(sight: Sight, row: int) -> bool:
    """Whether one of the children that are best for the mover has the node's vector."""
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED and is_same_vector(sight, row, child):
            return True  # its own component is the best, so the child's is
        child = int(sight.end[child])
    return False


@kernel
def is_same_vector(sight: Sight, row: int, other: int) -> bool:
    """Whether two rows state the same scores, rounding aside."""
    for player in range(sight.scores.shape[1]):
        if not is_close(sight.scores[row, player], sight.scores[other, player], sight.tolerance):
            return False
    return True


def _figures(sight: Sight, row: int) -> Figures:
    vector = [float(number) for number in sight.scores[row]]
    what = verdict(sight, row)
    mover = int(player_of(sight, row))
    if what == SCORE:
        expected, found = vector[root_player(sight)], float(sight.score[row])
        asked, returned = apart(expected, found)
        name = _name(sight, root_player(sight))
        message = f"In its own scores {name} has {asked}, but the score of the node is {returned}."
        return Figures(expected, found, message)
    best = float(best_component(sight, row, mover))
    children = [
        child
        for child in visits_with(sight, row, None, COUNTED)
        if is_close(float(sight.scores[child, mover]), best, sight.tolerance)
    ]
    name = _name(sight, mover)
    if what == CHOICE:
        most, returned = apart(best, vector[mover])
        message = f"{name} moves here and gets {most} from its best child, but the node returned {returned}."
        return Figures(best, vector[mover], message, tuple(children))
    vectors = [[float(number) for number in sight.scores[child]] for child in children]
    shown = " or ".join(_text(each) for each in vectors[:3])
    message = f"The children that are best for {name} have {shown}, but the node returned {_text(vector)}."
    return Figures(vectors, vector, message, tuple(children))


def _name(sight: Sight, player: int) -> str:
    names = sight.log.players
    return names[player] if player < len(names) else f"player {player + 1}"


def _text(vector: list[float]) -> str:
    return f"[{', '.join(apart(*vector))}]"


def _has_judged(sight: Sight, work: Work) -> bool:
    return sight.scores.shape[1] >= 2 and bool(work.run(any_judged)(sight))


@kernel
def any_judged(sight: Sight) -> bool:
    """Whether some row can be judged."""
    row, n_rows = 0, len(sight.parent)
    while row < n_rows and not has_component(sight, row) and not is_chosen(sight, row):
        row += 1
    return row < n_rows


def _reason_if_ranked_or_averaged(sight: Sight) -> str | None:
    """The reason why the vectors do not decide; None where they may."""
    if sight.log.search.get("algorithm") == "ranked":
        return "the search plays the best rank, not the best of its own `scores`"
    return reason_if_averaged(sight)


RULE = Rule(
    "maxn",
    "wrong",
    ("scores",),
    _figures,
    has_judged=_has_judged,
    violates=violates,
    why_not=_reason_if_ranked_or_averaged,
)
