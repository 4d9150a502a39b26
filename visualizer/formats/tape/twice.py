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
NOWHERE: Final = -2


@kernel
def find_twice(
    key: Array,
    up: Array,
    base: int,
    above: Array,
    last: Array,
    saved: Array,
    n_saved: int,
) -> int:
    """Find a name that comes again in one container; returns the number of saved entries, -1 if there is one.

    above   by depth, the numbers of containers of earlier pieces
    last    by name the last container that had it, of open ones the innermost, or NOWHERE
    saved   entries of `last` to be restored: name, container before, container
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
            last[saved[n_saved, 0]] = saved[n_saved, 1]
        name = key[i]
        if name < 0:
            continue
        if last[name] == number:
            return -1
        if last[name] != NOWHERE:
            saved[n_saved, 0] = name
            saved[n_saved, 1] = last[name]
            saved[n_saved, 2] = number
            n_saved += 1
        last[name] = number
    return n_saved


class Twice:
    """Looks for a name that comes twice in one container, piece by piece of a tape."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._above = np.zeros(LEAST, np.int64)
        self._last = np.zeros(0, np.int64)
        self._saved, self._n_saved = np.zeros((0, 3), np.int64), 0

    def is_in(self, piece: Piece, n_names: int) -> bool:
        """Whether the next piece, or one before, has such a name; the tape has `n_names` so far."""
        if self._n_saved < 0:
            return True
        if n_names > len(self._last):
            n_known, self._last = len(self._last), with_room(self._last, n_names)
            self._last[n_known:] = NOWHERE
        self._saved = with_room(self._saved, self._n_saved + len(piece))
        of_piece = piece.key, piece.up, piece.base
        self._n_saved = int(
            self._run(find_twice)(*of_piece, self._above, self._last, self._saved, self._n_saved)
        )
        for depth, row in piece.left_open.items():
            self._above = with_room(self._above, depth + 1)
            self._above[depth] = piece.base + row
        return self._n_saved < 0
