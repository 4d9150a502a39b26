"""A node of a log and sequences of nodes: light views over the columns, made when looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted, visible
from plyscope.visualizer.analysis.nodes.deciding_line import deciding_line
from plyscope.visualizer.analysis.nodes.field_values import extras_of, names_in, value_of
from plyscope.visualizer.analysis.nodes.notebook import (
    MOST_ROWS,
    Block,
    Displayed,
    Figure,
    Table,
    fields_table,
)
from plyscope.visualizer.analysis.nodes.ply_path import SEPARATOR, path_to
from plyscope.visualizer.store.fields import FIELDS, OF_NODES, OWN
from plyscope.visualizer.store.tree import Tree

MOST_SHOWN: Final = 60
SIGNS: Final = {"lower": "≥ ", "upper": "≤ "}
IN_TABLES: Final = ("visits", "mean", "outcome")
"""Fields that a table of nodes has beside the score, where any of its nodes states them."""


class Node(Displayed):
    """A node of a log. What it states is an attribute under the name that the log format has for it.

    `node.score`, `node.alpha`, `node.outcome`, …: None where the node does not state it. Numbers are seen
    from the root player; an open edge of a window is infinite. `node.fields` has all that it states,
    `node.data` what the format does not know. Stubs, which stand for siblings without rows, are nodes too.
    Two nodes are equal where they are the same row of the same log.

    >>> import plyscope
    >>> tree = '{"plyscope": 1, "root": {"children": [{"ply": "c6", "score": 3, "mine": [1]}]}}'
    >>> node = plyscope.open(tree).node("c6")
    >>> node.score, node.alpha, node.data, node.parent.path
    (3.0, None, {'mine': [1]}, 'root')
    """

    __slots__ = ("_row", "_tree")

    # What the log format has, for those who read programs; `__getattr__` answers by the table of fields.
    ply: str | None
    layer: str | None
    player: str | None
    score: float | None
    bound: str | None
    outcome: str | None
    purpose: str | None
    cut_by: str | None
    ending: str | None
    why: str | None
    static: float | None
    pre_score: float | None
    stand_pat: float | None
    factors: dict[str, float | None] | None
    contributions: dict[str, float | None] | None
    estimate: float | None
    counted_as: float | None
    scores: list[float | None] | None
    depth: float | None
    reduction: float | None
    extension: float | None
    quiescence: bool | None
    in_check: bool | None
    moves: int | None
    alpha: float | None
    beta: float | None
    count: int | None
    plies: list[str] | None
    pre_scores: list[float | None] | None
    key: str | None
    left_key: str | None
    tt: dict[str, Any] | None
    nodes: int | None
    seconds: float | None
    visits: float | None
    prior: float | None
    mean: float | None
    stderr: float | None
    wins: float | None
    draws: float | None
    losses: float | None
    ucb: dict[str, float] | None
    expanded_at: float | None
    position: str | None
    left_position: str | None
    board: str | None
    iteration: int | None

    def __init__(self, tree: Tree, row: int) -> None:
        self._tree = tree
        self._row = row

    @property
    def id(self) -> int:
        """The number by which links, commands and `Log.node` know the node."""
        return int(self._tree.log.columns["id"][self._row])

    @property
    def row(self) -> int:
        """Its place in the arrays of `Log.columns`."""
        return self._row

    @property
    def level(self) -> int:
        """Its distance from the root."""
        return int(self._tree.log.columns["level"][self._row])

    @property
    def path(self) -> str:
        """The plies from the root of its tree, from which `Log.node` finds it again.

        `c6 > d6`; `c6#2` for the second of several visits, `(pruned)` for a stub, `root` for a root.
        """
        return path_to(self._tree, self._row)

    @property
    def parent(self) -> Node | None:
        """The node above; None for a root."""
        parent = int(self._tree.log.columns["parent"][self._row])
        return None if parent < 0 else Node(self._tree, parent)

    @property
    def children(self) -> Nodes:
        """The nodes directly below in the order searched, stubs among them."""
        return Nodes(self._tree, self._tree.children(self._row))

    @property
    def is_stub(self) -> bool:
        """Whether it stands for siblings that were pruned, left out or not logged."""
        return bool(self._tree.is_stub[self._row])

    @property
    def fields(self) -> dict[str, Any]:
        """All that the node states of the log format, by name, in the order in which logs are written."""
        values = {field.name: getattr(self, field.name) for field in OWN}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def data(self) -> dict[str, Any]:
        """The fields that the log format does not know, by name."""
        return extras_of(self._tree.log, self._row)

    def deciding_line(self) -> Line:
        """The nodes through which the score came here, from a child down to the leaf that decided it."""
        found = deciding_line(self._tree, self._row)
        return Line(self._tree, np.array(found.rows, np.int64), Node(self._tree, found.leaf), found.note)

    def __getattr__(self, name: str) -> Any:
        if name not in OF_NODES:
            raise AttributeError(_no_field(self, name))
        value = value_of(self._tree.log, self._row, FIELDS[name])
        if value is None or name not in ("factors", "contributions"):
            return value
        named = dict(zip(names_in(self._tree.log, name), value, strict=True))
        if name == "factors":
            return named
        return {name: amount for name, amount in named.items() if amount is not None}

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *OF_NODES})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return self._tree is other._tree and self._row == other._row

    def __hash__(self) -> int:
        return hash((id(self._tree), self._row))

    def _blocks(self) -> Iterable[Block]:
        yield f"#{self.id} {self.path}"
        yield fields_table(self.fields | self.data)
        if len(self.children):
            few = self.children[:MOST_ROWS]
            yield nodes_table(few, [last_step(node) for node in few], len(self.children) - len(few))

    def __repr__(self) -> str:
        path = self.path
        path = path if len(path) <= MOST_SHOWN else "…" + path[1 - MOST_SHOWN :]
        score = None if self.score is None else f"score {SIGNS.get(self.bound or '', '')}{self.score:g}"
        stands_for = counted(self.count, "ply") if self.is_stub and self.count is not None else None
        children = f"{len(self.children):,} below" if len(self.children) else None
        facts = [fact for fact in (score, self.outcome, stands_for, children) if fact]
        return f"<Node #{self.id} {visible(path)}{': ' if facts else ''}{', '.join(facts)}>"


class Nodes(Sequence[Node], Displayed):
    """Nodes in order; each is made when it is looked at, so that millions are no more than their rows."""

    def __init__(self, tree: Tree, rows: npt.NDArray[np.int64] | range) -> None:
        self._tree = tree
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> Nodes: ...
    def __getitem__(self, index: int | slice) -> Node | Nodes:
        if isinstance(index, slice):
            return Nodes(self._tree, self._rows[index])
        return Node(self._tree, int(self._rows[index]))

    def __iter__(self) -> Iterator[Node]:
        for row in self._rows:
            yield Node(self._tree, int(row))

    def __contains__(self, value: object) -> bool:
        return isinstance(value, Node) and value._tree is self._tree and value.row in self._rows

    def _blocks(self) -> Iterable[Block]:
        few = self[:MOST_ROWS]
        yield nodes_table(few, [node.path for node in few], len(self) - len(few))

    def __repr__(self) -> str:
        few = ", ".join(map(repr, self[:3]))
        return f"[{few}{f', … {len(self) - 3:,} more' if len(self) > 3 else ''}]"


class Line(Nodes):
    """Nodes that follow one another; `str` joins their plies.

    `leaf` is where the line ends. `note` says in a sentence why no leaf of the log stands behind the score,
    as where a table entry or an edge of the window gave it; empty where one does.
    """

    def __init__(self, tree: Tree, rows: npt.NDArray[np.int64], leaf: Node, note: str = "") -> None:
        super().__init__(tree, rows)
        self.leaf = leaf
        self.note = note

    def __str__(self) -> str:
        return " > ".join(node.ply or "?" for node in self)


def last_step(node: Node) -> str:
    """The last step of a node's path, which names it among its siblings."""
    return node.path.rpartition(SEPARATOR)[2]


def nodes_table(nodes: Sequence[Node], paths: Sequence[str], n_left_out: int = 0) -> Table:
    """A table of some nodes, of which `paths` says where each stands."""
    columns: dict[str, list[Any]] = {"node": list(paths)}
    columns["score"] = [
        None if node.score is None else Figure(SIGNS.get(node.bound or "", "") + f"{node.score:g}")
        for node in nodes
    ]
    columns |= {name: [getattr(node, name) for node in nodes] for name in IN_TABLES}
    columns["below"] = [int(node._tree.log.columns["end"][node.row]) - node.row - 1 for node in nodes]
    columns["id"] = [Figure(f"#{node.id}") for node in nodes]
    stated = {name: values for name, values in columns.items() if any(each is not None for each in values)}
    return Table(tuple(stated), list(zip(*stated.values(), strict=True)), n_left_out)


def _no_field(node: Node, name: str) -> str:
    said = f"a node has no field {name!r}"
    if not name.startswith("_"):
        if name in node.data:
            return f"{said} of the log format; this log's own is node.data[{name!r}]"
        near = get_close_matches(name, OF_NODES, n=1)
        said += f"; did you mean {near[0]}?" if near else "; dir(node) lists them"
    return said
