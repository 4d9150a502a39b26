"""Gzip, recognised by its first bytes and unpacked with a bound, so that a bomb cannot fill the memory."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.formats.other_formats import refuse_magic

GZIP: Final = b"\x1f\x8b"
LARGEST: Final = 4 * 2**30
"""Bytes that a log may unpack to where the caller sets no limit."""
PIECE: Final = 2**20
SMALLEST_MEMBER: Final = 256
"""Bytes by which a member begins to be unpacked; then twice as many, up to `PIECE`."""
REPORTS: Final = 100
NOT_ZERO: Final = re.compile(rb"[^\0]")


class Unpacked(NamedTuple):
    """The bytes of a log, and whether its packed form was cut short."""

    data: bytes
    cut: bool


def unpacked(
    data: bytes, max_bytes: int | None = None, on_progress: Callable[[float], None] = lambda part: None
) -> Unpacked:
    """`data`, unpacked where it is gzip. Raises TooLarge beyond `max_bytes`, LogError for others' files.

    `on_progress` is told the part of packed data that is done, from 0 to 1.

    >>> import gzip
    >>> unpacked(gzip.compress(b"{}"))
    Unpacked(data=b'{}', cut=False)
    """
    limit = LARGEST if max_bytes is None else max_bytes
    refuse_magic(data)
    if not data.startswith(GZIP):
        if len(data) > limit:
            raise TooLarge(f"the log has {len(data):,} bytes, expected at most {limit:,}")
        return Unpacked(data, cut=False)
    unpacking = _Unpacking(data)
    pieces: list[bytes] = []
    told = 0
    for piece in unpacking.pieces():
        if unpacking.n_bytes > limit:
            raise TooLarge(f"the log unpacks to more than {limit:,} bytes, expected at most that")
        pieces.append(piece)
        if unpacking.at - told >= len(data) / REPORTS:
            told = unpacking.at
            on_progress(told / len(data))
    return Unpacked(b"".join(pieces), unpacking.is_cut)


def unpacked_size(data: bytes, most: int) -> int:
    """Bytes of `data` after decompression, counted as it unpacks; beyond `most` it only is more than that.

    What cannot be unpacked is counted up to there: whoever reads it says what is wrong.

    >>> import gzip
    >>> unpacked_size(gzip.compress(b" " * 100) + gzip.compress(b"{}"), most=1000)
    102
    """
    if not data.startswith(GZIP):
        return len(data)
    unpacking = _Unpacking(data)
    with suppress(LogError):
        for _ in unpacking.pieces():
            if unpacking.n_bytes > most:
                break
    return unpacking.n_bytes


class _Unpacking:
    """The members of gzip data, one after the other, as `cat` puts files and as logs are appended to."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0
        """Packed bytes that are done."""
        self.n_bytes = 0
        """Bytes that came out."""
        self.is_cut = False

    def pieces(self) -> Iterator[bytes]:
        """The unpacked bytes. Raises LogError where the data is damaged."""
        while self.at < len(self._data) and not self.is_cut:
            yield from self._member()
            self._skip_padding()

    def _member(self) -> Iterator[bytes]:
        """One member. It is fed little by little: zlib copies what lies behind its end."""
        unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        packed, size = memoryview(self._data), SMALLEST_MEMBER
        waiting: bytes | memoryview = b""
        while not unpacker.eof:
            if not waiting:
                waiting = packed[self.at : self.at + size]
                self.at += len(waiting)
                size = min(2 * size, PIECE)
            try:
                piece = unpacker.decompress(waiting, PIECE)
            except zlib.error as error:
                raise LogError(f"the gzip data is damaged after {self.n_bytes:,} bytes ({error})") from None
            self.n_bytes += len(piece)
            waiting = unpacker.unconsumed_tail
            if piece:
                yield piece
            elif not waiting and self.at == len(packed) and not unpacker.eof:
                self.is_cut = True
                return
        self.at -= len(unpacker.unused_data)

    def _skip_padding(self) -> None:
        """Pass over zeros, with which blocks are filled; what follows them is a member, or damaged."""
        data = self._data
        if self.at < len(data) and data[self.at] == 0:
            after = NOT_ZERO.search(data, self.at)
            self.at = after.start() if after else len(data)
        start = data[self.at : self.at + len(GZIP)]
        if not GZIP.startswith(start):
            n_left = len(data) - self.at
            raise LogError(
                f"the gzip data is damaged after {self.n_bytes:,} bytes: {n_left:,} packed bytes follow that "
                "are no gzip, expected the end of the file or another member"
            )
