"""The pools of a compact log: texts and lists, to which its records refer by number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunks import Chunk, fail
from plyscope.visualizer.formats.seal.grown import GrownArray

Array = npt.NDArray[Any]

MOST_TIMES: Final = 2
"""The most references to an entry of a list, on average: a small file must not need all memory."""


class Pools:
    """Texts, numbers of texts and numbers so far, in the order of the file."""

    def __init__(self, order: str) -> None:
        self._order = order
        self._byte_order: Literal["little", "big"] = "little" if order == "<" else "big"
        self.texts: list[str] = []
        self._entries = {"texts": GrownArray(0, np.uint32), "numbers": GrownArray(0, np.float64)}
        """Numbers of texts, and numbers, of which lists are slices."""
        self.taken = {"texts": 0, "numbers": 0}
        """Entries that lists refer to."""

    def n_entries(self, kind: str) -> int:
        """The number of entries of lists of `texts` or `numbers` so far."""
        return len(self._entries[kind])

    def put_texts(self, data: bytes, chunk: Chunk) -> None:
        """Take the complete texts of a chunk. Raises LogError."""
        at, end, texts = chunk.begin, chunk.end, self.texts
        while at < end:
            stop = at + 4 + int.from_bytes(data[at : at + 4], self._byte_order)
            if stop > end or end - at < 4:
                if chunk.is_cut:
                    break
                fail(at, "this text is longer than its chunk, expected its length in bytes and as many bytes")
            try:
                texts.append(data[at + 4 : stop].decode())
            except UnicodeDecodeError as error:
                fail(at + 4 + error.start, f"found the byte {data[at + 4 + error.start]:02x}, expected UTF-8")
            at = stop

    def put_refs(self, data: bytes, chunk: Chunk) -> None:
        """Take numbers of texts. Raises LogError where one is no text's."""
        refs = self._read(data, chunk, "u4")
        if (refs >= len(self.texts)).any():
            first = int(np.argmax(refs >= len(self.texts)))
            expected = f"expected the number of one of the {len(self.texts):,} texts before this chunk"
            fail(chunk.begin + 4 * first, f"found {refs[first]}, {expected}")
        self._entries["texts"].append(refs)

    def put_numbers(self, data: bytes, chunk: Chunk) -> None:
        """Take numbers of lists."""
        self._entries["numbers"].append(self._read(data, chunk, "f8"))

    def _read(self, data: bytes, chunk: Chunk, dtype: str) -> Array:
        numpy_type = np.dtype(self._order + dtype)
        n_bytes = chunk.end - chunk.begin
        if n_bytes % numpy_type.itemsize and not chunk.is_cut:
            expected = f"expected a multiple of {numpy_type.itemsize}"
            fail(chunk.place, f"found a chunk {chunk.kind.decode()} of {n_bytes} bytes, {expected}")
        return np.frombuffer(data, numpy_type, n_bytes // numpy_type.itemsize, chunk.begin)

    def take(self, kind: str, n_entries: int) -> bool:
        """Count references to entries of lists; False where they are far more than there are entries."""
        self.taken[kind] += n_entries
        return self.taken[kind] <= MOST_TIMES * self.n_entries(kind)

    def entries(self, kind: str, places: Array) -> Array:
        """The entries at these indices."""
        return self._entries[kind].first(self.n_entries(kind))[places]

    def texts_of(self, codes: Iterable[int]) -> list[str]:
        """The texts of these numbers."""
        codes = codes.tolist() if isinstance(codes, np.ndarray) else codes
        return [self.texts[code] for code in codes]
