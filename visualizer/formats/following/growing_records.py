"""A compact log that is being written: `take` gets chunks as they come, `snapshot` seals the log so far."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunk_reader import NO_END, ChunkReader
from plyscope.visualizer.formats.binary.chunks import (
    HEADER_BYTES,
    Chunk,
    WrongByte,
    chunks_of,
    fail,
    read_start,
)
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.growing_nodes import GrowingNodes

Array = npt.NDArray[Any]


class GrowingRecords(GrowingNodes):
    """The nodes of the chunks that have come so far."""

    kind = "record"
    may_number_roots_later = True

    def __init__(self) -> None:
        super().__init__()
        self._n_bytes = 0
        self._reading: ChunkReader | None = None

    @property
    def _is_cut_on_entry(self) -> bool:
        return self._reading is not None and not self.has_ended and not self._reading.is_updated

    def _said(self, *, is_final: bool = False) -> list[str]:
        said = list(self._reading.notices) if self._reading is not None else []
        return [*said, NO_END] if is_final and not self.has_ended else said

    @staticmethod
    def _error_at(places: Array, number: int, message: str, field: str) -> LogError:
        if number >= len(places):
            return LogError(message)
        where = f"$.{field} of node {number}" if field else f"node {number}"
        return LogError(message, path=f"byte {places[number]}, {where}")

    def take(self, data: bytes) -> None:
        """Take complete chunks, the first time with the 16 bytes before them.

        Raises LogError with the first wrong chunk; those before it are taken.
        """
        try:
            at = 0
            if self._reading is None:
                self._reading = ChunkReader(read_start(data), self._numbers)
                at = HEADER_BYTES
            try:
                for chunk in chunks_of(data, self._reading.start, at):
                    self._take_chunk(self._reading, data, chunk)
            finally:
                self._take_waiting(self._reading)
        except WrongByte as error:
            raise error.moved(self._n_bytes) from None
        self._n_bytes += len(data)

    def _take_chunk(self, reading: ChunkReader, data: bytes, chunk: Chunk) -> None:
        if chunk.is_cut:
            fail(chunk.place, "this chunk is not whole")
        if reading.waits_for_other(chunk.kind) or reading.lines_come_before(chunk.kind):
            self._take_waiting(reading)
        with self._lock:
            reading.take(data, chunk)
            self.header, self.result, self.has_ended = reading.header, reading.result, reading.has_ended
        if chunk.kind in (b"HEAD", b"DONE"):
            self.n_lines += 1

    def _take_waiting(self, reading: ChunkReader) -> None:
        with self._lock:  # the texts of batches are those of snapshots
            for batch in reading.batches():
                batch.places = batch.places + self._n_bytes
                self._take_nodes(batch)
                self.n_lines += len(batch.places)
