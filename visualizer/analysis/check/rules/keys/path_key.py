"""Rule `path-key`: the same plies lead to the same position, and a node is left as it was entered.

What the same plies lead to is one place, and the first row there is its first visit. The children of a later
visit are looked up among the children that the place had so far: those of the first visit, then those that
other visits added. Later visits have nearly the same plies in nearly the same order, so a lookup reads a few
rows that lie together. Only of a place with many children they are in a hash table.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import text_of_key, visits_of
from plyscope.visualizer.analysis.check.facts.judged import Mask, Rows, codes, every
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.keys.key_pass import has_key, kept, n_slots, spread
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import is_stub
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.digits import shortened
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

OTHER_KEY: Final = 1
"""An earlier visit of the path had another key."""
MET_KEY: Final = 2
"""An earlier visit of the path has a key."""

CHUNK: Final = 1 << 18
"""Rows compared between two reports of progress."""
MOST_STEPS: Final = 64
"""Children of one node that are read one after the other."""
HASHED: Final = -1
_PLY_BITS: Final = 31


class Places(NamedTuple):
    """The places that paths lead to, each known by its first row; an entry a row unless stated otherwise."""

    first: Array
    """The first row that the same plies lead to; -1 where a ply of them is not stated."""
    added: Array
    """Of a first row: 1 + the last child that later visits added, 0 for none; HASHED: see `table`."""
    next: Array
    """Of an added child: 1 + the one added before, 0 for none."""
    keyed: Array
    """Of a first row without a key: 1 + the first visit that has one, 0 for none."""
    slot: Array
    """By ply, an index into the log's texts: the child of that ply in the place that `stamp` names."""
    stamp: Array
    """By ply: 1 + the row whose children are being looked up."""
    of_roots: Array
    """By 1 + the ply of a root: 1 + the first such root."""
    table: Array
    """A hash table of children: 1 + the first row of each. Its length is a power of two."""


def flags_by_path(sight: Sight, work: Work) -> Array:
    """Return one byte a row: OTHER_KEY, MET_KEY."""
    n_rows, n_texts = sight.n_rows, len(sight.log.texts)
    flags = np.zeros(n_rows, np.uint8)
    if len(sight.key) == 0 or len(sight.ply) == 0:
        return flags
    of_rows = work.scratch.take(*[(n_rows, np.int32)] * 3)
    for each in of_rows[1:]:
        each[:] = 0
    # What is not written costs no memory: nearly all of `keyed` and `table`.
    places = Places(
        first=of_rows[0],
        added=of_rows[1],
        next=of_rows[2],
        keyed=np.zeros(n_rows, np.int32),
        slot=np.zeros(n_texts, np.int32),
        stamp=np.zeros(n_texts, np.int32),
        of_roots=np.zeros(n_texts + 1, np.int32),
        table=np.zeros(n_slots(n_rows), np.int32),
    )
    meet = work.run(meet_paths)
    for first in range(0, n_rows, CHUNK):
        work.go_on(first / n_rows)
        meet(sight, places, first, min(first + CHUNK, n_rows), MOST_STEPS, flags)
    work.go_on(1.0)
    return flags


def path_flags(sight: Sight, work: Work) -> Array:
    """One byte a row: OTHER_KEY."""
    return kept(sight, work, flags_by_path)


def position_flags(sight: Sight, work: Work) -> Array:
    """The same of positions that are written as texts."""
    return kept(sight, work, flags_by_position)


def flags_by_position(sight: Sight, work: Work) -> Array:
    """Compute the flags of `position_flags`: a position is compared as keys are."""
    if len(sight.position) == 0:
        return np.zeros(sight.n_rows, np.uint8)
    is_stated = sight.position >= 0
    given = np.where(is_stated, np.uint16(GIVEN["key"]), np.uint16(0))
    key = np.where(is_stated, sight.position, 0).astype(np.uint64)
    for each in (given, key):
        each.flags.writeable = False  # as compiled kernels meet a log's own
    return flags_by_path(sight._replace(key=key, given=given), work)


@kernel
def meet_paths(sight: Sight, places: Places, first: int, last: int, most_steps: int, flags: Array) -> None:
    """Compare the roots, and the children of the rows, in [first, last); earlier rows were before.

    A place of which more than `most_steps` children were read for each one to be found goes into the hash
    table.
    """
    for row in range(first, last):
        if is_stub(sight, row):
            places.first[row] = -1
        elif sight.parent[row] < 0:
            root = places.of_roots[int(sight.ply[row]) + 1] - 1
            if root < 0:
                root = row
                places.of_roots[int(sight.ply[row]) + 1] = row + 1
            settle(sight, places, row, root, flags)
        if sight.end[row] > row + 1:
            meet_children(sight, places, row, most_steps, flags)


@kernel
def meet_children(sight: Sight, places: Places, row: int, most_steps: int, flags: Array) -> None:
    """Find the first visit of each child of `row`, whose own is known."""
    place = int(places.first[row])
    is_again = place >= 0 and place != row
    natural, end = place + 1, int(sight.end[place]) if is_again else 0
    added = int(places.added[place]) if is_again else 0
    n_steps = n_found = 0
    child = row + 1
    while child < sight.end[row]:
        ply = int(sight.ply[child])
        if place < 0 or ply < 0 or is_stub(sight, child):
            places.first[child] = -1
            child = int(sight.end[child])
            continue
        if is_again and places.stamp[ply] != row + 1:
            if places.added[place] == HASHED:
                at = slot_of(sight, places, place, ply)
                if places.table[at] == 0:
                    places.table[at] = child + 1
                stamp(places, row, ply, int(places.table[at]) - 1)
            while places.stamp[ply] != row + 1 and natural < end:
                stamp_known(sight, places, row, natural)
                natural = int(sight.end[natural])
                n_steps += 1
            while places.stamp[ply] != row + 1 and added > 0:
                stamp_known(sight, places, row, added - 1)
                added = int(places.next[added - 1])
                n_steps += 1
            if places.stamp[ply] != row + 1:
                places.next[child] = places.added[place]
                places.added[place] = child + 1
        if places.stamp[ply] != row + 1:
            stamp(places, row, ply, child)
        settle(sight, places, child, int(places.slot[ply]), flags)
        n_found += 1
        if n_steps > most_steps * n_found:
            hash_children(sight, places, place)
            n_steps = 0
            natural = end
            added = 0
        child = int(sight.end[child])


@kernel
def stamp(places: Places, row: int, ply: int, first: int) -> None:
    """Note the first visit of a ply below `row`."""
    places.stamp[ply] = row + 1
    places.slot[ply] = first


@kernel
def stamp_known(sight: Sight, places: Places, row: int, known: int) -> None:
    """Note the first visit of the ply of `known`, a child that the place of `row` had before."""
    if places.first[known] >= 0:
        stamp(places, row, int(sight.ply[known]), int(places.first[known]))


@kernel
def settle(sight: Sight, places: Places, row: int, first: int, flags: Array) -> None:
    """Write the first visit of a row, and compare its key with the first key there."""
    places.first[row] = first
    if row == first or not has_key(sight, row):
        return
    keyed = first if has_key(sight, first) else int(places.keyed[first]) - 1
    if keyed < 0:
        places.keyed[first] = row + 1
        return
    flags[row] |= MET_KEY
    if sight.key[keyed] != sight.key[row]:
        flags[row] |= OTHER_KEY


@kernel
def hash_children(sight: Sight, places: Places, place: int) -> None:
    """Put the children that a place has so far into the hash table."""
    child = place + 1
    while child < sight.end[place]:
        if places.first[child] == child:
            places.table[slot_of(sight, places, place, int(sight.ply[child]))] = child + 1
        child = int(sight.end[child])
    added = int(places.added[place])
    while added > 0:
        places.table[slot_of(sight, places, place, int(sight.ply[added - 1]))] = added
        added = int(places.next[added - 1])
    places.added[place] = HASHED


@kernel
def slot_of(sight: Sight, places: Places, place: int, ply: int) -> int:
    """Return the slot of a child of a place in the hash table, an empty one if it is not there."""
    mask = len(places.table) - 1
    slot = spread(place << _PLY_BITS | ply) & mask
    while places.table[slot] != 0:
        child = int(places.table[slot]) - 1
        if sight.ply[child] == ply and places.first[sight.parent[child]] == place:
            break
        slot = (slot + 1) & mask
    return int(slot)


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
    """The first row with the same plies from its root that states the compared field."""
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
