"""The totals of a search, and the figures of best-first trees told a second way by walking dictionaries."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.nodes.best_first import most_visited_line
from plyscope.visualizer.analysis.nodes.deciding_line import deciding_line, principal_variation
from plyscope.visualizer.analysis.statistics import totals as of_totals
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.analysis.statistics.text import lines
from plyscope.visualizer.analysis.statistics.totals import Totals, summed, totals
from plyscope.visualizer.analysis.statistics.visited import Visited, snapshots_of, visited_of
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of, there, tree_of, walked


def of(*children: dict[str, Any], **root: Any) -> Totals:
    return totals(tree_of({"outcome": "searched", **root, "children": list(children)}))


def test_stubs_are_no_nodes_and_their_counts_add_up() -> None:
    cut = {"ply": "b", "outcome": "cutoff", "children": [{"outcome": "pruned", "count": 7}]}
    stubs = {"outcome": "limited", "count": 4}, {"outcome": "skipped", "count": 100}
    counted = of({"ply": "a", "outcome": "leaf"}, cut, {"ply": "c", "outcome": "terminal"}, *stubs)
    assert (counted.rows, counted.nodes, counted.leaves, counted.cuts) == (7, 4, 2, 1)
    assert (counted.prune_events, counted.pruned, counted.limited) == (1, 7, 4)
    assert [level.nodes for level in counted.levels] == [1, 3, 0]
    assert (counted.uncounted_pruned, counted.uncounted_limited) == (0, 0)


def test_stubs_that_do_not_say_how_many_they_are_count_for_themselves() -> None:
    cut = {"ply": "a", "outcome": "cutoff"}
    nameless = of(cut | {"children": [{"outcome": "pruned"}, {"outcome": "pruned"}]}, {"outcome": "limited"})
    assert (nameless.prune_events, nameless.pruned, nameless.uncounted_pruned) == (2, 0, 2)
    assert (nameless.limited, nameless.uncounted_limited) == (0, 1)
    some = of(cut | {"children": [{"outcome": "pruned"}, {"outcome": "pruned", "plies": ["x", "y"]}]})
    assert (some.pruned, some.uncounted_pruned) == (2, 1)
    assert [level.uncounted_pruned for level in some.levels] == [0, 0, 1]
    assert summed([nameless, some]).uncounted_pruned == 3
    assert summed([]).nodes == 0


def test_where_no_outcome_is_stated_the_childless_rows_are_leaves() -> None:
    stub = {"outcome": "pruned", "count": 3}
    assert totals(tree_of({"children": [{"ply": "a"}, {"children": [{}, stub]}]})).leaves == 2


SCORED = {"score": 1, "outcome": "searched"}
STAND_PAT = {"outcome": "cutoff", "cut_by": "stand_pat", "quiescence": True}


@pytest.mark.parametrize(
    ("child", "leaves", "returned"),
    [
        ({"score": 1, "outcome": "leaf"}, 1, 0),
        (SCORED | STAND_PAT, 1, 1),
        (SCORED | {"quiescence": True, "children": [{"outcome": "limited"}]}, 1, 1),
        (SCORED | {"outcome": "cutoff", "cut_by": "estimate", "depth": 2}, 1, 1),
        (SCORED | {"depth": 0}, 1, 1),
        (SCORED | {"stand_pat": 1, "depth": 1}, 1, 1),
        (SCORED | {"depth": 2}, 0, 0),
        (SCORED | {"depth": 0, "children": [{"outcome": "unlogged"}]}, 0, 0),
        (SCORED | {"outcome": "stopped", "depth": 0}, 0, 0),
        (SCORED | {"outcome": "tt", "depth": 0}, 0, 0),
        ({"outcome": "searched", "depth": 0}, 0, 0),
        (SCORED | {"quiescence": True, "children": [{"ply": "x"}]}, 0, 0),
    ],
)
def test_childless_returns_are_leaves_but_what_was_not_recorded_finished_or_searched(
    child: dict[str, Any], leaves: int, returned: int
) -> None:
    counted = of({"ply": "a", **child}, score=1)
    assert (counted.leaves, counted.returned) == (leaves, returned)


def test_levels_beyond_what_is_asked_for_are_counted_not_listed() -> None:
    answer = as_json(totals(tree_of({"children": [{"children": [{}]}]})), 1)
    assert [level["level"] for level in answer["levels"]] == [0]
    assert answer["more_levels"] == 2


def test_nodes_that_were_searched_without_rows_are_counted_apart() -> None:
    told = {"outcome": "unlogged", "count": 4, "nodes": 50}
    leaves = {"ply": "a", "nodes": 10, "children": [{"ply": "x", "nodes": 3}, {"outcome": "unlogged"}]}
    for children, expected in (
        ([leaves, {"ply": "b"}, told], (4, 62, 0, "62")),
        ([{"ply": "b"}, told, {"outcome": "unlogged", "count": 2}], (2, 52, 1, "≥52")),
        ([{"ply": "b"}, {"outcome": "pruned", "count": 9}], (2, 2, 0, None)),
    ):
        found = of(*children)
        text = found.searched_text()
        assert (found.nodes, found.searched, found.unknown_searched, text) == expected
    less = of({"ply": "a", "nodes": 7}, {"ply": "b"}, nodes=2)  # fewer than the rows
    assert (less.nodes, less.searched) == (3, 9)


def test_parts_of_a_log_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Node 3 returned at the horizon, node 5 did not: its replies were left out of the log."""
    replies = [{"outcome": "unlogged", "nodes": 4}]
    leaf = {"depth": 0, "outcome": "searched", "score": 2}
    children = [
        {"outcome": "cutoff", "children": [leaf, {"outcome": "pruned", "count": 3}]},
        leaf | {"children": replies},
    ]
    log = log_of(
        {"score": 1, "outcome": "searched", "depth": 2, "children": [{**leaf, "depth": 1}, *children]}
    )
    whole = totals(Tree(log))
    assert (whole.returned, whole.pruned) == (1, 3)
    for n_rows in (1, 2, 3, 5):
        monkeypatch.setattr(of_totals, "ROWS_AT_ONCE", n_rows)
        assert totals(Tree(log)) == whole


# Visits


def best_first(*roots: dict[str, Any], **header: Any) -> Tree:
    trees = {"root": roots[0]} if len(roots) == 1 else {"roots": list(roots)}
    return tree_of(**trees, search={"order": "best_first", "range": [0, 1]}, **header)


def figures_of(tree: Tree) -> Visited:
    return there(visited_of(tree))


def small() -> dict[str, Any]:
    """Ten visits: six to a, three to b, one to the two plies of a stub."""
    replies = [{"ply": "x", "visits": 4, "mean": 0.5}, {"ply": "y", "visits": 0}]
    return {
        "layer": "max",
        "visits": 10,
        "children": [
            {"ply": "b", "visits": 3, "mean": 0.4},
            {"ply": "a", "visits": 6, "mean": 0.6, "children": replies},
            {"outcome": "unlogged", "count": 2, "visits": 1},
        ],
    }


def test_other_searches_have_no_figures_of_visits() -> None:
    assert visited_of(tree_of(small())) is None
    assert visited_of(best_first({"children": [{"ply": "a", "mean": 0.5}]})) is None


def test_the_ply_that_led_is_told_of_every_tree_by_its_play_outs() -> None:
    early = {"iteration": 10, "layer": "max", "visits": 3}
    early["children"] = [{"ply": "b", "visits": 2, "mean": 0.9}]
    late = {"iteration": 100, **small()}
    unvisited = {"iteration": 1, "layer": "max", "visits": 0, "children": [{"ply": "c", "visits": 0}]}
    found = snapshots_of(best_first(late, early, unvisited))
    assert [(each.playouts, each.ply, each.visits, each.mean) for each in found] == [
        (3, "b", 2, 0.9),
        (10, "a", 6, 0.6),
    ]
    assert [each.iteration for each in found] == [10, 100]


def test_the_terminal_says_nothing_of_alpha_beta() -> None:
    said = "\n".join(
        lines(counted_in(best_first({"iteration": 10, **small()}, {"iteration": 100, **small()})))
    )
    assert "10 play-outs; 4 visited nodes with a row, down to level 2" in said
    assert "60.0% of the visits went to one ply" in said
    *said, last = said.splitlines()
    assert last == "windows, cuts, smaller limits and the order of plies have no meaning in a best-first tree"
    said = "\n".join(said)
    for word in ("cut", "prun", "limit", "window", "horizon", "alpha", "decided"):
        assert word not in said


branches = st.recursive(
    st.fixed_dictionaries({"visits": st.integers(0, 50), "mean": st.sampled_from([0.25, 0.5, 0.75])}),
    lambda below: st.fixed_dictionaries(
        {
            "visits": st.integers(0, 50),
            "mean": st.sampled_from([0.25, 0.5, 0.75]),
            "layer": st.sampled_from(["max", "min"]),
            "children": st.lists(below, min_size=1, max_size=4),
        }
    ),
    max_leaves=20,
)


@given(branches)
def test_figures_agree_with_walking_the_tree(root: dict[str, Any]) -> None:
    found = figures_of(best_first(root))
    nodes, visits, expanded, children = (defaultdict[int, float](float) for _ in range(4))
    for node, level in walked(root):
        visits[level] += node["visits"]
        if node["visits"]:
            nodes[level] += 1
            expanded[level] += any(child["visits"] for child in node.get("children", ()))
        children[level - 1] += node["visits"] > 0
    for at in found.levels:
        told = at.nodes, at.visits, at.expanded, at.children
        assert told == tuple(counts[at.level] for counts in (nodes, visits, expanded, children))
    assert (found.nodes, found.playouts) == (sum(nodes.values()), root["visits"] or None)
    plies = [child["visits"] for child in root.get("children", ())]
    if not sum(plies):
        assert (found.first_share, found.effective_plies) == (None, None)
        return
    assert found.first_share == pytest.approx(max(plies) / sum(plies))
    assert found.effective_plies == pytest.approx(1 / sum((n / sum(plies)) ** 2 for n in plies))


@given(branches)
def test_the_line_visited_most_is_that_of_a_walk(root: dict[str, Any]) -> None:
    tree = best_first(root)
    rows = most_visited_line(tree, tree.main_root)
    at, expected = root, []
    while any(child["visits"] for child in at.get("children", ())):
        sign = -1 if at.get("layer") == "min" else 1
        at = max(at["children"], key=lambda child: (child["visits"], sign * child["mean"]))
        expected.append((at["visits"], at["mean"]))
    columns = tree.log.columns
    assert [(columns["visits"][row], columns["mean"][row]) for row in rows] == expected
    assert most_visited_line(tree, tree.main_root, 1) == rows[:1]


def test_the_line_visited_most_ends_where_chance_moves() -> None:
    """What came most often was not chosen; a roll that nothing followed yet is where the visits end."""
    outcomes = [{"ply": ply, "visits": n, "mean": 0.5, "prior": n / 6} for ply, n in (("six", 4), ("one", 2))]
    roll = {"ply": "a", "layer": "chance", "visits": 6, "mean": 0.5}
    for children, how in ((outcomes, "chance"), ([], "visits")):
        root = {"layer": "max", "visits": 7, "children": [roll | {"children": children}]}
        tree = best_first(root)
        assert most_visited_line(tree, 0) == principal_variation(tree)[1:] == [1]
        assert (deciding_line(tree, 0).rows, deciding_line(tree, 0).how) == ((1,), how)
    stated = tree_of(root | {"children": [roll | {"children": outcomes}]}, result={"pv": ["a", "one"]})
    assert principal_variation(stated) == [0, 1, 3]
