"""The nodes of a log that is being written, in any form: batches come in, `snapshot` seals the log so far.

The result equals that of the ordinary reader for the same bytes, whatever the pieces in which they came.
Parents that have not come yet are open nodes, as in a file that was cut short.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, missing_lines, shown
from plyscope.visualizer.formats.following.growing_fields import FrozenFields, GrowingFields
from plyscope.visualizer.formats.header import with_result
from plyscope.visualizer.formats.literal.cut_path import with_open_path
from plyscope.visualizer.formats.read.names import NOTHING, Names
from plyscope.visualizer.formats.read.node_numbers import Id, NodeBatch, NodeNumbers
from plyscope.visualizer.formats.read.records import are_lost, other_parent, with_open_nodes
from plyscope.visualizer.formats.seal.field_buffers import rounded_in_words
from plyscope.visualizer.formats.seal.grown import GrownArray
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.formats.seal.written_ids import ELSEWHERE, LARGEST_ID, lost_sources
from plyscope.visualizer.formats.tape.texts import Texts
from plyscope.visualizer.store.tree import Tree

Array = npt.NDArray[Any]
Run = Callable[[Any], Any]


class GrowingNodes(ABC):
    """The nodes that have come so far. `take` and `snapshot` may be called from different threads."""

    counts = "node"
    kind: str
    """The word for a written node: a line, a record."""
    may_number_roots_later = False
    """Whether several roots may state their iterations after their first record."""

    def __init__(self, fields: NodeFields | None = None, *, no_parent: tuple[Id, ...] = ()) -> None:
        """`no_parent` are names of parents that mark a root; `fields` take those of a log that is whole."""
        self._run: Run | None = None
        self.header: dict[str, Any] | None = None
        self.result: dict[str, Any] | None = None
        self.has_ended = False
        """Whether the result has come; it may be null."""
        self.n_lines = 0
        """Lines, or records, that have come."""
        self._lock = threading.Lock()
        self._growing = GrowingFields()
        self._fields = self._growing if fields is None else fields
        self._numbers = NodeNumbers(Names(Texts(self._fields.texts.run)))
        self._no_parent = self._numbers.names.numbers_of(no_parent)
        self._parent_ids = GrownArray(NOTHING, np.int64)
        """By node, the id of its parent, as its first line names it; later lines must name the same."""
        self._source_ids = GrownArray(NOTHING, np.int64)
        """By node, the id of the node that stored its table entry."""
        self.n_waiting = 0
        """The number of nodes whose parent had not come at the last snapshot."""
        self._places = GrownArray(0, np.int64)
        self._last_place = 0
        """The place of the last record."""
        self._keeps_ids = False
        """Whether ids are kept as fields of their own, since they are no whole numbers of ours."""

    @abstractmethod
    def take(self, data: bytes) -> None:
        """Take complete lines, or complete chunks; raises LogError with the first wrong one."""

    @property
    @abstractmethod
    def _is_cut_on_entry(self) -> bool:
        """Whether nodes that look finished may have lost children, if nothing more comes."""

    @abstractmethod
    def _said(self, *, is_final: bool = False) -> list[str]:
        """The notices, without those of sealing."""

    @staticmethod
    @abstractmethod
    def _error_at(places: Array, number: int, message: str, field: str) -> LogError:
        """The error about the node with the arrival number `number`; `places` are lines or bytes by node."""

    @property
    def run(self) -> Run | None:
        """The compiler of kernels; None while these run as Python."""
        return self._run

    @run.setter
    def run(self, run: Run | None) -> None:
        self._run = self._fields.extras.run = run
        self._numbers.run = run or (lambda kernel: kernel)

    @property
    def n_nodes(self) -> int:
        """The number of nodes and stubs so far."""
        return len(self._numbers)

    @property
    def is_whole(self) -> bool:
        """Whether the log so far is a tree: if nothing more comes, the last snapshot is the whole log."""
        with self._lock:
            return self.n_nodes > 0 and not len(self._parents()[1])

    @property
    def has_own_ids(self) -> bool:
        """Whether nodes have the ids that were written; else their arrival numbers."""
        return not self._keeps_ids

    @property
    def n_searched(self) -> int:
        """The number of nodes so far, without stubs."""
        with self._lock:
            return self.n_nodes - self._growing.n_stubs

    @property
    def last_node(self) -> int | None:
        """The id of the last node, as a page names it."""
        with self._lock:
            last = self.n_nodes - 1
            if last < 0:
                return None
            return last if self._keeps_ids else int(self._numbers.ids(last)[0])

    def shown_id(self, name: Id) -> int | None:
        """The id by which a page names this node; None if it has not come."""
        with self._lock:
            number = self._numbers.number_of(name)
            return None if number < 0 else number if self._keeps_ids else int(name)

    # Nodes in ----------------------------------------------------------------------------------------
    def _take_nodes(self, batch: NodeBatch) -> None:
        n_before = self.n_nodes
        batch.ids, batch.parents = (
            self._numbers.names.numbers_from(batch.names, each) for each in (batch.ids, batch.parents)
        )
        numbers = self._numbers.take(batch.ids)
        n_now = self.n_nodes
        self._places.make_room(n_now)
        is_new = numbers > np.maximum.accumulate(np.concatenate([[n_before - 1], numbers[:-1]]))
        self._places.put(numbers[is_new], batch.places[is_new])
        again = ~is_new[batch.children]
        self._parent_ids.put(numbers[batch.children[~again]], batch.parents[~again])
        self._last_place = int(batch.places[-1])
        if self._fields is self._growing:
            self._keep_ids(n_before)
        self._take_sources(batch, numbers)
        follow_one_another = is_new.all() and len(numbers) == n_now - n_before
        node_of = 0 if batch.is_by_node else n_before if follow_one_another else numbers
        self._fields.take(batch.buffers, node_of, n_now)
        if again.any():
            self._check_parents(batch, numbers, np.flatnonzero(again))

    def _check_parents(self, batch: NodeBatch, numbers: Array, again: Array) -> None:
        """Raise LogError where a later line of a node changes its parent."""
        nodes, named = numbers[batch.children[again]], batch.parents[again]
        known = self._parent_ids.first(self.n_nodes)[nodes]
        for at in np.flatnonzero(named != known).tolist():
            own, before = int(self._numbers.ids(int(nodes[at]))[0]), known[at]
            if nodes[at] == 0 and before == own:
                before = NOTHING  # the root is its own parent
            if nodes[at] > 0 or named[at] != own:
                line = int(batch.places[batch.children[again[at]]])
                raise other_parent(self._numbers.names, np.array([own, named[at], before]), line)

    def _keep_ids(self, n_before: int) -> None:
        """Keep ids as they were written, unless they are whole numbers from 0 on that a browser can hold."""
        ids = self._numbers.ids(n_before)
        if not self._keeps_ids and len(ids) and (int(ids.min()) < 0 or int(ids.max()) > LARGEST_ID):
            self._keeps_ids, n_before, ids = True, 0, self._numbers.ids()
        if self._keeps_ids:
            self._growing.keep_of_all("id", self._numbers.names.listed(ids), n_before)

    def _take_sources(self, batch: NodeBatch, numbers: Array) -> None:
        """Take the sources of table entries, the nodes that stored them, which may come later."""
        for records, names in batch.buffers.sources:
            nodes = records if batch.is_by_node else numbers[records]
            self._source_ids.put(nodes, self._numbers.names.numbers_of(names))
        batch.buffers.sources.clear()

    # Logs out ----------------------------------------------------------------------------------------
    def snapshot(self, *, is_final: bool = False) -> Tree | None:
        """The tree so far, None where there is no node; raises LogError.

        `is_final`: nothing more will come, so that a missing result gets its notice; a log that is not
        `is_whole` must then be read by the ordinary reader.
        """
        with self._lock:
            seal = self._frozen(is_final) if self.n_nodes else None
        return None if seal is None else seal(self.run)

    def _parents(self, n_nodes: int | None = None) -> tuple[Array, Array]:
        """The parent of each node, -1 where there is none, and the nodes whose parent has not come.

        Only the first `n_nodes` count, if that is given.
        """
        n_nodes = self.n_nodes if n_nodes is None else n_nodes
        ids = self._parent_ids.first(n_nodes)
        parents = self._numbers.of(ids)
        parents[parents >= n_nodes] = -1
        orphans = np.flatnonzero(are_lost(parents, ids, self._no_parent))
        if len(self._no_parent) and parents[0] == 0:
            parents[0] = -1  # the root is its own parent
        return parents, orphans

    def _frozen(self, is_final: bool) -> Callable[[Run | None], Tree]:
        """A function that seals a copy of all that has come, without the lock."""
        n_nodes, names = self.n_nodes, self._numbers.names
        parents, orphans = self._parents()
        self.n_waiting = len(orphans)
        is_late = bool((parents >= np.arange(n_nodes)).any())
        parents, missing = with_open_nodes(parents, orphans, self._parent_ids.first(n_nodes)[orphans])
        n_open = len(parents) - n_nodes
        ids = np.arange(n_nodes) if self._keeps_ids else self._numbers.ids()
        named = np.zeros(0, np.int64) if self._keeps_ids else missing[np.abs(missing) <= LARGEST_ID]
        of_open = _free_ids(n_open, np.append(ids, named) if n_open else named)
        if len(named):
            of_open[n_open - len(missing) :][np.isin(missing, named)] = named
        fields = self._growing.copied(n_open)
        fields.put("id", slice(0, len(parents)), np.append(ids, of_open))
        said = [*self._said(is_final=is_final), *rounded_in_words(self._fields.rounded)]
        if n_open:
            said.append(f"Still to come: {missing_lines(self.kind, names.listed(missing))}.")
        said_of_sources = self._put_sources(fields, n_nodes)
        if is_final:
            said += said_of_sources
        return partial(
            _sealed,
            with_result(self.header, self.result),
            fields,
            parents,
            partial(self._error_at, self._places.first(n_nodes).copy()),
            dict.fromkeys(said),
            needs_iterations=(self.has_ended or not self.may_number_roots_later) and not n_open,
            opens_path=is_final and self._is_cut_on_entry and not is_late,
        )

    def _put_sources(self, fields: NodeFields, n_nodes: int) -> list[str]:
        """Put the sources of table entries into a column; returns a notice where some are not in the log."""
        if not len(self._source_ids):
            return []
        ids = self._source_ids.first(n_nodes)
        sources = self._numbers.of(ids)
        sources[sources >= n_nodes] = -1
        sources[is_lost := (sources < 0) & (ids != NOTHING)] = ELSEWHERE
        fields.put("tt_from", slice(0, n_nodes), sources.astype(np.int32))
        lost = np.flatnonzero(is_lost & (ids != ELSEWHERE))
        names = self._numbers.names.listed(ids[lost[:1]])
        return [lost_sources(len(lost), shown(name)) for name in names]


def _free_ids(n: int, taken: Array) -> Array:
    """The `n` largest ids that are not taken, the largest first: most logs never use ids so large.

    >>> (LARGEST_ID - _free_ids(3, np.array([5, LARGEST_ID - 1]))).tolist()
    [0, 2, 3]
    """
    n_tried = n
    while n + (n_taken := int(np.count_nonzero(taken > LARGEST_ID - n_tried))) > n_tried:
        n_tried = n + n_taken
    free: Array = np.setdiff1d(LARGEST_ID - np.arange(n_tried), taken[taken > LARGEST_ID - n_tried])
    return free[::-1]


def _sealed(
    header: dict[str, Any],
    fields: FrozenFields,
    parents: Array,
    error_at: Callable[[int, str, str], LogError],
    notices: dict[str, None],
    run: Run | None,
    *,
    needs_iterations: bool,
    opens_path: bool,
) -> Tree:
    """The tree of copied nodes."""

    def fail_at(number: int, message: str, field: str = "") -> NoReturn:
        raise error_at(number, message, field)

    log = sealed_log(
        header, fields, parents, fail_at, notices, roots_need_iterations=needs_iterations, run=run
    )
    if opens_path:
        log = with_open_path(log)
    parent = log.columns["parent"]
    counts = np.bincount(parent[parent >= 0], minlength=log.n_rows)
    return Tree(log, child_counts=counts.astype(np.int32))
