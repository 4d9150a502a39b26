"""The values of a field or expression as colours of nodes: a scale for the whole log, and the values of some.

The scale is laid out once from all rows, so that it stays while one walks the tree. A row that does not state
the value has no colour; the answer counts such rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.nodes.node_json import cut, number
from plyscope.visualizer.analysis.query.field import ALL, Known
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.run import answered
from plyscope.visualizer.analysis.query.sql import Writer
from plyscope.visualizer.analysis.query.table import Rows, absent_at, cells

SHARE: Final = 0.01
"""The share of values beyond either end of a scale, which a few outliers would make useless otherwise."""
LARGE_COUNT: Final = 100
"""From this largest count on, the scale is logarithmic: most nodes are near leaves, and would look alike."""
MOST_CATEGORIES: Final = 8
"""Values that have a colour of their own, the most frequent ones; the others share one."""
LONGEST_VALUE: Final = 80

Kind = Literal["number", "flag", "category"]


@dataclass(frozen=True)
class Colouring:
    """The kind of a field or expression, the number of rows that state it, and its scale."""

    kind: Kind
    n_stated: int
    n_absent: int
    """Nodes that do not state it; stubs are not counted."""
    ends: tuple[float, float] | None = None
    """The ends of the scale of numbers, whose colours values beyond have; None where none is finite."""
    range: tuple[float, float] | None = None
    """The least and the greatest finite number."""
    is_logarithmic: bool = False
    """Whether equal steps of colour are equal ratios of 1 + the number, from the least to the greatest."""
    categories: tuple[tuple[Any, int], ...] = ()
    """The most frequent values, each with its rows; of a flag true and false."""
    n_other_values: int = 0
    n_other_rows: int = 0
    notices: tuple[str, ...] = ()
    _values: Callable[[Rows], list[Any]] = field(repr=False, compare=False, default=lambda rows: [])

    def values(self, rows: Rows) -> list[Any]:
        """The values at `rows` as JSON has them, None where one is not stated; texts are whole."""
        return self._values(rows)

    def place(self, value: Any) -> int | None:
        """The index of a value's category, -1 for `others`; None where it has none."""
        if self.kind != "category" or value is None:
            return None
        return next((at for at, (each, _) in enumerate(self.categories) if each == value), -1)

    def as_json(self) -> dict[str, Any]:
        """The scale, for a legend."""
        told: dict[str, Any] = {"kind": self.kind, "stated": self.n_stated, "absent": self.n_absent}
        if self.ends is not None and self.range is not None:
            told |= {"low": self.ends[0], "high": self.ends[1]}
            told |= {"least": self.range[0], "greatest": self.range[1]}
            told |= {"logarithmic": True} if self.is_logarithmic else {}
        if self.kind != "number":
            told["categories"] = [{"value": short(value), "rows": n} for value, n in self.categories]
        if self.n_other_values:
            told |= {"other_values": self.n_other_values, "other_rows": self.n_other_rows}
        return told | ({"notices": list(self.notices)} if self.notices else {})


def colouring(fields: Fields, expression: str) -> Colouring:
    """The scale of a field or expression over all rows; raises QueryError as queries do."""
    value = fields.named(expression.strip()) or parse(expression)
    writer = Writer(fields, [value])
    typed = writer.value(value)
    known = typed.known
    is_stub = fields.tree.is_stub
    make: partial[Colouring]
    if known is not None:
        column = known.column(ALL)
        absent = absent_at(fields, known, column, ALL)
        read: Callable[[Rows], list[Any]] = partial(cells, fields, known, longest=None)
        kind: Kind = "number" if typed.kind == "number" else "flag" if typed.kind == "flag" else "category"
    else:
        found = answered(writer, f"SELECT ({typed.comparable}) AS value FROM t")["value"]
        column, absent = np.ma.getdata(found), np.ma.getmaskarray(found)
        kind = "flag" if typed.kind == "flag" else "number"
        read = partial(_calculated, fields, expression)

    make = partial(
        Colouring,
        kind,
        int((~absent).sum()),
        int((absent & ~is_stub).sum()),
        notices=tuple(writer.notices),
        _values=read,
    )
    stated = column[~absent]
    match kind:
        case "number":
            ends, whole, is_logarithmic = _ends(stated.astype(np.float64))
            return make(ends=ends, range=whole, is_logarithmic=is_logarithmic)
        case "flag":
            n_true = int((stated == 1).sum())
            return make(categories=((True, n_true), (False, len(stated) - n_true)))
    assert known is not None
    return _categories(make, known, fields, column, absent)


def _ends(
    values: npt.NDArray[np.float64],
) -> tuple[tuple[float, float] | None, tuple[float, float] | None, bool]:
    """The ends of the scale, the least and the greatest number, and whether the scale is logarithmic."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None, None, False
    whole = float(finite.min()), float(finite.max())
    if whole[0] >= 0 and whole[1] >= LARGE_COUNT and bool((finite == np.floor(finite)).all()):
        return whole, whole, True
    beyond = int(SHARE * len(finite))
    inner = np.partition(finite, (beyond, len(finite) - 1 - beyond))
    ends = float(inner[beyond]), float(inner[len(finite) - 1 - beyond])
    return (ends if ends[0] < ends[1] else whole), whole, False


def _categories(
    make: partial[Colouring],
    known: Known,
    fields: Fields,
    column: npt.NDArray[Any],
    absent: npt.NDArray[np.bool_],
) -> Colouring:
    """The most frequent values; of equally frequent ones those that come first in the search."""
    rows = np.flatnonzero(~absent)
    distinct, first, counts = np.unique(column[rows], return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))[:MOST_CATEGORIES]
    said = cells(fields, known, rows[first[order]], longest=None)
    others = len(distinct) - len(order)
    return make(
        categories=tuple(zip(said, counts[order].tolist(), strict=True)),
        n_other_values=others,
        n_other_rows=int(counts.sum() - counts[order].sum()),
    )


def _calculated(fields: Fields, expression: str, rows: Rows) -> list[Any]:
    writer = Writer(fields, rows=np.asarray(rows, np.int64))
    typed = writer.value(parse(expression))
    if not writer.n_rows:
        return []
    found = answered(writer, f"SELECT row, ({typed.comparable}) AS value FROM t ORDER BY row")["value"]
    values, absent = np.ma.getdata(found).tolist(), np.ma.getmaskarray(found).tolist()
    said = bool if typed.kind == "flag" else number
    return [None if missing else said(value) for value, missing in zip(values, absent, strict=True)]


def short(value: Any) -> Any:
    """A value for the page: a text is cut at `LONGEST_VALUE`."""
    return cut(value, LONGEST_VALUE) if isinstance(value, str) else value
