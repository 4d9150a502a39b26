"""key-side, key-moves, key-static and path-key: what rows with one key, and visits of one path, share."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.check.facts import children
from plyscope.visualizer.analysis.check.facts.children import children_of
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.rules.keys import BY_KEY, BY_PATH, key_pass, meet, path_key
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.formats.detect import read_log
from tests.property.examples import examples
from tests.unit.analysis.check.checked import child, example, found
from tests.unit.logs import log_of


@pytest.mark.parametrize("form", ["text", "hex", "number"])
@pytest.mark.parametrize(
    ("rule", "path"), [("key-side", "pass"), ("key-moves", "e6"), ("key-static", "e6"), ("path-key", "d3#2")]
)
def test_positions_that_share_a_key_but_differ_are_found_whatever_keys_look_like(
    rule: str, path: str, form: str
) -> None:
    document = example(rule)
    written: dict[str, Any] = {"start": "start", "A": "A", "B": "B", "C": "C"}
    if form == "hex":
        written = {"start": "f" * 16, "A": "8000000000000000", "B": "0" * 16, "C": "00000000000000ff"}
    if form == "number":
        written = {"start": 0, "A": 2**63, "B": 7, "C": 8}
    for node in [document["root"], *document["root"]["children"]]:
        node["key"] = written[node["key"]]
    assert found(document) == [(rule, path)]


def test_a_finding_about_a_key_names_the_node_that_had_it_first() -> None:
    document = example("key-side")
    (finding,) = check(read_log(json.dumps(document).encode())).findings()
    assert (finding.expected, finding.found, finding.rows_involved) == ("black", "white", (0,))
    assert "node 0" in finding.message


@pytest.mark.parametrize(
    "fields",
    [{"outcome": "leaf"}, {"outcome": "stopped"}, {"outcome": "tt"}, {"quiescence": True}, {"key": "B"}],
)
def test_plies_are_counted_only_where_all_were_generated(fields: dict[str, Any]) -> None:
    document = example("key-moves")
    child(document, 1)["moves"] = 6
    child(document, 2).update(fields)
    assert found(document, "key-moves") == []


def test_an_evaluation_that_depends_on_the_path_is_wrong_where_it_is_declared_pure() -> None:
    document = example("key-static")
    assert check(read_log(json.dumps(document).encode())).counts["odd"] == 1
    document["search"] = {"static_pure": True}
    assert check(read_log(json.dumps(document).encode())).counts["wrong"] == 1


def test_evaluations_of_one_key_that_differ_by_rounding_are_clean() -> None:
    document = example("key-static")
    child(document, 2)["static"] = 4 + 1e-12
    assert found(document) == []


def test_the_path_of_a_later_iteration_is_compared_with_the_earlier() -> None:
    def tree(iteration: int, key: str) -> dict[str, Any]:
        leaf = {"ply": "d6", "key": key, "score": 1}
        below = {"ply": "c6", "key": "A", "score": 1, "children": [leaf]}
        return {"iteration": iteration, "key": "start", "score": 1, "children": [below]}

    roots = [tree(1, "B"), tree(2, "B"), tree(3, "C")]
    assert found({"plyscope": 1, "roots": roots}) == [("path-key", "c6 > d6")]
    assert found({"plyscope": 1, "roots": roots[:2]}) == []


def test_a_path_with_an_unknown_ply_is_not_compared() -> None:
    document = example("path-key")
    for place in (1, 2):
        del child(document, place)["ply"]
    assert found(document, "path-key") == []


PLACES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 3), st.integers(0, 5), st.integers(0, 1), st.integers(0, 2)),
    min_size=1,
    max_size=60,
)


@pytest.mark.slow
@given(PLACES)
@settings(max_examples=examples(60), deadline=None)
def test_both_passes_agree_with_dictionaries_plain_and_compiled(
    places: list[tuple[int, int, int, int, int]],
) -> None:
    """The oracle: the first row of each key, and of each path, kept in a dictionary."""
    nodes: list[dict[str, Any]] = [{"children": []}]
    for above, ply, key, player, static in places:
        node = {"ply": str(ply), "key": key * 2**61, "player": player, "static": static, "children": []}
        nodes.append(node)
        nodes[above % (len(nodes) - 1)]["children"].append(node)
    log = log_of(nodes[0], players=["a", "b"])
    sight = sight_of(log)
    expected = np.zeros((2, log.n_rows), np.uint8)
    players: dict[int, int] = {}
    statics: dict[int, float] = {}
    paths: dict[tuple[int, ...], int] = {}
    at: dict[int, tuple[int, ...]] = {}
    for row in range(log.n_rows):
        parent = int(sight.parent[row])
        at[row] = (*at[parent], int(sight.ply[row])) if parent >= 0 else ()
        if row == 0:
            continue
        key = int(sight.key[row])
        if key in players:
            expected[0, row] |= key_pass.MET_PLAYER | key_pass.MET_STATIC
        if players.setdefault(key, sight.player[row]) != sight.player[row]:
            expected[0, row] |= key_pass.OTHER_PLAYER
        if statics.setdefault(key, sight.static[row]) != sight.static[row]:
            expected[0, row] |= key_pass.OTHER_STATIC
        expected[1, row] |= path_key.MET_KEY if at[row] in paths else 0
        expected[1, row] |= path_key.OTHER_KEY if paths.setdefault(at[row], key) != key else 0
    for work in (Work(), Work(compiled=True)):
        assert (key_pass.flags_by_key(sight, work) == expected[0]).all()
        assert (path_key.flags_by_path(sight, work) == expected[1]).all()


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12), st.integers(0, 3))
def test_the_children_of_a_wide_node_are_those_of_a_narrow_one(
    plies: list[tuple[int, int]], n_walked: int
) -> None:
    nodes = [{"ply": str(ply), "children": [{"ply": "0"}] * n_below} for ply, n_below in plies]
    sight = sight_of(log_of({"children": nodes}))
    code = int(sight.ply[1])
    expected = [row for row in children_of(sight, 0) if sight.ply[row] == code]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(children, "MOST_WALKED", n_walked)
        assert children.children_where(sight, 0, sight.ply, code) == expected


VISITS = st.lists(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 3)), max_size=14), min_size=2, max_size=8
)


@pytest.mark.slow
@given(VISITS, st.integers(0, 4))
@settings(max_examples=examples(150), deadline=None)
def test_visits_with_other_plies_in_another_order_meet_the_same_places(
    visits: list[list[tuple[int, int]]], most_steps: int
) -> None:
    """Each visit of one node has plies and keys of its own, 0 for a node that states none."""
    roots = [
        {"iteration": number, "children": [_with_key(ply, key) for ply, key in visit]}
        for number, visit in enumerate(visits, start=1)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(path_key, "MOST_STEPS", most_steps)
        sight = sight_of(read_log(json.dumps({"plyscope": 1, "roots": roots}).encode()))
        flags = {way: path_key.flags_by_path(sight, Work(compiled=way)) for way in (False, True)}
    expected = np.zeros(sight.n_rows, np.uint8)
    first: dict[int, int] = {}
    for row in range(sight.n_rows):
        ply, key = int(sight.ply[row]), int(sight.key[row]) if len(sight.key) else 0
        if ply < 0 or key == 0:
            continue
        expected[row] |= path_key.MET_KEY if ply in first else 0
        expected[row] |= path_key.OTHER_KEY if first.setdefault(ply, key) != key else 0
    assert (flags[False] == expected).all()
    assert (flags[True] == expected).all()


def _with_key(ply: int, key: int) -> dict[str, Any]:
    """A node with children of its own, which have none."""
    node: dict[str, Any] = {"ply": str(ply), "children": [{"ply": "a"}, {"ply": "b"}]}
    return {**node, "key": key} if key else node


def test_rows_in_many_parts_are_compared_as_rows_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every hundredth node has another key than its number says, and every seventh another player."""
    children = [
        {"ply": str(i % 50), "key": (i % 300 + (i % 100 == 7)) * 2**50, "player": int(i % 7 == 0)}
        for i in range(900)
    ]
    sight = sight_of(log_of({"children": children}, players=["a", "b"]))
    in_one = [derive(sight, Work()) for derive in (key_pass.flags_by_key, path_key.flags_by_path)]
    monkeypatch.setattr(key_pass, "ROWS_A_PART", 20)
    monkeypatch.setattr(key_pass, "CHUNK", 64)
    monkeypatch.setattr(path_key, "CHUNK", 64)
    assert key_pass.part_bits(sight.n_rows) > 3
    for work in (Work(), Work(compiled=True)):
        assert (key_pass.flags_by_key(sight, work) == in_one[0]).all()
        assert (path_key.flags_by_path(sight, work) == in_one[1]).all()
    assert np.count_nonzero(in_one[0]) > 100
    assert np.count_nonzero(in_one[1]) > 100


@pytest.mark.parametrize(
    ("fields", "passes"),
    [({}, []), ({"player": 0}, []), ({"key": 1}, ["paths"]), ({"key": 1, "static": 2}, ["keys", "paths"])],
)
def test_a_pass_whose_columns_are_absent_does_not_run(
    fields: dict[str, Any], passes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    monkeypatch.setattr(key_pass, "flags_by_key", lambda sight, work: ran.append("keys"))
    monkeypatch.setattr(path_key, "flags_by_path", lambda sight, work: ran.append("paths"))
    log = log_of({"children": [{"ply": "a", **fields}]}, players=["x", "y"])
    meet(sight_of(log), Work(), set(RULES))
    assert ran == passes
    ran.clear()
    meet(sight_of(log), Work(), set(RULES) - {*BY_KEY, *BY_PATH})
    assert ran == []


@pytest.mark.parametrize("derive", [key_pass.flags_by_key, path_key.flags_by_path])
def test_a_pass_by_key_says_how_far_it_is(derive: key_pass.Pass, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_pass, "CHUNK", 2)
    monkeypatch.setattr(path_key, "CHUNK", 1)
    sight = sight_of(read_log(json.dumps(example("path-key")).encode()))
    parts: list[float] = []
    derive(sight, Work(on_progress=parts.append))
    assert parts[0] == 0.0
    assert parts[-1] == 1.0
    assert parts == sorted(parts)
    assert len(parts) > 4


def test_a_key_of_0_is_a_key_and_no_missing_one() -> None:
    children = [{"ply": "a", "key": 0, "player": "x"}, {"ply": "b", "key": 0, "player": "y"}]
    report = check(log_of({"key": 5, "player": "x", "children": children}, players=["x", "y"]))
    assert [finding.path for finding in report.findings("key-side")] == ["b"]
    assert not [each for each in report.not_checked if each.rule == "key-side"]


def test_nodes_without_a_key_are_counted_beside_those_that_have_one() -> None:
    children = [{"ply": "a", "key": 7, "player": "x"}, {"ply": "b", "player": "y"}]
    report = check(log_of({"key": 5, "player": "x", "children": children}, players=["x", "y"]))
    assert [each.n_nodes for each in report.not_checked if each.rule == "key-side"] == [1]


def lines(*records: dict[str, Any], **search: Any) -> bytes:
    header = {"plyscope": 1, "search": search}
    return b"\n".join(json.dumps(each).encode() for each in (header, *records))


def said_of(*records: dict[str, Any], **search: Any) -> list[tuple[str, str]]:
    report = check(read_log(lines(*records, **search)), compiled=False)
    return [(each.severity, each.message) for each in report.findings("path-key")]


def deepened(first: str, second: str, field: str = "position") -> list[dict[str, Any]]:
    """Two iterations, in which ply a leads to one position and then to another."""
    root = {"score": 1, field: "start", "layer": "max"}
    a = {"ply": "a", "score": 1, "layer": "min"}
    return [
        {"id": 0, "iteration": 1, **root},
        {"id": 1, "parent": 0, **a, field: first},
        {"id": 2, "iteration": 2, **root},
        {"id": 3, "parent": 2, **a, field: second},
    ]


def test_a_position_as_text_is_an_identity_as_a_key_is() -> None:
    assert said_of(*deepened("X.", "X.")) == []
    assert said_of(*deepened("X.", "..")) == [
        ("wrong", "The position here is .., but the same plies led to X. at node 1.")
    ]


def test_positions_of_a_game_that_hides_something_are_odd_at_most() -> None:
    tree = [{**each, "visits": 2} for each in deepened("X.", "..")]
    assert [severity for severity, _ in said_of(*tree, order="best_first")] == ["odd"]
    rolled = [*deepened("X.", ".."), {"id": 4, "parent": 3, "ply": "1", "layer": "chance", "score": 1}]
    assert [severity for severity, _ in said_of(*rolled)] == ["odd"]
    keys = [{**each, "visits": 2} for each in deepened("X.", "..", "key")]
    assert [severity for severity, _ in said_of(*keys, order="best_first")] == ["wrong"]


@pytest.mark.parametrize("field", ["key", "position"])
@pytest.mark.parametrize("left", ["A", "B"])
def test_a_node_is_left_at_the_position_that_it_was_entered_at(field: str, left: str) -> None:
    entered = [{"id": 0, "layer": "max", field: "A"}, {"id": 1, "parent": 0, "ply": "x", field: "C"}]
    came_to = [{"id": 1, "score": 2, field: "C"}, {"id": 0, "score": 2, field: left}]
    expected = (
        []
        if left == "A"
        else [
            (
                "wrong",
                f"The node was entered with the {field} A and left with B: "
                "a ply below it was not taken back.",
            )
        ]
    )
    assert said_of(*entered, *came_to) == expected


def test_a_key_on_leaving_may_be_stated_as_a_field_of_its_own() -> None:
    node = {"id": 0, "layer": "max", "score": 2, "key": "00000000000000ff"}
    assert [
        each.severity for each in check(read_log(lines({**node, "left_key": "7"}))).findings("path-key")
    ] == ["wrong"]
    assert said_of({**node, "left_key": "00000000000000ff"}) == []


def by_layer(*layers: str, keys: tuple[str, ...] = ("A", "A")) -> list[tuple[str, str]]:
    children = [
        {"ply": f"p{i}", "layer": layer, "score": 1, "key": key}
        for i, (layer, key) in enumerate(zip(layers, keys, strict=True))
    ]
    document = {"plyscope": 1, "root": {"layer": "max", "score": 1, "key": "root", "children": children}}
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    return [(each.severity, each.message) for each in report.findings("key-side")]


def test_without_players_the_layer_says_who_moves() -> None:
    assert by_layer("min", "max") == [
        (
            "odd",
            "The root player is to move here, but at node 1, which has the same key A, it is the opponent.",
        )
    ]
    assert by_layer("min", "min") == []
    assert by_layer("min", "max", keys=("A", "B")) == []
    assert by_layer("min", "chance") == []


def test_layers_of_roots_in_several_positions_are_not_compared() -> None:
    roots = [
        {
            "iteration": at,
            "layer": "max",
            "score": 1,
            "key": key,
            "children": [{"ply": "x", "layer": "min", "key": below}],
        }
        for at, (key, below) in enumerate((("A", "B"), ("B", "C")), start=1)
    ]
    report = check(read_log(json.dumps({"plyscope": 1, "roots": roots}).encode()), compiled=False)
    assert report.findings("key-side") == []
