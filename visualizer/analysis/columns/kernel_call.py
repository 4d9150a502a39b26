"""Call kernels over the rows of a log, plain or compiled, in one way; and report the progress of passes.

No first answer waits for a compiler. A log of up to `PLAIN_ROWS` rows is worked on by the machine code that
is at hand, and by plain Python where there is none; only a larger one is compiled for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine import jit
from plyscope.engine.compile.plain_call import each_once, plain

QUICK_ROWS: Final = 12_000
"""Up to this many rows, plain Python takes no longer than loading machine code."""
PLAIN_ROWS: Final = 60_000
"""Up to this many rows, plain Python takes a few seconds, and compiling half a minute."""

_ALIGNED: Final = 64

missed: Final[set[str]] = set()
"""Kernels that ran as plain Python in this process for want of machine code, by name."""

Way = bool | None
"""Compiled (True), plain (False), or by the machine code that is at hand, else plain (None)."""


def way_for(n_rows: int) -> Way:
    """Return the way of working on a log of so many rows.

    >>> [way_for(n_rows) for n_rows in (100, 50_000, 1_000_000)]
    [False, None, True]
    """
    if n_rows <= QUICK_ROWS:
        return False
    return None if n_rows <= PLAIN_ROWS else True


class Scratch:
    """A block of memory, as large as the largest request so far."""

    def __init__(self) -> None:
        self._block = np.empty(0, np.uint8)

    def take(self, *wanted: tuple[int, npt.DTypeLike]) -> list[npt.NDArray[Any]]:
        """Return an array for each length and type. Their entries are arbitrary, the next call reuses them.

        >>> numbers, flags = Scratch().take((3, np.float64), (5, np.uint8))
        >>> len(numbers), numbers.dtype.name, len(flags)
        (3, 'float64', 5)
        """
        starts = [0]
        for length, dtype in wanted:
            n_bytes = length * np.dtype(dtype).itemsize
            starts.append(starts[-1] + math.ceil(n_bytes / _ALIGNED) * _ALIGNED)
        if starts[-1] > len(self._block):
            self._block = np.empty(0, np.uint8)  # frees the smaller block first
            self._block = np.empty(starts[-1], np.uint8)
        return [
            self._block[start : start + length * np.dtype(dtype).itemsize].view(dtype)
            for start, (length, dtype) in zip(starts, wanted, strict=False)
        ]


def say_nothing(fraction: float) -> None:
    """Ignore a report of progress."""


@dataclass(frozen=True)
class Work:
    """Settings of passes over the rows: the way, and callbacks for progress and for stopping.

    Passes that may run at the same time need works with a `scratch` each.
    """

    compiled: Way = False
    on_progress: Callable[[float], None] = say_nothing
    scratch: Scratch = field(default_factory=Scratch, repr=False, compare=False)

    def run(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the callable of the kernel `function`: itself, or its machine code.

        Where the way is None, the first call decides. Where it is True, that says 0 to `on_progress` if the
        kernel has yet to be compiled for its arguments.
        """
        chosen: Callable[..., Any] | None = None

        def call(*arguments: Any) -> Any:
            nonlocal chosen
            if chosen is None:
                way = self.compiled
                is_plain = way is False or (way is None and not _is_at_hand(function, arguments))
                chosen = plain(function) if is_plain else _machine_code(function, arguments, self.on_progress)
            return chosen(*arguments)

        return call

    def go_on(self, fraction: float) -> None:
        """Report the share of a pass that is done."""
        self.on_progress(fraction)

    def part(self, begin: float, end: float) -> Work:
        """Return the work for one of several passes, whose progress goes from `begin` to `end` of the whole.

        >>> said: list[float] = []
        >>> Work(on_progress=said.append).part(0.5, 1.0).go_on(0.5)
        >>> said
        [0.75]
        """
        return replace(self, on_progress=lambda part: self.on_progress(begin + (end - begin) * part))


def _is_at_hand(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    return is_at_hand(function, lambda: tuple(map(_bundled, arguments)))


def is_at_hand(function: Callable[..., Any], arguments: Callable[[], Sequence[Any]]) -> bool:
    """Whether the machine code of a kernel for `arguments()` is at hand; notes it if not."""
    found = jit.is_at_hand(function, arguments)
    if not found:
        missed.add(function.__name__)
    return found


def _machine_code(
    function: Callable[..., Any], arguments: tuple[Any, ...], on_progress: Callable[[float], None]
) -> Callable[..., Any]:
    machine_code, convert = jit.compiled(function), each_once(_bundled)
    if jit.needs_compiling(machine_code, *map(convert, arguments)):
        on_progress(0.0)
    return lambda *arguments: machine_code(*map(convert, arguments))


def _bundled(argument: Any) -> Any:
    """Return a NamedTuple as a bundle for machine code; anything else unchanged."""
    from plyscope.engine.compile.bundle import Bundle

    return Bundle(argument) if hasattr(argument, "_fields") else argument
