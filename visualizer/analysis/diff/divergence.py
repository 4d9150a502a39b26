"""The first event at which two searches part, in the order of time.

Two depth-first searches are the same as long as their rows are. A row is entered and later left: ply, depth,
window and static may differ at the first event, the result at the second. So the score of a root, which is in
the first row, is the last to differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.columns.rounding import are_close
from plyscope.visualizer.store import words
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

ENTERED: Final = (
    "player",
    "purpose",
    "quiescence",
    "depth",
    "reduction",
    "extension",
    "alpha",
    "beta",
    "tt_use",
    "tt_depth",
    "tt_bound",
    "tt_score",
    "pre_score",
    "prior",
    "static",
    "in_check",
    "count",
)
"""Columns that are known on entering a row, those that say most first."""
LEFT: Final = (
    *("outcome", "score", "bound", "cut_by", "ending", "stand_pat", "moves"),
    *("counted_as", "estimate", "mean", "visits", "wins", "draws", "losses"),
)
"""Columns that are known on leaving it."""


@dataclass(frozen=True)
class Difference:
    """A field and both values, as a log writes them; None where a row does not state it."""

    field: str
    old: Any
    new: Any


@dataclass(frozen=True)
class Divergence:
    """The first event at which two runs differ: rows of both logs (None if one has no more), and the fields.

    `when` is `entered` or `left`. Of fields that differ there the first says most.
    """

    when: str
    old: int | None
    new: int | None
    number: int
    """Rows that both runs entered before it, this one included: its place, from 1."""
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Span:
    """Rows `[begin, end)` of a log, and its plies as numbers that mean the same in both."""

    log: Log
    begin: int
    end: int
    plies: Array


def first_divergence(old: Span, new: Span) -> Divergence | None:
    """Return the first event at which two runs differ; None if they agree in all that both logs state."""
    n_both = min(old.end - old.begin, new.end - new.begin)
    same = _same_rows(old, new, n_both)
    spans = (old, new)
    levels = [span.log.columns["level"][span.begin : span.begin + same] for span in spans]
    parts_at = _times_of_parting(spans, same)
    best, at, when = parts_at, same, "entered"
    entered = _first_unlike(spans, same, ENTERED)
    if entered is not None and 2 * entered - int(levels[0][entered]) < best:
        best, at, when = 2 * entered - int(levels[0][entered]), entered, "entered"
    ends = [span.log.columns["end"][span.begin : span.begin + same] - np.int32(span.begin) for span in spans]
    left_at = 2 * ends[0].astype(np.int64) - levels[0] - 1
    is_left = left_at < best
    unlike = np.zeros(same, np.bool_)
    for name in LEFT:
        unlike |= _unlike(spans, same, name)
    candidates = np.flatnonzero(unlike & is_left)
    if len(candidates):
        at, when = int(candidates[np.argmin(left_at[candidates])]), "left"
        best = int(left_at[at])
    if best >= parts_at:
        if same == old.end - old.begin == new.end - new.begin:
            return None
        if (returned := _left_early(spans, same)) is not None:
            return returned
        return Divergence("entered", *_rows(spans, same), same + 1, _of_structure(spans, same))
    names = ENTERED if when == "entered" else LEFT
    return Divergence(when, *_rows(spans, at), at + 1, _differences(spans, at, names))


def _rows(spans: Sequence[Span], at: int) -> tuple[int | None, int | None]:
    old, new = (span.begin + at if at < span.end - span.begin else None for span in spans)
    return old, new


def _same_rows(old: Span, new: Span, n_both: int) -> int:
    """Rows that stand alike in both from the beginning: level, ply, kind of stub; a window may differ."""
    alike = np.ones(n_both, np.bool_)
    for values in (_levels, _plies, _stubs, _asides):
        alike &= values(old, n_both) == values(new, n_both)
    return n_both if alike.all() else int(np.argmin(alike))


def _left_early(spans: Sequence[Span], same: int) -> Divergence | None:
    """The node that one run left where the other went on below it, if its outcome says why; else None."""
    deepest: int | None = None
    level = -1
    for span in spans:
        row = span.begin + same
        if row < span.end and int(span.log.columns["level"][row]) > level:
            level = int(span.log.columns["level"][row])
            deepest = int(span.log.columns["parent"][row]) - span.begin
    levels = {
        int(span.log.columns["level"][span.begin + same]) for span in spans if span.begin + same < span.end
    }
    if (
        deepest is None
        or deepest < 0
        or (len(levels) < 2 and all(span.begin + same < span.end for span in spans))
    ):
        return None
    differences = _differences(spans, deepest, ("outcome", "cut_by"))
    if not differences:
        return None
    return Divergence("left", *_rows(spans, deepest), deepest + 1, differences)


def _levels(span: Span, n_rows: int) -> Array:
    return span.log.columns["level"][span.begin : span.begin + n_rows]


def _plies(span: Span, n_rows: int) -> Array:
    return np.asarray(span.plies[span.log.columns["ply"][span.begin : span.begin + n_rows]])


def _stubs(span: Span, n_rows: int) -> Array:
    outcome = span.log.columns["outcome"][span.begin : span.begin + n_rows]
    return np.asarray(np.where(outcome >= words.FIRST_STUB, outcome, 0))


def _asides(span: Span, n_rows: int) -> Array:
    purpose = span.log.columns.get("purpose")
    if purpose is None:
        return np.zeros(n_rows, np.uint8)
    part = purpose[span.begin : span.begin + n_rows]
    return np.asarray(np.where((part == words.NULL) | (part == words.PROBE), part, 0))


def _times_of_parting(spans: Sequence[Span], same: int) -> int:
    """The time from which the runs do other things: the earlier of their next steps down."""
    times = [
        2 * same - int(span.log.columns["level"][span.begin + same])
        for span in spans
        if same < span.end - span.begin
    ]
    if len(times) < 2:  # one of them ends: it leaves all that is open, the other may go on below
        levels = [int(span.log.columns["level"][span.begin]) for span in spans]
        times.append(2 * same - levels[0] if times else 2 * same + 1)
    return min(times)


def _first_unlike(spans: Sequence[Span], n_rows: int, names: Sequence[str]) -> int | None:
    first: int | None = None
    for name in names:
        unlike = _unlike(spans, n_rows if first is None else first, name)
        if unlike.any():
            first = int(np.argmax(unlike))
    return first


def _unlike(spans: Sequence[Span], n_rows: int, name: str) -> npt.NDArray[np.bool_]:
    """True for the first rows where both logs have this column and it differs."""
    columns = [span.log.columns.get(name) for span in spans]
    if not _is_in_both(spans, name):
        return np.zeros(n_rows, np.bool_)
    one, other = (
        column[span.begin : span.begin + n_rows]
        for column, span in zip(columns, spans, strict=True)
        if column is not None
    )
    if name == "player":
        return np.asarray(_named(spans[0].log)[one] != _named(spans[1].log)[other])
    if one.dtype.kind == "f":
        return ~are_close(one, other)
    return np.asarray(one != other)


def _is_in_both(spans: Sequence[Span], name: str) -> bool:
    """Whether both logs state this field somewhere; a field that one never states cannot differ."""
    for span in spans:
        column = span.log.columns.get(name)
        if column is None or (name in ("outcome", "bound") and not column.any()):
            return False
    return True


def _named(log: Log) -> Array:
    """The names of players, and behind them that of none, as text."""
    return np.array([*log.players, ""], dtype=object)


def _differences(spans: Sequence[Span], at: int, names: Sequence[str]) -> tuple[Difference, ...]:
    found = []
    for name in names:
        if _unlike([Span(s.log, s.begin + at, s.end, s.plies) for s in spans], 1, name)[0]:
            old, new = (value(span.log, span.begin + at, name) for span in spans)
            found.append(Difference(_FIELD_OF[name], old, new))
    return tuple(found)


def _of_structure(spans: Sequence[Span], at: int) -> tuple[Difference, ...]:
    """Describe the next row of each run: its ply or stub, its level, its purpose."""
    rows = _rows(spans, at)
    logs = [span.log for span in spans]
    if None in rows:
        told = [None if row is None else _what(log, row) for log, row in zip(logs, rows, strict=True)]
        return (Difference("ply", *told),)
    found = []
    for field, tell in (("ply", _what), ("level", _level), ("purpose", _purpose)):
        old, new = (tell(log, row) for log, row in zip(logs, rows, strict=True) if row is not None)
        if old != new:
            found.append(Difference(field, old, new))
    return tuple(found)


def _what(log: Log, row: int) -> str | None:
    outcome = int(log.columns["outcome"][row])
    if outcome >= words.FIRST_STUB:
        return f"({words.OUTCOMES[outcome]})"
    return log.text(int(log.columns["ply"][row]))


def _level(log: Log, row: int) -> int:
    return int(log.columns["level"][row])


def _purpose(log: Log, row: int) -> str | None:
    found = value(log, row, "purpose")
    return found if isinstance(found, str) else None


_FIELD_OF: Final[Mapping[str, str]] = {field.column: field.name for field in FIELDS.values()}


def value(log: Log, row: int, name: str) -> Any:
    """The value of a column at a row, as a log writes it; None where it is not stated."""
    column = log.columns.get(name)
    if column is None:
        return None
    found = column[row]
    field = FIELDS[_FIELD_OF[name]]
    if field.vocabulary is not None:
        return field.vocabulary.words[int(found)] or None
    if field.kind == "player":
        return log.players[int(found)] if found >= 0 else None
    if column.dtype.kind == "f":
        return None if np.isnan(found) else float(found)
    if field.kind == "flag":
        return None if found < 0 else bool(found)
    return None if found < 0 else int(found)
