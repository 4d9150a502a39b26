"""A line that says how far long work is, for whoever looks on at a terminal."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from types import TracebackType
from typing import Final

MOST_PER_SECOND: Final = 15
SLOW: Final = 100_000
"""Nodes a second that are no part of a million worth saying."""
PATIENCE: Final = 0.5
"""Seconds before a line is shown to a script: what is done by then needs none."""


class StatusLine:
    """A line on standard error that each `show` replaces, gone at the end; silent where nobody looks on.

    With `tells_waits` what is waited for is a line of its own where nobody looks on, so that nobody takes
    long work for a program that hangs. `is_shown` says otherwise whether it is shown; the first `after`
    seconds nothing is. Any thread may show something.
    """

    def __init__(
        self, *, tells_waits: bool = False, is_shown: bool | None = None, after: float = 0.0
    ) -> None:
        self._tells_waits = tells_waits
        self._is_shown = _is_watched() if is_shown is None else is_shown
        self._after = after
        self._begun = time.monotonic()
        self._shown = 0
        self._last = 0.0
        self._lock = threading.Lock()
        self._clock: threading.Thread | None = None
        self._has_come = threading.Event()

    @classmethod
    def of_call(cls, progress: bool | None) -> StatusLine:
        """The line of a function that was called with `progress`: None shows it where somebody looks on."""
        return cls(is_shown=progress, after=PATIENCE)

    def show(self, text: str) -> None:
        """Replace the line, at most fifteen times a second."""
        with self._lock:
            self._end_waiting()
            now = time.monotonic()
            is_due = now - self._last >= 1 / MOST_PER_SECOND and now - self._begun >= self._after
            if self._is_shown and is_due:
                self._last = now
                self._write(text)

    def wait(self, text: str) -> None:
        """Replace the line for work that cannot say how far it is: seconds pass behind `text`."""
        with self._lock:
            if not self._is_shown and self._tells_waits:
                _put(f"plyscope: {text}\n")
            if not self._is_shown or self._clock is not None:
                return
            self._has_come.clear()
            if not self._after:
                self._write(text)
            self._clock = threading.Thread(target=self._count_seconds, args=(text,), daemon=True)
            self._clock.start()

    def _count_seconds(self, text: str) -> None:
        begun = time.monotonic()
        while not self._has_come.wait(1 - (time.monotonic() - begun) % 1):
            self._write(f"{text} {time.monotonic() - begun:.0f} s")

    def _end_waiting(self) -> None:
        self._has_come.set()
        if self._clock is not None:
            self._clock.join()
            self._clock = None

    def _write(self, text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        _put("\r" + text.ljust(self._shown))
        self._shown = len(text)

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_waiting()
        if self._shown:
            _put("\r" + " " * self._shown + "\r")


def signed(score: float) -> str:
    """A score with its sign, at most three digits after the point.

    >>> signed(12.5), signed(-3), signed(0.0)
    ('+12.5', '-3', '0')
    """
    text = f"{score:+.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text


def speed(nodes_per_second: float, digits: int = 2) -> str:
    """A speed in nodes a second; one of a million has so many `digits` after the point.

    >>> speed(12_345_678), speed(2_900, 1), speed(412)
    ('12.35 M nodes/s', '2.9 k nodes/s', '412 nodes/s')
    """
    if nodes_per_second >= SLOW:
        return f"{nodes_per_second / 1e6:.{digits}f} M nodes/s"
    if nodes_per_second >= 1000:
        return f"{nodes_per_second / 1e3:.1f} k nodes/s"
    return f"{nodes_per_second:.0f} nodes/s"


def _is_watched() -> bool:
    """Whether standard error is a terminal; the output of a notebook's cell is none, and keeps every line."""
    stream = sys.stderr
    return stream is not None and not stream.closed and stream.isatty()


def _put(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
