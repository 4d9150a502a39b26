"""JSON Lines that are being written: `take` gets lines as they come, `snapshot` seals the log so far.

The tape reads lines, some thousand at once, as soon as there is machine code. Until then, and where a line is
odd or wrong, a library parses them, with the same error messages as every reader. A line is one record here,
whatever its node.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, missing_lines, shown
from plyscope.visualizer.formats.following.growing_nodes import GrowingNodes
from plyscope.visualizer.formats.header import with_result
from plyscope.visualizer.formats.literal.cut_path import with_open_path
from plyscope.visualizer.formats.literal.reader import TOO_LARGE
from plyscope.visualizer.formats.read.forms import lines_form, named
from plyscope.visualizer.formats.read.gather import A_NAME
from plyscope.visualizer.formats.read.line_records import LineRecords
from plyscope.visualizer.formats.read.names import NOTHING
from plyscope.visualizer.formats.read.node_numbers import NodeBatch, NodeNumbers
from plyscope.visualizer.formats.read.parsed_lines import ParsedLines, gathered
from plyscope.visualizer.formats.read.places import NEWLINE
from plyscope.visualizer.formats.read.records import NO_NODE, NO_PARENT, PACKED_CUT, lacks_our_end, mended
from plyscope.visualizer.formats.read.result_lines import ResultLines
from plyscope.visualizer.formats.seal.field_buffers import rounded_in_words
from plyscope.visualizer.formats.seal.grown import GrownArray
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.formats.seal.values import INT64
from plyscope.visualizer.formats.seal.written_ids import LARGEST_ID
from plyscope.visualizer.formats.tape.reading import TapeReading
from plyscope.visualizer.formats.tape.tape import LINES, ROWS, Run
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.words import OPEN

Array = npt.NDArray[Any]

BATCH_BYTES: Final = 2**21
"""The bytes that are read together, which bounds the time that one step holds the lock."""
FEW_BYTES: Final = 2**14
"""A piece with an odd line is parsed line by line if it is no longer than this; a longer one is split.

While no piece is without an odd line, it is doubled from piece to piece.
"""
OnTop = Callable[..., None]
"""Gets a batch, the ids and parents in it, their names, the header, and how many nodes came before."""


class GrowingLog(GrowingNodes):
    """The nodes of the lines that have come so far.

    >>> log = GrowingLog()
    >>> log.take(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7, "score": 2}' + bytes([10]))
    >>> tree = log.snapshot()
    >>> tree.log.columns["id"].tolist(), tree.log.columns["end"].tolist()
    ([7, 9], [2, 2])
    """

    kind = "line"

    def __init__(
        self, fields: NodeFields | None = None, *, rows: int = ROWS, on_top: OnTop | None = None
    ) -> None:
        """`fields` are those of a log of which all is there; `on_top` is called for each batch of a tape."""
        super().__init__(fields, no_parent=NO_PARENT)
        self._rows, self._on_top = rows, on_top
        self._results = ResultLines()
        self._n_of_nodes = 0
        """Lines that have an `id`."""
        self._names_parents = False
        """Whether some line names a parent."""
        self._notices: dict[str, None] = {}
        self._twice: set[str] = set()
        """Keys that lines write twice, as was told before."""
        self._few_bytes = FEW_BYTES
        self._tape: TapeReading | None = None
        """What has read all lines so far that are plain JSON, and knows the names in them."""

    @property
    def is_whole(self) -> bool:
        """Whether the log so far is a tree: if nothing more comes, the last snapshot is the whole log."""
        is_table = self.header is None and self.n_nodes > 1 and not self._names_parents
        return super().is_whole and not is_table

    @property
    def _is_cut_on_entry(self) -> bool:
        is_updated = self.n_nodes < self._n_of_nodes
        return lacks_our_end(self.header, has_ended=self.has_ended) and not is_updated

    def _said(self, *, is_final: bool = False) -> list[str]:
        return [*self._notices, *self._results.notices(self.header, self._n_of_nodes, is_final=is_final)]

    @staticmethod
    def _error_at(places: Array, number: int, message: str, field: str) -> LogError:
        line = int(places[number]) if number < len(places) else None
        return LogError(message, line=line, path=f"$.{field}" if field else None)

    def take(self, data: bytes, at_once: int = BATCH_BYTES) -> None:
        """Take complete lines, each with its end, some at once; raises LogError with the first wrong line."""
        begin = 0
        if self.run is not None and self.header is None and not self.n_nodes:
            end = data.find(b"\n", len(data) - len(data.lstrip())) + 1
            if data.find(b'"plyscope"', 0, end) >= 0:
                self._take_by_library(data[:end])  # the header
                begin = end
        while begin < len(data):
            end = len(data)
            if end - begin > at_once:
                end = data.rfind(b"\n", begin, begin + at_once) + 1 or data.find(b"\n", begin) + 1
            self._take_piece(data[begin:end])
            begin = end

    def _take_piece(self, data: bytes) -> None:
        if self.run is not None:
            if self._take_by_tape(data, self.run):
                return
            middle = data.rfind(b"\n", 0, len(data) // 2) + 1
            if middle and len(data) > self._few_bytes:
                self._take_piece(data[:middle])
                self._take_piece(data[middle:])
                return
            self._few_bytes *= 2
        self._take_by_library(data)

    def _take_by_tape(self, data: bytes, run: Run) -> bool:
        """Take lines of nodes; False, with nothing taken, where a library has to parse one."""
        form = lines_form().form
        reading, self._tape = self._tape, None
        if reading is None:
            reading = TapeReading(form, b"", mode=LINES, named=named, run=run, rows=self._rows)
        reading.begin_anew(data)
        records = LineRecords(reading, run)
        on_top, self._on_top = self._on_top, None
        if not records.take_tape(on_top and partial(self._tell_top, on_top)):
            return False
        if (records.ids == NOTHING).any() or records.first_problem() is not None:
            return False
        self._tape, self._on_top, self._few_bytes = reading, on_top, FEW_BYTES
        n_lines = int(np.count_nonzero(reading.array == NEWLINE))
        lines = np.arange(self.n_lines + 1, self.n_lines + 1 + n_lines)
        if len(records.ids) < n_lines:  # some are blank
            ends = np.flatnonzero(reading.array == NEWLINE)
            lines = lines[np.searchsorted(ends, records.begins)]
        with self._lock:
            self._take_records(records, lines, n_lines, [TOO_LARGE] if reading.tape.is_beyond else [])
        return True

    def _tell_top(self, on_top: OnTop, *of_batch: Any) -> None:
        on_top(*of_batch, self.header or {}, self._n_of_nodes)

    def _take_by_library(self, data: bytes) -> None:
        """Take any lines, parsed one by one; raises LogError with the first wrong line."""
        parsed = ParsedLines(
            data,
            first_line=self.n_lines + 1,
            n_before=self._n_of_nodes,
            header=self.header,
            results=copy.copy(self._results),
            twice=(twice := self._twice.copy()),
        )
        parsed.read()
        records = gathered(parsed.documents)
        problem = records.first_problem()
        line = parsed.last if problem is None else parsed.numbers[problem[0]]
        error = parsed.failed if problem is None else problem[1](line)
        if error is not None:
            n_sound = line - self.n_lines - 1
            if n_sound > 0:
                self._take_by_library(b"".join(line + b"\n" for line in data.split(b"\n")[:n_sound]))
            raise error
        with self._lock:
            self.header, self._results, self._twice = parsed.header, parsed.results, twice
            self.result, self.has_ended = parsed.results.result, parsed.results.has_ended
            self._take_records(records, np.array(parsed.numbers, np.int64), data.count(b"\n"), parsed.said)

    def _take_records(self, records: LineRecords, lines: Array, n_lines: int, said: list[str]) -> None:
        """Take the records of `n_lines` lines, which stand in `lines`. Needs the lock."""
        self._notices |= dict.fromkeys(said)
        self._n_of_nodes += len(records.ids)
        children = np.flatnonzero(records.parents != NOTHING)
        if len(records.ids):
            self._names_parents |= len(children) > 0
            buffers, above = records.gatherer.buffers, records.parents[children]
            self._take_nodes(NodeBatch(buffers, records.names, records.ids, lines, children, above))
        self.n_lines += n_lines

    def whole(self, notices: Sequence[str], *, cut: bool, lacks_a_line: bool) -> Log:
        """The log once all lines have come, made of the fields themselves. Raises LogError with the line.

        `cut`: lines are missing at its end, or a part of one where it `lacks_a_line`.
        """
        if not self.n_nodes:
            raise LogError(NO_NODE)
        n_nodes, names, fields = self.n_nodes, self._numbers.names, self._fields
        said = dict.fromkeys([*self._notices, *notices])
        if cut and not lacks_a_line:
            said[PACKED_CUT] = None
        parents, orphans = self._parents()
        is_late = bool((parents >= np.arange(n_nodes)).any())
        if self._are_lost(parents, orphans) and not self._may_be_cut(parents, orphans, cut=cut):
            n_nodes = self._left_out(orphans, said)
            parents, orphans = self._parents(n_nodes)
        ids = self._numbers.ids()[:n_nodes]
        missing = np.zeros(0, np.int64)
        if self._are_lost(parents, orphans):
            named = self._parent_ids.first(n_nodes)[orphans]
            parents, missing, ids = mended(parents, orphans, named, ids, names)
            self._check_missing(missing, named, orphans)
            if len(self._source_ids):  # which may name an open node
                self._numbers.take(ids[n_nodes:])
            said[f"The log ends before {missing_lines('line', names.listed(missing))}."] = None
        said |= dict.fromkeys(self._results.notices(self.header, self._n_of_nodes))
        if self.header is None and not self._names_parents and n_nodes > 1:
            self._check_iterations()
        fields.n_nodes = n_rows = len(parents)
        is_ours = bool((ids >= 0).all() and (ids <= LARGEST_ID).all())
        fields.put("id", slice(0, n_rows), ids if is_ours else np.arange(n_rows))
        if not is_ours:
            fields.keep_beside("id", np.arange(n_rows), names.listed(ids))
        fields.put("outcome", slice(n_nodes, n_rows), np.full(n_rows - n_nodes, OPEN, np.uint8))
        said |= dict.fromkeys(rounded_in_words(fields.rounded))
        said |= dict.fromkeys(self._put_sources(fields, n_rows))
        places = self._places.first(n_nodes)
        del ids  # much memory is in use from here on
        self._tape, self._numbers = None, NodeNumbers()
        self._parent_ids = self._source_ids = GrownArray(NOTHING, np.int64)
        is_updated = n_nodes < self._n_of_nodes

        def fail_at(number: int, message: str, field: str = "") -> NoReturn:
            raise self._error_at(places, number, message, field)

        log = sealed_log(
            with_result(self.header, self.result),
            fields,
            parents,
            fail_at,
            said,
            roots_need_iterations=not len(missing),
            run=self.run,
        )
        is_cut = cut or lacks_our_end(self.header, has_ended=self.has_ended)
        return with_open_path(log) if is_cut and not is_updated and not is_late else log

    def _are_lost(self, parents: Array, orphans: Array) -> bool:
        """Whether parents are missing; not so where the first node names 0 and other nodes are below it."""
        if len(orphans) != 1 or orphans[0] > 0 or int(self._parent_ids.first(1)[0]) != 0:
            return len(orphans) > 0
        return not (parents[1:] == 0).any()

    def _may_be_cut(self, parents: Array, orphans: Array, *, cut: bool) -> bool:
        """Whether parents are missing because the log ends before them."""
        roots = np.setdiff1d(np.flatnonzero(parents < 0), orphans, assume_unique=True)
        is_late = bool((parents >= np.arange(len(parents))).any())
        may_end_here = not len(roots) or (is_late and orphans[0] > roots[-1])
        return cut or (self.result is None and may_end_here)

    def _left_out(self, orphans: Array, said: dict[str, None]) -> int:
        """Leave out the node of the last line, which names a parent that never came; returns its number.

        Raises LogError for other nodes, for one with children, and for the only one.
        """
        node = int(orphans[0])
        line = int(self._places.first(node + 1)[node])
        (parent,) = self._numbers.names.listed(self._parent_ids.first(node + 1)[node:])
        has_children = (self._parent_ids.first(self.n_nodes) == self._numbers.ids(node)[0]).any()
        if not node or len(orphans) > 1 or line != self._last_place or has_children:
            message = f"the parent {shown(parent)} never comes, expected the id of a node"
            raise LogError(message, line=line)
        which = f"Line {line}, the last, names the parent {shown(parent)}, which never came"
        said[f"{which}: it is left out."] = None
        self._fields.leave_out(node)
        return node

    def _check_missing(self, missing: Array, named: Array, orphans: Array) -> None:
        """Raise LogError where a parent that never came has a name of more than 64 bits."""
        names = self._numbers.names.listed(missing)
        for name, number in zip(names, missing.tolist(), strict=True):
            if type(name) is int and abs(name) > INT64:
                node = int(orphans[np.argmax(named == number)])
                line = int(self._places.first(node + 1)[node])
                raise LogError(f"found {shown(name)}, {A_NAME}", line=line, path="$.parent")

    def _check_iterations(self) -> None:
        """Raise LogError where no line names a parent and none an iteration."""
        if not self._fields.iterations and not self._fields.unnumbered:
            raise LogError(
                f"this looks like a table of {self.n_nodes:,} rows of which none names its `parent`, "
                'expected a node a line: {"id": 1, "parent": 0, "ply": "c6", "score": 3}'
            )
