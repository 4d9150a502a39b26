"""The shelf: logs are opened, pasted, renamed and deleted here. Thread-safe.

The catalogue's lock is held only to look up and to store results, never while a log is read, digested or
sealed, a folder listed, or a child process begun or ended: no request waits for another one's log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from plyscope.visualizer.formats.compressed import LENGTH_OF_MAGIC, unpacked_size
from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.formats.uci_session import searches_of
from plyscope.visualizer.shelf.catalogue import LOG_ENDINGS, Catalogue
from plyscope.visualizer.shelf.entry import Entry, end, known_of
from plyscope.visualizer.shelf.follow.follows import Follows
from plyscope.visualizer.shelf.follow.growing_file import Spool
from plyscope.visualizer.shelf.jobs.log_reader import (
    SMALL_BYTES,
    SpareReader,
    is_medium,
    read_with_memory,
)
from plyscope.visualizer.shelf.jobs.time_limit import TakesLong
from plyscope.visualizer.shelf.library import stated_budget
from plyscope.visualizer.shelf.log_cache import LogCache, digest_of
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.shelf.notes import Note, NotesFolder, NotNowError
from plyscope.visualizer.shelf.pastes import LENGTH_OF_ID, LONGEST_NAME, Pastes
from plyscope.visualizer.shelf.readings import NotReadyError, Readings
from plyscope.visualizer.shelf.uploads import Body, MisplacedError, Uploads
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:  # loaded only to check a log, or to search
    from plyscope.visualizer.shelf.follow.followed_log import FollowedLog, Kind
    from plyscope.visualizer.shelf.follow.growing import RunSoFar

__all__ = ["LOG_ENDINGS", "NotReadyError", "Shelf"]


class Shelf(Catalogue):
    """The logs of one viewer, and the actions on them.

    `data` keeps pastes and mappings, `cache` converted logs; `max_bytes` limits a log after decompression.
    Raises LogError where the environment states an invalid budget of disk space.
    """

    def __init__(self, data: Path, cache: Path, *, max_bytes: int = 4 * 2**30) -> None:
        stated_budget()
        self._max_bytes = max_bytes
        self._remembered = RememberedMappings(data)
        self._log_cache = LogCache(cache, self._remembered)
        self._log_cache.library.remove_leftovers()
        super().__init__(Pastes(data / "pasted"))
        self._notes = NotesFolder(data)
        self._follows = Follows(self, self._pastes)
        self._readings = Readings(
            self,
            self._pastes,
            self._log_cache,
            self._remembered,
            data=data,
            cache=cache,
            max_bytes=max_bytes,
            on_read=self._name_read,
        )
        self.uploads = Uploads(self._pastes, self._readings.child_of, max_bytes)
        """Large logs that are still to come."""

    @property
    def notices(self) -> list[str]:
        """The notices about oddities in the data folder that were seen so far."""
        fault = self._remembered.fault
        return [*self.odd_pastes, *([fault] if fault else [])]

    # Reading -----------------------------------------------------------------------------------------
    def open(self, log_id: str, *, afresh: bool = False) -> Tree:
        """The tree of a log, read now if it is small; raises KeyError, NotReadyError.

        A large one starts to be read in a child process; ask again when its entry says `ready`. With `afresh`
        a file that was written again since it was read is read again.
        """
        return self._readings.open(self.entry(log_id), afresh=afresh)

    def stop_reading(self, log_id: str) -> None:
        """End the child that reads this log, if there is one; raises KeyError. Opening the log begins again.

        A paste that was never read is deleted.
        """
        self._readings.stop(self.entry(log_id))

    @property
    def spare_reader(self) -> SpareReader:
        """A process for a large log that is expected."""
        return self._readings.spare_reader

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

    def close(self) -> None:
        """End every child process."""
        self.uploads.close()
        self._readings.spare_reader.end()
        for entry in self.listed():
            entry.ends()
            self._follows.keep_rest(entry)

    # Pastes ------------------------------------------------------------------------------------------
    def paste(self, data: bytes, name: str, mapping: Mapping[str, str] | None = None) -> Entry:
        """Keep and list a log that came as bytes; raises LogError, and then nothing is kept.

        One that is too large to read at once, or takes long, is kept and read in a child process. Raises
        OSError where the disk is full. Each search of a session over UCI is a paste; the last one is
        returned.
        """
        if len(searches := searches_of(data)) > 1 and not mapping:
            called = f"{name} " if name else ""
            return [
                self.paste(str(each).encode(), f"{called}go {number}")
                for number, each in enumerate(searches, start=1)
            ][-1]
        content = digest_of(data)
        log_id = content[:LENGTH_OF_ID]
        chosen = None if mapping is None else dict(mapping)
        tree = None
        n_bytes = unpacked_size(data, min(SMALL_BYTES, self._max_bytes))
        if n_bytes > self._max_bytes:
            raise TooLarge(f"the log unpacks to more than {self._max_bytes:,} bytes, expected at most that")
        is_tried = self._readings.is_read_at_once(data, n_bytes)
        if is_tried:
            with suppress(TakesLong):
                tree = Tree(
                    read_with_memory(
                        data,
                        name=name,
                        mapping=chosen,
                        remembered=self._remembered,
                        max_bytes=self._max_bytes,
                    )
                )
        called, is_named, is_given = self._called(log_id, name)
        entry = self._pastes.keep(log_id, called[:LONGEST_NAME], data, chosen, is_given=is_given)
        self._log_cache.knows(entry.path, content)
        turn = self._list_paste(entry, is_named=is_named, is_read=is_tried)
        if tree is not None:
            self._readings.compile_if_missed(entry)
            self._readings.has_read(entry, turn, tree)
            return entry
        if is_tried:
            self._readings.begin_child(entry, turn, self._readings.child_of(entry.path, chosen))
            return entry
        try:
            self.open(log_id)
        except NotReadyError:
            if entry.state == "failed":
                self.delete(log_id)
                raise LogError(entry.error) from None
        return entry

    def paste_arriving(
        self, body: Body, n_bytes: int, name: str, mapping: Mapping[str, str] | None = None
    ) -> Entry:
        """Keep and list a log as `paste` does, whose bytes still come.

        A child process reads them meanwhile, where one waits that is ready and the log is JSON of some size.
        """
        start = _taken(body, min(n_bytes, LENGTH_OF_MAGIC))
        is_child_ready = self._readings.spare_reader.is_ready and not self.uploads.is_full
        if not (is_child_ready and is_medium(start, n_bytes)):
            return self.paste(start + _taken(body, n_bytes - len(start)), name, mapping)
        upload_id = self.uploads.begin(name, mapping, n_bytes)
        try:
            upload = self.uploads.upload(upload_id)
            upload.append(0, len(start), BytesIO(start))
            upload.append(len(start), n_bytes - len(start), body)
        except MisplacedError:
            self.uploads.give_up(upload_id)
            raise _lacking(n_bytes - upload.n_arrived) from None
        except BaseException:
            self.uploads.give_up(upload_id)
            raise
        entry = self.keep_upload(upload_id)
        entry.settled.wait()
        if entry.state == "failed":
            self.delete(entry.id)
            raise LogError(entry.error)
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
            self._log_cache.knows(entry.path, content)
            converted = self._log_cache.find(entry.path, mapping, only_known=True)
        except BaseException:
            upload.give_up()
            raise
        turn = self._list_paste(entry, is_named=is_named, is_read=True)
        if converted is not None:  # it came before
            upload.child.kill()
            self._readings.has_read(entry, turn, Tree(converted))
        else:
            upload.child.has_come(entry.path, content)
            self._readings.begin_child(entry, turn, upload.child, upload)
        return entry

    def _list_paste(self, entry: Entry, *, is_named: bool, is_read: bool) -> object:
        """List a paste that was never read so far, or is being read; returns the turn of that reading."""
        entry.is_named, entry.is_unproven = is_named, True
        with self.lock:
            same = self.put(entry)
            turn = entry.starts_reading() if is_read else None
        if same is not None:
            same.ends()
        return turn

    def delete(self, log_id: str) -> None:
        """Take a paste off the shelf and delete its copy; raises KeyError, NotAPasteError, OSError."""
        entry = self._paste_called(log_id)
        self._pastes.forget(entry)
        self.take(entry)
        entry.ends()

    def rename(self, log_id: str, name: str) -> Entry:
        """Give a paste another name; raises KeyError, NotAPasteError, OSError."""
        entry = self._paste_called(log_id)
        self._rename(entry, name, is_given=True)
        return entry

    def _name_read(self, entry: Entry) -> None:
        """Name a nameless paste by its contents, once it is read."""
        name = None if entry.is_named else self._name_for(entry)
        if name is not None:
            with suppress(OSError):
                self._rename(entry, name, is_given=False)

    def _rename(self, entry: Entry, name: str, *, is_given: bool) -> None:
        with self.lock:
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
        """The name of a paste until it is read, `name` if it has one; whether it is named, and by the user.

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
        taken = {entry.name for entry in self.listed() if entry is not besides}
        name = name[: LONGEST_NAME - 10]
        if name != "pasted" and name not in taken:
            return name
        first = 1 if name == "pasted" else 2
        return next(new for n in range(first, len(taken) + 3) if (new := f"{name} {n}") not in taken)

    # Notes -------------------------------------------------------------------------------------------
    def notes(self, entry: Entry, tree: Tree) -> list[Note]:
        """The notes on a log that is open, whether or not it has the nodes that they were put on."""
        return self._notes.of(entry.path, lambda: self._log_cache.content_digest(entry.path), tree.log.header)

    def keep_notes(self, entry: Entry, notes: list[Note]) -> None:
        """Keep these notes in place of those that the log had.

        Raises OSError, and NotNowError where its file is not, or no longer, what is open.
        """
        stat = entry.path.stat() if entry.path.exists() else None
        if entry.live is not None:
            raise NotNowError(f"{entry.name} is still being written; notes are put once it has ended")
        if stat is None or (stat.st_size, stat.st_mtime_ns) != entry.stamp:
            raise NotNowError(f"{entry.name} is not what was read any more: read it again, then put the note")
        self._notes.keep(entry.path, self._log_cache.content_digest(entry.path), notes)

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
        with self.lock:
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
        end(check)
        try:
            return self.open(log_id)
        except NotReadyError:
            if entry.state != "failed":
                raise
            error, known = entry.error, known_of(tree)
            with self.lock:
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


def _taken(body: Body, n_bytes: int) -> bytes:
    """The next `n_bytes` of a body; raises LogError where it ends before."""
    taken, n_taken = bytearray(n_bytes), 0
    while n_taken < n_bytes and (n_more := body.readinto(memoryview(taken)[n_taken:])):
        n_taken += n_more
    if n_taken < n_bytes:
        raise _lacking(n_bytes - n_taken)
    return bytes(taken)


def _lacking(n_bytes: int) -> LogError:
    return LogError(f"of the log {n_bytes:,} of the bytes announced are missing; bring it again")


class NotAPasteError(Exception):
    """A request about a file that is for pastes only, such as to rename or delete it."""
