"""Arrays and texts in files, mapped into memory; texts found by their bytes there; files without a name.

A node may have a million children with a ply each. Texts that are few, not on the disk, or not ASCII are
read one by one.
"""

from __future__ import annotations

import mmap
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Self, overload

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.integer[Any]]

PIECE_OF_TEXTS: Final = 65_536
FEW_TEXTS: Final = 64
"""Up to this many texts are decoded sooner than compared byte by byte."""
MANY_TEXTS: Final = 10_000
PIECE_OF_SEARCH: Final = 200_000
BYTES_OF_SEARCH: Final = 64 * 2**20
O_TMPFILE: Final = getattr(os, "O_TMPFILE", 0)
"""0 where the system has no files without names."""
HEADERS: Final = threading.Lock()
"""Numpy parses the head of an array as Python. Some releases of CPython 3.11 raise SystemError where two
threads parse at once (python/cpython#106905)."""


class Texts(Sequence[str]):
    """Concatenated texts in one buffer, decoded when asked for."""

    def __init__(self, blob: bytes | mmap.mmap, starts: npt.NDArray[np.int64]) -> None:
        self.blob = blob
        self.starts = starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"text {index} of {len(self)}")
        return self.blob[int(self.starts[index]) : int(self.starts[index + 1])].decode()

    def __iter__(self) -> Iterator[str]:
        for begin in range(0, len(self), PIECE_OF_TEXTS):
            starts = self.starts[begin : begin + PIECE_OF_TEXTS + 1].tolist()
            for first, last in pairwise(starts):
                yield self.blob[first:last].decode()


def put_end_to_end(texts: Sequence[str], write: Callable[[bytes], object]) -> npt.NDArray[np.int64]:
    """Write texts, concatenated, some thousand at a time; returns their offsets (n + 1)."""
    lengths = np.zeros(len(texts), dtype=np.int64)
    for first in range(0, len(texts), PIECE_OF_TEXTS):
        encoded = [text.encode() for text in texts[first : first + PIECE_OF_TEXTS]]
        lengths[first : first + len(encoded)] = [len(text) for text in encoded]
        write(b"".join(encoded))
    starts = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def mapped_array(path: Path) -> npt.NDArray[Any]:
    """The array in a file, mapped read-only: a plain view, since a `memmap` is slow to index.

    Raises OSError and ValueError.
    """
    array: npt.NDArray[Any]
    try:
        with HEADERS:
            array = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except ValueError:
        # An empty array cannot be mapped; anything else is refused again.
        with HEADERS:
            array = np.load(path, allow_pickle=False)
    return array


def file_of(array: npt.NDArray[Any]) -> Path | None:
    """The file that an array of `mapped_array` is mapped from; None for any other array."""
    mapped = array.base
    return Path(mapped.filename) if isinstance(mapped, np.memmap) and mapped.filename is not None else None


def mapped_bytes(path: Path) -> bytes | mmap.mmap:
    """The bytes of a file, mapped read-only. Raises OSError."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def used_codes(column: Codes, n_texts: int) -> npt.NDArray[np.int64]:
    """The indices of texts that a column states, ascending, each once."""
    is_used = np.zeros(n_texts + 1, dtype=np.bool_)  # the last entry serves index -1
    is_used[column] = True
    return np.flatnonzero(is_used[:-1])


def codes_of(texts: Sequence[str], codes: Codes, wanted: str) -> list[int]:
    """Those of `codes`, indices into `texts`, whose text is `wanted`."""
    if isinstance(texts, Texts) and len(codes) > FEW_TEXTS:
        codes = _same_bytes(texts, codes, wanted.encode())
    return [code for code in codes.tolist() if texts[code] == wanted]


def _same_bytes(texts: Texts, codes: Codes, wanted: bytes) -> Codes:
    """The codes whose texts have these bytes, and possibly others once only a few are left."""
    starts, blob = texts.starts, np.frombuffer(texts.blob, np.uint8)
    codes = codes[starts[codes + 1] - starts[codes] == len(wanted)]
    for at in reversed(range(len(wanted))):  # texts that are numbered differ at their ends
        if len(codes) <= FEW_TEXTS:
            break
        codes = codes[blob[starts[codes] + at] == wanted[at]]
    return codes


def codes_holding(texts: Sequence[str], codes: Codes, wanted: str) -> list[int]:
    """Those of `codes`, which ascend, whose text holds `wanted`, case apart; `wanted` is case-folded."""
    if not isinstance(texts, Texts) or len(codes) < MANY_TEXTS:
        return [code for code in codes.tolist() if wanted in texts[code].casefold()]
    found: list[int] = []
    for first in range(0, len(codes), PIECE_OF_SEARCH):
        found += _holding(texts, codes[first : first + PIECE_OF_SEARCH], wanted)
    return found


def _holding(texts: Texts, codes: Codes, wanted: str) -> list[int]:
    starts = texts.starts
    first, last = int(codes[0]), int(codes[-1]) + 1
    low, high = int(starts[first]), int(starts[last])
    piece = texts.blob[low:high] if high - low <= BYTES_OF_SEARCH else None
    if piece is None or not piece.isascii():
        return [code for code in codes.tolist() if wanted in texts[code].casefold()]
    if not wanted.isascii() or len(wanted) > len(piece):
        return []  # ASCII stays ASCII when its case is folded
    letters, sought = np.frombuffer(piece.lower(), np.uint8), wanted.encode()
    at = np.flatnonzero(letters[: len(letters) - len(sought) + 1] == sought[0])
    for place in range(1, len(sought)):
        at = at[letters[at + place] == sought[place]]
    ends = starts[first : last + 1] - low
    text = np.searchsorted(ends, at, side="right") - 1
    text = np.unique(text[at + len(sought) <= ends[text + 1]]) + first
    held: list[int] = text[np.isin(text, codes)].tolist()
    return held


class UnnamedFile:
    """A file in a folder that no name leads to, gone with the last who holds it unless it is given one."""

    def __init__(self, folder: Path, n_bytes: int) -> None:
        """Make one of `n_bytes` zeros, which take no space. Raises OSError."""
        if not O_TMPFILE:
            raise OSError("this system has no files without names")
        folder.mkdir(parents=True, exist_ok=True)
        self._file = os.open(folder, O_TMPFILE | os.O_RDWR, 0o666)
        weakref.finalize(self, os.close, self._file)
        self.truncate(n_bytes)

    @classmethod
    def where_possible(cls, folder: Path | None, n_bytes: int) -> Self | None:
        """One in `folder`, if there is one, of some bytes; None where there is none to be had."""
        try:
            return None if folder is None or not n_bytes else cls(folder, n_bytes)
        except OSError:
            return None

    def truncate(self, n_bytes: int) -> None:
        """Set its size."""
        os.ftruncate(self._file, n_bytes)

    def mapped(self, n_bytes: int) -> mmap.mmap:
        """Its first bytes, mapped read-only; later writes are visible there."""
        return mmap.mmap(self._file, n_bytes, access=mmap.ACCESS_READ)

    def write(self, data: memoryview, at: int) -> None:
        """Write bytes at a place. Raises OSError."""
        while data:
            n_written = os.pwrite(self._file, data, at)
            data, at = data[n_written:], at + n_written

    def link(self, path: Path) -> None:
        """Let `path` lead to it. Raises OSError, as on another disk."""
        # With a folder given, though not used, the system follows the link that /proc has.
        os.link(f"/proc/self/fd/{self._file}", path, src_dir_fd=self._file)
