"""The search's machine code, made by a thread of its own while the commands that need none are answered."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Final

from plyscope.visualizer.uhp.errors import CommandError

_PATIENCE: Final = 0.1
"""Seconds between two looks whether the command that waits is to be given up."""


class Compiler:
    """Does what has machine code made, one after the other, each called by what needs it.

    >>> compiler = Compiler()
    >>> _ = compiler.begin("search", lambda: None)
    >>> compiler.wait("newgame", "search", None)
    >>> compiler.is_busy
    False
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "compiler")
        self._begun: dict[str, Future[Any]] = {}

    def begin(self, name: str, work: Callable[[], object]) -> Future[Any]:
        """Begin `work` once what came before it is done; what is returned is done when it is."""
        if name not in self._begun:
            self._begun[name] = self._thread.submit(work)
        return self._begun[name]

    @property
    def is_busy(self) -> bool:
        """Whether machine code is being made, which cannot be stopped."""
        return not all(each.done() for each in self._begun.values())

    def is_making(self, name: str) -> bool:
        """Whether what was begun by this name is not done yet."""
        return name in self._begun and not self._begun[name].done()

    def wait(self, command: str, name: str, should_stop: Callable[[], bool] | None) -> None:
        """Wait until that is made; raises CommandError where `command` is to be given up before."""
        while self.is_making(name):
            if should_stop is not None and should_stop():
                raise CommandError(f"{command}: stopped while the search was compiled")
            wait([self._begun[name]], _PATIENCE)
        if name in self._begun:
            self._begun[name].result()
