"""`plyscope.query` and `query_files`: the nodes of a log, or of many, for which an expression is true."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.visualizer.analysis.frames import pandas_of
from plyscope.visualizer.analysis.nodes.node import Nodes
from plyscope.visualizer.analysis.query.answer import Answer, ask
from plyscope.visualizer.analysis.query.data_set import FileHits, ask_files
from plyscope.visualizer.analysis.query.table import HitTable, arrays, signs, write_rows
from plyscope.visualizer.formats.errors import LogError

if TYPE_CHECKING:
    import pandas

Files = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A pattern such as `logs/*.parquet`, a folder, a file, or several of these."""


class Hits(HitTable, Nodes):
    """The hits of `plyscope.query`: a sequence of nodes in the order that was asked for.

    `total` is the number of hits in the log; where a limit was given, `len(hits)` may be less. Nodes and
    columns are made when they are looked at.
    """

    def __init__(self, answer: Answer, limit: int | None) -> None:
        self._answer = answer
        self._shown = answer.rows[:limit].astype(np.int64)
        super().__init__(answer.tree, self._shown)

    @property
    def total(self) -> int:
        """The number of hits in the log, whatever the limit."""
        return self._answer.total

    @property
    def nodes(self) -> Nodes:
        """The nodes, as the sequence itself has them."""
        return Nodes(self._answer.tree, self._shown)

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """Their places in the arrays of `Log.columns`."""
        return self._shown.copy()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that are shown of each hit, beside its id and path."""
        return tuple(known.name for known in self._answer.columns)

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices on fields that no node states, and on a query without a hit."""
        none = self._answer.none
        return (*self._answer.notices, *([] if none is None else none.sentences))

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """`id`, `path` and the columns as arrays, masked where a node does not state the value.

        Numbers are float64, whole numbers int64, flags bool, words and texts objects with None where unknown.
        """
        return arrays(self._answer.fields, self._shown, self._answer.columns)

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a DataFrame, its index the ids; raises ImportError where pandas is not there."""
        return pandas_of(self.columns(), by_id=True)

    def as_json(self) -> dict[str, Any]:
        """The answer of `plyscope query --json`: total, columns, and a row for each node."""
        return self._answer.as_json(limit=len(self))

    def signs(self) -> dict[str, list[str]]:
        """For each column that is a score, what stands before it at each node: `≥ `, `≤ `, or nothing."""
        found = {known.name: signs(self._answer.fields, known, self._shown) for known in self._answer.columns}
        return {name: before for name, before in found.items() if before is not None}

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write id, path and columns as `.csv` or `.parquet`, by the ending; raises QueryError, OSError."""
        write_rows(self._answer.fields, self._shown, self._answer.columns, Path(path))

    def __repr__(self) -> str:
        shown = f", {len(self):,} of them here" if len(self) < self.total else ""
        return f"<Hits: {counted(self.total, 'node')}{shown}>"


def query(
    log: Log | Source,
    expression: str,
    *,
    columns: Sequence[str] | None = None,
    sort: str | None = None,
    descending: bool = False,
    limit: int | None = None,
    map: Mapping[str, str] | str | None = None,
    progress: bool | None = None,
) -> Hits:
    """Find the nodes of a log for which an expression over their fields is true.

    The log is one that is open, or whatever `plyscope.open` opens. `columns` are shown of each hit: without
    them those that the expression names, with score and outcome. `sort` is a field or a value such as
    `abs(static - score)`; without it hits are in the order of the search. Nodes that do not state it come
    last. Raises QueryError, which says what is wrong where, and LogError for the log.

    >>> hits = query('{"plyscope": 1, "root": {"children": [{"ply": "a", "score": 3}, {"ply": "b"}]}}',
    ...              "score > 2")
    >>> hits, hits[0].path, hits.as_json()["rows"]
    (<Hits: 1 node>, 'a', [{'id': 1, 'path': 'a', 'score': 3.0}])
    """
    if isinstance(columns, str):
        raise TypeError(f"columns are named one by one, as in columns=[{columns!r}]")
    if limit is not None and limit < 0:
        raise ValueError(f"limit is {limit}; expected a number from 0")
    tree = tree_of(opened(log, map, progress))
    return Hits(ask(tree, expression, columns=columns, sort=sort, descending=descending), limit)


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
