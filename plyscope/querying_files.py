"""`plyscope.query_files`: the nodes of many Parquet files for which an expression is true."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from plyscope.visualizer.analysis.query.data_set import FileHits, ask_files
from plyscope.visualizer.formats.errors import LogError

Files = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A pattern such as `logs/*.parquet`, a folder, a file, or several of these."""


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
    return ask_files(paths, expression, columns=columns, sort=sort, descending=descending, limit=limit)


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
