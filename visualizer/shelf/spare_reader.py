"""A child process that has loaded all that reads a large log, for one that is expected to come soon."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Final

from plyscope.visualizer.child_process import ChildError, ChildProcess

SECONDS_TO_STAY: Final = 60.0

SAMPLES: Final = (
    b'{"plyscope": 1, "root": {"score": 1, "factors": [1], "x": 1, "children": [{"ply": "a1", "score": 1}]}}',
    b'{"name": "start", "score": 1, "children": [{"name": "a1", "score": 1, "children": []}]}',
)
"""Reading them loads the machine code."""


class SpareReader:
    """One process at most, which ends by itself where nothing comes; any thread may call any method."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None
        self._loaded: ChildProcess | None = None
        self._timer: threading.Timer | None = None

    def prepare(self) -> None:
        """Begin a process, or have the one that is there stay."""
        with self._lock:
            if self._child is None or not self._child.is_running:
                child = self._child = ChildProcess(self._module)
                child.send({"prepare": True})
                threading.Thread(target=self._await_loaded, args=[child], daemon=True).start()
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(SECONDS_TO_STAY, self.end)
            self._timer.daemon = True
            self._timer.start()

    @property
    def is_there(self) -> bool:
        """Whether a process waits."""
        child = self._child
        return child is not None and child.is_running

    @property
    def is_ready(self) -> bool:
        """Whether a process waits that has loaded all."""
        return self.is_there and self._child is self._loaded

    def _await_loaded(self, child: ChildProcess) -> None:
        with suppress(ChildError):
            child.receive()  # its first message is that it has loaded all
            self._loaded = child

    def take(self) -> ChildProcess | None:
        """The process that waits, which is another's from now on; None where there is none."""
        with self._lock:
            child, self._child = self._child, None
            if self._timer is not None:
                self._timer.cancel()
        return child if child is not None and child.is_running else None

    def end(self) -> None:
        """End the process that waits."""
        child = self.take()
        if child is not None:
            child.kill()
