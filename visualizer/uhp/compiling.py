"""The search's machine code, made by a thread of its own while the commands that need none are answered."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Final

from visualizer.uhp.errors import CommandError

_PATIENCE: Final = 0.1
"""Seconds between two looks whether the command that waits is to be given up."""


class Compiler:
    """Does what has machine code made, one after the other.

    >>> compiler = Compiler()
    >>> _ = compiler.begin(lambda: None)
    >>> compiler.wait("newgame", None)
    >>> compiler.is_busy
    False
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "compiler")
        self._last: Future[Any] = Future()
        self._last.set_result(None)

    def begin(self, work: Callable[[], object]) -> Future[Any]:
        """Begin `work` once what came before it is done; what is returned is done when it is."""
        self._last = self._thread.submit(work)
        return self._last

    @property
    def is_busy(self) -> bool:
        """Whether machine code is being made, which cannot be stopped."""
        return not self._last.done()

    def wait(self, command: str, should_stop: Callable[[], bool] | None) -> None:
        """Wait until all is made; raises CommandError where `command` is to be given up before."""
        while self.is_busy:
            if should_stop is not None and should_stop():
                raise CommandError(f"{command}: stopped while the search was compiled")
            wait([self._last], _PATIENCE)
        self._last.result()
