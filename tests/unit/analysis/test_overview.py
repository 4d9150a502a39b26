"""The overview: each pixel against the nodes that touch it, found one by one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.overview import levels, measure, picture
from plyscope.visualizer.analysis.overview.levels import level_marks, level_picture, level_places
from plyscope.visualizer.analysis.overview.measure import measure_of
from plyscope.visualizer.analysis.overview.picture import Overview, marks_of, overview, row_at
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import tree_of

STUB = {"outcome": "pruned", "count": 2}


def subtrees(depth: int) -> st.SearchStrategy[dict[str, Any]]:
    """Random trees, narrow and wide, with stubs at any place."""
    if depth == 0:
        return st.just({"ply": "a"})
    children = st.lists(st.one_of(subtrees(depth - 1), st.just({"ply": "b"}), st.just(STUB)), max_size=5)
    return children.map(lambda below: {"ply": "a", "children": below})


def forest_of(*roots: dict[str, Any]) -> Tree:
    return tree_of(roots=[{**root, "iteration": at} for at, root in enumerate(roots)])


def spans(tree: Tree) -> list[tuple[int, int, int, int]]:
    """Of each node its row, its level, and the first node and the one behind its subtree."""
    before = [0, *accumulate(not is_stub for is_stub in tree.is_stub)]
    levels, ends = (tree.log.columns[name].tolist() for name in ("level", "end"))
    rows = [row for row in range(tree.log.n_rows) if not tree.is_stub[row]]
    return [(row, levels[row], before[row], before[ends[row]]) for row in rows]


def part_of(data: st.DataObject, *roots: dict[str, Any]) -> tuple[Tree, list[Any], int, int]:
    """A tree, its nodes, and the first and last of some of them."""
    tree = forest_of(*roots)
    nodes = spans(tree)
    first = data.draw(st.integers(0, len(nodes) - 1))
    return tree, nodes, first, data.draw(st.integers(first + 1, len(nodes)))


def hold_pixels(found: Overview, spans: Iterable[tuple[int, int, int, int]], first: int, last: int) -> None:
    """Each pixel shows the largest of the nodes that touch it, and how many they are."""
    for band, x in np.ndindex(found.largest.shape):
        n_pixels = found.largest.shape[1]
        left, right = (first + Fraction(edge * (last - first), n_pixels) for edge in (x, x + 1))
        touch = [
            (end - begin, -row)
            for row, level, begin, end in spans
            if level >= found.top and (level - found.top) // found.per_band == band
            if begin < right and end > left
        ]
        assert found.counts[band, x] == len(touch)
        assert found.largest[band, x] == (-max(touch)[1] if touch else -1)


@given(st.lists(subtrees(4), min_size=1, max_size=2), st.integers(1, 40), st.integers(1, 6), st.data())
def test_each_pixel_shows_the_largest_node_that_touches_it(
    roots: list[dict[str, Any]], width: int, n_bands: int, data: st.DataObject
) -> None:
    tree, nodes, first, last = part_of(data, *roots)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(picture, "HALVED_FROM_ROWS", data.draw(st.sampled_from([2, 10**9])))
        found = overview(tree, width, n_bands, first, last)
    there = [each for each in nodes if each[2] < last and each[3] > first]
    whole = [level for _, level, begin, end in there if begin <= first and end >= last]
    assert (found.length, found.top) == (len(nodes), max(whole, default=0))
    assert found.bottom == max(level for _, level, _, _ in there)
    n_levels = found.bottom - found.top + 1
    assert found.per_band == math.ceil(n_levels / n_bands)
    assert found.largest.shape == (math.ceil(n_levels / found.per_band), width)
    hold_pixels(found, there, first, last)


@given(subtrees(4), st.integers(1, 60), st.data())
def test_marks_stand_where_their_nodes_begin(root: dict[str, Any], width: int, data: st.DataObject) -> None:
    tree, nodes, first, last = part_of(data, root)
    marked = data.draw(st.lists(st.sampled_from(nodes)))
    found = marks_of(tree, np.array([row for row, _, _, _ in marked], np.int64), width, first, last)
    by_pixel: dict[int, set[int]] = {}
    for row, _, begin, _ in marked:
        assert row_at(tree, begin) == row
        if first <= begin < last:
            by_pixel.setdefault(math.floor(Fraction((begin - first) * width, last - first)), set()).add(row)
    assert found == [(x, len(rows), min(rows)) for x, rows in sorted(by_pixel.items())]


@given(st.lists(subtrees(4), min_size=1, max_size=2), st.integers(1, 40), st.integers(1, 6), st.data())
def test_each_pixel_of_a_level_shows_the_largest_of_the_nodes_that_share_it(
    roots: list[dict[str, Any]], width: int, n_bands: int, data: st.DataObject
) -> None:
    tree, nodes, first, last = part_of(data, *roots)
    found = level_picture(tree, width, n_bands, first, last)
    bottom = max(level for _, level, _, _ in nodes)
    assert (found.top, found.bottom, found.per_band) == (0, bottom, math.ceil((bottom + 1) / n_bands))
    by_band: dict[int, list[tuple[int, int]]] = {}
    for row, level, begin, end in nodes:
        by_band.setdefault(level // found.per_band, []).append((row, end - begin))
    assert found.largest.shape == (len(by_band), width)
    for band, x in np.ndindex(found.largest.shape):
        left, right = (
            Fraction(first * width + edge * (last - first), width * len(nodes)) for edge in (x, x + 1)
        )
        there = by_band[band]
        touch = [
            (size, -row)
            for at, (row, size) in enumerate(there)
            if Fraction(at, len(there)) < right and Fraction(at + 1, len(there)) > left
        ]
        assert found.counts[band, x] == len(touch)
        assert found.largest[band, x] == -max(touch)[1]
    marked = data.draw(st.lists(st.sampled_from(range(tree.log.n_rows))))
    expected: dict[int, set[int]] = {}
    places = zip(*(each.tolist() for each in level_places(tree, np.array(marked, int), n_bands)), strict=True)
    for row, (place, n_there, level) in zip(marked, places, strict=True):
        stands = int(tree.log.columns["parent"][row]) if tree.is_stub[row] else row
        there = by_band[level // found.per_band]
        assert there[place][0] == stands
        assert n_there == len(there)
        begins = Fraction(place * len(nodes), n_there)
        if first <= begins < last:
            expected.setdefault(math.floor((begins - first) * width / (last - first)), set()).add(row)
    marks = level_marks(tree, np.array(marked, np.int64), width, n_bands, first, last)
    assert marks == [(x, len(rows), min(rows)) for x, rows in sorted(expected.items())]


@settings(deadline=None)
@given(subtrees(4), st.integers(1, 300))
def test_machine_code_and_large_numbers_draw_what_python_draws(root: dict[str, Any], width: int) -> None:
    def drawn(tree: Tree, few_rows: int) -> list[list[Any]]:
        rows = np.arange(tree.log.n_rows)
        pictures = overview(tree, width, 3, few_rows=few_rows), level_picture(tree, width, 3)
        arrays = [each for picture in pictures for each in (picture.largest, picture.counts)]
        marks = level_marks(tree, rows, width, 3, 0, tree.n_logged)
        return [each.tolist() for each in (*arrays, *level_places(tree, rows, 3))] + [marks]

    plain = drawn(forest_of(root), 10**9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "FEW_ROWS", 0)
        patch.setattr(levels, "SAFE", 0)
        assert drawn(forest_of(root), 0) == plain


visited = st.recursive(
    st.fixed_dictionaries({}, optional={"visits": st.integers(0, 9)}),
    lambda below: st.fixed_dictionaries(
        {"children": st.lists(below | st.just(STUB), max_size=4)}, optional={"visits": st.integers(0, 20)}
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(visited)
def test_a_best_first_tree_is_as_wide_as_its_visits(root: dict[str, Any]) -> None:
    read = [tree_of(root, search={"order": "best_first"}) for _ in range(2)]
    tree = read[0]

    def width(node: dict[str, Any]) -> int:
        return max(node.get("visits", 0), sum(map(width, node.get("children", ()))))

    found = measure_of(tree)
    if width(root) == 0:
        assert (found.unit, found.length) == ("nodes", tree.n_logged)
        return
    widths = []

    waiting = [root]
    while waiting:
        widths.append(width(waiting[0]))
        waiting[:1] = waiting[0].get("children", ())
    before, end = found.before, tree.log.columns["end"]
    assert (found.unit, found.length) == ("visits", width(root))
    assert (before[end] - before[:-1]).tolist() == widths
    assert (np.diff(before) >= 0).all()
    rows = enumerate(tree.log.columns["level"].tolist())
    visited = [(row, level, before[row], before[end[row]]) for row, level in rows if widths[row]]
    hold_pixels(overview(tree, 7, 5), visited, 0, found.length)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "FEW_ROWS", 0)
        assert np.array_equal(measure_of(read[1]).before, before)


def test_a_part_without_a_node_is_refused() -> None:
    tree = forest_of({"children": [{"ply": "a"}]})
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
