"""JSON Lines that are being written: lines are taken as they come, and `snapshot` seals what is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.growing_nodes import GrowingNodes
from plyscope.visualizer.formats.following.line_batch import read_batch
from plyscope.visualizer.formats.following.plain_lines import PlainLines
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.read.records import NO_PARENT, lacks_our_end
from plyscope.visualizer.formats.result_lines import ResultLines

Array = npt.NDArray[Any]

BATCH_BYTES: Final = 2**21
"""Bytes that are read together: what one step holds the log for."""


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
        self._plain = PlainLines()
        self._results = ResultLines()
        self._n_node_lines = 0
        self._notices: dict[str, None] = {}
        self._twice: set[str] = set()

    @property
    def has_ended(self) -> bool:
        """Whether a line gave the result, or null where the search has none."""
        return self._results.has_ended

    @property
    def is_whole(self) -> bool:
        """Whether what came is a tree: if nothing more comes, the last snapshot is what the file holds."""
        is_table = self.header is None and not self._parents.are_stated and self.n_nodes > 1
        return super().is_whole and not is_table

    @property
    def _needs_iterations(self) -> bool:
        return True

    @property
    def _is_cut_on_entry(self) -> bool:
        return lacks_our_end(self.header, has_ended=self.has_ended)

    def _fields_of_header(self) -> dict[str, Any]:
        header = dict(self.header or {})
        if self._results.result is not None:
            header["result"] = self._results.result
        return header

    def _said(self, *, is_final: bool = False) -> list[str]:
        return [*self._notices, *self._results.notices(self.header, self._n_node_lines, is_final=is_final)]

    @staticmethod
    def _error_at(places: Array, number: int, message: str, field: str) -> LogError:
        line = int(places[number]) if number < len(places) else None
        return LogError(message, line=line, path=f"$.{field}" if field else None)

    def take(self, data: bytes) -> None:
        """Take whole lines, each with its end; raises LogError with the first that is wrong."""
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


def _at_line(check: Callable[[dict[str, Any]], Any], fields: dict[str, Any], line: int) -> None:
    try:
        check(fields)
    except LogError as error:
        error.line = line
        raise
