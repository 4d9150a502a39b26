"""Pasted logs on the disk: the unchanged bytes, and beside them the given name and mapping.

pasted/<id>.log, pasted/<id>.about.json

Viewers may share the folder, and anything may be in it: only regular files are opened.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.meaning.mapping import checked_mapping
from plyscope.visualizer.shelf.entry import Entry, Stamp
from plyscope.visualizer.store.whole_file import PART, whole_file

LOG: Final = ".log"
ABOUT: Final = ".about.json"
LENGTH_OF_ID: Final = 12
ID: Final = re.compile(f"[0-9a-f]{{{LENGTH_OF_ID}}}")
LONGEST_NAME: Final = 200
SECONDS_A_PART_MAY_STAY: Final = 86_400
"""The age at which an unfinished paste of a killed viewer is deleted: a day."""

About = tuple[str, dict[str, str] | None, bool]
"""A description: the name, the mapping, and whether the user gave the name."""


@dataclass(frozen=True)
class Found:
    """A paste that lies on the disk."""

    id: str
    path: Path
    n_bytes: int
    time: float
    name: str
    mapping: dict[str, str] | None
    is_given: bool

    def entry(self) -> Entry:
        """The entry of the list."""
        return Entry(
            self.id,
            self.name,
            "pasted",
            self.path,
            self.n_bytes,
            mapping=self.mapping,
            time=self.time,
            is_given=self.is_given,
        )


class Pastes:
    """The pasted logs in one folder, which is made when the first one comes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, tuple[Stamp, About]] = {}
        """The descriptions that were read, and what their files were then."""

    def keep(
        self, log_id: str, name: str, data: bytes, mapping: dict[str, str] | None, *, is_given: bool = False
    ) -> Entry:
        """Write a paste to the disk and return its entry; raises OSError, and then all is as it was."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{log_id}{LOG}"
        was_there = path.is_file() and path.stat().st_size == len(data)  # the id is a digest of the content
        if was_there:
            os.utime(path)
        else:
            with whole_file(path) as file:
                file.write(data)
        try:
            return self._entry_of(log_id, name, path, mapping, is_given=is_given)
        except OSError:
            if not was_there:
                path.unlink(missing_ok=True)
            raise

    def keep_part(
        self, log_id: str, name: str, part: Path, mapping: dict[str, str] | None, *, is_given: bool = False
    ) -> Entry:
        """Make a paste of a part that is whole and return its entry; raises OSError."""
        return self._entry_of(log_id, name, self.adopt(part, log_id), mapping, is_given=is_given)

    def _entry_of(
        self, log_id: str, name: str, path: Path, mapping: dict[str, str] | None, *, is_given: bool
    ) -> Entry:
        """Write the description of the paste at `path`, and return its entry; raises OSError."""
        stat = path.stat()
        entry = Entry(log_id, name, "pasted", path, stat.st_size, mapping=mapping, time=stat.st_mtime)
        entry.stamp, entry.is_given = (stat.st_size, stat.st_mtime_ns), is_given
        self.describe(entry)
        return entry

    def new_part(self) -> Path:
        """A new empty file for a paste that comes piece by piece; raises OSError.

        Where its viewer dies, it goes after a day, as other parts do.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=self._folder, prefix=".", suffix=PART)
        os.close(handle)
        return Path(part)

    def adopt(self, part: Path, log_id: str) -> Path:
        """Make a whole paste of a part; returns its path. Raises OSError."""
        path = self._folder / f"{log_id}{LOG}"
        os.replace(part, path)
        return path

    def describe(self, entry: Entry) -> None:
        """Write down the entry's name and mapping; raises OSError."""
        about = {"name": entry.name, "mapping": entry.mapping, "given": entry.is_given}
        with whole_file(self._folder / f"{entry.id}{ABOUT}") as file:
            file.write(json.dumps(about).encode())

    def forget(self, entry: Entry) -> None:
        """Delete the files of a paste; raises OSError."""
        entry.path.unlink(missing_ok=True)
        (self._folder / f"{entry.id}{ABOUT}").unlink(missing_ok=True)

    def found(self) -> tuple[list[Found] | None, list[str]]:
        """The pastes of earlier days and of other viewers, the oldest first, and notices about oddities.

        A paste without a description is named by its id. None where the folder cannot be listed.
        """
        try:
            with os.scandir(self._folder) as inside:
                there = {each.name: each for each in inside}
        except FileNotFoundError:
            return [], []
        except OSError as error:
            return None, [f"{self._folder} cannot be listed: {error.strerror}; pastes may be missing"]
        pastes: list[Found] = []
        notices: list[str] = []
        for name, each in there.items():
            with suppress(OSError):  # deleted by another viewer just now
                log_id = name.removesuffix(LOG)
                if name.endswith(PART):
                    _delete_stale(each)
                elif name.endswith(LOG) and not each.is_file():
                    notices.append(f"{_shown(each)} is {_kind(each)}, not a paste; it is skipped")
                elif name.endswith(LOG) and not ID.fullmatch(log_id):
                    notices.append(f"{_shown(each)} is not named as pastes are; it is skipped")
                elif name.endswith(LOG):
                    about, notice = self._about(log_id, there.get(f"{log_id}{ABOUT}"))
                    notices += [notice] if notice else []
                    stat = each.stat()
                    pastes.append(Found(log_id, Path(each.path), stat.st_size, stat.st_mtime, *about))
        return sorted(pastes, key=lambda paste: paste.time), sorted(notices)

    def _about(self, log_id: str, file: os.DirEntry[str] | None) -> tuple[About, str]:
        """The description of a paste, and a notice if it is odd."""
        nothing: About = log_id, None, False
        if file is None:
            return nothing, ""
        if not file.is_file():
            return nothing, f"{_shown(file)} is {_kind(file)}, not the description of a paste; it is skipped"
        stat = file.stat()
        stamp = stat.st_size, stat.st_mtime_ns
        known = self._read.get(log_id)
        if known is None or known[0] != stamp:
            try:
                known = stamp, _described(Path(file.path).read_bytes())
            except (OSError, ValueError, LogError):
                return nothing, f"{_shown(file)} does not describe a paste; it is listed by its id"
            self._read[log_id] = known
        return known[1], ""


def _delete_stale(part: os.DirEntry[str]) -> None:
    if part.is_file(follow_symlinks=False) and time.time() - part.stat().st_mtime > SECONDS_A_PART_MAY_STAY:
        os.unlink(part.path)


def _described(text: bytes) -> About:
    """The content of a description; ValueError, LogError if it is none.

    >>> _described(b'{"name": "mine", "mapping": null}')
    ('mine', None, False)
    """
    about = orjson.loads(text)
    if not isinstance(about, dict) or not isinstance(about.get("name"), str):
        raise ValueError("expected an object with a name")
    mapping = about.get("mapping")
    if mapping is not None and not isinstance(mapping, dict):
        raise ValueError("expected a mapping or null")
    chosen = None if mapping is None else checked_mapping(mapping)
    return about["name"][:LONGEST_NAME], chosen, about.get("given") is True


def _shown(each: os.DirEntry[str]) -> str:
    """The path as text, also where its name is none."""
    return os.fsencode(each.path).decode(errors="replace")


def _kind(each: os.DirEntry[str]) -> str:
    if each.is_dir():
        return "a folder"
    return "a link to nothing" if each.is_symlink() else "no regular file"
