"""`plyscope.Log`, its nodes and its columns: what a script reads of a log."""

from __future__ import annotations

import copy
import math
import pickle
import sys
import tracemalloc
import typing
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import plyscope
from plyscope.visualizer.store.fields import FIELDS, OWN


def test_a_log_says_the_essential_in_a_line(log: plyscope.Log, forest: str) -> None:
    assert repr(log) == "<Log mine.json: 7 rows, game mine, depth 2, chose c6 (+4)>"
    assert repr(plyscope.open(forest)) == "<Log log: 5 rows, 2 trees>"
    cut = plyscope.open('{"plyscope": 1, "game": "x\\ny"}\n{"id": 0}\n{"id": 1, "par')
    assert repr(cut) == r"<Log log: 1 row, game x\ny, 2 notices>"
    odd = '{"plyscope": 1, "search": {"depth": [1]}, "result": {"ply": "a", "score": "inf"}, "root": {}}'
    assert repr(plyscope.open(odd)) == "<Log log: 1 row, chose a>"


def test_the_header_is_a_copy(log: plyscope.Log) -> None:
    log.header["result"]["ply"] = "mine"
    assert "chose c6" in repr(log)
    assert log.header["search"]["depth"] == 2


def test_stats_count_rows_nodes_and_leaves(log: plyscope.Log) -> None:
    assert (log.stats.rows, log.stats.nodes, log.stats.leaves, log.stats.pruned) == (7, 6, 2, 3)
    assert [level.nodes for level in log.stats.levels] == [1, 3, 2]
    assert repr(log.stats).startswith("Totals(rows=7, nodes=6, leaves=2, ")
    assert repr(log.stats).endswith(" searched=6, unknown_searched=0)")


def test_what_a_node_states_are_its_attributes_and_the_rest_is_none(log: plyscope.Log) -> None:
    root, leaf, late = log.node(0), log.node(3), log.node("d3")
    assert (root.alpha, root.beta, root.bound, root.ply) == (-math.inf, math.inf, None, None)
    assert (leaf.score, leaf.ply, leaf.outcome, leaf.moves) == (4.0, "d6", "leaf", None)
    assert leaf.factors == {"material": 2.0, "mobility": None}
    assert (late.moves, late.in_check, late.quiescence, late.bound) == (9, False, None, "upper")
    assert (late.level, late.row, late.id, late.is_stub) == (1, 5, 5, False)
    stub = log.node("(pruned)")
    assert (stub.count, stub.plies, stub.is_stub, stub.pre_scores) == (3, ["a", "b", "c"], True, None)
    assert list(late.fields) == ["id", "ply", "layer", "score", "bound", "in_check", "moves"]
    assert leaf.data == {"mine": {"a": 1}}
    assert late.data == {}


def test_a_table_entry_is_a_dict_by_the_names_inside_it_and_factors_of_one_name_are_told_apart() -> None:
    entry = {"use": "cut", "depth": 3, "bound": "lower", "score": "inf", "ply": "c6", "from": 0}
    tree = {"children": [{"ply": "a", "tt": entry, "contributions": {"x": 1}, "key": "00000000000000ff"}]}
    node = plyscope.open(str({"plyscope": 1, "root": tree}).replace("'", '"')).node("a")
    assert node.tt == {**entry, "depth": 3.0, "score": math.inf}
    assert (node.contributions, node.key) == ({"x": 1.0}, "00000000000000ff")
    log = plyscope.open('{"plyscope": 1, "factors": ["a", "a"], "root": {"factors": [1, 2]}}')
    assert log.main_root.factors == {"a": 1.0, "a#2": 2.0}
    assert list(log.columns("factors")) == ["factors.a", "factors.a#2"]


def test_every_field_of_the_format_is_an_attribute_with_a_type() -> None:
    """A new field wants its line in `visualizer/analysis/nodes/node.py`, so that editors know it."""
    stated = typing.get_type_hints(plyscope.Node)
    assert list(stated) == [field.name for field in OWN if field.name != "id"]
    node = plyscope.open('{"plyscope": 1, "root": {}}').main_root
    assert {name: getattr(node, name) for name in stated} == dict.fromkeys(stated)
    assert set(stated) < set(dir(node))


def test_a_misspelt_field_is_an_error_with_a_near_name(log: plyscope.Log) -> None:
    with pytest.raises(AttributeError, match=r"no field 'scoer'; did you mean score\?"):
        log.main_root.scoer  # noqa: B018
    with pytest.raises(AttributeError, match=r"this log's own is node\.data\['mine'\]"):
        log.node(3).mine  # noqa: B018
    with pytest.raises(AttributeError, match=r"no field 'xyzzy'; dir\(node\) lists them"):
        log.main_root.xyzzy  # noqa: B018
    assert not hasattr(log.main_root, "_repr_latex_")


def test_nodes_know_those_around_them_and_their_equals(log: plyscope.Log, path: Path) -> None:
    root = log.main_root
    assert root.parent is None
    assert [child.id for child in root.children] == [1, 2, 5, 6]
    assert root.children[-1].parent == root
    assert [node.id for node in root.children[1:3]] == [2, 5]
    assert (len(root.children), len(log.node(3).children)) == (4, 0)
    assert log.node(2) in root.children
    assert log.node(3) not in root.children
    assert [node.id for node in log] == list(range(7))
    assert bool(log.node(3))
    for other in (root, "d6", plyscope.open(path).node(3)):
        assert log.node(3) != other
    assert log.node(3) == log.node("c6#2 > d6") == copy.copy(log.node(3))
    assert len({log.node(3), log.node(3), log.node(4)}) == 2
    assert [log.node(node.path) for node in log] == list(log)
    again = pickle.loads(pickle.dumps(plyscope.open(path)))
    assert [node.fields for node in again] == [node.fields for node in log]


def test_a_node_and_its_children_say_the_essential_in_a_line(log: plyscope.Log) -> None:
    assert repr(log.node(5)) == "<Node #5 d3: score ≤ 0>"
    assert repr(log.node(6)) == "<Node #6 (pruned): pruned, 3 plies>"
    assert repr(log.node(0)) == "<Node #0 root: score 4, 4 below>"
    assert repr(log.main_root.children).endswith("<Node #5 d3: score ≤ 0>, … 1 more]")
    assert repr(log.node(4).children) == "[]"


NAMED: dict[int, list[Any]] = {
    0: ["root", []],
    1: ["c6#1"],
    3: [3, np.int64(3), " #3 ", "c6#2 > d6", ["c6#2", "d6"]],
    5: ["d3", "root > d3", ("d3",)],
    6: ["(pruned)"],
}
"""By row what names its node."""


def test_a_node_is_found_by_id_by_path_and_by_a_list_of_plies(log: plyscope.Log) -> None:
    for row, names in NAMED.items():
        assert {log.node(which).row for which in names} == {row}


def test_an_empty_ply_is_none_and_its_path_is_not_that_of_the_root() -> None:
    log = plyscope.open(
        '{"plyscope": 1, "root": {"children": ['
        '{"ply": ""}, {"ply": "a", "children": [{"ply": ""}, {}]}, {}]}}'
    )
    assert [node.path for node in log] == ["root", "?#1", "a", "a > ?#1", "a > ?#2", "?#2"]
    assert [log.node(node.path) == node for node in log] == [True] * 6
    hits = plyscope.query(log, "level >= 0").as_json()["rows"]
    assert [row["path"] for row in hits] == [node.path for node in log]
    nan = '{"plyscope": 1, "root": {"children": [{"ply": "", "score": "nan"}]}}'
    assert [finding.path for finding in plyscope.check(nan)] == ["?"]


def test_plies_may_look_like_numbers_of_visits_stubs_and_ids() -> None:
    plies = ["c#2", "c", "#1", "(pruned)", "?", "a > b"]
    children = [*({"ply": ply} for ply in plies), {}, {"outcome": "pruned"}, {"outcome": "pruned"}]
    log = plyscope.open(str({"plyscope": 1, "root": {"children": children}}).replace("'", '"'))
    assert [log.node([ply]).ply for ply in ("c#2", "c", "#1", "a > b")] == ["c#2", "c", "#1", "a > b"]
    steps = ["c#2", "c", "#1", "(pruned)#1", "?#1", "a > b", "?#2", "(pruned)#2", "(pruned)#3"]
    assert [log.node([step]).row for step in steps] == [*range(1, 10)]
    assert [node.path for node in log][1:] == steps


def test_what_is_no_path_yet_is_said_with_what_there_is(log: plyscope.Log) -> None:
    said = r"^'c6' was visited 2 times below the root; say which: c6#1 \(id 1\), c6#2 \(id 2\)$"
    with pytest.raises(LookupError, match=said):
        log.node("c6 > d6")
    children = ", ".join(f'{{"ply": "p{n}"}}' for n in range(1000))
    many = plyscope.open(f'{{"plyscope": 1, "root": {{"children": [{children}]}}}}')
    with pytest.raises(LookupError, match=r"'p7' and 992 more$"):
        many.node("q")


@pytest.mark.parametrize(
    ("which", "says"),
    [
        (7, "no node has the id 7 among the 7 of this log"),
        (-1, "no node has the id -1"),
        (10**30, "no node has the id 1000"),
        ("", "an empty text is no path"),
        ("e2", r"^no 'e2' below the root; there are 'c6', 'd3', '\(pruned\)'$"),
        ("d3 > a1", "^no 'a1' below 'd3'; there is nothing below it in this log$"),
        ("c6#3", "'c6' was visited 2 times$"),
        ("d3#2", "'d3' was visited once$"),
        ("d3#0", "'d3' was visited once$"),
    ],
)
def test_a_node_that_is_not_there_is_a_lookup_error(log: plyscope.Log, which: Any, says: str) -> None:
    with pytest.raises(LookupError, match=says):
        log.node(which)
    for other in (True, None, 2.5, [1, 2]):
        with pytest.raises(TypeError):
            log.node(other)  # type: ignore[arg-type]


def test_paths_begin_at_the_main_root_unless_another_is_named(forest: str) -> None:
    log = plyscope.open(forest)
    assert [root.iteration for root in log.roots] == [1, 2]
    assert log.main_root == log.roots[1]
    assert (log.node("a1").score, log.node("a1", root=log.roots[0]).score) == (5.0, 1.0)
    with pytest.raises(LookupError, match=r"this is one of 2 trees; root=log\.roots\[0\] names another"):
        log.node("b2")
    assert log.node("b2", root=log.roots[0]).score == 0.0
    with pytest.raises(ValueError, match="a node of another log"):
        log.node("b2", root=plyscope.open(forest).main_root)


def test_looking_at_a_large_log_makes_no_object_for_each_node() -> None:
    n_children = 100_000
    children = ",".join(['{"ply":"a","score":1}'] * n_children)
    log = plyscope.open(f'{{"plyscope":1,"root":{{"children":[{children}]}}}}', progress=False)
    log.main_root.children[0]
    tracemalloc.start()
    children_of = log.main_root.children
    assert (len(children_of), children_of[-1].row) == (n_children, n_children)
    assert len(log.columns("score", "ply")["ply"]) == n_children + 1
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 30 * n_children


def test_fields_of_somebodys_own_may_be_nested_deeper_than_a_fast_reader_goes() -> None:
    deep = "[" * 1_100 + "]" * 1_100
    log = plyscope.open(f'{{"plyscope": 1, "root": {{"score": 1, "mine": {deep}}}}}')
    value, n_levels = log.roots[0].data["mine"], 1
    while value:
        value, n_levels = value[0], n_levels + 1
    assert n_levels == 1_100


def test_numbers_are_floats_with_nan_and_words_are_objects_with_none(log: plyscope.Log) -> None:
    columns = log.columns("score", "alpha", "moves", "in_check", "outcome", "ply", "count")
    nan = np.nan
    expected: dict[str, list[Any]] = {
        "score": [4, 3, 4, 4, 14, 0, nan],
        "alpha": [-np.inf, nan, nan, nan, nan, nan, nan],
        "moves": [nan, nan, nan, nan, nan, 9, nan],
        "in_check": [nan, nan, nan, nan, nan, 0, nan],
        "count": [nan, nan, nan, nan, nan, nan, 3],
    }
    for name, values in expected.items():
        assert columns[name].dtype == np.float64
        np.testing.assert_array_equal(columns[name], values)
    assert columns["outcome"].tolist() == [None, None, None, "leaf", "leaf", None, "pruned"]
    assert columns["ply"].tolist() == [None, "c6", "c6", "d6", "e6", "d3", None]
    assert list(columns) == ["score", "alpha", "moves", "in_check", "outcome", "ply", "count"]


def test_rows_are_in_pre_order_and_know_their_place(log: plyscope.Log) -> None:
    columns = log.columns("id", "parent", "end", "level")
    assert columns["id"].tolist() == list(range(7))
    assert columns["parent"].tolist() == [-1, 0, 0, 2, 2, 0, 0]
    assert columns["end"].tolist() == [7, 2, 5, 4, 5, 6, 7]
    assert columns["level"].tolist() == [0, 1, 1, 2, 2, 1, 1]


def test_a_field_of_several_values_is_several_columns(log: plyscope.Log) -> None:
    columns = log.columns("factors")
    assert list(columns) == ["factors.material", "factors.mobility"]
    np.testing.assert_array_equal(columns["factors.mobility"][3:5], [np.nan, 20])
    np.testing.assert_array_equal(log.columns("factors.material")["factors.material"][3:5], [2, 2])
    assert log.columns("contributions", "scores", "tt") == {}


def test_entries_keys_players_scores_and_iterations_are_columns() -> None:
    entry = '{"use": "cut", "ply": "x", "from": 70}'
    log = plyscope.open(
        '{"plyscope": 1, "players": ["w", "b", "r"]}\n'
        '{"id": 70, "iteration": 3, "player": "w", "key": "start", "scores": [1, 2, 3]}\n'
        f'{{"id": 9, "parent": 70, "player": 1, "tt": {entry}, "contributions": {{"x": 2}}}}\n'
    )
    columns = {name: column.tolist() for name, column in log.columns().items()}
    assert columns["player"] == ["w", "b"]
    assert columns["key"] == ["start", None]
    assert columns["tt.from"][1] == 70
    assert (log.node(9).row, log.node(9).parent) == (1, log.node(70))
    assert columns["tt.use"] == [None, "cut"]
    assert columns["contributions.x"][1] == 2
    assert columns["scores.r"][0] == 3
    assert columns["iteration"][0] == 3
    assert np.isnan(columns["iteration"][1])
    hexadecimal = plyscope.open('{"plyscope": 1, "root": {"key": "00000000000000ff", "children": [{}]}}')
    assert hexadecimal.columns("key")["key"].tolist() == [255, 0]


def test_without_names_all_that_a_row_states_is_given(log: plyscope.Log) -> None:
    stated = {"ply", "layer", "score", "bound", "outcome", "purpose", "depth", "moves", "alpha", "beta"}
    stated |= {"in_check", "count", "factors.material", "factors.mobility"}
    assert set(log.columns()) == stated | {"id", "parent", "end", "level"}
    for column in log.columns().values():
        with pytest.raises(ValueError, match="read-only"):
            column[0] = column[1]
    assert log.columns("ply")["ply"][1] is log.columns("ply")["ply"][2]  # which comes often


def test_every_field_of_the_format_is_a_column_or_says_why_not(log: plyscope.Log) -> None:
    for name in FIELDS:
        if name in ("plies", "pre_scores"):
            with pytest.raises(LookupError, match=rf"a list on a few stubs, and no column.*node\.{name}"):
                log.columns(name)
        else:
            assert all(len(column) == len(log) for column in log.columns(name).values())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("scor", r"^scor: no field of the log format; did you mean score\?$"),
        ("mine", "^mine: no field of the log format"),
        ("factors.speed", "^factors.speed: expected factors of material, mobility$"),
        ("scores.red", "^scores.red: expected scores of none$"),
    ],
)
def test_what_is_no_field_is_refused_with_near_names(log: plyscope.Log, name: str, says: str) -> None:
    with pytest.raises(LookupError, match=says):
        log.columns(name)


def test_pandas_is_given_columns_with_words_as_categories_and_ids_as_index(
    log: plyscope.Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    hits = plyscope.query(log, "level = 1 and not is_stub", columns=["moves", "level", "quiescence"])
    stub: Any = ModuleType("pandas")
    stub.Index = lambda values, name: (name, values.tolist())
    stub.Categorical = lambda values, categories: (values.tolist(), categories)
    stub.DataFrame = lambda columns, index: (columns, index)
    monkeypatch.setitem(sys.modules, "pandas", stub)
    columns, index = log.to_pandas("id", "score", "bound")
    assert list(columns) == ["score", "bound"]
    assert columns["bound"][0][1:3] == ["lower", "exact"]
    assert set(columns["bound"][1]) == {"exact", "lower", "upper"}
    assert index == ("id", list(range(7)))
    columns, index = hits.to_pandas()
    assert index == ("id", [1, 2, 5])
    assert columns["level"].dtype == np.int64
    assert (np.isnan(columns["moves"][0]), columns["moves"][2]) == (True, 9)
    assert columns["quiescence"].tolist() == [None] * 3
