"""The pass that proves wins and losses: rows in the order in which they were left, each from its children.

A node of the winner has the best proof of its visits; a node of the loser the worst of its plies, if all
legal ones were visited; a chance node the slowest of all its outcomes; a table row that of the entry's
source. One kernel, plain or compiled.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.sight import Array
from plyscope.visualizer.store import words


class Nodes(NamedTuple):
    """The columns that the pass reads, an entry a row."""

    end: Array
    ply: Array
    is_visit: Array
    move: Array
    """How far a score was moved on the way up; empty where none was."""
    mate_step: float
    least: float
    """The least score of a win."""


class Steps(NamedTuple):
    """The rows in which a proof may go on, in the order in which they were left: an entry a row."""

    row: Array
    layer: Array
    moves: Array
    """Legal plies; -1 where they are not known."""
    source: Array
    """The row that stored the table entry, -1 where there is none."""
    later: Array
    """The plies by which the row is further from the root than its source."""


class Proven(NamedTuple):
    """The wins and losses that are proven, an entry a row; the pass fills them in."""

    score: Array
    """A win or a loss as a score seen from the root player; NaN where neither is proven."""
    repeats: Array
    """Whether the proof goes through the table."""


class Plies(NamedTuple):
    """Room for the plies of one node; an entry a text."""

    seen_at: Array
    """The row whose child had this ply last."""
    lost: Array
    """The loss of the node's mover that is proven of the ply, as the mover sees it; NaN where none is."""
    repeats: Array


def room(n_texts: int) -> Plies:
    """Room for the plies of any node, whose texts are numbered up to `n_texts`."""
    return Plies(np.full(n_texts, -1, np.int64), np.full(n_texts, math.nan), np.zeros(n_texts, np.bool_))


@kernel
def prove(steps: Steps, nodes: Nodes, proven: Proven, plies: Plies) -> None:
    """Prove wins and losses of the rows of `steps`, from the finished games in `proven`."""
    for i in range(len(steps.row)):
        row = int(steps.row[i])
        source = int(steps.source[i])
        if source >= 0 and proven.score[source] == proven.score[source]:
            score = float(proven.score[source])
            # A win is as many plies later as the row is further from the root.
            shift = nodes.mate_step * steps.later[i]
            proven.score[row] = score - shift if score > 0 else score + shift
            proven.repeats[row] = True
            continue
        visits = row, int(nodes.end[row])
        if steps.layer[i] == words.CHANCE:
            # Chance moves: every outcome must be won, or every one lost.
            for sign in (1.0, -1.0):
                stamp = row if sign > 0 else -2 - row
                _, _, n_plies = read_plies(visits, sign, stamp, nodes, proven, plies)
                if 0 < n_plies == steps.moves[i]:
                    worst, repeats = worst_of(visits, nodes, plies)
                    if worst == worst:
                        proven.score[row] = sign * worst
                        proven.repeats[row] = repeats
            continue
        sign = 0.0
        if steps.layer[i] == words.MAX:
            sign = 1.0
        elif steps.layer[i] == words.MIN:
            sign = -1.0
        if sign == 0.0:
            continue
        won, win_repeats, n_plies = read_plies(visits, sign, row, nodes, proven, plies)
        if won > 0:
            proven.score[row] = sign * won
            proven.repeats[row] = win_repeats
        elif 0 < n_plies == steps.moves[i]:
            worst, repeats = worst_of(visits, nodes, plies)
            if worst == worst:
                proven.score[row] = sign * worst
                proven.repeats[row] = repeats


@kernel
def read_plies(
    visits: tuple[int, int], sign: float, stamp: int, nodes: Nodes, proven: Proven, plies: Plies
) -> tuple[float, bool, int]:
    """The best win among the plies of a row, if it repeats, and how many plies there are; notes their losses.

    `visits`: the row and where its subtree ends. Seen from the side of `sign`: a win above 0, a loss below.
    `stamp`: a number of this reading alone.
    """
    won = math.nan
    win_repeats = False
    n_plies = 0
    child = visits[0] + 1
    while child < visits[1]:
        if nodes.is_visit[child]:
            at = int(nodes.ply[child])
            if plies.seen_at[at] != stamp:
                plies.seen_at[at] = stamp
                plies.lost[at] = math.nan
                n_plies += 1
            score = sign * float(proven.score[child])
            if len(nodes.move) > 0 and nodes.move[child] != 0.0:
                score += sign * float(nodes.move[child])
                if abs(score) < nodes.least:
                    score = math.nan
            repeats = bool(proven.repeats[child])
            if score > 0 and (not won >= score or (won == score and win_repeats and not repeats)):
                won = score
                win_repeats = repeats
            # The best of several visits of one ply, for the one who wins.
            lost = float(plies.lost[at])
            if score < 0 and (not lost <= score or (lost == score and plies.repeats[at] and not repeats)):
                plies.lost[at] = score
                plies.repeats[at] = repeats
        child = int(nodes.end[child])
    return won, win_repeats, n_plies


@kernel
def worst_of(visits: tuple[int, int], nodes: Nodes, plies: Plies) -> tuple[float, bool]:
    """The best of the losses that were noted of the plies, NaN where one is not lost, and if one repeats."""
    worst = -math.inf
    repeats = False
    child = visits[0] + 1
    while child < visits[1]:
        if nodes.is_visit[child]:
            lost = float(plies.lost[nodes.ply[child]])
            if lost != lost:
                return math.nan, False
            worst = max(worst, lost)
            repeats = repeats or bool(plies.repeats[nodes.ply[child]])
        child = int(nodes.end[child])
    return worst, repeats
