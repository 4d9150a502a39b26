"""A document that was cut short, ours or foreign, opens to the cut and says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

OWN = {
    "plyscope": 1,
    "game": "x",
    "root": {
        "layer": "max",
        "score": 4,
        "children": [
            {
                "ply": "a",
                "layer": "min",
                "score": 4,
                "children": [{"ply": "c", "score": 4}, {"ply": "d", "score": 14}],
            },
            {
                "ply": "b",
                "layer": "min",
                "score": 0,
                "children": [{"ply": "e", "score": 0, "factors": [1, 2]}],
            },
        ],
    },
    "result": {"ply": "a", "score": 4},
}
FOREIGN = {
    "run": "x",
    "tree": {
        "val": 3,
        "replies": [
            {"mv": "a", "val": 3, "replies": [{"mv": "c", "val": 3}, {"mv": "d", "val": 8}]},
            {"mv": "b", "val": 1, "replies": [{"mv": "e", "val": 1}, {"mv": "f", "val": 7}]},
        ],
    },
    "nodes": 7,
}


def outcomes(log: Log) -> list[str]:
    return [words.OUTCOMES[code] for code in log.columns["outcome"]]


def cut_after(document: Any, text: str) -> bytes:
    whole = json.dumps(document)
    return whole[: whole.index(text) + len(text)].encode()


@pytest.mark.parametrize("end", ['"source": 0', '"source": 0, "target": ', '"source": 0, "target": 2', "{"])
def test_a_graph_that_was_cut_in_its_edges_is_still_a_graph(end: str) -> None:
    """The edge that was not whole is left out, so that its node is a root."""
    nodes = [{"id": at, "score": at} for at in range(3)]
    edges = [{"source": 0, "target": 1}, {"source": 0, "target": 2}]
    text = json.dumps({"nodes": nodes, "edges": edges})
    log = read_log(text[: text.rindex(end) + len(end)].encode())
    assert log.columns["parent"].tolist() == [-1, 0, -1]
    assert any("graph of nodes and edges" in notice for notice in log.notices)


@pytest.mark.parametrize("end", ['"why": "a, 3', '"x": (3', '"x": 1e', '"x": -', '"\\u00'])
def test_a_cut_inside_a_text_or_a_number_takes_nothing_else_away(end: str) -> None:
    log = read_log(f'{{"plyscope": 1, "root": {{"score": 3, "children": [{{"ply": "a", {end}'.encode())
    assert log.columns["parent"].tolist() == [-1, 0]
    assert log.columns["score"][0] == 3


@pytest.mark.parametrize(
    "text", ['{"plyscope": 1, "root":({"target', '{"ply": 1, "root": {"outcome": [{"beta": "f",}]']
)
def test_a_cut_in_what_holds_no_node_is_said(text: str) -> None:
    with pytest.raises(CutShort):
        read_log(text.encode())


def test_a_cut_foreign_tree_opens_with_its_path_open() -> None:
    log = read_log(cut_after(FOREIGN, '{"mv": "e", "val": 1}'))
    assert log.columns["parent"].tolist() == [-1, 0, 1, 1, 0, 4]
    assert outcomes(log) == ["open", "", "", "", "open", ""]
    assert any("2 nodes on the way to its end" in notice for notice in log.notices)
    log = read_log(cut_after(FOREIGN, '"nodes": 7'))
    assert "open" not in outcomes(log)


@pytest.mark.slow
@pytest.mark.parametrize("document", [OWN, FOREIGN, [FOREIGN["tree"], FOREIGN["tree"]]])
def test_a_cut_at_any_place_opens_or_is_refused_as_cut_and_nothing_is_wrong(document: Any) -> None:
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


def test_a_cut_text_without_a_tree_says_where_it_ends() -> None:
    with pytest.raises(CutShort, match="the text ends inside"):
        read_log(b'{"name": "left-pad", "version": "1.')


def test_a_cut_document_with_something_wrong_is_refused_for_that() -> None:
    with pytest.raises(LogError, match=r"^\$.root.score: found true"):
        read_log(b'{"plyscope": 1, "root": {"score": true, "children": [{"ply": "a"}')


def test_a_foreign_node_of_factors_alone_that_is_cut_opens() -> None:
    log = read_log(b'{"id": "s0", "children": [{"estimate":{"a": 1},"estimate":{"a": 1}')
    assert log.n_rows == 2
    assert "The log is cut short" in log.notices[0]


def test_lists_of_neighbours_that_are_more_than_the_nodes_are_no_graph_whatever_reads_them() -> None:
    nodes = [{"score": at, "id": at} for at in range(4)]
    adjacency = [[{"id": 1}, {"id": 2}], [{"id": 3}], [], [], []]
    data = json.dumps({"nodes": nodes, "adjacency": adjacency}).encode()
    by_tape = read_bytes(TapeDocument(data))
    assert by_tape is not None
    assert by_tape.notices == read_log(data).notices
