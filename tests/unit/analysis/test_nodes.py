"""What is said of one node: its best children, its JSON, its path, and the colours of its score."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.analysis.nodes import colour_scale, ply_path
from plyscope.visualizer.analysis.nodes.best_children import best_children, ranked_children
from plyscope.visualizer.analysis.nodes.colour_scale import score_scale
from plyscope.visualizer.analysis.nodes.node_json import node_json
from plyscope.visualizer.analysis.nodes.ply_path import paths_to
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of, tree_of

CHILDREN: list[dict[str, Any]] = [
    {"ply": "a", "score": 1},
    {"ply": "b", "score": 9, "bound": "upper"},
    {"ply": "c", "score": 0, "counted_as": 5, "bound": "lower"},
    {"ply": "d", "score": 99, "purpose": "null"},
    {"ply": "e"},
    {"ply": "f", "score": 5},
    {"outcome": "pruned", "count": 2},
]


@pytest.mark.parametrize(
    ("layer", "plies"), [("max", "cfab"), ("min", "afbc"), (None, "cfab")], ids=["max", "min", "unknown"]
)
def test_what_is_guaranteed_stands_before_what_is_only_possible(layer: str | None, plies: str) -> None:
    tree = tree_of({"children": CHILDREN, **({} if layer is None else {"layer": layer})})
    found = [tree.ply(row) for row in best_children(tree, 0, 10).tolist()]
    assert "".join(ply or "?" for ply in found) == plies
    assert len(best_children(tree, 0, 2)) == 2


def test_all_children_have_a_place_those_that_claim_nothing_behind_the_others() -> None:
    tree = tree_of({"layer": "max", "children": CHILDREN})
    rows, n_ranked = ranked_children(tree, 0)
    assert [tree.ply(row) for row in rows.tolist()] == ["c", "f", "a", "b", "e", None, "d"]
    assert n_ranked == 4


VISITED: list[dict[str, Any]] = [
    {"ply": "a", "visits": 5, "mean": 0.9},
    {"ply": "b", "visits": 60, "mean": 0.4, "score": 0.4},
    {"ply": "c", "mean": 0.95},
    {"ply": "d"},
    {"ply": "e", "visits": 5, "mean": 0.2},
    {"outcome": "unlogged", "count": 2, "visits": 99, "mean": 1.0},
]


@pytest.mark.parametrize(
    ("search", "layer", "plies"),
    [
        ({"order": "best_first"}, "max", "baec"),
        ({"order": "best_first"}, "min", "beac"),
        ({"order": "best_first", "choose": "visits"}, "max", "baec"),
        ({"order": "best_first", "choose": "mean"}, "max", "cabe"),
        ({"order": "best_first", "choose": "mean"}, "min", "ebac"),
        ({}, "max", "cabe"),
    ],
)
def test_a_best_first_search_ranks_by_visits_or_means_as_it_chooses(
    search: dict[str, str], layer: str, plies: str
) -> None:
    tree = tree_of({"layer": layer, "children": VISITED}, search=search)
    assert "".join(tree.ply(row) or "?" for row in best_children(tree, 0, 10).tolist()) == plies


@pytest.mark.parametrize(
    ("bounds", "ends"), [("exact lower upper", ["lower", "upper"]), ("exact upper", [None, "upper"])]
)
def test_of_children_with_one_score_the_ends_below_have_the_bound_that_reaches_furthest(
    bounds: str, ends: list[str | None]
) -> None:
    rows = [{"score": 5, "bound": bound} for bound in bounds.split()]
    below = node_json(tree_of({"layer": "max", "children": rows}), 0)["below"]
    assert [below.get(name) for name in ("best_bound", "worst_bound")] == ends


def test_the_ends_below_a_node_say_whether_a_win_is_proven_by_any_child_of_that_score() -> None:
    over = {"score": 997, "outcome": "terminal", "ending": "win"}
    rows = [{"ply": "a", "score": 997}, {"ply": "b", **over}, {"ply": "c", "score": -996}, {"ply": "d"}]
    mate = {"mate": {"score": 1000, "step": 1, "threshold": 900}}
    below = node_json(tree_of({"layer": "max", "children": rows}, search=mate), 0)["below"]
    assert (below["best"], below["best_proof"]) == (997.0, {"is": "proven"})
    assert (below["worst"], below["worst_proof"]) == (-996.0, {"is": "none"})


def test_a_stub_of_pre_scores_alone_names_no_plies() -> None:
    """There is a text in the log, which is no ply of the stub's, and there is none."""
    for ply in ({"ply": "a"}, {}):
        log = log_of({"children": [ply, {"outcome": "pruned", "pre_scores": [1, 2.5]}]})
        stub = node_json(Tree(log), 2)
        assert "plies" not in stub
        assert (stub["count"], stub["pre_scores"]) == (2, [1.0, 2.5])


# Colours

MATE = {"mate": {"score": 1_000_000, "step": 1, "threshold": 999_000}}


def scale(scores: list[Any], search: dict[str, Any] | None = None) -> dict[str, float] | None:
    root = {"children": [{"score": score} for score in scores]}
    return score_scale(tree_of(root, **({} if search is None else {"search": search})))


def test_wins_and_losses_that_a_log_declares_are_left_out_of_its_scale() -> None:
    ordinary = [1, -2, 3]
    assert scale([*ordinary, 999_995, -999_990], MATE) == scale(ordinary)
    assert scale([999_995, -999_990], MATE) is None


def test_a_few_scores_far_out_do_not_stretch_the_scale() -> None:
    assert scale([*range(1, 101), 500]) == {"low": 1.0, "high": 500.0, "reach": 99.0}


def test_wins_that_a_log_does_not_declare_leave_the_colours_of_all_others_apart() -> None:
    assert scale([1, 2, 3, 4, 5, 9999, 9999, -9999]) == {"low": -9999.0, "high": 9999.0, "reach": 40.0}


def test_where_no_score_differs_from_0_the_scale_has_no_length() -> None:
    assert scale([0, 0, "inf"]) == {"low": 0.0, "high": 0.0, "reach": 0.0}
    assert scale([]) is None


def test_of_many_scores_evenly_spaced_ones_say_where_the_scale_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colour_scale, "MOST_SIZES", 50)
    assert scale([*range(1, 1001), -2000]) == {
        "low": -2000.0,
        "high": 1000.0,
        "reach": pytest.approx(980, abs=25),
    }


# Paths

N_LEVELS = 5_000


@pytest.fixture(scope="module")
def chain() -> Tree:
    """A root and 5,000 levels below it: p1 > p2 > …."""
    rows = [f'{{"id":{n},"parent":{n - 1},"ply":"p{n}"}}' for n in range(1, N_LEVELS + 1)]
    return Tree(read_log("\n".join(['{"id":0}', *rows]).encode()))


def test_a_longer_one_has_both_ends_and_says_how_many_are_left_out(
    chain: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ply_path, "MOST_STEPS", 4)
    assert paths_to(chain, [5, 4_999, 4]) == [
        "p1 > p2 > (1 ply) > p4 > p5",
        "p1 > p2 > (4,995 plies) > p4998 > p4999",
        "p1 > p2 > p3 > p4",
    ]


def test_the_nearest_rows_of_a_path_are_its_last_ones(chain: Tree) -> None:
    assert chain.path(N_LEVELS, 3) == chain.path(N_LEVELS)[-3:] == [N_LEVELS - 2, N_LEVELS - 1, N_LEVELS]
    assert chain.path(1, 3) == [0, 1]
