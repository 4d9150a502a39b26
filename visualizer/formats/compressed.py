"""Gzip and Zstandard, recognised by their first bytes and unpacked up to a limit, against zip bombs."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.formats.other_formats import PACKINGS, refuse_magic

if TYPE_CHECKING:
    from plyscope.visualizer.formats.zstandard import ZstdDecompressor

GZIP, ZSTANDARD = PACKINGS
SKIPPABLE: Final = tuple(bytes([first]) + b"\x2a\x4d\x18" for first in range(0x50, 0x60))
"""The magic numbers of Zstandard's skippable frames; pzstd writes one before each frame of data."""
LENGTH_OF_MAGIC: Final = len(ZSTANDARD)
LARGEST: Final = 4 * 2**30
"""The most bytes that a log may unpack to where the caller sets no limit."""
SMALLER: Final = "where it is JSON, have it written as .plyb or .parquet, which are smaller"
"""The advice in the error about too many bytes."""
PIECE: Final = 2**20
SMALLEST_MEMBER: Final = 256
"""The bytes of a member's first piece; each further piece has twice as many, up to `PIECE`."""
MANY_PIECES: Final = 20_000
"""The most members and pieces whose bytes are counted; hundreds of thousands of empty ones take seconds."""
REPORTS: Final = 100
NOT_ZERO: Final = re.compile(rb"[^\0]")


class Unpacked(NamedTuple):
    """The bytes of a log, and whether its packed form was cut short."""

    data: bytes
    cut: bool


def unpacked(
    data: bytes, max_bytes: int | None = None, on_progress: Callable[[float], None] = lambda part: None
) -> Unpacked:
    """`data`, unpacked if it is packed. Raises TooLarge beyond `max_bytes`, LogError for other formats.

    `on_progress` gets the part of packed data that is done, from 0 to 1.

    >>> import gzip
    >>> unpacked(gzip.compress(b"{}"))
    Unpacked(data=b'{}', cut=False)
    """
    limit = LARGEST if max_bytes is None else max_bytes
    refuse_magic(data)
    packing = _packing_of(data)
    if packing is None:
        if len(data) > limit:
            raise TooLarge(f"the log has {len(data):,} bytes, expected at most {limit:,}; {SMALLER}")
        return Unpacked(data, cut=False)
    unpacking = _Unpacking(data, packing)
    pieces: list[bytes] = []
    told = 0
    for piece in unpacking.pieces():
        if unpacking.n_bytes > limit:
            raise TooLarge(f"the log unpacks to more than {limit:,} bytes, expected at most that")
        pieces.append(piece)
        if unpacking.at - told >= len(data) / REPORTS:
            told = unpacking.at
            on_progress(told / len(data))
    if unpacking.is_cut and not unpacking.n_bytes:
        raise LogError(f"the {packing.name} data ends before a byte of the log, expected the rest of it")
    return Unpacked(b"".join(pieces), unpacking.is_cut)


def is_packed(start: bytes) -> bool:
    """Whether data that begins with `start`, `LENGTH_OF_MAGIC` bytes, is packed.

    >>> is_packed(bytes([0x1F, 0x8B, 8, 0])), is_packed(b'{"pl')
    (True, False)
    """
    return _packing_of(start) is not None


def unpacked_size(data: bytes, most: int) -> int:
    """The number of bytes that `data` unpacks to; above `most`, only some number above `most`.

    Above `most`, too, for more than `MANY_PIECES`, however small. Damaged data is counted up to the damage,
    which its reader reports.

    >>> import gzip
    >>> unpacked_size(gzip.compress(b" " * 100) + gzip.compress(b"{}"), most=1000)
    102
    """
    packing = _packing_of(data)
    if packing is None:
        return len(data)
    unpacking = _Unpacking(data, packing)
    with suppress(LogError):
        for number, _ in enumerate(unpacking.pieces()):
            if unpacking.n_bytes > most:
                break
            if number > MANY_PIECES:
                return most + 1
    return unpacking.n_bytes


class _Packing(NamedTuple):
    """A compression format: its name, the magic numbers of members, the unpacker of one, its exception."""

    name: str
    magics: tuple[bytes, ...]
    unpacker: Callable[[], _GzipMember | ZstdDecompressor]
    damage: type[Exception]


class _GzipMember:
    """A gzip member with the interface of Zstandard's: it keeps input that it has not unpacked yet."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes | memoryview, most: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail or data, most)


def _packing_of(data: bytes) -> _Packing | None:
    if data.startswith(GZIP):
        return _Packing("gzip", (GZIP,), _GzipMember, zlib.error)
    if data.startswith((ZSTANDARD, *SKIPPABLE)):
        from plyscope.visualizer.formats.zstandard import ZstdDecompressor, ZstdError

        return _Packing("Zstandard", (ZSTANDARD, *SKIPPABLE), ZstdDecompressor, ZstdError)
    return None


class _Unpacking:
    """Unpacks the members of packed data, several where files were concatenated or a log was appended to."""

    def __init__(self, data: bytes, packing: _Packing) -> None:
        self._data = data
        self._packing = packing
        self.at = 0
        """Packed bytes that are done."""
        self.n_bytes = 0
        """Bytes that came out."""
        self.is_cut = False

    def pieces(self) -> Iterator[bytes]:
        """The unpacked bytes, at least a piece a member. Raises LogError where the data is damaged."""
        while self.at < len(self._data) and not self.is_cut:
            yield b""
            yield from self._member()
            self._skip_padding()

    def _member(self) -> Iterator[bytes]:
        """The unpacked pieces of one member, fed little by little: bytes after its end would be copied."""
        unpacker = self._packing.unpacker()
        packed, size = memoryview(self._data), SMALLEST_MEMBER
        while not unpacker.eof:
            fed: bytes | memoryview = b""
            is_at_end = unpacker.needs_input and self.at == len(packed)
            if unpacker.needs_input:
                fed = packed[self.at : self.at + size]
                self.at += len(fed)
                size = min(2 * size, PIECE)
            try:
                piece = unpacker.decompress(fed, PIECE)
            except self._packing.damage as error:
                raise LogError(self._damaged(f" ({error})")) from None
            self.n_bytes += len(piece)
            if piece:
                yield piece
            elif is_at_end and not unpacker.eof:
                self.is_cut = True
                return
        self.at -= len(unpacker.unused_data)

    def _skip_padding(self) -> None:
        """Skip zeros, which pad blocks; after them a member follows, or damage."""
        data = self._data
        if self.at < len(data) and data[self.at] == 0:
            after = NOT_ZERO.search(data, self.at)
            self.at = after.start() if after else len(data)
        start = data[self.at : self.at + LENGTH_OF_MAGIC]
        if not any(start.startswith(magic) or magic.startswith(start) for magic in self._packing.magics):
            n_left = len(data) - self.at
            raise LogError(
                self._damaged(
                    f": {n_left:,} packed bytes follow that are no {self._packing.name}, expected the end of "
                    "the file or another member"
                )
            )

    def _damaged(self, how: str) -> str:
        return f"the {self._packing.name} data is damaged after {self.n_bytes:,} bytes{how}"
