"""The logs that searches leave, written behind the viewer's back while the game goes on.

A log is written by a thread of its own: a move is said before its log is begun, and the commands that follow
are not kept waiting. At most one log is being written.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from engine.recording import Recording
from visualizer.formats.errors import LogError

log = logging.getLogger(__name__)


class _AbandonedError(Exception):
    """Nobody waits for this log any more."""


class LogWriter:
    """Writes recordings into `folder`, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._thread: threading.Thread | None = None
        self._is_abandoned = threading.Event()

    def check_folder(self) -> None:
        """Make the folder and see that logs can be written there; raises OSError, LogError."""
        from visualizer.formats.write import check_target

        self.folder.mkdir(parents=True, exist_ok=True)
        check_target(self.folder / "log.json.gz")

    def write(self, recording: Recording, name: str) -> None:
        """Begin to write a log called `name`, once the one before is written; what fails is a warning."""
        self.finish()
        self._thread = threading.Thread(
            target=self._write, args=(recording, self.folder / name), name="log writer", daemon=True
        )
        self._thread.start()

    def finish(self) -> None:
        """Wait until all that was begun is written."""
        if self._thread is not None:
            self._thread.join()

    def abandon(self) -> None:
        """Leave out what is not written yet, with a warning; no part of a file stays behind."""
        self._is_abandoned.set()
        self.finish()

    def _write(self, recording: Recording, path: Path) -> None:
        from visualizer.formats.recording import log_from_recording
        from visualizer.formats.write import write_log_file

        try:
            write_log_file(log_from_recording(recording), path, self._go_on)
        except LogError as error:
            log.warning("%s", error)
        except _AbandonedError:
            log.warning("%s was not written: the session ended", path)

    def _go_on(self, part: float) -> None:
        if self._is_abandoned.is_set():
            raise _AbandonedError


def log_name(session: str, n_games: int, n_played: int, n_searches: int) -> str:
    """The name of a search's log, never that of another; names sort by session, game, ply and search.

    >>> log_name("20260101-120000-77", 2, 13, 40)
    '20260101-120000-77-game002-ply0014-search00040.json.gz'
    """
    return f"{session}-game{n_games:03}-ply{n_played + 1:04}-search{n_searches:05}.json.gz"
