"""Our own logs by the tape and by values of a library: the same log, the same error; how far it is."""

from __future__ import annotations

import itertools
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plyscope.engine.jit import NotCompiledError, compiled
from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.literal.reader import TOO_LARGE
from plyscope.visualizer.formats.read import ours
from plyscope.visualizer.formats.read.few_lines import read_few_lines
from plyscope.visualizer.formats.read.lines import read_lines
from plyscope.visualizer.formats.read.own import read_own
from plyscope.visualizer.formats.read.result_lines import LAST_RESULT
from plyscope.visualizer.store.log import Log
from tests.equality.hard_values import odd_texts
from tests.property.test_own_readers import outcome_of
from tests.unit.same_logs import assert_same


def by_the_tape(text: str, *, lines: bool = False, rows: int = 1000) -> Log | None:
    read = read_lines if lines else read_own
    return read(text.encode(), rows=rows)


def same_by_both(text: str, *, lines: bool = False, rows: int = 1000) -> Log:
    log = by_the_tape(text, lines=lines, rows=rows)
    assert log is not None
    other = read_few_lines(text.encode()) if lines else read_log(text.encode())
    assert_same(log, other)
    assert log.notices == other.notices
    return log


def document(root: str, more: str = "") -> str:
    return f'{{"plyscope":1,{more}"root":{root}}}'


@pytest.mark.parametrize("rows", [2, 1000])
def test_names_are_met_in_the_order_of_the_nodes(rows: int) -> None:
    """Behind their children, nodes name players later in the file than the nodes below them do."""
    late = '{"children":[{"player":"o","contributions":{"b":1}},{}],"player":"x","contributions":{"a":2}}'
    log = same_by_both(document(late), rows=rows)
    assert (log.players, log.contribution_names) == (("x", "o"), ("a", "b"))
    late = '{"children":[{"player":"o"},{}],"player":"x"}'
    same_by_both(document(late), rows=rows)
    same_by_both(document(late, '"players":["x","o"],'), rows=rows)


@pytest.mark.parametrize("number", ["1e999", "-1e400", "9" * 400, "-1.5E+4000"])
@pytest.mark.parametrize("field", ["static", "mine", "alpha"])
def test_numbers_beyond_a_double_are_infinite_with_a_notice(field: str, number: str) -> None:
    said = f'"{field}":{number}'
    tree = document(f'{{"score":1,{said},"children":[{{"ply":"a",{said}}},{{"ply":"b","{field}":2}}]}}')
    lines = f'{{"plyscope":1}}\n{{"id":0,{said}}}\n{{"id":1,"parent":0,{said}}}\n{{"result":null}}'
    for text, in_lines in ((tree, False), (lines, True)):
        log = same_by_both(text, lines=in_lines)
        assert log.notices == read_log(text.encode()).notices == (TOO_LARGE,)


def test_result_lines_before_and_between_nodes_are_told() -> None:
    first, second, third = '{"id":4}\n', '{"id":2,"parent":4}\n', '{"id":3,"parent":4}\n'
    end, null = '{"result":{"score":1}}\n', '{"result":null}\n'
    log = same_by_both(f"{first}{end}{second}{null}{third}{end}", lines=True)
    assert log.notices == (LAST_RESULT,)
    log = same_by_both(f'{{"plyscope":1}}\n{end}{first}{second}{third}', lines=True)
    assert any("3 lines of nodes" in notice for notice in log.notices)
    log = same_by_both(f"{first}{second}{null}{third}", lines=True)
    assert any("1 line of a node" in notice for notice in log.notices)
    assert not same_by_both(f"{first}{second}{third}{end}", lines=True).notices


@pytest.mark.parametrize("form", ["ours", "lines"])
def test_what_is_odd_or_wrong_is_read_alike_or_left_to_the_library(form: str) -> None:
    """The texts of which the equality harness keeps what is read; those without a tree come to neither."""
    for _, data in odd_texts()[form]:
        if form == "lines" or b'"root' in data:
            assert_alike_or_left(data.decode(), lines=form == "lines")


def assert_alike_or_left(text: str, *, lines: bool) -> None:
    def by_library() -> Log:
        return read_few_lines(text.encode()) if lines else read_log(text.encode())

    tape = outcome_of(lambda: by_the_tape(text, lines=lines))
    if isinstance(tape, LogError):
        assert str(tape) == str(outcome_of(by_library))
    elif tape is not None:
        assert_same(tape, by_library())


def test_a_large_file_is_read_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "LARGE_BYTES", 1000)
    monkeypatch.setattr(detect, "read_own_document", None)
    monkeypatch.setattr(ours, "read_own", partial(read_own, rows=100))
    path = tmp_path / "log.json"
    path.write_text(document(json.dumps({"children": [{"score": n} for n in range(500)]})))
    told: list[float] = []
    assert read_log_file(path, on_progress=told.append).n_rows == 501
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert max(after - before for before, after in itertools.pairwise(told[:-1])) < 0.1


def test_a_document_of_many_members_is_large_whatever_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b'{"a1":{"b1":{"a1":1,"c1":2}},"c1":{"a1":{"b1":3}}}'
    walked = read_log(text)
    monkeypatch.setattr(detect, "LARGE_MEMBERS", text.count(b":"))
    monkeypatch.setattr(detect, "_document", None)
    assert_same(read_log(text), walked)


@pytest.mark.parametrize("is_at_hand", [True, False])
def test_a_log_of_some_size_is_read_by_machine_code_that_is_at_hand(
    is_at_hand: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = document('{"children":[{"score":1},{"score":2}]}').encode()
    by_library = read_log(text)
    monkeypatch.setattr(detect, "SOME_BYTES", 10)
    monkeypatch.setattr(detect, "read_own_document" if is_at_hand else "compiled", None)
    if is_at_hand:
        monkeypatch.setattr(detect, "at_hand", compiled)
    else:
        monkeypatch.setattr(detect, "at_hand", not_at_hand)
    assert_same(read_log(text), by_library)


def not_at_hand(function: Any) -> Any:
    raise NotCompiledError(function.__name__)


def test_what_is_wrong_in_a_large_file_is_said_as_in_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "LARGE_BYTES", 0)
    told: list[float] = []
    with pytest.raises(LogError) as raised:
        read_log(document('{"children":[{},{"score":true}]}').encode(), on_progress=told.append)
    assert raised.value.path == "$.root.children[1].score"
    assert told == sorted(told)


@pytest.mark.parametrize("text", ['{"plyscope":1}', '{"plyscope":1,"roots":[]}', '{"plyscope":1,"root":{'])
def test_a_log_without_a_node_is_refused_alike_whatever_its_size(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = outcome_of(partial(read_log, text.encode()))
    monkeypatch.setattr(detect, "LARGE_BYTES", 0)
    large = outcome_of(partial(read_log, text.encode()))
    assert isinstance(small, LogError)
    assert small.message == getattr(large, "message", None)


@pytest.mark.parametrize(
    "text",
    [
        document('{"score":1}', '"result":{"ply":"a","ply":"b"},'),
        document('{"tt":{"depth":1,"depth":2}}'),
        document('{"mine":[{"a":1,"a":2}]}'),
    ],
)
def test_a_key_that_comes_twice_within_a_value_is_left_to_the_reader_that_tells(text: str) -> None:
    assert by_the_tape(text) is None
    assert any("is written twice in one object" in notice for notice in read_log(text.encode()).notices)
    in_lines = '{"plyscope":1}\n{"id":0}\n{"result":{"score":1,"score":2}}\n'
    assert by_the_tape(in_lines, lines=True) is None
