"""Cutting arriving bytes into complete parts: lines of JSON Lines, chunks of a compact log."""

from __future__ import annotations

import struct
from typing import Final, Literal

from plyscope.visualizer.formats.binary.chunks import (
    CHUNK_HEADER_BYTES,
    HEADER_BYTES,
    KINDS,
    MARK,
    ORDER,
    PRIVATE_KIND,
)
from plyscope.visualizer.formats.errors import TooLarge

LONGEST_LINE: Final = 16 * 2**20
"""The most bytes of a line; data without a line end by then is no log."""
LARGEST_CHUNK: Final = 2**28
"""The most bytes of a chunk, by the size that it states."""


class WholeParts:
    """Keeps the incomplete part at the end. The first bytes show the form of the log.

    >>> parts = WholeParts()
    >>> parts.add(b'{"id": 1}'), parts.add(bytes([10]) + b'{"id"'), len(parts)
    (b'', b'{"id": 1}\\n', 5)
    """

    def __init__(self) -> None:
        self.is_binary: bool | None = None
        """Whether it is a compact log; None while too little has come."""
        self.order: Literal["<", ">"] = "<"
        """In which the bytes of its numbers stand."""
        self._waiting = bytearray()
        self._n_wanted = HEADER_BYTES
        """So many bytes have to wait before one more chunk is whole."""
        self._is_begun = False

    def __len__(self) -> int:
        """The number of waiting bytes."""
        return len(self._waiting)

    @property
    def n_awaited(self) -> int:
        """The stated size of the incomplete chunk; 0 where its size has not come."""
        return self._n_wanted if self._n_wanted > HEADER_BYTES and len(self._waiting) else 0

    def rest(self) -> bytes:
        """The waiting bytes."""
        return bytes(self._waiting)

    def add(self, data: bytes) -> bytes:
        """The parts that `data` completes; bytes that can be no chunk are returned as well.

        Raises TooLarge for a line or a chunk that is too long to be one.
        """
        self._waiting += data
        if self.is_binary is None:
            start = self._waiting[: len(MARK)]
            if len(start) < len(MARK) and MARK.startswith(start):
                return b""
            self.is_binary = start == MARK
        end = self._end_of_chunks() if self.is_binary else self._waiting.rfind(b"\n") + 1
        whole = bytes(memoryview(self._waiting)[:end])
        del self._waiting[:end]
        if not self.is_binary and len(self._waiting) > LONGEST_LINE:
            raise TooLarge(f"a line has more than {LONGEST_LINE:,} bytes, expected a line a node")
        return whole

    def _end_of_chunks(self) -> int:
        waiting, at = self._waiting, 0
        if len(waiting) < self._n_wanted:
            return 0
        if not self._is_begun:
            self._is_begun, at = True, HEADER_BYTES
            self.order = "<" if struct.unpack_from("<I", waiting, 8)[0] == ORDER else ">"
        while len(waiting) - at >= CHUNK_HEADER_BYTES:
            kind, size = struct.unpack_from(f"{self.order}4sI", waiting, at)
            if kind not in KINDS and not PRIVATE_KIND.fullmatch(kind):
                # Zeros may be bytes that the system has not written yet; for others a reader gives the error.
                return at if kind[0] == 0 and not waiting[at:].strip(b"\0") else len(waiting)
            if size > LARGEST_CHUNK:
                raise TooLarge(f"a chunk has {size:,} bytes, expected at most {LARGEST_CHUNK:,}")
            end = at + CHUNK_HEADER_BYTES + size
            if end > len(waiting):
                self._n_wanted = end - at
                return at
            at = end
        self._n_wanted = CHUNK_HEADER_BYTES
        return at
