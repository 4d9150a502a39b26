"""The values of a Parquet file's columns, converted for a log: numbers, codes of words and texts, ids.

A value that its field does not take raises LogError with the row, from 0 on, and the column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.parquet.opened_file import ROW, TEXTS, WHOLE, WIDE, Cell, OpenedFile
from plyscope.visualizer.formats.parquet.schema import literal
from plyscope.visualizer.formats.read.names import EXACT
from plyscope.visualizer.store.mapped import Texts
from plyscope.visualizer.store.words import Vocabulary

Array = npt.NDArray[Any]

BAD_CODE: Final = 255
FEW_TEXTS: Final = 65_536
"""Up to this many texts are a list; more are concatenated in one buffer."""
AT_ONCE: Final = 100_000
"""The most texts that are Python objects at one time."""


def fail(row: int, cell: Cell, message: str) -> LogError:
    """The error about a row's value in a column."""
    return LogError(message, path=f"row {row:,}, {cell.label}")


def wrong_type(cell: Cell, expected: str) -> LogError:
    """The error about a column with values of another type."""
    return LogError(f"found values of the type {cell.type}, expected {expected}", path=f"column {cell.label}")


def numbers(file: OpenedFile, cell: Cell) -> tuple[Array, Array]:
    """By row, a float, NaN where unknown, and whether it is stated."""
    if not cell.is_number:
        raise wrong_type(cell, "numbers")
    found = file.column(f"({cell.sql})::DOUBLE")
    return np.ma.filled(found, np.nan), ~np.ma.getmaskarray(found)


def rounded(file: OpenedFile, cell: Cell) -> tuple[int, int] | None:
    """How many of a column's whole numbers no double holds, and the first of them; None if each fits."""
    if cell.kind not in WIDE:
        return None
    differs = f"TRY_CAST(({cell.sql})::DOUBLE AS {cell.type}) IS DISTINCT FROM {cell.sql}"
    n_rounded, first = file.one(file.select(f"count(*), arg_min({cell.sql}, {ROW})", differs))
    return (n_rounded, first) if n_rounded else None


def whole_numbers(file: OpenedFile, cell: Cell, most: int) -> Array:
    """By row, a whole number from 0 to `most`, -1 where unknown."""
    values, stated = any_whole_numbers(file, cell, most)
    return np.where(stated, values, -1)


def any_whole_numbers(file: OpenedFile, cell: Cell, most: int | None = None) -> tuple[Array, Array]:
    """By row, a whole number of 64 bits, or from 0 to `most`, and whether it is stated; a NaN is not."""
    if file.is_empty(cell):  # if it is the parent, the log is only a root
        return np.full(file.n_rows, -1, dtype=np.int64), np.zeros(file.n_rows, dtype=np.bool_)
    if not cell.is_number:
        raise wrong_type(cell, "whole numbers" + (", as ids are in this file" if most is None else ""))
    if cell.kind in WHOLE:
        found = file.column(f"TRY_CAST({cell.sql} AS BIGINT)")
        values, stated = np.ma.filled(found, -1), ~np.ma.getmaskarray(found)
        bad = np.zeros(len(values), dtype=np.bool_)
        if cell.kind in WIDE - {"bigint"}:
            bad = ~stated & ~np.asarray(file.column(f"{cell.sql} IS NULL"), dtype=np.bool_)
    else:
        exact = np.ma.filled(file.column(f"({cell.sql})::DOUBLE"), np.nan)
        stated = ~np.isnan(exact)
        numbers_ = np.where(stated, exact, -1.0)
        bad = (numbers_ != np.floor(numbers_)) | (np.abs(numbers_) > EXACT)
        values = np.where(bad, -1.0, numbers_).astype(np.int64)
    if most is not None:
        bad |= stated & ((values < 0) | (values > most))
    if bad.any():
        row = int(np.argmax(bad))
        expected = "a whole number " + ("of 64 bits" if most is None else f"from 0 to {most}")
        raise fail(row, cell, f"found {said(file, cell, row)}, expected {expected}")
    return values, stated


def said(file: OpenedFile, cell: Cell, row: int) -> str:
    """The value of a row in a column, as an error shows it."""
    value = file.one(file.select(f"({cell.sql})::VARCHAR", f"{ROW} = {row}"))[0]
    return shown(value) if cell.kind in TEXTS else str(value)


def flags(file: OpenedFile, cell: Cell) -> Array:
    """By row, 1 or 0, -1 where unknown."""
    if cell.kind != "boolean" and not cell.is_number:
        raise wrong_type(cell, "true or false")
    found = file.column(f"({cell.sql})::DOUBLE")
    values = np.ma.filled(found, -1.0)
    bad = ~np.isin(values, (-1.0, 0.0, 1.0)) | ((values == -1) & ~np.ma.getmaskarray(found))
    if bad.any():
        row = int(np.argmax(bad))
        raise fail(row, cell, f"found {values[row]:g}, expected true or false")
    return values.astype(np.int8)


def words(file: OpenedFile, cell: Cell, vocabulary: Vocabulary) -> Array:
    """By row, the code of the word, 0 where unknown."""
    if cell.kind not in TEXTS:
        raise wrong_type(cell, "words")
    cases = " ".join(
        f"WHEN {literal(word)} THEN {code}" for code, word in enumerate(vocabulary.words) if word
    )
    text = f"({cell.sql})::VARCHAR"
    found = file.column(
        f"(CASE WHEN {text} IS NULL THEN 0 ELSE CASE {text} {cases} ELSE {BAD_CODE} END END)::UTINYINT"
    )
    codes = np.asarray(found)
    if (codes == BAD_CODE).any():
        row = int(np.argmax(codes == BAD_CODE))
        expected = ", ".join(f'"{word}"' for word in vocabulary.said)
        raise fail(row, cell, f"found {said(file, cell, row)}, expected one of {expected}")
    return codes


class Dictionary:
    """The distinct texts of some columns and lists, each with a code."""

    def __init__(
        self, file: OpenedFile, name: str, cells: Sequence[Cell], lists: Sequence[Cell] = ()
    ) -> None:
        self._file, self._name = file, name
        each = [file.select(f"({cell.sql})::VARCHAR AS text, {ROW}") for cell in cells]
        each += [file.select(f"unnest({cell.sql})::VARCHAR AS text, {ROW}") for cell in lists]
        distinct = "SELECT NULL::VARCHAR AS text, NULL::BIGINT AS plyscope_row WHERE false"
        for statement in each:
            distinct += f" UNION ALL SELECT text, min({ROW}) AS {ROW} FROM ({statement}) GROUP BY text"
        in_order = f"row_number() OVER (ORDER BY min({ROW}), text) - 1"
        file.execute(
            f"CREATE TEMP TABLE {name} AS SELECT text, ({in_order})::INTEGER AS code FROM ({distinct}) "
            "WHERE text IS NOT NULL GROUP BY text"
        )

    def codes(self, cell: Cell) -> Array:
        """By row, the code of the text, -1 where unknown."""
        made = np.full(self._file.n_rows, -1, dtype=np.int32)
        stated = self._file.select(f"{ROW}, ({cell.sql})::VARCHAR AS text", f"{cell.sql} IS NOT NULL")
        found = self._file.arrays(f"SELECT {ROW}, code FROM ({stated}) JOIN {self._name} USING (text)")
        made[found[ROW]] = found["code"]
        return made

    def codes_in_lists(self, lists: ListsOfRows) -> Array:
        """The codes of the texts in concatenated lists, -1 for null."""
        rows, starts, cell = lists.rows, lists.starts, lists.cell
        flat = np.full(int(starts[-1]), -1, dtype=np.int32)
        inside = f"{ROW}, unnest({cell.sql})::VARCHAR AS text, unnest(range(len({cell.sql}))) AS place"
        stated = self._file.select(inside, lists.where)
        found = self._file.arrays(f"SELECT {ROW}, place, code FROM ({stated}) JOIN {self._name} USING (text)")
        flat[starts[np.searchsorted(rows, found[ROW])] + found["place"]] = found["code"]
        return flat

    def texts(self) -> Sequence[str]:
        """The distinct texts in order of their codes."""
        n_texts = int(self._file.one(f"SELECT count(*) FROM {self._name}")[0])
        if n_texts <= FEW_TEXTS:
            return [text for (text,) in self._file.rows(f"SELECT text FROM {self._name} ORDER BY code")]
        blob, lengths = [], []
        for first in range(0, n_texts, AT_ONCE):
            within = f"code >= {first} AND code < {first + AT_ONCE}"
            piece = [
                text.encode()
                for (text,) in self._file.rows(f"SELECT text FROM {self._name} WHERE {within} ORDER BY code")
            ]
            lengths += [np.fromiter(map(len, piece), dtype=np.int64, count=len(piece))]
            blob.append(b"".join(piece))
        return Texts(b"".join(blob), np.append(0, np.cumsum(np.concatenate(lengths))))


@dataclass(frozen=True)
class ListsOfRows:
    """The lists in some rows of a column: the rows, in order, and the offsets of their items."""

    cell: Cell
    rows: Array
    starts: Array
    where: str
    """The SQL condition for these lists."""

    @property
    def lengths(self) -> Array:
        """The number of items of each list."""
        return np.diff(self.starts)


def lists_of(file: OpenedFile, cell: Cell, first: int = 0, last: int | None = None) -> ListsOfRows:
    """The lists of the rows from `first` to before `last`."""
    where = f"{cell.sql} IS NOT NULL AND {ROW} >= {first}"
    where += "" if last is None else f" AND {ROW} < {last}"
    found = file.arrays(file.select(f"{ROW}, len({cell.sql})::BIGINT AS n", where))
    starts = np.append(0, np.cumsum(np.asarray(found["n"], dtype=np.int64)))
    return ListsOfRows(cell, np.asarray(found[ROW], dtype=np.int64), starts, where)


def numbers_in(file: OpenedFile, lists: ListsOfRows) -> Array:
    """The numbers in concatenated lists, NaN for null."""
    found = file.values(file.select(f"unnest({lists.cell.sql})::DOUBLE AS number", lists.where))
    return np.asarray(np.ma.filled(found, np.nan), dtype=np.float64)


def check_list(cell: Cell, items: frozenset[str], expected: str) -> None:
    """Raise LogError where a column has no lists of items of these types."""
    if cell.kind not in ("list", "array") or cell.children[""].kind not in items | {"null"}:
        raise wrong_type(cell, expected)
