"""The logs that searches leave, written behind the viewer's back while the game goes on.

A log is written by a thread of its own: a move is said before its log is begun. It gives way to searches that
have a time to keep, so logs may wait, as long as there is room for them. Names begin with game and ply, since
lists show where names begin; games are numbered on from those that the folder holds.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from engine.recording import Recording
from visualizer.formats.errors import LogError

log = logging.getLogger(__name__)

ROOM: Final = 256_000_000
"""Bytes of records that may wait: some five seconds of writing. Where they are more, the session waits."""

_CALM: Final = 0.1
"""Seconds without a search until a log is begun: who plays on at once is not in its way at all."""

_PATIENCE: Final = 2.0
"""Seconds until an abandoned log is left to itself; before its file is begun it cannot be stopped."""

_GAME: Final = re.compile(r"game([0-9]{4,9})-ply")


class _AbandonedError(Exception):
    """Nobody waits for this log any more."""


class _Waiting:
    """A log that is not known to be written; `is_awaited` once the session waits for it."""

    written: Future[None]

    def __init__(self, n_bytes: int) -> None:
        self.n_bytes = n_bytes
        self.is_awaited = False


class LogWriter:
    """Writes recordings into `folder`, one after the other; `room` is for those that wait, in bytes."""

    def __init__(self, folder: Path, room: int = ROOM) -> None:
        self.folder = folder
        self._room = room
        self._thread = ThreadPoolExecutor(1, "log writer")
        self._waiting: deque[_Waiting] = deque()
        self._changed = threading.Condition()
        self._is_searching = False
        self._is_abandoned = False
        self._n_games_before = 0

    def check_folder(self) -> None:
        """Make the folder, see that logs can be written there and which are; raises OSError, LogError."""
        from visualizer.formats.write import check_target

        self.folder.mkdir(parents=True, exist_ok=True)
        check_target(self.folder / "log.json.gz")
        found = map(_GAME.match, (path.name for path in self.folder.iterdir()))
        self._n_games_before = max((int(each[1]) for each in found if each), default=0)

    def write(self, recording: Recording, n_games: int, n_played: int, search: str) -> None:
        """Have a log written, once there is room for it to wait; what fails is a warning.

        `n_games` counts the session's games, `n_played` the plies before the one that was chosen; `search` is
        a name that no other search has.
        """
        path = self.folder / log_name(self._n_games_before + n_games, n_played, search)
        n_bytes = size_of(recording)
        self._leave_waiting(self._room - n_bytes)
        waiting = _Waiting(n_bytes)
        waiting.written = self._thread.submit(self._write, replace(recording, table=None), path, waiting)
        self._waiting.append(waiting)

    @contextmanager
    def giving_way(self) -> Iterator[None]:
        """While this lasts, the log that is being written rests and none is begun."""
        with self._change():
            self._is_searching = True
        try:
            yield
        finally:
            with self._change():
                self._is_searching = False

    def finish(self) -> None:
        """Wait until everything is written."""
        self._leave_waiting(0)

    def abandon(self) -> None:
        """Leave out what is not written yet, with a warning each; no part of a file stays behind."""
        with self._change():
            self._is_abandoned = True
        wait([each.written for each in self._waiting], _PATIENCE)

    def _leave_waiting(self, most: int) -> None:
        """Have the oldest logs written until those left are no more than `most` bytes, or none."""
        while self._waiting:
            oldest = self._waiting[0]
            if not oldest.written.done():
                if sum(each.n_bytes for each in self._waiting) <= most:
                    return
                with self._change():
                    oldest.is_awaited = True
            try:
                oldest.written.result()
            finally:
                self._waiting.popleft()

    @property
    def n_waiting(self) -> int:
        """How many logs were given that are not known to be written."""
        return len(self._waiting)

    def _write(self, recording: Recording, path: Path, waiting: _Waiting) -> None:
        from visualizer.formats.recording import log_from_recording
        from visualizer.formats.write import write_log_file

        try:
            self._await_calm(waiting)
            made = log_from_recording(recording)
            self._go_on()
            write_log_file(made, path, lambda part: self._go_on())
        except LogError as error:
            log.warning("%s", error)
        except _AbandonedError:
            log.warning("%s was not written: the session ended", path)

    def _await_calm(self, waiting: _Waiting) -> None:
        """Rest until no search has run for a moment, or somebody waits for this log."""
        while True:
            self._go_on()
            with self._changed:
                if waiting.is_awaited or not self._changed.wait_for(
                    lambda: self._is_searching or self._is_abandoned or waiting.is_awaited, _CALM
                ):
                    return

    def _go_on(self) -> None:
        """Rest while a search runs; raises where the log is abandoned."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_abandoned or not self._is_searching)
            if self._is_abandoned:
                raise _AbandonedError

    @contextmanager
    def _change(self) -> Iterator[None]:
        """What is changed in here is seen by the writing thread at once."""
        with self._changed:
            yield
            self._changed.notify_all()


def size_of(recording: Recording) -> int:
    """The bytes of what a search has recorded."""
    return sum(
        column.nbytes for column in (recording.rows, recording.factors, recording.stub_plies, recording.hits)
    )


def log_name(game: int, n_played: int, search: str) -> str:
    """The name of a search's log; names sort by game and ply.

    >>> log_name(2, 13, "20260101-120000-77-40")
    'game0002-ply0014-20260101-120000-77-40.json.gz'
    """
    return f"game{game:04}-ply{n_played + 1:04}-{search}.json.gz"
