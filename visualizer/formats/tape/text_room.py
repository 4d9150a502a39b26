"""A buffer of concatenated texts, in memory or in a file without a name.

Texts in memory must be copied to the disk later, and touching fresh memory costs as much as the copy. A file
without a name gets one if the log is kept; otherwise it is gone with its process.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.tape.texts import with_room
from plyscope.visualizer.store.mapped import UnnamedFile

Array = npt.NDArray[Any]


class TextRoom:
    """Texts one behind the other, about `n_bytes` of them, in a file where there is a `folder`."""

    def __init__(self, n_bytes: int, folder: Path | None = None) -> None:
        self._file = UnnamedFile.where_possible(folder, n_bytes)
        self._bytes: Array = np.empty(n_bytes if self._file is None else 0, dtype=np.uint8)
        """All texts, or room for the next one where there is a file."""
        self._end = 0

    def room(self, n_bytes: int) -> Array:
        """An array for the next text, valid until the next call."""
        begin = self._end if self._file is None else 0
        self._bytes = with_room(self._bytes, begin + n_bytes)
        return self._bytes[begin : begin + n_bytes]

    def keep(self, n_bytes: int) -> None:
        """Keep a text of so many bytes, written at the begin of the last `room`. Raises OSError."""
        if self._file is not None:
            self._file.write(self._bytes[:n_bytes].data, self._end)
        self._end += n_bytes

    def copied(self) -> TextRoom:
        """The texts so far in memory, which the two share."""
        copy = TextRoom(0)
        copy._bytes, copy._end = self.all()[0], self._end
        return copy

    def all(self) -> tuple[Array, UnnamedFile | None]:
        """The concatenated texts, and their file."""
        if self._file is None or not self._end:
            return self._bytes[: self._end], None
        self._file.truncate(self._end)
        return np.frombuffer(self._file.mapped(self._end), np.uint8), self._file
