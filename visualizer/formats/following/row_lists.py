"""Lists on some rows of a growing table, sorted by row; mostly, new ones are appended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.seal.grown import GrownArray

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.int32]
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ListsOfRows:
    """Row `rows[i]` has `flat[starts[i]:starts[i + 1]]` of each of `flats`; `rows` ascends."""

    rows: Rows
    starts: Whole
    flats: tuple[Array, ...]

    def picked(self, at: Whole) -> ListsOfRows:
        """The lists at these indices."""
        lengths = np.diff(self.starts)[at]
        starts = np.zeros(len(at) + 1, dtype=np.int64)
        np.cumsum(lengths, out=starts[1:])
        picks = np.arange(starts[-1]) + np.repeat(self.starts[:-1][at] - starts[:-1], lengths)
        return ListsOfRows(self.rows[at], starts, tuple(flat[picks] for flat in self.flats))

    def same_at(self, at: int, other: ListsOfRows, there: int) -> bool:
        """Whether the list at index `at` equals, byte by byte, that of `other` at index `there`."""
        mine, theirs = slice(*self.starts[at : at + 2]), slice(*other.starts[there : there + 2])
        pairs = zip(self.flats, other.flats, strict=True)
        return all(one[mine].tobytes() == two[theirs].tobytes() for one, two in pairs)


class GrownRowLists:
    """Lists of rows, to which lists are appended; a few are replaced."""

    def __init__(self, dtypes: Sequence[type[np.generic]]) -> None:
        self._n_rows = self._n_items = 0
        self._rows, self._starts = GrownArray(0, np.int32), GrownArray(0, np.int64)
        self._dtypes, self._flats = dtypes, [GrownArray(0, dtype) for dtype in dtypes]

    def copied(self) -> GrownRowLists:
        """A copy."""
        copy = GrownRowLists(self._dtypes)
        copy._append(self.so_far)
        return copy

    @property
    def so_far(self) -> ListsOfRows:
        """All lists, as views."""
        flats = tuple(flat.first(self._n_items) for flat in self._flats)
        return ListsOfRows(self._rows.first(self._n_rows), self._starts.first(self._n_rows + 1), flats)

    def put(self, stated: ListsOfRows, old_rows: Whole) -> None:
        """Replace the lists of `old_rows`, which ascend, and append those of new rows.

        `stated` has the present lists of all these rows; new rows come after all others.
        """
        self._append(self._from_first_change(stated, old_rows))

    def _from_first_change(self, stated: ListsOfRows, old_rows: Whole) -> ListsOfRows:
        """Cut off all from the first changed list on, and return what replaces it."""
        before = self.so_far
        was, now = _places(before.rows, old_rows), _places(stated.rows, old_rows)
        for row, mine, its in zip(old_rows.tolist(), was.tolist(), now.tolist(), strict=True):
            if mine < 0 and its < 0:
                continue
            if mine < 0 or its < 0 or not before.same_at(mine, stated, its):
                return self._cut(row, stated, old_rows)
        n_old = int(np.searchsorted(stated.rows, old_rows[-1], side="right")) if len(old_rows) else 0
        return stated.picked(np.arange(n_old, len(stated.rows)))

    def _cut(self, first: int, stated: ListsOfRows, old_rows: Whole) -> ListsOfRows:
        """Cut off the lists from the row `first` on; returns them, updated by `stated`."""
        before = self.so_far
        at = int(np.searchsorted(before.rows, first))
        kept = at + np.flatnonzero(~np.isin(before.rows[at:], old_rows))
        new = np.flatnonzero(stated.rows >= first)
        mine, theirs = before.picked(kept), stated.picked(new)
        self._n_rows, self._n_items = at, int(before.starts[at])
        both = ListsOfRows(
            np.concatenate([mine.rows, theirs.rows]),
            np.concatenate([mine.starts, mine.starts[-1] + theirs.starts[1:]]),
            tuple(np.concatenate(pair) for pair in zip(mine.flats, theirs.flats, strict=True)),
        )
        return both.picked(np.argsort(both.rows, kind="stable"))

    def _append(self, more: ListsOfRows) -> None:
        n_rows, n_items = self._n_rows + len(more.rows), self._n_items + int(more.starts[-1])
        self._rows.put(slice(self._n_rows, n_rows), more.rows)
        self._starts.put(slice(self._n_rows + 1, n_rows + 1), self._n_items + more.starts[1:])
        for grown, flat in zip(self._flats, more.flats, strict=True):
            grown.put(slice(self._n_items, n_items), flat)
        self._n_rows, self._n_items = n_rows, n_items


def _places(rows: Rows, wanted: Whole) -> Whole:
    """The index of each wanted row in ascending `rows`, -1 if it is not there."""
    if not len(rows):
        return np.full(len(wanted), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)
    return np.where(rows[at] == wanted, at, -1)


class Readers:
    """A token that lives as long as any array made with it by `read_by`, or a view of one.

    >>> import weakref
    >>> owned, readers = np.arange(5), Readers()
    >>> is_read = weakref.ref(readers)
    >>> part = read_by(readers, owned[:3])[1:]
    >>> del readers
    >>> is_read() is not None, part.tolist()
    (True, [1, 2])
    >>> del part
    >>> is_read() is not None
    False
    """

    __slots__ = ("__weakref__",)


def read_by(readers: Readers, array: Array) -> Array:
    """The array with the same memory; it and its views keep `readers` alive."""
    return np.asarray(_Base(array, readers))


class _Base:
    """The base of an array and of its views, which numpy keeps alive as long as any of them."""

    def __init__(self, array: Array, readers: Readers) -> None:
        self.__array_interface__ = array.__array_interface__
        self._kept = array, readers
