"""The interval that a log proves for the worth of each row's position.

A row claims an interval by its bound, else by its window. More may be known: where no row below a node is
open, its score is exact even without a bound; where a fail-hard search returned an edge of the window, the
children may show the worth behind it. Every verb that says `at most`, `exact` or `better` uses this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.claim_fold import Groups, add_claim, group_of, groups_for
from plyscope.visualizer.analysis.columns.claims import claim_of, is_close
from plyscope.visualizer.analysis.columns.kernel_call import Work, way_for
from plyscope.visualizer.analysis.columns.mean import fold_by_priors
from plyscope.visualizer.analysis.columns.row import (
    count_of,
    cut_by_of,
    depth_of,
    entry_high,
    entry_low,
    is_aside,
    is_cut,
    is_finished,
    is_quiescence,
    is_stub,
    lacks_stand_pat,
    moves_of,
    stand_pat_of,
    static_of,
    taken_of,
    unsearched_best,
)
from plyscope.visualizer.analysis.columns.sight import COUNTED, Array, Sight, glance_of, sight_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log, once_a_log

_INFINITY: Final = math.inf
_UNKNOWN: Final = math.nan
_BY_STAND_PAT: Final = words.CUT_BY.index("stand_pat")
_BY_NULL: Final = words.CUT_BY.index("null")


@dataclass(frozen=True)
class Known:
    """The known intervals of a stretch of rows: two arrays by row, infinite where an end is open."""

    low: Array
    high: Array

    def bounds(self, scores: Array) -> Array:
        """The scores of the stretch as bounds of the known worth, in codes of `bound`; 0 where unknown.

        For a score at an edge of the window the code says on which side of it the worth lies.
        """
        is_above, is_below = self.low >= scores, self.high <= scores
        is_known = is_above | is_below
        codes = np.where(is_above & is_below, words.EXACT, np.where(is_above, words.LOWER, words.UPPER))
        return np.where(is_known, codes, 0).astype(np.uint8)


class Way(NamedTuple):
    """Properties of the whole log that decide how windows and cuts are read."""

    may_clamp: bool
    """Whether a window that is not stated may have clamped a score."""
    follows: bool
    """Whether such windows follow from the scores before a node: there is one tree, and one thread."""
    tells_cuts: bool
    """Whether a node without outcome and without `pruned` stub had all its plies searched."""


class Path(NamedTuple):
    """The nodes from the root to the row at hand, an entry a level: the window that they had at most."""

    alpha: Array
    beta: Array
    best: Array
    """The best of the node's plies so far, for its mover; seen from the root player."""
    before: Array
    """The same without visits of `ply`."""
    ply: Array


def known_claims(log: Log, first: int, last: int, compiled: bool | None = None) -> Known:
    """The known intervals of the rows from `first` to `last`, whole subtrees; other rows are not filled.

    `compiled`: where it is None the number of rows decides.
    """
    way = way_of(log)
    begin = 0 if way.follows else first
    work = Work(way_for(last - begin) if compiled is None else compiled)
    sight = glance_of(log) if work.compiled is False else sight_of(log)
    parent = log.columns["parent"][begin:last]
    children = np.bincount(parent[parent >= begin] - begin)
    sight = sight._replace(fan_out=int(children.max(initial=0)))
    low, high = np.empty(last), np.empty(last)
    n_levels = int(log.columns["level"][begin:last].max(initial=0)) + 1
    alpha, beta, best, before = np.zeros((4, n_levels))
    path = Path(alpha, beta, best, before, np.zeros(n_levels, np.int64))
    work.run(claim_rows)(sight, path, way.may_clamp, way.follows, begin, last, low, high)
    if not sight.best_first:
        groups = groups_for(sight)
        work.run(fold_rows)(sight, groups, way.may_clamp, way.tells_cuts, begin, last, low, high)
    return Known(low, high)


@once_a_log
def way_of(log: Log) -> Way:
    """The properties of a log, found in its columns and its header."""
    columns = log.columns
    search, outcome = log.search, columns["outcome"]
    has_stubs = bool((outcome >= words.FIRST_STUB).any())
    has_windows = "alpha" in columns or "beta" in columns
    has_cuts = bool((outcome == words.CUTOFF).any()) or bool(columns["bound"].any())
    is_plain = not (has_stubs or has_windows or has_cuts or "fail" in search)
    may_clamp = search.get("fail") != "soft" and not is_plain
    threads = search.get("threads")
    is_alone = len(log.roots) == 1 and not (isinstance(threads, int | float) and threads > 1)
    is_minimax = search.get("order") != "best_first"
    return Way(
        may_clamp=may_clamp,
        follows=may_clamp and not has_windows and is_alone and is_minimax,
        tells_cuts=is_plain or bool((outcome == words.PRUNED).any()),
    )


@kernel
def claim_rows(
    sight: Sight, path: Path, may_clamp: bool, follows: bool, first: int, last: int, low: Array, high: Array
) -> None:
    """Write the claims of single rows: by their bound, their window, or the window that follows."""
    for row in range(first, last):
        low[row], high[row] = -_INFINITY, _INFINITY
        if is_stub(sight, row):
            continue
        if follows:
            follow(sight, path, row)
        score = float(sight.score[row])
        if score != score or not is_finished(sight, row):
            continue
        outcome = sight.outcome[row]
        is_end = sight.end[row] == row + 1 and (
            outcome == 0 or outcome == words.LEAF or outcome == words.TERMINAL
        )
        least, most = claim_of(sight, row)
        if not may_clamp and is_end and (sight.bound[row] == 0 or outcome == words.TERMINAL):
            least = most = score
        elif follows and least != least:
            least, most = claim_by_path(sight, path, row)
        if least == least:
            low[row], high[row] = least, most


@kernel
def follow(sight: Sight, path: Path, row: int) -> None:
    """Write the widest window that the search can have had at `row`, and its score into the parent.

    It is NaN below null moves, probes, and nodes that neither take the largest nor the smallest.
    """
    level = int(sight.level[row])
    alpha, beta = -_INFINITY, _INFINITY
    parent = int(sight.parent[row])
    if parent >= 0:
        above = level - 1
        layer = sight.layer[parent]
        alpha, beta = float(path.alpha[above]), float(path.beta[above])
        if is_aside(sight, row) or not (layer == words.MAX or layer == words.MIN) or sight.is_maxn:
            alpha = beta = _UNKNOWN
        else:
            ply = int(sight.ply[row])
            if ply < 0 or ply != path.ply[above]:
                path.ply[above], path.before[above] = ply, path.best[above]
            if layer == words.MAX:
                alpha = max(alpha, float(path.before[above]))
            else:
                beta = min(beta, float(path.before[above]))
            taken = taken_of(sight, row)
            if is_finished(sight, row) and taken == taken:
                best = float(path.best[above])
                path.best[above] = max(best, taken) if layer == words.MAX else min(best, taken)
    path.alpha[level], path.beta[level] = alpha, beta
    sign = -1.0 if sight.layer[row] == words.MIN else 1.0
    stand = unsearched_best(sight, row, sign)
    path.best[level] = sign * (stand if stand == stand else -_INFINITY)
    path.ply[level] = -1


@kernel
def claim_by_path(sight: Sight, path: Path, row: int) -> tuple[float, float]:
    """Return the claim of a score by the widest window that its search can have had; NaN for none.

    The search may have had less of it, so a score strictly inside a closed window claims nothing.
    """
    level, score = int(sight.level[row]), float(sight.score[row])
    alpha, beta = float(path.alpha[level]), float(path.beta[level])
    if score >= beta:
        return score, max(score, sight.range_high) if sight.range_high == sight.range_high else _INFINITY
    if score <= alpha:
        return min(score, sight.range_low) if sight.range_low == sight.range_low else -_INFINITY, score
    is_open = alpha == -_INFINITY and beta == _INFINITY
    return (score, score) if is_open else (_UNKNOWN, _UNKNOWN)


@kernel
def fold_rows(
    sight: Sight,
    groups: Groups,
    may_clamp: bool,
    tells_cuts: bool,
    first: int,
    last: int,
    low: Array,
    high: Array,
) -> None:
    """Narrow the claims of rows to those that their children prove, from the last row to the first."""
    for row in range(last - 1, first - 1, -1):
        score = float(sight.score[row])
        has_children = sight.end[row] > row + 1 and sight.end[row] <= last
        if not (has_children or stands_pat(sight, row)) or score != score or not is_finished(sight, row):
            continue
        if is_cut(sight, row) or cut_by_of(sight, row) >= _BY_NULL or sight.outcome[row] == words.LEAF:
            continue
        if sight.layer[row] == words.CHANCE:
            least, most = fold_chances(sight, row, low, high)
        else:
            least, most = fold_plies(sight, groups, row, tells_cuts, low, high)
        if low[row] == -_INFINITY and high[row] == _INFINITY and not may_clamp:
            if is_close(least, score, sight.tolerance):
                least = score
            if is_close(most, score, sight.tolerance):
                most = score
            if not least <= score <= most:
                continue  # does not follow from the children
        least, most = max(least, float(low[row])), min(most, float(high[row]))
        if least <= most:
            low[row], high[row] = least, most


@kernel
def stands_pat(sight: Sight, row: int) -> bool:
    """Whether not moving took part in the score of `row`, with a worth that is stated."""
    stand = stand_pat_of(sight, row)
    return stand == stand or (
        cut_by_of(sight, row) == _BY_STAND_PAT and static_of(sight, row) == static_of(sight, row)
    )


@kernel
def fold_chances(sight: Sight, row: int, low: Array, high: Array) -> tuple[float, float]:
    """Return the mean of the known intervals of chance outcomes; open where one is missing."""
    child = row + 1
    while child < sight.end[row]:
        if not is_stub(sight, child) and not is_aside(sight, child) and is_finished(sight, child):
            sight.marks[child] |= COUNTED
        child = int(sight.end[child])
    least, most = fold_by_priors(sight, row, low, high)
    return (least, most) if least <= most else (-_INFINITY, _INFINITY)


@kernel
def fold_plies(
    sight: Sight, groups: Groups, row: int, tells_cuts: bool, low: Array, high: Array
) -> tuple[float, float]:
    """Return the best of the known intervals of the plies of `row`, open where plies are missing."""
    layer = sight.layer[row]
    if not (layer == words.MAX or (layer == words.MIN and not sight.is_maxn)):
        return -_INFINITY, _INFINITY
    sign = 1.0 if layer == words.MAX else -1.0
    # Seen from the mover from here on.
    opens_both = False
    opens_mover = lacks_stand_pat(sight, row)
    n_groups = n_stubbed = 0
    counts_plies = True
    current = -1
    child = row + 1
    while child < sight.end[row]:
        outcome = sight.outcome[child]
        if outcome >= words.FIRST_STUB:
            n_stubbed += count_of(sight, child)
            counts_plies = counts_plies and count_of(sight, child) >= 0
            opens_mover = opens_mover or outcome == words.PRUNED
            opens_both = opens_both or outcome == words.UNLOGGED
        elif not is_aside(sight, child):
            group = group_of(sight, groups, row, child, current, n_groups)
            if group == n_groups:
                groups.depth[group] = -_INFINITY
                groups.contradicts[group] = False
                groups.low[group], groups.high[group] = -_INFINITY, _INFINITY
                n_groups += 1
            current = group
            if is_finished(sight, child):
                add_claim(sight, groups, group, child, sign, float(low[child]), float(high[child]))
            else:
                opens_both = True
        child = int(sight.end[child])
    stand = unsearched_best(sight, row, sign)
    if stand != stand and cut_by_of(sight, row) == _BY_STAND_PAT:
        stand = sign * static_of(sight, row)
    least = most = stand if stand == stand else -_INFINITY
    for group in range(n_groups):
        least, most = max(least, float(groups.low[group])), max(most, float(groups.high[group]))
    if most == -_INFINITY:
        return -_INFINITY, _INFINITY
    if opens_mover or not has_all_plies(sight, row, n_groups + n_stubbed, counts_plies, tells_cuts):
        end = sight.range_high if sign > 0 else -sight.range_low
        most = max(most, end) if end == end else _INFINITY
    if opens_both:
        return -_INFINITY, _INFINITY
    least, most = (least, most) if sign > 0 else (-most, -least)
    within = max(least, entry_low(sight, row)), min(most, entry_high(sight, row))
    return within if within[0] <= within[1] else (least, most)


@kernel
def has_all_plies(sight: Sight, row: int, n_plies: int, counts_plies: bool, tells_cuts: bool) -> bool:
    """Whether the rows and stubs below `row` are all its plies, as far as the log tells."""
    moves = moves_of(sight, row)
    depth = depth_of(sight, row)
    if counts_plies and moves >= 0 and not is_quiescence(sight, row) and not depth <= 0.0:
        return n_plies >= moves
    if sight.outcome[row] == words.CUTOFF or cut_by_of(sight, row) > 0:
        return False
    return bool(sight.outcome[row] == words.SEARCHED or tells_cuts)
