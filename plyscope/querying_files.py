"""`plyscope.query_files`: the nodes of many Parquet files for which an expression is true."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.querying import for_pandas
from plyscope.visualizer.analysis.query.data_set import DataSetAnswer, ask_files
from plyscope.visualizer.analysis.query.export import OF_ARRAYS, write_columns
from plyscope.visualizer.formats.errors import LogError

if TYPE_CHECKING:
    import pandas

Files = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A pattern such as `logs/*.parquet`, a folder, a file, or several of these."""


class FileHits:
    """The hits of `plyscope.query_files`: a table with a row for each hit, its file first.

    `total` is the number of hits in all files; where a limit was given, `len(hits)` may be less.
    """

    def __init__(self, answer: DataSetAnswer) -> None:
        self._answer = answer

    @property
    def total(self) -> int:
        """The number of hits in all files, whatever the limit."""
        return self._answer.total

    @property
    def n_files(self) -> int:
        """The number of files, those that were passed over included."""
        return self._answer.n_files

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that are shown of each hit, beside its file, id and path."""
        return self._answer.names

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices on fields that no node states, on files passed over, and on a query without a hit."""
        return self._answer.notices

    def __len__(self) -> int:
        return len(self._answer)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """`file`, `id`, `path` and the columns as arrays, masked where a node does not state the value."""
        return {name: column.copy() for name, column in self._answer.columns.items()}

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a DataFrame; raises ImportError where pandas is not there."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError(
                "to_pandas() needs pandas, which Plyscope does not bring: `pip install pandas`; "
                "columns() gives the same as numpy arrays"
            ) from error
        return pandas.DataFrame({name: for_pandas(column) for name, column in self.columns().items()})

    def as_json(self) -> dict[str, Any]:
        """The answer of `plyscope query --json`: total, number of files, columns, and a row for each node."""
        return self._answer.as_json()

    def signs(self) -> dict[str, list[str]]:
        """For each column that is a score, what stands before it at each node: `≥ `, `≤ `, or nothing."""
        return self._answer.signs

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the table as `.csv` or `.parquet`, by the ending; raises QueryError, OSError."""
        columns = self._answer.columns
        types = {name: OF_ARRAYS.get(column.dtype.kind, "VARCHAR") for name, column in columns.items()}
        write_columns(types, [columns] if len(self) else [], Path(path))

    def __repr__(self) -> str:
        shown = f", {len(self):,} of them here" if len(self) < self.total else ""
        return f"<FileHits: {counted(self.total, 'node')} of {counted(self.n_files, 'file')}{shown}>"


def query_files(
    files: Files,
    expression: str,
    *,
    columns: Sequence[str] | None = None,
    sort: str | None = None,
    descending: bool = False,
    limit: int | None = None,
) -> FileHits:
    """Find the nodes of many logs, written as Parquet, for which an expression over their fields is true.

    `files` is a pattern such as `logs/*.parquet`, a folder, or a list of files. Everything else is as for
    `plyscope.query`; hits are in the order of the files' names, within a file in that of the search. Trees
    are followed only where the expression asks for what they say, such as `level` or `parent.score`. Raises
    QueryError, and LogError that names the file.
    """
    if isinstance(columns, str):
        raise TypeError(f"columns are named one by one, as in columns=[{columns!r}]")
    if limit is not None and limit < 0:
        raise ValueError(f"limit is {limit}; expected a number from 0")
    paths = files_of(files)
    return FileHits(
        ask_files(paths, expression, columns=columns, sort=sort, descending=descending, limit=limit)
    )


def files_of(files: Files) -> list[Path]:
    """The files that are meant, by their names; raises LogError where there is none."""
    given = [files] if isinstance(files, str | os.PathLike) else list(files)
    found: dict[Path, None] = {}
    for each in given:
        path = Path(each)
        if path.is_dir():
            inside = sorted(path.glob("*.parquet"))
            if not inside:
                raise LogError(f"{path}: no .parquet file in this folder; `plyscope convert` writes logs so")
        elif path.exists():
            inside = [path]
        else:
            inside = sorted(
                Path(name) for name in glob.glob(str(path), recursive=True) if os.path.isfile(name)
            )
            if not inside:
                raise LogError(f"{path}: no file has such a name; expected one such as logs/*.parquet")
        found |= dict.fromkeys(inside)
    return list(found)
