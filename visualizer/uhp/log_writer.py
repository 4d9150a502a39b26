"""The logs of searches, written in the background while the game goes on.

A search is spooled into the folder right after its move was sent, and another process makes a log of it
(`log_process`), even if the session is killed. Names begin with game and ply, since lists show the beginnings
of names; games are numbered after those in the folder.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
import tempfile
import threading
from collections import deque
from pathlib import Path
from typing import Final

from plyscope.engine.record.recording import Recording
from plyscope.visualizer.child_process import ChildEndedError, ChildProcess

log = logging.getLogger(__name__)

ROOM: Final = 1_000_000_000
"""Bytes of spooled searches that may wait: some twenty seconds of writing. Then the session waits."""

_GAME: Final = re.compile(r"game([0-9]{4,9})-ply")


class LogWriter:
    """Has recordings written into `folder`, one after the other; `room` is for those that wait, in bytes."""

    def __init__(self, folder: Path, room: int = ROOM) -> None:
        self.folder = folder
        self._room = room
        self._child: ChildProcess | None = None
        self._listener: threading.Thread | None = None
        self._waiting: deque[tuple[Path, Path, int]] = deque()
        self._changed = threading.Condition()
        self._n_games_before = 0

    def check_folder(self) -> None:
        """Make the folder, see that logs can be written there and which are; raises OSError, LogError."""
        from plyscope.visualizer.formats.write.files import check_target

        self.folder.mkdir(parents=True, exist_ok=True)
        check_target(self.folder / "log.json.gz")
        found = map(_GAME.match, (path.name for path in self.folder.iterdir()))
        self._n_games_before = max((int(each[1]) for each in found if each), default=0)

    def write(self, recording: Recording, n_games: int, n_played: int, search: str) -> None:
        """Queue a log for writing, once the queue has room; a failure becomes a warning.

        `n_games` counts the session's games, `n_played` the plies before the chosen one; `search` is a unique
        name. When this returns, the search is spooled and only a full disk can lose it.
        """
        path = self.folder / log_name(self._n_games_before + n_games, n_played, search)
        n_bytes = size_of(recording)
        self._leave_waiting(self._room - n_bytes)
        try:
            spooled = self._spool(recording, path)
        except OSError as error:
            log.warning("%s cannot be written: %s", path, error.strerror or error)
            return
        with self._changed:
            if self._child is None:
                self._start()
            self._waiting.append((spooled, path, n_bytes))
            child = self._child
        assert child is not None
        child.send({"spooled": str(spooled.resolve()), "path": str(path.resolve())})

    def finish(self) -> None:
        """Wait until everything is written."""
        child, listener = self._child, self._listener
        if child is not None and listener is not None:
            child.close_input()
            listener.join()

    def abandon(self) -> None:
        """Let the process finish on its own, with a warning."""
        if self.n_waiting:
            log.warning("still being written into %s: %d of the logs", self.folder, self.n_waiting)

    @property
    def n_waiting(self) -> int:
        """The number of logs that were given and are not known to be written."""
        return len(self._waiting)

    def _spool(self, recording: Recording, path: Path) -> Path:
        from plyscope.visualizer.uhp.log_process import spool

        # A name of its own kind: folders of logs are listed by the endings of logs.
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".spooled", dir=self.folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                spool(recording, file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        return Path(name)

    def _start(self) -> None:
        self._child = ChildProcess(
            "plyscope.visualizer.uhp.log_process",
            stderr=subprocess.DEVNULL,  # a viewer that reads ours to its end must not wait for this one
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
            | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._listener = threading.Thread(target=self._listen, args=(self._child,), daemon=True)
        self._listener.start()

    def _listen(self, child: ChildProcess) -> None:
        """Note the written logs, until the process ends."""
        try:
            while True:
                warning = child.result()
                if warning is not None:
                    log.warning("%s", warning)
                with self._changed:
                    self._waiting.popleft()
                    self._changed.notify_all()
        except ChildEndedError as error:
            why = str(error)
        with self._changed:
            for spooled, path, _ in self._waiting:
                spooled.unlink(missing_ok=True)
                log.warning("%s was not written: %s", path, why)
            self._waiting.clear()
            self._child = None
            self._changed.notify_all()

    def _leave_waiting(self, most: int) -> None:
        """Wait until those that wait are no more than `most` bytes, or none."""
        with self._changed:
            self._changed.wait_for(
                lambda: not self._waiting or sum(n_bytes for *_, n_bytes in self._waiting) <= most
            )


def size_of(recording: Recording) -> int:
    """The bytes that a search has recorded."""
    return sum(
        column.nbytes for column in (recording.rows, recording.factors, recording.stub_plies, recording.hits)
    )


def log_name(game: int, n_played: int, search: str) -> str:
    """The name of a search's log; names sort by game and ply.

    >>> log_name(2, 13, "20260101-120000-77-40")
    'game0002-ply0014-20260101-120000-77-40.json.gz'
    """
    return f"game{game:04}-ply{n_played + 1:04}-{search}.json.gz"
