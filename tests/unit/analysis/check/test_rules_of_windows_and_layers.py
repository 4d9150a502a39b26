"""layers, probe-window, depth-step at chance nodes, plies that cost more by design; edges that cross."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import child, example, found

MAX, MIN = "max", "min"


def path(*layers: str, **header: Any) -> dict[str, Any]:
    """A log of one line of plies, and a second ply at each node."""
    below: dict[str, Any] = {}
    for at, layer in reversed([*enumerate(layers)]):
        node: dict[str, Any] = {"layer": layer, "score": 1}
        if at:
            node["ply"] = f"p{at}"
        if below:
            other = {"ply": "q", "layer": below["layer"], "score": 1}
            node["children"] = [below, other]
        below = node
    return {"plyscope": 1, "root": below, **header}


@pytest.mark.parametrize("layers", [(MAX, MAX, MIN, MAX), (MIN, MIN, MAX, MIN), (MAX, MAX, MIN, MAX, MIN)])
def test_branches_that_are_swapped_below_the_root_are_said_once(layers: tuple[str, ...]) -> None:
    assert found(path(*layers), "layers") == [("layers", "root")]


@pytest.mark.parametrize(
    "layers",
    [
        (MAX, MIN, MAX, MIN),
        (MAX, MAX, MIN),
        (MAX, MAX, MIN, MIN),
        (MAX, MAX, MAX, MIN),
        (MAX, MAX, MIN, MAX, MAX),
    ],
    ids=["alternating", "cut short", "double moves", "all one side", "once more"],
)
def test_layers_that_a_game_may_have_are_left_alone(layers: tuple[str, ...]) -> None:
    assert found(path(*layers), "layers") == []


def test_players_and_declared_turns_are_judged_by_another_rule() -> None:
    document = path(MAX, MAX, MIN, MAX, players=["A", "B"])
    document["root"]["player"] = "A"
    assert found(document, "layers") == []
    turns = path(MAX, MAX, MIN, MAX, search={"turns": "alternate"})
    assert found(turns, "layers") == []
    assert found(turns, "layer") != []


def probe(window: tuple[float | None, float | None], **more: Any) -> list[tuple[str, str]]:
    document = example("probe-window")
    child(document, 0).update({"alpha": window[0], "beta": window[1], **more})
    return found(document, "probe-window")


@pytest.mark.parametrize("window", [(-40, -20), (41, 60), (-5, 10)])
def test_a_probe_of_its_own_position_asks_what_its_node_asks(window: tuple[float, float]) -> None:
    assert [rule for rule, _ in probe(window)] == ["probe-window"]


@pytest.mark.parametrize(
    ("window", "more"),
    [
        ((20, 40), {}),
        ((None, None), {}),
        ((30, 90), {}),
        ((40, 60), {}),
        ((9, 10), {}),
        ((-40, -20), {"ply": "a", "layer": "min"}),
        ((-40, -20), {"purpose": "null", "layer": "min"}),
    ],
    ids=["the same", "open", "a part", "at its edge", "null window", "below a ply", "null move"],
)
def test_other_probes_are_left_alone(window: tuple[float | None, float | None], more: dict[str, Any]) -> None:
    assert probe(window, **more) == []


@pytest.mark.parametrize("depths", [(2, 2, 1), (2, 1, 1), (2, 1, 0)], ids=["below", "above", "both"])
def test_either_side_of_a_roll_may_take_the_depth(depths: tuple[int, ...]) -> None:
    above, roll, below = depths
    leaf = {"ply": "1", "layer": "max", "prior": 1, "score": 5, "depth": below, "outcome": "leaf"}
    chance = {"ply": "a", "layer": "chance", "score": 5, "depth": roll, "children": [leaf]}
    root = {"layer": "max", "score": 5, "depth": above, "children": [chance]}
    assert found({"plyscope": 1, "root": root}, "depth-step") == []


def test_late_plies_may_cost_more_by_design() -> None:
    document = example("reduced-unverified")
    assert found(document, "reduced-unverified") != []
    document["search"] = {"verify": False}
    assert found(document, "reduced-unverified") == []


def crossed(alpha: float | None, beta: float | None, **below: Any) -> dict[str, Any]:
    """A root that was called with these edges, which it hands on."""
    leaf = {"ply": "x", "layer": "max", "score": 3, "alpha": alpha, "beta": beta, "outcome": "leaf"}
    inner = {"ply": "a", "layer": "min", "score": 3, "alpha": alpha, "beta": beta, "children": [leaf]}
    root = {"layer": "max", "score": 3, "alpha": alpha, "beta": beta, "children": [{**inner, **below}]}
    return {"plyscope": 1, "root": root}


@pytest.mark.parametrize("edges", [(100, -100), (2147483648, -2147483647), (4, 3)])
def test_edges_that_cross_from_the_root_on_are_odd_once(edges: tuple[float, float]) -> None:
    """The edges of the root are swapped, or an infinity does not bear a minus: all below follows from it."""
    (finding,) = check(read_log(json.dumps(crossed(*edges)).encode()), compiled=False).findings("window")
    assert (finding.path, finding.severity) == ("root", "odd")
    assert finding.message.endswith("alpha is above beta, so that no score lies between them.")


@pytest.mark.parametrize("edges", [(-100, 100), (3, 3), (None, 100), (None, None)])
def test_edges_that_leave_something_or_are_not_known_are_not_odd(edges: tuple[Any, Any]) -> None:
    assert found(crossed(*edges), "window") == []


def test_a_node_that_mate_distance_closed_was_not_searched() -> None:
    closed = {"ply": "b", "layer": "min", "score": 5, "alpha": 5, "beta": 4, "outcome": "cutoff"}
    document = {"plyscope": 1, "root": {"layer": "max", "score": 5, "children": [closed]}}
    assert found(document, "window") == []
