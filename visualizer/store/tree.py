"""The questions a tree is asked: children, paths, rows by id, plies that match. Keeps no objects for nodes.

Whatever is derived from the columns (child index, order of ids, counts) is computed when first asked for and
shared by every answer; nothing here knows JSON or the page.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log, child_index, main_root
from plyscope.visualizer.store.mapped import codes_holding, codes_of, used_codes
from plyscope.visualizer.store.positions import respells, shown_ply

Rows = npt.NDArray[np.int64]

PATH_SEPARATOR = ">"
BLOCK: Final = 1_024
"""The rows of a block, for which the greatest level and the number of stubs before it are kept."""
BLOCKS_AT_ONCE: Final = 128
FEW: Final = 1_000
"""Up to this many rows, the nodes below each are counted singly, without an array for all rows."""
IDS_AT_ONCE: Final = 2**15
MOST_NAMED: Final = 5_000
"""The most rows whose ply is played for its shown text, which takes a third of a millisecond."""
WIDE: Final = 1_000
"""From this many children on, a node is handled by columns: Python takes microseconds a child."""


class Tree:
    """A log as a tree. Rows are positions in the sealed table; ids are what links and the API use."""

    def __init__(self, log: Log, *, child_counts: npt.NDArray[np.int32] | None = None) -> None:
        """Take a log, and the number of children of each row: if known, only rows with many get an index."""
        self.log = log
        self._child_counts = child_counts

    # Places ------------------------------------------------------------------------------------------
    @cached_property
    def _child_index(self) -> tuple[Rows, Rows]:
        """Rows sorted by parent (siblings in the order searched), and where each parent's slice starts."""
        parent, kept = self.log.columns["parent"], self.log.children
        index = kept if kept is not None and kept.parent is parent else child_index(parent)
        return index.rows, index.starts

    def n_children(self, row: int) -> int:
        """Rows directly below `row`, stubs included."""
        if self._child_counts is not None:
            return int(self._child_counts[row])
        starts = self._child_index[1]
        return int(starts[row + 1] - starts[row])

    def children(self, row: int, offset: int = 0, limit: int | None = None) -> Rows:
        """The rows of the children of `row` in the order searched, one page of them."""
        if self._child_counts is not None and self._child_counts[row] < WIDE:
            return self._stepped_children(row)[offset:][:limit]
        rows, starts = self._child_index
        first, last = int(starts[row]) + offset, int(starts[row + 1])
        return rows[first : last if limit is None else min(last, first + limit)]

    def _stepped_children(self, row: int) -> Rows:
        """The children of `row`, each found at the end of the one before."""
        end, rows = self.log.columns["end"], []
        child, last = row + 1, int(end[row])
        while child < last:
            rows.append(child)
            child = int(end[child])
        return np.array(rows, dtype=np.int64)

    def index_among_siblings(self, row: int) -> int:
        """The number of siblings before `row`; roots count among the roots."""
        parent = int(self.log.columns["parent"][row])
        if parent < 0:
            return int(np.searchsorted(self._root_rows, row))
        return int(np.searchsorted(self.children(parent), row))

    def path(self, row: int, most: int | None = None) -> list[int]:
        """The rows from the root down to `row`, both included; of them the `most` nearest ones to `row`."""
        parent = np.asarray(self.log.columns["parent"])  # no map, whose items are slow to read one by one
        rows = [row]
        while (most is None or len(rows) < most) and (row := int(parent[row])) >= 0:
            rows.append(row)
        return rows[::-1]

    def root_of(self, row: int) -> int:
        """The root of the tree of the forest that has `row`."""
        return int(self._root_rows[int(np.searchsorted(self._root_rows, row, side="right")) - 1])

    @cached_property
    def _root_rows(self) -> Rows:
        return np.array([root.row for root in self.log.roots], dtype=np.int64)

    @cached_property
    def attempts(self) -> dict[int, int]:
        """By the row of a root, its place from 1 among the trees of its iteration where it has several."""
        trees: dict[int | None, list[int]] = {}
        for root in self.log.roots:
            trees.setdefault(root.iteration, []).append(root.row)
        return {
            row: place for rows in trees.values() if len(rows) > 1 for place, row in enumerate(rows, start=1)
        }

    @cached_property
    def _rows_by_id(self) -> tuple[Rows, Rows] | None:
        ids = self.log.columns["id"]
        if _are_counted(ids):
            return None
        order = np.argsort(ids, kind="stable")
        return ids[order], order

    def row_of(self, node_id: int) -> int:
        """The row of the node with this id; raises KeyError."""
        if self._rows_by_id is None:
            if not 0 <= node_id < self.log.n_rows:
                raise KeyError(node_id)
            return node_id
        ids, rows = self._rows_by_id
        at = int(np.searchsorted(ids, node_id))
        if at == len(ids) or ids[at] != node_id:
            raise KeyError(node_id)
        return int(rows[at])

    def ply(self, row: int) -> str | None:
        """The ply to `row` as shown, None where it is not stated."""
        return shown_ply(self.log, row)

    def is_ply(self, row: int, name: str) -> bool:
        """Return whether the ply to `row` is `name`, in the log or as shown."""
        return name in (self.log.text(int(self.log.columns["ply"][row])), self.ply(row))

    # Counts ------------------------------------------------------------------------------------------
    @cached_property
    def is_stub(self) -> npt.NDArray[np.bool_]:
        """True for rows that stand for siblings without rows."""
        return np.asarray(self.log.columns["outcome"] >= words.FIRST_STUB)

    @cached_property
    def nodes_before(self) -> Rows:
        """The nodes before each row, and before the end: stubs are not counted."""
        before = np.zeros(self.log.n_rows + 1, dtype=np.int64)
        np.cumsum(~self.is_stub, out=before[1:])
        return before

    @cached_property
    def n_logged(self) -> int:
        """Nodes of the whole log: its rows but stubs."""
        return self._n_nodes_before(self.log.n_rows)

    def _n_nodes_before(self, row: int) -> int:
        """The nodes before a row; `nodes_before`, eight bytes a row, is not made for it."""
        if "nodes_before" in self.__dict__:
            return int(self.nodes_before[row])
        begin = row // BLOCK * BLOCK
        stubs = np.count_nonzero(self.log.columns["outcome"][begin:row] >= words.FIRST_STUB)
        return row - int(self._stubs_before_block[row // BLOCK]) - int(stubs)

    @cached_property
    def _stubs_before_block(self) -> Rows:
        """The stubs before each whole block of rows, and before the rows behind the last one."""
        outcome = np.asarray(self.log.columns["outcome"])
        n_blocks = len(outcome) // BLOCK
        before = np.zeros(n_blocks + 1, dtype=np.int64)
        for begin in range(0, n_blocks, BLOCKS_AT_ONCE):
            part = outcome[begin * BLOCK : min(begin + BLOCKS_AT_ONCE, n_blocks) * BLOCK].reshape(-1, BLOCK)
            before[begin + 1 : begin + 1 + len(part)] = np.count_nonzero(part >= words.FIRST_STUB, axis=1)
        return np.cumsum(before, out=before)

    def n_nodes(self, row: int) -> int:
        """Nodes of the subtree of `row`, itself included, stubs not."""
        return self._n_nodes_before(int(self.log.columns["end"][row])) - self._n_nodes_before(row)

    def nodes_below(self, at: slice | npt.NDArray[np.integer[Any]] = slice(None)) -> Rows:
        """The nodes below each row, or each of some, at any depth: stubs and the row itself not counted."""
        if not isinstance(at, slice) and len(at) < FEW and "nodes_before" not in self.__dict__:
            counted = self._n_nodes_before
            ends = self.log.columns["end"][at].tolist()
            below = [counted(end) - counted(row + 1) for row, end in zip(at.tolist(), ends, strict=True)]
            return np.array(below, dtype=np.int64)
        before, end = self.nodes_before, self.log.columns["end"][at]
        return before[end] - (before[1:] if isinstance(at, slice) else before[at + 1])

    def height(self, row: int) -> int:
        """Levels below `row` in its subtree."""
        level, end = self.log.columns["level"], int(self.log.columns["end"][row])
        first, last = -(-row // BLOCK), end // BLOCK
        if last - first < 2:
            return int(level[row:end].max()) - int(level[row])
        parts = level[row : first * BLOCK], self._deepest[first:last], level[last * BLOCK : end]
        return max(int(part.max()) for part in parts if len(part)) - int(level[row])

    @cached_property
    def _deepest(self) -> npt.NDArray[np.int32]:
        """The greatest level of each whole block of rows: a long path asks for many heights."""
        level = self.log.columns["level"]
        n_blocks = len(level) // BLOCK
        return np.asarray(level[: n_blocks * BLOCK].reshape(n_blocks, BLOCK).max(axis=1))

    @cached_property
    def main_root(self) -> int:
        """The root of the tree that answers are about (see `store.main_root`)."""
        return main_root(self.log)

    # Searches ----------------------------------------------------------------------------------------
    def find(self, query: str) -> Rows:
        """The rows that `query` names, in the order searched.

        `#4117` is an id; `c6 > d6` a path of plies from any root; anything else a ply: rows with exactly
        this text, as written or as shown, else rows whose ply begins with it, else rows whose ply holds it
        (case does not matter).
        """
        query = query.strip()
        if not query:
            return np.zeros(0, dtype=np.int64)
        if query.startswith("#") and query[1:].isdecimal():
            try:
                return np.array([self.row_of(int(query[1:]))], dtype=np.int64)
            except KeyError:
                return np.zeros(0, dtype=np.int64)
        if f" {PATH_SEPARATOR} " in query:
            return self.find_path([part.strip() for part in query.split(f" {PATH_SEPARATOR} ")])
        return self._find_ply(query)

    def find_path(self, plies: list[str]) -> Rows:
        """Every node reached from a root by these plies; a leading `root` is passed over.

        `c6#2` is the second visit of c6 under its parent.
        """
        rows = [root.row for root in self.log.roots]
        for ply in plies[1:] if plies and plies[0] == "root" else plies:
            text, _, number = ply.rpartition("#")
            visit = int(number) if text and number.isdecimal() else None
            found: list[int] = []
            for row in rows:
                same = self.visits(row, text if visit else ply)
                found += same if visit is None else same[visit - 1 : visit]
            rows = found
        return np.array(sorted(rows), dtype=np.int64)

    def visits(self, row: int, ply: str) -> list[int]:
        """The children of `row` whose ply is `ply`, in the order searched."""
        children = self.children(row)
        if len(children) < WIDE:
            return [child for child in children.tolist() if self.is_ply(child, ply)]
        plies = self.log.columns["ply"][children]
        codes = codes_of(self.log.texts, used_codes(plies, len(self.log.texts)), ply)
        found: list[int] = children[np.isin(plies, codes)].tolist()
        return found

    def _find_ply(self, query: str) -> Rows:
        wanted = query.casefold()
        ply = self.log.columns["ply"]
        used = used_codes(ply, len(self.log.texts))
        holds = codes_holding(self.log.texts, used, wanted)
        whole, begins = [], []
        for index in holds:
            text = self.log.texts[index].casefold()
            if text.startswith(wanted):
                begins.append(index)
                if text == wanted:
                    whole.append(index)
        chosen = whole or begins or holds
        if respells(self.log) and not whole and len(named := self._find_shown(query)):
            return named
        if not chosen:
            return np.zeros(0, dtype=np.int64)
        is_chosen = np.zeros(len(self.log.texts) + 1, dtype=np.bool_)  # the last entry serves index -1
        is_chosen[chosen] = True
        return np.flatnonzero(is_chosen[ply])

    def _find_shown(self, query: str) -> Rows:
        """The rows whose ply is shown as `query`, checks aside, of the first few thousand that may be.

        Any notation of a ply names the square on which it ends; castling may be written as the king's move.
        """
        wanted = query.rstrip("+#")
        ends = re.findall("[a-h][1-8]", wanted)[-1:] or [r"e([18])[acgh]\1|0-0"]
        ply = self.log.columns["ply"]
        used = used_codes(ply, len(self.log.texts)).tolist()
        rows = np.flatnonzero(
            np.isin(ply, [code for code in used if re.search(ends[0], self.log.texts[code])])
        )
        named = [row for row in rows[:MOST_NAMED].tolist() if (self.ply(row) or "").rstrip("+#") == wanted]
        return np.array(named, np.int64)


def _are_counted(ids: npt.NDArray[np.int64]) -> bool:
    """Whether each id is the row that has it; looked at in parts, which stay in the processor's cache."""
    if len(ids) and (ids[0] != 0 or ids[-1] != len(ids) - 1):
        return False
    return all(
        np.array_equal(part, np.arange(begin, begin + len(part)))
        for begin in range(0, len(ids), IDS_AT_ONCE)
        for part in [np.asarray(ids[begin : begin + IDS_AT_ONCE])]
    )
