"""Comparisons of open logs: made in a thread of their own, and few kept at a time."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from plyscope.visualizer.shelf.reweighings import Job
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.diff.comparison import Comparison

MOST_KEPT: Final = 3
"""Comparisons that are kept, some thirty bytes a row of both; the one asked longest ago goes."""

Iterations = tuple[int | None, int | None]


class KeptComparison:
    """The comparison of two trees, made in a thread; `job` says how far it is."""

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
        self._lock = threading.Lock()
        self._kept: list[KeptComparison] = []

    def of(self, old: Tree, new: Tree, names: tuple[str, str], iterations: Iterations) -> KeptComparison:
        """The comparison of these very trees, begun where there is none."""
        with self._lock:
            found = next(
                (
                    each
                    for each in self._kept
                    if each.key[0] is old and each.key[1] is new and each.key[2] == iterations
                ),
                None,
            )
            others = [each for each in self._kept if each is not found]
            found = found or KeptComparison(old, new, names, iterations)
            self._kept = [found, *others][:MOST_KEPT]
            return found
