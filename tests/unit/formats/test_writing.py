"""Tests of writing: the text itself, slices and subtrees, files by their endings."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.write import text_pieces
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.formats.write.unknown_names import with_written_names
from plyscope.visualizer.formats.write.write_json import subtree_json, write_json
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from tests.unit.logs import log_of
from tests.unit.same_logs import assert_same

TREE = {
    "alpha": None, "beta": "inf", "score": 2, "depth": 2, "factors": [1, None], "layer": "max",
    "player": "x",
    "children": [
        {"ply": "a", "score": "nan", "key": 7, "in_check": True,
         "tt": {"use": "cut", "bound": "lower", "from": 0}, "player": "o", "layer": "min",
         "position": "after a",
         "children": [{"ply": "c"}, {"ply": "d", "tt": {"from": 1}}]},
        {"outcome": "limited", "plies": ["b"], "pre_scores": [1.5]},
    ],
}  # fmt: skip
LOG = log_of(
    TREE,
    search={"depth": 2},
    players=["x", "o"],
    factors=[{"name": "f"}, "g"],
    result={"ply": "a"},
    mine=1,
    position="p",
)
DOCUMENT = """\
{"plyscope":1,
"position":"p",
"players":["x","o"],
"search":{"depth":2},
"factors":[{"name":"f"},"g"],
"result":{"ply":"a"},
"mine":1,
"root":{"layer":"max","player":"x","score":2.0,"factors":[1.0,null],"depth":2,"alpha":null,"beta":null,"children":[
{"ply":"a","layer":"min","player":"o","score":"nan","in_check":true,"key":7,"tt":{"use":"cut","bound":"lower",\
"from":0},"position":"after a","children":[
{"ply":"c"},
{"ply":"d","tt":{"from":1}}]},
{"outcome":"limited","count":1,"plies":["b"],"pre_scores":[1.5]}]}
}
"""


def written(log: Log) -> str:
    write_json(log, out := io.BytesIO())
    return out.getvalue().decode()


def test_a_document_is_a_line_a_node_in_a_fixed_order_and_a_subtree_a_log_of_its_own() -> None:
    assert written(LOG) == DOCUMENT
    log = read_log(subtree_json(LOG, 1, None, None, 100_000)[0].encode())
    assert [log.text(ply) for ply in log.columns["ply"]] == ["a", "c", "d"]
    assert log.columns["tt_from"].tolist() == [-2, -1, 0]
    assert log.header["position"] == "after a"
    assert log.header["search"] == {"depth": 2, "root_player": "x"}
    assert "result" not in log.header


def test_a_log_without_a_header_has_its_factors_named_in_the_file_and_ends_though_it_has_no_result() -> None:
    log = log_of({"factors": [1, "inf"]})
    assert '"factors":[{"name":"factor 1"},{"name":"factor 2"}],\n' in written(log)
    assert read_log(written(log).encode()).factors == log.factors
    log = log_of({"outcome": "searched", "score": 1}, search={"engine": "plyscope"})
    write_jsonl(log, out := io.BytesIO())
    back = read_log(out.getvalue())
    assert back.columns["outcome"].tolist() == [words.SEARCHED]
    assert (back.header, back.notices) == (log.header, log.notices)


ALL = [None, "a", "c", "d", None]


@pytest.mark.parametrize(
    ("open_rows", "levels", "plies"),
    [
        *((None, None, ALL), (None, 1, [None, "a", None]), (None, 0, [None, None])),
        *((set(), None, [None, None]), ({0}, None, [None, "a", None])),
        *(({1}, None, [None, None]), ({0, 1}, None, ALL)),
    ],
)
def test_a_subtree_holds_the_children_of_open_nodes(
    open_rows: set[int] | None, levels: int | None, plies: list[str | None]
) -> None:
    text, whole, n_nodes = subtree_json(LOG, 0, open_rows, levels, 100_000)
    log = read_log(text.encode())
    is_told = log.columns["outcome"] == words.UNLOGGED
    assert [log.text(ply) for ply in log.columns["ply"][~is_told]] == plies
    assert (whole, n_nodes) == (True, len(plies))


def subtree(log: Log, open_rows: set[int] | None, levels: int | None = None, most: int = 100_000) -> Any:
    """The root of a subtree, as a value."""
    return json.loads(subtree_json(log, 0, open_rows, levels, most)[0])["root"]


def test_what_a_subtree_leaves_out_are_the_farthest_nodes_which_a_stub_tells() -> None:
    text, _, _ = subtree_json(LOG, 0, None, None, 100_000)
    shorter, whole, n_nodes = subtree_json(LOG, 0, None, None, len(text) + 60)
    assert (whole, 1 < n_nodes < LOG.n_rows) == (False, True)
    shown = [node.get("ply") for node in json.loads(shorter)["root"]["children"]]
    assert [ply for ply in shown if ply] == ["a"]
    pruned, unlogged = {"outcome": "pruned", "count": 2}, {"outcome": "unlogged", "count": 1}
    log = log_of({"score": 1, "children": [{"ply": "a", "children": [{"ply": "x"}, pruned]}]})
    assert subtree(log, {0})["children"] == [{"ply": "a", "children": [unlogged, pruned]}]
    assert subtree(log, set()) == {"score": 1, "children": [unlogged]}
    assert "unlogged" not in subtree_json(log, 0, None, None, 100_000)[0]
    # Of children that do not all fit the others are counted.
    log = log_of({"children": [{"ply": f"p{n}"} for n in range(1000)]})
    first, second, *others = subtree(log, None, most=1000)["children"]
    assert (first, second) == ({"outcome": "unlogged", "count": 1000 - 1 - len(others)}, {"ply": "p0"})
    # A shown subtree of a sound log has no findings.
    left_out = {"outcome": "limited", "count": 2}
    leaf = {"ply": "b", "layer": "max", "score": 1, "outcome": "leaf"}
    below = {"ply": "a", "layer": "min", "score": 1, "moves": 3, "children": [leaf, left_out]}
    log = log_of({"layer": "max", "score": 1, "moves": 3, "children": [below, left_out]})
    for open_rows, n_limited in ((set(), 1), ({0}, 2), ({0, 1}, 2)):
        again = read_log(subtree_json(log, 0, open_rows, None, 10_000)[0].encode())
        assert list(check(log).findings()) == list(check(again).findings()) == []
        assert np.count_nonzero(again.columns["outcome"] == words.LIMITED) == n_limited


def test_a_subtree_is_written_for_people() -> None:
    a = {"ply": "a", "score": -0.0, "children": [{"contributions": {"f": 3}}, {}]}
    log = log_of({"score": 2, "factors": [1, 2.5], "children": [a, {"ply": "b"}]}, factors=["f", "g"])
    text, _, _ = subtree_json(log, 0, {0, 1}, None, 1000)
    assert text.splitlines()[2:] == [
        '"root":{"score":2,"factors":[1,2.5],"children":[',
        '  {"ply":"a","score":-0.0,"children":[',
        '    {"contributions":{"f":3}},',
        '    {}]},',
        '  {"ply":"b"}]}',
        '}',
    ]  # fmt: skip
    assert json.loads(subtree_json(log, 1, None, None, 1000, position="after a")[0])["position"] == "after a"
    assert "position" not in json.loads(subtree_json(log, 1, None, None, 1000)[0])
    deep = log_of({"children": [{"children": [{"children": [{}]}]}]})
    assert read_log(subtree_json(deep, 0, None, None, 1000)[0].encode()).n_rows == 4


def test_a_part_of_a_log_counts_plies_and_names_sources_as_it_is_written() -> None:
    """A scout and its re-search are one ply; stubs for what is folded have numbers of their own."""
    entry = {"use": "cut", "depth": 1, "bound": "exact", "score": 0, "from": 5}
    scout, research = {"purpose": "scout"}, {"purpose": "research"}
    under_a = [{"ply": "p", "score": 2} | scout, {"ply": "p", "score": 1} | research, {"purpose": "null"}]
    a = {"ply": "a", "layer": "min", "key": "A", "moves": 1, "score": 1, "children": under_a}
    b = {"ply": "b", "layer": "min", "key": "B", "score": 0}
    children = [a, b | scout, b | research | {"outcome": "tt", "tt": entry}]
    log = log_of({"layer": "max", "moves": 2, "score": 1, "children": children})
    part = subtree(log, None, 1)["children"]
    assert part[0]["children"] == [{"outcome": "unlogged", "count": 1}]
    assert part[2]["tt"]["from"] == 3
    assert read_log(subtree_json(log, 0, None, 1, 100_000)[0].encode()).columns["tt_from"][4] == 3
    assert subtree(log, set())["children"] == [{"outcome": "unlogged", "count": 2}]
    only_aside = log_of({"children": [{"purpose": "null", "score": 1}]})
    assert subtree(only_aside, set())["children"] == [{"outcome": "unlogged"}]


PLAIN = ("a.json", "a.jsonl", "a.plyb", "a.parquet")
PACKED = ("a.json.gz", "a.jsonl.gz", "a.json.zst", "a.jsonl.zst", "a.plyb.zst")


@pytest.mark.parametrize("name", [*PLAIN, *PACKED])
def test_a_file_is_written_in_the_form_of_its_ending(tmp_path: Path, name: str) -> None:
    def interrupt(part: float) -> None:
        raise KeyboardInterrupt

    path = tmp_path / name
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt):  # which leaves what was there
        write_log_file(LOG, path, interrupt)
    assert [(each, each.read_text()) for each in tmp_path.iterdir()] == [(path, "before")]
    write_log_file(LOG, path)
    assert_same(read_log_file(path), LOG)
    magics = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd", ".plyb": b"\x89PLY", ".parquet": b"PAR1"}
    assert path.read_bytes().startswith(magics.get(path.suffix, b"{"))
    assert [*tmp_path.iterdir()] == [path]
    (tmp_path / "again").mkdir()
    write_log_file(LOG, tmp_path / "again" / name)
    assert name in PLAIN or path.read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"nowhere/a\.json cannot be written: No such file or directory"):
        write_log_file(LOG, tmp_path / "nowhere" / "a.json")
    with pytest.raises(LogError, match=r'a\.csv: found the ending "\.csv", expected \.json, \.jsonl'):
        write_log_file(LOG, tmp_path / "a.csv")


def test_machine_code_is_for_many_rows_and_for_fewer_where_numba_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for is_loaded, least in ((False, text_pieces.COMPILED_ROWS), (True, text_pieces.LOADED_ROWS)):
        monkeypatch.delitem(sys.modules, "numba", raising=False)
        if is_loaded:
            monkeypatch.setitem(sys.modules, "numba", sys)
        assert not text_pieces.is_worth_compiling(least - 1)
        assert text_pieces.is_worth_compiling(least)


@pytest.mark.parametrize("name", [*PLAIN, "a.json.gz", "a.jsonl.zst", "a.plyb.gz"])
def test_the_part_that_is_written_is_told(tmp_path: Path, name: str) -> None:
    log = log_of({"children": [{"score": n} for n in range(20_000)]})
    told: list[float] = []
    write_log_file(log, tmp_path / name, told.append)
    assert len(told) > 1
    assert (told, told[-1]) == (sorted(told), 1.0)


@pytest.mark.parametrize("write", [write_json, write_jsonl])
def test_a_root_of_a_cut_file_that_lost_its_iteration_is_read_again(
    write: Callable[[Log, BinaryIO], None],
) -> None:
    """The second root's own line is lost; what hung below it is a root without an iteration."""
    log = read_log(b'{"plyscope":1}\n{"id":0,"iteration":1}\n{"id":2,"parent":1}\n{"id":3,"par')
    assert [root.iteration for root in log.roots] == [1, None]
    write(log, out := io.BytesIO())
    assert read_log(out.getvalue()).roots == log.roots


DEEP = "[" * 20_000 + "]" * 20_000
OBJECTS = {
    '{"cost":1}': '{"cost":1}',
    '{"score":1.50,"id":"n1"}': '{"data.score":1.50,"data.id":"n1"}',
    '{"inner":{"score":2,"list":[{"ply":"e4"}]},"ply":12345678901234567890123}': (
        '{"inner":{"score":2,"list":[{"ply":"e4"}]},"data.ply":12345678901234567890123}'
    ),
    '{"a\\"b":"\\",\\"score\\":","gr\u00f6\u00dfe":"\\n\\u0001","data.score":1e5}': (
        '{"a\\"b":"\\",\\"score\\":","gr\u00f6\u00dfe":"\\n\\u0001","data.data.score":1e5}'
    ),
    "{}": "{}",
    f'{{"score":{DEEP}}}': f'{{"data.score":{DEEP}}}',
}


def test_names_of_ours_at_the_top_are_told_apart() -> None:
    starts = np.append(0, np.cumsum([len(text.encode()) for text in OBJECTS]))
    blob, starts = with_written_names("".join(OBJECTS).encode(), starts)
    assert [blob[begin:end].decode() for begin, end in pairwise(starts.tolist())] == [*OBJECTS.values()]
