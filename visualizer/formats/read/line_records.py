"""The records of lines, batch by batch: fields, ids and parents of nodes, and lines that are no node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.literal.duplicate_keys import may_have_duplicate_keys, notices_of_duplicates
from plyscope.visualizer.formats.literal.reader import read_literal
from plyscope.visualizer.formats.read.forms import lines_form
from plyscope.visualizer.formats.read.gather import A_NAME, Gatherer
from plyscope.visualizer.formats.read.names import FIRST_LARGE, FIRST_TEXT, NOTHING, Names
from plyscope.visualizer.formats.read.result_lines import ResultLines
from plyscope.visualizer.formats.seal.values import INT64
from plyscope.visualizer.formats.tape.batch import Batch, Values
from plyscope.visualizer.formats.tape.kinds import NULL
from plyscope.visualizer.formats.tape.reading import Reading, TapeReading
from plyscope.visualizer.formats.tape.tape import Run, TapeError
from plyscope.visualizer.formats.tape.twice import Twice

Array = npt.NDArray[Any]
Named = tuple[Array, Array]
"""Records, and the numbers of the ids that they name."""
TakeTop = Callable[[Batch, Named | None, Named | None, Names], None]

NAMED_TWICE: Final = ("id", "parent")
"""Names that a line may have only once."""


class LineRecords:
    """Gathers the records of lines, batch by batch.

    After `finish`, `ids` and `parents` hold by record the numbers of these names in `names`, NOTHING where a
    record has none.
    """

    def __init__(self, reading: Reading, run: Run) -> None:
        self._form, self._reading = lines_form(), reading
        self._twice = Twice(run)
        self.gatherer = Gatherer(self._form.fields, reading, run)
        self.names = Names(self._reading.texts())
        self._named: list[Named] = []
        self._named_above: list[Named] = []
        self._n_records = 0
        self._begins: list[Array] = []

    def take_tape(self, on_top: TakeTop | None = None) -> bool:
        """Take a whole tape; False where a library has to parse a line.

        `on_top` is called for each batch, with the ids and the parents in it by their numbers in `names`.
        """
        reading = self._reading
        assert isinstance(reading, TapeReading)
        try:
            for batch in reading.batches():
                assert batch.piece is not None
                if self._twice.is_in(batch.piece, reading.tape.n_names):
                    return False
                self._begins.append(batch.piece.begin[batch.rows])
                ids, parents = self.take(batch)
                if on_top is not None:
                    on_top(batch, ids, parents, self.names)
        except TapeError:
            return False
        if reading.tape.is_cut:
            return False
        self.finish()
        return True

    def take(self, batch: Batch) -> tuple[Named | None, Named | None]:
        """Take the records of a batch and their fields; returns the ids and the parents that they name."""
        form, problems = self._form, self.gatherer.problems
        ids = parents = None
        self._n_records = batch.first + len(batch.parents)
        for role, values in batch.values.items():
            if role == form.id:
                expected = "expected a whole number or a text"
                ids = self._take_names(self._named, values, 1, expected, "id")
                self._check_digits(*ids)
            elif role == form.parent:
                if (is_null := values.kinds == NULL).any():
                    values = values.where(~is_null)
                if len(values):
                    expected = "expected the id of a node or null"
                    parents = self._take_names(self._named_above, values, 3, expected, "parent")
            elif role == form.children:
                message = "found `children`, expected each child on a line of its own that names its `parent`"
                problems.add_first(int(values.nodes.min()), 2, message, "children")
            elif role == form.no_object:
                message = f"found {shown(values.at(0))}, expected an object"
                n_new = int(np.count_nonzero(batch.role[: values.rows[0]] == form.record))
                problems.add_first(batch.first + n_new, 0, message)
        self.gatherer.take(batch)
        return ids, parents

    def _take_names(self, named: list[Named], values: Values, order: int, expected: str, field: str) -> Named:
        """Add to `named`; the first name that is none is what is wrong, in this order of its record."""
        numbers, is_bad = self.names.numbers(values)
        records = values.nodes
        if is_bad.any():
            at = int(np.argmax(is_bad))
            message = f"found {shown(values.at(at))}, {expected}"
            self.gatherer.problems.add_first(int(records[at]), order, message, field)
            numbers = np.where(is_bad, NOTHING + 1, numbers)
        named.append((records, numbers))
        return records, numbers

    def _check_digits(self, records: Array, numbers: Array) -> None:
        """Notice the first id that has more than 64 bits."""
        large = np.flatnonzero((numbers >= FIRST_LARGE) & (numbers < FIRST_TEXT))
        for record, name in zip(records[large].tolist(), self.names.listed(numbers[large]), strict=True):
            if abs(name) > INT64:
                self.gatherer.problems.add_first(record, 1, f"found {shown(name)}, {A_NAME}", "id")
                break

    def finish(self) -> None:
        """Take the lists that waited for more items, and put ids and parents in order of records."""
        self.gatherer.finish()
        self.ids = _by_record(self._named, self._n_records)
        self.parents = _by_record(self._named_above, self._n_records)

    @property
    def begins(self) -> Array:
        """By record of a tape, the byte at which it begins."""
        return np.concatenate(self._begins) if self._begins else np.zeros(0, np.int64)

    def first_problem(self) -> tuple[int, Callable[[int], LogError]] | None:
        """The first record with something wrong, and the error by its line."""
        if not self.gatherer.problems:
            return None
        problem = self.gatherer.problems.first()
        path = f"$.{problem.field}{problem.inside}" if problem.field else None
        return problem.node, lambda line: LogError(problem.message, line=line, path=path)


def _by_record(pieces: list[tuple[Array, Array]], n_records: int) -> Array:
    """Numbers by record, NOTHING where there is none; empties `pieces`, to save memory."""
    numbers = np.full(n_records, NOTHING, np.int64)
    pieces.reverse()
    while pieces:
        records, of_records = pieces.pop()
        numbers[records] = of_records
    return numbers


def may_be_twice(line: bytes, fields: Any) -> bool:
    """Whether a line of JSON, which a library parsed as `fields`, may have a name twice."""
    is_plain = type(fields) is dict and line.count(b":") == len(fields)
    return not is_plain and may_have_duplicate_keys(line)


def odd_line(line: bytes, number: int) -> tuple[Any, list[tuple[str | None, str]]]:
    """The value of a line that is no strict JSON (numbers that JSON lacks, a literal) or has a name twice.

    Also its notices, each with the name that comes twice, if it is about one.
    """
    literal = read_literal(decoded(line, first_line=number), first_line=number)
    said: list[tuple[str | None, str]] = [(None, notice) for notice in literal.notices]
    return literal.value, [*said, *notices_of_duplicates(literal, NAMED_TWICE).items()]


def check_header(fields: dict[str, Any]) -> None:
    """Raise LogError, without the line's number, where this is no header of lines."""
    if "root" in fields or "roots" in fields:
        raise LogError("found a tree in the header, expected a node a line")
    read_header(fields)


def take_beside(fields: Any, results: ResultLines, n_before: int) -> None:
    """Take a line after the header that is no node. Raises LogError without the line's number."""
    if type(fields) is not dict:
        raise LogError(f"found {shown(fields)}, expected an object")
    if "plyscope" in fields:
        raise LogError("found a second header, expected it on the first line only")
    if "result" not in fields:
        raise LogError("this line has no `id`, expected one on every node")
    results.take(fields, n_before)


def incomplete(line: int) -> str:
    """The notice of an incomplete last line."""
    return f"The log is cut short: its last line, line {line}, is incomplete and was left out."
