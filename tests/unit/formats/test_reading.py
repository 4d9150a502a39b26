"""Reading nodes and headers: fields, keys, layers, declarations, rounded numbers, views of many players."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes
from plyscope.visualizer.formats.read.own import read_own
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from tests.unit.logs import log_of, there


def test_a_table_entry_of_a_node_that_is_not_there_is_told_once_and_what_no_row_states_not_stored() -> None:
    always = {"id", "parent", "end", "level", "ply", "layer", "outcome", "bound", "given", "score"}
    assert {*log_of({"depth": None}).columns} == always
    for own, children, whose, first in (
        ({"id": 0}, [{"id": 1, "tt": {"from": 7}}, {"id": 2}], "a table entry", "7"),
        ({}, [{"tt": {"from": -1}}, {"tt": {"from": 8}}], "2 table entries", "-1"),
        ({"id": "r"}, [{"id": "a", "tt": {"from": "b"}}, {"id": "c"}], "a table entry", '"b"'),
    ):
        log = log_of({**own, "children": children})
        (notice,) = log.notices
        assert f"of {whose} names no node of this log, such as {first}:" in notice
        assert log.columns["tt_from"].tolist()[1] == -2
    there_or_copied = [{"ply": "a"}, *({"tt": {"from": source}} for source in (1, -2, None))]
    log = log_of({"children": there_or_copied})
    assert (log.notices, log.columns["tt_from"].tolist()) == ((), [-1, -1, 1, -2, -1])


def test_a_negamax_log_without_players_gets_the_layers_it_was_turned_by() -> None:
    tree = {"score": 3, "children": [{"ply": "a", "score": -3, "children": [{"ply": "b", "score": 3}]}]}
    log = log_of(tree, search={"perspective": "mover"})
    assert [words.LAYERS[code] for code in log.columns["layer"]] == ["max", "min", "max"]
    assert log.columns["score"].tolist() == [3.0, 3.0, 3.0]
    assert "taken to alternate" in log.notices[0]


def test_rates_of_a_best_first_search_are_reflected_in_its_range() -> None:
    counted = {"visits": 8, "wins": 2, "losses": 6, "ucb": {"exploit": 0.25, "n": 7}}
    child = {"layer": "min", "score": 0.25, "mean": 0.25, **counted}
    tree = {"layer": "max", "score": 0.75, "mean": 0.75, "children": [child]}
    search = {"perspective": "mover", "order": "best_first", "range": [0, 1]}
    columns = log_of(tree, search=search).columns
    assert columns["score"].tolist() == columns["mean"].tolist() == [0.75, 0.75]
    of_child = [columns[name][1] for name in ("ucb_exploit", "wins", "losses", "ucb_n")]
    assert of_child == [0.75, 6, 2, 7]
    negated = log_of(tree, search=search | {"order": "depth_first"})
    assert negated.columns["mean"].tolist() == [0.75, -0.25]
    won = log_of({"layer": "max", "children": [{"layer": "min", "visits": 4, "wins": 4}]}, search=search)
    assert "wins" not in won.columns
    assert won.columns["losses"][1] == 4


def test_nodes_written_under_a_key_that_comes_twice_are_not_lost_in_silence() -> None:
    children = '{"plyscope":1,"root":{"children":[{"children":[{}],\n"children" : []}]}}'
    for text, sentence in (
        (children, "line 1, column 35: found `children` twice"),
        (
            '{"plyscope":1,"root":{"children":1,"children":[{"children":2,"children":4}]}}',
            "line 1, column 22",
        ),
        ('{"plyscope":1,"root":{},"root":{"score":1}}', "line 1, column 1: found `root` twice"),
        ('{"v":1,"kids":[{"v":2,"kids":[]}],"kids":[{"v":3,"kids":[]}]}', "column 1: found `kids` twice"),
        ('{"plyscope":1}\n{"id":0}\n{"id":1,"parent":0,"id":2}', "line 3, column 1: found `id` twice"),
    ):
        with pytest.raises(LogError, match=sentence):
            read_log(text.encode())


ODD = 2**53 + 1
ONE = f"1 whole number of `score` does not fit a double and was rounded ({ODD})."
TWO = f"2 whole numbers of `score` do not fit a double and were rounded (the first: {ODD})."


def said(log: Log) -> list[str]:
    return [notice for notice in log.notices if "double" in notice]


ROUNDED: list[tuple[int, int, list[str]]] = [
    *((ODD, ODD, [TWO]), (ODD, -ODD - 2, [TWO]), (ODD, 2**53, [ONE])),
    *((2**53, 3, []), (-(2**53), 2**60, [])),
]


@pytest.mark.parametrize(("first", "second", "expected"), ROUNDED)
def test_scores_of_our_own_logs_that_are_rounded_are_said(
    first: int, second: int, expected: list[str]
) -> None:
    root = {"layer": "max", "score": first, "children": [{"ply": "a", "score": second}]}
    text = json.dumps({"plyscope": 1, "root": root}).encode()
    lines = f'{{"plyscope":1}}\n{{"id":0,"score":{first}}}\n{{"id":1,"parent":0,"score":{second}}}\n'.encode()
    for log in (read_log(text), there(read_own(text)), read_log(lines)):
        assert said(log) == expected


def test_rounded_scores_of_other_trees_and_other_fields_that_are_seen_from_a_side_are_said() -> None:
    """Ids and fields of one's own are kept as they are."""
    for field in ("alpha", "beta", "static", "pre_score", "key", "hash"):
        log = log_of({"score": 3, field: ODD})
        assert said(log) == ([] if field in ("key", "hash") else [ONE.replace("`score`", f"`{field}`")])
    for document in (
        {"eval": ODD, "kids": [{"mv": "a", "eval": ODD}, {"mv": "b", "eval": 3}]},
        {"e4": {"e5": ODD, "c5": {"d4": ODD, "d3": 1}}, "d4": {"d5": 1, "c5": 2}},
        [{"id": 0, "parent": None, "eval": ODD}, {"id": 1, "parent": 0, "eval": ODD}],
    ):
        text = json.dumps(document).encode()
        assert said(read_log(text)) == said(there(read_bytes(TapeDocument(text)))) == [TWO]


NAMES = ["A", "B", "C"]
MAXN: dict[str, Any] = {
    "layer": "max",
    "player": "A",
    "score": 1,
    "scores": [1, 4, 5],
    "children": [{"ply": "a", "layer": "other", "player": "B", "score": 4, "scores": [1, 4, 5]}],
}


def rival(**fields: Any) -> dict[str, Any]:
    """The tree, with more said of B's node, or nothing where a value is None."""
    child = {name: value for name, value in {**MAXN["children"][0], **fields}.items() if value is not None}
    return {**MAXN, "children": [child]}


def scores_of(tree: dict[str, Any], view: str, **search: Any) -> list[float]:
    return list(log_of(tree, players=NAMES, search={"perspective": view, **search}).columns["score"].tolist())


B = {"layer": "max", "player": "B", "score": -2, "children": [{"layer": "min", "score": -3}]}
AFTER = {"ply": "6", "layer": "other", "player": "C", "score": 5, "scores": [1, 4, 5]}
CHANCE = {"ply": "b", "layer": "chance", "score": 4, "scores": [1, 4, 5], "children": [AFTER]}
TURNED: list[tuple[dict[str, Any], str, list[float]]] = [
    (MAXN, "mover", [1, 1]),  # a rival's own score, from the vector
    (rival(score=1, children=[AFTER | {"score": 4}]), "parent", [1, 1, 1]),  # that of who made the ply
    (rival(layer="min", score=-1), "mover", [1, 1]),  # rivals who play together
    (rival(layer="min", score=-1, scores=None), "mover", [1, 1]),
    (rival(children=[CHANCE]), "mover", [1, 1, 1, 1]),  # chance is seen by who moved before
    (MAXN | {"children": []}, "first", [1]),
    (rival(score=1, alpha=2, bound="lower", static=4), "root", [1, 1]),  # which states what it likes
]


@pytest.mark.parametrize(("tree", "view", "scores"), TURNED)
def test_scores_of_many_players_become_the_root_players(
    tree: dict[str, Any], view: str, scores: list[float]
) -> None:
    assert scores_of(tree, view) == scores


def test_numbers_of_two_sides_turn_from_the_first_players_view_and_those_of_three_are_refused() -> None:
    assert scores_of(B, "first", root_player="B") == [2, 3]
    with pytest.raises(LogError, match='found "first" in a game of more than two players, but `score`'):
        scores_of(MAXN, "first", root_player="B")
    with pytest.raises(LogError, match="the result's score is a rival's"):
        log_of(
            rival(score=4),
            players=NAMES,
            search={"perspective": "mover", "root_player": "B"},
            result={"score": 1},
        )
    stub = {"outcome": "limited", "plies": ["x"], "pre_scores": [3]}
    with pytest.raises(LogError, match="but `pre_scores` of node 2 is a rival's"):
        scores_of(rival(children=[stub]), "mover")
    assert len(scores_of({**MAXN, "children": [stub]}, "mover")) == 2
    assert len(scores_of(rival(children=[{**stub, "pre_scores": None}]), "mover")) == 3
    # An evaluation that is seen otherwise than the scores is refused where it is declared.
    with pytest.raises(LogError, match=re.escape('$.search.static_perspective: found "mover"')):
        scores_of(rival(score=1, static=4), "root", static_perspective="mover")
    assert scores_of(rival(static=4), "mover", static_perspective="root") == [1, 1]


NOT_TURNED = [
    *((rival(scores=None), "score"), (rival(score=3), "score"), (rival(player=None), "score")),
    *((rival(layer=None, player=None), "score"), (rival(alpha=2, beta=None), "alpha")),
    *((rival(bound="lower"), "bound"), (rival(ending="win"), "ending"), (rival(counted_as=3), "counted_as")),
    *((rival(tt={"score": 3}), "tt.score"), (rival(wins=3), "wins"), (rival(static=4), "static")),
    *((rival(factors=[4]), "factors"), (rival(contributions={"men": 4}), "contributions")),
]


@pytest.mark.parametrize(("tree", "field"), NOT_TURNED)
def test_a_number_of_a_rival_that_nothing_turns_is_refused(tree: dict[str, Any], field: str) -> None:
    sentence = (
        f'$.search.perspective: found "mover" in a game of more than two players, but `{field}` of node 1 is '
        "a rival's, which is not the root player's negated: write \"root\", "
    )
    with pytest.raises(LogError, match=re.escape(sentence)):
        scores_of(tree, "mover")
