"""The plan of a fold: how each row folds, decided once a log and used for any weights.

A leaf moves by the change of each weight times its value; a finished game stays; a table row takes the
interval of the node that stored the entry; a node takes the best of its counted plies. Unsearched plies open
the mover's side, plies searched and not recorded open both.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.claim_fold import group_of
from plyscope.visualizer.analysis.columns.claims import (
    claim_of,
    is_close,
    is_own_static,
    sum_of_terms,
    worth_of,
)
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.mean import has_whole_priors
from plyscope.visualizer.analysis.columns.row import (
    cut_by_of,
    depth_of,
    estimate_of,
    is_aside,
    is_cut,
    is_finished,
    is_quiescence,
    is_stub,
    lacks_stand_pat,
    moves_of,
    purpose_of,
    source_of,
    static_of,
    taken_of,
    tt_use_of,
    unsearched_best,
)
from plyscope.visualizer.analysis.columns.sight import COUNTED, TT_NARROW, Array, Sight
from plyscope.visualizer.store import words

# Kinds of rows.
STUB: Final = 0
"""Stands for plies without rows; has no interval of its own."""
VALUE: Final = 1
"""From `base` to `top`: a leaf, a finished game, a worth that the log does not tell."""
TABLE: Final = 2
"""The interval of the row that stored the entry."""
BEST: Final = 3
"""The largest of its plies: a `max` layer."""
WORST: Final = 4
"""The smallest of its plies: a `min` layer."""
MEAN: Final = 5
"""The mean of its children by their priors."""

# Flags of rows.
MOVES: Final = 1
"""Its base moves with the weights: the row states factors."""
OPENS_MOVER: Final = 2
"""Plies of the mover were not searched."""
OPENS_BOTH: Final = 4
"""Plies were searched, and their worth is not in the log."""
COUNTS: Final = 8
"""Its interval is a ply's of its parent; of several visits of one ply the last, which holds the others."""
NARROWED: Final = 16
"""A table entry whose source is in the log narrowed it."""
DROPS: Final = 32
"""Plies were dropped by the branching limit or by forward pruning."""
HELD: Final = 64
"""A later row takes its interval: as the source of an entry, or as an earlier visit of the same ply."""
UNFINISHED: Final = 128
"""A ply that was stopped, or never left."""

_CUT_BY_NULL: Final = words.CUT_BY.index("null")
_CUT_BY_ESTIMATE: Final = words.CUT_BY.index("estimate")
_INFINITY: Final = math.inf
_UNKNOWN: Final = math.nan


class Plan(NamedTuple):
    """The fold of each row, in arrays of one entry a row. Those that no row of the log needs are empty."""

    end: Array
    parent: Array
    kind: Array
    flags: Array
    base: Array
    """The least of a VALUE; the better of stand pat and estimate of a fold, NaN where there is neither."""
    top: Array
    """The most of a VALUE where that is not its least."""
    source: Array
    """The row that stored the entry, -1 where it is not in the log."""
    shift: Array
    """The plies by which a win is later here than at `source`."""
    earlier: Array
    """The counted visit of the same ply before this one, -1 where there is none."""
    counted: Array
    """The score that the parent took less the row's own."""
    prior: Array
    factors: Array
    """Two-dimensional: the value of each factor, NaN where the row does not state it."""
    mate_from: float
    """Scores from here on are wins by distance; NaN where none is declared."""
    range_low: float
    range_high: float
    n_levels: int


class Room(NamedTuple):
    """Room for the plies below one node; see `folding.Groups`."""

    slot: Array
    stamp: Array
    last: Array
    """By number of the ply below one node: its last counted visit."""


def plan_of(sight: Sight, work: Work) -> Plan:
    """The plan of a log; `sight` is derived."""
    n_rows = sight.n_rows
    n_texts = len(sight.log.texts)
    columns = sight.log.columns
    threshold = sight.mate_threshold if sight.mate_threshold == sight.mate_threshold else sight.mate / 2
    uses_table = "tt_use" in columns or bool((columns["outcome"] == words.TT).any())
    shifts = uses_table and sight.mate_step == sight.mate_step and threshold == threshold
    plan = Plan(
        end=sight.end,
        parent=sight.parent,
        kind=np.zeros(n_rows, np.uint8),
        flags=np.zeros(n_rows, np.uint8),
        base=np.full(n_rows, _UNKNOWN),
        top=np.full(n_rows, _UNKNOWN),
        source=np.full(n_rows if uses_table else 0, -1, np.int32),
        shift=np.zeros(n_rows if shifts else 0),
        earlier=np.full(n_rows, -1, np.int32),
        counted=np.zeros(n_rows if len(sight.counted_as) else 0),
        prior=sight.prior,
        factors=sight.factors,
        mate_from=float(threshold),
        range_low=float(sight.range_low) if sight.range_low == sight.range_low else -_INFINITY,
        range_high=float(sight.range_high) if sight.range_high == sight.range_high else _INFINITY,
        n_levels=int(sight.level.max(initial=0)) + 1,
    )
    room = Room(
        slot=np.zeros(n_texts, np.int64),
        stamp=np.full(n_texts, -1, np.int64),
        last=np.zeros(sight.fan_out, np.int64),
    )
    work.run(plan_rows)(sight, plan, room)
    none = np.zeros(0)
    if not (plan.top == plan.top).any():
        plan = plan._replace(top=none)
    if not (plan.earlier >= 0).any():
        plan = plan._replace(earlier=none.astype(np.int32))
    return plan


@kernel
def plan_rows(sight: Sight, plan: Plan, room: Room) -> None:
    """Fill the plan of all rows."""
    for row in range(len(sight.parent)):
        if is_stub(sight, row):
            continue
        if is_cut(sight, row):
            plan_table(sight, plan, row)
        elif sight.outcome[row] == words.TERMINAL:
            plan_ending(sight, plan, row)
        elif sight.outcome[row] == words.LEAF or (sight.outcome[row] == 0 and sight.end[row] == row + 1):
            plan_leaf(sight, plan, row)
        else:
            plan_fold(sight, plan, room, row)
        if len(plan.counted) > 0:
            moved = taken_of(sight, row) - float(sight.score[row])
            plan.counted[row] = moved if np.isfinite(moved) else 0.0


@kernel
def has_values(sight: Sight, row: int) -> bool:
    """Whether the row states the value of a factor."""
    n_stated = 0
    if sight.factors.shape[0] > 0:
        for i in range(sight.factors.shape[1]):
            if sight.factors[row, i] == sight.factors[row, i]:
                n_stated += 1
    return n_stated > 0


@kernel
def plan_value(plan: Plan, row: int, low: float, high: float) -> None:
    """A row that lies between two numbers; NaN for an end that is not known."""
    plan.kind[row] = VALUE
    plan.base[row] = low if low == low else plan.range_low
    if low != high or low != low:
        plan.top[row] = high if high == high else plan.range_high


@kernel
def plan_table(sight: Sight, plan: Plan, row: int) -> None:
    """A row that a table entry answered; unknown where the source is not in the log, or not before it."""
    if link(sight, plan, row):
        plan.kind[row] = TABLE
    else:
        plan_value(plan, row, _UNKNOWN, _UNKNOWN)


@kernel
def link(sight: Sight, plan: Plan, row: int) -> bool:
    """Note the row that stored the entry; False where it is not in the log, or was not finished before."""
    source = source_of(sight, row)
    if source < 0 or sight.end[source] > row or not is_finished(sight, source):
        return False
    plan.source[row] = source
    plan.flags[source] |= HELD
    if len(plan.shift) > 0:
        plan.shift[row] = sight.mate_step * int(sight.n_plies[row] - sight.n_plies[source])
    return True


@kernel
def plan_ending(sight: Sight, plan: Plan, row: int) -> None:
    """A finished game: its score; in a fail-hard log, which clamps that, its declared worth or its claim."""
    score = float(sight.score[row])
    worth = float(worth_of(sight, row)) if len(sight.ending) > 0 else _UNKNOWN
    if sight.fail == HARD or score != score:
        if worth == worth:
            plan_value(plan, row, worth, worth)
            return
        least, most = claim_of(sight, row)
        if least == least:
            plan_value(plan, row, least, most)
            return
    plan_value(plan, row, score, score)


@kernel
def plan_leaf(sight: Sight, plan: Plan, row: int) -> None:
    """A leaf: its score, or its evaluation behind an edge of the window; a tablebase's answer as found."""
    low = high = float(sight.score[row])
    is_found = len(sight.tablebase) > 0 and sight.tablebase[row]
    if is_own_static(sight, row) and not is_close(low, static_of(sight, row), sight.tolerance):
        low = high = static_of(sight, row)
    elif is_found or sight.fail == HARD or low != low:
        static = _UNKNOWN
        if not is_found:
            static = static_of(sight, row)
            if static != static:
                static, _ = sum_of_terms(sight, row)
        if static == static:
            low = high = static
        else:
            least, most = claim_of(sight, row)
            if least == least:
                low, high = least, most
    plan_value(plan, row, low, high)
    if low == low and not is_found and has_values(sight, row):
        plan.flags[row] |= MOVES


@kernel
def plan_fold(sight: Sight, plan: Plan, room: Room, row: int) -> None:
    """A node that takes the best of its plies, or their mean; its children's flags are set here."""
    layer = sight.layer[row]
    cut_by = cut_by_of(sight, row)
    is_left = is_finished(sight, row)
    if layer == words.CHANCE and is_left and sight.outcome[row] != words.CUTOFF and cut_by == 0:
        if has_whole_priors(sight, row):
            plan.kind[row] = MEAN
            count_children(sight, plan, room, row)
        else:
            plan_value(plan, row, _UNKNOWN, _UNKNOWN)
        finish_fold(sight, plan, row)
        return
    if (layer != words.MAX and layer != words.MIN) or (sight.is_maxn and layer == words.MIN):
        plan_value(plan, row, _UNKNOWN, _UNKNOWN)
        return
    sign = 1.0 if layer == words.MAX else -1.0
    n_plies, n_dropped, opens_mover, opens_both = count_children(sight, plan, room, row)
    stand = unsearched_best(sight, row, sign)
    may_stand = lacks_stand_pat(sight, row) and not (len(sight.in_check) > 0 and sight.in_check[row] == 1)
    if may_stand and estimate_of(sight, row) != estimate_of(sight, row):
        opens_mover = True
    if cut_by == _CUT_BY_NULL:
        opens_mover = True
        null = last_null(sight, row)
        if null >= 0:
            plan.flags[null] |= COUNTS
            n_plies += 1
    elif cut_by == _CUT_BY_ESTIMATE:
        opens_mover = True
        if estimate_of(sight, row) != estimate_of(sight, row):
            score = sign * float(sight.score[row])
            stand = score if not stand >= score else stand
    elif sight.outcome[row] == words.CUTOFF and not opens_mover:
        is_whole = moves_of(sight, row) >= 0 and n_plies + n_dropped == moves_of(sight, row)
        opens_mover = not is_whole or is_quiescence(sight, row) or depth_of(sight, row) <= 0.0
    if not is_left:
        opens_mover = True
    if n_plies == 0 and stand != stand:
        plan_value(plan, row, _UNKNOWN, _UNKNOWN)
        return
    plan.kind[row] = BEST if sign > 0 else WORST
    plan.base[row] = sign * stand
    if stand == stand and has_values(sight, row):
        plan.flags[row] |= MOVES
    if opens_mover:
        plan.flags[row] |= OPENS_MOVER
    if opens_both:
        plan.flags[row] |= OPENS_BOTH
    finish_fold(sight, plan, row)


@kernel
def finish_fold(sight: Sight, plan: Plan, row: int) -> None:
    """Note the table entry that narrowed a node."""
    if tt_use_of(sight, row) == TT_NARROW and link(sight, plan, row):
        plan.flags[row] |= NARROWED


@kernel
def count_children(sight: Sight, plan: Plan, room: Room, row: int) -> tuple[int, int, bool, bool]:
    """The plies of a node, those dropped, and which sides others open; visits of one ply are chained."""
    n_plies = n_dropped = 0
    opens_mover = opens_both = False
    current = -1
    child = row + 1
    while child < sight.end[row]:
        outcome = sight.outcome[child]
        if outcome == words.PRUNED:
            opens_mover = True
        elif outcome == words.LIMITED or outcome == words.SKIPPED:
            plan.flags[row] |= DROPS
            n_dropped += int(sight.count[child]) if len(sight.count) > 0 and sight.count[child] > 0 else 1
        elif outcome == words.UNLOGGED:
            opens_both = True
        elif is_aside(sight, child):
            pass
        elif outcome == words.OPEN:
            opens_both = True
            plan.flags[child] |= UNFINISHED
        elif outcome == words.STOPPED:
            opens_mover = True
            plan.flags[child] |= UNFINISHED
        elif sight.marks[child] & COUNTED:
            current = group_of(sight, room, row, child, current, n_plies)  # type: ignore[arg-type]
            if current == n_plies:
                n_plies += 1
            else:
                before = int(room.last[current])
                plan.earlier[child] = before
                plan.flags[before] = (int(plan.flags[before]) | HELD) & (0xFF - COUNTS)
            room.last[current] = child
            plan.flags[child] |= COUNTS
        child = int(sight.end[child])
    return n_plies, n_dropped, opens_mover, opens_both


@kernel
def last_null(sight: Sight, row: int) -> int:
    """The last finished null move below a node, -1 where there is none."""
    found = -1
    child = row + 1
    while child < sight.end[row]:
        if purpose_of(sight, child) == words.NULL and is_finished(sight, child):
            found = child
        child = int(sight.end[child])
    return found
