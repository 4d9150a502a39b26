"""The pass that proves wins and losses: rows in the order in which they were left, each from its children.

A node of the winner takes the best of its visits; a node of the loser the worst of its plies, only where all
legal ones were visited; a table row what the row that stored its entry has. One kernel, plain or compiled.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.seen.sight import Array
from plyscope.visualizer.store import words


class Steps(NamedTuple):
    """The rows in which a proof may go on, in the order in which they were left: an entry a row."""

    row: Array
    layer: Array
    moves: Array
    """Legal plies; -1 where they are not known."""
    source: Array
    """The row that stored the table entry, -1 where there is none."""
    later: Array
    """By how many plies the row is further from the root than its source."""


class Proven(NamedTuple):
    """What is proven of each row of the log, filled as the pass goes."""

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
def prove(
    steps: Steps,
    end: Array,
    ply: Array,
    is_visit: Array,
    proven: Proven,
    plies: Plies,
    mate_step: float,
    move: Array,
    least: float,
) -> None:
    """Prove what follows for the rows of `steps` from the finished games that `proven` holds.

    `move`, by row: how far a score was moved on the way up, empty where none was; a win is at least `least`.
    """
    for i in range(len(steps.row)):
        row = int(steps.row[i])
        source = int(steps.source[i])
        if source >= 0 and proven.score[source] == proven.score[source]:
            score = float(proven.score[source])
            # A win is as many plies later as the row is further from the root.
            shift = mate_step * steps.later[i]
            proven.score[row] = score - shift if score > 0 else score + shift
            proven.repeats[row] = True
            continue
        sign = 0.0
        if steps.layer[i] == words.MAX:
            sign = 1.0
        elif steps.layer[i] == words.MIN:
            sign = -1.0
        if sign == 0.0:
            continue
        # Seen from the mover from here on: a win above 0, a loss below.
        won = math.nan
        win_repeats = False
        n_plies = 0
        child = row + 1
        while child < end[row]:
            if is_visit[child]:
                at = int(ply[child])
                if plies.seen_at[at] != row:
                    plies.seen_at[at] = row
                    plies.lost[at] = math.nan
                    n_plies += 1
                score = sign * float(proven.score[child])
                if len(move) > 0 and move[child] != 0.0:
                    score += sign * float(move[child])
                    if abs(score) < least:
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
            child = int(end[child])
        if won > 0:
            proven.score[row] = sign * won
            proven.repeats[row] = win_repeats
            continue
        if n_plies == 0 or n_plies != steps.moves[i]:
            continue
        worst = -math.inf
        repeats = False
        child = row + 1
        while child < end[row]:
            if is_visit[child]:
                lost = float(plies.lost[ply[child]])
                if lost != lost:
                    worst = math.nan
                    break
                worst = max(worst, lost)
                repeats = repeats or bool(plies.repeats[ply[child]])
            child = int(end[child])
        if worst == worst:
            proven.score[row] = sign * worst
            proven.repeats[row] = repeats
