"""Answers about open logs that are prepared in threads of their own; only a few are kept."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from plyscope.visualizer.shelf.jobs.job import Job
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:  # loaded when first asked for
    from plyscope.visualizer.analysis.diff.comparison import Comparison
    from plyscope.visualizer.analysis.whatif.reweighing import Reweighing

MOST_COMPARISONS: Final = 3
"""Comparisons that are kept, some thirty bytes a row of both; the one asked longest ago goes."""
MOST_REWEIGHINGS: Final = 3
"""The most logs whose what-if is kept, some sixty bytes a row; the least recently used one goes."""
MOST_ROWS: Final = 20_000_000
"""Rows of all of them together; the one that was asked last is kept whatever its size."""

Iterations = tuple[int | None, int | None]


class KeptComparison:
    """The comparison of two trees; `job` has its progress."""

    def __init__(self, old: Tree, new: Tree, names: tuple[str, str], iterations: Iterations) -> None:
        self.key = (old, new, iterations)
        self._names = names
        self.job = Job()
        self._found: Comparison | None = None
        self.job.begin(self._compare)

    def _compare(self) -> None:
        from plyscope.visualizer.analysis.diff.comparison import compare, root_of_iteration

        old, new, iterations = self.key
        rows = [
            None if iteration is None else root_of_iteration(tree, iteration)
            for tree, iteration in zip((old, new), iterations, strict=True)
        ]
        self._found = compare(old, new, names=self._names, roots=(rows[0], rows[1]))

    @property
    def found(self) -> Comparison:
        """The comparison, once it is made."""
        assert self._found is not None
        return self._found


class Comparisons:
    """The comparisons that were asked last; safe to use from many threads."""

    def __init__(self) -> None:
        self._kept: Kept[KeptComparison] = Kept(MOST_COMPARISONS)

    def of(self, old: Tree, new: Tree, names: tuple[str, str], iterations: Iterations) -> KeptComparison:
        """The comparison of these very trees, begun where there is none."""
        begin = lambda: KeptComparison(old, new, names, iterations)  # noqa: E731
        return self._kept.of(old, new, iterations, make=begin)


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
        from plyscope.visualizer.analysis.whatif.reweighing import Reweighing

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
                job = self.ranged = Job()

                def work() -> None:
                    self.log.all_ranges = self.log.ranges(job.has_come)

                job.begin(work)
            return self.ranged


class Reweighings:
    """The what-ifs of the logs used last; thread-safe."""

    def __init__(self) -> None:
        self._kept: Kept[KeptReweighing] = Kept(
            MOST_REWEIGHINGS,
            most_size=MOST_ROWS,
            size_of=lambda kept: kept.tree.log.n_rows,
            is_spoilt=lambda kept: kept.has_failed,
        )

    def of(self, tree: Tree) -> KeptReweighing:
        """The what-if of this tree, which is begun if there is none."""
        return self._kept.of(tree, make=lambda: KeptReweighing(tree))
