"""What-if of open logs: prepared in a thread of its own where that takes long, and few kept at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal

from plyscope.engine.options import OptionError
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.whatif.reweighing import Reweighing

MOST_KEPT: Final = 3
"""Logs whose arrays are kept, some sixty bytes a row; the one that was asked longest ago goes."""
MOST_ROWS: Final = 20_000_000
"""Rows of all of them together; the one that was asked last is kept whatever its size."""

State = Literal["running", "done", "refused", "failed"]


class Job:
    """Work that was begun once and that many may wait for."""

    def __init__(self) -> None:
        self.state: State = "running"
        self.progress = 0.0
        self.reason = ""
        """Why a log cannot be asked this, or that the work broke off."""
        self.settled = threading.Event()

    def run(self, work: Callable[[], object]) -> None:
        """Do the work now, and say how it ended."""
        try:
            work()
            self.state, self.progress = "done", 1.0
        except (OptionError, LogError) as error:
            self.state, self.reason = "refused", str(error)
        finally:
            if self.state == "running":
                self.state, self.reason = "failed", "the work broke off; the terminal says why"
            self.settled.set()

    def begin(self, work: Callable[[], object]) -> None:
        """Do the work in a thread."""
        threading.Thread(target=self.run, args=(work,), daemon=True).start()

    def has_come(self, part: float) -> None:
        """Note how far it is."""
        self.progress = part

    def as_json(self) -> dict[str, Any]:
        """The progress of the work as JSON, without its answer."""
        answer: dict[str, Any] = {"state": self.state, "progress": round(self.progress, 3)}
        return answer | ({"reason": self.reason} if self.reason else {})


class KeptReweighing:
    """The what-if of one tree: prepared first, its ranges when they are asked for."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.prepared = Job()
        self.ranged: Job | None = None
        self._log: Reweighing | None = None
        self._lock = threading.Lock()
        self.prepared.begin(self._prepare)

    def _prepare(self) -> None:
        from plyscope.visualizer.analysis.whatif.reweighing import Reweighing  # loaded when first asked for

        self._log = Reweighing(self.tree, on_progress=self.prepared.has_come)

    @property
    def log(self) -> Reweighing:
        """The log, once it is prepared."""
        assert self._log is not None
        return self._log

    @property
    def has_failed(self) -> bool:
        """Whether its work broke off, so that it is worth another try."""
        return any(job is not None and job.state == "failed" for job in (self.prepared, self.ranged))

    def ranges(self) -> Job:
        """The work on the ranges of all weights, begun when first asked for."""
        with self._lock:
            if self.ranged is None:
                self.ranged = Job()
                job = self.ranged

                def work() -> None:
                    self.log.all_ranges = self.log.ranges(job.has_come)

                job.begin(work)
            return self.ranged


class Reweighings:
    """The what-ifs of the logs that were asked last; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[KeptReweighing] = []

    def of(self, tree: Tree) -> KeptReweighing:
        """The what-if of this very tree, begun where there is none."""
        with self._lock:
            same = next((each for each in self._kept if each.tree is tree), None)
            found = same if same is not None and not same.has_failed else KeptReweighing(tree)
            self._kept = _bounded([found, *(each for each in self._kept if each is not same)])
            return found


def _bounded(kept: list[KeptReweighing]) -> list[KeptReweighing]:
    """As many of the first ones as may be kept."""
    n_rows = 0
    for place, each in enumerate(kept):
        n_rows += each.tree.log.n_rows
        if place == MOST_KEPT or (place > 0 and n_rows > MOST_ROWS):
            return kept[:place]
    return kept
