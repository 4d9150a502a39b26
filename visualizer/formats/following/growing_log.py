"""JSON Lines that are being written: `take` gets lines as they come, `snapshot` seals the log so far."""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.growing_nodes import GrowingNodes
from plyscope.visualizer.formats.following.line_batch import LineBatch, LineReader, LinesSoFar
from plyscope.visualizer.formats.read.records import NO_PARENT, lacks_our_end

Array = npt.NDArray[Any]

BATCH_BYTES: Final = 2**21
"""The bytes that are read together, which bounds the time that one step holds the lock."""
FEW_BYTES: Final = 2**14
"""A piece with an odd line is parsed line by line if it is no longer than this; a longer one is split."""


class GrowingLog(GrowingNodes):
    """The nodes of the lines that have come so far.

    >>> log = GrowingLog()
    >>> log.take(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7, "score": 2}' + bytes([10]))
    >>> tree = log.snapshot()
    >>> tree.log.columns["id"].tolist(), tree.log.columns["end"].tolist()
    ([7, 9], [2, 2])
    """

    kind = "line"

    def __init__(self) -> None:
        super().__init__(no_parent=NO_PARENT)
        self._reader = LineReader()
        self._so_far = LinesSoFar()
        self._notices: dict[str, None] = {}

    @property
    def has_ended(self) -> bool:
        """Whether a result line came; its result may be null."""
        return self._so_far.results.has_ended

    @property
    def is_whole(self) -> bool:
        """Whether the log so far is a tree: if nothing more comes, the last snapshot is the whole log."""
        is_table = self.header is None and not self._parents.are_stated and self.n_nodes > 1
        return super().is_whole and not is_table

    @property
    def _needs_iterations(self) -> bool:
        return True

    @property
    def _is_cut_on_entry(self) -> bool:
        return lacks_our_end(self.header, has_ended=self.has_ended)

    def _fields_of_header(self) -> dict[str, Any]:
        header = dict(self.header or {})
        if self._so_far.results.result is not None:
            header["result"] = self._so_far.results.result
        return header

    def _said(self, *, is_final: bool = False) -> list[str]:
        so_far = self._so_far
        return [*self._notices, *so_far.results.notices(so_far.header, so_far.n_of_nodes, is_final=is_final)]

    @staticmethod
    def _error_at(places: Array, number: int, message: str, field: str) -> LogError:
        line = int(places[number]) if number < len(places) else None
        return LogError(message, line=line, path=f"$.{field}" if field else None)

    def take(self, data: bytes) -> None:
        """Take complete lines, each with its end; raises LogError with the first wrong line."""
        begin = 0
        if self.run is not None and self.header is None and not self.n_nodes:
            begin = data.find(b"\n") + 1
            self._take_by_library(data[:begin])  # the header
        while begin < len(data):
            end = len(data)
            if end - begin > BATCH_BYTES:
                end = data.rfind(b"\n", begin, begin + BATCH_BYTES) + 1 or data.find(b"\n", begin) + 1
            self._take_piece(data[begin:end])
            begin = end

    def _take_piece(self, data: bytes) -> None:
        if self.run is not None:
            batch = self._reader.by_tape(data, self._so_far, self.run)
            if batch is not None:
                self._take_batch(batch)
                return
            middle = data.rfind(b"\n", 0, len(data) // 2) + 1
            if middle and len(data) > FEW_BYTES:
                self._take_piece(data[:middle])
                self._take_piece(data[middle:])
                return
        self._take_by_library(data)

    def _take_by_library(self, data: bytes) -> None:
        try:
            batch = self._reader.by_library(data, self._so_far)
        except LogError as error:
            n_sound = (error.line or 0) - self._so_far.n_lines - 1
            if n_sound > 0:
                self._take_by_library(b"".join(line + b"\n" for line in data.split(b"\n")[:n_sound]))
            raise
        self._take_batch(batch)

    def _take_batch(self, batch: LineBatch) -> None:
        with self._lock:
            self._so_far, self.header = batch.so_far, batch.so_far.header
            self._notices |= dict.fromkeys(batch.notices)
            if len(batch.ids):
                self._take_nodes(batch)
            self.n_lines = batch.so_far.n_lines
