"""The checks of all open logs: one for each, begun once, and few child processes at a time."""

from __future__ import annotations

import threading
from typing import Final

from plyscope.visualizer.shelf.check_job import Check
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.store.tree import Tree

MOST_CHILDREN: Final = 2
"""Processes that check or keep a report; the oldest one beyond is ended, and its log can be checked again."""


class Checks:
    """Begins and ends the checks of logs; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._with_child: list[Entry] = []

    def of(self, entry: Entry, tree: Tree) -> Check | None:
        """The check of this very tree of the log, if there is one."""
        check = entry.check
        return check if check is not None and check.tree is tree and not check.is_ended else None

    def start(self, entry: Entry, tree: Tree) -> Check:
        """The check of a log: the one that there is, unless it failed, else one that begins now."""
        with self._lock:
            check = self.of(entry, tree)
            if check is not None and check.state != "failed":
                return check
            before, check = entry.check, Check(tree)
            entry.check = check
        if before is not None:
            before.end()
        check.begin()
        if check.has_child:
            with self._lock:
                living = [*(other for other in self._with_child if other is not entry), entry]
                beyond, self._with_child = living[:-MOST_CHILDREN], living[-MOST_CHILDREN:]
            for other in beyond:  # without the lock: a process has to end, and what was written for it to go
                other.forget_check()
        return check

    def stop(self, entry: Entry) -> None:
        """Cancel the check of a log, or forget its report."""
        entry.forget_check()
