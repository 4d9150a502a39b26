"""Proofs of wins and losses under a branching limit, found by the search itself.

A win is proven through a best ply of the winner and all plies of the loser, none of them left out. So each
visit that returns a win or a loss records whether that is proven, as does the table. Where it is not, the
positions on the proof in which the loser's replies were limited are noted by their keys. The next search
keeps these at full width: the kept plies remain a function of the position.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from plyscope.engine.alphabeta.stack import Stack
from plyscope.engine.game import DRAWN, ONGOING, SCORED, Array
from plyscope.engine.jit import kernel
from plyscope.engine.record.rows import EXACT, LOWER, UPPER

MOST_NOTES: Final = 1 << 16
"""Positions noted in one tree; those of a larger proof are noted when it is searched again."""


def is_proven(stack: Stack, count: Any, threshold: float) -> bool:
    """Whether the tree just searched proves each win and loss among the plies that it ranks.

    Where even the best ply loses, so do all plies of the root, and none may be left out.
    """
    ranked = stack.ranked[: int(count["n_ranked"])]
    if (~ranked["proven"] & (np.abs(ranked["score"]) >= threshold)).any():
        return False
    return bool(count["proven"]) or not (ranked["score"][:1] <= -threshold).any()


def with_noted(full: Array, stack: Stack, count: Any) -> Array:
    """The sorted keys of `full` and those that the tree just searched has noted."""
    return np.union1d(full, stack.notes[: int(count["n_notes"])])


@kernel
def is_full_width(full: Array, key: int) -> bool:
    """Whether `key` is among the sorted keys of positions whose plies are all kept.

    >>> keys = np.array([3, 5, 9], np.uint64)
    >>> [bool(is_full_width(keys, key)) for key in (2, 3, 5, 8, 9, 10)]
    [False, True, True, False, True, False]
    """
    low = 0
    high = len(full)
    while low < high:
        middle = (low + high) // 2
        if full[middle] < key:
            low = middle + 1
        else:
            high = middle
    return bool(low < len(full) and full[low] == key)


@kernel
def is_trusted(option: Any, entry: Any) -> bool:
    """Whether a table entry may end a visit: in a tree searched again, no win or loss that is not proven."""
    return not option["distrusts"] or entry["proven"] or abs(entry["score"]) < option["mate_threshold"]


@kernel
def is_won_or_lost(status: int) -> bool:
    """Whether the game is over and somebody has won."""
    return status not in (ONGOING, SCORED, DRAWN)


@kernel
def fold_proof(option: Any, stack: Stack, counts: Array, level: int, score: float) -> None:
    """Fold the proof of the child just left into its parent at `level`, before its score.

    These notes below the parent stay: for a win, those of the best ply; for a loss, those of all plies. A
    root that ranks several plies keeps the notes of each that wins or loses.
    """
    frame = stack.frames[level]
    count = counts[0]
    threshold = option["mate_threshold"]
    worth = score if frame["maximizes"] else -score
    best = frame["best"] if frame["maximizes"] else -frame["best"]
    keeps_all = level == 0 and len(stack.ranked) > 1
    if worth >= threshold:
        if worth > best or (worth == best and count["proven"] and not frame["proven"]):
            frame["proven"] = count["proven"]
            if not keeps_all:
                keep_last_notes(frame, stack, counts)
        elif not keeps_all:
            count["n_notes"] = frame["child_note"]
    elif worth <= -threshold and best <= -threshold:
        frame["proven"] = frame["proven"] and count["proven"]
    elif not keeps_all:
        count["n_notes"] = frame["child_note"] if best >= threshold else frame["first_note"]


@kernel
def keep_last_notes(frame: Any, stack: Stack, counts: Array) -> None:
    """Keep only those notes below the node that are below the child just left."""
    first = frame["first_note"]
    n_notes = counts[0]["n_notes"] - frame["child_note"]
    for i in range(n_notes):
        stack.notes[first + i] = stack.notes[frame["child_note"] + i]
    counts[0]["n_notes"] = first + n_notes


@kernel
def leave_proof(option: Any, stack: Stack, counts: Array, level: int, score: float, bound: int) -> None:
    """Say whether the node at `level`, left with `score`, is proven won or lost; note it if limited."""
    frame = stack.frames[level]
    count = counts[0]
    threshold = option["mate_threshold"]
    wins = score >= threshold and bound in (EXACT, LOWER)
    loses = score <= -threshold and bound in (EXACT, UPPER)
    if not wins and not loses:
        count["proven"] = False
        if not (level == 0 and len(stack.ranked) > 1):  # such a root keeps the notes of each ply
            count["n_notes"] = frame["first_note"]
        return
    count["proven"] = frame["proven"]
    if frame["n_kept"] < frame["n_moves"] and wins != frame["maximizes"]:
        count["proven"] = False
        if count["n_notes"] < len(stack.notes):
            stack.notes[count["n_notes"]] = frame["key"]
            count["n_notes"] += 1
