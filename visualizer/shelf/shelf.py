"""The shelf: every log a viewer can show, by id, in the order of its list. Safe to use from many threads."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from visualizer.formats.compressed import unpacked_size
from visualizer.formats.errors import LogError, TooLarge
from visualizer.formats.foreign.mapping import RememberedMappings
from visualizer.shelf.entry import Entry, Source
from visualizer.shelf.library import Library
from visualizer.shelf.pastes import Pastes
from visualizer.shelf.reading import (
    SMALL_BYTES,
    ChildReading,
    ReadingFailed,
    read_with_memory,
    size_once_read,
    stamp_of,
    unexpected,
)
from visualizer.store.tree import Tree

LOG_ENDINGS: Final = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".js", ".ndjson")
"""What a folder lists; what a file holds is still found by its content."""

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
            name = os.fsencode(path.name).decode(errors="replace")
            entry = Entry(_digest(path), name, source, path, path.stat().st_size, mapping=mapping)
            self._entries[entry.id] = entry
            return entry

    def add_folder(self, folder: Path) -> None:
        """List the logs that lie in a folder, now and whenever the list is asked for.

        Links that lead out of the folder are not followed.
        """
        with self._lock:
            self._folders.append(folder.resolve())
            self._look_into_folders()

    @property
    def folders(self) -> list[Path]:
        """The folders that are looked into, in the order given."""
        with self._lock:
            return list(self._folders)

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
            with suppress(OSError):  # a folder or file that was there a moment ago
                for path in sorted(folder.iterdir()):
                    is_log = path.name.endswith(LOG_ENDINGS) and path.is_file()
                    if is_log and path.resolve().parent == folder:
                        self.add_file(path, "folder")

    # Reading -----------------------------------------------------------------------------------------
    def open(self, log_id: str, *, afresh: bool = False) -> Tree:
        """The tree of a log, read now if it is small; raises KeyError, NotReadyError.

        A large one starts to be read in a child process; ask again when its entry says `ready`. With `afresh`
        a file that was written again since it was read is read again.
        """
        entry = self.entry(log_id)
        with self._lock:
            if afresh and entry.tree is not None and stamp_of(entry.path) not in (None, entry.stamp):
                entry.forget_tree()
            if entry.tree is None and entry.state in ("waiting", "failed"):
                self._start_reading(entry)
            if entry.tree is None:
                raise NotReadyError(entry)
            self._touch(entry)
            return entry.tree

    def _start_reading(self, entry: Entry) -> None:
        stamp = stamp_of(entry.path)
        if stamp is None:
            entry.has_failed(entry.error or f"{entry.name} is not there any more; it was at {entry.path}")
            return
        entry.starts_reading()
        try:
            entry.stamp, entry.n_bytes = stamp, stamp[0]
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
        except LogError as error:
            entry.has_failed(str(error))
        except OSError as error:
            entry.has_failed(f"{entry.name} cannot be read: {error.strerror or error}")
        except MemoryError:
            entry.has_failed(f"{entry.name} needs more memory than this machine has free")
        except Exception as error:
            logging.getLogger(__name__).exception("reading %s", entry.path)
            entry.has_failed(unexpected(entry.name, error))

    def _await_child(self, entry: Entry, child: ChildReading) -> None:
        def on_progress(part: float) -> None:
            entry.progress = part

        try:
            tree = Tree(child.wait(on_progress))
            with self._lock:
                if entry.child is child:
                    entry.has_read(tree)
                    entry.child = None
                    self._touch(entry)
        except LogError as error:
            with self._lock:
                if entry.child is child:
                    entry.has_failed(str(error))
                    if entry.is_unproven and not isinstance(error, ReadingFailed):
                        self._pastes.forget(entry)  # listed with its reason, but nothing of it stays
        except Exception as error:
            logging.getLogger(__name__).exception("reading %s", entry.path)
            with self._lock:
                if entry.child is child:
                    entry.has_failed(unexpected(entry.name, error))

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
                entry.forget_check()
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
        n_bytes = unpacked_size(data, min(SMALL_BYTES, self._max_bytes))
        if n_bytes > self._max_bytes:
            raise TooLarge(f"the log unpacks to more than {self._max_bytes:,} bytes, expected at most that")
        if n_bytes <= SMALL_BYTES:
            tree = Tree(
                read_with_memory(
                    data, name=name, mapping=chosen, remembered=self._remembered, max_bytes=self._max_bytes
                )
            )
        with self._lock:
            entry = self._pastes.keep(digest, name or self._next_name(), data, chosen)
            same = self._entries.pop(digest, None)
            if same is not None:
                same.forget_check()
                _end_child(same)
            self._entries[digest] = entry
            entry.is_unproven = True
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
            entry.forget_check()
            _end_child(entry)
            self._pastes.forget(entry)

    def _next_name(self) -> str:
        taken = {entry.name for entry in self._entries.values()}
        return next(name for n in range(1, len(taken) + 2) if (name := f"pasted {n}") not in taken)

    # Mappings ----------------------------------------------------------------------------------------
    def set_mapping(self, log_id: str, mapping: Mapping[str, str]) -> Tree:
        """Read a foreign log again with this mapping and remember it for its shape; {} guesses again.

        Raises KeyError, NotReadyError, LogError, OSError; after an error, also one that comes at the end
        of reading a large log, the log is as it was.
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
            before = entry.mapping, self._remembered.get(shape)
            self._choose(entry, shape, chosen, chosen)
            entry.forget_tree()
            entry.undo_mapping = lambda: self._choose(entry, shape, *before)
            try:
                return self.open(log_id)
            except NotReadyError:
                if entry.state == "failed":
                    error = entry.error
                    entry.has_read(tree)
                    raise LogError(error) from None
                raise

    def _choose(
        self, entry: Entry, shape: str, mapping: dict[str, str] | None, for_shape: dict[str, str] | None
    ) -> None:
        """Read `entry` with `mapping` from now on, and others of its shape with the other one."""
        if for_shape is None:
            self._remembered.forget(shape)
        else:
            self._remembered.set(shape, for_shape)
        entry.mapping = mapping
        if entry.source == "pasted":
            self._pastes.describe(entry)


def _end_child(entry: Entry) -> None:
    child, entry.child = entry.child, None
    if child is not None:
        child.kill()


def _digest(what: Path | bytes) -> str:
    data = os.fsencode(what) if isinstance(what, Path) else what
    return hashlib.sha256(data).hexdigest()[:12]
