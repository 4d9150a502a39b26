"""Gzip, recognised by its first bytes and unpacked with a bound, so that a bomb cannot fill the memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final, NamedTuple

from visualizer.formats.errors import LogError, TooLarge

GZIP: Final = b"\x1f\x8b"
LARGEST: Final = 4 * 2**30
"""Bytes that a log may unpack to where the caller sets no limit."""
PIECE: Final = 2**20
OTHERS: Final = {
    b"PAR1": "a Parquet file",
    b"\x28\xb5\x2f\xfd": "packed by Zstandard",
    b"PK\x03\x04": "a Zip archive",
    b"BZh": "packed by bzip2",
    b"\xfd7zXZ": "packed by xz",
    b"SQLite format 3": "an SQLite database",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a PNG picture",
}


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
    for magic, what in OTHERS.items():
        if data.startswith(magic):
            raise LogError(f"this is {what}, expected JSON, JSON Lines or a literal, plain or packed by gzip")
    if not data.startswith(GZIP):
        if len(data) > limit:
            raise TooLarge(f"the log has {len(data):,} bytes, expected at most {limit:,}")
        return Unpacked(data, cut=False)
    pieces: list[bytes] = []
    n_bytes = 0
    cut = False
    packed, at = memoryview(data), 0
    while data.startswith(GZIP, at):
        unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        waiting: bytes | memoryview = b""
        while not unpacker.eof:
            if not waiting:
                waiting = packed[at : at + PIECE]
                at += len(waiting)
            try:
                piece = unpacker.decompress(waiting, PIECE)
            except zlib.error as error:
                raise LogError(f"the gzip data is damaged after {n_bytes:,} bytes ({error})") from None
            n_bytes += len(piece)
            if n_bytes > limit:
                raise TooLarge(f"the log unpacks to more than {limit:,} bytes, expected at most that")
            pieces.append(piece)
            waiting = unpacker.unconsumed_tail
            on_progress((at - len(waiting)) / len(packed))
            if not piece and not waiting and at == len(packed) and not unpacker.eof:
                cut = True
                break
        at -= len(unpacker.unused_data)
    return Unpacked(b"".join(pieces), cut)
