"""JSON Lines that are being written: `take` gets lines as they come, `snapshot` seals the log so far.

The tape reads lines, some thousand at once, as soon as there is machine code. Until then, and where a line is
odd or wrong, a library parses them, with the same error messages as every reader. A line is one record here,
whatever its node.
"""

from __future__ import annotations

import copy
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.growing_nodes import GrowingNodes
from plyscope.visualizer.formats.literal.reader import TOO_LARGE
from plyscope.visualizer.formats.read.few_lines import ParsedLines, gathered
from plyscope.visualizer.formats.read.forms import lines_form, named
from plyscope.visualizer.formats.read.line_records import LineRecords
from plyscope.visualizer.formats.read.names import NOTHING
from plyscope.visualizer.formats.read.node_numbers import NodeBatch
from plyscope.visualizer.formats.read.places import NEWLINE
from plyscope.visualizer.formats.read.records import NO_PARENT, lacks_our_end
from plyscope.visualizer.formats.read.result_lines import ResultLines
from plyscope.visualizer.formats.tape.reading import TapeReading
from plyscope.visualizer.formats.tape.tape import LINES, Run

Array = npt.NDArray[Any]

BATCH_BYTES: Final = 2**21
"""The bytes that are read together, which bounds the time that one step holds the lock."""
FEW_BYTES: Final = 2**14
"""A piece with an odd line is parsed line by line if it is no longer than this; a longer one is split."""


class GrowingLog(GrowingNodes):
    """The nodes of the lines that have come so far.

    >>> log = GrowingLog()
    >>> log.take(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7, "score": 2}' + bytes([10]))
    >>> tree = log.snapshot()
    >>> tree.log.columns["id"].tolist(), tree.log.columns["end"].tolist()
    ([7, 9], [2, 2])
    """

    kind = "line"

    def __init__(self) -> None:
        super().__init__(no_parent=NO_PARENT)
        self._results = ResultLines()
        self._n_of_nodes = 0
        """Lines that have an `id`."""
        self._names_parents = False
        """Whether some line names a parent."""
        self._notices: dict[str, None] = {}
        self._twice: set[str] = set()
        """Keys that lines write twice, as was told before."""
        self._tape: tuple[TapeReading, LineRecords] | None = None
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

    def take(self, data: bytes) -> None:
        """Take complete lines, each with its end; raises LogError with the first wrong line."""
        begin = 0
        if self.run is not None and self.header is None and not self.n_nodes:
            begin = data.find(b"\n") + 1
            self._take_by_library(data[:begin])  # the header
        while begin < len(data):
            end = len(data)
            if end - begin > BATCH_BYTES:
                end = data.rfind(b"\n", begin, begin + BATCH_BYTES) + 1 or data.find(b"\n", begin) + 1
            self._take_piece(data[begin:end])
            begin = end

    def _take_piece(self, data: bytes) -> None:
        if self.run is not None:
            if self._take_by_tape(data, self.run):
                return
            middle = data.rfind(b"\n", 0, len(data) // 2) + 1
            if middle and len(data) > FEW_BYTES:
                self._take_piece(data[:middle])
                self._take_piece(data[middle:])
                return
        self._take_by_library(data)

    def _take_by_tape(self, data: bytes, run: Run) -> bool:
        """Take lines of nodes; False, with nothing taken, where a library has to parse one."""
        if self._tape is None:
            new = TapeReading(lines_form().form, b"", mode=LINES, named=named, run=run)
            self._tape = new, LineRecords(new, run)
        (reading, records), self._tape = self._tape, None
        reading.begin_anew(data)
        records.begin_anew()
        if not records.take_tape():
            return False
        n_lines = int(np.count_nonzero(reading.array == NEWLINE))
        if records.n_without_id or len(records.ids) != n_lines:
            return False
        if records.first_problem() is not None:
            return False
        self._tape = reading, records
        lines = np.arange(self.n_lines + 1, self.n_lines + 1 + n_lines)
        with self._lock:
            self._take_records(records, lines, n_lines, [TOO_LARGE] if reading.tape.is_beyond else [])
        return True

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
        error = parsed.failed if problem is None else problem[1](parsed.numbers[problem[0]])
        if error is not None:
            n_sound = (error.line or 0) - self.n_lines - 1
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
