"""path-key: the same plies lead to the same position, and a node is left at the one it was entered at."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from plyscope.visualizer.analysis.check.facts.children import text_of_key, visits_of
from plyscope.visualizer.analysis.check.facts.masks import Mask, Rows, codes, every
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.keys.key_pass import path_flags, position_flags
from plyscope.visualizer.analysis.check.rules.keys.paths import MET_KEY, OTHER_KEY
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import shortened
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree


class Found(NamedTuple):
    """The rows that break each part of the rule, ascending."""

    keys: Rows
    positions: Rows


_found: WeakKeyDictionary[Log, Found] = WeakKeyDictionary()


def find(sight: Sight, work: Work) -> Rows:
    """The rows whose key or position is another than at the first visit by the same plies, or on leaving."""
    every_row = every(sight)
    found = Found(
        np.flatnonzero((path_flags(sight, work) & OTHER_KEY > 0) | is_left_elsewhere(sight)),
        np.flatnonzero(
            (position_flags(sight, work) & OTHER_KEY > 0) | (codes(sight.left_position, every_row, -1) >= 0)
        ),
    )
    _found[sight.log] = found
    return np.union1d(*found)


def is_left_elsewhere(sight: Sight) -> Mask:
    """Rows that state a key on leaving which is not the one on entry."""
    left = codes(sight.left_key, every(sight), -1)
    found = np.asarray(left >= 0)
    for row in np.flatnonzero(found).tolist():
        found[row] = sight.log.text(int(left[row])) != text_of_key(sight, row)
    return found


def _has_judged(sight: Sight, work: Work) -> bool:
    met = path_flags(sight, work) | position_flags(sight, work)
    return bool((met & MET_KEY).any()) or len(sight.left_key) > 0 or len(sight.left_position) > 0


def is_odd(sight: Sight, rows: Rows) -> Mask:
    """Only the text of a position differs, and the game may hide something or roll dice."""
    is_hidden = sight.best_first or bool((sight.layer == words.CHANCE).any())
    return ~np.isin(rows, _found[sight.log].keys) & is_hidden


def _first_visit(sight: Sight, row: int, states: Mask) -> int:
    """The first row of those that the same plies from a root lead to, and that states what is compared."""
    plies = [int(sight.ply[each]) for each in Tree(sight.log).path(row)]
    rows = [int(root) for root in sight.roots if sight.ply[root] == plies[0]]
    for ply in plies[1:]:
        rows = [child for each in rows for child in visits_of(sight, each, ply)]
    return next(each for each in sorted(rows) if states[each])


def _figures(sight: Sight, row: int) -> Figures:
    found = _found[sight.log]
    is_key = row in found.keys
    what = "key" if is_key else "position"
    stated, left = (sight.key, sight.left_key) if is_key else (sight.position, sight.left_position)
    here = _told(sight, row, is_key)
    if len(left) and left[row] >= 0:
        there = sight.log.text(int(left[row])) or ""
        if there != here:
            expected, other = shortened(here, there), shortened(there, here)
            message = (
                f"The node was entered with the {what} {expected} and left with {other}: a ply below it was "
                "not taken back."
            )
            return Figures(expected, other, message)
    states = sight.given & GIVEN["key"] > 0 if is_key else stated >= 0
    first = _first_visit(sight, row, states)
    there = _told(sight, first, is_key)
    expected, other = shortened(there, here), shortened(here, there)
    number = int(sight.log.columns["id"][first])
    message = f"The {what} here is {other}, but the same plies led to {expected} at node {number}."
    return Figures(expected, other, message, (first,))


def _told(sight: Sight, row: int, is_key: bool) -> str:
    return text_of_key(sight, row) if is_key else sight.log.text(int(sight.position[row])) or ""


RULE = Rule(
    "path-key",
    "wrong",
    ("key|position", "ply"),
    _figures,
    has_judged=_has_judged,
    find=find,
    is_odd=is_odd,
)
