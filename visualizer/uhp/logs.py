"""The logs that searches leave, written behind the viewer's back while the game goes on.

A log is written by a thread of its own: a move is said before its log is begun, and the commands that follow
are not kept waiting. At most one log is being written. Names begin with game and ply, since lists show where
names begin; games are numbered on from those that the folder holds.
"""

from __future__ import annotations

import logging
import re
import threading
from pathlib import Path
from typing import Final

from engine.recording import Recording
from visualizer.formats.errors import LogError

log = logging.getLogger(__name__)

_PATIENCE: Final = 2.0
"""Seconds until an abandoned log is left to itself; before its file is begun it cannot be stopped."""

_GAME: Final = re.compile(r"game([0-9]{4,9})-ply")


class _AbandonedError(Exception):
    """Nobody waits for this log any more."""


class LogWriter:
    """Writes recordings into `folder`, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._thread: threading.Thread | None = None
        self._is_abandoned = threading.Event()
        self._n_games_before = 0

    def check_folder(self) -> None:
        """Make the folder, see that logs can be written there and which are; raises OSError, LogError."""
        from visualizer.formats.write import check_target

        self.folder.mkdir(parents=True, exist_ok=True)
        check_target(self.folder / "log.json.gz")
        found = map(_GAME.match, (path.name for path in self.folder.iterdir()))
        self._n_games_before = max((int(each[1]) for each in found if each), default=0)

    def write(self, recording: Recording, n_games: int, n_played: int, search: str) -> None:
        """Begin to write a log, once the one before is written; what fails is a warning.

        `n_games` counts the session's games, `n_played` the plies before the one that was chosen; `search` is
        a name that no other search has.
        """
        self.finish()
        path = self.folder / log_name(self._n_games_before + n_games, n_played, search)
        self._thread = threading.Thread(
            target=self._write, args=(recording, path), name="log writer", daemon=True
        )
        self._thread.start()

    def finish(self) -> None:
        """Wait until all that was begun is written."""
        if self._thread is not None:
            self._thread.join()

    def abandon(self) -> None:
        """Leave out what is not written yet, with a warning; no part of a file stays behind."""
        self._is_abandoned.set()
        if self._thread is not None:
            self._thread.join(_PATIENCE)

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


def log_name(game: int, n_played: int, search: str) -> str:
    """The name of a search's log; names sort by game and ply.

    >>> log_name(2, 13, "20260101-120000-77-40")
    'game0002-ply0014-20260101-120000-77-40.json.gz'
    """
    return f"game{game:04}-ply{n_played + 1:04}-{search}.json.gz"
