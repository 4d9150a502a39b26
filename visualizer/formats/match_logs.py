"""The folder in which the logs of a match's games lie: written aside, and put there once they count."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from plyscope.engine.match.errors import MatchError
from plyscope.engine.record.recording import Recording
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.marks import MARK
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.files import check_target, write_log_file
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log

ENDING: Final = ".json.gz"
ASIDE: Final = f"{MARK}-unfinished"
HEADER: Final = "match"
"""What the header of such a log says of its game."""
_NAME: Final = re.compile(r"game(?P<game>\d{4,9})-ply(?P<ply>\d{1,9})-")


class Place(NamedTuple):
    """The place of a search in its match, by the name of its log."""

    game: int
    ply: int


def place_of(name: str) -> Place | None:
    """The place of a log of this name in its game; None of one that is not named so.

    A ply counts from 1.

    >>> place_of("game0003-ply0014-deep.json.gz"), place_of("a.json")
    (Place(game=3, ply=14), None)
    """
    found = _NAME.match(name)
    return None if found is None else Place(int(found["game"]), int(found["ply"]))


@dataclass(frozen=True)
class MatchLogs:
    """A folder of logs, and how the results name it: `shown` is an absolute path, or one from beside them."""

    folder: Path
    shown: str

    @classmethod
    def beside(cls, results: Path | None, folder: Path | None) -> MatchLogs:
        """The folder that was asked for, else one beside the results. Raises MatchError without either.

        >>> MatchLogs.beside(Path("cup/games.jsonl"), None).shown
        'games-logs'
        """
        if folder is None:
            if results is None:
                raise MatchError("log: nowhere to write them; name a folder, or a file of games beside it")
            folder = results.with_name(f"{results.name.partition('.')[0] or 'games'}-logs")
        shown = folder.resolve()
        if results is not None and (home := results.resolve().parent) in shown.parents:
            return cls(folder.resolve(), shown.relative_to(home).as_posix())
        return cls(folder.resolve(), shown.as_posix())

    def prepare(self, match: Mapping[str, Any]) -> None:
        """Make the folder, or find that it has logs of this match. Raises MatchError, LogError.

        What a run that was killed left aside is removed.
        """
        mark = self.folder / MARK
        asked = json.dumps({"match": match}, sort_keys=True)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            stated = mark.read_text("utf-8") if mark.exists() else None
            if stated not in (None, asked):
                raise MatchError(f"{self.folder} has the logs of another match; name another folder")
            shutil.rmtree(self._aside, ignore_errors=True)
            check_target(self._path("log"))
            mark.write_text(asked, "utf-8")
            self._aside.mkdir(exist_ok=True)
        except OSError as error:
            raise MatchError(f"{self.folder}: no logs can be written: {error.strerror or error}") from None

    @property
    def place(self) -> str:
        """The folder, as it is best written here."""
        here = Path.cwd()
        return str(self.folder.relative_to(here) if here in self.folder.parents else self.folder)

    def finish(self) -> None:
        """Nothing more is written."""
        shutil.rmtree(self._aside, ignore_errors=True)

    def write(self, recording: Recording, name: str, about: Mapping[str, Any]) -> None:
        """Write a search, with `about` in its header, aside. Raises LogError."""
        self.write_log(log_from_recording(recording), name, about)

    def hold(self, recording: Recording, name: str) -> None:
        """Keep the columns of a search until its game is over. Raises OSError."""
        disk.save(log_from_recording(recording), self._aside / name)

    def write_held(self, name: str, about: Mapping[str, Any]) -> None:
        """Write a search that is held, aside. Raises LogError."""
        log = disk.load(self._aside / name)
        if log is None:
            raise LogError(f"{self._aside / name} is not there any more, or damaged; a log was held in it")
        self.write_log(log, name, about)

    def publish(self, names: Sequence[str]) -> tuple[str, ...]:
        """Put logs into the folder; returns their paths as the results name them. Raises OSError."""
        for name in names:
            os.replace(self._aside / f"{name}{ENDING}", self._path(name))
        return tuple(f"{self.shown}/{name}{ENDING}" for name in names)

    def drop(self, names: Sequence[str]) -> None:
        """Remove what is aside of these."""
        for name in names:
            with suppress(OSError):
                (self._aside / f"{name}{ENDING}").unlink(missing_ok=True)
            shutil.rmtree(self._aside / name, ignore_errors=True)

    def has(self, path: str) -> bool:
        """Whether the log that the results name so is there."""
        place, _, name = path.rpartition("/")
        return place == self.shown and (self.folder / name).exists()

    def write_log(self, log: Log, name: str, about: Mapping[str, Any]) -> None:
        """Write a log, with `about` in its header, aside. Raises LogError."""
        header = {**log.header, HEADER: dict(about)}
        write_log_file(replace(log, header=header), self._aside / f"{name}{ENDING}")

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{ENDING}"

    @property
    def _aside(self) -> Path:
        return self.folder / ASIDE
