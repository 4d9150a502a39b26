"""The shelf: every log a viewer can show, by id, in the order of its list. Safe to use from many threads."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from visualizer.formats.errors import LogError, TooLarge
from visualizer.formats.foreign.mapping import RememberedMappings
from visualizer.shelf.entry import Entry, Source
from visualizer.shelf.library import Library
from visualizer.shelf.pastes import Pastes
from visualizer.shelf.reading import (
    SMALL_BYTES,
    ChildReading,
    read_with_memory,
    size_once_read,
    unpacked_size,
)
from visualizer.store.tree import Tree

LOG_ENDINGS: Final = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".js", ".ndjson")
"""What a folder lists; what a file holds is still found by its content."""

FIRST_EXAMPLE: Final = "reversi-"
"""How the name of the example begins that a viewer without logs opens."""

MOST_OPEN: Final = 12
"""Trees kept in memory; the one not used for longest is read again when asked for."""


class NotReadyError(Exception):
    """The log is still being read, or could not be; `entry` says which."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.error or f"{entry.name} is still being read")
        self.entry = entry


class Shelf:
    """The logs of one viewer.

    `data` keeps pastes and mappings, `cache` converted logs; `max_bytes` bounds a log after decompression.
    """

    def __init__(self, data: Path, cache: Path, *, max_bytes: int = 4 * 2**30) -> None:
        self._data, self._cache, self._max_bytes = data, cache, max_bytes
        self._remembered = RememberedMappings(data)
        self._library = Library(cache, self._remembered)
        self._entries: dict[str, Entry] = {}
        self._folders: list[Path] = []
        self._used: list[str] = []
        self._lock = threading.RLock()
        self._pastes = Pastes(data / "pasted")
        self._entries.update((entry.id, entry) for entry in self._pastes.all())

    # What is listed ----------------------------------------------------------------------------------
    def add_file(self, path: Path, source: Source = "file", mapping: dict[str, str] | None = None) -> Entry:
        """List one file; its content is read, a foreign tree with `mapping`, when it is first opened."""
        path = path.resolve()
        with self._lock:
            known = next((entry for entry in self._entries.values() if entry.path == path), None)
            if known is not None:
                return known
            entry = Entry(_digest(str(path)), path.name, source, path, path.stat().st_size, mapping=mapping)
            self._entries[entry.id] = entry
            return entry

    def add_folder(self, folder: Path) -> None:
        """List the logs that lie in a folder, now and whenever the list is asked for.

        Links that lead out of the folder are not followed.
        """
        with self._lock:
            self._folders.append(folder.resolve())
            self._look_into_folders()

    def entries(self) -> list[Entry]:
        """All logs: files and folders in the order given, then pastes, the newest last."""
        with self._lock:
            self._look_into_folders()
            return sorted(self._entries.values(), key=lambda entry: entry.source == "pasted")

    def entry(self, log_id: str) -> Entry:
        """The log with this id; raises KeyError."""
        with self._lock:
            return self._entries[log_id]

    def _look_into_folders(self) -> None:
        for folder in self._folders:
            inside = [path for path in sorted(folder.iterdir()) if path.name.endswith(LOG_ENDINGS)]
            for path in inside:
                if path.is_file() and path.resolve().parent == folder:
                    self.add_file(path, "folder")

    # Reading -----------------------------------------------------------------------------------------
    def open(self, log_id: str) -> Tree:
        """The tree of a log, read now if it is small; raises KeyError, NotReadyError.

        A large one starts to be read in a child process; ask again when its entry says `ready`.
        """
        entry = self.entry(log_id)
        with self._lock:
            if entry.tree is None and entry.state in ("waiting", "failed") and entry.path.exists():
                self._start_reading(entry)
            if entry.tree is None:
                raise NotReadyError(entry)
            self._touch(entry)
            return entry.tree

    def _start_reading(self, entry: Entry) -> None:
        entry.starts_reading()
        try:
            entry.n_bytes = entry.path.stat().st_size
            if size_once_read(entry.path) <= SMALL_BYTES:
                log = read_with_memory(
                    entry.path.read_bytes(),
                    name=entry.path.name,
                    mapping=entry.mapping,
                    remembered=self._remembered,
                    max_bytes=self._max_bytes,
                )
                entry.has_read(Tree(log))
                return
            converted = self._library.find(entry.path, entry.mapping)
            if converted is not None:
                entry.has_read(Tree(converted))
                return
            entry.child = ChildReading(entry.path, entry.mapping, self._data, self._cache, self._max_bytes)
            threading.Thread(target=self._await_child, args=(entry, entry.child), daemon=True).start()
        except (LogError, OSError) as error:
            entry.has_failed(str(error))

    def _await_child(self, entry: Entry, child: ChildReading) -> None:
        def on_progress(part: float) -> None:
            entry.progress = part

        try:
            tree = Tree(child.wait(on_progress))
        except LogError as error:
            with self._lock:
                if entry.child is child:
                    entry.has_failed(str(error))
                    if entry.source == "pasted":  # listed with its reason, but nothing of it stays
                        self._pastes.forget(entry)
            return
        with self._lock:
            if entry.child is child:
                entry.child = None
                entry.has_read(tree)
                self._touch(entry)

    def stop_reading(self, log_id: str) -> None:
        """End the child that reads this log, if one does; raises KeyError. Opening it begins again."""
        with self._lock:
            entry = self._entries[log_id]
            child = entry.child
            if child is not None:
                entry.has_failed(f"the reading of {entry.name} was stopped; open it to begin again")
                child.kill()

    def _touch(self, entry: Entry) -> None:
        if entry.id in self._used:
            self._used.remove(entry.id)
        self._used.append(entry.id)
        for old in self._used[:-MOST_OPEN]:
            self._used.remove(old)
            if old in self._entries and self._entries[old].tree is not None:
                self._entries[old].forget_tree()

    def close(self) -> None:
        """End every child process."""
        with self._lock:
            for entry in self._entries.values():
                if entry.child is not None:
                    entry.child.kill()

    # Pastes ------------------------------------------------------------------------------------------
    def paste(self, data: bytes, name: str, mapping: Mapping[str, str] | None = None) -> Entry:
        """Keep and list a log that came as bytes; raises LogError, and then nothing is kept.

        One that is too large to read at once is kept and read in a child process. Raises OSError where the
        disk takes no more.
        """
        digest = _digest(data)
        chosen = None if mapping is None else dict(mapping)
        tree = None
        n_bytes = unpacked_size(data[:2], data[-4:], len(data))
        if n_bytes > self._max_bytes:
            raise TooLarge(f"the log unpacks to {n_bytes:,} bytes; the limit is {self._max_bytes:,}")
        if n_bytes <= SMALL_BYTES:
            tree = Tree(
                read_with_memory(
                    data, name=name, mapping=chosen, remembered=self._remembered, max_bytes=self._max_bytes
                )
            )
        with self._lock:
            entry = self._pastes.keep(digest, name or self._next_name(), data, chosen)
            self._entries.pop(digest, None)
            self._entries[digest] = entry
            if tree is not None:
                entry.has_read(tree)
                self._touch(entry)
        if tree is None:
            try:
                self.open(digest)
            except NotReadyError:
                if entry.state == "failed":
                    self.delete(digest)
                    raise LogError(entry.error) from None
        return entry

    def delete(self, log_id: str) -> None:
        """Take a paste off the shelf and delete its copy; raises KeyError, PermissionError for other logs."""
        with self._lock:
            entry = self._entries[log_id]
            if not entry.deletable:
                raise PermissionError(
                    f"{entry.name} is a file of yours, not a paste; delete it where it lies"
                )
            del self._entries[log_id]
            if entry.child is not None:
                entry.child.kill()
                entry.child = None
            self._pastes.forget(entry)

    def _next_name(self) -> str:
        taken = {entry.name for entry in self._entries.values()}
        return next(name for n in range(1, len(taken) + 2) if (name := f"pasted {n}") not in taken)

    # Mappings ----------------------------------------------------------------------------------------
    def set_mapping(self, log_id: str, mapping: Mapping[str, str]) -> Tree:
        """Read a foreign log again with this mapping and remember it for its shape; {} guesses again.

        Raises KeyError, NotReadyError, LogError; after an error the log is as it was.
        """
        tree = self.open(log_id)
        entry = self.entry(log_id)
        shape = tree.log.shape
        if not shape:
            raise LogError(
                f"{entry.name} is no foreign tree: its fields have their meaning from the log format"
            )
        with self._lock:
            chosen = dict(mapping) or None
            before = self._remembered.get(shape)
            if chosen is None:
                self._remembered.forget(shape)
            else:
                self._remembered.set(shape, chosen)
            old_mapping, entry.mapping = entry.mapping, chosen
            old_tree = entry.tree
            entry.forget_tree()
            try:
                tree = self.open(log_id)
                if entry.source == "pasted":
                    self._pastes.describe(entry)
                return tree
            except NotReadyError as failure:
                if failure.entry.state == "failed" and old_tree is not None:
                    error = entry.error
                    entry.mapping = old_mapping
                    entry.has_read(old_tree)
                    if before is None:
                        self._remembered.forget(shape)
                    else:
                        self._remembered.set(shape, before)
                    raise LogError(error) from None
                raise


def list_examples(shelf: Shelf, examples: Path) -> None:
    """List the bundled examples: the one to start with, then the others by name."""
    inside = sorted(examples.iterdir()) if examples.is_dir() else []
    for path in sorted(inside, key=lambda path: not path.name.startswith(FIRST_EXAMPLE)):
        if path.name.endswith(LOG_ENDINGS):
            shelf.add_file(path, "example")


def add_paths(shelf: Shelf, paths: Iterable[Path], mapping: dict[str, str] | None = None) -> None:
    """List files, foreign ones to be read with `mapping`, and the logs in folders.

    Raises OSError for a path that is neither.
    """
    for path in paths:
        if path.is_dir():
            shelf.add_folder(path)
        else:
            shelf.add_file(path, mapping=mapping)


def _digest(what: str | bytes) -> str:
    data = what.encode() if isinstance(what, str) else what
    return hashlib.sha256(data).hexdigest()[:12]
