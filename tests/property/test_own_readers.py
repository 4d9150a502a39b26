"""Our own logs are read from a tape, piece by piece, as a library reads them: log, notices and errors."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.formats.read.first_line import is_json_lines, is_table_of_others
from plyscope.visualizer.formats.read.lines import read_lines
from plyscope.visualizer.formats.read.own import read_own, read_own_document
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store.log import Log
from tests.property.documents import documents, odd_documents, shuffled
from tests.property.examples import examples
from tests.unit.same_logs import assert_same

Outcome = Log | LogError | None
ROWS = st.sampled_from([2, 3, 17, 1000])


def outcome_of(read: Callable[[], Log | None]) -> Outcome:
    try:
        return read()
    except LogError as error:
        return error


def by_library(data: bytes) -> Outcome:
    """The outcome by the readers that are the default."""
    return outcome_of(lambda: read_log(data))


def by_tape(data: bytes, rows: int) -> Outcome:
    """The outcome for a large one, in pieces of so many rows; None where it is left to the library."""
    if is_json_lines(data):
        if is_table_of_others(data[: detect.START]):
            return None
        return outcome_of(lambda: read_lines(data, run=compiled, rows=rows))
    return outcome_of(lambda: read_own(data, rows=rows)) if b'"plyscope"' in data else None


def check(data: bytes, rows: int) -> bool:
    """Compare both; whether the tape had a say."""
    library, tape = by_library(data), by_tape(data, rows)
    if tape is None:
        return False
    if isinstance(library, LogError) or isinstance(tape, LogError):
        assert str(tape) == str(library), data
        return True
    assert library is not None
    for log in (tape, from_values(data)):
        assert_same(log, library)
        assert log.notices == library.notices
    return True


def from_values(data: bytes) -> Log:
    """The log of the values that a library reads, by the same forms."""
    return read_lines(data) if is_json_lines(data) else read_own_document(json_value(data))


def lines_of(document: dict[str, Any]) -> list[bytes]:
    write_jsonl(read_log(json.dumps(document).encode()), out := io.BytesIO())
    return out.getvalue().splitlines()


@given(documents(), odd_documents(), ROWS, st.sampled_from([None, 1, "\t"]))
@settings(deadline=None, max_examples=examples(60))
def test_a_document_is_read_from_a_tape(document: Any, odd: Any, rows: int, indent: Any) -> None:
    """An odd one, with numbers that JSON lacks and names like ours, may be left to the library."""
    assert check(json.dumps(document, indent=indent).encode(), rows)
    check(json.dumps(odd).encode(), rows)


@given(documents(), ROWS, st.randoms())
@settings(deadline=None, max_examples=examples(60))
def test_fields_and_lines_may_stand_in_any_order(document: dict[str, Any], rows: int, draw: Any) -> None:
    header, *lines = lines_of(document)
    draw.shuffle(lines)
    assert check(b"\r\n".join([header, *lines, b"", b""]), rows)
    assert check(json.dumps(shuffled(document, draw)).encode(), rows)


@given(documents(), odd_documents(), ROWS, st.randoms())
@settings(deadline=None, max_examples=examples(60))
def test_a_node_may_come_in_several_lines(document: Any, odd: Any, rows: int, draw: Any) -> None:
    lines = in_several_lines(document, draw)
    assert check(b"\n".join(lines), rows)
    assert_same(read_log(b"\n".join(lines)), read_log(json.dumps(document).encode()))
    check(b"\n".join([lines[0], *lines[:0:-1]]), rows)
    with suppress(LogError):
        check(b"\n".join(in_several_lines(odd, draw)), rows)


def in_several_lines(document: dict[str, Any], draw: Any) -> list[bytes]:
    """The lines of a log in which some fields of nodes are told after the others, some twice."""
    header, *lines = lines_of(document)
    printed = []
    for line in lines:
        fields = json.loads(line)
        printed.append(fields)
        if "id" in fields:
            names = [name for name in fields if name not in ("id", "parent")]
            late = {name: fields.pop(name) for name in names if draw.random() < 0.4}
            printed.append({"id": fields["id"], **late})
            if draw.random() < 0.3:
                same = {name: fields[name] for name in ("id", "parent") if name in fields}
                printed.append({**same, **dict(list(late.items())[::2])})
    return [header, *(json.dumps(fields).encode() for fields in printed)]


@given(documents(), ROWS, st.data())
@settings(deadline=None, max_examples=examples(150))
def test_a_document_that_was_cut_is_read_alike(document: dict[str, Any], rows: int, data: Any) -> None:
    """Small ones are read to the cut by the reader of literals, large ones by the tape."""
    text = json.dumps(document, ensure_ascii=False).encode()
    for _ in range(4):
        cut = text[: data.draw(st.integers(20, len(text) - 1))]
        tape, small = outcome_of(partial(read_own, cut, rows=rows)), by_library(cut)
        if tape is None or isinstance(small, LogError):
            assert str(tape or small) == str(small)
            continue
        assert isinstance(tape, Log)
        assert small is not None
        assert_same(tape, small)
        assert tape.notices == small.notices
