"""A log that is followed while it is written: one thread reads what is appended, another one seals it.

A log is sealed only while somebody asks, and not again before a part of the time that it took: the time is
linear in the log. Questions between two snapshots are answered from the last one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.shelf.follow.engine_holds import EngineHold
from plyscope.visualizer.shelf.follow.growing import NodeRate
from plyscope.visualizer.shelf.follow.growing_file import has_writer
from plyscope.visualizer.shelf.follow.intake import Growing, Intake
from plyscope.visualizer.shelf.jobs.log_reader import unexpected
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.store.words import OPEN

Kind = Literal["file", "stdin", "socket", "post", "search"]
State = Literal["written", "ended", "failed"]

SECONDS_BETWEEN_LOOKS: Final = 0.1
SECONDS_BETWEEN_SNAPSHOTS: Final = 0.25
FEW_BYTES: Final = 2**19
SECONDS_TO_GATHER: Final = 0.05
"""After fewer bytes more are awaited so long: a thousand lines cost hardly more time than a few."""
SECONDS_OF_SILENCE: Final = 3.0
"""After so long without a byte it is looked whether a program has the file open."""
REST: Final = 0.25
"""The pause before the next sealing, as a part of the time that one took: reading has the rest of a core."""
MOST_OPEN: Final = 200
"""The most nodes on the path to the last one that are reported."""
SECONDS_ASKED: Final = 12.0
"""So long after a page asked last it counts as there: longer than it waits for an answer."""


class FollowedLog:
    """A file that grows. `install` takes each snapshot, `finish` the last one (None where there is none).

    A file is watched after its end, too: engines overwrite it with the log of their next search. `restart` is
    called before it is read from its beginning again, `fail` with an error. All methods are thread-safe.
    """

    def __init__(
        self,
        path: Path,
        kind: Kind,
        name: str,
        *,
        install: Callable[[Tree], None],
        finish: Callable[[Tree | None], str],
        fail: Callable[[str], None],
        restart: Callable[[], None],
        log: Growing | None = None,
    ) -> None:
        """`name` is its name in messages; `log` is given where it grows by itself, without a file."""
        self.path, self.kind, self.name = path, kind, name
        self.state: State = "written"
        self.error = ""
        self.log_id = ""
        """The id of the log once it is an ordinary one, as `finish` returned it."""
        self.generation = 0
        """A number that changes when nodes get other ids, because the file was written anew."""
        self.is_junk = False
        """Whether all that came is neither a line nor a chunk."""
        self.next_log = ""
        """The id of the log of the engine that connected after this one."""
        self._install, self._finish, self._tell_failure, self._restart = install, finish, fail, restart
        self._intake = Intake(path, name, is_file=kind == "file", log=log)
        self._changed = threading.Condition()
        self._hold = EngineHold(self._changed, self._tell)
        self._mark = 0
        self._wake = threading.Event()
        self._is_closed = self._is_stopped = False
        self._asked = self._wanted = float("-inf")
        self._n_wanting = 0
        """The number of requests that wait for a snapshot."""
        self._published = _Published()
        self._rate = NodeRate()
        self._grew_at = time.monotonic()
        self._is_left = False
        """Whether no program had the file open at the last look."""
        works = [self._publish] if log is not None else [self._publish, self._read]
        self._threads = [threading.Thread(target=work, name="plyscope-follow", daemon=True) for work in works]

    def start(self) -> None:
        """Begin to follow."""
        for thread in self._threads:
            thread.start()

    def grew(self) -> None:
        """Say that something was appended, so that it is read at once."""
        self._wake.set()

    def counted(self) -> None:
        """Note the number of nodes."""
        self._rate.note(self._intake.log.n_searched)
        with self._changed:
            self._changed.notify_all()

    def finish(self) -> None:
        """End a log that grew by itself: the file is complete now."""
        self._is_stopped = True
        self.log_id = self._finish(None)
        self.state = "ended"
        self._tell()

    def close(self) -> None:
        """Declare that nothing more will be appended, and read the rest."""
        self._is_closed = True
        self._wake.set()

    def stop(self) -> None:
        """Follow no longer; who waits for the engine, or the engine itself, goes on."""
        self._is_stopped = True
        self.release()
        self._wake.set()
        self._tell()

    def follow_on(self, log_id: str) -> None:
        """Say which log the next engine writes."""
        self.next_log = log_id
        self._tell()

    @property
    def goes_on(self) -> bool:
        """Whether more may come after the end: into the same file, or from the next engine."""
        return self.kind in ("file", "socket") and not self._is_stopped

    @property
    def is_awaited(self) -> bool:
        """Whether its file does not exist yet."""
        return self._intake.file.is_gone and self._intake.file.seen is None

    # Questions of a page -----------------------------------------------------------------------------
    def status(
        self, after: int | None = None, wait: float = 0.0, *, snapshots: bool = True
    ) -> dict[str, Any]:
        """The state of the log as JSON; with `after`, once there is another change, or `wait` has passed.

        Without `snapshots` nothing is sealed for who asks.
        """
        deadline = time.monotonic() + wait
        with self._changed:
            self._asked = time.monotonic()
            self._hold.page_asked()
            if snapshots:
                self._wanted = self._asked
                self._n_wanting += 1
                self._changed.notify_all()
            elif not self._n_wanting:
                self._wanted = float("-inf")  # who asked before stands still now
            while after == self._mark and not self._is_stopped and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(left)
            self._asked = time.monotonic()
            if snapshots:
                self._wanted = self._asked
                self._n_wanting -= 1
            return self._as_json()

    def first_tree(self, wait: float) -> Tree | None:
        """The tree of the last snapshot; the first one is waited for."""
        self.status(self._mark, 0.0)
        with self._changed:
            self._changed.wait_for(lambda: self._published.tree or self.state != "written", wait)
            return self._published.tree

    def _as_json(self) -> dict[str, Any]:
        answer: dict[str, Any] = {
            "state": self.state,
            "mark": self._mark,
            "generation": self.generation,
            "from": self.kind,
            "nodes": self._intake.log.n_searched,
            "counts": self._intake.log.counts,
            "per_second": self._rate.a_second(self._intake.log.n_searched),
            "shown": self._published.n_nodes,
            "snapshot": self._published.number,
        }
        if self.state == "written" and not self._is_left and self._published.open_nodes:
            answer["open"] = self._published.open_nodes
        answer |= self._intake.as_json(is_left=self._is_left and self.state == "written")
        if self.error:
            answer["error"] = self.error
        if self.state == "ended":
            answer["log"] = self.log_id
        if self.next_log:
            answer["next"] = self.next_log
        hold = self._hold.current
        if hold is not None and self._intake.n_taken >= hold.at and self._published.n_bytes >= hold.at:
            node = self._intake.log.last_node if hold.node is None else self._intake.log.shown_id(hold.node)
            answer["hold"] = {"why": hold.why, "node": node}
        return answer

    # Holding the engine ------------------------------------------------------------------------------
    def hold(self, why: str, node: int | str | None, at: int, is_there: Callable[[], bool]) -> None:
        """Wait until a page releases the engine, or no page is there any more, or the engine is gone.

        `at` is the number of bytes before. After waiting in vain it returns at once until a page asks again.
        """
        self._hold.wait(
            why,
            node,
            at,
            goes_on=lambda: not (self._is_stopped or self._is_closed) and is_there(),
            is_asked_since=lambda since: time.monotonic() - max(self._asked, since) <= SECONDS_ASKED,
        )

    def release(self) -> bool:
        """Let the engine go on; False where it does not wait."""
        return self._hold.release()

    # Reading -----------------------------------------------------------------------------------------
    def _read(self) -> None:
        while not self._is_stopped:
            self._read_to_end()
            if self.kind != "file":
                return
            while not self._is_stopped and not self._is_written_anew():
                self._wake.wait(SECONDS_BETWEEN_LOOKS)
                self._wake.clear()
            if not self._is_stopped:
                self._begin_anew()

    def _read_to_end(self) -> None:
        try:
            while not self._is_stopped and self.state == "written":
                is_closed = self._is_closed
                if n_read := self._read_more():
                    if n_read < FEW_BYTES and not is_closed:
                        threading.Event().wait(SECONDS_TO_GATHER)
                    continue
                if is_closed or self._intake.log.has_ended:
                    if not self._intake.file.offset:
                        self._fail(f"{self.name} ended without a line")
                        return
                    self._end()
                    return
                self._look_for_writer()
                self._wake.wait(SECONDS_BETWEEN_LOOKS)
                self._wake.clear()
        except LogError as error:
            self.is_junk = isinstance(error, TooLarge) and not self._intake.n_taken
            self._fail(str(error))
        except OSError as error:
            self._fail(f"{self.name} cannot be read: {error.strerror or error}")
        except MemoryError:
            self._fail(f"{self.name} needs more memory than this machine has free")
        except Exception as error:
            logging.getLogger(__name__).exception("following %s", self.path)
            self._fail(unexpected(self.name, error))

    def _read_more(self) -> int:
        if self._look():
            self._begin_anew()
            self._look()
        had_own_ids = self._intake.has_own_ids
        n_read, has_taken = self._intake.read()
        if n_read:
            self._grew_at, self._is_left = time.monotonic(), False
        if has_taken:
            self.generation += self._intake.has_own_ids != had_own_ids
            self.counted()
        return n_read

    def _look_for_writer(self) -> None:
        """After a silence, see whether a program still has the file open: one that was killed has not."""
        now = time.monotonic()
        if (
            self.kind != "file"
            or self._is_left
            or self._intake.file.is_gone
            or now - self._grew_at < SECONDS_OF_SILENCE
        ):
            return
        self._grew_at = now  # it is looked at again after another silence
        if has_writer(self.path) is False:
            self._is_left = True
            self._tell()

    def _look(self) -> bool:
        """Look at the file; returns whether it is another one now. Notes if it disappears or comes back."""
        was_gone = self._intake.file.is_gone
        is_other = self._intake.file.look()
        if self._intake.file.is_gone != was_gone:
            self._tell()
        return is_other

    def _is_written_anew(self) -> bool:
        """Whether the file of a log that has ended, or failed, is another one now.

        After the end any change counts, as for logs that are not followed. After a failure, appended bytes do
        not count: they come from the engine that wrote the wrong ones.
        """
        try:
            if self.state == "ended":
                return self._intake.file.has_changed()
            was_seen = self._intake.file.seen is not None
            return self._look() or (not was_seen and self._intake.file.seen is not None)
        except OSError:
            return False  # it is looked at again

    def _begin_anew(self) -> None:
        """Start anew, because the file was cut or replaced."""
        self._restart()
        with self._changed:
            self._intake = Intake(self.path, self.name, is_file=self.kind == "file")
            self.state, self.error, self.log_id = "written", "", ""
            self.generation += 1
            self._published = _Published(number=self._published.number)
            self._rate = NodeRate()
            self._grew_at, self._is_left = time.monotonic(), False
            self._mark += 1
            self._changed.notify_all()

    def _tell(self) -> None:
        with self._changed:
            self._mark += 1
            self._changed.notify_all()

    def _end(self) -> None:
        """Finish: the last snapshot is the whole file, unless the ordinary reader must read it."""
        is_whole = self._intake.log.is_whole and not self._intake.parts.rest().strip()
        tree = self._intake.log.snapshot(is_final=True) if is_whole else None
        self.log_id = self._finish(tree)
        self.state = "ended"
        with self._changed:  # the log has another place now
            self._intake.log, self._published = GrowingLog(), _Published(self._published.number)
        self.release()
        self._tell()

    def _fail(self, error: str) -> None:
        """Fail with `error`, and report it; the log before it stays."""
        self.error, self.state = error, "failed"
        self._tell_failure(error)
        self.release()
        self._tell()

    # Sealing -----------------------------------------------------------------------------------------
    def _publish(self) -> None:
        took = 0.0
        while not self._is_stopped and (self.state != "ended" or self.kind == "file"):
            with self._changed:
                if not self._is_wanted():
                    self._changed.wait(1.0)
                    continue
            began, log = time.monotonic(), self._intake.log
            try:
                self._seal(log)
            except LogError as error:
                self._cannot_seal(log, str(error))
            except Exception as error:
                logging.getLogger(__name__).exception("sealing %s", self.path)
                self._cannot_seal(log, unexpected(self.name, error))
            took = time.monotonic() - began
            threading.Event().wait(max(SECONDS_BETWEEN_SNAPSHOTS - took, took * REST))

    def _cannot_seal(self, log: Growing, error: str) -> None:
        """Say why, and do not try the same lines again, unless the file was written anew meanwhile."""
        with self._changed:
            if log is not self._intake.log:
                return
            self._published.n_lines = log.n_lines
            self._fail(error)

    def _is_wanted(self) -> bool:
        if self.state == "ended":
            return False
        is_asked = time.monotonic() - self._wanted < SECONDS_ASKED or self._hold.current is not None
        shown = self._published
        return is_asked and (self._intake.log.n_lines > shown.n_lines or self._intake.n_taken > shown.n_bytes)

    def _seal(self, log: Growing) -> None:
        n_lines, n_bytes = log.n_lines, self._intake.n_taken
        tree = log.snapshot()
        with self._changed:
            if log is not self._intake.log or self.state == "ended":
                return
            if tree is None:
                self._published.n_lines, self._published.n_bytes = n_lines, n_bytes
                return
        self._install(tree)
        with self._changed:
            if log is self._intake.log:
                number = self._published.number + 1
                self._published = _Published(number, tree, tree.n_logged, n_lines, n_bytes, open_nodes(tree))
                self._mark += 1
                self._changed.notify_all()


@dataclass
class _Published:
    """The last snapshot."""

    number: int = 0
    tree: Tree | None = None
    n_nodes: int = 0
    n_lines: int = 0
    n_bytes: int = 0
    open_nodes: Sequence[int] = ()


def open_nodes(tree: Tree) -> list[int]:
    """The ids of the nodes that were entered and not left, from the root down; the deepest of very many.

    They are on the path to the last row, and have neither score nor outcome yet.
    """
    columns = tree.log.columns
    rows = np.array(tree.path(tree.log.n_rows - 1, MOST_OPEN))
    is_open = np.isin(columns["outcome"][rows], (0, OPEN))
    for name in ("score", "mean"):
        if (worth := columns.get(name)) is not None:
            is_open &= np.isnan(worth[rows])
    ids: list[int] = columns["id"][rows[is_open]].tolist()
    return ids
