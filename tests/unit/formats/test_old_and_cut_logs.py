"""Logs that were cut short open to the cut and say so; old ones are read under the present names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest

import plyscope
from plyscope.engine.former import RENAMED, header_by_present_names
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recorded_search import recorded_search
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log, read_log_file
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


def test_a_cut_in_what_holds_no_node_is_said() -> None:
    for text in (
        b'{"plyscope": 1, "root":({"target',
        b'{"ply": 1, "root": {"outcome": [{"beta": "f",}]',
        b'{"name": "left-pad", "version": "1.',
    ):
        with pytest.raises(CutShort):
            read_log(text)
    with pytest.raises(LogError, match=r"^\$.root.score: found true"):  # what is wrong goes before
        read_log(b'{"plyscope": 1, "root": {"score": true, "children": [{"ply": "a"}')
    for start in (b'{"plyscope": 1, "root": ', b'{"tree": '):
        with pytest.raises(LogError, match="found `children` twice in the object that begins here"):
            read_log(start + b'{"children": [{"score": 1}], "children": [{"score": 2}, {"score')


def test_what_rows_name_behind_the_cut_is_left_out_and_they_are_a_tree() -> None:
    rows: list[Any] = [{"id": 0, "score": 3, "children": [1, 2, 3]}, {"id": 1, "children": [4]}, {"id": 2}]
    log = read_log(json.dumps(rows)[:-1].encode())
    assert log.columns["parent"].tolist() == [-1, 0, 0]
    rows = [{"id": at, "parent": up, "score": at} for at, up in ((4, 1), (3, 1), (2, 0), (1, 0), (0, None))]
    log = read_log(json.dumps(rows)[: -len(', "parent": null, "score": 0}]')].encode())
    assert log.columns["parent"].tolist() == [-1, -1, 1, 1]
    assert "2 rows name a parent that is not there up to the cut: shown as roots." in log.notices


def test_of_half_a_list_of_children_nothing_is_said() -> None:
    for cut in ("[", '["d4",[', '["d4",["x'):
        log = read_log(f'{{"score": 1, "children": [["e4", 3], {cut}'.encode())
        assert log.columns["score"].tolist() == [1, 3]
        assert not any("no node" in notice for notice in log.notices)


@pytest.mark.parametrize("compiles", [False, True])
def test_a_cut_in_a_tree_that_lies_in_an_item_leaves_its_path_open(compiles: bool) -> None:
    wrapped = '{"tree":{"s":1,"children":[{"s":2},{"s":3}]}}'
    text = f'[{{"v":1}},{{"v":2}},{wrapped},{{"v":4}},{wrapped[:-5]}'
    log = read_log(text.encode(), compiles=compiles)
    assert outcomes(log) == ["", "", "", "open", ""]


def test_a_cut_foreign_tree_opens_with_its_path_open() -> None:
    text = json.dumps(FOREIGN)
    log = read_log(text[: text.index(', {"mv": "f"')].encode())
    assert log.columns["parent"].tolist() == [-1, 0, 1, 1, 0, 4]
    assert outcomes(log) == ["open", "", "", "", "open", ""]
    assert any("2 nodes on the way to its end" in notice for notice in log.notices)
    assert "open" not in outcomes(read_log(text[:-1].encode()))
    log = read_log(b'{"id": "s0", "children": [{"estimate":{"a": 1},"estimate":{"a": 1}')  # of factors alone
    assert (log.n_rows, "The log is cut short" in log.notices[0]) == (2, True)
    assert log.columns["contributions"].tolist()[1] == [1]
    # An engine that prints on entry and on exit left its nodes open itself where it was cut.
    again = (
        b'{"id": 1, "parent": 0, "ply": "a"}\n{"id": 1, "score": 1, "outcome": "searched"}\n{"id": 0, "sco'
    )
    assert outcomes(read_log(b'{"plyscope": 1}\n{"id": 0}\n' + again)) == ["", "searched"]


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


OLD: Final = Path(__file__).parent / "former-names.json"
OPTIONS: Final[dict[str, Any]] = {"iid": 1, "lmr": 1, "reverse_futility": 2.0}
COUNTERS: Final = {"iid": (4, 4), "lmr": (4, 2), "reverse_futility": (31, 4)}


def counted(header: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    counters = header["result"]["counters"]
    return {name: (pair["tried"], pair["succeeded"]) for name, pair in counters.items() if name in COUNTERS}


def test_an_old_log_is_read_under_the_present_names() -> None:
    header = read_log_file(OLD).header
    options = header["search"]["options"]
    assert {name: options[name] for name in OPTIONS} == OPTIONS
    assert counted(header) == COUNTERS
    assert not options.keys() & RENAMED.keys()
    assert not header["result"]["counters"].keys() & RENAMED.keys()
    asked = recorded_search(header).options
    assert {name: getattr(asked, name) for name in OPTIONS} == OPTIONS
    # What another engine calls so keeps its name, a former name beside the present one is left, and a
    # header without such names is taken as it is.
    document = json.loads(OLD.read_bytes())
    document["search"]["engine"] = "another"
    header = read_log(json.dumps(document).encode()).header
    assert header["search"]["options"]["futility"] == 2.0
    assert header["result"]["counters"]["reductions"] == {"tried": 4, "succeeded": 2}
    both = {"search": {"engine": "plyscope", "options": {"reductions": 3, "lmr": 2, "futility": 1.0}}}
    named = header_by_present_names(both)["search"]["options"]
    assert named == {"reductions": 3, "lmr": 2, "reverse_futility": 1.0}
    for said in (None, {"engine": "plyscope"}, {"engine": "plyscope", "options": [1]}):
        for result in (None, {"counters": 3}):
            other: dict[str, Any] = {"search": said, "result": result}
            assert header_by_present_names(other) == other
    assert header_by_present_names({}) == {}
    # The result line of a stream has them too.
    document = json.loads(OLD.read_bytes())
    del document["root"]
    result = document.pop("result")
    lines = (document, {"id": 0, "layer": "max", "player": "X"}, {"result": result})
    stream = read_log("\n".join(map(json.dumps, lines)).encode())
    assert dict(stream.header) == dict(read_log_file(OLD).header)


def test_a_search_takes_the_former_keywords() -> None:
    former: dict[str, Any] = {was: OPTIONS[name] for was, name in RENAMED.items()}
    log = plyscope.search("connect_four", progress=False, depth=4, limit=3, algorithm="pvs", **former)
    assert counted(log.header).keys() == COUNTERS.keys()
    assert {name: log.header["search"]["options"][name] for name in OPTIONS} == OPTIONS
    both: dict[str, Any] = {"futility": 2.0, "reverse_futility": 3.0}
    with pytest.raises(OptionError, match=r"^futility: this is the former name of reverse_futility=3\.0"):
        plyscope.search("tictactoe", progress=False, **both)
