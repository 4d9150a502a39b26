"""The answer to a query without a hit: where it is unknown, and the nearest looser condition with hits.

All parts that `and` joins are tested for every row in one pass; the looser condition drops as few of them as
it can, and of several such has the fewest hits.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.run import SECONDS, fetched
from plyscope.visualizer.analysis.query.sql import Writer
from plyscope.visualizer.analysis.query.tokens import tokens_of

MOST_PARTS: Final = 40
"""Parts of a condition among which a looser one is looked for."""


@dataclass(frozen=True)
class NoHit:
    """An expression that is true of no row."""

    n_rows: int
    n_unknown: int
    """Rows of which it is neither true nor false."""
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


def no_hit(fields: Fields, expression: str, *, seconds: float = SECONDS) -> NoHit:
    """The answer for an expression that has no hit; raises QueryError as the query itself does."""
    deadline = time.monotonic() + seconds
    n_rows = fields.log.n_rows
    parts = conjuncts(expression)
    if not 1 < len(parts) <= MOST_PARTS:
        parts = [expression]
    writer = Writer(fields, deadline=deadline)
    tests = [writer.condition(parse(part)) for part in parts]
    bits = " + ".join(
        f"(CASE WHEN {test} THEN {1 << at} ELSE 0 END)::BIGINT" for at, test in enumerate(tests)
    )
    unknown = f"({' AND '.join(tests)}) IS NULL"
    found = fetched(
        {**writer.columns, "row": np.arange(n_rows, dtype=np.int32)},
        f"SELECT {bits} AS held, count(*) AS n, count(*) FILTER ({unknown}) AS unknown FROM t GROUP BY held",
        deadline,
    )
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
    """The parts of an expression that `and` joins at its top, as they are written; itself where it has none.

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
