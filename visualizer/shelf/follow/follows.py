"""Logs that are written while they are looked at: files that grow, and lines that come in without a file.

Lines without a file are stored in the folder of pastes as they come, as a part like that of an unfinished
paste; at their end they become a paste.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from plyscope.visualizer.shelf.catalogue import Catalogue
from plyscope.visualizer.shelf.entry import Entry, end, known_of, stamp_of
from plyscope.visualizer.shelf.follow.growing_file import Spool
from plyscope.visualizer.shelf.pastes import LONGEST_NAME, Pastes
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:  # loaded only to follow a log
    from plyscope.visualizer.shelf.follow.followed_log import FollowedLog, Kind
    from plyscope.visualizer.shelf.follow.growing import RunSoFar

PIECE_BYTES: Final = 2**20


class Follows:
    """Begins and ends the following of logs; safe to use from many threads."""

    def __init__(self, catalogue: Catalogue, pastes: Pastes) -> None:
        self._catalogue, self._pastes = catalogue, pastes

    def file(self, entry: Entry) -> Entry:
        """Follow the file of a listed log until it has its result, and again whenever it is written anew."""
        return self._begin(entry, "file")

    def lines(self, name: str, kind: Kind) -> tuple[Entry, Spool]:
        """A new log of lines that are still to come; raises OSError."""
        path = self._pastes.new_part()
        spool = Spool(path)
        entry = Entry(secrets.token_hex(6), name[:LONGEST_NAME], "pasted", path, 0, is_given=True)
        entry.spool, entry.time = spool, time.time()
        self._begin(entry, kind, is_new=True)
        assert entry.live is not None
        spool.on_growth, spool.on_end = entry.live.grew, entry.live.close
        return entry, spool

    def run(self, entry: Entry, run: RunSoFar) -> FollowedLog:
        """Follow a search of ours; `entry` is the file that will have its log."""
        self._begin(entry, "search", run, is_new=True)
        assert entry.live is not None
        return entry.live

    def _begin(self, entry: Entry, kind: Kind, run: RunSoFar | None = None, *, is_new: bool = False) -> Entry:
        from plyscope.visualizer.shelf.follow.followed_log import FollowedLog

        def install(tree: Tree) -> None:
            self._install(entry, tree)

        def finish(tree: Tree | None) -> str:
            return self._finish(entry, tree)

        def fail(error: str) -> None:
            with self._catalogue.lock:
                if entry.tree is None:  # requests waiting for the first node go on
                    entry.has_failed(error)
            if entry.spool is not None and followed.is_junk:
                entry.spool.close()
                entry.path.unlink(missing_ok=True)

        def restart() -> None:
            self._restart(entry, followed)

        followed = FollowedLog(
            entry.path, kind, entry.name, install=install, finish=finish, fail=fail, restart=restart, log=run
        )
        with self._catalogue.lock:
            if entry.live is not None:
                return entry
            entry.live = followed
            entry.starts_reading()
            if is_new:  # listed only now: entries that are neither followed nor on disk are removed
                self._catalogue.put(entry)
        followed.start()
        return entry

    def _restart(self, entry: Entry, followed: FollowedLog) -> None:
        """Forget the tree of a file that is written anew."""
        with self._catalogue.lock:
            check = entry.lets_go()
            entry.live, entry.ended = followed, None
            entry.starts_reading()
        end(check)

    def _install(self, entry: Entry, tree: Tree) -> None:
        """Have this snapshot answer for the log."""
        known = known_of(tree)
        with self._catalogue.lock:
            check = entry.takes_check()
            entry.has_read(tree, known)
        end(check)

    def _finish(self, entry: Entry, tree: Tree | None) -> str:
        """Make the log an ordinary one; returns its id."""
        if entry.spool is not None:
            self._keep(entry)
        stamp = stamp_of(entry.path)
        if tree is not None:
            self._install(entry, tree)
        with self._catalogue.lock:
            entry.live, entry.ended = None, entry.live
            if stamp is not None:
                entry.stamp, entry.n_bytes = stamp, stamp[0]
                entry.looked_at(stamp)
            check = entry.lets_go() if tree is None else None
            entry.settled.set()
        end(check)
        return entry.id

    def keep_rest(self, entry: Entry) -> None:
        """Keep the log so far as a paste when the viewer ends, unless it is empty."""
        spool = entry.spool
        if spool is None:
            return
        spool.close()
        with suppress(OSError):
            if spool.n_bytes:
                self._keep(entry)

    def _keep(self, entry: Entry) -> None:
        """Make a paste of a log that came without a file; it is named by its content."""
        digest = hashlib.sha256()
        with entry.path.open("rb") as file:
            while piece := file.read(PIECE_BYTES):
                digest.update(piece)
        new_id = digest.hexdigest()[:12]
        path = self._pastes.adopt(entry.path, new_id)
        same = self._catalogue.rename_id(entry, new_id, path)
        self._pastes.describe(entry)
        entry.spool = None
        if same is not None:
            same.ends()
