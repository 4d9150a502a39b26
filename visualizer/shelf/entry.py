"""One log on the shelf: its origin, the progress of its reading, and once read, its tree."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from plyscope.visualizer.analysis.nodes.deciding_line import principal_variation
from plyscope.visualizer.analysis.nodes.node_json import cut
from plyscope.visualizer.analysis.statistics.totals import Totals, totals
from plyscope.visualizer.formats.beginning import header_of, what_is_searched
from plyscope.visualizer.formats.marks import LONGEST_START, START, is_games_file, is_history
from plyscope.visualizer.store.positions import respelled
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:  # loaded only to check or follow a log
    from plyscope.visualizer.shelf.follow.followed_log import FollowedLog
    from plyscope.visualizer.shelf.follow.growing_file import Spool
    from plyscope.visualizer.shelf.jobs.job import Job
    from plyscope.visualizer.shelf.jobs.log_reader import ChildReading

Source = Literal["file", "folder", "example", "pasted"]
State = Literal["waiting", "reading", "ready", "failed"]
Stamp = tuple[int, int]
"""Size of a file in bytes, and when it was last written, in nanoseconds since 1970."""

LARGEST_FACT: Final = 2**53
LONGEST_FACT: Final = 300
LONGEST_MARK: Final = 64
"""Bytes that tell a log from games and trials."""


@dataclass(frozen=True)
class Known:
    """The facts found in a tree when it was read."""

    totals: Totals
    facts: dict[str, Any]


@dataclass
class Entry:
    """A log that is listed, read or not."""

    id: str
    name: str
    source: Source
    path: Path
    n_bytes: int
    state: State = "waiting"
    error: str = ""
    progress: float = 0.0
    mapping: dict[str, str] | None = None
    tree: Tree | None = None
    totals: Totals | None = None
    child: ChildReading | None = None
    check: Job | None = None
    """The check of `tree`, from its beginning until the tree is let go."""
    live: FollowedLog | None = None
    """The follower of a log that is being written; `tree` is the last snapshot then."""
    ended: FollowedLog | None = None
    """The follower after the log's end, which notices later changes of the file."""
    spool: Spool | None = None
    """Takes the lines of a log that is written without a file of its own."""
    stamp: Stamp = (0, 0)
    """Size and time of the file when its reading began."""
    seen: Stamp | None = None
    """Size and time of the file when it was last looked at and was there."""
    is_gone: bool = False
    """Whether the file was not there when it was last looked at."""
    time: float | None = None
    """When it came: a paste when it was pasted, a file when it was last written; seconds since 1970."""
    is_named: bool = True
    """Whether the name was given; else it is made from the contents once these are known."""
    is_given: bool = False
    """Whether the user gave the name by renaming; no name that comes with the same text replaces it then."""
    turn: object = None
    """Stands for the reading that is under way; one that was stopped or replaced has another turn."""
    is_unproven: bool = False
    """A paste that was never read so far; where it cannot be, nothing of it stays."""
    undo_mapping: Callable[[], None] | None = None
    """Set while a large log is read with a new mapping: takes the choice back should that fail."""
    facts: dict[str, Any] = field(default_factory=dict)
    """The facts that the list shows about a log that was read: nodes, depth, limit, game, start, ply."""
    stated: dict[str, str] | None = None
    """The statements at the beginning of an unread log: game and start; None until it was looked at."""
    results: Literal["games", "tuning"] | None = None
    """The kind of results in the file, if it has these instead of a tree."""
    looked_for_results: Stamp | None = None
    """The stamp of the file when results were last looked for."""
    settled: threading.Event = field(default_factory=threading.Event)
    """Set while no reading is under way."""

    @property
    def is_games(self) -> bool:
        """Whether the file has the games of a match: it is no log, and its results are shown."""
        return self._results() == "games"

    @property
    def is_tuning(self) -> bool:
        """Whether the file has the trials of a tuning: it is no log, and they are shown."""
        return self._results() == "tuning"

    def _results(self) -> Literal["games", "tuning"] | None:
        """The kind of results that the file has in place of a tree; None where it is a log.

        It is looked at again when it has changed, for one that is just begun does not tell yet.
        """
        is_file = self.source in ("file", "folder") and self.live is None and self.tree is None
        if is_file and self.seen != self.looked_for_results:
            self.looked_for_results = self.seen
            with suppress(OSError), self.path.open("rb") as file:
                start = file.read(LONGEST_MARK)
                self.results = None
                if start.startswith(START) and is_games_file(start + file.read(LONGEST_START)):
                    self.results = "games"
                elif is_history(start):
                    self.results = "tuning"
        return self.results

    def _stated(self) -> dict[str, str]:
        """The statements at the beginning of the file, read once; none of a file that is being written."""
        if self.stated is None and self.live is None:
            self.stated = {}
            with suppress(OSError):
                self.stated = what_is_searched(header_of(self.path))
        return self.stated or {}

    def has_read(self, tree: Tree, known: Known | None = None) -> None:
        """Keep the tree and the known facts about it, which take long to find in a large one."""
        known = known or known_of(tree)
        self.tree, self.totals, self.facts = tree, known.totals, known.facts
        self.state, self.error, self.progress, self.child = "ready", "", 1.0, None
        self.is_unproven, self.undo_mapping, self.turn = False, None, None
        self.settled.set()

    def totals_of(self, tree: Tree) -> Totals:
        """The totals of a tree that was read from this entry, which another thread may have let go since."""
        kept, kept_totals = self.tree, self.totals
        return kept_totals if kept is tree and kept_totals is not None else totals(tree)

    def starts_reading(self) -> object:
        """From now until it is read or has failed; returns the turn of this reading."""
        self.state, self.progress = "reading", 0.0
        self.turn = object()
        self.settled.clear()
        return self.turn

    def has_failed(self, error: str) -> None:
        """Keep why it cannot be read, and the mapping as it was; the next request tries again."""
        self.state, self.error, self.child, self.turn = "failed", error, None, None
        undo, self.undo_mapping = self.undo_mapping, None
        if undo is not None:
            undo()
        self.settled.set()

    def lets_go(self) -> Job | None:
        """Give the tree back, and return the check of it, which is still to be ended.

        The next request reads the log again.
        """
        self.tree = self.totals = None
        self.state = "waiting"
        return self.takes_check()

    def looked_at(self, stamp: Stamp | None) -> None:
        """Keep the present stamp of the file; None where it is gone."""
        self.is_gone = stamp is None
        if stamp is not None:
            self.stated = self.stated if stamp == self.seen else None
            self.seen, self.time = stamp, stamp[1] / 1e9

    def ends(self) -> None:
        """Off the list: end what works for it."""
        for followed in (self.live, self.ended):
            if followed is not None:
                followed.stop()
        child, self.child, self.turn = self.child, None, None
        if child is not None:
            child.kill()
        self.forget_check()
        self.settled.set()  # whoever waits for its reading goes on

    def forget_check(self) -> None:
        """End the check and give its report back."""
        end(self.takes_check())

    def takes_check(self) -> Job | None:
        """Remove the check and return it; the caller must end it."""
        check, self.check = self.check, None
        return check

    def summary(self) -> dict[str, Any]:
        """The log as the list of logs shows it."""
        answer: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "source": self.source,
            "state": self.state,
            "n_bytes": self.n_bytes,
            "deletable": self.source == "pasted",
            **(self.facts or self._stated()),
        }
        if (results := self._results()) is not None:
            answer[results] = True
        if self.time is not None and self.source != "example":
            answer["added"] = round(self.time, 3)
        if self.live is None and self.ended is not None and self.ended.goes_on:
            answer["followed"] = True
        if self.live is not None:
            answer["live"] = {"state": self.live.state, "from": self.live.kind}
            if self.live.is_awaited:
                answer["live"]["awaited"] = True
        elif self.facts and self.source != "pasted":  # pastes are named by their content, which stays
            answer["stamp"] = "{:x}-{:x}".format(*self.stamp)
            if self.is_gone:
                answer["gone"] = True
            elif self.seen not in (None, self.stamp):
                answer["changed"] = True
        if self.state == "reading" and self.live is None:
            answer["progress"] = round(self.progress, 3)
            if self.child is not None and self.child.is_compiling:
                answer["compiling"] = True
            if self.child is not None and self.child.top is not None:
                answer["top"] = self.child.top
        if self.error:
            answer["error"] = self.error
        return answer


def end(*checks: Job | None) -> None:
    """End these checks, which takes a moment; called without a lock."""
    for check in checks:
        if check is not None:
            check.end()


def stamp_of(path: Path) -> Stamp | None:
    """Size and time of a file, by which it is seen to be written again; None where there is none."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns


def known_of(tree: Tree) -> Known:
    """Count a tree, and find the facts for the list of logs: the search and its result."""
    counted = totals(tree)
    search, result = tree.log.search, tree.log.result
    # a search that ran out of time went less deep than it was allowed to
    numbers = {"depth": result.get("depth", search.get("depth")), "limit": search.get("limit")}
    facts: dict[str, Any] = {"nodes": counted.nodes} | {
        name: fact
        for name, fact in numbers.items()
        if isinstance(fact, (int, float)) and abs(fact) < LARGEST_FACT
    }
    column = tree.log.columns.get("position")
    at_root = None if column is None else tree.log.text(int(column[tree.main_root]))
    facts |= what_is_searched(tree.log.header, at_root)
    if "game" in facts:
        facts["game"] = cut(facts["game"], LONGEST_FACT)
    ply = result.get("ply")
    if not isinstance(ply, str):
        line = principal_variation(tree, 1)[1:]
        ply = tree.ply(line[0]) if line else None
    if ply:
        facts["ply"] = cut(respelled(tree.log, tree.main_root, ply), LONGEST_FACT)
    return Known(counted, facts)
