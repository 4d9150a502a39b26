"""The top of a tree while its log is read: what is told is what the whole log will say, or not told."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.read import top as top_of_tree
from plyscope.visualizer.formats.read.forms import lines_form, own_form
from plyscope.visualizer.formats.read.lines import read_lines
from plyscope.visualizer.formats.read.own import read_own
from plyscope.visualizer.formats.read.top import MOST_CHILDREN, Top, TopOfTree
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl


@pytest.fixture(autouse=True)
def at_each_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """The top is told after each piece that has news."""
    monkeypatch.setattr(top_of_tree, "SECONDS_BETWEEN", -1.0)


def told(text: bytes, *, lines: bool = False) -> list[Top]:
    """All that is told of a document or lines in pieces of few values."""
    tops: list[Top] = []
    if lines:
        of_lines = TopOfTree(tops.append, lines_form().fields).take_records
        assert read_lines(text, rows=20, on_top=of_lines) is not None
    else:
        of_document = TopOfTree(tops.append, own_form().fields).take
        assert read_own(text, rows=20, on_top=of_document) is not None
    return tops


def document(search: dict[str, Any], n_children: int = 30) -> dict[str, Any]:
    children = [
        {"ply": f"p{i}", "score": -i, "layer": "min", "children": [{"ply": "x", "score": i}] * 3}
        for i in range(n_children)
    ]
    return {"plyscope": 1, "search": search, "root": {"score": 0, "layer": "max", "children": children}}


def as_lines(text: bytes) -> bytes:
    write_jsonl(read_log(text), out := io.BytesIO())
    return out.getvalue()


@pytest.mark.parametrize("lines", [False, True])
def test_the_first_children_are_told_as_they_come(lines: bool) -> None:
    text = json.dumps(document({})).encode()
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


@pytest.mark.parametrize("lines", [False, True])
def test_scores_are_turned_as_in_the_whole_log(lines: bool) -> None:
    text = json.dumps(document({"perspective": "mover"})).encode()
    whole = read_log(text)
    last = told(as_lines(text) if lines else text, lines=lines)[-1].log
    children = whole.columns["parent"] == 0
    assert last.columns["score"][1:].tolist() == whole.columns["score"][children][:MOST_CHILDREN].tolist()
    assert last.columns["score"][2] == 1.0


def test_no_score_is_told_before_it_is_known_how_it_is_seen() -> None:
    made = document({"perspective": "mover"})
    search = made.pop("search")
    tops = told(json.dumps({**made, "search": search}).encode())
    assert len(tops) > 5
    for top in tops[:-1]:
        assert np.isnan(top.log.columns["score"]).all()
        assert top.log.text(int(top.log.columns["ply"][1])) == "p0"


def test_fields_that_stand_behind_the_children_are_told_once_they_come() -> None:
    child = {"children": [{"score": 1}] * 9, "ply": "c6", "score": 3}
    tops = told(json.dumps({"plyscope": 1, "search": {}, "root": {"children": [child, child]}}).encode())
    assert tops[0].log.columns["ply"].tolist() == [-1, -1]
    assert tops[-1].log.columns["score"][1] == 3


def test_of_several_trees_the_last_is_told() -> None:
    roots = [{"iteration": i, "children": [{"ply": f"i{i}", "children": [{}] * 9}]} for i in range(4)]
    tops = told(json.dumps({"plyscope": 1, "search": {}, "roots": roots}).encode())
    last = tops[-1].log
    assert (last.n_rows, last.text(int(last.columns["ply"][1]))) == (2, "i3")


def test_lines_whose_root_comes_last_have_no_top() -> None:
    lines = [{"plyscope": 1}, *({"id": i, "parent": 99, "score": i} for i in range(20)), {"id": 99}]
    assert told(b"\n".join(json.dumps(line).encode() for line in lines), lines=True) == []


def test_what_is_wrong_at_the_top_is_left_to_the_reading() -> None:
    text = json.dumps(document({})).replace('"score": 0', '"score": "many"').encode()
    with pytest.raises(LogError, match="many"):
        told(text)
