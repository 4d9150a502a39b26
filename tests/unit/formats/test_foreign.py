"""Guessing somebody's own tree: values decide, a mapping corrects, what is no tree is refused in words."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from plyscope.engine.compile.plain_call import plain
from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes, read_foreign
from plyscope.visualizer.formats.tape.extras import Extras
from plyscope.visualizer.formats.tape.texts import Run
from tests.unit.logs import layers, plies, scores, there
from tests.unit.same_logs import extras


@pytest.mark.parametrize(
    ("document", "words"),
    [
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


def test_fields_that_only_sound_like_ours_are_kept_and_not_taken() -> None:
    """`parent` is a name, `id` comes twice, `layer` and `bound` and `key` hold something of their own."""
    node = {"parent": "root", "id": 7, "layer": 1, "bound": 80, "key": [1], "tt": "no", "alpha": "none"}
    log = read_foreign({**node, "children": [{**node, "layer": 2}]})
    assert extras(log, 0) == node
    assert layers(log) == ["", ""]
    deep: list[Any] = []
    for _ in range(3_000):
        deep = [deep]
    log = read_foreign({"children": [{"history": deep}]})  # which is no child, and is kept whole
    assert there(log.extras).of(1).count(b"[") == 3_001


@pytest.mark.parametrize("beta", ["window.1", ""])
def test_a_list_that_is_no_window_is_kept_as_it_was_written(beta: str) -> None:
    odd: list[Any] = [[1, 2, 3], [], [4], [1, {"a": 2}], [[0], 2]]
    children = [{"name": f"c{at}", "score": at, "window": window} for at, window in enumerate(odd)]
    document = {"name": "", "score": 1, "window": [-5, "inf"], "children": children}
    mapping = {"alpha": "window.0", "beta": beta}
    values = read_foreign(document, mapping=mapping)
    by_tape = there(read_bytes(TapeDocument(json.dumps(document).encode(), run=plain), mapping=mapping))
    for log in (values, by_tape):
        assert [extras(log, row) for row in range(1, 6)] == [{"window": window} for window in odd]
        assert extras(log, 0) == ({} if beta else {"window": [-5, "inf"]})
        assert log.columns["alpha"].tolist()[:2] == [-5, 1]


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
    replies = [{"von": "a1", "nach": "b2", "eval": 3}, {"von": "a2", "nach": "b3", "eval": 1}]
    assert "ply" not in read_foreign({"eval": 1, "kids": replies}).mapping, "of two texts none is taken"


@pytest.mark.parametrize("children", ["plies", "options", "sub"])
@pytest.mark.parametrize("score", ["wert", "Bewertung", "valeur", "évaluation", "valor", "puntuación"])
def test_children_and_scores_are_found_by_further_names(children: str, score: str) -> None:
    leaves = [{"zug": ply, "tiefe": 0, score: value} for ply, value in (("e5", 3), ("d5", 7))]
    log = read_foreign({"tiefe": 1, score: 3, children: leaves})
    assert (log.mapping["children"], plies(log), scores(log)) == (children, [None, "e5", "d5"], [3, 3, 7])
    assert log.columns["depth"].tolist() == [1, 0, 0]


def test_a_score_that_is_no_number_stays_text_and_leaves_may_name_theirs_otherwise() -> None:
    log = read_foreign({"score": 3, "children": [{"score": "#3"}, {"score": "Infinity"}]})
    assert (scores(log), extras(log, 1)) == ([3, None, math.inf], {"score": "#3"})
    inner = {"minimax": 1, "children": [{"utility": 1}]}
    log = read_foreign({"minimax": 4, "children": [{"utility": 4}, inner]})
    assert (scores(log), log.mapping["score"]) == ([4, 4, 1, 1], "minimax|utility")


TWO_LAYERS = [
    *(("layer", "max", "MIN"), ("isMax", True, False), ("maximizing", 1, 0), ("isMinimizing", False, True)),
    *(("type", "MAX", "MIN"), ("nodeType", "maximizer", "minimizer"), ("player", 1, -1)),
    ("player", "X", "O"),
    *(("turn", "w", "b"), ("color", "white", "black"), ("max", "true", "false")),
]


@pytest.mark.parametrize(("field", "first", "second"), TWO_LAYERS)
def test_layers_are_read_however_they_are_written(field: str, first: Any, second: Any) -> None:
    for last in (first, first.swapcase() if isinstance(first, str) else first):
        tree = {field: first, "children": [{field: second, "children": [{field: last}]}]}
        assert layers(read_foreign(tree)) == ["max", "min", "max"]
    replies = [{"player": "X", "score": score} for score in (1, 6, 2)]  # whose nodes take the largest
    assert layers(read_foreign({"player": "O", "score": 1, "children": replies}))[:2] == ["min", "max"]


def test_negamax_scores_are_turned_to_the_root_player_unless_a_person_says_that_they_are_not() -> None:
    tree = {"value": 7, "children": [{"value": -7, "children": [{"value": 7}, {"value": 9}]}, {"value": -2}]}
    assert scores(read_foreign(tree)) == [7, 7, 7, 9, 2]
    as_written = read_foreign(tree, mapping={"layer": "", "perspective": "root"})
    assert scores(as_written) == [7, -7, 7, 9, -2]


def test_factors_are_contributions_by_name_or_raw_values_in_a_list() -> None:
    named = read_foreign({"score": 5, "children": [{"score": 5, "features": {"mobility": 3, "corners": 2}}]})
    assert named.contribution_names == ("mobility", "corners")
    assert named.columns["contributions"][1].tolist() == [3, 2]
    listed = read_foreign({"children": [{"factors": [3, 2]}, {"factors": [1]}]})
    assert [factor.name for factor in listed.factors] == ["factor 1", "factor 2"]
    assert listed.columns["factors"][1].tolist() == [3, 2]
    told = read_foreign({"factorNames": ["mobility", "corners"], "tree": {"children": [{"factors": [3, 2]}]}})
    assert [factor.name for factor in told.factors] == ["mobility", "corners"]
    of_list = [{"name": "hand", "meaning": "Pieces in hand."}, {"name": "ring", "meaning": 5}]
    for values in ([3, 2], {"hand": 3, "ring": 2}):  # what they count is read from the list that names them
        factors = read_foreign({"factors": of_list, "tree": {"children": [{"factors": values}]}}).factors
        assert {each.name: each.meaning for each in factors if each.meaning} == {"hand": "Pieces in hand."}


def test_a_mapping_corrects_the_guess() -> None:
    tree = {"name": "r", "score": 1, "cost": 5, "children": [{"name": "a", "score": 2, "cost": 6}]}
    assert scores(read_foreign(tree, mapping={"score": "cost"})) == [5, 6]
    without = read_foreign(tree, mapping={"score": ""})
    assert scores(without) == [None, None]
    assert "score" not in without.mapping
    assert extras(without, 1) == {"score": 2, "cost": 6}
    with pytest.raises(
        LogError, match='no node has a field "worth" for score; fields seen: name, score, cost'
    ):
        read_foreign(tree, mapping={"score": "worth"})
    with pytest.raises(LogError, match='nothing holds nodes under "kids"; fields seen: name, score, cost'):
        read_foreign(tree, mapping={"children": "kids"})
    # It may name children that no guess would find.
    with pytest.raises(LogError):
        read_foreign({"pv": [{"x": 2}]})
    log = read_foreign({"h": 1, "pv": [{"h": 2}, {"h": 3}]}, mapping={"children": "pv"})
    assert log.columns["parent"].tolist() == [-1, 0, 0]
    no_name = [{"x": []}, {"_children": [{"a": {"_children": None}}]}]
    assert read_foreign(no_name, mapping={"children": "_children"}).n_rows > 0


def test_the_shape_depends_on_the_names_and_not_on_the_values_or_the_mapping() -> None:
    tree = {"name": "r", "children": [{"name": "a", "cost": 6}, {"name": "b", "cost": 1}]}
    other = {"name": "s", "children": [{"name": "x", "cost": 0, "children": []}]}
    shape = read_foreign(tree).shape
    assert shape == read_foreign(other).shape == read_foreign(tree, mapping={"score": "cost"}).shape
    assert shape != read_foreign({"name": "r", "children": [{"name": "a", "price": 6}]}).shape


def test_several_roots_keep_the_iterations_that_they_state_and_one_says_what_its_run_counts() -> None:
    roots = [{"iteration": 3, "children": [{"m": 1}]}, {"iteration": 4, "children": [{"m": 1}]}]
    assert [root.iteration for root in read_foreign(roots).roots] == [3, 4]
    assert [root.iteration for root in read_foreign(roots[:1]).roots] == [None]
    unstated = read_foreign([{"children": [{"m": 1}]}, {"children": [{"m": 1}]}])
    assert [root.iteration for root in unstated.roots] == [1, 2]
    assert any("2 roots: taken as iterations 1 to 2" in notice for notice in unstated.notices)
    leaf = {"val": 3, "size": 1}  # what only the root counts is said of the run, unless there are several
    log = read_foreign({"val": 3, "size": 2, "visited": 41, "ms": 7.5, "replies": [leaf]})
    assert log.header["document"] == {"visited": 41, "ms": 7.5}
    assert "document" not in read_foreign([{"n": 1, "replies": [leaf]}, {"n": 2, "replies": [leaf]}]).header


def test_any_object_of_plain_numbers_is_a_breakdown() -> None:
    leaf = {"move": "c", "val": 3, "mine": {"mob": 1, "mat": 2}, "at": {"x": 1, "y": 2}, "tt": {"depth": 2}}
    log = read_foreign({"val": 3, "replies": [leaf, {"move": "d", "val": 1}]})
    assert log.mapping["factors"] == "mine"
    assert log.columns["contributions"][1].tolist() == [1, 2]
    assert extras(log, 1) == {"at": {"x": 1, "y": 2}, "tt": {"depth": 2}}
    for held in ({"mob": 1, "why": "x"}, {}, {"mob": True}):
        assert "factors" not in read_foreign({"val": 3, "replies": [{"val": 3, "mine": held}]}).mapping
    with_score = {"data": {"score": 3}, "replies": [{"data": {"score": 3, "mob": 1}}]}
    assert "factors" not in read_foreign(with_score).mapping


SHARES = {(0.25, 0.75): True, (0.33, 0.66): True, (0.5, 0.3): False, (0.5, None): False, (1.5, -0.5): False}


@pytest.mark.parametrize(("shares", "is_taken"), SHARES.items())
def test_probabilities_of_chance_are_those_that_add_up_to_1_among_siblings(
    shares: tuple[float | None, ...], is_taken: bool
) -> None:
    outcomes = [{"value": i} | ({} if share is None else {"prob": share}) for i, share in enumerate(shares)]
    chance = {"type": "chance", "move": "roll", "value": 1, "children": outcomes}
    log = read_foreign({"type": "max", "value": 1, "children": [chance]})
    assert ("prior" in log.columns) is (log.mapping.get("prior") == "prob") is is_taken


@pytest.mark.parametrize("n_bytes", [126, 127, 128, 129])
def test_unknown_fields_are_kept_however_many_bytes_they_take(n_bytes: int) -> None:
    gathered = Extras(lambda kernel: kernel)
    gathered.put_objects({1: {"note": "x" * (n_bytes - 3)}})
    gathered.put_objects({0: {"cost": 3}})
    _, starts, objects = gathered.sealed(np.array([0, 1]))
    assert objects.tobytes()[starts[1] :] == b'{"note":"%s"}' % (b"x" * (n_bytes - 3))


@pytest.mark.parametrize("run", [plain, compiled])
def test_fields_that_come_in_several_runs_are_put_in_order_each_once(run: Run) -> None:
    """The last value of a name counts. Names are many and values long, so their numbers take two bytes."""
    names = [f"n{i}" for i in range(400)]
    gathered = Extras(run)
    gathered.order = names
    gathered.put_objects({1: {name: name * 100 for name in names[7::2]}, 0: {"n5": 1, "n3": 2}})
    gathered.put_objects({1: dict.fromkeys([*names[::-3], names[7]], 3)})
    rows, starts, objects = gathered.sealed(np.array([1, 0]))
    assert rows.tolist() == [0, 1]
    first, second = (objects.tobytes()[begin:end] for begin, end in pairwise(starts.tolist()))
    said = {name: name * 100 for name in names[7::2]} | dict.fromkeys([*names[::-3], names[7]], 3)
    assert list(json.loads(first).items()) == sorted(said.items(), key=lambda field: int(field[0][1:]))
    assert second == b'{"n5":1,"n3":2}'
