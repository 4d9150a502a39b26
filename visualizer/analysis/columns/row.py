"""Fields of a row, with the default if the log does not state one: kernels over a `Sight`."""

from __future__ import annotations

import math

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.sight import TT_NARROW, Sight
from plyscope.visualizer.store import words

CUT = words.TT_USES.index("cut")
NO_SOURCE = -1
"""In place of the row that stored an entry: the log does not say which."""


@kernel
def is_stub(sight: Sight, row: int) -> bool:
    """Whether the row stands for siblings without rows."""
    return bool(sight.outcome[row] >= words.FIRST_STUB)


@kernel
def is_finished(sight: Sight, row: int) -> bool:
    """Whether the row is a node that was left with a result: neither stub, nor stopped, nor open."""
    outcome = sight.outcome[row]
    return bool(outcome < words.FIRST_STUB and outcome != words.STOPPED and outcome != words.OPEN)


@kernel
def purpose_of(sight: Sight, row: int) -> int:
    """The code of the purpose, 0 where unstated."""
    return int(sight.purpose[row]) if len(sight.purpose) > 0 else 0


@kernel
def is_aside(sight: Sight, row: int) -> bool:
    """Whether the row is a null-move or probing visit, which never counts in its parent."""
    purpose = purpose_of(sight, row)
    return purpose == words.NULL or purpose == words.PROBE


@kernel
def cut_by_of(sight: Sight, row: int) -> int:
    """Return the code of what cut the node off, 0 if unstated."""
    return int(sight.cut_by[row]) if len(sight.cut_by) > 0 else 0


@kernel
def player_of(sight: Sight, row: int) -> int:
    """The index of the player to move, -1 where unstated."""
    return int(sight.player[row]) if len(sight.player) > 0 else -1


@kernel
def depth_of(sight: Sight, row: int) -> float:
    """The depth, NaN where unstated."""
    return float(sight.depth[row]) if len(sight.depth) > 0 else math.nan


@kernel
def reduction_of(sight: Sight, row: int) -> float:
    """The plies by which the visit was reduced, 0 where unstated."""
    if len(sight.reduction) > 0 and sight.reduction[row] == sight.reduction[row]:
        return float(sight.reduction[row])
    return 0.0


@kernel
def extension_of(sight: Sight, row: int) -> float:
    """The plies by which the visit was extended, 0 where unstated."""
    if len(sight.extension) > 0 and sight.extension[row] == sight.extension[row]:
        return float(sight.extension[row])
    return 0.0


@kernel
def alpha_of(sight: Sight, row: int) -> float:
    """Alpha on entry, NaN where unstated."""
    return float(sight.alpha[row]) if len(sight.alpha) > 0 else math.nan


@kernel
def beta_of(sight: Sight, row: int) -> float:
    """Beta on entry, NaN where unstated."""
    return float(sight.beta[row]) if len(sight.beta) > 0 else math.nan


@kernel
def static_of(sight: Sight, row: int) -> float:
    """The static evaluation, NaN where unstated."""
    return float(sight.static[row]) if len(sight.static) > 0 else math.nan


@kernel
def pre_score_of(sight: Sight, row: int) -> float:
    """The quick score for sorting, NaN where unstated."""
    return float(sight.pre_score[row]) if len(sight.pre_score) > 0 else math.nan


@kernel
def stand_pat_of(sight: Sight, row: int) -> float:
    """The value of not moving, NaN where unstated."""
    return float(sight.stand_pat[row]) if len(sight.stand_pat) > 0 else math.nan


@kernel
def estimate_of(sight: Sight, row: int) -> float:
    """Return the estimate of plies that were not searched, NaN if unstated."""
    return float(sight.estimate[row]) if len(sight.estimate) > 0 else math.nan


@kernel
def unsearched_best(sight: Sight, row: int, sign: float) -> float:
    """The better of standing pat and the estimate, times `sign`: 1 at `max`, -1 at `min`; NaN for neither."""
    stand, estimate = sign * stand_pat_of(sight, row), sign * estimate_of(sight, row)
    return estimate if estimate > stand or stand != stand else stand


@kernel
def taken_of(sight: Sight, row: int) -> float:
    """Return the number that the parent took for this visit: `counted_as`, else its score."""
    if len(sight.counted_as) > 0 and sight.counted_as[row] == sight.counted_as[row]:
        return float(sight.counted_as[row])
    return float(sight.score[row])


@kernel
def score_as_taken(sight: Sight, row: int, number: float) -> float:
    """Return a number of this visit as its parent saw it: moved by the difference of `counted_as` and score.

    An end of the declared range does not move, since it stands for an open side of a claim.
    """
    if len(sight.counted_as) == 0 or sight.counted_as[row] != sight.counted_as[row]:
        return number
    taken, score = float(sight.counted_as[row]), float(sight.score[row])
    if number == score:
        return taken
    is_end = number == sight.range_low or number == sight.range_high
    return number if is_end else number + (taken - score)


@kernel
def moves_of(sight: Sight, row: int) -> int:
    """Legal plies, -1 where unstated."""
    return int(sight.moves[row]) if len(sight.moves) > 0 else -1


@kernel
def count_of(sight: Sight, row: int) -> int:
    """The siblings that a stub stands for, -1 where unstated."""
    return int(sight.count[row]) if len(sight.count) > 0 else -1


@kernel
def is_quiescence(sight: Sight, row: int) -> bool:
    """Whether the node is in the quiescence search."""
    return bool(len(sight.quiescence) > 0 and sight.quiescence[row] == 1)


@kernel
def kind_of_fail(sight: Sight, row: int, fails_high: bool) -> int:
    """Return 0 for a node that fails low and 1 for one that fails high, in quiescence 2 and 3.

    The two are often functions of their own, one fail-hard and one fail-soft.
    """
    return 2 * int(is_quiescence(sight, row)) + int(fails_high)


@kernel
def lacks_stand_pat(sight: Sight, row: int) -> bool:
    """Whether the mover may have stood pat here in a log that never says so."""
    return len(sight.stand_pat) == 0 and (is_quiescence(sight, row) or depth_of(sight, row) <= 0.0)


@kernel
def tt_use_of(sight: Sight, row: int) -> int:
    """The code of the use of a table entry, 0 where there was none."""
    return int(sight.tt_use[row]) if len(sight.tt_use) > 0 else 0


@kernel
def is_cut(sight: Sight, row: int) -> bool:
    """Whether an entry stood in for searching the node."""
    use = tt_use_of(sight, row)
    return bool(use == CUT or (use == 0 and sight.outcome[row] == words.TT))


@kernel
def is_used(sight: Sight, row: int) -> bool:
    """Whether an entry's score was used: it cut or narrowed the window, and did not only order the plies."""
    return is_cut(sight, row) or tt_use_of(sight, row) == TT_NARROW


@kernel
def source_of(sight: Sight, row: int) -> int:
    """Return the row that stored the entry, -1 if it is not stated, -2 if it is not in the log."""
    return int(sight.tt_from[row]) if len(sight.tt_from) > 0 else -1


@kernel
def entry_low(sight: Sight, row: int) -> float:
    """Return the least score that the table entry which narrowed this visit claims, -inf if none did."""
    if tt_use_of(sight, row) == TT_NARROW and len(sight.tt_score) > 0 and len(sight.tt_bound) > 0:
        score = float(sight.tt_score[row])
        if sight.tt_bound[row] & words.LOWER and score == score:
            return score
    return -math.inf


@kernel
def entry_high(sight: Sight, row: int) -> float:
    """Return the greatest score that the table entry which narrowed this visit claims, inf if none did."""
    if tt_use_of(sight, row) == TT_NARROW and len(sight.tt_score) > 0 and len(sight.tt_bound) > 0:
        score = float(sight.tt_score[row])
        if sight.tt_bound[row] & words.UPPER and score == score:
            return score
    return math.inf


@kernel
def narrowed_alpha(sight: Sight, row: int) -> float:
    """Alpha after the table entry that narrowed the visit; NaN where the window is unstated."""
    alpha = alpha_of(sight, row)
    low = entry_low(sight, row)
    return low if low > alpha else alpha


@kernel
def narrowed_beta(sight: Sight, row: int) -> float:
    """Beta after the table entry that narrowed the visit; NaN where the window is unstated."""
    beta = beta_of(sight, row)
    high = entry_high(sight, row)
    return high if high < beta else beta


@kernel
def fold_of(sight: Sight, row: int) -> tuple[float, float]:
    """Return the fold of the claims below a row; NaN where it is not asked."""
    place = sight.fold_at[row]
    return float(sight.fold_lows[place]), float(sight.fold_highs[place])


@kernel
def best_child_of(sight: Sight, row: int) -> float:
    """Return the best of counted children, stand pat and the estimate, NaN where a part of it is unknown."""
    return float(sight.fold_bests[sight.fold_at[row]])


@kernel
def stub_slice(sight: Sight, row: int) -> tuple[int, int]:
    """Return the begin and end of a stub's plies in `stub_plies`; both 0 if it lists none."""
    first, last = 0, len(sight.stub_rows)
    while first < last:
        middle = (first + last) // 2
        if sight.stub_rows[middle] < row:
            first = middle + 1
        else:
            last = middle
    if first == len(sight.stub_rows) or sight.stub_rows[first] != row:
        return 0, 0
    return int(sight.stub_starts[first]), int(sight.stub_starts[first + 1])


@kernel
def is_in_check(sight: Sight, row: int) -> bool:
    """Whether the mover is said to be in check."""
    return bool(len(sight.in_check) > 0 and sight.in_check[row] == 1)
