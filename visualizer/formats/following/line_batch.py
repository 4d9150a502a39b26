"""Some thousand lines of JSON Lines at once: the fields of each, its id and its parent.

The tape reads lines, piece by piece, once there is machine code. Until then, and where a line is odd or
wrong, a library parses them, with the same error messages as every reader. A line is one record here,
whatever its node.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.following.node_numbers import NodeBatch
from plyscope.visualizer.formats.literal.reader import TOO_LARGE
from plyscope.visualizer.formats.read.few_lines import ParsedLines, gathered
from plyscope.visualizer.formats.read.forms import lines_form, named
from plyscope.visualizer.formats.read.gather import A_NAME
from plyscope.visualizer.formats.read.line_records import LineRecords
from plyscope.visualizer.formats.read.names import FIRST_LARGE, FIRST_TEXT, NOTHING
from plyscope.visualizer.formats.read.result_lines import ResultLines
from plyscope.visualizer.formats.seal.values import INT64
from plyscope.visualizer.formats.tape.reading import TapeReading
from plyscope.visualizer.formats.tape.tape import LINES, Run, TapeError
from plyscope.visualizer.formats.tape.twice import Twice

Array = npt.NDArray[Any]

NEWLINE = 10


@dataclass
class LinesSoFar:
    """The header, the results and the counts of the lines before a batch."""

    n_lines: int = 0
    n_of_nodes: int = 0
    header: dict[str, Any] | None = None
    results: ResultLines = field(default_factory=ResultLines)


@dataclass
class LineBatch(NodeBatch):
    """The content of some lines; records are the lines with an `id`."""

    so_far: LinesSoFar
    """The same with these lines included."""
    notices: list[str]


class LineReader:
    """Reads batches of lines in turn."""

    def __init__(self) -> None:
        self._twice: set[str] = set()
        """Keys that lines write twice, as was told before."""
        self._tape: tuple[TapeReading, LineRecords, Twice] | None = None
        """What has read all lines so far that are plain JSON, and knows the names in them."""

    def by_tape(self, data: bytes, so_far: LinesSoFar, run: Run) -> LineBatch | None:
        """The batch of complete lines of nodes; None where a library has to parse one."""
        reading, gatherer, twice = self._tape or _new_tape(run)
        self._tape = None
        reading.begin_anew(data)
        gatherer.begin_anew()
        try:
            for batch in reading.batches():
                assert batch.piece is not None
                twice.take(batch.piece, reading.tape.n_names)
                if twice.n_found:
                    return None
                gatherer.take(batch)
        except TapeError:
            return None
        if reading.tape.is_cut:
            return None
        gatherer.finish()
        ids = gatherer.ids
        n_lines = int(np.count_nonzero(reading.array == NEWLINE))
        if gatherer.n_without_id or len(ids) != n_lines or _large_ids(ids).any():
            return None
        if gatherer.first_problem() is not None:
            return None
        self._tape = reading, gatherer, twice
        gatherer.gatherer.buffers.unknown = reading.extras
        lines = np.arange(so_far.n_lines + 1, so_far.n_lines + 1 + n_lines)
        said = [TOO_LARGE] if reading.tape.is_beyond else []
        return self._batch(gatherer, lines, _later(so_far, n_lines, n_lines), said)

    def by_library(self, data: bytes, so_far: LinesSoFar) -> LineBatch:
        """The batch of any lines, parsed one by one; raises LogError with the first wrong line."""
        parsed = ParsedLines(
            data,
            first_line=so_far.n_lines + 1,
            n_before=so_far.n_of_nodes,
            header=so_far.header,
            results=copy.copy(so_far.results),
            twice=(twice := self._twice.copy()),
        )
        parsed.read()
        gatherer, reading = gathered(parsed.documents)
        large = np.flatnonzero(_large_ids(gatherer.ids)).tolist()
        too_large = next((at for at in large if abs(int(parsed.documents[at]["id"])) > INT64), None)
        problem = gatherer.first_problem(reading.containers)
        if problem is not None and (too_large is None or problem[0] <= too_large):
            raise problem[1](parsed.numbers[problem[0]])
        if too_large is not None:
            message = f"found {shown(int(parsed.documents[too_large]['id']))}, {A_NAME}"
            raise LogError(message, line=parsed.numbers[too_large], path="$.id")
        if parsed.failed is not None:
            raise parsed.failed
        later = _later(so_far, data.count(b"\n"), len(parsed.documents))
        later.header, later.results = parsed.header, parsed.results
        self._twice = twice
        return self._batch(gatherer, np.array(parsed.numbers, dtype=np.int64), later, parsed.said)

    @staticmethod
    def _batch(gatherer: LineRecords, lines: Array, so_far: LinesSoFar, notices: list[str]) -> LineBatch:
        children = np.flatnonzero(gatherer.parents != NOTHING)
        return LineBatch(
            gatherer.gatherer.buffers,
            gatherer.names,
            gatherer.ids,
            lines,
            children,
            gatherer.parents[children],
            so_far,
            notices,
        )


def _new_tape(run: Run) -> tuple[TapeReading, LineRecords, Twice]:
    reading = TapeReading(lines_form().form, b"", mode=LINES, named=named, run=run)
    return reading, LineRecords(reading, run), Twice(run)


def _later(before: LinesSoFar, n_lines: int, n_of_nodes: int) -> LinesSoFar:
    return LinesSoFar(before.n_lines + n_lines, before.n_of_nodes + n_of_nodes, before.header, before.results)


def _large_ids(ids: Array) -> Array:
    """True for ids of many digits, which may exceed 64 bits."""
    return np.asarray((ids >= FIRST_LARGE) & (ids < FIRST_TEXT))
