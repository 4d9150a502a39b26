"""Memory touched ahead of the search that writes to it, by a thread of its own.

The system clears a page when it is touched for the first time, and a virtual machine may have to ask its host
for it: a recorded search spent more time on that than on searching. The thread asks Linux for the pages that
come next (`MADV_POPULATE_WRITE`, since 5.14), which changes no byte of them. Where the system does not know
the request, the search touches its pages itself, as it did before.

It knows arrays that are filled from their beginning, not their contents.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import TracebackType
from typing import Any, Final, cast

import numpy.typing as npt

FIRST_BYTES: Final = 8 << 20
"""A search that has written less than this gets no thread."""

MOST_AHEAD: Final = 256 << 20
"""The bytes that are touched ahead of writing, or half of the bytes written, if that is less.

With 64 MB the search came to wait for pages that the thread was just asking for: 1.5 to 1.8 times the bare
search, against 1.3 to 1.4.
"""

_STEP: Final = 4 << 20
_LARGE_PAGE: Final = 2 << 20
_POPULATE_WRITE: Final = 23
_DONT_NEED: Final = 4


@dataclass
class _Filled:
    """An array, and the numbers of its bytes, from its beginning, that are written, wanted and touched."""

    array: npt.NDArray[Any]
    written: int = 0
    wanted: int = 0
    touched: int = 0


class TouchAhead:
    """The thread, as a context manager: none begins before `FIRST_BYTES` are written, none is left behind.

    Left without an error, pages that were touched but not written are given back to the system; the last call
    of `follow` must have told of all that is written.
    """

    def __init__(self) -> None:
        self._filled: list[_Filled] = []
        self._lock = threading.Condition()
        self._thread: threading.Thread | None = None
        self._ends = False
        self._advise = advice()

    def __enter__(self) -> TouchAhead:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._ends = True
            self._lock.notify()
        if self._thread is not None:
            self._thread.join()
        if error is None:
            self._give_back()

    def follow(self, arrays: Sequence[tuple[npt.NDArray[Any], int]]) -> None:
        """Note the number of written elements of each of the `arrays`, the same arrays until memory grows."""
        if self._advise is None:
            return
        sizes = [count * array.strides[0] for array, count in arrays]
        total = sum(sizes)
        if total < FIRST_BYTES:
            return
        with self._lock:
            if not self._filled or self._filled[0].array is not arrays[0][0]:
                self._filled = [_Filled(array) for array, _ in arrays]
            for filled, written in zip(self._filled, sizes, strict=True):
                ahead = int(written * min(0.5, MOST_AHEAD / total))
                filled.written = written
                filled.wanted = min(written + ahead, filled.array.nbytes)
                filled.touched = max(filled.touched, written)
            self._lock.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="touch-ahead", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while (part := self._next()) is not None:
            filled, end = part
            begin, filled.touched = filled.touched, end
            if not self._ask(_POPULATE_WRITE, *_pages(filled.array, begin, end, mmap.PAGESIZE)):
                return

    def _next(self) -> tuple[_Filled, int] | None:
        """Wait for pages to touch: of the array least far ahead, up to which byte; None at the end."""
        with self._lock:
            while not self._ends:
                short = [filled for filled in self._filled if filled.touched < filled.wanted]
                if short:
                    filled = min(short, key=lambda one: one.touched / one.wanted)
                    return filled, min(filled.touched + _STEP, filled.wanted)
                self._lock.wait()
        return None

    def _give_back(self) -> None:
        """Give back whole large pages, so that none is split."""
        for filled in self._filled:
            if filled.touched > filled.written:
                self._ask(_DONT_NEED, *_pages(filled.array, filled.written, filled.touched, _LARGE_PAGE))

    def _ask(self, what: int, address: int, size: int) -> bool:
        return self._advise is not None and (size <= 0 or self._advise(address, size, what) == 0)


@cache
def advice() -> Callable[[int, int, int], int] | None:
    """Return the system's `madvise(address, size, advice)`, called without the GIL; None if it has none."""
    if sys.platform != "linux":
        return None
    try:
        madvise = ctypes.CDLL(None).madvise
    except (OSError, AttributeError):
        return None
    madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    madvise.restype = ctypes.c_int
    return cast(Callable[[int, int, int], int], madvise)


def _pages(array: npt.NDArray[Any], begin: int, end: int, size: int) -> tuple[int, int]:
    """Return address and size of the pages of `size` from the bytes `begin` to `end` of `array`.

    They begin with the first that lies behind `begin`, and end where `end` or the array does.
    """
    address = array.ctypes.data
    first = -(-(address + begin) // size) * size
    last = min(-(-(address + end) // size) * size, (address + array.nbytes) // mmap.PAGESIZE * mmap.PAGESIZE)
    return first, last - first
