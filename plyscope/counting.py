"""`plyscope.statistics`: what a search did, in figures, as `plyscope stats` counts them."""

from __future__ import annotations

from collections.abc import Mapping

from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.columns.kernel_call import QUICK_ROWS
from plyscope.visualizer.analysis.statistics.figures import Statistics
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.store.tree import Tree


def statistics(
    log: Log | Source, *, map: Mapping[str, str] | str | None = None, progress: bool | None = None
) -> Statistics:
    """Count a log: one that is open, or whatever `plyscope.open` opens. Raises LogError.

    A large log compiles the counting first, once on a machine.

    >>> found = statistics('{"plyscope": 1, "root": {"children": [{"ply": "a"}, {"ply": "b"}]}}')
    >>> found.levels[0].branching, [lack.figure for lack in found.missing][:1]
    (2.0, ['limits'])
    """
    tree = tree_of(this := opened(log, map, progress))
    with StatusLine.of_call(progress) as status:
        return shown(this.name, tree, status)


def shown(name: str, tree: Tree, status: StatusLine) -> Statistics:
    """The figures of a tree, while `status` says what takes long."""
    if tree.log.n_rows > QUICK_ROWS:
        status.show(f"counting {name}")
    return counted_in(
        tree,
        name=name,
        on_compiling=lambda: status.wait(f"counting {name}  compiling, once on a machine …"),
    )
