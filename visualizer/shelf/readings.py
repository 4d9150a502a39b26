"""Readings: a listed log becomes a tree, at once, in a child process, or from its converted columns.

The catalogue's lock is held only to look up and to store results, never while a log is read, or a child
process begun or ended: no request waits for another one's log.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plyscope.visualizer.analysis.nodes.deciding_line import lines_of
from plyscope.visualizer.analysis.warm_up import compile_beside
from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf.catalogue import Catalogue
from plyscope.visualizer.shelf.entry import Entry, end, known_of, stamp_of
from plyscope.visualizer.shelf.jobs.log_reader import (
    SMALL_BYTES,
    ChildReading,
    ReadingFailed,
    SpareReader,
    is_small,
    read_with_memory,
    size_once_read,
    unexpected,
)
from plyscope.visualizer.shelf.jobs.time_limit import TakesLong
from plyscope.visualizer.shelf.log_cache import LogCache, digest_of
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.shelf.pastes import Pastes
from plyscope.visualizer.shelf.uploads import Upload
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:  # loaded only to check or follow a log
    from plyscope.visualizer.shelf.follow.followed_log import FollowedLog
    from plyscope.visualizer.shelf.jobs.job import Job

MOST_OPEN: Final = 12
"""Trees kept in memory; the one not used for longest is read again when asked for."""
MANY_ROWS: Final = 25_000
"""A log of this many rows takes a quarter of a second to be read, so it is kept converted, however small."""

SECONDS_BETWEEN_LOOKS: Final = 0.05
SECONDS_FOR_FIRST_NODES: Final = 1.0
"""How long a request waits for the first nodes of a log that is being written."""


class NotReadyError(Exception):
    """The log is still being read, or could not be; `entry` says which."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.error or f"{entry.name} is still being read")
        self.entry = entry


class Readings:
    """Reads the logs of one viewer; safe to use from many threads.

    `on_read` is called with every entry that was read, outside of the lock.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        pastes: Pastes,
        log_cache: LogCache,
        remembered: RememberedMappings,
        *,
        data: Path,
        cache: Path,
        max_bytes: int,
        on_read: Callable[[Entry], None],
    ) -> None:
        self._lock, self._pastes, self._log_cache = catalogue.lock, pastes, log_cache
        self._data, self._cache, self._max_bytes = data, cache, max_bytes
        self._remembered = remembered
        self._on_read = on_read
        self._used: list[Entry] = []
        self.spare_reader = SpareReader()

    def is_read_at_once(self, data: bytes, n_bytes: int) -> bool:
        """Whether a log that comes as bytes, `n_bytes` of them unpacked, is read within its request."""
        return n_bytes <= SMALL_BYTES and is_small(data)

    def open(self, entry: Entry, *, afresh: bool = False) -> Tree:
        """The tree of a log, read now if it is small; raises NotReadyError.

        A large one starts to be read in a child process; ask again when its entry says `ready`. With `afresh`
        a file that was written again since it was read is read again.
        """
        if (live := entry.live) is not None:
            return self._open_live(entry, live)
        now = stamp_of(entry.path) if afresh else None
        check = None
        with self._lock:
            if afresh:
                entry.looked_at(now)
            if entry.tree is not None and now not in (None, entry.stamp):
                check = entry.lets_go()
            tree = entry.tree
            released = self._touch(entry) if tree is not None else []
            is_ours = tree is None and entry.state in ("waiting", "failed")
            turn = entry.starts_reading() if is_ours else entry.turn
            child = entry.child
        end(check, *released)
        if tree is None and is_ours:
            tree = self._read(entry, turn)
        elif tree is None and child is None:  # another request reads it, or has a child begin just now
            tree = self._await_other(entry, turn)
        if tree is None:
            raise NotReadyError(entry)
        return tree

    def _open_live(self, entry: Entry, live: FollowedLog) -> Tree:
        """The last snapshot of a log that is written; raises NotReadyError where no node has come."""
        tree = entry.tree or live.first_tree(SECONDS_FOR_FIRST_NODES)
        if tree is None:
            if live.error:
                self.has_failed(entry, entry.turn, live.error)
            raise NotReadyError(entry)
        return tree

    def _await_other(self, entry: Entry, turn: object) -> Tree | None:
        """The tree that another request is about to have read; None where a child reads it, or it failed."""
        while entry.turn is turn and entry.child is None and not entry.settled.wait(SECONDS_BETWEEN_LOOKS):
            pass
        return entry.tree

    def _read(self, entry: Entry, turn: object) -> Tree | None:
        """The tree of a small or a converted log; None where a child has begun to read it, or it failed."""
        try:
            stamp = stamp_of(entry.path)
            if stamp is None:
                gone = f"{entry.name} is not there any more; it was at {entry.path}"
                self.has_failed(entry, turn, entry.error or gone)
                return None
            entry.error = ""
            if not entry.path.is_file():
                self.has_failed(entry, turn, f"{entry.name} is no file, and only files are read")
                return None
            entry.stamp, entry.n_bytes = stamp, stamp[0]
            entry.looked_at(stamp)
            # A large log that was converted before is not unpacked once more to learn that it is large.
            converted = self._log_cache.find(entry.path, entry.mapping, only_known=True)
            if converted is not None:
                return self.has_read(entry, turn, Tree(converted))
            if size_once_read(entry.path) <= SMALL_BYTES:
                with suppress(TakesLong):
                    data = entry.path.read_bytes()
                    log = read_with_memory(
                        data,
                        name=entry.path.name,
                        mapping=entry.mapping,
                        remembered=self._remembered,
                        max_bytes=self._max_bytes,
                    )
                    self.compile_if_missed(entry)
                    if log.n_rows >= MANY_ROWS and stamp_of(entry.path) == stamp:
                        log = self._kept(log, digest_of(data), entry)
                    return self.has_read(entry, turn, Tree(log))
            converted = self._log_cache.find(entry.path, entry.mapping)
            if converted is not None:
                return self.has_read(entry, turn, Tree(converted))
            self.begin_child(entry, turn, self.child_of(entry.path, entry.mapping))
        except LogError as error:
            self.has_failed(entry, turn, str(error))
        except OSError as error:
            self.has_failed(entry, turn, f"{entry.name} cannot be read: {error.strerror or error}")
        except MemoryError:
            self.has_failed(entry, turn, f"{entry.name} needs more memory than this machine has free")
        except Exception as error:
            logging.getLogger(__name__).exception("reading %s", entry.path)
            self.has_failed(entry, turn, unexpected(entry.name, error))
        return None

    def _kept(self, log: Log, content: str, entry: Entry) -> Log:
        """Keep a small log of many rows converted: the next time it opens as quickly as a large one."""
        log = replace(log, lines=lines_of(Tree(log)))
        with suppress(OSError):  # then it is read again the next time
            place = self._log_cache.save(log, content, entry.mapping, entry.path)
            self._log_cache.knows(entry.path, content)
            self._log_cache.make_room(besides=place)
        return log

    def compile_if_missed(self, entry: Entry) -> None:
        """Begin to compile beside what would have read the log sooner that was read just now."""
        if detect.missed:
            compile_beside("read", entry.path)

    def child_of(
        self, path: Path, mapping: Mapping[str, str] | None, n_bytes: int | None = None
    ) -> ChildReading:
        """A child that reads this file, which will have `n_bytes`.

        It is not the one that waits where that still loads, unless this log has to be compiled for as well.
        """
        may_wait = (path.stat().st_size if n_bytes is None else n_bytes) >= detect.LARGE_BYTES
        return ChildReading(
            path,
            mapping,
            self._data,
            self._cache,
            self._max_bytes,
            content=self._log_cache.known_digest(path) if n_bytes is None else None,
            n_bytes=n_bytes,
            process=self.spare_reader.take(may_wait=may_wait),
        )

    def begin_child(
        self, entry: Entry, turn: object, child: ChildReading, upload: Upload | None = None
    ) -> None:
        """Have the entry be read by this child, which the upload that brought it waits for already."""
        with self._lock:
            is_wanted = entry.turn is turn
            if is_wanted:
                entry.child = child
        if is_wanted:
            waiting = (entry, turn, child if upload is None else upload)
            threading.Thread(target=self._await_child, args=waiting, daemon=True).start()
        else:
            child.kill()

    def _await_child(self, entry: Entry, turn: object, reading: ChildReading | Upload) -> None:
        def on_progress(part: float) -> None:
            entry.progress = part

        try:
            self.has_read(entry, turn, Tree(reading.wait(on_progress)))
        except LogError as error:
            is_no_log = entry.is_unproven and not isinstance(error, ReadingFailed)
            if is_no_log and entry.turn is turn:
                with suppress(OSError):  # listed with its reason, but nothing of it stays
                    self._pastes.forget(entry)
            self.has_failed(entry, turn, str(error))
        except Exception as error:
            logging.getLogger(__name__).exception("reading %s", entry.path)
            self.has_failed(entry, turn, unexpected(entry.name, error))

    def has_read(self, entry: Entry, turn: object, tree: Tree) -> Tree | None:
        """Keep the tree of this reading, and return it; None where it was stopped meanwhile."""
        known = known_of(tree)
        with self._lock:
            if entry.turn is not turn:
                return None
            entry.has_read(tree, known)
            released = self._touch(entry)
        end(*released)
        self._on_read(entry)
        return tree

    def has_failed(self, entry: Entry, turn: object, error: str) -> None:
        """Keep why this reading failed, unless it was stopped meanwhile."""
        with self._lock:
            if entry.turn is turn:
                entry.has_failed(error)

    def stop(self, entry: Entry) -> None:
        """End the child that reads this log, if there is one. Opening the log begins again.

        A paste that was never read is deleted.
        """
        with self._lock:
            child, is_new = entry.child, entry.is_unproven
            if child is not None:
                then = "nothing of it is kept, bring it again" if is_new else "open it to begin again"
                entry.has_failed(f"the reading of {entry.name} was stopped; {then}")
        if child is not None:
            child.kill()
            if is_new:
                with suppress(OSError):
                    self._pastes.forget(entry)

    def _touch(self, entry: Entry) -> list[Job | None]:
        """Count the log as used just now; returns the checks of those let go for it, still to be ended."""
        self._used = [each for each in self._used if each is not entry and each.tree is not None] + [entry]
        beyond, self._used = self._used[:-MOST_OPEN], self._used[-MOST_OPEN:]
        return [each.lets_go() for each in beyond if each.live is None]
