"""The answer to a query: how many rows there are, and a page of them as a table. One for every face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.field import Known
from plyscope.visualizer.analysis.query.fields import Fields, fields_of
from plyscope.visualizer.analysis.query.no_hit import NoHit, no_hit
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.run import SECONDS, hits_of, order_of
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
    none: NoHit | None = None
    """Of a query without a hit: what is true of it."""
    places: Rows | None = None
    """Where each row stood before it was sorted."""

    @property
    def fields(self) -> Fields:
        """The fields of its log."""
        return fields_of(self.tree)

    @property
    def total(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def as_json(self, offset: int = 0, limit: int | None = None) -> dict[str, Any]:
        """The total, the names of the columns, and a page of rows; each row has its id and path as well."""
        page = self.rows[offset : None if limit is None else offset + limit]
        answer: dict[str, Any] = {
            "total": self.total,
            "columns": [known.name for known in self.columns],
            "rows": rows_json(self.fields, page, self.columns),
        }
        if self.notices:
            answer["notices"] = list(self.notices)
        return answer | ({} if self.none is None else {"none": self.none.as_json()})


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
    rows, notices = hits_of(fields, expression, seconds=seconds)
    shown = chosen(fields, usual(fields, expression) if columns is None else columns)
    ordered = sorted_rows(tree, rows, sort, descending=descending, seconds=seconds)
    none = None if len(rows) else no_hit(fields, expression, seconds=seconds)
    return Answer(tree, ordered, tuple(shown), notices, none)


def sorted_rows(
    tree: Tree, rows: Rows, sort: str | None, *, descending: bool = False, seconds: float = SECONDS
) -> Rows:
    """`rows` in the order of `sort`, or of the search; raises QueryError."""
    return rows[places_in_order(tree, rows, sort, descending=descending, seconds=seconds)]


def places_in_order(
    tree: Tree, rows: Rows, sort: str | None, *, descending: bool = False, seconds: float = SECONDS
) -> Rows:
    """The places of `rows` in the order of `sort`: a field by its name, or a value; None: as they are."""
    if sort is None:
        places = np.arange(len(rows), dtype=np.int32)
        return places[::-1] if descending else places
    fields = fields_of(tree)
    try:
        expression = fields.named(sort) or parse(sort)
        return order_of(fields, rows, expression, descending=descending, seconds=seconds)
    except QueryError as error:
        raise error.beside("sort") from None
