"""Guessing somebody's own tree: values decide, a mapping corrects, what is no tree is refused in words."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.reader import read_foreign
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.words import LAYERS


def plies(log: Log) -> list[str | None]:
    return [log.text(int(ply)) for ply in log.columns["ply"]]


def scores(log: Log) -> list[float | None]:
    return [None if math.isnan(score) else score for score in log.columns["score"].tolist()]


def layers(log: Log) -> list[str]:
    return [LAYERS[layer] for layer in log.columns["layer"]]


def extras(log: Log, row: int) -> Any:
    return json.loads(log.extras.of(row) or b"{}") if log.extras else {}


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "an empty list"),
        ({}, "an empty object"),
        (12, "a single value, 12"),
        (None, "a single value, null"),
        ([3, 5, 9], "a list of 3 numbers"),
        (["a1", "b2"], "a list of 2 texts"),
        ([3, "a"], "a list of 2 things of different kinds"),
        ([{"move": "c6", "score": 3}, {"move": "d6", "score": 1}], "a table of 2 rows (move, score)"),
        ([[["x", "o"], ["o", "x"]], [["x", "x"], ["o", "x"]]], "a list of 2 boards of 2 × 2 cells"),
        ([[1, 0, 2], [0, 1, 0]], "a board or table of 2 × 3 values"),
        ([[3, 12], [2, 4, 6]], "a list of 2 lists of values"),
        ([3, [[5, []], [2, []]]], "a list of 2 things of different kinds"),
        ([[[3, 5], [6, [9]]], [[1, 2]]], "lists in lists"),
        ([{"board": [["x", ""], ["", "o"]]}, {"board": [["x", "o"], ["", "o"]]}], "a list of 2 positions"),
        ({"name": "left-pad", "version": "1.3.0", "scripts": {"test": "tap"}}, "an object of 3 fields"),
        ({"game": "chess", "moves": [{"san": "e4"}, {"san": "e5"}]}, "an object of 2 fields (game, moves)"),
    ],
)
def test_what_is_no_tree_is_refused_by_what_it_looks_like(document: object, words: str) -> None:
    with pytest.raises(LogError, match="expected a tree") as refused:
        read_foreign(document)
    assert f"this looks like {words}" in str(refused.value)


def test_a_depth_that_falls_is_plies_left_and_one_that_rises_is_the_level() -> None:
    falling = read_foreign({"depth": 2, "children": [{"depth": 1, "children": [{"depth": 0}]}]})
    assert falling.columns["depth"].tolist() == [2, 1, 0]
    rising = read_foreign({"depth": 0, "children": [{"depth": 1, "children": [{"depth": 2}]}]})
    assert "depth" not in rising.columns
    assert extras(rising, 2) == {"depth": 2}
    assert any("it is the level" in notice for notice in rising.notices)


def test_fields_that_only_sound_like_ours_are_kept_and_not_taken() -> None:
    """`parent` is a name, `id` comes twice, `layer` and `bound` and `key` hold something of their own."""
    node = {"parent": "root", "id": 7, "layer": 1, "bound": 80, "key": [1], "tt": "no", "alpha": "none"}
    log = read_foreign({**node, "children": [{**node, "layer": 2}]})
    assert extras(log, 0) == node
    assert layers(log) == ["", ""]


@pytest.mark.parametrize(
    ("name", "of_reply", "expected"),
    [
        ("mv", ["c6", "e2"], ["c6", "e2"]),
        ("zug", ["c6", "e2"], ["c6", "e2"]),
        ("played", [[0, 2], [1, 1]], ["0,2", "1,1"]),
        ("coord", [[0, 2], [1, 1]], ["0,2", "1,1"]),
        ("Feld", [["a", 2], ["b", 1]], ["a,2", "b,1"]),
        ("pos", [4, 7], ["4", "7"]),
        ("pos", [4, 4], [None, None]),
        ("zug", ["c6", "c6"], [None, None]),
        ("hash", ["9fd3", "77aa"], [None, None]),
        ("comment", ["good", "bad"], [None, None]),
        ("color", ["red", "blue"], [None, None]),
        ("weights", [4, 7], [None, None]),
    ],
)
def test_what_differs_among_siblings_is_the_ply_whatever_its_name(
    name: str, of_reply: list[Any], expected: list[str | None]
) -> None:
    replies = [{name: each, "eval": at, "kids": []} for at, each in enumerate(of_reply)]
    log = read_foreign({"eval": 1, "kids": replies})
    assert plies(log) == [None, *expected]
    assert log.mapping.get("ply") == (name if expected[0] else None)


def test_of_two_texts_that_differ_among_siblings_none_is_taken() -> None:
    replies = [{"von": "a1", "nach": "b2", "eval": 3}, {"von": "a2", "nach": "b3", "eval": 1}]
    assert "ply" not in read_foreign({"eval": 1, "kids": replies}).mapping


@pytest.mark.parametrize("name", ["plies", "options", "sub"])
def test_further_names_of_children(name: str) -> None:
    log = read_foreign({"eval": 3, name: [{"mv": "c6", "eval": 3}, {"mv": "d6", "eval": 1}]})
    assert log.mapping["children"] == name
    assert plies(log) == [None, "c6", "d6"]


def test_a_score_that_is_no_number_stays_text_with_a_notice() -> None:
    log = read_foreign({"score": 3, "children": [{"score": "#3"}, {"score": "Infinity"}]})
    assert scores(log) == [3, None, math.inf]
    assert extras(log, 1) == {"score": "#3"}
    assert any('1 value of "score" not a number ("#3")' in notice for notice in log.notices)


def test_leaves_may_keep_their_score_under_another_name_than_inner_nodes() -> None:
    log = read_foreign(
        {"minimax": 4, "children": [{"utility": 4}, {"minimax": 1, "children": [{"utility": 1}]}]}
    )
    assert scores(log) == [4, 4, 1, 1]
    assert log.mapping["score"] == "minimax|utility"


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("layer", ["max", "MIN"]),
        ("isMax", [True, False]),
        ("maximizing", [1, 0]),
        ("isMinimizing", [False, True]),
        ("type", ["MAX", "MIN"]),
        ("nodeType", ["maximizer", "minimizer"]),
        ("player", [1, -1]),
        ("player", ["X", "O"]),
        ("turn", ["w", "b"]),
        ("color", ["white", "black"]),
        ("max", ["true", "false"]),
    ],
)
def test_layers_are_read_however_they_are_written(field: str, values: list[Any]) -> None:
    tree = {field: values[0], "children": [{field: values[1], "children": [{field: values[0]}]}]}
    assert layers(read_foreign(tree)) == ["max", "min", "max"]


def test_the_player_whose_nodes_take_the_largest_score_is_max_even_below_the_root() -> None:
    tree = {
        "player": "O",
        "score": 1,
        "children": [{"player": "X", "score": 1}, {"player": "X", "score": 6}, {"player": "X", "score": 2}],
    }
    assert layers(read_foreign(tree)) == ["min", "max", "max", "max"]


def test_negamax_scores_are_turned_to_the_root_player_with_a_notice() -> None:
    tree = {
        "value": 7,
        "children": [
            {"value": -7, "children": [{"value": 7}, {"value": 9}]},
            {"value": -2, "children": [{"value": 2}, {"value": 8}]},
        ],
    }
    log = read_foreign(tree)
    assert scores(log) == [7, 7, 7, 9, 2, 2, 8]
    assert layers(log) == ["max", "min", "max", "max", "min", "max", "max"]
    assert any("negamax" in notice for notice in log.notices)
    as_written = read_foreign(tree, mapping={"layer": "", "perspective": "root"})
    assert scores(as_written) == [7, -7, 7, 9, -2, 2, 8]


def test_factors_are_contributions_by_name_or_raw_values_in_a_list() -> None:
    named = read_foreign({"score": 5, "children": [{"score": 5, "features": {"mobility": 3, "corners": 2}}]})
    assert named.contribution_names == ("mobility", "corners")
    assert named.columns["contributions"][1].tolist() == [3, 2]
    listed = read_foreign({"children": [{"factors": [3, 2]}, {"factors": [1]}]})
    assert [factor.name for factor in listed.factors] == ["factor 1", "factor 2"]
    assert listed.columns["factors"][1].tolist() == [3, 2]
    told = read_foreign({"factorNames": ["mobility", "corners"], "tree": {"children": [{"factors": [3, 2]}]}})
    assert [factor.name for factor in told.factors] == ["mobility", "corners"]


@pytest.mark.parametrize("values", [[3, 2], {"hand": 3, "ring": 2}], ids=["values", "contributions"])
def test_what_factors_count_is_read_from_the_list_that_names_them(values: Any) -> None:
    listed = [{"name": "hand", "meaning": "Pieces in hand."}, {"name": "ring", "meaning": 5}]
    told = read_foreign({"factors": listed, "tree": {"children": [{"factors": values}]}})
    assert {factor.name: factor.meaning for factor in told.factors if factor.meaning} == {
        "hand": "Pieces in hand."
    }


def test_a_mapping_corrects_the_guess() -> None:
    tree = {"name": "r", "score": 1, "cost": 5, "children": [{"name": "a", "score": 2, "cost": 6}]}
    assert scores(read_foreign(tree, mapping={"score": "cost"})) == [5, 6]
    without = read_foreign(tree, mapping={"score": ""})
    assert scores(without) == [None, None]
    assert "score" not in without.mapping
    assert extras(without, 1) == {"score": 2, "cost": 6}


def test_a_mapping_may_name_the_children_that_no_guess_would_find() -> None:
    tree = {"h": 1, "pv": [{"h": 2}, {"h": 3}]}
    with pytest.raises(LogError):
        read_foreign({"pv": [{"x": 2}]})
    log = read_foreign(tree, mapping={"children": "pv"})
    assert log.columns["parent"].tolist() == [-1, 0, 0]


def test_an_unknown_field_in_a_mapping_is_an_error_that_lists_the_fields_seen() -> None:
    tree = {"name": "r", "children": [{"name": "a", "cost": 6}]}
    with pytest.raises(LogError, match='no node has a field "worth" for score; fields seen: name, cost'):
        read_foreign(tree, mapping={"score": "worth"})
    with pytest.raises(LogError, match='nothing holds nodes under "kids"; fields seen: name, children'):
        read_foreign(tree, mapping={"children": "kids"})


def test_the_shape_depends_on_the_names_and_not_on_the_values_or_the_mapping() -> None:
    tree = {"name": "r", "children": [{"name": "a", "cost": 6}, {"name": "b", "cost": 1}]}
    other = {"name": "s", "children": [{"name": "x", "cost": 0, "children": []}]}
    shape = read_foreign(tree).shape
    assert shape == read_foreign(other).shape == read_foreign(tree, mapping={"score": "cost"}).shape
    assert shape != read_foreign({"name": "r", "children": [{"name": "a", "price": 6}]}).shape


def test_several_roots_keep_the_iterations_that_they_state() -> None:
    roots = [{"iteration": 3, "children": [{"m": 1}]}, {"iteration": 4, "children": [{"m": 1}]}]
    assert [root.iteration for root in read_foreign(roots).roots] == [3, 4]
    assert [root.iteration for root in read_foreign(roots[:1]).roots] == [None]
    unstated = read_foreign([{"children": [{"m": 1}]}, {"children": [{"m": 1}]}])
    assert [root.iteration for root in unstated.roots] == [1, 2]
    assert any("2 roots: taken as iterations 1 to 2" in notice for notice in unstated.notices)


def test_a_deep_field_that_is_no_child_is_kept_whole() -> None:
    deep: list[Any] = []
    for _ in range(3_000):
        deep = [deep]
    log = read_foreign({"children": [{"history": deep}]})
    assert log.extras is not None
    assert log.extras.of(1).count(b"[") == 3_001


def test_the_rows_of_a_table_that_name_their_parents_are_a_tree() -> None:
    rows = [{"node": 0, "parent": -1}, {"node": 1, "parent": 0}, {"node": 2, "parent": 1}]
    assert read_foreign(rows).columns["level"].tolist() == [0, 1, 2]
    by_place = [{"move": "r", "parent": -1}, {"move": "a", "parent": 0}, {"move": "b", "parent": 0}]
    assert read_foreign(by_place).columns["level"].tolist() == [0, 1, 1]
    with pytest.raises(LogError, match='the parent "9" is no row of this table'):
        read_foreign([*rows, {"node": 3, "parent": 9}])
    with pytest.raises(LogError, match="run in a circle"):
        read_foreign([*rows, {"node": 3, "parent": 4}, {"node": 4, "parent": 3}])


def test_a_graph_of_nodes_and_edges_names_what_is_wrong_with_it() -> None:
    nodes = [{"id": "a"}, {"id": "b"}]
    edges = [{"source": "a", "target": "b"}]
    with pytest.raises(LogError, match='id "b" is already the id of') as double:
        read_foreign({"nodes": [*nodes, {"id": "b"}], "edges": edges})
    assert double.value.path == "$.nodes[2]"
    with pytest.raises(LogError, match="without an id"):
        read_foreign({"nodes": [*nodes, {"x": 1}], "edges": edges})
    with pytest.raises(LogError, match="run in a circle"):
        read_foreign({"nodes": nodes, "edges": [*edges, {"source": "b", "target": "a"}]})
    with pytest.raises(LogError, match="expected the id of a node"):
        read_foreign({"nodes": nodes, "edges": [{"source": "a", "target": None}]})
    with pytest.raises(LogError, match="expected the two ends of an edge"):
        read_foreign({"nodes": nodes, "edges": [["a"]]})


def test_ids_may_be_missing_or_double_in_the_tree_form_of_jit() -> None:
    children = '[{id: "a", name: "c6", data: {score: 2}}, {name: "d6"}]'
    log = read_log(f'{{id: "a", name: "start", data: {{}}, children: {children}}}'.encode())
    assert plies(log) == ["start", "c6", "d6"]
    assert scores(log) == [None, 2, None]
    assert log.notices[0].startswith("Read as JavaScript InfoVis Toolkit tree")


def tree_of(value: int) -> dict[str, Any]:
    return {"v": value, "children": [{"v": value, "children": []}]}


@pytest.mark.parametrize(
    "document",
    [
        [{"step": 0, "tree": tree_of(1)}, {"step": 1, "tree": tree_of(2)}],
        [{"step": 0, "tree": tree_of(1)}, "a remark", {"step": 1}, {"step": 2, "tree": tree_of(2)}],
        {"runs": [{"run": {"tree": tree_of(1)}}, {"run": {"tree": tree_of(2)}}]},
    ],
)
def test_trees_that_are_wrapped_one_by_one_are_all_read(document: Any) -> None:
    log = read_log(json.dumps(document).encode())
    assert log.columns["parent"].tolist() == [-1, 0, -1, 2]
    assert log.columns["score"].tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize(
    "document",
    [
        [{"a": tree_of(1)}, {"b": tree_of(2)}],
        [[tree_of(1)], [tree_of(2)]],
        [{"tree": {"score": n, "left": {"score": n, "left": None}}} for n in range(2)],
    ],
)
def test_several_trees_that_cannot_be_told_together_are_refused(document: Any) -> None:
    with pytest.raises(LogError, match="found trees in items 0 and 1 of one list"):
        read_log(json.dumps(document).encode())


@pytest.mark.parametrize(
    ("document", "iterations"),
    [
        ({"game1": tree_of(1), "game2": tree_of(2)}, [1, 2]),
        ({"4": tree_of(1), "6": tree_of(2)}, [4, 6]),
        ({"depth 4": tree_of(1), "depth 6": tree_of(2)}, [4, 6]),
        ({"engine": "x", "runs": {"2": tree_of(1), "3": tree_of(2)}}, [2, 3]),
        ({"a": {"tree": tree_of(1), "ms": 3}, "b": {"tree": tree_of(2), "ms": 4}}, [1, 2]),
        (
            {"note": {"of": "x"}, "a": {"run": {"tree": tree_of(1)}}, "b": {"run": {"tree": tree_of(2)}}},
            [1, 2],
        ),
    ],
)
def test_a_map_of_trees_is_a_forest(document: Any, iterations: list[int]) -> None:
    log = read_log(json.dumps(document).encode())
    assert log.columns["parent"].tolist() == [-1, 0, -1, 2]
    assert log.columns["score"].tolist() == [1, 1, 2, 2]
    assert [root.iteration for root in log.roots] == iterations


def test_the_keys_of_a_map_of_trees_are_kept() -> None:
    log = read_log(json.dumps({"game1": tree_of(1), "game2": tree_of(2)}).encode())
    assert log.extras is not None
    assert json.loads(log.extras.of(2)) == {"tree": "game2"}


@pytest.mark.parametrize(
    "document",
    [
        {"a": tree_of(1), "b": {"v": 2, "kids": [{"v": 1, "kids": [{"v": 1}]}]}},
        {"a": {"tree": tree_of(1)}, "b": tree_of(2)},
        {"a": [tree_of(1)], "b": [tree_of(2)]},
        {"a": [{"id": 1, "parent": None}, {"id": 2, "parent": 1}], "b": tree_of(2)},
    ],
)
def test_trees_of_a_map_that_cannot_be_told_together_are_refused(document: Any) -> None:
    with pytest.raises(LogError, match='found trees under "a", "b", expected one tree'):
        read_log(json.dumps(document).encode())


def test_a_tree_called_root_goes_before_others_with_a_notice() -> None:
    log = read_log(json.dumps({"root": tree_of(1), "book": tree_of(2)}).encode())
    assert log.columns["score"].tolist() == [1, 1]
    assert any('left out: "$.book"' in notice for notice in log.notices)


def test_trees_beside_one_another_are_all_read_where_a_person_names_the_children() -> None:
    trees = {key: {"v": 3, "w": [{"v": 3}]} for key in ("a", "b")}
    log = read_log(json.dumps(trees).encode(), mapping={"children": "w"})
    assert log.columns["parent"].tolist() == [-1, 0, -1, 2]


def test_a_child_that_is_no_record_is_an_error_and_no_score() -> None:
    records = [{"id": 0, "children": [1, 7]}, {"id": 1, "children": []}]
    with pytest.raises(LogError, match=r"^\$\[0\]\.children\[1\]: the child 7 is no row of this table$"):
        read_log(json.dumps(records).encode())


@pytest.mark.parametrize("odd", [[], [{"name": "d", "score": 1}], True])
def test_one_child_is_not_read_as_the_tree_where_another_is_no_child(odd: Any) -> None:
    """r has a (and c below it), b, and one that is none: a and c alone would be a wrong tree."""
    a = {"name": "a", "score": 1, "children": [{"name": "c", "score": 1}]}
    tree = {"name": "r", "score": 1, "children": [a, {"name": "b", "score": 2}, odd]}
    with pytest.raises(LogError, match=r"^\$\.children\[2\]: found (a list|true) among the children"):
        read_foreign(tree)


def test_any_object_of_plain_numbers_is_a_breakdown() -> None:
    leaf = {"move": "c", "val": 3, "mine": {"mob": 1, "mat": 2}, "at": {"x": 1, "y": 2}, "tt": {"depth": 2}}
    log = read_foreign({"val": 3, "replies": [leaf, {"move": "d", "val": 1}]})
    assert log.mapping["factors"] == "mine"
    assert log.columns["contributions"][1].tolist() == [1, 2]
    assert log.extras is not None
    assert json.loads(log.extras.of(1)) == {"at": {"x": 1, "y": 2}, "tt": {"depth": 2}}


def test_an_object_with_a_text_or_with_the_score_is_no_breakdown() -> None:
    for held in ({"mob": 1, "why": "x"}, {}, {"mob": True}):
        log = read_foreign({"val": 3, "replies": [{"val": 3, "mine": held}]})
        assert "factors" not in log.mapping
    log = read_foreign({"data": {"score": 3}, "replies": [{"data": {"score": 3, "mob": 1}}]})
    assert "factors" not in log.mapping


def test_what_only_the_root_counts_is_said_of_the_run() -> None:
    leaf = {"val": 3, "size": 1}
    log = read_foreign({"val": 3, "size": 2, "visited": 41, "ms": 7.5, "replies": [leaf]})
    assert log.header["document"] == {"visited": 41, "ms": 7.5}
    assert "document" not in read_foreign([{"n": 1, "replies": [leaf]}, {"n": 2, "replies": [leaf]}]).header


@pytest.mark.parametrize(
    ("shares", "is_taken"),
    [
        ((0.25, 0.75), True),
        ((0.33, 0.66), True),
        ((0.5, 0.3), False),
        ((0.5, None), False),
        ((1.5, -0.5), False),
    ],
)
def test_probabilities_of_chance_are_those_that_add_up_to_1_among_siblings(
    shares: tuple[float | None, ...], is_taken: bool
) -> None:
    outcomes = [
        {"move": str(i), "value": i, **({} if share is None else {"prob": share})}
        for i, share in enumerate(shares)
    ]
    chance = {"type": "chance", "move": "roll", "value": 1, "children": outcomes}
    log = read_foreign({"type": "max", "value": 1, "children": [chance]})
    assert ("prior" in log.columns) is is_taken
    assert (log.mapping.get("prior") == "prob") is is_taken


def test_a_root_whose_one_field_holds_a_list_is_not_named_by_that_field() -> None:
    tree = [{"x": []}, {"_children": [{"a": {"_children": None}}]}]
    assert read_foreign(tree, mapping={"children": "_children"}).n_rows > 0


@pytest.mark.parametrize("name", ["wert", "Bewertung", "valeur", "évaluation", "valor", "puntuación"])
def test_scores_are_found_by_their_german_french_and_spanish_names(name: str) -> None:
    leaves = [{"zug": ply, "tiefe": 0, name: score} for ply, score in (("e5", 3), ("d5", 7))]
    log = read_foreign({"tiefe": 1, name: 3, "children": leaves})
    assert scores(log) == [3, 3, 7]
    assert log.columns["depth"].tolist() == [1, 0, 0]
