"""Texts that are written one behind another: in memory, or in a file without a name.

What lies in memory has to be copied to the disk later, and memory that was never used costs as much as the
copy. A file without a name is given one where the log is kept; without one it is gone with its process.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.mapped import UnnamedFile

Array = npt.NDArray[Any]


class TextRoom:
    """Room for texts of so many bytes; what is not written takes none. In a file where there is a `folder`.

    What has no room lies elsewhere, in memory of its own.
    """

    def __init__(self, n_bytes: int, folder: Path | None = None) -> None:
        self._file = UnnamedFile.where_possible(folder, n_bytes)
        if self._file is None:
            self._bytes: Array = np.empty(n_bytes, dtype=np.uint8)
        else:
            self._bytes = np.frombuffer(self._file.mapped(n_bytes), dtype=np.uint8)
        self._room = np.empty(0, dtype=np.uint8)
        self._end = 0
        self._n_kept = 0

    def room(self, n_bytes: int) -> Array:
        """Room for so many bytes, behind the last text if there is as much; until the next is asked for."""
        if n_bytes > len(self._bytes) - self._end:
            return np.empty(n_bytes, dtype=np.uint8)
        if self._file is None:
            return self._bytes[self._end : self._end + n_bytes]
        if len(self._room) < n_bytes:
            self._room = np.empty(n_bytes, dtype=np.uint8)
        return self._room[:n_bytes]

    def keep(self, text: Array) -> Array:
        """Keep what was written at the begin of the room given out last. Raises OSError."""
        begin, end = self._end, self._end + len(text)
        if self._file is not None and text.base is self._room:
            self._file.write(text.data, begin)
            text = self._bytes[begin:end]
        elif text.base is not self._bytes:
            return text
        self._end = end
        self._n_kept += 1
        return text

    def all(self, n_texts: int) -> tuple[Array, UnnamedFile | None] | None:
        """All of the texts, end to end, if none of so many lies elsewhere, and the file that holds them."""
        if n_texts != self._n_kept:
            return None
        if self._file is not None:
            self._file.truncate(self._end)
        return self._bytes[: self._end], self._file
