"""One node as JSON: only what the log states, and what a folded node says of its children."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.analysis.nodes.node_json import node_json
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of


@pytest.mark.parametrize(
    ("layer", "children", "ends"),
    [
        ("max", [(5, "exact"), (2, "upper")], {"best": 5.0, "worst": 2.0, "worst_bound": "upper"}),
        (
            "min",
            [(5, "lower"), (2, "upper")],
            {"best": 2.0, "best_bound": "upper", "worst": 5.0, "worst_bound": "lower"},
        ),
        (
            "max",
            [(5, "exact"), (5, "lower"), (5, "upper")],
            {"best": 5.0, "best_bound": "lower", "worst": 5.0, "worst_bound": "upper"},
        ),
        ("max", [(5, "exact"), (5, "upper")], {"best": 5.0, "worst": 5.0, "worst_bound": "upper"}),
        (
            "max",
            [(5, "upper"), (5, None), (9, "upper")],
            {"best": 9.0, "best_bound": "upper", "worst": 5.0, "worst_bound": "upper"},
        ),
    ],
)
def test_the_ends_below_a_node_keep_the_bounds_of_their_scores(
    layer: str, children: list[tuple[float, str | None]], ends: dict[str, Any]
) -> None:
    rows = [{"score": score, **({} if bound is None else {"bound": bound})} for score, bound in children]
    below = node_json(Tree(log_of({"layer": layer, "children": rows})), 0)["below"]
    assert below == {"nodes": len(children), "height": 1, "end": len(children) + 1, **ends}


def test_the_ends_below_a_node_are_what_it_took_for_its_plies() -> None:
    rows = [
        {"ply": "a", "score": 9, "counted_as": 4},
        {"ply": "b", "score": 6},
        {"ply": "--", "purpose": "null", "score": 20},
        {"purpose": "probe", "score": -20},
    ]
    below = node_json(Tree(log_of({"layer": "max", "children": rows})), 0)["below"]
    assert (below["best"], below["worst"]) == (6.0, 4.0)


def test_the_ends_below_a_node_say_whether_a_win_is_proven_by_any_child_of_that_score() -> None:
    over = {"score": 997, "outcome": "terminal", "ending": "win"}
    rows = [{"ply": "a", "score": 997}, {"ply": "b", **over}, {"ply": "c", "score": -996}, {"ply": "d"}]
    mate = {"mate": {"score": 1000, "step": 1, "threshold": 900}}
    below = node_json(Tree(log_of({"layer": "max", "children": rows}, search=mate)), 0)["below"]
    assert (below["best"], below["best_proof"]) == (997.0, {"is": "proven"})
    assert (below["worst"], below["worst_proof"]) == (-996.0, {"is": "none"})


def test_a_stub_of_pre_scores_alone_names_no_plies() -> None:
    """There is a text in the log, which is no ply of the stub's, and there is none."""
    for ply in ({"ply": "a"}, {}):
        log = log_of({"children": [ply, {"outcome": "pruned", "pre_scores": [1, 2.5]}]})
        stub = node_json(Tree(log), 2)
        assert "plies" not in stub
        assert (stub["count"], stub["pre_scores"]) == (2, [1.0, 2.5])
