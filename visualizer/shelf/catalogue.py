"""The list of logs: the files, folders and examples of the command line, and the pastes, newest first.

Folders are listed and files looked at without the lock, which is held only to store what was found.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from plyscope.visualizer.formats.marks import MARK
from plyscope.visualizer.shelf.entry import Entry, Source, Stamp, stamp_of
from plyscope.visualizer.shelf.pastes import Found, Pastes

LOG_ENDINGS: Final = (
    *(form + packed for packed in ("", ".gz", ".zst") for form in (".json", ".jsonl", ".plyb")),
    ".parquet",
    ".js",
    ".ndjson",
)
"""The endings of files that a folder lists; their format is still detected by content."""


@dataclass(frozen=True)
class _File:
    """A log in a folder."""

    path: Path
    stamp: Stamp


class Catalogue:
    """Every log by id. Hold `lock` to change an entry, and only for a short time."""

    def __init__(self, pastes: Pastes) -> None:
        self.lock = threading.RLock()
        self.odd_pastes: list[str] = []
        """What is odd in the folder of pastes."""
        self._pastes = pastes
        self._entries: dict[str, Entry] = {}
        self._former: dict[str, Entry] = {}
        """Entries by the ids that they had while they were written."""
        self._by_path: dict[Path, Entry] = {}
        self._given: list[Path] = []
        self._folders: list[Path] = []
        self._of_matches: set[Path] = set()
        """Folders of given files that have the logs of a match."""
        self.look()

    def add_file(
        self,
        path: Path,
        source: Source = "file",
        mapping: dict[str, str] | None = None,
        *,
        may_come: bool = False,
    ) -> Entry:
        """List one file, or return its entry.

        Raises OSError for one that is not there; with `may_come` only where its folder is not.
        """
        path = path.resolve()
        try:
            stat = path.stat()
        except FileNotFoundError:
            if not may_come:
                raise
            path.parent.stat()
            with self.lock:
                self._given.append(path)
                entry = self._add(_File(path, (0, 0)), source, mapping)
                entry.looked_at(None)
                entry.seen = entry.time = None
                return entry
        is_of_match = (path.parent / MARK).exists()
        with self.lock:
            self._given.append(path)
            if is_of_match:
                self._of_matches.add(path.parent)
            return self._add(_File(path, (stat.st_size, stat.st_mtime_ns)), source, mapping)

    def add_searches(self, path: Path, n_searches: int) -> None:
        """List the first searches of a session over UCI beside its file, which opens as its last."""
        path = path.resolve()
        stamp = stamp_of(path)
        with self.lock:
            for number in range(1, n_searches + 1):
                name, n_bytes = f"{path.name} go {number}", stamp[0] if stamp else 0
                entry = Entry(_digest(path / str(number)), name, "file", path, n_bytes)
                entry.mapping = {"go": str(number)}
                self._entries[entry.id] = entry
                entry.looked_at(stamp)

    def add_folder(self, folder: Path) -> None:
        """List the logs in a folder, now and whenever the list is asked for.

        Links that lead out of the folder are not followed.
        """
        folder = folder.resolve()
        with self.lock:
            self._given.append(folder)
            self._folders.append(folder)
        self.look()

    def _add(self, file: _File, source: Source, mapping: dict[str, str] | None = None) -> Entry:
        entry = self._by_path.get(file.path)
        if entry is None:
            name = os.fsencode(file.path.name).decode(errors="replace")
            entry = Entry(_digest(file.path), name, source, file.path, file.stamp[0], mapping=mapping)
            self._entries[entry.id] = self._by_path[file.path] = entry
            entry.looked_at(file.stamp)
        if entry.state == "waiting":
            entry.n_bytes = file.stamp[0]
        return entry

    @property
    def folders(self) -> list[Path]:
        """The folders that are looked into, in the order given."""
        with self.lock:
            return list(self._folders)

    def entries(self) -> list[Entry]:
        """All logs, the newest first; then the examples, in the order in which they were given.

        The logs of a match stand together, by game and ply, where the newest of them would.
        """
        self.look()
        with self.lock:
            entries = list(self._entries.values())
            matches = {folder: 0.0 for folder in self._folders if (folder / MARK).exists()}
            matches |= dict.fromkeys(self._of_matches, 0.0)
        for entry in entries:
            if entry.path.parent in matches:
                matches[entry.path.parent] = max(matches[entry.path.parent], _time_in_list(entry))

        def place(entry: Entry) -> tuple[bool, float, str]:
            of_match = matches.get(entry.path.parent)
            if of_match is not None:
                return False, -of_match, entry.name
            return entry.source == "example", -_time_in_list(entry), ""

        return sorted(entries, key=place)

    def first(self) -> Entry | None:
        """The log to open by default: one that is being written, else the first of the command line.

        For a folder that is its newest log.
        """
        with self.lock:
            written = [entry for entry in self._entries.values() if entry.live is not None]
            if written:
                return written[-1]
            for path in self._given:
                if path in self._by_path:
                    return self._by_path[path]
                inside = [entry for entry in self._by_path.values() if entry.path.parent == path]
                if inside:
                    return max(inside, key=_time_in_list)
            return max(self._entries.values(), key=_time_in_list, default=None)

    def entry(self, log_id: str) -> Entry:
        """The log with this id, also one that another viewer was given; raises KeyError."""
        with self.lock:
            entry = self._entries.get(log_id) or self._former.get(log_id)
            if entry is not None:
                return entry
        if re.fullmatch("[0-9a-f]{12}", log_id):
            self.look()
        with self.lock:
            return self._entries[log_id]

    def listed(self) -> list[Entry]:
        """All known entries, without looking for new ones."""
        with self.lock:
            return list(self._entries.values())

    def put(self, entry: Entry) -> Entry | None:
        """List a paste; returns the entry of the same paste that it replaces."""
        with self.lock:
            before = self._entries.pop(entry.id, None)
            self._entries[entry.id] = entry
            return before

    def rename_id(self, entry: Entry, new_id: str, path: Path) -> Entry | None:
        """Give an entry another id and file; returns the entry of that id that it replaces."""
        with self.lock:
            before = self._entries.get(new_id)
            if self._entries.get(entry.id) is entry:
                del self._entries[entry.id]
            self._former[entry.id] = entry
            entry.id, entry.path = new_id, path
            self._entries[new_id] = entry
            return before if before is not entry else None

    def take(self, entry: Entry) -> None:
        """Take a log off the list, unless it is off it already."""
        with self.lock:
            if self._entries.get(entry.id) is entry:
                del self._entries[entry.id]
                self._by_path.pop(entry.path, None)

    def look(self) -> None:
        """Find the files that came into folders or went, and the pastes of other viewers."""
        with self.lock:
            # A log that is being written changes its name, its file and its kind when it ends.
            known = [entry for entry in self._entries.values() if entry.live is None]
            folders = list(self._folders)
            read_as = {entry.id: entry.stamp for entry in known}
        inside = [_logs_in(folder) for folder in folders]
        seen = {entry.id: stamp_of(entry.path) for entry in known if entry.source == "file"}
        pastes, notices = self._pastes.found()
        gone = []
        with self.lock:
            self.odd_pastes = notices
            lying = {self._add(file, "folder").id: file.stamp for files in inside for file in files or ()}
            seen |= lying
            for paste in pastes or ():
                self._update(paste)
            there = {paste.id for paste in pastes or ()} | lying.keys()
            unseen = {folder for folder, files in zip(folders, inside, strict=True) if files is None}
            for entry in known:
                if entry.live is not None or (pastes is None and entry.source == "pasted"):
                    continue
                if entry.id not in seen and entry.source == "folder" and entry.path.parent not in unseen:
                    seen[entry.id] = None
                # A reading that began meanwhile has newer contents than those seen here.
                if entry.id in seen and entry.stamp == read_as[entry.id]:
                    entry.looked_at(seen[entry.id])
                if entry.id not in there and _is_gone(entry, unseen):
                    self.take(entry)
                    gone.append(entry)
        for entry in gone:
            entry.ends()

    def _update(self, paste: Found) -> None:
        entry = self._entries.get(paste.id)
        if entry is None:
            self._entries[paste.id] = paste.entry()
        elif entry.source == "pasted":
            entry.time = paste.time
            if entry.state != "reading":
                entry.name, entry.mapping, entry.is_given = paste.name, paste.mapping, paste.is_given


def _is_gone(entry: Entry, unseen: set[Path]) -> bool:
    """Whether an entry that was not found goes off the list.

    A paste that could not be read stays with its reason; a log of a folder as long as its tree is open.
    """
    if entry.live is not None:
        return False
    if entry.source == "pasted":
        return entry.state in ("waiting", "ready")
    return entry.source == "folder" and entry.tree is None and entry.path.parent not in unseen


def _logs_in(folder: Path) -> list[_File] | None:
    """The logs in a folder, by name; none where it is gone, None where it cannot be listed."""
    files = []
    try:
        with os.scandir(folder) as inside:
            for each in inside:
                with suppress(OSError):  # there a moment ago
                    if not each.name.endswith(LOG_ENDINGS) or not each.is_file():
                        continue
                    path = folder / each.name
                    if each.is_symlink() and (path := path.resolve()).parent != folder:
                        continue
                    stat = each.stat()
                    files.append(_File(path, (stat.st_size, stat.st_mtime_ns)))
    except FileNotFoundError:
        return []
    except OSError:
        return None
    return sorted(files, key=lambda file: file.path)


def _time_in_list(entry: Entry) -> float:
    return 0.0 if entry.time is None or entry.source == "example" else entry.time


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
