"""The whole lines of a file that grows, or the whole chunks of a compact log, taken as they come."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.formats.following.growing_nodes import GrowingNodes
from plyscope.visualizer.formats.following.growing_records import GrowingRecords
from plyscope.visualizer.formats.following.whole_parts import WholeParts
from plyscope.visualizer.shelf.follow import warm_up
from plyscope.visualizer.shelf.follow.growing import RunSoFar
from plyscope.visualizer.shelf.follow.growing_file import GrowingFile, refuse_others

PIECE_BYTES: Final = 2**21
LARGE_CHUNK_BYTES: Final = 2**26
"""A chunk that states to be larger is reported while it is awaited: its size may be wrong."""
KERNELS_FROM_BYTES: Final = 2**20
"""The size from which on logs are read by kernels, which have to be loaded first."""

Growing = GrowingNodes | RunSoFar
"""A log that grows while it is followed: lines or chunks are taken of it, or it is a search of ours."""


class Intake:
    """The log of a file as far as it was read; `log` is given where it grows by itself, without a file."""

    def __init__(self, path: Path, name: str, *, is_file: bool, log: Growing | None = None) -> None:
        self.log: Growing = log or GrowingLog()
        self.file = GrowingFile(path)
        self.parts = WholeParts()
        self.n_taken = 0
        """Bytes of what was taken."""
        self.has_own_ids = True
        self._name, self._is_file = name, is_file

    def read(self) -> tuple[int, bool]:
        """Read the appended bytes; returns their number, and whether they completed a part."""
        data = self.file.more(PIECE_BYTES)
        whole = self.parts.add(data)
        if whole:
            self._take(whole)
        return len(data), bool(whole)

    def _take(self, whole: bytes) -> None:
        """Take whole lines, or the whole chunks of a compact log."""
        if not self.log.n_lines:
            if self.parts.is_binary:
                self.log = self.log if isinstance(self.log, GrowingRecords) else GrowingRecords()
            else:
                whole = whole.removeprefix(b"\xef\xbb\xbf")
                refuse_others(whole, self._name, is_file=self._is_file)
        assert isinstance(self.log, GrowingNodes)
        self._use_kernels(self.log)
        try:
            self.log.take(whole)
        finally:
            self.n_taken = self.file.offset - len(self.parts)
        self.has_own_ids = self.log.has_own_ids

    def _use_kernels(self, log: GrowingNodes) -> None:
        """Use kernels as soon as they are loaded; a small log does not need them."""
        if log.run is None and warm_up.is_ready():
            from plyscope.engine.jit import compiled

            log.run = compiled
        elif log.run is None and self.file.offset > KERNELS_FROM_BYTES:
            warm_up.begin()

    def as_json(self, *, is_left: bool) -> dict[str, Any]:
        """The rest that is not taken of the file yet; `is_left` by the program that wrote it."""
        answer: dict[str, Any] = {}
        if self.log.n_waiting:
            answer["waiting"] = self.log.n_waiting
        if (behind := self.file.n_unread()) > PIECE_BYTES:
            answer["unread_bytes"] = behind
        if self.file.is_gone and self.file.seen is not None:
            answer["gone"] = True
        if (awaited := self.parts.n_awaited) > LARGE_CHUNK_BYTES:
            answer["chunk_bytes"], answer["chunk_came"] = awaited, len(self.parts)
        if is_left:
            answer["left"] = True
            if len(self.parts):
                answer["cut_bytes"] = len(self.parts)
        return answer
