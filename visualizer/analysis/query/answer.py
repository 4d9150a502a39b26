"""The answer to a query: how many rows there are, and a page of them as a table. One for every face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.query.fields import Fields, Known, fields_of
from plyscope.visualizer.analysis.query.run import SECONDS, hits_of, sorted_by
from plyscope.visualizer.analysis.query.table import chosen, rows_json, usual
from plyscope.visualizer.store.tree import Tree

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Answer:
    """Rows of a log in their order, the columns that are shown of them, and what is to be told."""

    tree: Tree
    rows: Rows
    columns: tuple[Known, ...]
    notices: tuple[str, ...] = ()

    @property
    def fields(self) -> Fields:
        """The fields of its log."""
        return fields_of(self.tree)

    @property
    def total(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def as_json(self, offset: int = 0, limit: int | None = None) -> dict[str, Any]:
        """The total, the names of the columns, and a page of rows; each row has its id and path as well."""
        page = self.rows[offset : None if limit is None else offset + limit]
        answer: dict[str, Any] = {
            "total": self.total,
            "columns": [known.name for known in self.columns],
            "rows": rows_json(self.fields, page, self.columns),
        }
        return answer | ({"notices": list(self.notices)} if self.notices else {})


def ask(
    tree: Tree,
    expression: str,
    *,
    columns: Sequence[str] | None = None,
    sort: str | None = None,
    descending: bool = False,
    seconds: float = SECONDS,
) -> Answer:
    """The rows for which an expression is true: in the order of the search, or sorted by a field or value.

    Without `columns` those are shown that the expression names, with score and outcome. Raises QueryError.
    """
    fields = fields_of(tree)
    rows, unstated = hits_of(fields, expression, seconds=seconds)
    shown = chosen(fields, usual(fields, expression) if columns is None else columns)
    ordered = in_order(tree, rows, sort, descending=descending, seconds=seconds)
    return Answer(tree, ordered, tuple(shown), notices_of(unstated))


def in_order(
    tree: Tree, rows: Rows, sort: str | None, *, descending: bool = False, seconds: float = SECONDS
) -> Rows:
    """`rows`, which ascend, in the order of `sort`, or of the search; raises QueryError."""
    if sort is None:
        return rows[::-1] if descending else rows
    return sorted_by(fields_of(tree), rows, sort, descending=descending, seconds=seconds)


def notices_of(unstated: Sequence[str]) -> tuple[str, ...]:
    """What is to be told of fields that an expression asks for and no row states."""
    return tuple(f"no node of this log states `{name}`, so it is unknown everywhere" for name in unstated)
