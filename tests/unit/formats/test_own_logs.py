"""Our own logs by the tape and by a library: the same log, the same error; its top while it is read."""

from __future__ import annotations

import io
import itertools
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyscope.engine.jit import NotCompiledError, compiled
from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.literal.reader import TOO_LARGE
from plyscope.visualizer.formats.read import top as top_of_tree
from plyscope.visualizer.formats.read.forms import lines_form, own_form
from plyscope.visualizer.formats.read.lines import read_lines
from plyscope.visualizer.formats.read.own import read_own
from plyscope.visualizer.formats.read.result_lines import LAST_RESULT
from plyscope.visualizer.formats.read.top import MOST_CHILDREN, Top, TopOfTree
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store.log import Log
from tests.property.test_own_readers import outcome_of
from tests.unit.logs import there
from tests.unit.same_logs import assert_same


def same_by_both(text: str, *, lines: bool = False, rows: int = 1000) -> Log:
    log = there((partial(read_lines, run=compiled) if lines else read_own)(text.encode(), rows=rows))
    other = read_lines(text.encode()) if lines else read_log(text.encode())
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


def test_a_large_file_is_read_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "LARGE_BYTES", 1000)
    monkeypatch.setattr(detect, "read_own_document", None)
    monkeypatch.setattr(detect, "read_own", partial(read_own, rows=100))
    path = tmp_path / "log.json"
    path.write_text(document(json.dumps({"children": [{"score": n} for n in range(500)]})))
    told: list[float] = []
    assert read_log_file(path, on_progress=told.append).n_rows == 501
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert max(after - before for before, after in itertools.pairwise(told[:-1])) < 0.1


@pytest.mark.parametrize("is_at_hand", [True, False])
def test_a_log_of_some_size_is_read_by_machine_code_that_is_at_hand(
    is_at_hand: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_at_hand(function: Any) -> Any:
        raise NotCompiledError(function.__name__)

    text = document('{"children":[{"score":1},{"score":2}]}').encode()
    by_library = read_log(text)
    monkeypatch.setattr(detect, "SOME_BYTES", 10)
    monkeypatch.setattr(detect, "read_own_document" if is_at_hand else "compiled", None)
    monkeypatch.setattr(detect, "at_hand", compiled if is_at_hand else not_at_hand)
    assert_same(read_log(text), by_library)


def test_what_is_wrong_in_a_large_file_is_said_as_in_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "LARGE_BYTES", 0)
    told: list[float] = []
    with pytest.raises(LogError) as raised:
        read_log(document('{"children":[{},{"score":true}]}').encode(), on_progress=told.append)
    assert raised.value.path == "$.root.children[1].score"
    assert told == sorted(told)
    for text in ('{"plyscope":1}', '{"plyscope":1,"roots":[]}', '{"plyscope":1,"root":{'):  # without a node
        refused = []
        for large in (0, 10**9):
            monkeypatch.setattr(detect, "LARGE_BYTES", large)
            refused.append(getattr(outcome_of(partial(read_log, text.encode())), "message", None))
        assert refused[0] == refused[1] is not None


@pytest.fixture(autouse=True)
def at_each_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """The top is told after each piece that has news."""
    monkeypatch.setattr(top_of_tree, "SECONDS_BETWEEN", -1.0)


def told(text: bytes, *, lines: bool = False) -> list[Top]:
    """All that is told of a document or lines in pieces of few values."""
    tops: list[Top] = []
    top = TopOfTree(tops.append, (lines_form() if lines else own_form()).fields)
    if lines:
        assert read_lines(text, run=compiled, rows=20, on_top=top.take_records) is not None
    else:
        assert read_own(text, rows=20, on_top=top.take) is not None
    return tops


def wide_document(search: dict[str, Any]) -> dict[str, Any]:
    below = [[{"ply": "x", "score": i}] * 3 for i in range(30)]
    children = [{"ply": f"p{i}", "score": -i, "layer": "min", "children": below[i]} for i in range(30)]
    return {"plyscope": 1, "search": search, "root": {"score": 0, "layer": "max", "children": children}}


def as_lines(text: bytes) -> bytes:
    write_jsonl(read_log(text), out := io.BytesIO())
    return out.getvalue()


@pytest.mark.parametrize("lines", [False, True])
def test_the_first_children_are_told_as_they_come(lines: bool) -> None:
    text = json.dumps(wide_document({})).encode()
    tops = told(as_lines(text) if lines else text, lines=lines)
    assert len(tops) > 5
    sizes = [top.n_children for top in tops]
    assert sizes == sorted(sizes)
    assert (sizes[0] < 5, sizes[-1]) == (True, 30)
    assert tops[0].n_nodes < tops[-1].n_nodes <= 121
    last = tops[-1].log
    plies = [last.text(code) for code in last.columns["ply"][1:].tolist()]
    assert plies == [f"p{i}" for i in range(MOST_CHILDREN)]
    assert last.columns["score"].tolist() == [0, *(-i for i in range(MOST_CHILDREN))]
    if lines:  # lines without a header, and blank ones before it
        header, below = as_lines(text).split(b"\n", 1)
        assert [top.n_children for top in told(below, lines=True)][-1] == 30
        assert told(b"\n \n" + header + b"\n" + below, lines=True)[-1].log.columns["score"][1:3].tolist() == [
            0,
            -1,
        ]


@pytest.mark.parametrize("lines", [False, True])
def test_scores_are_turned_as_in_the_whole_log(lines: bool) -> None:
    text = json.dumps(wide_document({"perspective": "mover"})).encode()
    whole = read_log(text)
    last = told(as_lines(text) if lines else text, lines=lines)[-1].log
    children = whole.columns["parent"] == 0
    assert last.columns["score"][1:].tolist() == whole.columns["score"][children][:MOST_CHILDREN].tolist()
    assert last.columns["score"][2] == 1.0
    if lines:
        return
    made = wide_document({"perspective": "mover"})  # before it is known how scores are seen, none is told
    search = made.pop("search")
    tops = told(json.dumps({**made, "search": search}).encode())
    assert len(tops) > 5
    for top in tops[:-1]:
        assert np.isnan(top.log.columns["score"]).all()
        assert top.log.text(int(top.log.columns["ply"][1])) == "p0"


def test_what_comes_late_is_told_once_it_comes_and_of_several_trees_the_last() -> None:
    child = {"children": [{"score": 1}] * 9, "ply": "c6", "score": 3}  # fields behind the children
    tops = told(json.dumps({"plyscope": 1, "search": {}, "root": {"children": [child, child]}}).encode())
    assert tops[0].log.columns["ply"].tolist() == [-1, -1]
    assert tops[-1].log.columns["score"][1] == 3
    roots = [{"iteration": i, "children": [{"ply": f"i{i}", "children": [{}] * 9}]} for i in range(4)]
    last = told(json.dumps({"plyscope": 1, "search": {}, "roots": roots}).encode())[-1].log
    assert (last.n_rows, last.text(int(last.columns["ply"][1]))) == (2, "i3")
    # Lines whose root comes last have no top; what is wrong there is left to the reading.
    lines = [{"plyscope": 1}, *({"id": i, "parent": 99, "score": i} for i in range(20)), {"id": 99}]
    assert told(b"\n".join(json.dumps(line).encode() for line in lines), lines=True) == []
    text = json.dumps(wide_document({})).replace('"score": 0', '"score": "many"').encode()
    with pytest.raises(LogError, match="many"):
        told(text)
