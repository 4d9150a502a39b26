"""The shelf: logs are opened, pasted, renamed and deleted here. Safe to use from many threads.

The catalogue's lock is held to look up and to write down what has happened, never while a log is read,
digested or sealed, a folder listed, a child process begun or ended: no request waits for another one's log.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plyscope.visualizer.analysis.pv import lines_of
from plyscope.visualizer.formats.compressed import unpacked_size
from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.formats.foreign.mapping import RememberedMappings
from plyscope.visualizer.shelf.catalogue import LOG_ENDINGS, Catalogue
from plyscope.visualizer.shelf.entry import Entry, Source, known_of
from plyscope.visualizer.shelf.follows import Follows, Spool
from plyscope.visualizer.shelf.library import stated_budget
from plyscope.visualizer.shelf.log_cache import LogCache, digest_of
from plyscope.visualizer.shelf.log_reader import (
    MEDIUM_BYTES,
    MODULE,
    SMALL_BYTES,
    ChildReading,
    ReadingFailed,
    is_medium,
    is_small,
    read_with_memory,
    size_once_read,
    stamp_of,
    unexpected,
)
from plyscope.visualizer.shelf.pastes import LENGTH_OF_ID, LONGEST_NAME, Pastes
from plyscope.visualizer.shelf.spare_reader import SpareReader
from plyscope.visualizer.shelf.uploads import Upload, Uploads
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:  # whoever never checks a log, or searches, does not load what does
    from plyscope.visualizer.shelf.check_job import Check
    from plyscope.visualizer.shelf.followed_log import FollowedLog, Kind
    from plyscope.visualizer.shelf.run_so_far import RunSoFar

__all__ = ["LOG_ENDINGS", "NotReadyError", "Shelf"]

MOST_OPEN: Final = 12
"""Trees kept in memory; the one not used for longest is read again when asked for."""
MANY_ROWS: Final = 25_000
"""A log of so many takes a quarter of a second to be read, so it is kept converted, however small."""

SECONDS_BETWEEN_LOOKS: Final = 0.05
SECONDS_FOR_FIRST_NODES: Final = 1.0
"""How long a request waits for the first nodes of a log that is being written."""


class NotReadyError(Exception):
    """The log is still being read, or could not be; `entry` says which."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.error or f"{entry.name} is still being read")
        self.entry = entry


class Shelf:
    """The logs of one viewer.

    `data` keeps pastes and mappings, `cache` converted logs; `max_bytes` bounds a log after decompression.
    Raises LogError where the environment states a budget of disk that is none.
    """

    def __init__(self, data: Path, cache: Path, *, max_bytes: int = 4 * 2**30) -> None:
        stated_budget()
        self._data, self._cache, self._max_bytes = data, cache, max_bytes
        self._remembered = RememberedMappings(data)
        self._log_cache = LogCache(cache, self._remembered)
        self._log_cache.library.remove_leftovers()
        self._pastes = Pastes(data / "pasted")
        self._catalogue = Catalogue(self._pastes)
        self._lock = self._catalogue.lock
        self._used: list[Entry] = []
        self._follows = Follows(self._catalogue, self._pastes)
        self.spare_reader = SpareReader(MODULE)
        """For a large log that is expected."""
        self.uploads = Uploads(self._pastes, self._reading_of, max_bytes)
        """Large logs that are still to come."""

    # What is listed ----------------------------------------------------------------------------------
    def add_file(self, path: Path, source: Source = "file", mapping: dict[str, str] | None = None) -> Entry:
        """List one file; its content is read, a foreign tree with `mapping`, when it is first opened."""
        return self._catalogue.add_file(path, source, mapping)

    def add_folder(self, folder: Path) -> None:
        """List the logs that lie in a folder, now and whenever the list is asked for."""
        self._catalogue.add_folder(folder)

    @property
    def folders(self) -> list[Path]:
        """The folders that are looked into, in the order given."""
        return self._catalogue.folders

    def entries(self) -> list[Entry]:
        """All logs, the newest first, the examples last."""
        return self._catalogue.entries()

    def first(self) -> Entry | None:
        """The log to open where nobody says which."""
        return self._catalogue.first()

    def entry(self, log_id: str) -> Entry:
        """The log with this id; raises KeyError."""
        return self._catalogue.entry(log_id)

    @property
    def notices(self) -> list[str]:
        """What is odd in the data folder, as far as it was seen."""
        fault = self._remembered.fault
        return [*self._catalogue.notices, *([fault] if fault else [])]

    # Reading -----------------------------------------------------------------------------------------
    def open(self, log_id: str, *, afresh: bool = False) -> Tree:
        """The tree of a log, read now if it is small; raises KeyError, NotReadyError.

        A large one starts to be read in a child process; ask again when its entry says `ready`. With `afresh`
        a file that was written again since it was read is read again.
        """
        entry = self.entry(log_id)
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
        _end(check, *released)
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
                self._has_failed(entry, entry.turn, live.error)
            raise NotReadyError(entry)
        return tree

    def follow(self, entry: Entry) -> Entry:
        """Show a listed file while it is written."""
        return self._follows.file(entry)

    def follow_run(self, path: Path, name: str, run: RunSoFar) -> FollowedLog:
        """Show a search of ours while it runs; `path` will have its log once it is over."""
        entry = Entry(hashlib.sha256(str(path).encode()).hexdigest()[:12], name, "file", path, 0)
        return self._follows.run(entry, run)

    def follow_lines(self, name: str, kind: Kind) -> tuple[Entry, Spool]:
        """A new log of lines that are still to come; raises OSError."""
        return self._follows.lines(name, kind)

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
                self._has_failed(entry, turn, entry.error or gone)
                return None
            entry.error = ""
            if not entry.path.is_file():
                self._has_failed(entry, turn, f"{entry.name} is no file, and only files are read")
                return None
            entry.stamp, entry.n_bytes = stamp, stamp[0]
            entry.looked_at(stamp)
            # A large log that was converted before is not unpacked once more to learn that it is large.
            converted = self._log_cache.find(entry.path, entry.mapping, only_known=True)
            if converted is not None:
                return self._has_read(entry, turn, Tree(converted))
            if size_once_read(entry.path) <= SMALL_BYTES:
                data = entry.path.read_bytes()
                log = read_with_memory(
                    data,
                    name=entry.path.name,
                    mapping=entry.mapping,
                    remembered=self._remembered,
                    max_bytes=self._max_bytes,
                )
                if log.n_rows >= MANY_ROWS and stamp_of(entry.path) == stamp:
                    log = self._kept(log, digest_of(data), entry)
                return self._has_read(entry, turn, Tree(log))
            converted = self._log_cache.find(entry.path, entry.mapping)
            if converted is not None:
                return self._has_read(entry, turn, Tree(converted))
            self._begin_child(entry, turn, self._reading_of(entry.path, entry.mapping))
        except LogError as error:
            self._has_failed(entry, turn, str(error))
        except OSError as error:
            self._has_failed(entry, turn, f"{entry.name} cannot be read: {error.strerror or error}")
        except MemoryError:
            self._has_failed(entry, turn, f"{entry.name} needs more memory than this machine has free")
        except Exception as error:
            logging.getLogger(__name__).exception("reading %s", entry.path)
            self._has_failed(entry, turn, unexpected(entry.name, error))
        return None

    def _kept(self, log: Log, content: str, entry: Entry) -> Log:
        """Keep a small log of many rows converted: the next time it opens as quickly as a large one."""
        log = replace(log, lines=lines_of(Tree(log)))
        with suppress(OSError):  # then it is read again the next time
            self._log_cache.save(log, content, entry.mapping, entry.path)
            self._log_cache.knows(entry.path, content)
        return log

    def _reading_of(
        self,
        path: Path,
        mapping: Mapping[str, str] | None,
        n_bytes: int | None = None,
        least: int = SMALL_BYTES,
    ) -> ChildReading:
        """A child that reads this file, of which `n_bytes` are still to come; by kernels from `least` on."""
        return ChildReading(
            path,
            mapping,
            self._data,
            self._cache,
            self._max_bytes,
            content=self._log_cache.known_digest(path) if n_bytes is None else None,
            n_bytes=n_bytes,
            least=least,
            process=self.spare_reader.take(),
        )

    def _begin_child(
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
            self._has_read(entry, turn, Tree(reading.wait(on_progress)))
        except LogError as error:
            is_no_log = entry.is_unproven and not isinstance(error, ReadingFailed)
            if is_no_log and entry.turn is turn:
                with suppress(OSError):  # listed with its reason, but nothing of it stays
                    self._pastes.forget(entry)
            self._has_failed(entry, turn, str(error))
        except Exception as error:
            logging.getLogger(__name__).exception("reading %s", entry.path)
            self._has_failed(entry, turn, unexpected(entry.name, error))

    def _has_read(self, entry: Entry, turn: object, tree: Tree) -> Tree | None:
        """Keep the tree of this reading, and return it; None where it was stopped meanwhile."""
        known = known_of(tree)
        with self._lock:
            if entry.turn is not turn:
                return None
            entry.has_read(tree, known)
            released = self._touch(entry)
            name = None if entry.is_named else self._name_for(entry)
        _end(*released)
        if name is not None:
            with suppress(OSError):
                self._rename(entry, name, is_given=False)
        return tree

    def _has_failed(self, entry: Entry, turn: object, error: str) -> None:
        """Keep why this reading failed, unless it was stopped meanwhile."""
        with self._lock:
            if entry.turn is turn:
                entry.has_failed(error)

    def stop_reading(self, log_id: str) -> None:
        """End the child that reads this log, if one does; raises KeyError. Opening it begins again.

        Of a paste that was never read nothing stays.
        """
        entry = self.entry(log_id)
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

    def _touch(self, entry: Entry) -> list[Check | None]:
        """Count the log as used just now; returns the checks of those let go for it, still to be ended."""
        self._used = [each for each in self._used if each is not entry and each.tree is not None] + [entry]
        beyond, self._used = self._used[:-MOST_OPEN], self._used[-MOST_OPEN:]
        return [each.lets_go() for each in beyond if each.live is None]

    def close(self) -> None:
        """End every child process."""
        self.uploads.close()
        self.spare_reader.end()
        for entry in self._catalogue.listed():
            entry.ends()
            self._follows.keep_rest(entry)

    # Pastes ------------------------------------------------------------------------------------------
    def paste(self, data: bytes, name: str, mapping: Mapping[str, str] | None = None) -> Entry:
        """Keep and list a log that came as bytes; raises LogError, and then nothing is kept.

        One that is too large to read at once is kept and read in a child process. Raises OSError where the
        disk takes no more.
        """
        content = digest_of(data)
        log_id = content[:LENGTH_OF_ID]
        chosen = None if mapping is None else dict(mapping)
        tree = None
        n_bytes = unpacked_size(data, min(SMALL_BYTES, self._max_bytes))
        if n_bytes > self._max_bytes:
            raise TooLarge(f"the log unpacks to more than {self._max_bytes:,} bytes, expected at most that")
        is_for_child = self.spare_reader.is_ready and is_medium(data)
        if n_bytes <= SMALL_BYTES and is_small(data) and not is_for_child:
            tree = Tree(
                read_with_memory(
                    data, name=name, mapping=chosen, remembered=self._remembered, max_bytes=self._max_bytes
                )
            )
        called, is_named, is_given = self._called(log_id, name)
        entry = self._pastes.keep(log_id, called[:LONGEST_NAME], data, chosen, is_given=is_given)
        self._log_cache.knows(entry.path, content)
        turn = self._list_paste(entry, is_named=is_named, is_read=tree is not None or is_for_child)
        if tree is not None:
            self._has_read(entry, turn, tree)
            return entry
        if is_for_child:
            self._begin_child(entry, turn, self._reading_of(entry.path, chosen, least=MEDIUM_BYTES))
            entry.settled.wait()
            if entry.state == "failed":
                self.delete(log_id)
                raise LogError(entry.error)
            return entry
        try:
            self.open(log_id)
        except NotReadyError:
            if entry.state == "failed":
                self.delete(log_id)
                raise LogError(entry.error) from None
        return entry

    def keep_upload(self, upload_id: str) -> Entry:
        """Keep and list an upload that is whole; raises KeyError, OSError. Its reading goes on."""
        upload = self.uploads.take(upload_id)
        upload.close()
        content = upload.content
        log_id = content[:LENGTH_OF_ID]
        try:
            called, is_named, is_given = self._called(log_id, upload.name)
            mapping = None if upload.mapping is None else dict(upload.mapping)
            entry = self._pastes.keep_part(
                log_id, called[:LONGEST_NAME], upload.part, mapping, is_given=is_given
            )
        except BaseException:
            upload.give_up()
            raise
        self._log_cache.knows(entry.path, content)
        turn = self._list_paste(entry, is_named=is_named, is_read=True)
        converted = self._log_cache.find(entry.path, mapping, only_known=True)
        if converted is not None:  # it came before
            upload.child.kill()
            self._has_read(entry, turn, Tree(converted))
        else:
            upload.child.has_come(entry.path, content)
            self._begin_child(entry, turn, upload.child, upload)
        return entry

    def _list_paste(self, entry: Entry, *, is_named: bool, is_read: bool) -> object:
        """List a paste that was never read so far, or is being read; returns the turn of that reading."""
        entry.is_named, entry.is_unproven = is_named, True
        with self._lock:
            same = self._catalogue.put(entry)
            turn = entry.starts_reading() if is_read else None
        if same is not None:
            same.ends()
        return turn

    def delete(self, log_id: str) -> None:
        """Take a paste off the shelf and delete its copy; raises KeyError, NotAPasteError, OSError."""
        entry = self._paste_called(log_id)
        self._pastes.forget(entry)
        self._catalogue.take(entry)
        entry.ends()

    def rename(self, log_id: str, name: str) -> Entry:
        """Give a paste another name; raises KeyError, NotAPasteError, OSError."""
        entry = self._paste_called(log_id)
        self._rename(entry, name, is_given=True)
        return entry

    def _rename(self, entry: Entry, name: str, *, is_given: bool) -> None:
        with self._lock:
            before = entry.name, entry.is_named, entry.is_given
            entry.name, entry.is_named, entry.is_given = name[:LONGEST_NAME], True, is_given
            try:
                self._pastes.describe(entry)
            except OSError:
                entry.name, entry.is_named, entry.is_given = before
                raise

    def _paste_called(self, log_id: str) -> Entry:
        entry = self.entry(log_id)
        if entry.source != "pasted":
            raise NotAPasteError(
                f"{entry.name} is a file of yours, not a paste; rename or delete it where it lies"
            )
        return entry

    def _called(self, log_id: str, name: str) -> tuple[str, bool, bool]:
        """What a paste that brings `name`, or none, is called until it is read; is it named, is that given.

        One that is there already keeps its name where the user gave it, and where it brings none.
        """
        with suppress(KeyError):
            before = self.entry(log_id)
            is_known = before.source == "pasted" and before.name != log_id  # else its description is lost
            if is_known and (before.is_given or not name):
                return before.name, before.is_named, before.is_given
        return (name, True, False) if name else (self._free_name("pasted"), False, False)

    def _name_for(self, entry: Entry) -> str | None:
        """The name of a nameless paste: its game and the ply that was found; None where it states no game."""
        game, ply = entry.facts.get("game"), entry.facts.get("ply")
        return None if game is None else self._free_name(f"{game} {ply}" if ply else game, besides=entry)

    def _free_name(self, name: str, besides: Entry | None = None) -> str:
        """`name`, with a number behind it where another log has it; `pasted` always has one."""
        taken = {entry.name for entry in self._catalogue.listed() if entry is not besides}
        name = name[: LONGEST_NAME - 10]
        if name != "pasted" and name not in taken:
            return name
        first = 1 if name == "pasted" else 2
        return next(new for n in range(first, len(taken) + 3) if (new := f"{name} {n}") not in taken)

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
            stamp = entry.stamp
            try:
                self._choose(entry, shape, chosen, chosen)
            except OSError:
                with suppress(OSError):
                    self._choose(entry, shape, *before)
                raise
            check = entry.lets_go()
            entry.undo_mapping = lambda: self._choose(entry, shape, *before)
        _end(check)
        try:
            return self.open(log_id)
        except NotReadyError:
            if entry.state != "failed":
                raise
            error, known = entry.error, known_of(tree)
            with self._lock:
                entry.has_read(tree, known)
                entry.stamp = stamp
            raise LogError(error) from None

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


class NotAPasteError(Exception):
    """What is only done to pastes was asked of a file."""


def _end(*checks: Check | None) -> None:
    for check in checks:
        if check is not None:
            check.end()
