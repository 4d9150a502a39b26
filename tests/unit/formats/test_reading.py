"""Tests of reading a node: fields, numbers, keys, players, factors, layers."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from tests.unit.logs import log_of

LOG = log_of(
    {
        "score": 3,
        "layer": "max",
        "children": [{"ply": "a", "score": 3}, {"outcome": "pruned", "plies": ["b", "c"]}],
    },
    result={"ply": "a"},
)


def test_nodes_are_rows_in_pre_order() -> None:
    log = log_of({"children": [{"ply": "a", "children": [{"ply": "b"}]}, {"ply": "c"}]})
    assert [log.text(ply) for ply in log.columns["ply"]] == [None, "a", "b", "c"]
    assert log.columns["parent"].tolist() == [-1, 0, 1, 0]
    assert log.columns["end"].tolist() == [4, 3, 3, 4]
    assert log.columns["level"].tolist() == [0, 1, 2, 1]
    assert log.columns["id"].tolist() == [0, 1, 2, 3]


def test_a_column_that_no_row_states_is_not_stored() -> None:
    assert set(log_of({"depth": None}).columns) == {
        "id",
        "parent",
        "end",
        "level",
        "ply",
        "layer",
        "outcome",
        "bound",
        "given",
        "score",
    }


def test_null_is_absent_but_open_at_the_edges_of_the_window() -> None:
    log = log_of({"score": None, "alpha": None, "beta": 3, "children": [{}]})
    assert np.isnan(log.columns["score"]).all()
    assert log.columns["alpha"][0] == -np.inf
    assert np.isnan(log.columns["alpha"][1])
    assert log.columns["given"].tolist() == [GIVEN["alpha"] | GIVEN["beta"], 0]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('"inf"', np.inf),
        ('"-Infinity"', -np.inf),
        ("Infinity", np.inf),
        ("-Infinity", -np.inf),
        ("1e999", np.inf),
        ("-1e999", -np.inf),
        ("9" * 400, np.inf),
        ("1" + "0" * 25, 1e25),
    ],
)
def test_numbers_that_json_lacks_are_read(written: str, value: float) -> None:
    log = read_log(f'{{"plyscope":1,"root":{{"score":{written}}}}}'.encode())
    assert log.columns["score"].tolist() == [value]


@pytest.mark.parametrize("written", ['"nan"', "NaN", '"NaN"'])
def test_a_written_nan_is_stated(written: str) -> None:
    log = read_log(f'{{"plyscope":1,"root":{{"score":{written},"children":[{{}}]}}}}'.encode())
    assert np.isnan(log.columns["score"]).all()
    assert log.columns["given"].tolist() == [GIVEN["score"], 0]


def test_ids_of_the_writer_are_kept_where_every_node_has_one() -> None:
    log = log_of({"id": 70, "children": [{"id": 5}]})
    assert log.columns["id"].tolist() == [70, 5]


@pytest.mark.parametrize("root_id", ["a", 2**60, -1])
def test_ids_that_cannot_be_ours_are_kept_beside(root_id: object) -> None:
    log = log_of({"id": root_id, "children": [{"id": 5, "tt": {"from": root_id}}]})
    assert log.columns["id"].tolist() == [0, 1]
    assert log.columns["tt_from"].tolist() == [-1, 0]
    assert log.extras is not None
    assert log.extras.of(1) == b'{"id":5}'


def test_a_table_source_is_an_id_or_else_a_place_in_the_document() -> None:
    by_place = log_of(
        {"children": [{"ply": "a"}, {"tt": {"from": 1}}, {"tt": {"from": 99}}, {"tt": {"from": "x"}}]}
    )
    assert by_place.columns["tt_from"].tolist() == [-1, -1, 1, -2, -2]
    by_id = log_of({"id": 9, "children": [{"id": 7, "tt": {"from": 9}}, {"id": 8, "tt": {"from": 0}}]})
    assert by_id.columns["tt_from"].tolist() == [-1, 0, -2]


def test_keys_have_the_form_they_were_written_in() -> None:
    assert log_of({"key": "00000000000000ff"}).key_form == "hex"
    assert log_of({"key": 255}).columns["key"].tolist() == [255]
    mixed = log_of({"key": "00000000000000ff", "children": [{"key": 255}, {"key": "FF"}]})
    assert mixed.key_form == "text"
    assert [mixed.text(int(key)) for key in mixed.columns["key"]] == ["00000000000000ff", "255", "FF"]


def test_keys_of_two_forms_are_read_as_a_reader_of_their_texts_would_read_them() -> None:
    mixed = log_of({"key": "ffffffffffffffff", "children": [{"key": 1_000_000_000_000_000}]})
    assert mixed.key_form == "hex"
    assert mixed.columns["key"].tolist() == [2**64 - 1, 2**60]


def test_keys_of_two_forms_far_apart_become_texts() -> None:
    n_nodes = 40_000
    log = log_of({"key": 7, "children": [{"key": "00000000000000ff"}] * n_nodes})
    assert log.key_form == "text"
    assert [log.text(int(log.columns["key"][row])) for row in (0, 1, n_nodes)] == [
        "7",
        *["00000000000000ff"] * 2,
    ]


def test_the_layer_follows_from_the_player() -> None:
    log = log_of({"player": "o", "children": [{"player": "x"}, {"outcome": "pruned"}]}, players=["x", "o"])
    assert log.columns["layer"].tolist() == [words.MAX, words.MIN, 0]
    assert log.columns["player"].tolist() == [1, 0, -1]


def test_players_are_named_by_appearance_where_the_header_does_not() -> None:
    assert log_of({"player": "o", "children": [{"player": "x"}]}).players == ("o", "x")


def test_a_player_may_be_a_number_into_the_header() -> None:
    assert log_of({"player": 1}, players=["x", "o"]).columns["player"].tolist() == [1]


def test_factors_without_a_header_get_numbers_for_names() -> None:
    log = log_of({"factors": [1, None], "children": [{"factors": [2]}]})
    assert [factor.name for factor in log.factors] == ["factor 1", "factor 2"]
    np.testing.assert_array_equal(log.columns["factors"], [[1, np.nan], [2, np.nan]])


def test_contributions_are_columns_by_name() -> None:
    log = log_of({"contributions": {"a": 1}, "children": [{"contributions": {"b": 2, "a": None}}, {}]})
    assert log.contribution_names == ("a", "b")
    np.testing.assert_array_equal(log.columns["contributions"], [[1, np.nan], [np.nan, 2], [np.nan, np.nan]])


def test_a_stub_that_lists_its_plies_counts_them() -> None:
    assert LOG.columns["count"].tolist() == [-1, -1, 2]
    assert log_of({"outcome": "pruned", "plies": ["a"], "count": 5}).columns["count"].tolist() == [5]


def test_unknown_fields_are_kept() -> None:
    log = log_of({"mine": [1, None], "tt": {"age": 3}, "children": [{"iteration": 4}]}, mine={"a": 1})
    assert log.extras is not None
    assert log.extras.of(0) == b'{"mine":[1,null],"tt.age":3}'
    assert log.extras.of(1) == b'{"iteration":4}'
    assert log.header["mine"] == {"a": 1}


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        ([{"id": 1, "tt": {"from": 7}}, {"id": 2}], "of a table entry names no node of this log, such as 7:"),
        (
            [{"tt": {"from": -1}}, {"tt": {"from": 8}}],
            "of 2 table entries names no node of this log, such as -1:",
        ),
        ([{"id": "a", "tt": {"from": "b"}}, {"id": "c"}], 'names no node of this log, such as "b":'),
    ],
)
def test_a_table_entry_of_a_node_that_is_not_there_is_told_once(nodes: list[Any], said: str) -> None:
    root = {"children": nodes} | ({"id": 0 if nodes[0]["id"] == 1 else "r"} if "id" in nodes[0] else {})
    log = log_of(root)
    assert len(log.notices) == 1
    assert said in log.notices[0]
    assert log_of(root).columns["tt_from"].tolist()[1] == -2


def test_a_table_entry_whose_source_is_there_or_beyond_a_copied_part_is_not_told() -> None:
    log = log_of(
        {"children": [{"ply": "a"}, {"tt": {"from": 1}}, {"tt": {"from": -2}}, {"tt": {"from": None}}]}
    )
    assert log.notices == ()
    assert log.columns["tt_from"].tolist() == [-1, -1, 1, -2, -1]


def test_a_negamax_log_without_players_gets_the_layers_it_was_turned_by() -> None:
    tree = {"score": 3, "children": [{"ply": "a", "score": -3, "children": [{"ply": "b", "score": 3}]}]}
    log = log_of(tree, search={"perspective": "mover"})
    assert [words.LAYERS[code] for code in log.columns["layer"]] == ["max", "min", "max"]
    assert log.columns["score"].tolist() == [3.0, 3.0, 3.0]
    assert "taken to alternate" in log.notices[0]


def test_rates_of_a_best_first_search_are_reflected_in_its_range() -> None:
    child = {"layer": "min", "score": 0.25, "mean": 0.25, "visits": 8, "wins": 2, "losses": 6}
    tree = {
        "layer": "max",
        "score": 0.75,
        "mean": 0.75,
        "children": [child | {"ucb": {"exploit": 0.25, "n": 7}}],
    }
    search = {"perspective": "mover", "order": "best_first", "range": [0, 1]}
    log = log_of(tree, search=search)
    for name in ("score", "mean"):
        assert log.columns[name].tolist() == [0.75, 0.75], name
    assert log.columns["ucb_exploit"][1] == 0.75
    assert (log.columns["wins"][1], log.columns["losses"][1], log.columns["ucb_n"][1]) == (6, 2, 7)
    negated = log_of(tree, search=search | {"order": "depth_first"})
    assert negated.columns["mean"].tolist() == [0.75, -0.25]


def test_wins_that_are_turned_are_losses_though_the_log_states_no_losses() -> None:
    tree = {"layer": "max", "children": [{"layer": "min", "visits": 4, "wins": 4}]}
    log = log_of(tree, search={"perspective": "mover"})
    assert "wins" not in log.columns
    assert log.columns["losses"][1] == 4


def test_layers_are_not_made_up_where_nothing_was_turned() -> None:
    log = log_of({"score": 3, "children": [{"ply": "a", "score": 3}]})
    assert log.columns["layer"].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '{"plyscope":1,"root":{"children":[{"children":[{}],\n"children" : []}]}}',
            "line 1, column 35: found `children` twice",
        ),
        ('{"plyscope":1,"root":{},"root":{"score":1}}', "line 1, column 1: found `root` twice"),
        ('{"v":1,"kids":[{"v":2,"kids":[]}],"kids":[{"v":3,"kids":[]}]}', "column 1: found `kids` twice"),
        ('{"plyscope":1}\n{"id":0}\n{"id":1,"parent":0,"id":2}', "line 3, column 1: found `id` twice"),
    ],
)
def test_nodes_written_under_a_key_that_comes_twice_are_not_lost_in_silence(text: str, sentence: str) -> None:
    with pytest.raises(LogError, match=re.escape(sentence)):
        read_log(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        '{"plyscope":1,"root":{"score":1,"ply":"\\"score\\":","score":2}}',
        '{"plyscope":1}\n{"id":0,"score":1,"score":2}\n{"result":{}}',
    ],
)
def test_a_value_that_is_written_twice_is_told(text: str) -> None:
    log = read_log(text.encode())
    assert log.columns["score"].tolist() == [2]
    assert sum("`score` is written twice in one object" in notice for notice in log.notices) == 1


def test_colons_in_texts_are_no_keys() -> None:
    document = {"plyscope": 1, "root": {"ply": 'a":b', "board": '{"children": 1, "children": 2}', "x": {}}}
    assert read_log(json.dumps(document, separators=(" , ", " : ")).encode()).notices == ()
    assert read_log(json.dumps(document).encode()).notices == ()
