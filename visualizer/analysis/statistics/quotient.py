"""The ranks that the randomness quotient may play at the main root: each with its probability and cost."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from plyscope.engine.quotient import rank_probability, tail_probability
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.analysis.statistics.figures import Quotient, RankBar
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MOST_RANKS: Final = 64
_OPEN_ENDS: Final = (words.PRUNED, words.SKIPPED, words.UNLOGGED)


def quotient_of(tree: Tree, other: int | None = None) -> Quotient | str | None:
    """The ranks of the main root; None for a log without a quotient, or the reason why they are not given.

    `other` is a quotient from 1 to take in place of the log's own.
    """
    result = tree.log.result
    quotient, rank = result.get("randomness_quotient"), result.get("rank")
    if quotient is None:
        return None
    if not isinstance(quotient, int) or isinstance(quotient, bool) or quotient < 1:
        return "`result.randomness_quotient` is not a whole number from 1"
    if other is not None:
        quotient = other
    root = tree.main_root
    if tree.log.columns["layer"][root] not in (words.MAX, words.MIN):
        return "needs `layer` at the root"
    plies, ids = _intervals(tree, root)
    outcome = tree.log.columns["outcome"]
    count = tree.log.columns.get("count")
    n_plies = len(plies)
    for child in tree.children(root).tolist():
        if outcome[child] in _OPEN_ENDS:
            stands_for = -1 if count is None else int(count[child])
            if stands_for < 0:
                return "needs `count` of the stubs below the root"
            n_plies += stands_for
            plies += [(None, -math.inf, math.inf)] * min(stands_for, MOST_RANKS)
    if not plies:
        return "there is no ply below the root"
    sign = -1.0 if tree.log.columns["layer"][root] == words.MIN else 1.0
    bars = rank_bars(plies, n_plies, quotient, sign)
    return Quotient(
        quotient=quotient,
        rank=rank if isinstance(rank, int) and not isinstance(rank, bool) else None,
        n_plies=n_plies,
        bars=tuple(replace(bar, id=ids.get(bar.ply)) for bar in bars),
        rest=0.0 if n_plies <= MOST_RANKS else tail_probability(MOST_RANKS, quotient),
    )


def rank_bars(
    plies: list[tuple[str | None, float, float]], n_plies: int, quotient: int, sign: float = 1.0
) -> tuple[RankBar, ...]:
    """The bars of ranks, from plies with the least and the greatest worth of each to the mover.

    The worth of the ply of rank r is between the (r+1)-th greatest least worth and the (r+1)-th greatest of
    the greatest ones. `sign` is -1 where the mover wants low scores: scores are given as in the log.

    >>> [bar.cost_high for bar in rank_bars([("a", 5, 5), ("b", 3, 3), ("c", -math.inf, 4)], 3, 2)]
    [0.0, 2.0, None]
    """
    lows = np.sort([low for _, low, _ in plies])[::-1]
    highs = np.sort([high for _, _, high in plies])[::-1]
    bars = []
    for rank in range(min(len(plies), MOST_RANKS)):
        low, high = float(lows[rank]), float(highs[rank])
        probability = rank_probability(rank, quotient, n_plies)
        least = max(0.0, float(lows[0]) - high) if math.isfinite(lows[0]) and math.isfinite(high) else 0.0
        most = float(highs[0]) - low if math.isfinite(highs[0]) and math.isfinite(low) else None
        certain = [
            ply for ply, ply_low, ply_high in plies if ply_low == ply_high == low == high and ply is not None
        ]
        if rank == 0:
            least, most = 0.0, 0.0
        above = sum(other > high for _, other, _ in plies)
        sure = len(certain) == 1 and above == rank and sum(other >= low for _, _, other in plies) == rank + 1
        ends = sorted((sign * low, sign * high))
        score_low, score_high = (end if math.isfinite(end) else None for end in ends)
        ply = certain[0] if sure else None
        bars.append(RankBar(rank, probability, ply, least, most, score_low, score_high, None))
    return tuple(bars)


def _intervals(tree: Tree, root: int) -> tuple[list[tuple[str | None, float, float]], dict[str | None, int]]:
    """Each ply of the root with the least and most that its claims say it is worth to the mover; its node."""
    columns = tree.log.columns
    sign = -1.0 if columns["layer"][root] == words.MIN else 1.0
    deciding = Deciding(tree)
    found: list[tuple[str | None, float, float]] = []
    ids: dict[str | None, int] = {}
    named: set[int] = set()
    for visits in deciding.plies(root):
        low, high = -math.inf, math.inf
        for visit in deciding.counted(visits):
            score, bound = sign * deciding.taken(visit), int(columns["bound"][visit])
            if sign < 0 and bound in (words.LOWER, words.UPPER):
                bound = words.LOWER + words.UPPER - bound
            if bound == 0 and _is_inside(tree, visit):
                bound = words.EXACT
            if math.isnan(score) or bound == 0:
                continue
            if bound & words.LOWER:
                low = max(low, score)
            if bound & words.UPPER:
                high = min(high, score)
        if low > high:
            low, high = -math.inf, math.inf
        found.append((tree.ply(visits[0]), low, high))
        ids[tree.ply(visits[0])] = int(columns["id"][visits[-1]])
        named.add(int(columns["ply"][visits[0]]))
    for child in tree.children(root).tolist():  # plies entered and not finished
        ply = int(columns["ply"][child])
        if not tree.is_stub[child] and ply >= 0 and ply not in named and not _is_aside(tree, child):
            found.append((tree.ply(child), -math.inf, math.inf))
            named.add(ply)
    return found, ids


def _is_inside(tree: Tree, row: int) -> bool:
    columns = tree.log.columns
    alpha, beta = columns.get("alpha"), columns.get("beta")
    if alpha is None or beta is None:
        return False
    return bool(alpha[row] < columns["score"][row] < beta[row])


def _is_aside(tree: Tree, row: int) -> bool:
    purpose = tree.log.columns.get("purpose")
    return purpose is not None and int(purpose[row]) in (words.NULL, words.PROBE)
