"""Columns made of a converted log's unknown fields, kept in its folder, so that they are made once.

own.kinds.json            by name, the numbers of rows that state a number, a flag, or something else
own.DIGEST.npy            a column; of texts their indices
own.DIGEST.texts.bin, own.DIGEST.texts.npy    the texts, concatenated, and their offsets

Each file is written beside its place and renamed, the column last: if it is there, its other files are too.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.mapped import Texts, mapped_array, mapped_bytes, put_end_to_end
from plyscope.visualizer.store.whole_file import whole_file

KINDS: Final = "own.kinds.json"


class KeptColumn(NamedTuple):
    """The values of a field, a row each, and its texts where they are indices of texts."""

    column: npt.NDArray[Any]
    texts: Sequence[str]


class KeptColumns:
    """The columns kept in the folder of one converted log, which is open.

    `has_room` returns whether there is room for so many more bytes; `on_grown` is called when some were
    written.
    """

    def __init__(
        self, folder: Path, n_rows: int, has_room: Callable[[int], bool], on_grown: Callable[[], object]
    ) -> None:
        self._folder, self._n_rows = folder, n_rows
        self._has_room, self._on_grown = has_room, on_grown

    def kinds(self) -> dict[str, Counter[str]] | None:
        """The kinds that `keep_kinds` kept; None if none are kept that can be read."""
        with suppress(OSError, ValueError, TypeError, AttributeError):
            kept = json.loads((self._folder / KINDS).read_text("utf-8"))
            return {name: Counter(counts) for name, counts in kept.items()}
        return None

    def keep_kinds(self, kinds: Mapping[str, Mapping[str, int]]) -> None:
        """Keep the kinds by name; nothing where there is no room or the folder cannot be written."""
        text = json.dumps(kinds).encode()
        with suppress(OSError):
            if self._has_room(len(text)):
                with whole_file(self._folder / KINDS) as file:
                    file.write(text)

    def find(self, name: str) -> KeptColumn | None:
        """The column of a field; None where it is not kept, or damaged."""
        stem = _stem(name)
        with suppress(OSError, ValueError, EOFError, IndexError):
            column = mapped_array(self._folder / f"{stem}.npy")
            if len(column) != self._n_rows:
                return None
            if column.dtype != np.int32:
                return KeptColumn(column, ())
            starts = mapped_array(self._folder / f"{stem}.texts.npy")
            blob = mapped_bytes(self._folder / f"{stem}.texts.bin")
            return KeptColumn(column, Texts(blob, starts)) if len(blob) == starts[-1] else None
        return None

    def keep(self, name: str, column: npt.NDArray[Any], texts: Sequence[str]) -> None:
        """Keep the column of a field; nothing where there is no room or the folder cannot be written."""
        stem, written = _stem(name), BytesIO()
        with suppress(OSError, ValueError):  # a text may have half a character, which no file can hold
            starts = put_end_to_end(texts, written.write)
            blob = written.getbuffer()
            if not self._has_room(column.nbytes + len(blob) + starts.nbytes):
                return
            if column.dtype == np.int32:
                with whole_file(self._folder / f"{stem}.texts.bin") as file:
                    file.write(blob)
                with whole_file(self._folder / f"{stem}.texts.npy") as file:
                    np.save(file, starts)
            with whole_file(self._folder / f"{stem}.npy") as file:
                np.save(file, column)
            self._on_grown()


def _stem(name: str) -> str:
    return f"own.{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
