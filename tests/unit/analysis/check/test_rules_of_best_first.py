"""Rules of best-first trees: visits, means, and the choice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from tests.property.examples import examples
from tests.second_engine.monte_carlo import MonteCarlo
from tests.second_engine.tree_options import TreeOptions, drawn_tree_options
from tests.second_engine.worlds import Maze
from tests.unit.analysis.check.checked import child, example, found
from tests.zoo.best_first_faults import (
    FaultyTree,
    ResultNotTurned,
    VisitCountedTwice,
    VisitsLostOnTheWayUp,
    wide,
)

N_TREES = examples(400)


def tree(*children: dict[str, Any], search: dict[str, Any] | None = None, **root: Any) -> dict[str, Any]:
    """A best-first log of a root with some children."""
    declared = {"order": "best_first", "range": [0, 1], **(search or {})}
    return {"plyscope": 1, "search": declared, "root": {"layer": "max", **root, "children": list(children)}}


def ply(name: str, visits: int | None, mean: float | None, **fields: Any) -> dict[str, Any]:
    stated = {"visits": visits, "mean": mean}
    return {"ply": name, "layer": "min", **{k: v for k, v in stated.items() if v is not None}, **fields}


def severities(document: dict[str, Any], rule: str) -> set[str]:
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    return {found.severity for found in report.findings(rule)}


@pytest.mark.parametrize("part", range(4))
def test_nothing_is_wrong_in_a_correct_tree_of_any_habit(part: int) -> None:
    asked: set[str] = set()
    for seed in range(part, N_TREES, 4):
        options = drawn_tree_options(seed)
        world = Maze(seed, (12, 20, 40)[seed % 3], 4, alternates=seed % 4 == 0)
        log = read_log(json.dumps(MonteCarlo(world, options).log()).encode())
        report = check(log, compiled=False)
        assert report.findings(severity="wrong") == [], options
        asked |= set(report.checked)
    assert {"visits", "mean", "choice"} <= asked


@pytest.mark.slow
def test_compiled_rules_say_of_a_tree_what_plain_ones_say() -> None:
    for rule in ("visits", "mean", "choice"):
        log = read_log(json.dumps(example(rule)).encode())
        assert check(log, compiled=True).findings() == check(log, compiled=False).findings()


def test_a_stub_without_visits_adds_none() -> None:
    document = example("visits")
    del child(document, 2)["visits"]
    assert found(document, "visits") == []


def test_wins_draws_and_losses_are_the_visits_where_all_are_stated() -> None:
    root = {"visits": 4, "wins": 2, "draws": 1}
    assert found(tree(**root), "visits") == []
    assert found(tree(**root, losses=1), "visits") == []
    assert found(tree(**root, losses=2), "visits") == [("visits", "root")]


def test_a_win_below_is_a_win_above() -> None:
    won = ply("a", 3, 1.0, wins=3, draws=0, losses=0)
    assert found(tree(won, visits=4, wins=3, draws=0, losses=1), "visits") == []
    assert found(tree(won, visits=4, wins=2, draws=0, losses=2), "visits") == [("visits", "root")]


def test_wins_in_fractions_are_held_to_their_digits() -> None:
    one = ply("a", 3, None, wins=1.33, draws=0.33, losses=1.33)
    assert found(tree(one, visits=3, wins=1.33, draws=0.33, losses=1.33), "visits") == []


def test_visits_are_only_odd_where_positions_share_their_figures() -> None:
    shared = [ply("a", 5, 0.5, key="A"), ply("b", 5, 0.5, key="A")]
    assert severities(tree(*shared, visits=7), "visits") == {"odd"}
    child(document := tree(*shared, visits=7), 1)["mean"] = 0.4
    below = {"children": [ply("c", 4, 0.5)]}
    child(document, 0).update(below)
    child(document, 1).update({"children": [ply("c", 3, 0.5)]})
    assert severities(document, "visits") == {"wrong"}


def test_a_shared_node_is_known_by_its_row_below_each_parent_though_its_own_children_come_once() -> None:
    """a and b, of 5 and 4 visits, lead to one position of 8, three of which went on to c."""
    one = ply("x", 8, 0.5, key="S", children=[ply("c", 3, 0.5, key="C", layer="max")])
    other = ply("y", 8, 0.5, key="S")
    first = ply("a", 5, 0.5, layer="max", key="A", children=[one])
    second = ply("b", 4, 0.5, layer="max", key="B", children=[other])
    assert severities(tree(first, second, visits=10), "visits") == {"odd"}
    del second["children"]
    assert severities(tree(first, second, visits=10), "visits") == {"wrong"}


@pytest.mark.parametrize(
    ("below", "said"), [(6, set()), (7, set()), (8, {"odd"})], ids=["fewer", "as many", "more than all"]
)
def test_what_lies_below_a_position_came_by_all_edges_to_it(below: int, said: set[str]) -> None:
    """Rows of one key with other visits are edges, as those who follow AlphaZero keep them."""
    shared = [
        ply("a", 5, 0.5, key="A", children=[ply("c", below, 0.9)]),
        ply("b", 2, 0.5, key="A"),
    ]
    assert severities(tree(*shared, visits=8), "visits") == said
    assert severities(tree(*shared, visits=8), "mean") == set()
    shared[1]["key"] = "B"
    assert severities(tree(*shared, visits=8), "visits") == {"wrong"}


def test_visits_of_plies_to_one_position_share_what_is_below() -> None:
    below = {"children": [ply("c", 6, 0.5)]}
    shared = [ply("a", 5, 0.5, key="A", **below), ply("b", 2, 0.5, key="A", **below)]
    assert severities(tree(*shared, visits=8), "visits") == {"odd"}


def test_edges_of_another_tree_are_no_edges() -> None:
    def root(number: int) -> dict[str, Any]:
        child = ply("a", 3 + number, 0.5, key="A", children=[ply("c", 6, 0.5)])
        return {**tree(child, visits=8)["root"], "iteration": number}

    document = {**tree(visits=8), "roots": [root(1), root(2)]}
    del document["root"]
    assert severities(document, "visits") == {"wrong"}


def test_visits_without_keys_are_only_odd_where_children_with_a_twin_account_for_them() -> None:
    twins = [ply("a", 5, 0.5), ply("b", 5, 0.5)]
    assert severities(tree(*twins, visits=7), "visits") == {"odd"}
    assert severities(tree(*twins, ply("c", 8, 0.4), visits=7), "visits") == {"wrong"}
    other_mean = [ply("a", 5, 0.5), ply("b", 5, 0.4)]
    assert severities(tree(*other_mean, visits=7), "visits") == {"wrong"}
    other_key = [ply("a", 5, 0.5, key="A"), ply("b", 5, 0.5, key="B")]
    assert severities(tree(*other_key, visits=7), "visits") == {"wrong"}
    other_side = [ply("a", 5, 0.5), ply("b", 5, 0.5, layer="max")]
    assert severities(tree(*other_side, visits=7), "visits") == {"wrong"}


@pytest.mark.parametrize(
    ("faulty", "rule"),
    [(ResultNotTurned, "mean"), (VisitsLostOnTheWayUp, "visits"), (VisitCountedTwice, "visits")],
)
def test_most_of_a_fault_is_wrong_without_keys_too(faulty: type[FaultyTree], rule: str) -> None:
    """A coincidence of figures excuses few sums: those of small counts."""
    found: list[str] = []
    for seed in range(4):
        document = faulty(wide(seed), TreeOptions(playouts=400, seed=seed, keys=False)).log()
        report = check(read_log(json.dumps(document).encode()), compiled=False)
        found += [each.severity for each in report.findings(rule)]
    assert found.count("wrong") > 0.8 * len(found)


def test_a_stub_may_hide_the_twin_of_a_child_with_as_many_visits() -> None:
    few = {"outcome": "unlogged", "count": 2, "visits": 3, "mean": 0.5}
    below = ply("a", 6, 0.5, children=[few])
    assert severities(tree(below, ply("b", 3, 0.1), visits=7), "visits") == {"odd"}
    assert severities(tree(below, ply("b", 4, 0.1), visits=7), "visits") == {"wrong"}
    del few["visits"]
    assert severities(tree(below, ply("b", 4, 0.1), visits=7), "visits") == {"odd"}


def test_wins_of_twins_are_shared_too_but_not_what_ends_of_games_add_up_to() -> None:
    twins = [ply(name, 4, 1.0, wins=4, draws=0, losses=0) for name in "ab"]
    whole = {"visits": 8, "wins": 4, "draws": 0, "losses": 4}
    assert severities(tree(*twins, **whole), "visits") == {"odd"}
    assert severities(tree(*twins, **whole | {"losses": 3}), "visits") == {"wrong"}


def test_a_mean_without_keys_is_only_odd_where_it_fits_without_the_children_with_a_twin() -> None:
    twins = [ply("a", 5, 1.0), ply("b", 5, 1.0)]
    assert severities(tree(*twins, visits=10, mean=0.5), "mean") == {"odd"}
    assert severities(tree(*twins, ply("c", 8, 0.5), visits=18, mean=0.1), "mean") == {"wrong"}
    assert severities(tree(ply("a", 5, 1.0), ply("b", 5, 0.9), visits=10, mean=0.5), "mean") == {"wrong"}


def test_visits_are_only_odd_where_threads_searched() -> None:
    document = example("visits")
    document["search"]["threads"] = 4
    assert severities(document, "visits") == {"odd"}


def test_a_mean_leaves_results_in_the_range_for_the_visits_of_the_node() -> None:
    below = [ply("a", 6, 0.75), ply("b", 3, 0.25)]  # together 5.25
    for mean, is_wrong in ((0.53, False), (0.62, False), (0.5, True), (0.65, True)):
        assert bool(found(tree(*below, visits=10, mean=mean), "mean")) == is_wrong, mean


def test_means_are_held_to_their_digits() -> None:
    below = [ply("a", 500, 0.333), ply("b", 500, 0.667)]
    assert found(tree(*below, visits=1000, mean=0.501), "mean") == []
    assert found(tree(*below, visits=1000, mean=0.502), "mean") == [("mean", "root")]


def test_a_mean_of_a_leaf_lies_in_the_range() -> None:
    assert found(tree(visits=3, mean=1.5), "mean") == [("mean", "root")]


def test_a_stub_stands_for_children_with_its_mean_or_keeps_the_rule_from_asking() -> None:
    stub = {"outcome": "unlogged", "count": 3, "visits": 5, "mean": 0.0}
    assert found(tree(ply("a", 5, 1.0), stub, visits=10, mean=0.5), "mean") == []
    assert found(tree(ply("a", 5, 1.0), stub, visits=10, mean=0.9), "mean") == [("mean", "root")]
    del stub["mean"]
    assert found(tree(ply("a", 5, 1.0), stub, visits=10, mean=0.9), "mean") == []


def test_a_parent_may_take_a_child_for_something_else() -> None:
    root = {"visits": 5, "mean": 0.45}
    assert found(tree(ply("a", 5, 0.9), **root), "mean") == [("mean", "root")]
    assert found(tree(ply("a", 5, 0.9, counted_as=0.45), **root), "mean") == []


def test_means_of_proven_nodes_and_of_chance_are_left_out() -> None:
    below = [ply("a", 5, 0.0)]
    assert found(tree(*below, visits=6, mean=1.0), "mean") == [("mean", "root")]
    assert found(tree(*below, visits=6, mean=1.0, bound="exact"), "mean") == []
    assert found(tree(*below, visits=6, mean=1.0, **{"layer": "chance"}), "mean") == []


def test_means_written_by_movers_are_compared_as_the_root_player_sees_them() -> None:
    document = tree(ply("a", 6, 0.25), visits=6, mean=0.75, search={"perspective": "mover"})
    assert found(document, "mean") == []
    document["root"]["mean"] = 0.25
    assert found(document, "mean") == [("mean", "root")]


def test_means_are_not_asked_where_positions_share_their_figures() -> None:
    shared = [ply("a", 5, 0.5, key="A"), ply("b", 5, 0.5, key="A")]
    report = check(read_log(json.dumps(tree(*shared, visits=11, mean=1.0)).encode()), compiled=False)
    assert any(each.rule == "mean" and "share" in (each.why or "") for each in report.not_checked)
    assert report.findings("mean") == []


def test_rules_of_windows_claims_and_best_children_say_that_they_have_no_meaning_here() -> None:
    score = {"score": 5, "bound": "exact", "alpha": None, "beta": None, "moves": 3}
    document = tree(ply("a", 3, 0.5, **score), visits=4, mean=0.5, score=9, bound="exact", alpha=1, beta=2)
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    assert not report.findings()
    silent = {each.rule for each in report.not_checked if each.why and "best-first" in each.why}
    assert {"window", "window-wide", "cut", "cut-missed", "value", "claim", "moves", "repropagate"} <= silent


@pytest.mark.parametrize("outcome", ["leaf", "open", "stopped"])
def test_a_frontier_under_a_finished_root_is_nothing(outcome: str) -> None:
    frontier = [ply(name, n, 0.5, outcome=outcome, score=0.5) for name, n in (("a", 3), ("b", 2))]
    document = tree(*frontier, visits=6, mean=0.5, score=0.5, search={"choose": "visits"})
    document["result"] = {"ply": "a", "score": 0.5}
    assert found(document) == []
    document["result"]["ply"] = "c"
    assert found(document) == [("result", "root")]


def test_visits_of_other_searches_are_not_judged() -> None:
    document = example("visits")
    del document["search"]["order"]
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    assert report.findings() == []
    assert any(each.rule == "visits" and "order" in (each.why or "") for each in report.not_checked)


def test_sums_are_only_odd_where_a_stub_may_hide_that_positions_share_their_figures() -> None:
    document = example("visits")
    document["root"]["key"] = "A"
    assert severities(document, "visits") == {"odd"}
    child(document, 2).update({"ply": "e6", "outcome": "leaf"})
    del child(document, 2)["count"]
    assert severities(document, "visits") == {"wrong"}


# The choice


def chosen(ply_chosen: str, score: float | None = None, choose: str = "visits", **root: Any) -> Any:
    """Ply b has the most visits, ply c the best mean."""
    below = [ply("a", 3, 0.2), ply("b", 5, 0.5), ply("c", 2, 0.7)]
    document = tree(*below, visits=11, mean=0.45, search={"choose": choose}, **root)
    document["result"] = {"ply": ply_chosen} | ({} if score is None else {"score": score})
    return document


@pytest.mark.parametrize(
    ("choose", "played", "broken"),
    [("visits", "b", False), ("visits", "c", True), ("mean", "c", False), ("mean", "b", True)],
)
def test_the_ply_is_the_best_by_what_the_search_declares(choose: str, played: str, broken: bool) -> None:
    assert found(chosen(played, choose=choose), "choice") == ([("choice", played)] if broken else [])


def test_a_search_that_does_not_say_by_what_it_chooses_may_choose_any_ply() -> None:
    document = chosen("a")
    del document["search"]["choose"]
    assert found(document, "choice") == []


def test_a_ply_that_was_drawn_or_proven_need_not_be_the_best() -> None:
    document = chosen("c")
    document["result"]["rank"] = 2
    assert found(document, "choice") == []
    child(document := chosen("c"), 2)["bound"] = "exact"
    assert found(document, "choice") == []


@pytest.mark.parametrize(
    ("layer", "won", "chosen_also", "found_at"),
    [
        ("max", 1, {}, "b"),
        ("min", 0, {}, "b"),
        ("max", 0, {}, None),
        ("max", 1, {"score": 1, "bound": "exact", "outcome": "terminal"}, None),
        ("max", 1, {"mean": 1}, None),
    ],
)
def test_a_win_that_is_proven_and_left_for_an_open_ply_is_odd(
    layer: str, won: float, chosen_also: dict[str, Any], found_at: str | None
) -> None:
    document = chosen("b", choose="visits", layer=layer)
    child(document, 0).update(score=won, mean=won, bound="exact", outcome="terminal")
    child(document, 1).update(chosen_also)
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    told = [(each.path, each.severity, each.message) for each in report.findings("choice")]
    says = "a is proven to win, but the ply chosen, b, is not."
    assert told == ([] if found_at is None else [(found_at, "odd", says)])


def test_what_is_wrong_at_the_chosen_ply_is_said_before_the_win_that_was_left() -> None:
    document = chosen("b", 0.9)
    child(document, 0).update(score=1, mean=1, bound="exact", outcome="terminal")
    (finding,) = check(read_log(json.dumps(document).encode()), compiled=False).findings("choice")
    assert finding.severity == "wrong"
    assert finding.message == "The result's score is 0.9, but the mean of its ply is 0.5, of the root 0.45."


def test_the_opponent_at_the_root_wants_the_smallest_mean() -> None:
    assert found(chosen("a", choose="mean", layer="min"), "choice") == []
    assert found(chosen("c", choose="mean", layer="min"), "choice") == [("choice", "c")]


def test_plies_that_tie_within_their_digits_may_both_be_chosen() -> None:
    document = tree(ply("a", 3, 0.312), ply("b", 3, 0.313), visits=7, search={"choose": "mean"})
    document["result"] = {"ply": "a"}
    assert found(document, "choice") == []


@pytest.mark.parametrize(("score", "broken"), [(0.5, False), (0.45, False), (0.455, False), (0.62, True)])
def test_the_score_is_the_mean_of_the_ply_or_of_the_root(score: float, broken: bool) -> None:
    assert bool(found(chosen("b", score), "choice")) == broken


def test_a_score_may_be_one_that_a_node_states() -> None:
    assert found(chosen("b", 0.9), "choice") == [("choice", "b")]
    document = chosen("b", 0.9)
    document["root"]["score"] = 0.9
    assert found(document, "choice") == []


def steered(options: TreeOptions, seed: int = 3) -> Any:
    """The log of a search, from a world in which most nodes have several plies."""
    return MonteCarlo(Maze(seed, 120, 8), options).log()


def rows_of(document: Any) -> list[Any]:
    waiting = [document["root"]]
    rows = []
    while waiting:
        rows.append(waiting.pop())
        waiting += rows[-1].get("children", [])
    return rows


@pytest.mark.parametrize("select", ["ucb1", "puct"])
def test_a_term_that_no_sibling_has_is_odd(select: str) -> None:
    document = steered(TreeOptions(playouts=400, select=select, digits=4, terms="final"))
    assert found(document, "choice") == []
    steered_by = [[each for each in row.get("children", []) if "ucb" in each] for row in rows_of(document)]
    broken = next(siblings for siblings in steered_by if len(siblings) > 3)[1]
    broken["ucb"]["explore"] *= 1.2
    assert severities(document, "choice") == {"odd"}
    assert [path.split(" > ")[-1] for _, path in found(document, "choice")] == [broken["ply"]]


def test_a_multiple_that_grows_with_the_visits_is_nothing() -> None:
    for seed in range(10):
        options = TreeOptions(playouts=400, select="puct", growth=0.1, digits=4)
        assert found(steered(options, seed), "choice") == []


@pytest.mark.parametrize("count", ["n", "n_parent"])
def test_a_child_is_not_chosen_at_more_visits_than_there_are(count: str) -> None:
    document = steered(TreeOptions())
    row = next(row for row in rows_of(document) if "ucb" in row and row["visits"] > 3)
    row["ucb"][count] = 10_000
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    assert ("wrong", row["id"]) in {(each.severity, each.id) for each in report.findings("choice")}


def test_a_ply_that_is_never_tried_is_odd_where_all_others_are() -> None:
    document = steered(TreeOptions(playouts=400, keys=False))
    assert found(document, "choice") == []
    document["root"]["moves"] += 1
    assert found(document, "choice") == [("choice", "root")]
    assert severities(document, "choice") == {"odd"}


def test_searches_with_priors_need_not_try_every_ply() -> None:
    document = steered(TreeOptions(playouts=400, keys=False, select="puct", urgency=0.0))
    assert any(row["visits"] == 0 for row in rows_of(document))
    assert found(document, "choice") == []


def edges(first: tuple[int, float], second: tuple[int, float], below: int, **more: Any) -> dict[str, Any]:
    """Two edges to one position, of which the first row has what lies below."""
    one = ply("y", *first, key="S", layer="max", children=[ply("z", below, 0.5, key="Z", **more)])
    other = ply("x", *second, key="S", layer="max")
    x = ply("x", first[0] + 1, 0.5, key="X", children=[one])
    y = ply("y", second[0] + 1, 0.5, key="Y", children=[other])
    return tree(x, y, visits=first[0] + second[0] + 3, search={"range": [-1, 1]})


def test_rows_of_as_many_visits_with_another_mean_are_edges_too() -> None:
    assert severities(edges((2, 0.5), (2, 0.4), 3), "visits") == set()
    assert severities(edges((2, 0.5), (2, 0.4), 5), "visits") == {"odd"}
    assert severities(edges((2, 0.5), (2, 0.5), 3), "visits") == {"odd"}


def test_one_pair_of_edges_says_that_the_log_has_edges() -> None:
    """A pair with equal figures then excuses no wrong mean elsewhere."""
    document = edges((3, 0.5), (2, 0.4), 4)
    same = [ply(name, 2, 0.5, key="E") for name in ("p", "q")]
    wrong = ply("w", 3, 0.9, key="W", children=[ply("v", 2, -0.9, key="V")])
    document["root"]["children"] += [*same, wrong]
    document["root"]["visits"] += 7
    assert severities(document, "mean") == {"wrong"}
    assert severities(document, "visits") == set()


def test_the_visits_of_a_shared_position_are_those_of_all_edges_to_it() -> None:
    terms = {"exploit": 0.5, "explore": 0.2, "n": 3, "n_parent": 4}
    document = edges((2, 0.5), (3, 0.4), 4, ucb=terms)
    assert severities(document, "choice") == set()
    terms["n_parent"] = 6
    assert severities(edges((2, 0.5), (3, 0.4), 4, ucb=terms), "choice") == {"wrong"}
