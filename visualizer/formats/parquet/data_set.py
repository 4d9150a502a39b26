"""Many Parquet files as one table: batches of files read together, their rows as one log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.compressed import LARGEST
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.find.rows import is_of_others
from plyscope.visualizer.formats.parquet.database import reading
from plyscope.visualizer.formats.parquet.opened_file import Footer, OpenedFile, check_ends, ends_of, footers
from plyscope.visualizer.formats.parquet.read_parquet import log_of_rows
from plyscope.visualizer.formats.parquet.schema import HEADER_KEY, MAGIC, PARENT, TABLE_KEY
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

MOST_ROWS: Final = 4_000_000
"""The most rows that are read together; a file with more is read by itself."""
MOST_FILES: Final = 1_000
"""The most files that are read together."""
ALIKE: Final = ("plyscope", "players", "factors", "search")
"""The keys of a header that decide how rows are read."""


@dataclass(frozen=True)
class IndexedFile:
    """A file of the set: its index, the number of its rows, and its metadata."""

    number: int
    path: Path
    """The path as the user named it."""
    n_rows: int
    header: Mapping[str, Any] | None
    key_form: str
    is_ours: bool
    """Whether Plyscope wrote it, so that numbers are the root player's and layers are filled in."""
    is_of_others: bool
    """Whether its columns have foreign names: then it is read by itself, as when it is opened."""

    @property
    def kind(self) -> str:
        """Equal for files whose rows can be read together."""
        if self.is_of_others:
            return str(self.number)
        header = self.header or {}
        read = {name: header.get(name) for name in ALIKE[:3]}
        views = {} if self.is_ours else {"search": header.get("search")}
        return orjson.dumps([read, views, self.key_form, self.is_ours, self.header is None]).decode()


def indexed(paths: Sequence[Path]) -> list[IndexedFile]:
    """The indexes of files, in the order of `paths`; raises LogError that names the file."""
    for path in paths:
        with naming(path):
            _check(path)
    found: list[IndexedFile] = []
    with reading(paths) as (connection, called):
        for first in range(0, len(paths), MOST_FILES):
            piece = called[first : first + MOST_FILES]
            try:
                said = footers(connection, piece)
            except LogError:
                for given, name in zip(paths[first:], piece, strict=False):
                    with naming(given):
                        footers(connection, [name])
                raise
            for number, footer in enumerate(said, first):
                with naming(paths[number]):
                    found.append(_indexed(number, paths[number], footer))
    return found


def batches(files: Sequence[IndexedFile], most_rows: int = MOST_ROWS) -> Iterator[list[IndexedFile]]:
    """Batches of files that can be read together, in order; files without rows are left out."""
    for _, alike in groupby((file for file in files if file.n_rows), key=lambda file: file.kind):
        batch: list[IndexedFile] = []
        n_rows = 0
        for file in alike:
            if batch and (n_rows + file.n_rows > most_rows or len(batch) == MOST_FILES):
                yield batch
                batch, n_rows = [], 0
            batch.append(file)
            n_rows += file.n_rows
        yield batch


@dataclass(frozen=True)
class ReadBatch:
    """The rows of some files as one log."""

    log: Log
    starts: Array
    """The offsets of the files' rows in the batch (n + 1)."""
    row_of_place: Array
    """By row of the files, the row of the log."""
    place_of_row: Array
    notices: tuple[str, ...] = ()
    """Notices about the columns of a file with foreign names."""


def read_batch(batch: Sequence[IndexedFile], names: frozenset[str]) -> ReadBatch:
    """Read the columns with these names.

    Raises LogError that names the file.
    """
    try:
        return _read_together(batch, names)
    except LogError:
        for file in batch:  # read one by one, so that the error names the file and its row
            with naming(file.path):
                _read_together([file], names)
        raise


def _read_together(batch: Sequence[IndexedFile], names: frozenset[str]) -> ReadBatch:
    first = batch[0]
    if first.is_of_others:
        return _read_as_opened(first)
    wanted = names | {"id", PARENT} if first.is_ours else None
    with reading([file.path for file in batch]) as (connection, paths):
        opened = OpenedFile(connection, paths, LARGEST, wanted)
        log, order = log_of_rows(opened, first.header, first.key_form)
        row_of = np.empty(opened.n_rows, dtype=np.int64)
        row_of[order] = np.arange(opened.n_rows)
        return ReadBatch(log, opened.starts, row_of, order)


def _read_as_opened(file: IndexedFile) -> ReadBatch:
    """The rows of a file with foreign names, in the order of its tree."""
    from plyscope.visualizer.formats.detect import read_log_file

    log = read_log_file(file.path)
    rows = np.arange(log.n_rows)
    return ReadBatch(log, np.array([0, log.n_rows]), rows, rows, tuple(map(str, log.notices)))


def _check(path: Path) -> None:
    start, end = ends_of(path)
    if start != MAGIC:
        raise LogError(
            "this is no Parquet file, and only those are asked together; `plyscope convert` writes it as one"
        )
    check_ends(start, end)


def _indexed(number: int, path: Path, footer: Footer) -> IndexedFile:
    header, table = footer.stated(HEADER_KEY), footer.stated(TABLE_KEY)
    is_ours = header is not None and table is not None
    of_others = header is None and is_of_others(footer.columns)
    key_form = str((table or {}).get("key_form", ""))
    return IndexedFile(number, path, footer.n_rows, header, key_form, is_ours, of_others)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the file's name to a LogError."""
    try:
        yield
    except LogError as error:
        error.file = str(path)
        raise
