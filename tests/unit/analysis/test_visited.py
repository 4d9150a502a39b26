"""Figures of best-first trees, told a second way: by walking plain dictionaries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyscope.visualizer.analysis.nodes.best_first import most_visited_line
from plyscope.visualizer.analysis.nodes.deciding_line import deciding_line, principal_variation
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.analysis.statistics.text import lines
from plyscope.visualizer.analysis.statistics.visited import Visited, snapshots_of, visited_of
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of

SEARCH = {"order": "best_first", "range": [0, 1]}


def tree_of(*roots: dict[str, Any], **search: Any) -> Tree:
    header = {"search": SEARCH | search}
    return Tree(log_of(roots[0], **header) if len(roots) == 1 else log_of(roots=list(roots), **header))


def figures_of(tree: Tree) -> Visited:
    found = visited_of(tree)
    assert found is not None
    return found


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


def test_visits_branching_and_concentration_of_a_small_tree() -> None:
    found = figures_of(tree_of(small()))
    assert (found.playouts, found.nodes, found.deepest) == (10, 4, 2)
    assert [at.branching for at in found.levels] == [2, 1, None]
    assert found.effective_plies == pytest.approx(1 / (0.6**2 + 0.3**2 + 2 * 0.05**2))


def test_other_searches_have_no_figures_of_visits() -> None:
    assert visited_of(Tree(log_of(small()))) is None
    assert visited_of(tree_of({"children": [{"ply": "a", "mean": 0.5}]})) is None


def test_the_ply_that_led_is_told_of_every_tree_by_its_play_outs() -> None:
    early = {"iteration": 10, "layer": "max", "visits": 3}
    early["children"] = [{"ply": "b", "visits": 2, "mean": 0.9}]
    late = {"iteration": 100, **small()}
    unvisited = {"iteration": 1, "layer": "max", "visits": 0, "children": [{"ply": "c", "visits": 0}]}
    found = snapshots_of(tree_of(late, early, unvisited))
    assert [(each.playouts, each.ply, each.visits, each.mean) for each in found] == [
        (3, "b", 2, 0.9),
        (10, "a", 6, 0.6),
    ]
    assert [each.iteration for each in found] == [10, 100]


def test_the_terminal_says_nothing_of_alpha_beta() -> None:
    said = "\n".join(lines(counted_in(tree_of({"iteration": 10, **small()}, {"iteration": 100, **small()}))))
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


def walked(node: dict[str, Any], level: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    yield level, node
    for child in node.get("children", ()):
        yield from walked(child, level + 1)


@given(branches)
def test_figures_agree_with_walking_the_tree(root: dict[str, Any]) -> None:
    found = figures_of(tree_of(root))
    nodes, visits, expanded, children = (defaultdict[int, float](float) for _ in range(4))
    for level, node in walked(root):
        visits[level] += node["visits"]
        if node["visits"]:
            nodes[level] += 1
            expanded[level] += any(child["visits"] for child in node.get("children", ()))
        children[level - 1] += node["visits"] > 0
    for at in found.levels:
        told = at.nodes, at.visits, at.expanded, at.children
        assert told == tuple(counts[at.level] for counts in (nodes, visits, expanded, children))
    assert found.nodes == sum(nodes.values())
    plies = [child["visits"] for child in root.get("children", ())]
    if not sum(plies):
        assert found.first_share is None
        return
    assert found.first_share == pytest.approx(max(plies) / sum(plies))
    assert found.effective_plies == pytest.approx(1 / sum((n / sum(plies)) ** 2 for n in plies))


@given(branches)
def test_the_line_visited_most_is_that_of_a_walk(root: dict[str, Any]) -> None:
    tree = tree_of(root)
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
        tree = Tree(log_of(root, search={"order": "best_first"}))
        assert most_visited_line(tree, 0) == principal_variation(tree)[1:] == [1]
        assert (deciding_line(tree, 0).rows, deciding_line(tree, 0).how) == ((1,), how)
    stated = Tree(log_of(root | {"children": [roll | {"children": outcomes}]}, result={"pv": ["a", "one"]}))
    assert principal_variation(stated) == [0, 1, 3]
