"""A log that is being written: lines are taken as they come, and `snapshot` seals all that came so far.

What it holds is what the ordinary reader makes of the same lines, whatever the pieces in which they came.
Parents that have not come yet are open nodes, as in a file that was cut short.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.following.appended_seal import AppendedSeal, SomeNodes
from plyscope.visualizer.formats.following.grown_arrays import GrownArray
from plyscope.visualizer.formats.following.grown_fields import GrownFields
from plyscope.visualizer.formats.following.grown_parents import GrownParents, listed
from plyscope.visualizer.formats.following.line_batch import Id, LineBatch, read_batch
from plyscope.visualizer.formats.following.node_numbers import NodeNumbers
from plyscope.visualizer.formats.following.plain_lines import PlainLines
from plyscope.visualizer.formats.following.snapshot import Frozen, sealed_snapshot
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.result_lines import ResultLines
from plyscope.visualizer.formats.written_ids import ELSEWHERE, LARGEST_ID
from plyscope.visualizer.store.tree import Tree

Array = npt.NDArray[Any]
Run = Callable[[Any], Any]

BATCH_BYTES: Final = 2**21
"""Bytes that are read together: what one step holds the log for."""
UNSTATED: Final = -1


class GrowingLog:
    """The nodes that have come so far. `take` and `snapshot` may be called from different threads.

    >>> log = GrowingLog()
    >>> log.take(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7, "score": 2}' + bytes([10]))
    >>> tree = log.snapshot()
    >>> tree.log.columns["id"].tolist(), tree.log.columns["end"].tolist()
    ([7, 9], [2, 2])
    """

    def __init__(self) -> None:
        self.run: Run | None = None
        """Compiles kernels; None while these run as Python and lines are read one by one."""
        self.header: dict[str, Any] | None = None
        self.n_lines = 0
        self._plain = PlainLines()
        self._results = ResultLines()
        self._n_node_lines = 0
        self._lock = threading.Lock()
        self._fields = GrownFields()
        self._numbers = NodeNumbers()
        self._parents = GrownParents(self._numbers)
        self._sources = GrownArray(UNSTATED, np.int64)
        self._has_sources = False
        self._unknown_sources: dict[int, Id] = {}
        self._lines = GrownArray(0, np.int64)
        self._notices: dict[str, None] = {}
        self._twice: set[str] = set()
        self._appended = AppendedSeal()
        self._seals = threading.Lock()
        self._keeps_ids = False
        """Whether ids are kept as fields of their own, since they are no whole numbers of ours."""

    @property
    def has_ended(self) -> bool:
        """Whether a line gave the result, or null where the search has none."""
        return self._results.has_ended

    @property
    def n_nodes(self) -> int:
        """Nodes and stubs that have come."""
        return len(self._numbers)

    @property
    def n_waiting(self) -> int:
        """Nodes whose parent's line has not come."""
        return len(self._parents.orphans)

    @property
    def is_whole(self) -> bool:
        """Whether what came is a tree: if nothing more comes, the last snapshot is what the file holds."""
        is_table = self.header is None and not self._parents.are_stated and self.n_nodes > 1
        return self.n_nodes > 0 and not self._parents.orphans and not is_table

    @property
    def has_own_ids(self) -> bool:
        """Whether nodes are named by the ids that were written; else by their order of arrival."""
        return not self._keeps_ids

    counts = "node"

    @property
    def n_searched(self) -> int:
        """Nodes that have come: stubs are none."""
        return self.n_nodes - self._fields.n_stubs

    @property
    def last_node(self) -> int | None:
        """The id of the node that came last, as a page names it."""
        with self._lock:
            last = self.n_nodes - 1
            if last < 0:
                return None
            return last if self._keeps_ids else int(self._numbers.id_of(last))

    def shown_id(self, name: Id) -> int | None:
        """The id by which a page names this node; None if it has not come."""
        with self._lock:
            number = int(self._numbers.of([name])[0])
            return None if number < 0 else number if self._keeps_ids else int(name)

    # Lines in ----------------------------------------------------------------------------------------
    def take(self, data: bytes) -> None:
        """Take complete lines, each with its end; raises LogError with the first that is wrong."""
        begin = 0
        if self.run is not None and self.header is None and not self.n_nodes:
            begin = data.find(b"\n") + 1  # the header, which no kernel reads
            self._take_piece(data[:begin])
        while begin < len(data):
            end = len(data)
            if end - begin > BATCH_BYTES:
                end = data.rfind(b"\n", begin, begin + BATCH_BYTES) + 1 or data.find(b"\n", begin) + 1
            self._take_piece(data[begin:end])
            begin = end

    def _take_piece(self, data: bytes) -> None:
        is_first = self.header is None and not self.n_nodes
        try:
            batch = read_batch(
                data,
                self.n_lines + 1,
                run=self.run,
                plain=self._plain,
                twice=self._twice,
                is_first=is_first,
            )
        except LogError as error:
            if error.line is not None and error.line > self.n_lines + 1:  # what came before it is sound
                self._take_piece(b"".join(data.splitlines(keepends=True)[: error.line - self.n_lines - 1]))
            raise
        with self._lock:
            for fields, line, n_before in batch.beside:
                self._take_beside(fields, line, n_before)
            self._notices |= dict.fromkeys(batch.notices)
            if len(batch.ids):
                self._take_nodes(batch)
            self._n_node_lines += len(batch.ids)
            self.n_lines += batch.n_lines

    def _take_beside(self, fields: dict[str, Any], line: int, n_before: int) -> None:
        """A line without `id`: the header, before all nodes, or the result."""
        if "plyscope" in fields:
            if self.header is not None or self.n_nodes or n_before:
                raise LogError("found a second header, expected it on the first line only", line=line)
            if "root" in fields or "roots" in fields:
                raise LogError("found a tree in the header, expected a node a line", line=line)
            _at_line(read_header, fields, line)
            self.header = fields
        elif "result" in fields:
            _at_line(lambda said: self._results.take(said, self._n_node_lines + n_before), fields, line)
        else:
            raise LogError("this line has no `id`, expected one on every node", line=line)

    def _take_nodes(self, batch: LineBatch) -> None:
        n_before = self.n_nodes
        numbers = self._numbers.take(batch.ids)
        n_now = self.n_nodes
        self._lines.make_room(n_now)
        is_new = numbers > np.maximum.accumulate(np.concatenate([[n_before - 1], numbers[:-1]]))
        self._lines.put(numbers[is_new], batch.lines[is_new])
        self._parents.take(batch, numbers, is_new)
        self._keep_ids(n_before)
        self._take_sources(batch, numbers)
        self._fields.take(batch.buffers, numbers)
        self._appended.touch(numbers)
        self._parents.check(batch, numbers, is_new)

    def _keep_ids(self, n_before: int) -> None:
        """Keep ids as they were written, unless they are whole numbers from 0 on that a browser can hold."""
        if not self._keeps_ids and not self._numbers.are_within(LARGEST_ID, since=n_before):
            self._keeps_ids, n_before = True, 0
            self._appended.forget()
        if self._keeps_ids:
            for node, name in enumerate(self._numbers.ids()[n_before:].tolist(), start=n_before):
                self._fields.keep_beside(node, "id", name)

    def _take_sources(self, batch: LineBatch, numbers: Array) -> None:
        """The nodes that stored table entries: where one has not come, it may come later."""
        for records, names in batch.buffers.sources:
            self._has_sources = True
            nodes, sources = numbers[records], self._numbers.of(names)
            for node in nodes.tolist() if self._unknown_sources else ():
                self._unknown_sources.pop(node, None)
            for at in np.flatnonzero(sources < 0).tolist():
                if (name := listed(names, at)) != ELSEWHERE:
                    self._unknown_sources[int(nodes[at])] = name
            self._sources.put(nodes, np.where(sources < 0, ELSEWHERE, sources))
        batch.buffers.sources.clear()

    # Logs out ----------------------------------------------------------------------------------------
    def snapshot(self, *, is_final: bool = False) -> Tree | None:
        """The tree of all that came so far, None where no node has; raises LogError.

        `is_final` says that nothing more will come, so that a missing result is said; what lacks parents, or
        has none at all, is then for the ordinary reader (`is_whole`).
        """
        with self._seals:
            tree = None if is_final else self._appended.tree(self, self._lock, self.run)
            if tree is not None:
                return tree
            with self._lock:
                frozen = self._freeze(is_final) if self.n_nodes else None
            if frozen is None:
                return None
            return sealed_snapshot(frozen, self.run, is_final=is_final, keeps_ids=self._keeps_ids)

    def parents(self) -> Array | None:
        """The parent of each node so far, None while some have not come; with the lock, as the next two."""
        return None if self._parents.orphans or not self.n_nodes else self._parents.first(self.n_nodes)

    def ids(self, since: int) -> Array:
        """The id by which a page names each node from `since` on."""
        return np.arange(since, self.n_nodes) if self._keeps_ids else self._numbers.ids(since)

    def some(self, nodes: Array) -> SomeNodes | None:
        """The fields of some nodes, which ascend; None if keys have several forms."""
        if not self._fields.has_one_form_of_keys:
            return None
        n_nodes = self.n_nodes
        sources = self._sources.first(n_nodes)[nodes].astype(np.int32) if self._has_sources else None
        return SomeNodes(self._fields.of(nodes, n_nodes), sources, self._header(), self._said())

    def _header(self) -> dict[str, Any]:
        header = dict(self.header or {})
        if self._results.result is not None:
            header["result"] = self._results.result
        return header

    def _said(self, *, is_final: bool = False) -> list[str]:
        """The notices, without those of sealing."""
        return [*self._notices, *self._results.notices(self.header, self._n_node_lines, is_final=is_final)]

    def _freeze(self, is_final: bool) -> Frozen:
        n_nodes = self.n_nodes
        self.settle_sources()
        parents = self._parents.first(n_nodes).copy()
        missing = self._parents.missing
        n_open = len(missing) + (len(missing) > 1)
        header = self._header()
        notices = self._said(is_final=is_final)
        unknown = next(iter(self._unknown_sources.values()), "")
        return Frozen(
            self._fields.frozen(n_nodes, n_open),
            parents,
            self._numbers.ids(),
            self._sources.first(n_nodes).copy() if self._has_sources else None,
            (shown(unknown), len(self._unknown_sources)),
            self._lines.first(n_nodes).copy(),
            header,
            notices,
            dict(self._parents.orphans),
            missing,
            self._parents.came_late,
            self.has_ended,
        )

    def settle_sources(self) -> None:
        """Find the sources of table entries that have come since; with the lock."""
        if not self._unknown_sources:
            return
        nodes, names = list(self._unknown_sources), list(self._unknown_sources.values())
        found = self._numbers.of(names)
        for at in np.flatnonzero(found >= 0).tolist():
            self._sources.put(np.array([nodes[at]]), found[at : at + 1])
            self._appended.touch(np.array([nodes[at]]))
            del self._unknown_sources[nodes[at]]


def _at_line(check: Callable[[dict[str, Any]], Any], fields: dict[str, Any], line: int) -> None:
    try:
        check(fields)
    except LogError as error:
        error.line = line
        raise
