"""Tests of pictures of random logs: each node once, no two boxes over one another."""

from __future__ import annotations

from xml.etree import ElementTree

import hypothesis.strategies as st
from hypothesis import given

from plyscope.visualizer.analysis.picture.layout import COUSINS, SIBLINGS
from plyscope.visualizer.analysis.picture.tree_picture import Drawn, draw
from plyscope.visualizer.store.tree import Tree
from tests.property.documents import documents
from tests.unit.logs import tree_of

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def pictures(draw_: st.DrawFn) -> tuple[Tree, Drawn, int, int]:
    tree = tree_of(**draw_(documents()))
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
        shown = [each.row for each in below if not each.hidden]
        assert shown == sorted(shown)
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
