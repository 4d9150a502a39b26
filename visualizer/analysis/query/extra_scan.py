"""The unknown fields of a large log, read where they stand in its bytes, without an object a row.

It finds what `extra_fields` finds by reading objects. What is not plainly regular (more than 480 names, one
name spelled in two ways) raises IrregularError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.large import slices
from plyscope.visualizer.formats.large.scan import Bytes, IrregularError, Members
from plyscope.visualizer.store.log import Extras

Array = npt.NDArray[Any]

AT_ONCE: Final = 20_000
"""Rows whose fields are found at one time."""
LARGE_ROWS: Final = 100_000
"""From so many rows on machine code is worth loading."""
NUMBER, FLAG, NULL, TEXT = range(4)
KINDS: Final = ("number", "flag", "null", "text")
KIND_OF_BYTE: Final = np.full(256, TEXT, dtype=np.int64)
KIND_OF_BYTE[np.frombuffer(b"-0123456789", dtype=np.uint8)] = NUMBER
KIND_OF_BYTE[np.frombuffer(b"tf", dtype=np.uint8)] = FLAG
KIND_OF_BYTE[ord("n")] = NULL


class ExtraScan:
    """The members of all objects of a log's unknown fields, found by a kernel."""

    def __init__(self, extras: Extras, run: Callable[[Any], Any] = compiled) -> None:
        self._extras = extras
        self._bytes = Bytes(extras.blob, run)
        self._members = Members(self._bytes)

    @cached_property
    def kinds(self) -> dict[str, Counter[str]]:
        """By name, how many rows state a number, a flag or something else; nulls state nothing."""
        counts = np.zeros((0, len(KINDS)), dtype=np.int64)
        for _, found in self._pieces():
            kinds = KIND_OF_BYTE[self._bytes.array[found[:, 2]]]
            n_names = len(self._members.labels)
            counts = np.pad(counts, ((0, n_names - len(counts)), (0, 0)))
            codes = found[:, 1] * len(KINDS) + kinds
            counts += np.bincount(codes, minlength=counts.size).reshape(counts.shape)
        return {
            name: Counter({KINDS[kind]: n for kind, n in enumerate(row) if n and kind != NULL})
            for name, row in zip(self._members.labels, counts.tolist(), strict=True)
            if sum(row) > row[NULL]
        }

    def numbers(self, name: str, column: Array, number: Callable[[Any], float]) -> None:
        """Fill in the numbers of a field; `number` reads those that a kernel does not."""
        for rows, begins, sizes in self._values(name, NUMBER):
            read, is_read = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.bool_)
            self._bytes.run(slices.read_numbers)(self._bytes.array, begins, sizes, read, is_read)
            column[rows[is_read]] = read[is_read]
            if not is_read.all():
                rest = self._bytes.values(begins[~is_read], sizes[~is_read])
                column[rows[~is_read]] = [number(value) for value in rest]

    def flags(self, name: str, column: Array) -> None:
        """Fill in the flags of a field, 1 and 0."""
        for rows, begins, _ in self._values(name, FLAG):
            column[rows] = self._bytes.array[begins] == ord("t")

    def texts(self, name: str, column: Array, text: Callable[[Any], str]) -> list[str]:
        """Fill in the codes of a field's texts, and return those; `text` writes what is no text."""
        codes: dict[str, int] = {}
        for rows, begins, sizes in self._values(name):
            distinct, chosen = self._bytes.distinct(begins, sizes)
            of_distinct = [
                -1 if value is None else codes.setdefault(text(value), len(codes)) for value in distinct
            ]
            column[rows] = np.array(of_distinct, dtype=np.int32)[chosen]
        return list(codes)

    def _values(self, name: str, kind: int | None = None) -> Iterator[tuple[Array, Array, Array]]:
        """Rows, begins and sizes of the values of a field, of one kind where that is asked for."""
        for rows, found in self._pieces():
            if name in self._members.labels:
                found = found[found[:, 1] == self._members.labels.index(name)]
                if kind is not None:
                    found = found[KIND_OF_BYTE[self._bytes.array[found[:, 2]]] == kind]
                if len(found):
                    yield rows[found[:, 0]], *np.ascontiguousarray(found[:, 2:].T)

    def _pieces(self) -> Iterator[tuple[Array, Array]]:
        """Some thousand rows at a time, and of each the members: number of the row, name, begin and size."""
        extras = self._extras
        for first in range(0, len(extras.rows), AT_ONCE):
            rows = np.asarray(extras.rows[first : first + AT_ONCE])
            starts = np.asarray(extras.starts[first : first + len(rows) + 1])
            yield rows, self._members.of(starts[:-1], np.diff(starts))


def scan_of(extras: Extras | None) -> ExtraScan | None:
    """A scan of the unknown fields, where there are many; None where they are to be read as objects."""
    if extras is None or len(extras.rows) < LARGE_ROWS:
        return None
    scan = ExtraScan(extras)
    try:
        return scan if scan.kinds else None
    except (IrregularError, ValueError):
        return None
