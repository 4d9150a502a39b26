"""Reading nodes and headers: fields, keys, layers, declarations, rounded numbers, views of many players."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.read.own import read_own
from plyscope.visualizer.store import words
from plyscope.visualizer.store.header_fields import SEARCH, Declared
from plyscope.visualizer.store.log import Log
from tests.unit.logs import log_of, there


def test_a_column_that_no_row_states_is_not_stored() -> None:
    always = {"id", "parent", "end", "level", "ply", "layer", "outcome", "bound", "given", "score"}
    assert {*log_of({"depth": None}).columns} == always


@pytest.mark.parametrize(
    ("root", "said"),
    [
        (
            {"id": 0, "children": [{"id": 1, "tt": {"from": 7}}, {"id": 2}]},
            "of a table entry names no node of this log, such as 7:",
        ),
        (
            {"children": [{"tt": {"from": -1}}, {"tt": {"from": 8}}]},
            "of 2 table entries names no node of this log, such as -1:",
        ),
        (
            {"id": "r", "children": [{"id": "a", "tt": {"from": "b"}}, {"id": "c"}]},
            'names no node of this log, such as "b":',
        ),
    ],
)
def test_a_table_entry_of_a_node_that_is_not_there_is_told_once(root: Any, said: str) -> None:
    log = log_of(root)
    (notice,) = log.notices
    assert said in notice
    assert log.columns["tt_from"].tolist()[1] == -2


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


def test_wins_that_are_turned_are_losses_though_the_log_states_no_losses() -> None:
    tree = {"layer": "max", "children": [{"layer": "min", "visits": 4, "wins": 4}]}
    log = log_of(tree, search={"perspective": "mover"})
    assert "wins" not in log.columns
    assert log.columns["losses"][1] == 4


def test_nodes_written_under_a_key_that_comes_twice_are_not_lost_in_silence() -> None:
    children = '{"plyscope":1,"root":{"children":[{"children":[{}],\n"children" : []}]}}'
    for text, sentence in (
        (children, "line 1, column 35: found `children` twice"),
        ('{"plyscope":1,"root":{},"root":{"score":1}}', "line 1, column 1: found `root` twice"),
        ('{"v":1,"kids":[{"v":2,"kids":[]}],"kids":[{"v":3,"kids":[]}]}', "column 1: found `kids` twice"),
        ('{"plyscope":1}\n{"id":0}\n{"id":1,"parent":0,"id":2}', "line 3, column 1: found `id` twice"),
    ):
        with pytest.raises(LogError, match=sentence):
            read_log(text.encode())


VALUES: tuple[Any, ...] = (
    *("soft", "root", "alternate", "equal", "visits", "depth_first", "black", "", "nobody"),
    *(0, 1, 7, -1, 2.5, 0.0, "inf", "-inf", "nan", True, False),
    *([0, 1], [-1.5, "inf"], [0], [0, 1, 2], [None, 1], [1, "x"], [], {}, {"score": 1}),
)

WORDS = {
    "perspective": {"root", "mover", "parent", "first"},
    "static_perspective": {"root", "mover", "parent", "first"},
    "fail": {"soft", "hard"},
    "order": {"depth_first", "best_first"},
    "choose": {"visits", "mean"},
    "turns": {"alternate"},
    "table": {"equal", "at_least"},
}
"""The words of the log format, as its page lists them."""
NUMBERS = {"chance_depth", "null_width", "draw", "tolerance"}
FLAGS = {"positions_repeat", "static_pure", "table_carried", "verify"}
TEXTS = {"algorithm", "engine", "game_digest", "said_over", "unit"}


def is_number(value: Any) -> bool:
    return value in ("inf", "-inf", "nan") if isinstance(value, str) else type(value) in (int, float)


def is_taken(name: str, value: Any) -> bool:
    """Whether the format takes this value, kind by kind."""
    if name in WORDS:
        return isinstance(value, str) and value in WORDS[name]
    if name in NUMBERS:
        return is_number(value)
    if name in FLAGS:
        return value is True or value is False
    if name in TEXTS:
        return isinstance(value, str)
    if name == "threads":
        return type(value) is int and value > 0
    if name == "range":
        return isinstance(value, list) and len(value) == 2 and all(is_number(each) for each in value)
    if name == "root_player":
        return value == "black" or (type(value) is int and value in (0, 1))
    assert name == "mate"
    return True


@pytest.mark.parametrize("declared", SEARCH, ids=lambda declared: declared.name)
def test_a_header_declares_what_its_kind_takes_and_nothing_else(declared: Declared) -> None:
    for value in VALUES:
        header = {"plyscope": 1, "players": ["black", "white"], "search": {declared.name: value}}
        if is_taken(declared.name, value):
            assert read_header(header).fields["search"][declared.name] == value
            continue
        with pytest.raises(LogError) as refused:
            read_header(header)
        assert refused.value.path == f"$.search.{declared.name}", value
        assert "expected" in str(refused.value), value


@pytest.mark.parametrize("declared", SEARCH, ids=lambda declared: declared.name)
def test_a_declaration_of_null_is_none(declared: Declared) -> None:
    header = read_header({"plyscope": 1, "players": ["black"], "search": {declared.name: None}})
    assert (header.view, header.static_view, header.root_player) == ("root", "root", None)


def test_infinite_numbers_are_declared_as_they_are_written() -> None:
    log = read_log(b'{"plyscope": 1, "search": {"range": ["-inf", "inf"]}, "root": {"alpha": null}}')
    assert log.header["search"]["range"] == ["-inf", "inf"]
    assert log.columns["alpha"].tolist() == [-math.inf]


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


def test_other_fields_that_are_seen_from_a_side_are_said_and_ids_and_fields_of_ones_own_are_kept() -> None:
    for field in ("alpha", "beta", "static", "pre_score", "key", "hash"):
        log = log_of({"score": 3, field: ODD})
        assert said(log) == ([] if field in ("key", "hash") else [ONE.replace("`score`", f"`{field}`")])


@pytest.mark.parametrize(
    "document",
    [
        {"eval": ODD, "kids": [{"mv": "a", "eval": ODD}, {"mv": "b", "eval": 3}]},
        {"e4": {"e5": ODD, "c5": {"d4": ODD, "d3": 1}}, "d4": {"d5": 1, "c5": 2}},
        [{"id": 0, "parent": None, "eval": ODD}, {"id": 1, "parent": 0, "eval": ODD}],
    ],
)
def test_scores_of_other_trees_that_are_rounded_are_said(document: Any) -> None:
    text = json.dumps(document).encode()
    assert said(read_log(text)) == [TWO]
    log = there(read_bytes(TapeDocument(text)))
    assert said(log) == [TWO]


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


def test_a_rivals_own_score_becomes_the_root_players_from_the_vector() -> None:
    assert scores_of(MAXN, "mover") == [1, 1]


def test_scores_of_who_made_the_ply_are_the_root_players_below_the_root() -> None:
    below = {"ply": "b", "layer": "other", "player": "C", "score": 4, "scores": [1, 4, 5]}
    assert scores_of(rival(score=1, children=[below]), "parent") == [1, 1, 1]


def test_rivals_who_play_together_have_the_root_players_score_negated() -> None:
    assert scores_of(rival(layer="min", score=-1), "mover") == [1, 1]
    assert scores_of(rival(layer="min", score=-1, scores=None), "mover") == [1, 1]


def test_a_chance_node_is_seen_by_who_moved_before() -> None:
    after = {"ply": "6", "layer": "other", "player": "C", "score": 5, "scores": [1, 4, 5]}
    chance = {"ply": "b", "layer": "chance", "score": 4, "scores": [1, 4, 5], "children": [after]}
    assert scores_of(rival(children=[chance]), "mover") == [1, 1, 1, 1]


def test_numbers_of_the_root_player_and_of_two_sides_turn_from_the_first_players_view() -> None:
    assert scores_of(MAXN | {"children": []}, "first") == [1]
    sides = {"layer": "max", "player": "B", "score": -2, "children": [{"layer": "min", "score": -3}]}
    assert scores_of(sides, "first", root_player="B") == [2, 3]


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


def test_a_rivals_pre_scores_of_stubs_are_refused() -> None:
    stub = {"outcome": "limited", "plies": ["x"], "pre_scores": [3]}
    with pytest.raises(LogError, match="but `pre_scores` of node 2 is a rival's"):
        scores_of(rival(children=[stub]), "mover")
    assert len(scores_of({**MAXN, "children": [stub]}, "mover")) == 2
    assert len(scores_of(rival(children=[{**stub, "pre_scores": None}]), "mover")) == 3


def test_an_evaluation_seen_otherwise_than_the_scores_is_refused_where_it_is_declared() -> None:
    with pytest.raises(LogError, match=re.escape('$.search.static_perspective: found "mover"')):
        scores_of(rival(score=1, static=4), "root", static_perspective="mover")
    assert scores_of(rival(static=4), "mover", static_perspective="root") == [1, 1]


def test_the_first_players_view_is_refused_where_rivals_play_each_for_itself() -> None:
    with pytest.raises(LogError, match='found "first" in a game of more than two players, but `score`'):
        scores_of(MAXN, "first", root_player="B")


def test_a_result_that_a_rival_sees_is_refused() -> None:
    search = {"perspective": "mover", "root_player": "B"}
    with pytest.raises(LogError, match="the result's score is a rival's"):
        log_of(rival(score=4), players=NAMES, search=search, result={"score": 1})


def test_a_log_from_the_root_players_view_states_what_it_likes() -> None:
    assert scores_of(rival(score=1, alpha=2, bound="lower", static=4), "root") == [1, 1]
    assert log_of(MAXN, players=NAMES).notices == ()
