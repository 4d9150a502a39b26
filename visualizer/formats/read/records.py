"""Records joined to nodes: the node of each record and the parent of each node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.engine.former import ENGINE
from plyscope.visualizer.formats.errors import LogError, missing_lines, shown
from plyscope.visualizer.formats.header import with_result
from plyscope.visualizer.formats.literal.cut_path import with_open_path
from plyscope.visualizer.formats.read.gather import A_NAME
from plyscope.visualizer.formats.read.names import FIRST_LARGE, NOTHING, Names
from plyscope.visualizer.formats.read.node_numbers import NodeNumbers
from plyscope.visualizer.formats.read.result_lines import ResultLines
from plyscope.visualizer.formats.seal.field_buffers import (
    FieldBuffers,
    first_places,
    in_order_met,
    rounded_in_words,
)
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.formats.seal.values import INT64
from plyscope.visualizer.formats.tape.tape import Run
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

NO_PARENT: Final = (-1, "")
"""Parents of roots as written by writers without a null, unless a node has that id."""
PACKED_CUT: Final = "The packed file is cut short: what followed its last whole line is missing."
NO_NODE: Final = "the log has no node, expected a `root` in it or " + 'lines such as {"id": 0, "score": 1.5}'


def lacks_our_end(header: Mapping[str, Any] | None, *, has_ended: bool) -> bool:
    """Whether our own writer, whose last line is the result, did not finish."""
    search = (header or {}).get("search")
    return isinstance(search, dict) and search.get("engine") == ENGINE and not has_ended


class Records:
    """Records in the order of the file: their ids and parents, the header and the results."""

    def __init__(
        self,
        ids: Array,
        parents: Array,
        names: Names,
        header: Mapping[str, Any] | None,
        results: ResultLines,
        line_of: Callable[[int], int],
        run: Run,
    ) -> None:
        """Take, by record, the numbers of its id and of its parent's id, NOTHING where there is none."""
        self.names, self.header, self.results, self.line_of = names, header, results, line_of
        self.n_records = len(ids)
        has_id = ids != NOTHING
        self.n_of_nodes = int(np.count_nonzero(has_id))
        is_whole = bool(has_id[: self.n_of_nodes].all())
        stated = ids[: self.n_of_nodes] if is_whole else ids[has_id]
        self._numbers = NodeNumbers(names, run)
        node_of = self._numbers.take(stated)
        is_once = len(self._numbers) == self.n_of_nodes
        self.ids = stated if is_once else self._numbers.ids()
        first = node_of if is_once else first_places(node_of, len(self.ids))
        self.first = first if is_whole else np.flatnonzero(has_id)[first]
        self.is_as_read = is_whole and is_once
        """Whether the number of each record is that of its node, but those of no node behind all others."""
        self.is_updated = len(self.ids) < self.n_of_nodes
        self.is_late = False
        """Whether some node came before its parent."""
        self.missing = np.zeros(0, np.int64)
        """The names of parents that never came."""
        self.left_out = ""
        """A sentence about the last line, where it belongs nowhere."""
        self.node_of: Any = node_of
        """The node of each record, -1 where it is of none; 0 once that is the record's own number for all."""
        if self.n_of_nodes < self.n_records:
            self.node_of = np.full(self.n_records, -1, np.int32)
            self.node_of[has_id] = node_of
        self._said = parents if self.is_updated else np.zeros(0, np.int64)
        self.parent_names = parents[: len(self.ids)] if self.is_as_read else parents[self.first]
        self.has_parents = bool((self.parent_names != NOTHING).any())
        if len(self.ids) and self.parent_names[0] == self.ids[0]:
            self.parent_names[0] = NOTHING  # a writer with an array of parents: the root is its own parent

    def check(self, *wrong: LogError | None) -> None:
        """Raise the error with the first line, be it one of `wrong` or a changed parent."""
        found = [error for error in (*wrong, self._other_parent()) if error is not None]
        if found:
            raise min(found, key=lambda error: error.line or 0)

    def _other_parent(self) -> LogError | None:
        """The error of the first line that changes the parent of its node."""
        if not self.is_updated:
            return None
        is_update = (self._said != NOTHING) & (self.node_of >= 0)
        is_update[self.first] = False
        records = np.flatnonzero(is_update)
        named, nodes = self._said[records], self.node_of[records]
        known = self.parent_names[nodes]
        is_other = (named != known) & ~((nodes == 0) & (named == self.ids[0]))
        if is_other.any():
            at = int(np.argmax(is_other))
            numbers = np.array([self.ids[nodes[at]], named[at], known[at]])
            return other_parent(self.names, numbers, self.line_of(int(records[at])))
        return None

    def forget(self) -> None:
        """Free the arrays that are only needed to find parents."""
        self._said = self.parent_names = np.zeros(0, np.int64)
        self._numbers = NodeNumbers()
        if self.is_as_read and len(self.first) == self.n_records:
            self.node_of = 0

    def parents(self, *, cut: bool) -> Array:
        """The parent of each node, and of those added to `ids` for missing lines.

        Raises LogError where one never comes. Where only the last line lacks its parent, its node is left out
        and `left_out` is set.
        """
        names = self.parent_names
        parents = self._numbers.of(names)
        parents[parents >= len(self.ids)] = -1  # a node that was left out
        self.is_late = bool((parents >= np.arange(len(parents), dtype=np.int32)).any())
        lost = are_lost(parents, names, self.names.numbers_of(NO_PARENT))
        if not lost.any() or self._counts_from_one(lost, parents):
            return parents
        orphans = np.flatnonzero(lost)
        roots = np.flatnonzero((parents < 0) & ~lost)
        last_root = int(self.first[roots].max()) if len(roots) else -1
        first_orphan = int(self.first[orphans].min())
        may_end_here = (self.is_late and first_orphan > last_root) or not len(roots)
        if not cut and (self.results.result is not None or not may_end_here):
            (parent,) = self.names.listed(names[orphans[:1]])
            if len(orphans) == 1 and first_orphan == np.flatnonzero(self.node_of >= 0)[-1]:
                self.left_out = (
                    f"Line {self.line_of(first_orphan)}, the last, names the parent {shown(parent)}, "
                    "which never came: it is left out."
                )
                self._forget_last()
                return self.parents(cut=cut)
            message = f"the parent {shown(parent)} never comes, expected the id of a node"
            raise LogError(message, line=self.line_of(first_orphan))
        parents, self.missing, self.ids = mended(parents, orphans, names[orphans], self.ids, self.names)
        return parents

    def _forget_last(self) -> None:
        self.node_of[self.first[-1]] = -1
        self.ids, self.first, self.parent_names = self.ids[:-1], self.first[:-1], self.parent_names[:-1]

    def _counts_from_one(self, lost: Array, parents: Array) -> bool:
        """Whether only the first line lacks its parent, which it names as 0, and other nodes are below it."""
        is_first = bool(lost[0]) and int(lost.sum()) == 1 and int(self.parent_names[0]) == 0
        return is_first and bool((parents[1:] == 0).any())


def are_lost(parents: Array, names: Array, no_parent: Array) -> Array:
    """True for nodes that name a parent which is not there; `no_parent` are names that mark a root."""
    lost: Array = (parents < 0) & (names != NOTHING)
    return lost & ~np.isin(names, no_parent) if lost.any() else lost


def other_parent(names: Names, numbers: Array, line: int) -> LogError:
    """The error of a line by which a node has another parent, by the numbers of the node and of both.

    The last is that of the parent before, NOTHING at a root.
    """
    name, here, before = names.listed(numbers)
    was = "a root" if numbers[2] == NOTHING else f"under {shown(before)}"
    message = f"node {shown(name)} is under {shown(here)} here, but it was {was} before"
    return LogError(f"{message}, expected the same parent", line=line, path="$.parent")


def mended(
    parents: Array, orphans: Array, parent_names: Array, ids: Array, names: Names
) -> tuple[Array, Array, Array]:
    """The parents with open nodes for those beyond the cut, under an open root if they are several.

    `parent_names` are those that the orphans name. Also the names of the missing parents, and the ids of all
    nodes. `parents` is changed.
    """
    parents, missing = with_open_nodes(parents, orphans, parent_names)
    added = missing
    if len(missing) > 1:
        largest = max(
            (name for name in names.listed(np.append(ids, missing)) if type(name) is int), default=0
        )
        added = np.append(names.number_of_whole(largest + 1), missing)
    return parents, missing, np.append(ids, added)


def with_open_nodes(parents: Array, orphans: Array, parent_names: Array) -> tuple[Array, Array]:
    """The parents, and at their end those of an open node for each missing one; also the missing names.

    Several open nodes are under an open root, which comes before them. `parents` is changed.
    """
    missing, of_missing = in_order_met(parent_names)
    root = [-1] if len(missing) > 1 else []
    parents[orphans] = len(parents) + len(root) + of_missing
    more = np.full(len(missing), len(parents) if root else -1)
    return np.concatenate([parents, root, more]).astype(parents.dtype), missing


def joined_log(
    records: Records,
    buffers: FieldBuffers,
    notices: Sequence[str],
    *,
    cut: bool,
    lacks_a_line: bool,
    run: Run | None = None,
) -> Log:
    """The log of all records. Raises LogError with the line. With `run`, kernels find the order of nodes."""
    said = dict.fromkeys(notices)
    if not len(records.ids):
        raise LogError(NO_NODE)
    if cut and not lacks_a_line:
        said[PACKED_CUT] = None
    parents = records.parents(cut=cut)
    results, first, ids = records.results, records.first, records.ids
    n_nodes = len(first)
    if records.left_out:
        said[records.left_out] = None
    if len(records.missing):
        names = records.names.listed(records.missing)
        for name, number in zip(names, records.missing.tolist(), strict=True):
            if type(name) is int and abs(name) > INT64:
                node = int(np.flatnonzero(records.parent_names == number)[0])
                line = records.line_of(int(first[node]))
                raise LogError(f"found {shown(name)}, {A_NAME}", line=line, path="$.parent")
        said[f"The log ends before {missing_lines('line', names)}."] = None
    said |= dict.fromkeys(results.notices(records.header, records.n_of_nodes))
    records.forget()
    if records.header is None and not records.has_parents and n_nodes > 1:
        _check_iterations(records, buffers)
    listed: Any = ids if (np.abs(ids) < FIRST_LARGE).all() else records.names.listed(ids)
    fields = NodeFields.of(buffers, len(ids), records.node_of)
    fields.ids.append((slice(0, len(ids)), listed))
    if len(ids) > n_nodes:
        fields.put("outcome", slice(n_nodes, len(ids)), np.full(len(ids) - n_nodes, words.OPEN, np.uint8))

    def fail_at(number: int, message: str, field: str = "") -> NoReturn:
        path = f"$.{field}" if field else None
        raise LogError(message, line=records.line_of(int(first[number])), path=path)

    log = sealed_log(
        with_result(records.header, results.result),
        fields,
        parents,
        fail_at,
        said | dict.fromkeys(rounded_in_words(fields.rounded)),
        roots_need_iterations=not len(records.missing),
        run=run,
    )
    is_cut = cut or lacks_our_end(records.header, has_ended=results.has_ended)
    return with_open_path(log) if is_cut and not records.is_updated and not records.is_late else log


def _check_iterations(records: Records, buffers: FieldBuffers) -> None:
    """Raise LogError where no row names a parent and none an iteration."""
    stated = np.array([*buffers.iterations, *buffers.unnumbered], np.int64)
    if not np.isin(stated, records.first).any():
        raise LogError(
            f"this looks like a table of {len(records.ids):,} rows of which none names its `parent`, "
            'expected a node a line: {"id": 1, "parent": 0, "ply": "c6", "score": 3}'
        )
