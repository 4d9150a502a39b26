"""The folder with the logs of a match's games: written aside, and moved there once their game counts."""

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
"""The key of the header under which such a log describes its game."""
_NAME: Final = re.compile(r"game(?P<game>\d{4,9})-ply(?P<ply>\d{1,9})-")


class Place(NamedTuple):
    """The game and the ply of a search in its match."""

    game: int
    ply: int


def place_of(name: str) -> Place | None:
    """The game and the ply, from 1, in the name of a log; None where the name has another form.

    >>> place_of("game0003-ply0014-deep.json.gz"), place_of("a.json")
    (Place(game=3, ply=14), None)
    """
    found = _NAME.match(name)
    return None if found is None else Place(int(found["game"]), int(found["ply"]))


@dataclass(frozen=True)
class MatchLogs:
    """A folder of logs; `shown` is its path in the results, absolute or relative to them."""

    folder: Path
    shown: str

    @classmethod
    def beside(cls, results: Path | None, folder: Path | None) -> MatchLogs:
        """The given folder, else one beside the results. Raises MatchError without either.

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
        """Make the folder, or check that it has logs of this match. Raises MatchError, LogError.

        Unfinished logs of a killed run are removed.
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
        """The path of the folder, relative to the working folder if it is below that."""
        here = Path.cwd()
        return str(self.folder.relative_to(here) if here in self.folder.parents else self.folder)

    def finish(self) -> None:
        """Remove the unfinished logs; nothing more is written."""
        shutil.rmtree(self._aside, ignore_errors=True)

    def write(self, recording: Recording, name: str, about: Mapping[str, Any]) -> None:
        """Write the log of a search aside, with `about` in its header. Raises LogError."""
        self.write_log(log_from_recording(recording), name, about)

    def hold(self, recording: Recording, name: str) -> None:
        """Keep the columns of a search until its game is over. Raises OSError."""
        disk.save(log_from_recording(recording), self._aside / name)

    def write_held(self, name: str, about: Mapping[str, Any]) -> None:
        """Write the log of a held search aside. Raises LogError."""
        log = disk.load(self._aside / name)
        if log is None:
            raise LogError(f"{self._aside / name} is not there any more, or damaged; a log was held in it")
        self.write_log(log, name, about)

    def publish(self, names: Sequence[str]) -> tuple[str, ...]:
        """Move logs into the folder; returns their paths as the results name them. Raises OSError."""
        for name in names:
            os.replace(self._aside / f"{name}{ENDING}", self._path(name))
        return tuple(f"{self.shown}/{name}{ENDING}" for name in names)

    def drop(self, names: Sequence[str]) -> None:
        """Remove the unfinished logs with these names."""
        for name in names:
            with suppress(OSError):
                (self._aside / f"{name}{ENDING}").unlink(missing_ok=True)
            shutil.rmtree(self._aside / name, ignore_errors=True)

    def has(self, path: str) -> bool:
        """Whether the log exists that the results name by this path."""
        place, _, name = path.rpartition("/")
        return place == self.shown and (self.folder / name).exists()

    def write_log(self, log: Log, name: str, about: Mapping[str, Any]) -> None:
        """Write a log aside, with `about` in its header. Raises LogError."""
        header = {**log.header, HEADER: dict(about)}
        write_log_file(replace(log, header=header), self._aside / f"{name}{ENDING}")

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{ENDING}"

    @property
    def _aside(self) -> Path:
        return self.folder / ASIDE
