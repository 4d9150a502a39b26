"""Lines of ours that a library parses one by one: those of short files, and lines that are no plain JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.json_text import parser_of
from plyscope.visualizer.formats.read.forms import lines_form, named
from plyscope.visualizer.formats.read.line_records import (
    LineRecords,
    check_header,
    may_be_twice,
    odd_line,
    take_beside,
)
from plyscope.visualizer.formats.read.result_lines import ResultLines
from plyscope.visualizer.formats.tape.reading import WalkReading


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
        self.header = header
        self.results = ResultLines() if results is None else results
        self.documents: list[dict[str, Any]] = []
        self.numbers: list[int] = []
        self.failed: LogError | None = None
        """What is wrong about the first line that is neither, the last that was read."""
        self.last = first_line
        self._twice: set[str] = set() if twice is None else twice

    def read(self) -> None:
        """Read all lines, up to one that is wrong."""
        loads, documents, numbers = self._loads, self.documents, self.numbers
        for number, line in enumerate(self._lines, self._first_line):
            fields: Any = None
            self.last = number
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
