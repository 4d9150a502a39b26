"""The answer to a query, for commands, HTTP and scripts: the number of rows, and a page of them as a table.

For a query without a hit it counts the rows where it is unknown, and gives the nearest looser condition with
hits: all parts that `and` joins are tested for every row in one pass; the looser condition drops as few parts
as possible, and among such has the fewest hits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.field import Known
from plyscope.visualizer.analysis.query.fields import Fields, fields_of
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.run import answered, hits_of, order_of
from plyscope.visualizer.analysis.query.sql import Writer
from plyscope.visualizer.analysis.query.syntax import tokens_of
from plyscope.visualizer.analysis.query.table import chosen, rows_json, usual
from plyscope.visualizer.store.tree import Tree

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Answer:
    """Rows of a log in their order, the columns that are shown of them, and notices."""

    tree: Tree
    rows: Rows
    columns: tuple[Known, ...]
    notices: tuple[str, ...] = ()
    none: NoHit | None = None
    """The facts about a query without a hit."""
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
) -> Answer:
    """The rows for which an expression is true: in the order of the search, or sorted by a field or value.

    Without `columns` those are shown that the expression names, with score and outcome. Raises QueryError.
    """
    fields = fields_of(tree)
    rows, notices = hits_of(fields, expression)
    shown = chosen(fields, usual(fields, expression) if columns is None else columns)
    ordered = sorted_rows(tree, rows, sort, descending=descending)
    none = None if len(rows) else no_hit(fields, expression)
    return Answer(tree, ordered, tuple(shown), notices, none)


def sorted_rows(tree: Tree, rows: Rows, sort: str | None, *, descending: bool = False) -> Rows:
    """`rows` in the order of `sort`, or of the search; raises QueryError."""
    return rows[places_in_order(tree, rows, sort, descending=descending)]


def places_in_order(tree: Tree, rows: Rows, sort: str | None, *, descending: bool = False) -> Rows:
    """The indices of `rows` in the order of `sort`, a field by its name, or a value; None: unsorted."""
    if sort is None:
        places = np.arange(len(rows), dtype=np.int32)
        return places[::-1] if descending else places
    fields = fields_of(tree)
    try:
        expression = fields.named(sort) or parse(sort)
        return order_of(fields, rows, expression, descending=descending)
    except QueryError as error:
        raise error.beside("sort") from None


MOST_PARTS: Final = 40
"""Parts of a condition among which a looser one is looked for."""


@dataclass(frozen=True)
class NoHit:
    """An expression that is true of no row."""

    n_rows: int
    n_unknown: int
    """The number of rows for which it is neither true nor false."""
    looser: str = ""
    """The same with some parts left out; empty where no part is true of any row."""
    n_looser: int = 0
    """Rows for which that is true."""
    without: tuple[str, ...] = ()
    """The parts that were left out."""

    def as_json(self) -> dict[str, Any]:
        """The answer's part `none`."""
        told: dict[str, Any] = {"rows": self.n_rows, "unknown": self.n_unknown}
        if self.looser:
            told["looser"] = {"q": self.looser, "total": self.n_looser, "without": list(self.without)}
        return told

    @property
    def sentences(self) -> list[str]:
        """The same in words."""
        if self.n_unknown == self.n_rows:
            found = [f"no node of {self.n_rows:,}: it is unknown at every one"]
        elif self.n_unknown:
            found = [f"no node of {self.n_rows:,}; it is unknown at {self.n_unknown:,}, false at the others"]
        else:
            found = [f"no node of {self.n_rows:,}"]
        if self.looser:
            are = "is" if self.n_looser == 1 else "are"
            hits = f"{self.n_looser:,} hit{'' if self.n_looser == 1 else 's'}"
            found.append(f"without {' and '.join(self.without)} there {are} {hits}: {self.looser}")
        return found


def no_hit(fields: Fields, expression: str) -> NoHit:
    """The answer for an expression that has no hit; raises QueryError as the query itself does."""
    n_rows = fields.log.n_rows
    parts = conjuncts(expression)
    if not 1 < len(parts) <= MOST_PARTS:
        parts = [expression]
    writer = Writer(fields)
    tests = [writer.condition(parse(part)) for part in parts]
    bits = " + ".join(
        f"(CASE WHEN {test} THEN {1 << at} ELSE 0 END)::BIGINT" for at, test in enumerate(tests)
    )
    unknown = f"({' AND '.join(tests)}) IS NULL"
    counts_of = f"count(*) AS n, count(*) FILTER ({unknown}) AS unknown"
    found = answered(writer, f"SELECT {bits} AS held, {counts_of} FROM t GROUP BY held")
    held = [int(each) for each in found["held"]]
    counts = dict(zip(held, (int(each) for each in found["n"]), strict=True))
    n_unknown = int(np.asarray(found["unknown"]).sum())
    most = max(map(int.bit_count, held), default=0)
    if most == 0:
        return NoHit(n_rows, n_unknown)
    nearest = min((each for each in held if each.bit_count() == most), key=lambda each: (counts[each], -each))
    kept = [part for at, part in enumerate(parts) if nearest >> at & 1]
    without = tuple(part for at, part in enumerate(parts) if not nearest >> at & 1)
    return NoHit(n_rows, n_unknown, " and ".join(kept), counts[nearest], without)


def conjuncts(expression: str) -> list[str]:
    """The parts of an expression that `and` joins at its top, as written; the expression if there are none.

    >>> conjuncts("(score > 1 and (depth between 2 and 4)) and not quiescence")
    ['(score > 1 and (depth between 2 and 4))', 'not quiescence']
    >>> conjuncts("depth between 2 and 4 or level = 1 and score > 0")
    ['depth between 2 and 4 or level = 1 and score > 0']
    """
    parts: list[str] = []
    depth = n_between = 0
    tokens = tokens_of(expression)
    first = tokens[0].place.start
    for token in tokens:
        if token.kind == "sign":
            depth += (token.text == "(") - (token.text == ")")
        if depth or token.kind not in ("keyword", "end"):
            continue
        if token.text == "or":
            return [expression.strip()]
        if token.text == "between":
            n_between += 1
        elif token.text == "and" and n_between:
            n_between -= 1
        elif token.text == "and" or token.kind == "end":
            parts.append(expression[first : token.place.start].strip())
            first = token.place.end
    return parts
