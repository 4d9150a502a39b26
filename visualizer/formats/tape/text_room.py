"""A buffer of concatenated texts, in memory or in a file without a name.

Texts in memory must be copied to the disk later, and touching fresh memory costs as much as the copy. A file
without a name gets one if the log is kept; otherwise it is gone with its process.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.mapped import UnnamedFile

Array = npt.NDArray[Any]


class TextRoom:
    """A buffer for `n_bytes` of texts, in a file where there is a `folder`; unused bytes take no memory.

    Texts that do not fit get memory of their own.
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
        """An array for the next text, behind the last one if it fits there; valid until the next call."""
        if n_bytes > len(self._bytes) - self._end:
            return np.empty(n_bytes, dtype=np.uint8)
        if self._file is None:
            return self._bytes[self._end : self._end + n_bytes]
        if len(self._room) < n_bytes:
            self._room = np.empty(n_bytes, dtype=np.uint8)
        return self._room[:n_bytes]

    def keep(self, text: Array) -> Array:
        """Keep a text written at the begin of the last `room`; returns where it lies now. Raises OSError."""
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
        """The concatenated texts and their file, or None if any of the `n_texts` did not fit here."""
        if n_texts != self._n_kept:
            return None
        if self._file is not None:
            self._file.truncate(self._end)
        return self._bytes[: self._end], self._file
