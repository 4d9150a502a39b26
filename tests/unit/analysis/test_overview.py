"""The overview: each pixel against the nodes that touch it, found one by one."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.overview import picture
from plyscope.visualizer.analysis.overview.picture import marks_of, overview, row_at
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree

STUB = {"outcome": "pruned", "count": 2}


def subtrees(depth: int) -> st.SearchStrategy[dict[str, Any]]:
    """Random trees, narrow and wide, with stubs at any place."""
    if depth == 0:
        return st.just({"ply": "a"})
    children = st.lists(st.one_of(subtrees(depth - 1), st.just({"ply": "b"}), st.just(STUB)), max_size=5)
    return children.map(lambda below: {"ply": "a", "children": below})


def tree_of(*roots: dict[str, Any]) -> Tree:
    each = [{**root, "iteration": at} for at, root in enumerate(roots)]
    return Tree(read_log(json.dumps({"plyscope": 1, "roots": each}).encode()))


def spans(tree: Tree) -> list[tuple[int, int, int, int]]:
    """Of each node its row, its level, and the first node and the one behind its subtree, by recursion."""
    found: list[tuple[int, int, int, int]] = []

    def walk(row: int, level: int, at: int) -> int:
        if tree.is_stub[row]:
            return at
        place, end = len(found), at + 1
        found.append((row, level, at, at))
        for child in tree.children(row).tolist():
            end = walk(child, level + 1, end)
        found[place] = (row, level, at, end)
        return end

    at = 0
    for root in tree.log.roots:
        at = walk(root.row, 0, at)
    return found


@given(st.lists(subtrees(4), min_size=1, max_size=2), st.integers(1, 40), st.integers(1, 6), st.data())
def test_each_pixel_shows_the_largest_node_that_touches_it(
    roots: list[dict[str, Any]], width: int, n_bands: int, data: st.DataObject
) -> None:
    tree = tree_of(*roots)
    nodes = spans(tree)
    first = data.draw(st.integers(0, len(nodes) - 1))
    last = data.draw(st.integers(first + 1, len(nodes)))
    found = overview(tree, width, n_bands, first, last)
    there = [each for each in nodes if each[2] < last and each[3] > first]
    whole = [level for _, level, begin, end in there if begin <= first and end >= last]
    assert (found.n_nodes, found.top) == (len(nodes), max(whole, default=0))
    assert found.bottom == max(level for _, level, _, _ in there)
    n_levels = found.bottom - found.top + 1
    assert found.per_band == math.ceil(n_levels / n_bands)
    assert found.largest.shape == (math.ceil(n_levels / found.per_band), width)
    for band, x in np.ndindex(found.largest.shape):
        left, right = (first + Fraction(edge * (last - first), width) for edge in (x, x + 1))
        touch = [
            (end - begin, -row)
            for row, level, begin, end in there
            if (level - found.top) // found.per_band == band
            and begin < right
            and end > left
            and level >= found.top
        ]
        assert found.counts[band, x] == len(touch)
        assert found.largest[band, x] == (-max(touch)[1] if touch else -1)


@settings(deadline=None)
@given(subtrees(4), st.integers(1, 300))
def test_machine_code_draws_what_python_draws(root: dict[str, Any], width: int) -> None:
    tree = tree_of(root)
    plain = overview(tree, width, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(picture, "FEW_ROWS", 0)
        compiled = overview(tree, width, 3)
    assert np.array_equal(plain.largest, compiled.largest)
    assert np.array_equal(plain.counts, compiled.counts)


@given(subtrees(4), st.integers(1, 60), st.data())
def test_marks_stand_where_their_nodes_begin(root: dict[str, Any], width: int, data: st.DataObject) -> None:
    tree = tree_of(root)
    nodes = spans(tree)
    first = data.draw(st.integers(0, len(nodes) - 1))
    last = data.draw(st.integers(first + 1, len(nodes)))
    marked = data.draw(st.lists(st.sampled_from(nodes)))
    found = marks_of(tree, np.array([row for row, _, _, _ in marked], np.int64), width, first, last)
    by_pixel: dict[int, set[int]] = {}
    for row, _, begin, _ in marked:
        assert row_at(tree, begin) == row
        if first <= begin < last:
            by_pixel.setdefault(math.floor(Fraction((begin - first) * width, last - first)), set()).add(row)
    assert found == [(x, len(rows), min(rows)) for x, rows in sorted(by_pixel.items())]


def test_a_part_without_a_node_is_refused() -> None:
    tree = tree_of({"children": [{"ply": "a"}]})
    with pytest.raises(ValueError, match="there are 2 nodes, and none from 2 to 2"):
        overview(tree, 10, 10, 2)
    with pytest.raises(ValueError, match="expected at most 4096 by 256"):
        overview(tree, 5000, 10)


def test_a_chain_of_many_levels_fits_into_the_bands() -> None:
    lines = [{"plyscope": 1}, *({"id": at, **({"parent": at - 1} if at else {})} for at in range(30_000))]
    tree = Tree(read_log("\n".join(map(json.dumps, lines)).encode()))
    found = overview(tree, 100, 64)
    assert (found.per_band, found.bottom) == (469, 29_999)
    assert found.counts.sum() > 30_000
    assert found.largest[0].tolist() == [0] * 100
