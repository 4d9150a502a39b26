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
from tests.unit.analysis.check.checked import (
    Cases,
    Node,
    changed,
    example,
    found,
    held,
    log,
    node,
    report_of,
)
from tests.unit.logs import log_of


@pytest.mark.parametrize(
    "keys",
    [
        {"start": "start", "A": "A", "B": "B", "C": "C"},
        {"start": "f" * 16, "A": "8000000000000000", "B": "0" * 16, "C": "00000000000000ff"},
        {"start": 0, "A": 2**63, "B": 7, "C": 8},
    ],
    ids=["text", "hex", "number"],
)
@pytest.mark.parametrize(
    ("rule", "path"), [("key-side", "pass"), ("key-moves", "e6"), ("key-static", "e6"), ("path-key", "d3#2")]
)
def test_positions_that_share_a_key_but_differ_are_found_whatever_keys_look_like(
    rule: str, path: str, keys: dict[str, Any]
) -> None:
    document = example(rule)
    for each in [document["root"], *document["root"]["children"]]:
        each["key"] = keys[each["key"]]
    assert found(document) == [(rule, path)]


def counting(**fields: Any) -> Any:
    """Two positions of one key with different numbers of plies, the second of which has other fields."""
    return changed("key-moves", {"1": {"moves": 6}, "2": fields})


def iterations(*keys: str) -> Any:
    """The key at one path, iteration by iteration."""
    roots = [
        node(None, None, 1, node("c6", None, 1, node("d6", None, 1, key=key), key="A"), iteration=at, key="s")
        for at, key in enumerate(keys, start=1)
    ]
    return {"plyscope": 1, "roots": roots}


def by_layer(*layers: str, keys: tuple[str, ...] = ("A", "A")) -> Any:
    plies = [
        node(f"p{i}", layer, 1, key=key) for i, (layer, key) in enumerate(zip(layers, keys, strict=True))
    ]
    return log(node(None, "max", 1, *plies, key="root"))


def in_two_positions() -> Any:
    """The positions that two roots stand at, of which the second is met below the first."""
    keys = enumerate((("A", "B"), ("B", "C")), start=1)
    roots = [
        node(None, "max", 1, node("x", "min", key=below), iteration=at, key=key) for at, (key, below) in keys
    ]
    return {"plyscope": 1, "roots": roots}


def of_players(*below: Node) -> Any:
    root = {"layer": "max", "key": 5, "player": "x", "children": list(below)}
    return log(root, players=["x", "y"])


OF_0 = of_players({"ply": "a", "key": 0, "player": "x"}, {"ply": "b", "key": 0, "player": "y"})
UNKEYED = of_players({"ply": "a", "key": 7, "player": "x"}, {"ply": "b", "player": "y"})
CASES: Cases = {
    "key-moves: plies are counted only where all were generated": [
        *((counting(outcome=outcome), "") for outcome in ("leaf", "stopped", "tt")),
        (counting(quiescence=True), ""),
        (counting(key="B"), ""),
    ],
    "an evaluation that depends on the path is wrong where it is declared pure, but for rounding": [
        (changed("key-static"), "odd key-static e6"),
        (changed("key-static", search={"static_pure": True}), "wrong key-static e6"),
        (changed("key-static", {"2": {"static": 4 + 1e-12}}), ""),
    ],
    "path-key: paths are compared with those of earlier iterations, but where a ply is not known": [
        (iterations("B", "B", "C"), "wrong path-key c6 > d6"),
        (changed("path-key", {"1": {"ply": None}, "2": {"ply": None}}), ""),
    ],
    "key-side: a key of 0 is one; without players the layer says who moves, from one root position": [
        (OF_0, "wrong key-side b"),
        (by_layer("min", "max"), "odd key-side p1"),
        (by_layer("min", "max", keys=("A", "B")), ""),
        (by_layer("min", "chance"), ""),
        (in_two_positions(), ""),
    ],
}

test_keys = held(CASES)


def test_a_finding_about_a_key_names_the_node_that_had_it_first() -> None:
    (finding,) = report_of(by_layer("min", "max")).findings("key-side")
    assert (finding.expected, finding.found, finding.rows_involved) == (
        "the opponent",
        "the root player",
        (1,),
    )
    assert finding.message == (
        "The root player is to move here, but at node 1, which has the same key A, it is the opponent."
    )


def test_nodes_without_a_key_are_counted_beside_those_that_have_one() -> None:
    missing = [each.n_nodes for each in report_of(UNKEYED).not_checked if each.rule == "key-side"]
    assert missing == [1]
    assert not [each for each in report_of(OF_0).not_checked if each.rule == "key-side"]


# Lines of a search that prints nodes as it enters and leaves them


def said_of(*records: Node, **search: Any) -> list[tuple[str, str]]:
    header = {"plyscope": 1, "search": search}
    text = b"\n".join(json.dumps(each).encode() for each in (header, *records))
    findings = check(read_log(text), compiled=False).findings("path-key")
    return [(each.severity, each.message) for each in findings]


def deepened(first: str, second: str, field: str = "position", **more: Any) -> list[Node]:
    """Two iterations, in which ply a leads to one position and then to another."""
    root = {"score": 1, field: "start", "layer": "max", **more}
    a = {"ply": "a", "score": 1, "layer": "min", **more}
    return [
        {"id": 0, "iteration": 1, **root},
        {"id": 1, "parent": 0, **a, field: first},
        {"id": 2, "iteration": 2, **root},
        {"id": 3, "parent": 2, **a, field: second},
    ]


def test_a_position_as_text_is_an_identity_as_a_key_is_but_where_a_game_hides_something() -> None:
    said = [("wrong", "The position here is .., but the same plies led to X. at node 1.")]
    assert said_of(*deepened("X.", "X.")) == []
    assert said_of(*deepened("X.", "..")) == said
    hidden = said_of(*deepened("X.", "..", visits=2), order="best_first")
    rolled = said_of(*deepened("X.", ".."), {"id": 4, "parent": 3, "ply": "1", "layer": "chance", "score": 1})
    keys = said_of(*deepened("X.", "..", "key", visits=2), order="best_first")
    assert [severity for ((severity, _),) in (hidden, rolled, keys)] == ["odd", "odd", "wrong"]


@pytest.mark.parametrize("field", ["key", "position"])
def test_a_node_is_left_at_the_position_that_it_was_entered_at(field: str) -> None:
    entered = [{"id": 0, "layer": "max", field: "A"}, {"id": 1, "parent": 0, "ply": "x", field: "C"}]
    left = {"id": 1, "score": 2, field: "C"}
    assert said_of(*entered, left, {"id": 0, "score": 2, field: "A"}) == []
    says = f"The node was entered with the {field} A and left with B: a ply below it was not taken back."
    assert said_of(*entered, left, {"id": 0, "score": 2, field: "B"}) == [("wrong", says)]


def test_a_key_on_leaving_may_be_stated_as_a_field_of_its_own() -> None:
    node = {"id": 0, "layer": "max", "score": 2, "key": "00000000000000ff"}
    assert [severity for severity, _ in said_of({**node, "left_key": "7"})] == ["wrong"]
    assert said_of({**node, "left_key": "00000000000000ff"}) == []


# The passes that look for keys and paths again

PLACES = st.lists(
    st.tuples(
        st.just(0) | st.integers(0, 40),
        st.integers(0, 3) | st.integers(0, 11),
        st.integers(0, 5),
        st.integers(0, 1),
        st.integers(0, 2),
    ),
    max_size=30,
)


def grown(number: int, places: list[tuple[int, int, int, int, int]]) -> Node:
    """A tree of nodes, each below one of those before it; a key of 0 is not stated."""
    nodes: list[Node] = [{"iteration": number, "children": []}]
    for above, ply, key, player, static in places:
        node = {"ply": str(ply), "player": player, "static": static, "children": []}
        nodes[above % len(nodes)]["children"].append(node | ({"key": key * 2**61} if key else {}))
        nodes.append(nodes[above % len(nodes)]["children"][-1])
    return nodes[0]


@pytest.mark.slow
@given(st.lists(PLACES, min_size=1, max_size=7), st.integers(0, 4), st.sampled_from([2, 10**6]))
@settings(max_examples=examples(90), deadline=None)
def test_both_passes_agree_with_dictionaries_plain_and_compiled_in_one_part_and_in_many(
    trees: list[Any], most_steps: int, rows_a_part: int
) -> None:
    """The oracle: the first row of each key, and of each path of any tree, kept in a dictionary."""
    roots = [grown(number, places) for number, places in enumerate(trees, start=1)]
    sight = sight_of(log_of(roots=roots, players=["a", "b"]))
    expected = np.zeros((2, sight.n_rows), np.uint8)
    players: dict[int, int] = {}
    statics: dict[int, float] = {}
    paths: dict[tuple[int, ...], int] = {}
    at: dict[int, tuple[int, ...]] = {-1: ()}
    for row in range(sight.n_rows):
        above = int(sight.parent[row])
        at[row] = () if above < 0 else (*at[above], int(sight.ply[row]))
        key = int(sight.key[row]) if len(sight.key) else 0
        if not key:
            continue
        if key in players:
            expected[0, row] |= key_pass.MET_PLAYER | key_pass.MET_STATIC
        if players.setdefault(key, sight.player[row]) != sight.player[row]:
            expected[0, row] |= key_pass.OTHER_PLAYER
        if statics.setdefault(key, sight.static[row]) != sight.static[row]:
            expected[0, row] |= key_pass.OTHER_STATIC
        expected[1, row] |= path_key.MET_KEY if at[row] in paths else 0
        expected[1, row] |= path_key.OTHER_KEY if paths.setdefault(at[row], key) != key else 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(path_key, "MOST_STEPS", most_steps)
        patch.setattr(key_pass, "ROWS_A_PART", rows_a_part)
        for module in (key_pass, path_key):
            patch.setattr(module, "CHUNK", rows_a_part)
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


def test_the_progress_of_each_pass_goes_from_nothing_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    children = [{"ply": str(i), "key": i, "player": i % 2} for i in range(900)]
    sight = sight_of(log_of({"children": children}, players=["a", "b"]))
    monkeypatch.setattr(key_pass, "ROWS_A_PART", 20)
    for module in (key_pass, path_key):
        monkeypatch.setattr(module, "CHUNK", 64)
    for derive in (key_pass.flags_by_key, path_key.flags_by_path):
        parts: list[float] = []
        derive(sight, Work(on_progress=parts.append))
        assert parts == sorted(parts)
        assert (parts[0], parts[-1]) == (0.0, 1.0)
        assert len(parts) > 4


@pytest.mark.parametrize(
    ("fields", "passes"),
    [({}, []), ({"player": 0}, []), ({"key": 1}, ["paths"]), ({"key": 1, "static": 2}, ["keys", "paths"])],
)
def test_a_pass_whose_columns_are_absent_does_not_run(
    fields: Node, passes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    monkeypatch.setattr(key_pass, "flags_by_key", lambda sight, work: ran.append("keys"))
    monkeypatch.setattr(path_key, "flags_by_path", lambda sight, work: ran.append("paths"))
    sight = sight_of(log_of({"children": [{"ply": "a", **fields}]}, players=["x", "y"]))
    meet(sight, Work(), set(RULES))
    meet(sight, Work(), set(RULES) - {*BY_KEY, *BY_PATH})
    assert ran == passes
