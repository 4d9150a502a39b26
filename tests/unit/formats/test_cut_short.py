"""A log that was cut short, a document or lines, ours or foreign, opens to the cut and says so."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any, Final

import pytest

from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from tests.unit.logs import outcomes

A: Final = {"ply": "a", "layer": "min", "score": 4, "children": [{"ply": "c", "score": 4}, {"score": 14}]}
B: Final = {"ply": "b", "layer": "min", "score": 0, "children": [{"ply": "e", "score": 0, "factors": [1, 2]}]}
OWN: Final = {"plyscope": 1, "root": {"layer": "max", "score": 4, "children": [A, B]}, "result": {"ply": "a"}}
REPLIES: Final = [
    {"mv": "a", "val": 3, "replies": [{"mv": "c", "val": 3}, {"mv": "d", "val": 8}]},
    {"mv": "b", "val": 1, "replies": [{"mv": "e", "val": 1}, {"mv": "f", "val": 7}]},
]
FOREIGN: Final[Any] = {"run": "x", "tree": {"val": 3, "replies": REPLIES}, "nodes": 7}


@pytest.mark.parametrize("end", ['"source": 0', '"source": 0, "target": ', '"source": 0, "target": 2', "{"])
def test_a_graph_that_was_cut_in_its_edges_is_still_a_graph(end: str) -> None:
    """The edge that was not whole is left out, so that its node is a root."""
    nodes = [{"id": at, "score": at} for at in range(3)]
    text = json.dumps({"nodes": nodes, "edges": [{"source": 0, "target": at} for at in (1, 2)]})
    log = read_log(text[: text.rindex(end) + len(end)].encode())
    assert log.columns["parent"].tolist() == [-1, 0, -1]
    assert any("graph of nodes and edges" in notice for notice in log.notices)


@pytest.mark.parametrize("end", ['"why": "a, 3', '"x": (3', '"x": 1e', '"x": -', '"\\u00'])
def test_a_cut_inside_a_text_or_a_number_takes_nothing_else_away(end: str) -> None:
    log = read_log(f'{{"plyscope": 1, "root": {{"score": 3, "children": [{{"ply": "a", {end}'.encode())
    assert log.columns["parent"].tolist() == [-1, 0]
    assert log.columns["score"][0] == 3


@pytest.mark.parametrize(
    "text",
    [
        '{"plyscope": 1, "root":({"target',
        '{"ply": 1, "root": {"outcome": [{"beta": "f",}]',
        '{"name": "left-pad", "version": "1.',
    ],
)
def test_a_cut_in_what_holds_no_node_is_said(text: str) -> None:
    with pytest.raises(CutShort):
        read_log(text.encode())


def test_a_cut_foreign_tree_opens_with_its_path_open() -> None:
    text = json.dumps(FOREIGN)
    log = read_log(text[: text.index(', {"mv": "f"')].encode())
    assert log.columns["parent"].tolist() == [-1, 0, 1, 1, 0, 4]
    assert outcomes(log) == ["open", "", "", "", "open", ""]
    assert any("2 nodes on the way to its end" in notice for notice in log.notices)
    assert "open" not in outcomes(read_log(text[:-1].encode()))


@pytest.mark.slow
@pytest.mark.parametrize("document", [OWN, FOREIGN, [FOREIGN["tree"], FOREIGN["tree"]]])
def test_a_document_cut_at_any_place_opens_or_is_refused_as_cut_and_nothing_is_wrong(document: Any) -> None:
    text = json.dumps(document)
    n_rows = 0
    for at in range(1, len(text), 2):
        try:
            log = read_log(text[:at].encode())
        except CutShort:
            assert n_rows <= 1, text[:at]
            continue
        assert n_rows - 1 <= log.n_rows, text[:at]
        n_rows = log.n_rows
        assert any("cut short" in notice for notice in log.notices)
        assert check(log).counts["wrong"] == 0, text[:at]
    assert n_rows >= 5


def test_a_cut_document_with_something_wrong_is_refused_for_that() -> None:
    with pytest.raises(LogError, match=r"^\$.root.score: found true"):
        read_log(b'{"plyscope": 1, "root": {"score": true, "children": [{"ply": "a"}')


def test_a_foreign_node_of_factors_alone_that_is_cut_opens() -> None:
    log = read_log(b'{"id": "s0", "children": [{"estimate":{"a": 1},"estimate":{"a": 1}')
    assert log.n_rows == 2
    assert "The log is cut short" in log.notices[0]


def test_the_lines_of_our_search_cut_at_any_place_have_nothing_wrong() -> None:
    options = SearchOptions(depth=3, iterative=True, algorithm="pvs")
    write_jsonl(log_from_recording(search(GAME, "XO. ... ...", options, compiled=False)), out := BytesIO())
    lines = out.getvalue()
    for at in range(lines.index(b"\n", lines.index(b'"id"')), len(lines), 997):
        try:
            log = read_log(lines[:at])
        except LogError:
            assert lines[:at].count(b'"id"') <= 1
            continue
        assert [finding.message for finding in check(log).findings(severity="wrong")] == [], at


def test_a_node_heard_of_again_is_not_opened() -> None:
    """An engine that prints on entry and on exit left its nodes open itself where it was cut."""
    log = read_log(
        b'{"plyscope": 1}\n{"id": 0}\n{"id": 1, "parent": 0, "ply": "a"}\n'
        b'{"id": 1, "score": 1, "outcome": "searched"}\n{"id": 0, "sco'
    )
    assert outcomes(log) == ["", "searched"]
