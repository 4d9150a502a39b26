"""A log as a script sees it: its totals, its nodes, its columns.

A log is a table with a row for every node in the order of the search. What is handed out are views of that
table, so ten million nodes cost what their columns cost.
"""

from __future__ import annotations

import copy
import operator
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted, visible
from plyscope.files import write
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.frames import Framed, arrays, table
from plyscope.visualizer.analysis.nodes.deciding_line import principal_variation
from plyscope.visualizer.analysis.nodes.node import Line, Node, Nodes, last_step, nodes_table
from plyscope.visualizer.analysis.nodes.notebook import Block, Displayed, Table
from plyscope.visualizer.analysis.nodes.ply_path import row_at, steps_of
from plyscope.visualizer.analysis.statistics.totals import Totals, totals
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Origin:
    """The file that a log was read from, and its size and time before that."""

    path: Path
    stamp: tuple[int, int]

    @classmethod
    def of(cls, path: Path) -> Origin | None:
        """The file as it is now; None where there is none."""
        try:
            stat = path.stat()
            return cls(path.resolve(), (stat.st_size, stat.st_mtime_ns))
        except (OSError, ValueError):
            return None


Stats = Totals
MOST_CHILDREN: Final = 5
"""Children of a node that a notebook shows, those of the principal variation aside."""
MOST_LEVELS: Final = 3


class Log(Displayed, Framed):
    """A search log that was read or recorded. It does not change.

    `len(log)` is the number of rows, stubs included; `log.stats.nodes` is that of the nodes.

    >>> import plyscope
    >>> log = plyscope.open('{"plyscope": 1, "root": {"score": 3, "children": [{"ply": "c6", "score": 3}]}}')
    >>> log
    <Log log: 2 rows>
    >>> log.node("c6").score, log.columns("score")["score"].tolist()
    (3.0, [3.0, 3.0])
    """

    def __init__(self, tree: Tree, name: str = "log", origin: Origin | None = None) -> None:
        self._tree = tree
        self._log = tree.log
        self._origin = origin
        self.name = name
        """The name of its file, or of the game that was searched."""

    # Facts on the log --------------------------------------------------------------------------------
    @cached_property
    def header(self) -> dict[str, Any]:
        """The keys before the tree: `game`, `position`, `search`, `factors`, `result` and others."""
        return copy.deepcopy(dict(self._log.header))

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences on what the reader guessed, mended or missed."""
        return self._log.notices

    @cached_property
    def stats(self) -> Stats:
        """The numbers of nodes, leaves, cuts and pruned plies, in all and by level."""
        return totals(self._tree)

    def __len__(self) -> int:
        return self._log.n_rows

    def __repr__(self) -> str:
        return f"<Log {visible(self.name)}: {', '.join(self._facts())}>"

    def _facts(self) -> list[str]:
        facts = [counted(len(self), "row")]
        if len(self._log.roots) > 1:
            facts.append(counted(len(self._log.roots), "tree"))
        search, result = self._log.search, self._log.result
        for label, value in (("game", self._log.header.get("game")), ("depth", search.get("depth"))):
            if isinstance(value, str | int | float):
                facts.append(f"{label} {visible(str(value)[:60])}")
        ply, score = result.get("ply"), result.get("score")
        if isinstance(ply, str):
            scored = f" ({score:+g})" if isinstance(score, int | float) else ""
            facts.append(f"chose {visible(ply[:60])}{scored}")
        if self.notices:
            facts.append(counted(len(self.notices), "notice"))
        return facts

    def _blocks(self) -> Iterable[Block]:
        yield f"{self.name}: {', '.join(self._facts())}"
        yield from self.notices
        yield self._small_tree()

    def _small_tree(self) -> Table:
        """The first plies of the main root, and of each node of the principal variation."""
        on_line = {self.main_root.row, *(node.row for node in self.pv())}
        shown: list[Node] = []
        names: list[str] = []
        n_left_out = 0
        to_come = [(self.main_root, "", "root")]
        while to_come:
            node, before, name = to_come.pop()
            shown.append(node)
            names.append(before + name)
            if node.row not in on_line or len(before) >= 2 * MOST_LEVELS:
                continue
            few = [each for at, each in enumerate(node.children) if at < MOST_CHILDREN or each.row in on_line]
            n_left_out += len(node.children) - len(few)
            below = "│ " * (len(before) // 2) + "├ "
            to_come += [(each, below, last_step(each)) for each in reversed(few)]
        return nodes_table(shown, names, n_left_out)

    # Its nodes ---------------------------------------------------------------------------------------
    def __iter__(self) -> Iterator[Node]:
        """Every node in the order of the search, stubs among them."""
        return iter(Nodes(self._tree, range(len(self))))

    @property
    def roots(self) -> Nodes:
        """The root of each tree: one, or one for each iteration and window."""
        return Nodes(self._tree, np.array([root.row for root in self._log.roots], np.int64))

    @property
    def main_root(self) -> Node:
        """The root that every command means: the one the result names, else the last that was finished."""
        return Node(self._tree, self._tree.main_root)

    def __getitem__(self, which: SupportsIndex | str | Sequence[str]) -> Node:
        """The node with an id, or at the end of a path, as `log.node(which)`."""
        return self.node(which)

    def node(self, which: SupportsIndex | str | Sequence[str], *, root: Node | None = None) -> Node:
        """The node with an id, or at the end of a path.

        A number is an id, and so is the text `#5`, as the command line prints it. Any other text is a path
        from the main root, or from `root`: `c6 > d6`, `c6#2` for the second visit of c6, `c6 > (pruned)` for
        a stub, `root`. A list is a path of plies, whatever stands in them.

        Raises LookupError where there is no such node, and for a ply that was visited more than once.
        """
        if isinstance(which, str):
            text = which.strip()
            if text.startswith("#") and text[1:].isdecimal():
                return self._node_with_id(int(text[1:]))
            if not text:
                raise LookupError("an empty text is no path; the path of the root is 'root'")
            return self._node_at(steps_of(text), root)
        if isinstance(which, Sequence):
            if wrong := [step for step in which if not isinstance(step, str)]:
                raise TypeError(f"a path is a list of plies, which are texts; found {wrong[0]!r}")
            return self._node_at(which, root)
        if isinstance(which, bool):
            raise TypeError(f"a node is named by its id or its path, not by {which}")
        return self._node_with_id(operator.index(which))

    def _node_with_id(self, number: int) -> Node:
        try:
            return Node(self._tree, self._tree.row_of(number))
        except (KeyError, OverflowError):
            raise LookupError(f"no node has the id {number} among the {len(self):,} of this log") from None

    def _node_at(self, steps: Sequence[str], root: Node | None) -> Node:
        start = self.main_root if root is None else root
        if start not in Nodes(self._tree, range(len(self))):
            raise ValueError("`root` is a node of another log")
        try:
            return Node(self._tree, row_at(self._tree, steps, start.row))
        except LookupError as error:
            if root is not None or len(self._log.roots) == 1:
                raise
            others = f"this is one of {len(self._log.roots)} trees; root=log.roots[0] names another"
            raise LookupError(f"{error}; {others}") from None

    def deciding_line(self) -> Line:
        """The nodes that the score of the main root comes from, down to the leaf."""
        return self.main_root.deciding_line()

    def pv(self) -> Line:
        """The principal variation from the chosen ply on, as nodes: as far as the log has it."""
        rows = np.array(principal_variation(self._tree), np.int64)
        return Line(self._tree, rows[1:], Node(self._tree, int(rows[-1])))

    # Its columns -------------------------------------------------------------------------------------
    def columns(self, *names: str) -> dict[str, npt.NDArray[Any]]:
        """Fields of all rows as numpy arrays, by name; without names all that a row states.

        Rows are in pre-order, a node before what is below it, siblings as searched: the subtree of row `i` is
        `[i, end[i])`. Numbers and flags (1 and 0) are float64, NaN where absent; words and texts are objects,
        None where absent. `id`, `level`, `parent` (the row above, -1 at a root) and `end` are whole numbers
        and never absent, as is `key` where keys are numbers: 0 where absent. `factors`, `contributions`,
        `scores`, `tt` and `ucb` are several: `factors.mobility`, `tt.depth`. The arrays are read-only.

        Raises LookupError for what is no field of the log format.
        """
        return arrays(self._log, names)

    def _for_frames(self, names: tuple[str, ...]) -> dict[str, npt.NDArray[Any]]:
        return self.columns(*names)

    def to_pandas(self, *names: str) -> pandas.DataFrame:
        """The same as a DataFrame, its index the ids, words as categories.

        pandas is not installed with Plyscope; ImportError says so where it is not there.
        """
        return table(self._log, names)

    def write(self, path: str | os.PathLike[str], *, progress: bool | None = None) -> None:
        """Write it as the ending of `path` says: `.json`, `.jsonl`, `.plyb`, `.gz` or `.zst` of them, or
        `.parquet`.

        Raises LogError. The file is whole or as it was before, whatever happens.
        """
        with StatusLine.of_call(progress) as status:
            write(self._log, Path(path), status)


def tree_of(log: Log) -> Tree:
    """The tree of a log, which the commands and the page query."""
    return log._tree


def file_of(log: Log) -> Path | None:
    """The file that the log was read from, as long as that is as it was."""
    origin = log._origin
    return None if origin is None or Origin.of(origin.path) != origin else origin.path
