"""Facts about a pair beside the margin, each computed from the log, None where it does not apply.

The reply that refutes a bound, an overturned quick order, plies beyond the branching limit, a drawn rank.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np

from plyscope.visualizer.analysis.columns.declarations import MOST_OPPONENTS
from plyscope.visualizer.analysis.explain.pair import Pair, Siblings, chosen_of
from plyscope.visualizer.analysis.explain.ply_side import Side, n_left_out
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store import words
from plyscope.visualizer.store.positions import respelled
from plyscope.visualizer.store.tree import Tree

OPPOSITE = {words.MAX: words.MIN, words.MIN: words.MAX}


@dataclass(frozen=True)
class Refutation:
    """The reply below a ply that proves its bound against the side that would play the ply."""

    reply: int
    n_unsearched: int | None
    """Replies after it that alpha-beta left out; None where the log does not count them."""


def refutation_of(tree: Tree, deciding: Deciding, pair: Pair, side: Side) -> Refutation | None:
    """The reply that refutes a ply whose score is only the most that its mover can have from it."""
    columns = tree.log.columns
    layer, below = int(columns["layer"][pair.parent]), int(columns["layer"][side.row])
    bad = {words.MAX: "upper", words.MIN: "lower"}.get(layer)
    if side.bound != bad or OPPOSITE.get(layer) != below or not side.line.rows:
        return None
    if sign_of(tree, pair.parent) is None or sign_of(tree, side.row) is None:
        return None
    reply = side.line.rows[0]
    if columns["parent"][reply] != side.row:
        return None
    visits = deciding.visits_with(side.row, reply)
    if visits is None or not deciding.refutes(side.row, deciding.counted(visits)):
        return None
    return Refutation(reply, n_left_out(tree, side.row, words.PRUNED))


@dataclass(frozen=True)
class Overturned:
    """The quick order of two plies that the search turned around."""

    rank: int
    """Place of the chosen ply by pre_score among those that were visited, best = 1."""
    n_plies: int
    turn: tuple[int, int] | None
    """The place where the order turned: the level, and the row of the chosen ply's line there."""


def overturned_of(tree: Tree, pair: Pair, chosen: Side, rival: Side) -> Overturned | None:
    """The order of the two plies by pre_score, if the search turned it around; else None.

    The order turned at the first level at which, along both lines as far as both state a pre_score, the
    chosen ply's line has the better one.
    """
    pre_scores = tree.log.column("pre_score")
    sign = sign_of(tree, pair.parent)
    if pre_scores is None or sign is None:
        return None
    mine, other = float(pre_scores[chosen.row]), float(pre_scores[rival.row])
    if not (sign * mine < sign * other and sign * chosen.score > sign * rival.score):
        return None
    siblings = _kept(tree, pair.parent)
    if any(value != value for value in siblings):
        return None
    rank = 1 + sum(sign * value > sign * mine for value in siblings)
    turn = None
    for one, two in zip(_steps(tree, chosen), _steps(tree, rival), strict=False):
        a, b = sign * float(pre_scores[one]), sign * float(pre_scores[two])
        if a != a or b != b:
            break
        if a > b:
            turn = int(tree.log.columns["level"][one]), one
            break
    return Overturned(rank, len(siblings), turn)


def _kept(tree: Tree, parent: int) -> list[float]:
    """The pre_scores of the plies that were visited, finished or not, one a ply; NaN where unknown."""
    columns = tree.log.columns
    purpose = columns.get("purpose")
    by_ply: dict[int, float] = {}
    for child in tree.children(parent).tolist():
        is_aside = purpose is not None and purpose[child] in (words.NULL, words.PROBE)
        if not (tree.is_stub[child] or is_aside):
            ply = int(columns["ply"][child])
            by_ply[ply if ply >= 0 else -1 - child] = float(columns["pre_score"][child])
    return list(by_ply.values())


def _steps(tree: Tree, side: Side) -> list[int]:
    """The rows of a line as far as it goes from parent to child."""
    parent = tree.log.columns["parent"]
    rows = [side.row]
    for above, below in pairwise(side.rows):
        if parent[below] != above:
            break
        rows.append(below)
    return rows


def sign_of(tree: Tree, row: int) -> float | None:
    """1 where the mover at `row` wants the largest score, -1 the smallest, None where neither is known.

    Of more than two players with a score each, rivals may seek their own and not the root player's worst.
    """
    layer = int(tree.log.columns["layer"][row])
    vectors = tree.log.column("scores")
    if layer == words.MIN and vectors is not None and vectors.shape[1] > MOST_OPPONENTS:
        return None
    return {words.MAX: 1.0, words.MIN: -1.0}.get(layer)


@dataclass(frozen=True)
class LeftOut:
    """A ply without a row of its own, or all that a stub stands for."""

    ply: str | None
    outcome: str
    count: int | None
    pre_score: float | None = None
    rank: int | None = None
    """Its place by pre_score among all plies of the node, best = 1; None where one of these is not known."""
    n_plies: int = 0
    n_kept: int = 0
    needed: float | None = None
    """The worst pre_score of those that were kept."""


def left_out(tree: Tree, pair: Pair) -> LeftOut:
    """Return the facts in the log about a rival that has no row."""
    log, stub = tree.log, pair.rival
    outcome = words.OUTCOMES[int(log.columns["outcome"][stub])]
    counts = log.column("count")
    count = None if counts is None or counts[stub] < 0 else int(counts[stub])
    pre_score = None if pair.rival_ply is None else stub_pre_score(tree, stub, pair.rival_ply)
    pre_scores, sign = log.column("pre_score"), sign_of(tree, pair.parent)
    plain = LeftOut(pair.rival_ply, outcome, count, pre_score)
    if outcome != "limited" or pre_score is None or pre_scores is None or sign is None:
        return plain
    kept = _kept(tree, pair.parent)
    if not kept or any(value != value for value in kept):
        return plain
    needed = sign * min(sign * value for value in kept)
    dropped, is_whole = _dropped(tree, pair.parent)
    all_known = [*kept, *dropped]
    rank = 1 + sum(sign * value > sign * pre_score for value in all_known) if is_whole else None
    return LeftOut(pair.rival_ply, outcome, count, pre_score, rank, len(all_known), len(kept), needed)


def stub_pre_score(tree: Tree, stub: int, ply: str) -> float | None:
    """The pre_score that a stub states of one of its plies."""
    if tree.log.stub_plies is None:
        return None
    texts, numbers = tree.log.stub_plies.of(stub)
    parent = int(tree.log.columns["parent"][stub])
    for text, number in zip(texts.tolist(), numbers.tolist(), strict=True):
        if text >= 0 and ply in (tree.log.texts[text], respelled(tree.log, parent, tree.log.texts[text])):
            return None if number != number else float(number)
    return None


def _dropped(tree: Tree, parent: int) -> tuple[list[float], bool]:
    """The pre_scores of the plies over the limit, and whether they and the rows are all plies there are."""
    found: list[float] = []
    counts = tree.log.column("count")
    for child in tree.children(parent).tolist():
        outcome = int(tree.log.columns["outcome"][child])
        if outcome < words.FIRST_STUB:
            continue
        numbers = np.zeros(0) if tree.log.stub_plies is None else tree.log.stub_plies.of(child)[1]
        is_told = counts is not None and counts[child] == len(numbers) and not np.isnan(numbers).any()
        if outcome != words.LIMITED or not is_told:
            return found, False
        found += numbers.tolist()
    return found, True


@dataclass(frozen=True)
class Drawn:
    """A rank above 0 that the randomness quotient drew."""

    rank: int
    quotient: int | None
    probability: float | None


def drawn_of(tree: Tree, siblings: Siblings, row: int) -> Drawn | None:
    """The drawn rank, where `row` is the ply chosen at the main root; None where the best was to be taken."""
    result = tree.log.result
    rank, quotient = result.get("rank"), result.get("randomness_quotient")
    if siblings.parent != tree.main_root or not _is_count(rank) or rank < 1:
        return None
    if chosen_of(tree, siblings) != row:
        return None
    n_pruned = n_left_out(tree, siblings.parent, words.PRUNED)
    if not _is_count(quotient) or quotient < 2:
        return Drawn(rank, None, None)
    n_plies = siblings.n_plies + (n_pruned or 0)
    if n_pruned is None or rank > n_plies - 1:
        return Drawn(rank, quotient, None)
    return Drawn(rank, quotient, probability_of(rank, quotient, n_plies))


def probability_of(rank: int, quotient: int, n_plies: int) -> float:
    """The probability of a rank: (Q - 1) / Q^(r + 1), of the last one the tail 1 / Q^r.

    >>> [probability_of(rank, 2, 3) for rank in range(3)]
    [0.5, 0.25, 0.25]
    """
    if rank == n_plies - 1:
        return math.exp(-rank * math.log(quotient))
    return (quotient - 1) * math.exp(-(rank + 1) * math.log(quotient))


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
