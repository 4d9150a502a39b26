"""The chunks of a compact log: their headers, and the readable part of a file that was cut."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NoReturn

from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.other_formats import is_binary

SIGNATURE: Final = b"\x89PLY\r\n\x1a\n"
"""The first bytes of a file. A transfer that changes ends of lines changes them."""
MARK: Final = b"\x89PLY"
ORDER: Final = 0x01020304
"""Written as a number of 32 bits, which shows the byte order."""
VERSION: Final = 1
HAS_UPDATES: Final = 1
"""The flag for records that may be completed later (`LATE`, `JSON`)."""
HEADER_BYTES: Final = 16
CHUNK_HEADER_BYTES: Final = 8

KINDS: Final = {
    b"HEAD": "the header as JSON, once, before all nodes",
    b"LAYO": "a layout of records as JSON; layouts are numbered from 0",
    b"TEXT": "texts: the bytes of each after their number; texts are numbered from 0",
    b"REFS": "numbers of texts, of which fields of the type `texts` are slices",
    b"NUMS": "numbers, of which fields of the type `numbers` are slices",
    b"NODE": "the number of a layout, then records of new nodes",
    b"LATE": "the number of a layout, then records that complete nodes by their `id`",
    b"JSON": "lines of JSON that complete nodes by their `id`",
    b"DONE": "the result as JSON, or null; the end",
}
"""Every kind of chunk, and what its bytes are."""
PRIVATE_KIND: Final = re.compile(rb"[a-z][A-Za-z0-9]{3}")
"""Kinds that anybody may add; readers skip them."""


class WrongByte(LogError):  # noqa: N818
    """An error at a byte of a compact log, in the field `field` if it is about one.

    >>> str(WrongByte(8, "found 7, expected 3", "score").moved(100))
    'byte 108, $.score: found 7, expected 3'
    """

    def __init__(self, byte: int, message: str, field: str = "") -> None:
        self.byte, self.field = byte, field
        super().__init__(message, path=f"byte {byte}" + (f", $.{field}" if field else ""))

    def moved(self, n_before: int) -> WrongByte:
        """The same error for the whole file, of which the first `n_before` bytes were not read."""
        return WrongByte(self.byte + n_before, self.message, self.field)


@dataclass(frozen=True)
class Start:
    """The contents of a file's first 16 bytes: its byte order, and whether records are completed later."""

    order: Literal["<", ">"]
    has_updates: bool


@dataclass(frozen=True)
class Chunk:
    """A chunk: its kind, the place of its bytes in the file, and whether it is incomplete."""

    kind: bytes
    begin: int
    end: int
    is_cut: bool

    @property
    def place(self) -> int:
        """The byte at which it begins, its own header included."""
        return self.begin - CHUNK_HEADER_BYTES


def is_binary_log(data: bytes) -> bool:
    """Whether these are the first bytes of a compact log, or of one that was changed in transfer.

    >>> is_binary_log(SIGNATURE), is_binary_log(b'{"plyscope": 1}')
    (True, False)
    """
    return data.startswith(MARK)


def read_start(data: bytes) -> Start:
    """Read the first 16 bytes. Raises LogError for other versions, and for files changed in transfer."""
    if not data.startswith(SIGNATURE[: len(data)]):
        message = (
            f"found {_hexadecimal(data[:8])}, expected {_hexadecimal(SIGNATURE)}: the ends of lines were "
            'changed on the way; open the file with "wb" and copy it as binary'
        )
        raise WrongByte(0, message)
    if len(data) < HEADER_BYTES:
        message = (
            f"the file ends after {len(data)} bytes, expected {HEADER_BYTES} bytes before the first chunk"
        )
        raise CutShort(message, path=f"byte {len(data)}")
    for order in ("<", ">"):
        mark, version, flags = struct.unpack_from(f"{order}IHH", data, 8)
        if mark == ORDER:
            break
    else:
        fail(
            8,
            f"found {_hexadecimal(data[8:12])}, expected the number 0x01020304 in the order of your machine",
        )
    if version != VERSION:
        fail(12, f"this is a compact log of version {version}, expected version {VERSION}")
    if flags & ~HAS_UPDATES:
        fail(14, f"found the flags {flags}, expected 0 or {HAS_UPDATES}")
    return Start("<" if order == "<" else ">", bool(flags & HAS_UPDATES))


def chunks_of(data: bytes, start: Start, at: int = HEADER_BYTES) -> Iterator[Chunk]:
    """The chunks from the byte `at` on; the last may be cut short. Raises LogError."""
    while at < len(data):
        # After a loss of power, zeros stand in the place of bytes that were not written yet.
        is_zeros = data[at] == 0 and not data[at:].strip(b"\0")
        if is_zeros or (len(data) - at < CHUNK_HEADER_BYTES and _may_begin_chunk(data[at : at + 4])):
            yield Chunk(b"", at + CHUNK_HEADER_BYTES, len(data), is_cut=True)
            return
        kind = data[at : at + 4]
        if kind not in KINDS and not PRIVATE_KIND.fullmatch(kind):
            fail(at, f"found {_shown_kind(kind)}, {_expected_kinds()}")
        if len(data) - at < CHUNK_HEADER_BYTES:
            fail(at, f"found {_hexadecimal(data[at:])}, expected a chunk of 8 bytes at least")
        (size,) = struct.unpack_from(f"{start.order}I", data, at + 4)
        begin = at + CHUNK_HEADER_BYTES
        end = min(begin + size, len(data))
        yield Chunk(kind, begin, end, is_cut=begin + size > len(data))
        at = begin + size


def fail(byte: int, message: str, field: str = "") -> NoReturn:
    """Raise LogError about the byte `byte` of the unpacked file."""
    raise WrongByte(byte, message, field)


def _may_begin_chunk(kind: bytes) -> bool:
    return any(known.startswith(kind) for known in KINDS) or PRIVATE_KIND.match(kind + b"a" * 4) is not None


def _expected_kinds() -> str:
    return "expected the kind of a chunk: " + ", ".join(kind.decode() for kind in KINDS)


def _shown_kind(kind: bytes) -> str:
    if is_binary(kind) or not kind.isascii():
        return _hexadecimal(kind)
    return f'"{kind.decode()}"'


def _hexadecimal(data: bytes) -> str:
    return "the bytes " + data.hex(" ") if data else "nothing"
