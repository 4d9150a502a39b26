"""Tests of trees, against a second way: a walk over the nodes as plain nested dictionaries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plyscope.visualizer.store import tree as tree_module
from plyscope.visualizer.store.log import last_finished_root, main_root, named_root
from plyscope.visualizer.store.tree import Tree
from tests.property.examples import examples
from tests.unit.logs import log_of, tree_of

PLIES = ["a", "A", "b", "ab", "ba", "c#2", "root"]
STUBS = ["pruned", "limited", "skipped", "unlogged"]


@st.composite
def forests(draw: st.DrawFn) -> list[dict[str, Any]]:
    """One to three trees: several visits of a ply, stubs among siblings, ids in any order."""
    roots: list[dict[str, Any]] = [{"iteration": number} for number in range(draw(st.integers(1, 3)))]
    nodes = list(roots)
    for _ in range(draw(st.integers(0, 25))):
        above = draw(st.sampled_from(nodes))
        child: dict[str, Any] = {}
        if draw(st.integers(0, 4)):
            nodes.append(child)
            if draw(st.integers(0, 5)):
                child["ply"] = draw(st.sampled_from(PLIES))
        else:
            child |= {"outcome": draw(st.sampled_from(STUBS)), "count": draw(st.integers(1, 3))}
        above.setdefault("children", []).append(child)
    if draw(st.booleans()):
        everything = list(walked(roots))
        n_nodes = len(everything)
        ids = draw(st.permutations(range(0, 3 * n_nodes, 3)))
        if draw(st.booleans()):  # nearly the numbers of their rows
            ids = [0, *draw(st.permutations(range(1, n_nodes - 1))), n_nodes - 1][:n_nodes]
        for number, node in zip(ids, everything, strict=True):
            node["id"] = number
    return roots


def walked(nodes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The nodes in the order of their rows."""
    for node in nodes:
        yield node
        yield from walked(node.get("children", []))


class Plain:
    """The forest as dictionaries, and by each node's identity its row, parent and siblings."""

    def __init__(self, roots: list[dict[str, Any]]) -> None:
        self.roots = roots
        self.nodes = list(walked(roots))
        self.row = {id(node): row for row, node in enumerate(self.nodes)}
        self.above = {id(child): node for node in self.nodes for child in node.get("children", [])}

    def path(self, node: dict[str, Any]) -> list[dict[str, Any]]:
        above = self.above.get(id(node))
        return [node] if above is None else [*self.path(above), node]

    def siblings(self, node: dict[str, Any]) -> list[dict[str, Any]]:
        above = self.above.get(id(node))
        siblings: list[dict[str, Any]] = self.roots if above is None else above["children"]
        return siblings

    def rows(self, nodes: list[dict[str, Any]]) -> list[int]:
        return [self.row[id(node)] for node in nodes]

    def named(self, node: dict[str, Any], again: bool) -> list[str] | None:
        """The plies that lead to a node, each with its number among its visits where that is wanted."""
        found = []
        for each in self.path(node)[1:]:
            if "ply" not in each:
                return None
            same = [other for other in self.siblings(each) if other.get("ply") == each["ply"]]
            number = next(at for at, other in enumerate(same, start=1) if other is each)
            found.append(f"{each['ply']}#{number}" if again else each["ply"])
        return found


def height(node: dict[str, Any]) -> int:
    return max((1 + height(child) for child in node.get("children", [])), default=0)


@given(forests(), st.integers(0, 4), st.integers(0, 4))
def test_where_things_are_equals_a_walk_over_nested_dictionaries(
    roots: list[dict[str, Any]], offset: int, limit: int
) -> None:
    tree, plain = tree_of(roots=roots), Plain(roots)
    assert tree.log.n_rows == len(plain.nodes)
    for row, node in enumerate(plain.nodes):
        children = plain.rows(node.get("children", []))
        assert tree.children(row).tolist() == children
        assert tree.children(row, offset, limit).tolist() == children[offset : offset + limit]
        assert tree.n_children(row) == len(children)
        assert tree.path(row) == plain.rows(plain.path(node))
        assert tree.root_of(row) == plain.row[id(plain.path(node)[0])]
        siblings = plain.siblings(node)
        assert tree.index_among_siblings(row) == next(at for at, each in enumerate(siblings) if each is node)
        assert tree.ply(row) == node.get("ply")
        assert tree.height(row) == height(node)
        with patch.object(tree_module, "BLOCK", 2):
            assert Tree(tree.log).height(row) == height(node)
        for ply in {each.get("ply") for each in node.get("children", [])} - {None}:
            named = [each for each in node["children"] if each.get("ply") == ply]
            assert tree.visits(row, ply) == plain.rows(named)
            with patch.object(tree_module, "WIDE", 1):
                assert tree.visits(row, ply) == plain.rows(named)
        assert bool(tree.is_stub[row]) == ("count" in node)


@given(forests(), st.data(), st.sampled_from([1, 2, 3, 7, 100]))
def test_nodes_are_counted_as_a_walk_counts_them(
    roots: list[dict[str, Any]], data: st.DataObject, block: int
) -> None:
    """Those of few rows without those before every row."""
    tree, plain = tree_of(roots=roots), Plain(roots)
    counts = [sum("count" not in each for each in walked([node])) for node in plain.nodes]
    below = [sum("count" not in each for each in walked(node.get("children", []))) for node in plain.nodes]
    some = data.draw(st.lists(st.integers(0, len(counts) - 1), max_size=5))
    with patch.multiple(tree_module, BLOCK=block, BLOCKS_AT_ONCE=2):
        assert [tree.n_nodes(row) for row in range(len(counts))] == counts
        assert tree.nodes_below(np.array(some, dtype=np.int64)).tolist() == [below[row] for row in some]
        assert tree.n_logged == sum("count" not in each for each in plain.nodes)
    assert "nodes_before" not in tree.__dict__
    assert tree.nodes_below().tolist() == below


@given(forests())
def test_every_id_leads_to_its_row_and_no_other_number_does(roots: list[dict[str, Any]]) -> None:
    tree, plain = tree_of(roots=roots), Plain(roots)
    by_id = {node.get("id", row): row for row, node in enumerate(plain.nodes)}
    with patch.object(tree_module, "IDS_AT_ONCE", 2):
        for number in range(-1, 3 * len(plain.nodes) + 2):
            if number in by_id:
                assert tree.row_of(number) == by_id[number]
                assert tree.find(f"#{number}").tolist() == [by_id[number]]
            else:
                with pytest.raises(KeyError):
                    tree.row_of(number)
                assert tree.find(f"#{number}").tolist() == []


@given(forests())
def test_a_path_of_plies_finds_exactly_the_nodes_that_it_leads_to(roots: list[dict[str, Any]]) -> None:
    tree, plain = tree_of(roots=roots), Plain(roots)
    for node in plain.nodes:
        for again in (False, True):
            wanted = plain.named(node, again)
            if wanted and (again or "c#2" not in wanted):  # which is the second visit of c
                same = [each for each in plain.nodes if plain.named(each, again) == wanted]
                assert tree.find_path(["root", *wanted]).tolist() == plain.rows(same)


@given(forests(), st.sampled_from([*PLIES, "B", " a ", "x", ""]))
def test_a_ply_is_found_whole_else_by_its_beginning_else_by_a_part(
    roots: list[dict[str, Any]], query: str
) -> None:
    tree, plain = tree_of(roots=roots), Plain(roots)
    text = query.strip().lower()
    plies = [(row, str(node["ply"]).lower()) for row, node in enumerate(plain.nodes) if "ply" in node]
    whole = [row for row, ply in plies if ply == text]
    begins = [row for row, ply in plies if ply.startswith(text)]
    holds = [row for row, ply in plies if text in ply]
    assert tree.find(query).tolist() == ((whole or begins or holds) if text else [])


# The main tree of a forest. A root is cut where the clock took it: it says so, it was never left, or one of
# its own plies was stopped.

Written = dict[str, Any]

bounds = st.sampled_from([{}, {"bound": "exact"}, {"bound": "lower"}, {"bound": "upper"}])
below = st.lists(st.sampled_from([{"ply": "a", "outcome": "leaf", "score": 1}, {"ply": "b"}]), max_size=2)
STOPPED_BELOW = [{"ply": "a", "children": [{"ply": "b", "outcome": "stopped"}]}, {"ply": "c"}]
"""Stopped two plies down, which does not make the root's own plies incomplete by itself."""


def whole(bound: Written, children: list[Written]) -> Written:
    return {"outcome": "searched", "score": 3, **bound, "children": children}


wholes = st.builds(whole, bounds, st.one_of(below, st.just(STOPPED_BELOW)))
cuts = st.one_of(
    st.builds(lambda bound: {"outcome": "stopped", **bound}, bounds),
    st.builds(lambda bound: {"outcome": "open", "score": 9, **bound}, bounds),
    st.just({}),
    st.builds(lambda bound, more: whole(bound, [*more, {"ply": "z", "outcome": "stopped"}]), bounds, below),
)
roots_of_a_run = st.lists(st.one_of(wholes, cuts), min_size=1, max_size=5)


def main_of(roots: list[Written], **header: Any) -> int:
    """The place of the main root among the roots."""
    roots = [{"iteration": 7, **root} for root in roots]
    log = log_of(roots=roots, **header)
    return [root.row for root in log.roots].index(main_root(log))


def is_whole(root: Written) -> bool:
    stopped = [child for child in root.get("children", []) if child.get("outcome") == "stopped"]
    return root.get("outcome") == "searched" and not stopped


def is_exact(root: Written) -> bool:
    return root.get("bound", "exact") == "exact"


@given(roots_of_a_run, st.integers(-1, 6) | st.just(True))
def test_the_root_that_the_result_names_is_the_main_one_and_a_name_of_none_names_none(
    roots: list[Written], named: int
) -> None:
    main = main_of(roots, result={"root": named})
    assert main == (named if named is not True and 0 <= named < len(roots) else main_of(roots))


@given(roots_of_a_run)
@settings(max_examples=examples(200), deadline=None)
def test_a_root_that_was_cut_is_the_main_one_only_where_none_is_whole(roots: list[Written]) -> None:
    assume(any(is_whole(root) for root in roots))
    main = main_of(roots)
    assert is_whole(roots[main])
    later = [root for root in roots[main + 1 :] if is_whole(root)]
    assert not any(is_exact(root) for root in later)
    assert not later or is_exact(roots[main])
    if not is_whole(roots[-1]) and any(is_whole(root) and is_exact(root) for root in roots):
        assert is_exact(roots[main])


@given(roots_of_a_run, wholes, st.lists(cuts, max_size=3))
@settings(max_examples=examples(200), deadline=None)
def test_the_last_whole_root_is_the_main_one_and_an_exact_one_whatever_the_clock_cut_after_it(
    roots: list[Written], last: Written, cut: list[Written]
) -> None:
    assert main_of([*roots, last]) == len(roots)
    assert main_of([*roots, whole({"bound": "exact"}, []), *cut]) == len(roots)


@given(roots_of_a_run)
def test_there_is_always_a_main_root_and_a_finished_one_only_where_one_was_left(roots: list[Written]) -> None:
    log = log_of(roots=[{"iteration": 7, **root} for root in roots])
    assert named_root(log) is None
    assert main_root(log) in {root.row for root in log.roots}
    left = [root.get("outcome") not in ("stopped", "open") for root in roots]
    assert (last_finished_root(log) is None) == (not any(left))
