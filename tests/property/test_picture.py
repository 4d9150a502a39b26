"""Tests of pictures of random logs: each node once, no two boxes over one another, figures of the log."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

import hypothesis.strategies as st
import pytest
from hypothesis import given

from plyscope.visualizer.analysis.picture.layout import COUSINS, SIBLINGS, tidy
from plyscope.visualizer.analysis.picture.tree_picture import Drawn, draw
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree
from tests.property.documents import documents

SVG = "{http://www.w3.org/2000/svg}"


def close(text: str, value: float) -> bool:
    """Whether a text is this number, rounded; the largest ones are rounded beyond a double."""
    if math.isinf(value):
        return float(text) == value
    return abs(Decimal(text) - Decimal(value)) <= max(Decimal("0.0051"), abs(Decimal(value)) / 100)


@st.composite
def pictures(draw_: st.DrawFn) -> tuple[Tree, Drawn, int, int]:
    tree = Tree(read_log(json.dumps(draw_(documents())).encode()))
    levels, children = draw_(st.integers(0, 5)), draw_(st.integers(1, 4))
    top = draw_(st.integers(0, tree.log.n_rows - 1))
    end = int(tree.log.columns["end"][top])
    marked = draw_(st.lists(st.integers(top, end - 1), max_size=2))
    flags = {name: draw_(st.booleans()) for name in ("windows", "factors", "dark")}
    drawn = draw(tree, "log", top, levels=levels, children=children, highlight=marked, **flags)
    return tree, drawn, levels, children


@given(pictures())
def test_each_row_is_drawn_once_or_counted_as_left_out(case: tuple[Tree, Drawn, int, int]) -> None:
    tree, drawn, levels, _ = case
    items = drawn.choice.items
    rows = [each.row for each in items if not each.hidden]
    assert len(rows) == len(set(rows))
    found = ElementTree.fromstring(drawn.svg)
    ids = [int(each.get("data-id", "-1")) for each in found.iter(f"{SVG}g") if each.get("data-id")]
    assert ids == [int(tree.log.columns["id"][row]) for row in rows]
    for at, item in enumerate(items):
        if item.hidden:
            continue
        below = [each for each in items if each.parent == at]
        n_drawn = sum(not each.hidden for each in below)
        hidden = sum(each.hidden for each in below)
        assert n_drawn + hidden == (0 if item.folded else tree.n_children(item.row))
        assert [each.row for each in below if not each.hidden] == sorted(
            each.row for each in below if not each.hidden
        )
        assert not item.folded or (tree.n_children(item.row) > 0 and item.level >= levels)
        for each in below:
            assert each.level == item.level + 1
            assert each.hidden or tree.log.columns["parent"][each.row] == item.row


@given(pictures())
def test_no_two_boxes_and_no_two_plies_lie_over_one_another(case: tuple[Tree, Drawn, int, int]) -> None:
    _, drawn, _, _ = case
    boxes = list(zip(drawn.choice.items, drawn.laid.boxes, strict=True))
    for at, (item, box) in enumerate(boxes):
        assert box.x - box.width / 2 >= -1e-6
        assert box.x + box.width / 2 <= drawn.laid.width + 1e-6
        assert box.foot <= drawn.laid.height + 1e-6
        for other, second in boxes[at + 1 :]:
            if item.level == other.level:
                space = SIBLINGS if item.parent == other.parent else COUSINS
                assert abs(box.x - second.x) >= (box.width + second.width) / 2 + space - 1e-6
            else:
                above, below = (box, second) if item.level < other.level else (second, box)
                assert above.foot < below.top


@given(pictures())
def test_values_are_those_of_the_log_with_their_bounds(case: tuple[Tree, Drawn, int, int]) -> None:
    tree, drawn, _, _ = case
    for item, face in zip(drawn.choice.items, drawn.faces, strict=True):
        if item.hidden or tree.is_stub[item.row]:
            continue
        node = json_of(tree, item.row)
        stated = node.get("score", node.get("mean"))
        if stated is None:
            assert face.value == ""
            continue
        sign = {"lower": "≥ ", "upper": "≤ "}.get(node.get("bound", ""), "") if "score" in node else ""
        assert face.value.startswith(sign)
        text = face.value.removeprefix(sign).replace("−", "-").replace(",", "").replace("∞", "inf")
        if stated == "nan":
            assert text == "NaN"
        else:
            assert close(text, float(stated))


def json_of(tree: Tree, row: int) -> dict[str, Any]:
    from plyscope.visualizer.analysis.nodes.node_json import node_json

    return node_json(tree, row)


@st.composite
def outlines(draw_: st.DrawFn) -> tuple[list[int], list[float]]:
    n = draw_(st.integers(1, 14))
    parents = [-1, *(draw_(st.integers(0, at - 1)) for at in range(1, n))]
    order = sorted(range(n), key=lambda at: _way(parents, at))
    place = {at: new for new, at in enumerate(order)}
    widths = [float(draw_(st.integers(1, 60))) for _ in range(n)]
    return [-1 if parents[at] < 0 else place[parents[at]] for at in order], widths


def _way(parents: list[int], at: int) -> list[int]:
    way = [at]
    while parents[way[0]] >= 0:
        way.insert(0, parents[way[0]])
    return way


@given(outlines())
def test_the_tidy_drawing_is_that_of_plain_contours(outline: tuple[list[int], list[float]]) -> None:
    """A slow second way: every subtree as lists of its leftmost and rightmost edge on each level."""
    parents, widths = outline

    def place(row: int) -> tuple[dict[int, float], list[float], list[float]]:
        """Middles from that of `row`, left and right edges by level."""
        children = [at for at, parent in enumerate(parents) if parent == row]
        placed: list[tuple[float, dict[int, float]]] = []
        lefts: list[float] = []
        rights: list[float] = []
        for child in children:
            middles, left, right = place(child)
            gaps = [SIBLINGS] + [COUSINS] * len(left)
            shift = max((b + gap - a for a, b, gap in zip(left, rights, gaps, strict=False)), default=0.0)
            lefts += [shift + edge for edge in left[len(lefts) :]]
            rights = [shift + edge for edge in right] + rights[len(right) :]
            placed.append((shift, middles))
        half = placed[-1][0] / 2 if placed else 0.0
        found = {row: 0.0}
        for shift, middles in placed:
            found |= {at: shift - half + x for at, x in middles.items()}
        wide = widths[row] / 2
        return found, [-wide, *(edge - half for edge in lefts)], [wide, *(edge - half for edge in rights)]

    middles, _, _ = place(0)
    leftmost = min(x - widths[at] / 2 for at, x in middles.items())
    expected = [middles[at] - leftmost for at in range(len(parents))]
    assert tidy(parents, widths, siblings=SIBLINGS, cousins=COUSINS) == pytest.approx(expected)
