"""Names that come twice in one object: the later value hides the first."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.tape.tape import Piece, Run
from plyscope.visualizer.formats.tape.texts import with_room

Array = npt.NDArray[Any]

LEAST: Final = 64
NOWHERE, REPORTED = -2, -3


@kernel
def find_twice(
    key: Array,
    up: Array,
    begin: Array,
    base: int,
    above: Array,
    begin_above: Array,
    last: Array,
    saved: Array,
    n_saved: int,
    found: Array,
    n_found: int,
    counts: Array,
) -> int:
    """Find names that come again in one container; returns the number of names found so far.

    above, begin_above  by depth, the numbers and begins of containers of earlier pieces
    last                by name the last container that had it, of open ones the innermost; NOWHERE, REPORTED
    saved               entries of `last` to be restored: name, container before, container
    found               gets the names that come twice, and the begin of the first container of each
    counts              gets the number of saved entries
    """
    for i in range(len(key)):
        holder = up[i]
        number = -1
        if holder >= 0:
            number = base + holder
        elif holder < -1:
            number = above[-2 - holder]
        while n_saved > 0 and saved[n_saved - 1, 2] > number:
            n_saved -= 1
            if last[saved[n_saved, 0]] != REPORTED:
                last[saved[n_saved, 0]] = saved[n_saved, 1]
        name = key[i]
        if name < 0 or last[name] == REPORTED:
            continue
        if last[name] == number:
            last[name] = REPORTED
            found[n_found, 0] = name
            found[n_found, 1] = begin[holder] if holder >= 0 else begin_above[-2 - holder]
            n_found += 1
            continue
        if last[name] != NOWHERE:
            saved[n_saved, 0] = name
            saved[n_saved, 1] = last[name]
            saved[n_saved, 2] = number
            n_saved += 1
        last[name] = number
    counts[0] = n_saved
    return n_found


class Twice:
    """Collects the names that come twice in one container, piece by piece of a tape."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._above, self._begin_above = np.zeros(LEAST, np.int64), np.zeros(LEAST, np.int64)
        self._last = np.zeros(0, np.int64)
        self._saved, self._found = np.zeros((0, 3), np.int64), np.zeros((0, 2), np.int64)
        self._counts = np.zeros(1, np.int64)
        self.n_found = 0

    def take(self, piece: Piece, n_names: int) -> None:
        """Look at the names of a piece; the tape has `n_names` so far."""
        n = len(piece)
        if n_names > len(self._last):
            n_known, self._last = len(self._last), with_room(self._last, n_names)
            self._last[n_known:] = NOWHERE
        self._found = with_room(self._found, self.n_found + n)
        self._saved = with_room(self._saved, int(self._counts[0]) + n)
        self.n_found = int(
            self._run(find_twice)(
                piece.key,
                piece.up,
                piece.begin,
                piece.base,
                self._above,
                self._begin_above,
                self._last,
                self._saved,
                int(self._counts[0]),
                self._found,
                self.n_found,
                self._counts,
            )
        )
        for depth, row in piece.left_open.items():
            self._above = with_room(self._above, depth + 1)
            self._begin_above = with_room(self._begin_above, depth + 1)
            self._above[depth], self._begin_above[depth] = piece.base + row, piece.begin[row]

    def names(self) -> list[tuple[int, int]]:
        """The names that came twice, in order of finding, and the begin of the first container of each."""
        return [(name, begin) for name, begin in self._found[: self.n_found].tolist()]
