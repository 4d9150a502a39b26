"""JSON Lines of ours: a node a line, in any order of arrival, from a few lines to any number of them.

A line of an id that was seen updates its node; a parent may come later in the file; a file that was cut loads
up to the cut. Each line is a record of the form; which node it is of is known once all have come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import loaded
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.duplicate_keys import may_have_duplicate_keys, notices_of_duplicates
from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.errors import CutShort, LogError, shown
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.literal import TOO_LARGE, read_literal
from plyscope.visualizer.formats.read.fields import Roles, add_fields
from plyscope.visualizer.formats.read.gather import Gatherer
from plyscope.visualizer.formats.read.names import NOTHING, Names
from plyscope.visualizer.formats.read.own import SEALED_PART, named, parsed, takes_a_name
from plyscope.visualizer.formats.read.places import line_of_text
from plyscope.visualizer.formats.read.problems import plain
from plyscope.visualizer.formats.read.records import LibraryError, Records, joined_log
from plyscope.visualizer.formats.result_lines import ResultLines
from plyscope.visualizer.formats.tape.batch import Batch, Values
from plyscope.visualizer.formats.tape.form import DOCUMENT, EVERY, ITEM, Form
from plyscope.visualizer.formats.tape.kinds import NULL, OBJECT
from plyscope.visualizer.formats.tape.reading import Reading, TapeReading, WalkReading
from plyscope.visualizer.formats.tape.tape import LINES, ROWS, Run, TapeError
from plyscope.visualizer.formats.tape.twice import Twice
from plyscope.visualizer.store.fields import OF_NODES
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]
Progress = Callable[[float], None]
Named = tuple[Array, Array]
"""Records, and the numbers of what they name."""
TakeTop = Callable[[Batch, Named | None, Named | None, dict[str, Any]], None]

LINES_A_REPORT: Final = 20_000
MOST_BESIDE: Final = 1_000
"""Lines that are of no node, as that of a result; where there are more, each line is looked at by itself."""
NEWLINE: Final = 10
LONGEST_START: Final = 2**16
"""Bytes that are waited for at once until the first line is there."""
NAMED_TWICE: Final = ("id", "parent")
"""Names that a line may not write twice."""


@dataclass(frozen=True)
class LinesForm:
    """The form of lines of ours, and the roles in it that mean something."""

    form: Form
    fields: Roles
    record: int
    no_object: int
    id: int
    parent: int
    children: int


@cache
def lines_form() -> LinesForm:
    """The form of lines of ours."""
    form = Form()
    record = form.role("record", makes_node=True)
    no_object, ids, parent, children = (
        form.role(label, is_wanted=True) for label in ("no object", "id", "parent", "children")
    )
    form.step(DOCUMENT, ITEM, record, [OBJECT])
    form.step(DOCUMENT, ITEM, no_object, [kind for kind in EVERY if kind != OBJECT])
    for name, role in (("id", ids), ("parent", parent), ("children", children)):
        form.step(record, name, role)
    fields = add_fields(form, record, without=("id",))
    return LinesForm(form, fields, record, no_object, ids, parent, children)


def read_few_lines(
    data: bytes,
    *,
    notices: Sequence[str] = (),
    cut: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> Log:
    """The log of the lines of `data`, each read by a library; `cut` says that it is known to be cut short.

    Raises LogError with the line.

    >>> log = read_few_lines(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7, "score": 2}')
    >>> log.columns["id"].tolist(), log.columns["parent"].tolist()
    ([7, 9], [-1, 0])
    """
    lines = ParsedLines(data, notices, cut)
    lines.read(on_progress)
    taking, reading = gathered(lines.documents)
    records = taking.records(lines.header, lines.results, lambda record: lines.numbers[record])
    problem = taking.first_problem(reading.containers)
    if problem is not None and (lines.failed is None or lines.numbers[problem[0]] < (lines.failed.line or 0)):
        raise problem[1](lines.numbers[problem[0]])
    if lines.failed is not None:
        raise lines.failed
    buffers = taking.gatherer.buffers
    return joined_log(records, buffers, lines.said, cut=lines.cut, lacks_a_line=lines.lacks_a_line)


def gathered(documents: Sequence[Any]) -> tuple[LineGatherer, WalkReading]:
    """What lines of nodes state that a library read, and the reading of them."""
    reading = WalkReading(lines_form().form, documents, named=named, keeps_objects=True)
    gatherer = LineGatherer(reading, lambda kernel: kernel)
    for batch in reading.batches():
        gatherer.take(batch)
    gatherer.finish()
    gatherer.gatherer.buffers.extras = reading.objects
    return gatherer, reading


class ParsedLines:
    """Lines that a library reads: the header, the result, and the lines of nodes with their numbers."""

    def __init__(
        self,
        data: bytes,
        notices: Sequence[str] = (),
        cut: bool = False,
        *,
        first_line: int = 1,
        n_before: int = 0,
        header: dict[str, Any] | None = None,
        results: ResultLines | None = None,
        twice: set[str] | None = None,
    ) -> None:
        """`first_line` is the number of the first line in its file.

        Before it came so many lines of nodes, this header, these results, and notices of keys written twice.
        """
        self._lines = data.split(b"\n")
        self._first_line, self._n_before = first_line, n_before
        self.said = list(notices)
        self.cut, self.lacks_a_line = cut, False
        self.header = header
        self.results = ResultLines() if results is None else results
        self.documents: list[dict[str, Any]] = []
        self.numbers: list[int] = []
        self.failed: LogError | None = None
        """What is wrong about the first line that is neither."""
        self._twice: set[str] = set() if twice is None else twice

    def read(self, on_progress: Callable[[float], None] | None = None) -> None:
        """Read all lines, up to one that is wrong."""
        lines, n_lines = self._lines, len(self._lines)
        while n_lines and not lines[n_lines - 1].strip():
            n_lines -= 1
        last = self._first_line + n_lines - 1
        loads, documents, numbers = orjson.loads, self.documents, self.numbers
        for number, line in enumerate(lines[:n_lines], self._first_line):
            try:
                fields = loads(line)
            except orjson.JSONDecodeError:
                if not line.strip():
                    continue
                try:
                    fields = self._odd_line(line, number)
                except CutShort as error:
                    if number < last or n_lines < len(lines):
                        self.failed = error
                    else:
                        self.cut = self.lacks_a_line = True
                        self.said.append(incomplete(number))
                    break
                except LogError as error:
                    self.failed = error
                    break
            else:
                is_plain = type(fields) is dict and line.count(b":") == len(fields)
                if not is_plain and may_have_duplicate_keys(line, fields):
                    try:
                        fields = self._odd_line(line, number)
                    except LogError as error:
                        self.failed = error
                        break
            is_first = self.header is None and not documents and not self._n_before
            if type(fields) is dict and "id" in fields and not (is_first and "plyscope" in fields):
                documents.append(fields)
                numbers.append(number)
            else:
                try:
                    self._beside_nodes(fields)
                except LogError as error:
                    error.line = number
                    self.failed = error
                    break
            if on_progress is not None and number % LINES_A_REPORT == 0:
                on_progress(number / last)

    def _odd_line(self, line: bytes, number: int) -> Any:
        """A line that is no strict JSON (numbers that JSON lacks, a literal), or writes a key twice."""
        literal = read_literal(decoded(line, first_line=number), first_line=number)
        self.said += literal.notices
        for key, notice in notices_of_duplicates(literal, NAMED_TWICE).items():
            if key not in self._twice:
                self._twice.add(key)
                self.said.append(notice)
        return literal.value

    def _beside_nodes(self, fields: Any) -> None:
        """Take a line that is of no node. Raises LogError without the line."""
        n_before = self._n_before + len(self.documents)
        if type(fields) is dict and "plyscope" in fields and self.header is None and not n_before:
            check_header(fields)
            self.header = fields
        else:
            take_beside(fields, self.results, n_before)


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


def read_lines(
    data: Any,
    *,
    notices: Sequence[str] = (),
    cut: bool = False,
    on_progress: Progress = lambda part: None,
    run: Run = loaded,
    arrived: Arrived = all_there,
    scratch: Path | None = None,
    rows: int = ROWS,
    on_top: TakeTop | None = None,
) -> Log | None:
    """The log of lines in bytes or a mapped file, of which `arrived` says how much is there.

    None where a library has to read it. Raises LogError with the line. `on_progress` is told the part that is
    done, from 0 to 1; in the folder `scratch` large texts may be written. `on_top` is told of each batch, the
    ids and parents in it, and the header.

    >>> read_lines(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7}').columns["parent"].tolist()
    [-1, 0]
    """
    array = np.frombuffer(data, np.uint8)
    said, lacks_a_line = list(notices), False
    if arrived is all_there:
        end = whole_lines(data)
        if end < len(data):
            cut = lacks_a_line = True
            said.append(incomplete(1 + int(np.count_nonzero(array[:end] == NEWLINE))))
            array = array[:end]
    header, begin = first_header(data, arrived)
    n_before = int(np.count_nonzero(array[:begin] == NEWLINE))
    lines = array[begin:]
    n_bytes = max(1, len(lines))
    form = lines_form()
    reading = TapeReading(
        form.form,
        lines,
        mode=LINES,
        named=named,
        run=run,
        arrived=lambda n_wanted: arrived(n_wanted + begin) - begin,
        on_byte=lambda place: on_progress(place / n_bytes * (1 - SEALED_PART)),
        rows=rows,
        folder=scratch,
        keeps_halves=False,
    )
    taking, twice = LineGatherer(reading, run), Twice(run)
    try:
        for batch in reading.batches():
            assert batch.piece is not None
            twice.take(batch.piece, reading.tape.n_names)
            if twice.n_found:
                return None
            ids, parents = taking.take(batch)
            if on_top is not None:
                on_top(batch, ids, parents, header or {})
    except TapeError:
        return None
    if reading.tape.is_cut:
        return None
    taking.finish()
    taking.gatherer.buffers.unknown = reading.extras
    if reading.tape.is_beyond:
        said.append(TOO_LARGE)

    def line_of(record: int) -> int:
        return n_before + line_of_text(lines, record)

    results, failed = ResultLines(), None
    for record, place in taking.without_id():
        end = data.find(b"\n", begin + place)
        fields = parsed(bytes(data[begin + place : end if end >= 0 else len(data)]))
        if not OF_NODES.isdisjoint(fields):
            return None  # what it states was taken for a node's
        try:
            take_beside(fields, results, taking.n_with_id(record))
        except LogError as error:
            error.line = line_of(record)
            failed = record, error
            break
    records = taking.records(header, results, line_of)
    problem = taking.first_problem()
    if taking.n_without_id > MOST_BESIDE or (problem is not None and taking.is_without_id(problem[0])):
        return None
    if problem is not None and (failed is None or problem[0] < failed[0]):
        raise problem[1](line_of(problem[0]))
    if failed is not None:
        raise failed[1]
    if takes_a_name(reading, taking.gatherer.buffers):
        return None
    buffers = taking.gatherer.buffers
    try:
        return joined_log(records, buffers, said, cut=cut, lacks_a_line=lacks_a_line, run=run)
    except LibraryError:
        return None


def whole_lines(data: Any) -> int:
    """How many bytes of the data are whole lines: all, or what comes before a last line that is cut short."""
    end = len(data)
    while end and data[end - 1] in b" \t\r":
        end -= 1
    if not end or data[end - 1] == NEWLINE:
        return len(data)
    begin = data.rfind(b"\n", 0, end) + 1
    line = bytes(data[begin:end])
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        try:
            read_literal(decoded(line))
        except CutShort:
            return int(begin)
        except LogError:
            pass
    return len(data)


def first_header(data: Any, arrived: Arrived) -> tuple[dict[str, Any] | None, int]:
    """The header of lines, if their first is one, and where the lines of nodes begin. Raises LogError."""
    begin = there = 0
    while begin < len(data):
        end = data.find(b"\n", begin, there)
        while end < 0 and there < len(data):
            there = min(len(data), arrived(min(len(data), max(there, begin) + LONGEST_START)))
            end = data.find(b"\n", begin, there)
        end = len(data) if end < 0 else end
        line = bytes(data[begin:end])
        if line.strip():
            break
        begin = end + 1
    else:
        return None, 0
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None, 0
    if type(fields) is not dict or "plyscope" not in fields:
        return None, 0
    try:
        check_header(fields)
    except LogError as error:
        error.line = 1 + bytes(data[:begin]).count(b"\n")
        raise
    return fields, end


class LineGatherer:
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
                message = f"found {shown(plain(values.at(0)))}, expected an object"
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
            message = f"found {shown(plain(values.at(at)))}, expected a whole number or a text"
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
            message = f"found {shown(plain(values.at(at)))}, expected the id of a node or null"
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
