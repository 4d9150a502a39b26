"""Having ready what the first overview of a large log needs, before somebody asks for it.

Its kernels are loaded, and what stands before each row is counted: of ten million rows half a second.
"""

from __future__ import annotations

from threading import Event, Thread
from typing import Final
from weakref import ReferenceType, WeakKeyDictionary, ref

from plyscope.visualizer.analysis.overview.picture import overview
from plyscope.visualizer.store.tree import Tree

LARGE_ROWS: Final = 500_000
SECONDS_BEFORE: Final = 0.7
"""Until the page has drawn a log that was sent to it."""

threads: Final[WeakKeyDictionary[Tree, Thread]] = WeakKeyDictionary()
"""By tree the thread that makes its overview ready, or did."""


def make_ready(tree: Tree) -> None:
    """Begin, unless the log is small or that was done before; a thread waits first, and does it."""
    if tree.log.n_rows >= LARGE_ROWS and tree not in threads:
        threads[tree] = Thread(target=_draw_small, args=(ref(tree),), name="plyscope-overview", daemon=True)
        threads[tree].start()


def _draw_small(tree: ReferenceType[Tree]) -> None:
    Event().wait(SECONDS_BEFORE)
    if (shown := tree()) is not None:
        overview(shown, width=8, n_bands=4)
