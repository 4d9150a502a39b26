"""JSON Lines of ours that a library parses one by one: short files, and lines that are no plain JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.json_text import parser_of
from plyscope.visualizer.formats.read.forms import lines_form, named
from plyscope.visualizer.formats.read.line_records import (
    LineRecords,
    check_header,
    incomplete,
    may_be_twice,
    odd_line,
    take_beside,
)
from plyscope.visualizer.formats.read.records import joined_log
from plyscope.visualizer.formats.read.result_lines import ResultLines
from plyscope.visualizer.formats.tape.reading import WalkReading
from plyscope.visualizer.store.log import Log

LINES_A_REPORT: Final = 20_000


def read_few_lines(
    data: bytes,
    *,
    cut: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> Log:
    """The log of the lines of `data`, each parsed by a library; `cut`: they are known to be cut short.

    Raises LogError with the line.

    >>> log = read_few_lines(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7, "score": 2}')
    >>> log.columns["id"].tolist(), log.columns["parent"].tolist()
    ([7, 9], [-1, 0])
    """
    lines = ParsedLines(data, cut)
    lines.read(on_progress)
    taking = gathered(lines.documents)
    records = taking.records(lines.header, lines.results, lambda record: lines.numbers[record])
    problem = taking.first_problem()
    records.check(None if problem is None else problem[1](lines.numbers[problem[0]]), lines.failed)
    buffers = taking.gatherer.buffers
    return joined_log(records, buffers, lines.said, cut=lines.cut, lacks_a_line=lines.lacks_a_line)


def gathered(documents: Sequence[Any]) -> LineRecords:
    """The records of parsed lines of nodes."""
    reading = WalkReading(lines_form().form, documents, named=named)
    taking = LineRecords(reading, lambda kernel: kernel)
    for batch in reading.batches():
        taking.take(batch)
    taking.finish()
    return taking


class ParsedLines:
    """Lines parsed by a library: the header, the result, and the lines of nodes with their numbers."""

    def __init__(
        self,
        data: bytes,
        cut: bool = False,
        *,
        first_line: int = 1,
        n_before: int = 0,
        header: dict[str, Any] | None = None,
        results: ResultLines | None = None,
        twice: set[str] | None = None,
    ) -> None:
        """`first_line` is the number of the first line in its file.

        The other arguments are what came before: lines of nodes, header, results, keys noticed as written
        twice.
        """
        self._lines, self._loads = data.split(b"\n"), parser_of(data)
        self._first_line, self._n_before = first_line, n_before
        self.said: list[str] = []
        self.cut, self.lacks_a_line = cut, False
        self.header = header
        self.results = ResultLines() if results is None else results
        self.documents: list[dict[str, Any]] = []
        self.numbers: list[int] = []
        self.failed: LogError | None = None
        """What is wrong about the first line that is neither."""
        self._twice: set[str] = set() if twice is None else twice

    def read(self, on_progress: Callable[[float], None] | None = None) -> None:
        """Read all lines, up to one that is wrong."""
        lines, n_lines = self._lines, len(self._lines)
        while n_lines and not lines[n_lines - 1].strip():
            n_lines -= 1
        last = self._first_line + n_lines - 1
        loads, documents, numbers = self._loads, self.documents, self.numbers
        for number, line in enumerate(lines[:n_lines], self._first_line):
            fields: Any = None
            try:
                fields = loads(line)
                is_odd = may_be_twice(line, fields)
            except orjson.JSONDecodeError:
                if not line.strip():
                    continue
                is_odd = True
            if is_odd:
                try:
                    fields = self._odd(line, number)
                except CutShort as error:
                    if number < last or n_lines < len(lines):
                        self.failed = error
                    else:
                        self.cut = self.lacks_a_line = True
                        self.said.append(incomplete(number))
                    break
                except LogError as error:
                    self.failed = error
                    break
            is_first = self.header is None and not documents and not self._n_before
            if type(fields) is dict and "id" in fields and not (is_first and "plyscope" in fields):
                documents.append(fields)
                numbers.append(number)
            else:
                try:
                    self._beside_nodes(fields)
                except LogError as error:
                    error.line = number
                    self.failed = error
                    break
            if on_progress is not None and number % LINES_A_REPORT == 0:
                on_progress(number / last)

    def _odd(self, line: bytes, number: int) -> Any:
        fields, said = odd_line(line, number)
        self.said += [notice for key, notice in said if key not in self._twice]
        self._twice |= {key for key, _ in said if key is not None}
        return fields

    def _beside_nodes(self, fields: Any) -> None:
        """Take a line that is no node. Raises LogError without the line's number."""
        n_before = self._n_before + len(self.documents)
        if type(fields) is dict and "plyscope" in fields and self.header is None and not n_before:
            check_header(fields)
            self.header = fields
        else:
            take_beside(fields, self.results, n_before)
