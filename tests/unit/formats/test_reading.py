"""Tests of reading a node: fields, numbers, keys, players, factors, layers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words
from tests.unit.logs import log_of


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


def test_keys_of_two_forms_far_apart_become_texts() -> None:
    n_nodes = 40_000
    log = log_of({"key": 7, "children": [{"key": "00000000000000ff"}] * n_nodes})
    assert log.key_form == "text"
    assert [log.text(int(log.columns["key"][row])) for row in (0, 1, n_nodes)] == [
        "7",
        *["00000000000000ff"] * 2,
    ]


def test_factors_without_a_header_get_numbers_for_names() -> None:
    log = log_of({"factors": [1, None], "children": [{"factors": [2]}]})
    assert [factor.name for factor in log.factors] == ["factor 1", "factor 2"]
    np.testing.assert_array_equal(log.columns["factors"], [[1, np.nan], [2, np.nan]])


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
