"""Fold the claims of a node's children into its own, ply by ply.

Visits of one ply under one node are taken together: of the finished ones that are neither null moves nor
probes, those of the greatest depth count, and their claims are intersected; the last one counts where they
contradict.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns import sight as marks
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.mean import fold_claims_by_priors
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    count_of,
    cut_by_of,
    depth_of,
    entry_high,
    entry_low,
    is_aside,
    is_finished,
    lacks_stand_pat,
    moves_of,
    narrowed_alpha,
    narrowed_beta,
    purpose_of,
    reduction_of,
    score_as_taken,
    taken_of,
    unsearched_best,
)
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.columns.windows import fits_plainly
from plyscope.visualizer.store import words

_CUT_BY_NULL: Final = words.CUT_BY.index("null")
_INFINITY: Final = math.inf
_UNKNOWN: Final = math.nan


class Groups(NamedTuple):
    """Arrays for the visits of one node's children, grouped by ply; an entry a group, or a child."""

    child_row: Array
    child_group: Array
    slot: Array
    """By ply, an index into the log's texts: the group of that ply below the node in `stamp`."""
    stamp: Array
    depth: Array
    low: Array
    high: Array
    value: Array
    """The number that the mover took for the last finished visit of the group."""
    counted: Array
    """The number that the mover took for the last counted visit."""
    edge_row: Array
    """The last visit of the group, -1 before it has one."""
    contradicts: Array
    ranked: Array
    """The best values at a root with a drawn rank, best first."""
    n_fit: Array
    """By `kind_of_fail`, the numbers of nodes that fit fail-soft only, and fail-hard only."""
    n_unlayered: Array
    """One entry: the number of nodes with children and without a stated layer."""
    n_wrong: Array
    """One entry: the number of nodes with a layer whose score does not follow from their children."""


def groups_for(sight: Sight) -> Groups:
    """Return arrays for the children of any node of the log, whose `fan_out` is known."""
    fan_out = sight.fan_out
    return Groups(
        child_row=np.zeros(fan_out, np.int64),
        child_group=np.zeros(fan_out, np.int64),
        slot=np.zeros(len(sight.log.texts), np.int64),
        stamp=np.full(len(sight.log.texts), -1, np.int64),
        depth=np.zeros(fan_out),
        low=np.zeros(fan_out),
        high=np.zeros(fan_out),
        value=np.zeros(fan_out),
        counted=np.zeros(fan_out),
        edge_row=np.zeros(fan_out, np.int64),
        contradicts=np.zeros(fan_out, np.bool_),
        ranked=np.zeros(sight.rank + 1),
        n_fit=np.zeros((4, 2), np.int64),
        n_unlayered=np.zeros(1, np.int64),
        n_wrong=np.zeros(1, np.int64),
    )


@kernel
def fold(sight: Sight, groups: Groups, row: int) -> None:
    """Group the children of `row` by ply, fold their claims, and note each child's edge.

    `groups` has room for the widest node. Writes the fold, its best and marks of the row, `edge_before`,
    `before` and marks of its children: scores, seen from the root player. A child whose window does not
    plainly fit is marked WINDOW_ELSE, for `fit` to judge.
    """
    layer = sight.layer[row]
    sign = 1.0 if layer == words.MAX else -1.0
    is_clear = layer == words.MAX or (layer == words.MIN and not sight.is_maxn)
    least, most = narrowed_alpha(sight, row), narrowed_beta(sight, row)
    opens_mover = opens_both = has_open = False
    stand = unsearched_best(sight, row, sign)
    # Seen from the mover from here on: a larger number is better for it.
    best = stand if stand == stand else -_INFINITY
    n_ranked = 0
    is_ranked = sight.parent[row] < 0 and sight.rank > 0
    least_reduced = _INFINITY
    n_children = n_groups = n_stubbed = 0
    counts_plies = True
    current = -1
    child = row + 1
    end = int(sight.end[row])
    while child < end:
        outcome = sight.outcome[child]
        if outcome >= words.FIRST_STUB:
            # Plies cut off can only improve the mover's best, so they open that side alone. Plies beyond
            # the branching limit are no part of the searched tree. Unlogged plies may have any score, so
            # they open both sides.
            n_stubbed += count_of(sight, child)
            counts_plies = counts_plies and count_of(sight, child) >= 0
            if outcome == words.PRUNED:
                sight.marks[row] |= marks.HAS_PRUNED
                opens_mover = True
            elif outcome == words.LIMITED:
                sight.marks[row] |= marks.HAS_LIMITED
            elif outcome == words.UNLOGGED:
                opens_both = True
        elif not is_aside(sight, child):
            group = group_of(sight, groups, row, child, current, n_groups)
            if group == n_groups:
                groups.depth[group] = -_INFINITY
                groups.edge_row[group] = -1
                groups.contradicts[group] = False
                groups.value[group] = -_INFINITY
                groups.low[group] = _UNKNOWN
                groups.high[group] = _UNKNOWN
                groups.counted[group] = _UNKNOWN
                n_groups += 1
            if group != current:
                # The ply before is complete; its value may raise the edge now.
                if current >= 0:
                    value = groups.value[current]
                    if is_ranked:
                        n_ranked = insert(groups.ranked, n_ranked, value)
                        best = groups.ranked[sight.rank] if n_ranked > sight.rank else -_INFINITY
                    elif value > best:
                        best = value
                if groups.edge_row[group] >= 0:
                    # Visited before others: the edge without its own value, from the beginning.
                    best = stand if stand == stand else -_INFINITY
                    for other in range(n_groups):
                        if other != group and groups.value[other] > best:
                            best = groups.value[other]
                    if is_ranked:
                        best = _UNKNOWN  # the list of the best does not tell which value is this ply's
                current = group
            if is_clear:
                sight.edge_before[child] = sign * best
            if groups.edge_row[group] >= 0:
                last = groups.edge_row[group]
                sight.before[child] = last
                sight.marks[last] |= marks.REVISITED
                if is_deeper(sight, child, last):
                    sight.marks[last] |= marks.VERIFIED
            groups.edge_row[group] = child
            least_reduced = min(least_reduced, reduction_of(sight, child))
            groups.child_row[n_children] = child
            groups.child_group[n_children] = group
            n_children += 1
            if is_finished(sight, child):
                add(sight, groups, group, child, sign)
            elif outcome == words.OPEN:
                has_open = True
            else:
                sight.marks[row] |= marks.HAS_STOPPED
        child = int(sight.end[child])

    judges_windows = least == least and most == most and not lacks_stand_pat(sight, row)
    moves = moves_of(sight, row)
    if counts_plies and moves >= 0 and n_groups + n_stubbed != moves:
        sight.marks[row] |= marks.PLIES_DIFFER
    for i in range(n_children):
        child = groups.child_row[i]
        group = groups.child_group[i]
        if opens_both:
            sight.edge_before[child] = _UNKNOWN  # a ply that has no row may have come before
        edge = sight.edge_before[child]
        if (layer == words.MAX and edge >= most) or (layer == words.MIN and edge <= least):
            sight.marks[child] |= marks.CUT_MISSED
        if judges_windows and not fits_plainly(sight, child, layer, least, most):
            sight.marks[child] |= marks.WINDOW_ELSE  # until `sweep` comes to the child
        if reduction_of(sight, child) > least_reduced:
            sight.marks[child] |= marks.REDUCED_MORE
        if is_finished(sight, child) and visit_depth(sight, child) == groups.depth[group]:
            sight.marks[child] |= marks.COUNTED
            if sight.marks[child] & marks.TABLE_DISAGREES:
                sight.marks[row] |= marks.CONTRADICTED
    if layer == words.CHANCE:
        low, high = fold_claims_by_priors(sight, row)
        if low == low and high == high:
            narrow(sight, row, low, high)
        else:
            sight.marks[row] |= marks.UNCLEAR
        return
    low = high = worth = stand if stand == stand else -_INFINITY
    knows_worth = is_clear and not (opens_both or has_open or sight.marks[row] & marks.HAS_STOPPED)
    knows_claims = knows_worth or (is_clear and (opens_both or has_open))
    n_finished = 0
    for group in range(n_groups):
        if groups.depth[group] == -_INFINITY:
            continue  # no visit of this ply is finished
        n_finished += 1
        if groups.contradicts[group]:
            sight.marks[row] |= marks.CONTRADICTED
        if groups.low[group] != groups.low[group]:
            knows_claims = False
        if groups.counted[group] != groups.counted[group]:
            knows_worth = False
        low = max(low, groups.low[group])
        high = max(high, groups.high[group])
        worth = max(worth, groups.counted[group])
    if worth == -_INFINITY and n_finished == 0:
        knows_worth = knows_claims = False
    if knows_worth:
        sight.fold_bests[sight.fold_at[row]] = sign * worth
    if not knows_claims or sight.marks[row] & marks.HAS_STOPPED:
        sight.marks[row] |= marks.UNCLEAR
        return
    # An open end lies where the declared range ends: a score there leaves nothing open.
    best_end = sight.range_high if sign > 0 else -sight.range_low
    if opens_mover or has_open or opens_both:
        high = max(high, best_end) if best_end == best_end else _INFINITY
    if opens_both:
        worst_end = sight.range_low if sign > 0 else -sight.range_high
        low = min(low, worst_end) if worst_end == worst_end else -_INFINITY
        sight.marks[row] |= marks.UNCLEAR  # the search saw what the log does not say
    if sign < 0:
        low, high = -high, -low
    narrow(sight, row, low, high)


@kernel
def narrow(sight: Sight, row: int, low: float, high: float) -> None:
    """Write the fold of a row, intersected with the entry that narrowed it unless they contradict."""
    least = max(low, entry_low(sight, row))
    most = min(high, entry_high(sight, row))
    if least > most:
        sight.marks[row] |= marks.UNCLEAR
        if is_folded(sight, row):
            sight.marks[row] |= marks.ENTRY_DISAGREES
    else:
        low = least
        high = most
    sight.fold_lows[sight.fold_at[row]] = low
    sight.fold_highs[sight.fold_at[row]] = high


@kernel
def is_folded(sight: Sight, row: int) -> bool:
    """Whether the row's score comes from its plies, all of them known: not from a guess, nor by two answers.

    In an empty window, after a missed cut, every score is both bounds.
    """
    outcome = sight.outcome[row]
    if not (outcome == 0 or outcome == words.SEARCHED or outcome == words.CUTOFF):
        return False
    if cut_by_of(sight, row) >= _CUT_BY_NULL or sight.marks[row] & marks.CONTRADICTED:
        return False
    return not (lacks_stand_pat(sight, row) or alpha_of(sight, row) >= beta_of(sight, row))


@kernel
def group_of(sight: Sight, groups: Groups, row: int, child: int, current: int, n_groups: int) -> int:
    """Return the group of the child's ply; a new one has the number `n_groups`.

    A visit without a ply has its own group; a re-search without one has the group of the visit before.
    """
    ply = int(sight.ply[child])
    if ply < 0:
        return current if purpose_of(sight, child) == words.RESEARCH and current >= 0 else n_groups
    if groups.stamp[ply] != row:
        groups.stamp[ply] = row
        groups.slot[ply] = n_groups
    return int(groups.slot[ply])


@kernel
def visit_depth(sight: Sight, row: int) -> float:
    """Return the number by which visits of one ply are compared: the depth, else the reduction, negated."""
    depth = depth_of(sight, row)
    return depth if depth == depth else -reduction_of(sight, row)


@kernel
def is_deeper(sight: Sight, row: int, earlier: int) -> bool:
    """Whether the visit `row` was searched deeper than an `earlier` one of the same ply."""
    return bool(
        visit_depth(sight, row) > visit_depth(sight, earlier)
        or reduction_of(sight, row) < reduction_of(sight, earlier)
    )


@kernel
def add(sight: Sight, groups: Groups, group: int, child: int, sign: float) -> None:
    """Add a finished visit, with what it claims itself, to the group of its ply."""
    low, high = claim_of(sight, child)
    add_claim(sight, groups, group, child, sign, low, high)


@kernel
def add_claim(
    sight: Sight, groups: Groups, group: int, child: int, sign: float, low: float, high: float
) -> None:
    """Add a finished visit worth `low` to `high` to the group of its ply, which sees it as the mover does."""
    score = sign * taken_of(sight, child)
    groups.value[group] = score if score == score else -_INFINITY
    depth = visit_depth(sight, child)
    # The edge follows the last visit, whatever its depth: the search went on with it. The claim follows the
    # deepest visit, on which the node's score may rest.
    if depth < groups.depth[group]:
        return
    low, high = score_as_taken(sight, child, low), score_as_taken(sight, child, high)
    if sign < 0:
        low, high = -high, -low
    groups.counted[group] = score
    if depth > groups.depth[group]:
        groups.depth[group] = depth
        groups.contradicts[group] = False
        groups.low[group] = low
        groups.high[group] = high
        return
    # Two visits of one depth hold at once where they agree. Where they do not, the search believed the later.
    if max(low, groups.low[group]) > min(high, groups.high[group]):
        sight.marks[child] |= marks.DISAGREES
        groups.contradicts[group] = True
        groups.low[group] = low
        groups.high[group] = high
    else:
        groups.low[group] = max(low, groups.low[group])
        groups.high[group] = min(high, groups.high[group])


@kernel
def insert(ranked: Any, n_ranked: int, value: float) -> int:
    """Insert `value` among the best so far, best first; return their number."""
    place = n_ranked
    if place == len(ranked):
        if not value > ranked[place - 1]:
            return n_ranked
        place -= 1
    else:
        n_ranked += 1
    while place > 0 and value > ranked[place - 1]:
        ranked[place] = ranked[place - 1]
        place -= 1
    ranked[place] = value
    return n_ranked
