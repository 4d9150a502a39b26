"""The alignment of two trees by plies, in one pass over the rows, without a table of paths.

Under two aligned nodes, visits of one ply and purpose are paired in the order searched; the rest is paired by
ply alone, so a scout of one run may be paired with the full search of the other. Null moves, probes and stubs
are paired only with their like, stubs by outcome. Each ply has one number in both trees, so only a list of
visits a number is kept, and the time is linear in the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.kernel_call import Work, say_nothing, way_for
from plyscope.visualizer.analysis.diff.compared_trees import Numbering, Side, Sides
from plyscope.visualizer.store import words

Rows = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

N_PURPOSES: Final = len(words.PURPOSES)
N_STUBS: Final = len(words.OUTCOMES) - words.FIRST_STUB


class Alignment(NamedTuple):
    """The pairs of aligned rows of two trees; rows count from the root of their tree."""

    to_new: Rows
    """The new row beside each old one, -1 where there is none."""
    to_old: Rows
    place: Rows
    """For each old row whose parent is aligned: the new row before which it would stand; else -1."""
    known_old: Flags
    """True for old rows whose ply was visited under the new parent, if less often."""
    known_new: Flags


class _Rows(NamedTuple):
    """The rows of one tree for the pass: `what` numbers plies, probes, stubs, null moves."""

    end: Rows
    what: Rows
    purpose: npt.NDArray[np.uint8]


class _Lists(NamedTuple):
    """Lists of new children by (what, purpose); each is valid where its stamp is the old parent's row."""

    stamp: Rows
    first: Rows
    """Each list is emptied from its front."""
    last: Rows
    old_stamp: Rows
    """By what: the last old parent that had such a child."""
    following: Rows
    """By new row: the next of its list."""


def align(
    sides: Sides,
    numbering: Numbering,
    compiled: bool | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Alignment:
    """Align two trees by their paths.

    `compiled`: where it is None the size of the trees decides. `on_progress` hears 0 where the kernel has to
    be compiled first.
    """
    old, new = (_size(side) for side in (sides.old, sides.new))
    found = Alignment(
        np.full(old, -1, np.int32),
        np.full(new, -1, np.int32),
        np.full(old, -1, np.int32),
        np.zeros(old, np.bool_),
        np.zeros(new, np.bool_),
    )
    n_loose = _n_loose(numbering.n_plies)
    n_exact = n_loose * N_PURPOSES
    lists = _Lists(
        stamp=np.full(n_exact, -1, np.int32),
        first=np.empty(n_exact, np.int32),
        last=np.empty(n_exact, np.int32),
        old_stamp=np.full(n_loose, -1, np.int32),
        following=np.empty(new, np.int32),
    )
    work = Work(way_for(old + new) if compiled is None else compiled, on_progress or say_nothing)
    old_rows = _rows(sides.old, numbering.old, numbering.n_plies)
    work.run(align_rows)(old_rows, _rows(sides.new, numbering.new, numbering.n_plies), lists, found)
    return found


def _size(side: Side) -> int:
    return side.end - side.root


def _rows(side: Side, plies: Rows, n_plies: int) -> _Rows:
    ends = side.log.columns["end"][side.root : side.end] - np.int32(side.root)
    return _Rows(np.asarray(ends, np.int32), _loose(side, plies, n_plies), _purposes(side))


def _n_loose(n_plies: int) -> int:
    """Numbers of kinds of rows: a ply, a probe of it, a stub by outcome, a null move."""
    return 2 * (n_plies + 1) + N_STUBS + 1


def _loose(side: Side, plies: Rows, n_plies: int) -> Rows:
    """The number of each row's ply, with probes, null moves and stubs apart; other purposes share one."""
    ply = side.log.columns["ply"][side.root : side.end]
    what = plies[ply]
    purpose = side.column("purpose")
    if purpose is not None:
        what = np.where(purpose == words.PROBE, what + n_plies + 1, what)
        what = np.where(purpose == words.NULL, 2 * (n_plies + 1) + N_STUBS, what)
    outcome = side.log.columns["outcome"][side.root : side.end].astype(np.int32)
    is_stub = outcome >= words.FIRST_STUB
    what = np.where(is_stub, 2 * (n_plies + 1) + outcome - words.FIRST_STUB, what)
    return np.ascontiguousarray(what, np.int32)


def _purposes(side: Side) -> npt.NDArray[np.uint8]:
    purpose = side.column("purpose")
    if purpose is None:
        return np.zeros(_size(side), np.uint8)
    return np.ascontiguousarray(purpose, np.uint8)


@kernel
def align_rows(old: _Rows, new: _Rows, lists: _Lists, found: Alignment) -> None:
    """Fill `found`."""
    stamp, first, last, following = lists.stamp, lists.first, lists.last, lists.following
    to_new, to_old = found.to_new, found.to_old
    to_new[0] = 0
    to_old[0] = 0
    for parent in range(len(old.end)):
        other = to_new[parent]
        if other < 0 or (old.end[parent] == parent + 1 and new.end[other] == other + 1):
            continue
        child = other + 1
        while child < new.end[other]:
            what = new.what[child] * N_PURPOSES + new.purpose[child]
            following[child] = -1
            if stamp[what] != 2 * parent:
                stamp[what] = 2 * parent
                first[what] = child
            else:
                following[last[what]] = child
            last[what] = child
            child = new.end[child]
        child = parent + 1
        while child < old.end[parent]:
            what = old.what[child] * N_PURPOSES + old.purpose[child]
            if stamp[what] == 2 * parent and first[what] >= 0:
                other_child = first[what]
                first[what] = following[other_child]
                to_new[child] = other_child
                to_old[other_child] = child
            child = old.end[child]
        # Those left over, by ply alone: `first` of the lists is -1 where a ply has no visit left.
        child = other + 1
        while child < new.end[other]:
            what = new.what[child] * N_PURPOSES
            if stamp[what] != 2 * parent + 1:
                stamp[what] = 2 * parent + 1
                first[what] = -1
            if to_old[child] < 0:
                following[child] = -1
                if first[what] < 0:
                    first[what] = child
                else:
                    following[last[what]] = child
                last[what] = child
            child = new.end[child]
        before = other + 1
        child = parent + 1
        while child < old.end[parent]:
            what = old.what[child] * N_PURPOSES
            lists.old_stamp[old.what[child]] = parent
            if to_new[child] < 0 and stamp[what] == 2 * parent + 1:
                found.known_old[child] = True
                if first[what] >= 0:
                    other_child = first[what]
                    first[what] = following[other_child]
                    to_new[child] = other_child
                    to_old[other_child] = child
            if to_new[child] >= 0:
                before = new.end[to_new[child]]
            found.place[child] = before
            child = old.end[child]
        child = other + 1
        while child < new.end[other]:
            if to_old[child] < 0:
                found.known_new[child] = lists.old_stamp[new.what[child]] == parent
            child = new.end[child]
