"""The unknown fields of a large log, read where they stand in its bytes, without an object a row.

It finds what `extra_fields` finds by reading objects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.tape.batch import Values
from plyscope.visualizer.formats.tape.form import CONTAINERS, DOCUMENT, EVERY, ITEM, OTHER, TOP, WITHIN, Form
from plyscope.visualizer.formats.tape.kinds import ESCAPED, FALSE, N_KINDS, NULL, OBJECT, TEXT, TRUE, WHOLE
from plyscope.visualizer.formats.tape.kinds import NUMBER as FRACTION
from plyscope.visualizer.formats.tape.reading import Deep, TapeReading
from plyscope.visualizer.formats.tape.tape import MANY, ROWS, TapeError
from plyscope.visualizer.store.log import Extras

Array = npt.NDArray[Any]

LARGE_ROWS: Final = 100_000
"""From so many rows on machine code is worth loading."""
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
        """By name, how many rows state a number, a flag or something else; nulls state nothing."""
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
        """Fill in the codes of a field's texts, and return those; `text` writes what is no text."""
        form, member = _form(name, [kind for kind in EVERY if kind != NULL and kind not in CONTAINERS])
        deep, inside = form.role("list or object", extra=TOP), form.role("in it", extra=WITHIN)
        form.step(ROW, name, deep, CONTAINERS)
        for holder in (deep, inside):
            form.step(holder, OTHER, inside)
        reading, held = self._reading(form), Deep()
        reading.divert({deep: held})
        texts, rows = reading.texts(joined=True), self._extras.rows
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
