"""`plyscope.statistics`: what a search did, in figures, as `plyscope stats` counts them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyscope.engine.quoting import visible
from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.node import Node
from plyscope.opening import opened
from plyscope.status import StatusLine, counted
from plyscope.visualizer.analysis.check.passes.kernel_call import QUICK_ROWS
from plyscope.visualizer.analysis.statistics import figures
from plyscope.visualizer.analysis.statistics.answer import as_json
from plyscope.visualizer.analysis.statistics.figures import (
    Extremes,
    Iteration,
    Lack,
    Level,
    Limits,
    NodeIteration,
    Order,
    Pair,
    Quotient,
    Table,
    Where,
)
from plyscope.visualizer.analysis.statistics.iterations import node_iterations
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.analysis.statistics.text import lines
from plyscope.visualizer.analysis.statistics.visited import Visited
from plyscope.visualizer.analysis.totals import Totals
from plyscope.visualizer.store.tree import Tree


class Statistics:
    """The figures of one log. `str()` is what the command prints, `as_json()` what it gives with `--json`.

    What the log cannot tell is None, and `missing` says which field it lacks.
    """

    def __init__(self, name: str, tree: Tree, found: figures.Statistics) -> None:
        self._name = name
        self._tree = tree
        self._figures = found

    @property
    def levels(self) -> tuple[Level, ...]:
        """Nodes, leaves, cuts and branching at each distance from the root."""
        return self._figures.levels

    @property
    def totals(self) -> Totals:
        """Nodes, leaves and stubs, whole and by level; `searched` counts nodes without a row too."""
        return self._figures.totals

    @property
    def extremes(self) -> Extremes:
        """The nodes at which the most happened: plies pruned, scores far from pre-scores, effort lost."""
        return self._figures.extremes

    @property
    def order(self) -> Order | None:
        """At which ply cuts came, what the plies before cost, where the best ply stood by pre-score."""
        return self._figures.order

    @property
    def limits(self) -> Limits | None:
        """Smaller branching limits: whether each would have kept the choice, changed it or leaves it open."""
        return self._figures.limits

    @property
    def counters(self) -> tuple[Pair, ...]:
        """The techniques of the search: how often each was tried, and how often it succeeded."""
        return self._figures.counters

    @property
    def table(self) -> Table | None:
        """Nodes with an entry of the transposition table, by its use; None where the log states no `tt`."""
        return self._figures.table

    @property
    def where(self) -> Where:
        """The distribution of nodes and time: by ply of the root, by purpose, in quiescence."""
        return self._figures.where

    @property
    def iterations(self) -> tuple[Iteration, ...]:
        """Every tree of the log: depth, nodes, score, best ply, growth."""
        return self._figures.iterations

    @property
    def quotient(self) -> Quotient | None:
        """The ranks that the randomness quotient may play; None for a log without one."""
        return self._figures.quotient

    @property
    def visited(self) -> Visited | None:
        """Of a best-first tree: visits by level, how concentrated they are, and which ply led when."""
        return self._figures.visited

    @property
    def missing(self) -> tuple[Lack, ...]:
        """Figures that are not given, or not of all nodes, each with the field that the log lacks."""
        return self._figures.missing

    def through_iterations(self, node: Node) -> tuple[NodeIteration, ...]:
        """The score of one node in every tree of the log, found by its path of plies."""
        return node_iterations(self._tree, node.row)

    def as_json(self) -> dict[str, Any]:
        """The answer of `plyscope stats --json`."""
        return as_json(self._figures)

    def __repr__(self) -> str:
        nodes = counted(self._figures.totals.all.nodes, "node")
        return f"<Statistics of {visible(self._name)}: {nodes} in {counted(len(self.iterations), 'tree')}>"

    def __str__(self) -> str:
        return "\n".join(lines(self._figures)).lstrip("\n")


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
        return Statistics(this.name, tree, shown(this.name, tree, status))


def shown(name: str, tree: Tree, status: StatusLine) -> figures.Statistics:
    """The figures of a tree, while `status` says what takes long."""
    if tree.log.n_rows > QUICK_ROWS:
        status.show(f"counting {name}")
    return counted_in(
        tree, on_compiling=lambda: status.wait(f"counting {name}  compiling, once on a machine …")
    )
