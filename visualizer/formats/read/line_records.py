"""The records of lines, batch by batch, and what a line may hold beside the fields of a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.literal.duplicate_keys import may_have_duplicate_keys, notices_of_duplicates
from plyscope.visualizer.formats.literal.reader import read_literal
from plyscope.visualizer.formats.read.forms import lines_form
from plyscope.visualizer.formats.read.gather import Gatherer
from plyscope.visualizer.formats.read.names import NOTHING, Names
from plyscope.visualizer.formats.read.records import Records
from plyscope.visualizer.formats.read.result_lines import ResultLines
from plyscope.visualizer.formats.tape.batch import Batch, Values
from plyscope.visualizer.formats.tape.kinds import NULL
from plyscope.visualizer.formats.tape.reading import Reading
from plyscope.visualizer.formats.tape.tape import Run

Array = npt.NDArray[Any]
Named = tuple[Array, Array]
"""Records, and the numbers of what they name."""

MOST_BESIDE: Final = 1_000
"""Lines that are of no node, as that of a result; where there are more, each line is looked at by itself."""
NAMED_TWICE: Final = ("id", "parent")
"""Names that a line may not write twice."""


class LineRecords:
    """What takes the batches of records.

    Once it has finished, `ids` and `parents` are by record the numbers that stand for these `names`, NOTHING
    where there is none.
    """

    def __init__(self, reading: Reading, run: Run) -> None:
        self._form, self._reading = lines_form(), reading
        self.gatherer = Gatherer(self._form.fields, reading, run)
        self._begin()

    def begin_anew(self) -> None:
        """Take further records apart from those before, counted from 0."""
        self.gatherer.begin_anew()
        self._begin()

    def _begin(self) -> None:
        self.names = Names(self._reading.texts(joined=True))
        self._named: list[tuple[Array, Array]] = []
        self._named_above: list[tuple[Array, Array]] = []
        self._wrong: list[tuple[int, int, str, str]] = []
        """Records with something wrong about ids, or as a whole: how soon it is said, message and path."""
        self._n_records = 0
        self._beside: dict[int, int] = {}
        """Where records begin that had no id in their batch."""

    def take(self, batch: Batch) -> tuple[Named | None, Named | None]:
        """Take the records of a batch, and what they state; returns the ids and parents that they name."""
        form = self._form
        ids = parents = None
        self._n_records = batch.first + len(batch.parents)
        for role, values in batch.values.items():
            if role == form.id:
                ids = self._take_ids(values)
            elif role == form.parent:
                parents = self._take_parents(values)
            elif role == form.children:
                message = "found `children`, expected each child on a line of its own that names its `parent`"
                self._wrong.append((int(values.nodes.min()), 1, message, "$.children"))
            elif role == form.no_object:
                message = f"found {shown(values.at(0))}, expected an object"
                n_new = int(np.count_nonzero(batch.role[: values.rows[0]] == form.record))
                self._wrong.append((batch.first + n_new, -1, message, ""))
        if batch.piece is not None:
            self._find_beside(batch)
        self.gatherer.take(batch)
        return ids, parents

    def _find_beside(self, batch: Batch) -> None:
        """Remember where records begin that have no id so far."""
        ids = batch.values.get(self._form.id)
        n_new = len(batch.parents)
        with_id = np.zeros(0, np.int32) if ids is None else ids.nodes[ids.nodes >= batch.first]
        if len(with_id) == n_new or len(self._beside) > MOST_BESIDE:
            return
        has_id = np.zeros(n_new, np.bool_)
        has_id[with_id - batch.first] = True
        rows = np.flatnonzero(batch.role == self._form.record)
        assert batch.piece is not None
        for at in np.flatnonzero(~has_id)[: MOST_BESIDE + 1].tolist():
            self._beside[batch.first + at] = int(batch.piece.begin[rows[at]])

    def _take_ids(self, values: Values) -> Named:
        numbers, is_bad = self.names.numbers(values)
        records = values.nodes
        if is_bad.any():
            at = int(np.argmax(is_bad))
            message = f"found {shown(values.at(at))}, expected a whole number or a text"
            self._wrong.append((int(records[at]), 0, message, "$.id"))
            numbers = np.where(is_bad, NOTHING + 1, numbers)
        self._named.append((records, numbers))
        return records, numbers

    def _take_parents(self, values: Values) -> Named | None:
        is_null = values.kinds == NULL
        if is_null.any():
            values = values.where(~is_null)
            if not len(values):
                return None
        numbers, is_bad = self.names.numbers(values)
        records = values.nodes
        if is_bad.any():
            at = int(np.argmax(is_bad))
            message = f"found {shown(values.at(at))}, expected the id of a node or null"
            self._wrong.append((int(records[at]), 2, message, "$.parent"))
            records, numbers = records[~is_bad], numbers[~is_bad]
        self._named_above.append((records, numbers))
        return records, numbers

    def finish(self) -> None:
        """Take what waited for more."""
        self.gatherer.finish()
        self.ids = _by_record(self._named, self._n_records)
        self.parents = _by_record(self._named_above, self._n_records)
        self._has_id = self.ids != NOTHING

    @property
    def n_without_id(self) -> int:
        """Records without an id."""
        return self._n_records - int(np.count_nonzero(self._has_id))

    def is_without_id(self, record: int) -> bool:
        """Whether a record is of no node."""
        return record < self._n_records and not self._has_id[record]

    def without_id(self) -> list[tuple[int, int]]:
        """The records without an id, and where each begins."""
        return [(record, place) for record, place in self._beside.items() if not self._has_id[record]]

    def n_with_id(self, record: int) -> int:
        """How many records of nodes stand before this one."""
        return int(np.count_nonzero(self._has_id[:record]))

    def records(
        self, header: dict[str, Any] | None, results: ResultLines, line_of: Callable[[int], int]
    ) -> Records:
        """All that is known of the nodes of records; `line_of` is the line of a record."""
        ids, parents = self.ids, self.parents
        del self.ids, self.parents
        return Records(ids, parents, self.names, header, results, line_of)

    def first_problem(self, containers: Sequence[Any] = ()) -> tuple[int, Callable[[int], LogError]] | None:
        """The first record with something wrong, and the error by its line.

        `containers` are the records as a library read them.
        """
        problems, wrong = self.gatherer.problems, min(self._wrong, default=None)
        if problems:
            problem = problems.first(containers)
            if wrong is None or problem.node < wrong[0]:
                path = f"$.{problem.field}{problem.inside}"
                return problem.node, lambda line: LogError(problem.message, line=line, path=path)
        if wrong is None:
            return None
        record, _, message, path = wrong
        return record, lambda line: LogError(message, line=line, path=path or None)


def _by_record(pieces: list[tuple[Array, Array]], n_records: int) -> Array:
    """Numbers by record, NOTHING where there is none; the pieces are given up."""
    numbers = np.full(n_records, NOTHING, np.int64)
    pieces.reverse()
    while pieces:
        records, of_records = pieces.pop()
        numbers[records] = of_records
    return numbers


def may_be_twice(line: bytes, fields: Any) -> bool:
    """Whether a line of JSON, which a library read as `fields`, may have a name twice."""
    is_plain = type(fields) is dict and line.count(b":") == len(fields)
    return not is_plain and may_have_duplicate_keys(line, fields)


def odd_line(line: bytes, number: int) -> tuple[Any, list[tuple[str | None, str]]]:
    """The value of a line that is no strict JSON (numbers that JSON lacks, a literal), or has a name twice.

    Beside it notices, each behind the name that is written twice, if it is about one.
    """
    literal = read_literal(decoded(line, first_line=number), first_line=number)
    said: list[tuple[str | None, str]] = [(None, notice) for notice in literal.notices]
    return literal.value, [*said, *notices_of_duplicates(literal, NAMED_TWICE).items()]


def check_header(fields: dict[str, Any]) -> None:
    """Raise LogError, without the line, where this is no header of lines."""
    if "root" in fields or "roots" in fields:
        raise LogError("found a tree in the header, expected a node a line")
    read_header(fields)


def take_beside(fields: Any, results: ResultLines, n_before: int) -> None:
    """Take a line that is of no node and behind the header. Raises LogError without the line."""
    if type(fields) is not dict:
        raise LogError(f"found {shown(fields)}, expected an object")
    if "plyscope" in fields:
        raise LogError("found a second header, expected it on the first line only")
    if "result" not in fields:
        raise LogError("this line has no `id`, expected one on every node")
    results.take(fields, n_before)


def incomplete(line: int) -> str:
    """The notice of a last line that is not whole."""
    return f"The log is cut short: its last line, line {line}, is incomplete and was left out."
