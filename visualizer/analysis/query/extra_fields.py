"""The fields that a log has and the format does not know, as columns: `extra.NAME`.

A log keeps them as JSON, an object a row. All are read once when one is first asked about, by a kernel if
there are many rows. Then the type of each is decided: number or flag where more than half of the rows that
state the field agree, else text. A null states nothing. Large converted logs keep these types, and the
columns of fields that most rows state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled
from plyscope.visualizer.analysis.query.field import OWN, Array, At, Known, Type
from plyscope.visualizer.formats.json_text import json_bytes, json_values
from plyscope.visualizer.formats.tape.batch import Values
from plyscope.visualizer.formats.tape.form import CONTAINERS, DOCUMENT, EVERY, ITEM, OTHER, TOP, WITHIN, Form
from plyscope.visualizer.formats.tape.kinds import ESCAPED, FALSE, N_KINDS, NULL, OBJECT, TEXT, TRUE, WHOLE
from plyscope.visualizer.formats.tape.kinds import NUMBER as FRACTION
from plyscope.visualizer.formats.tape.reading import Deep, TapeReading
from plyscope.visualizer.formats.tape.tape import MANY, ROWS, TapeError
from plyscope.visualizer.store.log import Extras, Log

AT_ONCE: Final = 20_000
"""Rows whose fields are objects of Python at one time."""
MOST_SUGGESTED: Final = 500
"""Fields that are listed to choose from, those that most rows state; every one can be asked for."""
MEANING: Final = "a field of this log, which the log format does not know"


class OwnFields:
    """The fields of one log that the format does not know."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._columns: dict[str, Known] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def names(self) -> list[str]:
        """Their names, those that most rows state first."""
        return sorted(self._kinds, key=lambda name: -self._kinds[name].total())

    def suggested(self) -> list[str]:
        """The first `MOST_SUGGESTED` of the names."""
        return self.names()[:MOST_SUGGESTED]

    def known(self, name: str) -> Known | None:
        """The field of this name, None where no row states it."""
        if name not in self._kinds:
            return None
        if name not in self._columns:
            self._columns[name] = self._read(name)
        return self._columns[name]

    def described(self, name: str) -> Known:
        """The field of this name with its type and meaning only: it has no values."""
        return Known(f"{OWN}.{name}", self._type(self._kinds[name]), MEANING, _no_values)

    @staticmethod
    def _type(kinds: Counter[str]) -> Type:
        kind, count = kinds.most_common(1)[0]
        agrees = 2 * count > kinds.total()
        return "number" if agrees and kind == "number" else "flag" if agrees and kind == "flag" else "text"

    @cached_property
    def _kinds(self) -> dict[str, Counter[str]]:
        """By name, the numbers of rows that state a number, a flag, or something else."""
        kept = self._log.kept if self._log.n_rows >= LARGE_ROWS else None
        found = kept.kinds() if kept is not None else None
        if found is None:
            found = self._found_kinds()
            if kept is not None:
                kept.keep_kinds(found)
        return found

    def _found_kinds(self) -> dict[str, Counter[str]]:
        if self._scan is not None:
            return self._scan.kinds
        counts: Counter[tuple[str, type]] = Counter()
        for _, objects in _objects(self._log.extras):
            counts.update((name, type(value)) for each in objects for name, value in each.items())
        found: dict[str, Counter[str]] = {}
        for (name, kind), count in counts.items():
            if kind is not type(None):
                found.setdefault(name, Counter())[_KIND.get(kind, "text")] += count
        return found

    @cached_property
    def _scan(self) -> ExtraScan | None:
        return scan_of(self._log.extras)

    def _read(self, name: str) -> Known:
        kinds = self._kinds[name]
        kind = self._type(kinds)
        wanted: tuple[type, ...] = (int, float) if kind == "number" else (bool,)
        dtype, absent = {
            "number": (np.float64, np.nan),
            "flag": (np.int8, -1),
        }.get(kind, (np.int32, -1))  # fmt: skip
        kept = self._log.kept
        is_worth_it = self._log.n_rows >= LARGE_ROWS and 2 * kinds.total() >= self._log.n_rows
        found = kept.find(name) if kept is not None and is_worth_it else None
        if found is not None and found.column.dtype == dtype:
            column, texts = found
        else:
            column, texts = self._made(name, kind, wanted, dtype, absent)
            if kept is not None and is_worth_it:
                kept.keep(name, column, texts)
        others = 0 if kind == "text" else kinds.total() - kinds[kind]
        notice = ""
        if others:
            said = "numbers" if kind == "number" else "true or false"
            notice = (
                f"`{OWN}.{name[:60]}` is {said}; {others:,} of the {kinds.total():,} nodes that state it "
                "state something else, which counts as unknown"
            )

        def values_at(at: At) -> Array:
            return column[at]

        return Known(f"{OWN}.{name}", kind, MEANING, values_at, absent=absent, texts=texts, notice=notice)

    def _made(
        self, name: str, kind: Type, wanted: tuple[type, ...], dtype: Any, absent: float
    ) -> tuple[Array, Sequence[str]]:
        """The column of a field, and its texts by code."""
        column: npt.NDArray[Any] = np.full(self._log.n_rows, absent, dtype)
        codes: dict[str, int] = {}
        if self._scan is not None:
            if kind == "text":
                codes = dict.fromkeys(self._scan.texts(name, column, _text), 0)
            elif kind == "number":
                self._scan.numbers(name, column)
            else:
                self._scan.flags(name, column)
        for rows, objects in _objects(self._log.extras) if self._scan is None else ():
            values = [each.get(name) for each in objects]
            if kind == "text":
                column[rows] = [
                    -1 if value is None else codes.setdefault(_text(value), len(codes)) for value in values
                ]
            else:
                column[rows] = [_number(value) if type(value) in wanted else absent for value in values]
        return column, list(codes)


def _no_values(at: At) -> Array:
    raise AssertionError("a described field has no values")


_KIND: Final[dict[type, str]] = {int: "number", float: "number", bool: "flag"}


def _number(value: Any) -> float:
    """A number as a float; whole numbers beyond the largest float are infinite."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json_bytes(value).decode()


def _objects(extras: Extras | None) -> Iterator[tuple[npt.NDArray[np.int32], list[dict[str, Any]]]]:
    """The rows that have such fields and their objects, `AT_ONCE` at a time."""
    if extras is None:
        return
    for first in range(0, len(extras.rows), AT_ONCE):
        rows = extras.rows[first : first + AT_ONCE]
        starts = extras.starts[first : first + len(rows) + 1].tolist()
        piece = bytes(extras.blob[starts[0] : starts[-1]])
        yield rows, json_values(piece, [start - starts[0] for start in starts])


LARGE_ROWS: Final = 100_000
"""From this many rows on, machine code is worth loading."""
KINDS: Final = ("number", "flag", "null", "text")
NUMBER: Final = (WHOLE, FRACTION)
FLAG: Final = (FALSE, TRUE)
KIND_OF: Final = np.full(N_KINDS, KINDS.index("text"), np.int64)
KIND_OF[[*NUMBER]] = KINDS.index("number")
KIND_OF[[*FLAG]] = KINDS.index("flag")
KIND_OF[NULL] = KINDS.index("null")


class ExtraScan:
    """The members of all objects of a log's unknown fields, found by a tape."""

    def __init__(self, extras: Extras, run: Callable[[Any], Any] = compiled, rows: int = ROWS) -> None:
        self._extras, self._run, self._n_rows = extras, run, rows

    @cached_property
    def kinds(self) -> dict[str, Counter[str]]:
        """By name, the numbers of rows that state a number, a flag or something else; nulls do not count."""
        form, member = _form(OTHER, EVERY)
        reading = self._reading(form)
        counts = np.zeros(0, np.int64)
        for values in _values(reading, member):
            codes = values.keys() * len(KINDS) + KIND_OF[values.kinds]
            found = np.bincount(codes, minlength=len(counts))
            found[: len(counts)] += counts
            counts = found
        n_names = -(-len(counts) // len(KINDS))
        rows = np.pad(counts, (0, n_names * len(KINDS) - len(counts))).reshape(n_names, len(KINDS)).tolist()
        return {
            reading.name(key): Counter(
                {kind: n for kind, n in zip(KINDS, row, strict=True) if n and kind != "null"}
            )
            for key, row in enumerate(rows)
            if sum(row) > row[KINDS.index("null")]
        }

    def numbers(self, name: str, column: Array) -> None:
        """Fill in the numbers of a field."""
        form, member = _form(name, NUMBER)
        for values in _values(self._reading(form), member):
            column[self._extras.rows[values.nodes]] = values.numbers

    def flags(self, name: str, column: Array) -> None:
        """Fill in the flags of a field, 1 and 0."""
        form, member = _form(name, FLAG)
        for values in _values(self._reading(form), member):
            column[self._extras.rows[values.nodes]] = values.kinds == TRUE

    def texts(self, name: str, column: Array, text: Callable[[Any], str]) -> list[str]:
        """Fill in the codes of a field's texts, and return these; `text` converts other values."""
        form, member = _form(name, [kind for kind in EVERY if kind != NULL and kind not in CONTAINERS])
        deep, inside = form.role("list or object", extra=TOP), form.role("in it", extra=WITHIN)
        form.step(ROW, name, deep, CONTAINERS)
        for holder in (deep, inside):
            form.step(holder, OTHER, inside)
        reading, held = self._reading(form), Deep()
        reading.divert({deep: held})
        texts, rows = reading.texts(), self._extras.rows
        for values in _values(reading, member):
            is_text = (values.kinds == TEXT) | (values.kinds == ESCAPED)
            codes = values.codes(texts)
            others = np.flatnonzero(~is_text)
            codes[others] = texts.of_values([text(values.at(index)) for index in others.tolist()])
            column[rows[values.nodes]] = codes
        if held.nodes:
            column[rows[held.nodes]] = texts.of_values([text(value) for value in held.values()])
        return texts.all()

    def _reading(self, form: Form) -> TapeReading:
        return TapeReading(form, self._extras.blob, mode=MANY, run=self._run, rows=self._n_rows)


ROW: Final = 2
"""The role of the object of a row."""


def _form(name: Any, kinds: Iterable[int]) -> tuple[Form, int]:
    """The form of objects in a row, and the role of the members of a name that are of these kinds."""
    form = Form()
    assert form.role("row", makes_node=True) == ROW
    member = form.role("member", is_wanted=True)
    form.step(DOCUMENT, ITEM, ROW, [OBJECT])
    form.step(ROW, name, member, kinds)
    return form, member


def _values(reading: TapeReading, role: int) -> Iterator[Values]:
    """The values of a role, some thousand at a time."""
    for batch in reading.batches():
        if role in batch.values:
            yield batch.values[role]


def scan_of(extras: Extras | None) -> ExtraScan | None:
    """A scan of the unknown fields, where there are many; None where they are to be read as objects."""
    if extras is None or len(extras.rows) < LARGE_ROWS:
        return None
    scan = ExtraScan(extras)
    try:
        return scan if scan.kinds else None
    except TapeError:
        return None
