"""JSON Lines of ours: a node a line, in any order of arrival and any number.

A line with an id that was seen updates its node; a parent may come later in the file; a file that was cut
loads up to the cut. Each line is a record of the form; records are assigned to nodes once all have come.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.formats.literal.reader import TOO_LARGE, read_literal
from plyscope.visualizer.formats.read.few_lines import ParsedLines
from plyscope.visualizer.formats.read.forms import lines_form, named
from plyscope.visualizer.formats.read.line_records import (
    MOST_BESIDE,
    LineRecords,
    TakeTop,
    incomplete,
    take_beside,
)
from plyscope.visualizer.formats.read.own import SEALED_PART
from plyscope.visualizer.formats.read.places import NEWLINE, line_of_text
from plyscope.visualizer.formats.read.records import joined_log
from plyscope.visualizer.formats.read.result_lines import ResultLines
from plyscope.visualizer.formats.tape.reading import TapeReading
from plyscope.visualizer.formats.tape.tape import LINES, ROWS, Run
from plyscope.visualizer.store.fields import OF_NODES
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]
Progress = Callable[[float], None]

LONGEST_START: Final = 2**16
"""The bytes that are waited for at a time until the first line is there."""


def read_lines(
    data: Any,
    *,
    cut: bool = False,
    on_progress: Progress = lambda part: None,
    run: Run = compiled,
    arrived: Arrived = all_there,
    scratch: Path | None = None,
    rows: int = ROWS,
    on_top: TakeTop | None = None,
) -> Log | None:
    """The log of lines in bytes or a mapped file; `arrived` returns how much of it is there.

    None where a library has to parse it. Raises LogError with the line. `on_progress` gets the part that is
    done, from 0 to 1; large texts may be written into the folder `scratch`. `on_top` gets each batch, the ids
    and parents in it, and the header.

    >>> read_lines(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7}').columns["parent"].tolist()
    [-1, 0]
    """
    array = np.frombuffer(data, np.uint8)
    header, begin, said = first_header(data, arrived)
    end, said_of_cut = whole_lines(data) if arrived is all_there else (len(data), [])
    lacks_a_line = end < len(data)
    cut = cut or lacks_a_line
    array = array[:end]
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
    )
    taking = LineRecords(reading, run)
    if not taking.take_tape(on_top, header):
        return None
    if reading.tape.is_beyond:
        said.append(TOO_LARGE)
    said += said_of_cut

    def line_of(record: int) -> int:
        return n_before + line_of_text(lines, record)

    results, failed = ResultLines(), None
    for record, place in taking.without_id():
        end = data.find(b"\n", begin + place)
        fields = json_value(bytes(data[begin + place : end if end >= 0 else len(data)]))
        if not OF_NODES.isdisjoint(fields):
            return None  # its fields were taken for those of a node
        try:
            take_beside(fields, results, taking.n_with_id(record))
        except LogError as error:
            error.line = line_of(record)
            failed = error
            break
    records = taking.records(header, results, line_of)
    problem = taking.first_problem()
    if taking.n_without_id > MOST_BESIDE or (problem is not None and taking.is_without_id(problem[0])):
        return None
    records.check(None if problem is None else problem[1](line_of(problem[0])), failed)
    buffers = taking.gatherer.buffers
    return joined_log(records, buffers, said, cut=cut, lacks_a_line=lacks_a_line, run=run)


def whole_lines(data: Any) -> tuple[int, list[str]]:
    """The number of bytes in whole lines, and a notice where the last line is cut short."""
    end = len(data)
    while end and data[end - 1] in b" \t\r":
        end -= 1
    if not end or data[end - 1] == NEWLINE:
        return len(data), []
    begin = int(data.rfind(b"\n", 0, end)) + 1
    line = bytes(data[begin:])
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        try:
            read_literal(decoded(line))
        except CutShort:
            n_before = int(np.count_nonzero(np.frombuffer(data, np.uint8)[:begin] == NEWLINE))
            return begin, [incomplete(1 + n_before)]
        except LogError:
            pass
    return len(data), []


def first_header(data: Any, arrived: Arrived) -> tuple[dict[str, Any] | None, int, list[str]]:
    """The header, if the first line is one, the place where the lines of nodes begin, and notices.

    Raises LogError.
    """
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
        return None, 0, []
    parsed = ParsedLines(line, first_line=1 + bytes(data[:begin]).count(b"\n"))
    parsed.read()
    if parsed.failed is not None:
        raise parsed.failed
    return (None, 0, []) if parsed.header is None else (parsed.header, end, parsed.said)
