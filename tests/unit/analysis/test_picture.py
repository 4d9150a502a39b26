"""Pictures by their structure: what is drawn, what is said of it, that texts of a log stay texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import plyscope
from plyscope.visualizer.analysis.picture.selection import MOST_NODES, PictureError
from plyscope.visualizer.analysis.picture.style import width
from plyscope.visualizer.analysis.picture.tree_picture import Drawn, draw
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import tree_of

HERE = Path(__file__).parents[3]
TEXTBOOK = HERE / "examples" / "textbook-alpha-beta.json"
SVG = "{http://www.w3.org/2000/svg}"


def drawn_of(root: dict[str, Any] | Tree, top: int | None = None, **how: Any) -> Drawn:
    tree = root if isinstance(root, Tree) else tree_of(root)
    return draw(tree, "log", tree.main_root if top is None else top, **how)


def groups(svg: str, kind: str) -> list[ElementTree.Element]:
    return [each for each in ElementTree.fromstring(svg).iter(f"{SVG}g") if each.get("class") == kind]


def texts(element: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in element.iter(f"{SVG}text")]


def fan(n: int, **fields: Any) -> dict[str, Any]:
    children = [{"ply": f"p{at}", "score": at} for at in range(n)]
    return {"layer": "max", "score": n - 1, "children": children, **fields}


def test_a_picture_of_a_node_says_where_it_is_and_what_stands_out() -> None:
    """The whole tree is drawn in the docs, and held there."""
    drawn = plyscope.picture(TEXTBOOK, "b")
    assert drawn.caption.startswith("textbook-alpha-beta.json · b. All 2 nodes.")
    assert "Heavy: the line that decides the score at the top." in drawn.caption
    assert [node.path for node in drawn.nodes] == ["b", "b > a", "b > (pruned)"]


def test_a_wide_node_shows_the_best_the_principal_variation_and_how_many_more() -> None:
    tree = tree_of(fan(20), result={"ply": "p3", "score": 3})
    drawn = drawn_of(tree, children=4)
    plies = [None if each.hidden else tree.ply(each.row) for each in drawn.choice.items]
    assert plies == [None, "p3", "p17", "p18", "p19", None]  # in the order searched
    assert drawn.choice.items[-1].hidden == 16
    assert [texts(each) for each in groups(drawn.svg, "more")] == [["+ 16", "more"]]
    lowest = drawn_of(fan(9, layer="min", score=0), children=2).choice.items
    assert [each.row for each in lowest if not each.hidden] == [0, 1, 2]
    assert len(drawn_of(fan(5), children=4).choice.items) == 6  # one more takes no more room
    assert "5 of 21 nodes: the best 4 of a node’s children, in the order searched." in drawn.svg


def test_folded_nodes_say_how_many_are_below() -> None:
    root = {"score": 1, "children": [{"ply": "a", "score": 1, "children": [fan(3)]}, {"ply": "b"}]}
    drawn = drawn_of(root, levels=1)
    assert [face.below for face in drawn.faces] == ["", "4", ""]
    assert "3 of 7 nodes: 1 level below the top. 1 node states no score." in drawn.svg
    assert drawn.svg.count('class="fold"') == 1


def test_without_levels_as_many_are_drawn_as_fit() -> None:
    deep = fan(4)
    for _ in range(5):
        deep = {"score": 3, "children": [{**deep, "ply": f"p{at}"} for at in range(4)]}
    drawn = drawn_of(deep)
    assert (drawn.choice.levels, len(drawn.choice.items)) == (2, 21)
    assert len(drawn_of(deep, levels=3).choice.items) == 85


def test_too_much_and_a_highlighted_node_elsewhere_are_refused() -> None:
    with pytest.raises(PictureError, match="more than 5,000 nodes; ask for fewer levels or children"):
        drawn_of(fan(MOST_NODES), children=MOST_NODES)
    tree = tree_of({"children": [{"ply": "a"}, {"ply": "b"}]})
    with pytest.raises(PictureError, match="does not lie below"):
        drawn_of(tree, top=1, highlight=[2])


def test_a_highlighted_way_is_drawn_beyond_the_last_level() -> None:
    tree = tree_of({"score": 1, "children": [{"ply": "a", "children": [fan(3), fan(2)]}, {"ply": "b"}]})
    row = tree.children(2)[1]
    drawn = drawn_of(tree, levels=1, highlight=[int(row)])
    shown = [(each.row, each.hidden) for each in drawn.choice.items]
    assert shown == [(0, 0), (1, 0), (9, 0), (2, 0), (1, 1), (4, 0), (2, 2)]
    assert "Yellow: highlighted." in drawn.svg


def test_siblings_that_differ_never_read_the_same_and_the_unknown_is_left_empty() -> None:
    root = {"score": 1.00002, "children": [{"score": 1.00001}, {"score": 1.00002}, {"score": "nan"}, {}]}
    drawn = drawn_of(root)
    assert [face.value for face in drawn.faces] == ["1", "1.00001", "1.00002", "NaN", ""]
    assert "1 node states no score." in drawn.svg


def test_wins_say_whether_they_are_proven() -> None:
    mate = {"score": 1000, "step": 1, "threshold": 900}
    won = {"ply": "a", "score": 999, "bound": "exact", "outcome": "terminal", "ending": "win"}
    claimed = {"ply": "b", "score": 997, "bound": "exact"}
    root = {"layer": "max", "score": 999, "children": [claimed, won]}
    drawn = drawn_of(tree_of(root, search={"mate": mate}, game="mine"))
    assert [face.value for face in drawn.faces] == ["win in 1", "win in 3?", "win in 1"]
    assert "?: among the plies searched, not proven." in drawn.svg


def test_means_windows_factors_and_purposes_are_lines_of_a_node() -> None:
    leaf = {"ply": "a", "mean": 0.25, "visits": 10412, "purpose": "scout", "alpha": None, "beta": 3}
    amounts = {f"f{at}": at for at in range(7)}
    drawn = drawn_of(
        {"layer": "max", "children": [{**leaf, "contributions": amounts}]}, windows=True, factors=True
    )
    face = drawn.faces[1]
    assert (face.value, face.lines) == ("0.25", ("scout", "mean of 10,412 visits", "[−∞, 3]"))
    assert face.factors == (("f6", "6"), ("f5", "5"), ("f4", "4"), ("f3", "3"), ("+ 2 more", "3"))
    without = drawn_of({"score": 1}, windows=True, factors=True)
    assert "The log states no windows. The log states no factors." in without.svg


HOSTILE = (
    "<script>alert(1)</script>",
    '"><svg onload="alert(1)">',
    "]]>&amp;&lt;",
    "\u202ec6\u2066",
    "a\x00\x1b\x08b\ufffe\uffff",
    "نقلة ٤",
    "👩‍👩‍👧♟️",
    "x" * 5000,
    "\ud800",
    "-->",
    "a\nb\tc",
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_texts_of_a_log_stay_texts(text: str) -> None:
    child = {"ply": text, "score": 1, "contributions": {text: 2.0}}
    root = {"children": [child, {"outcome": "pruned", "count": 1, "plies": [text]}]}
    tree = tree_of(root, result={"pv": [text]})
    drawn = draw(tree, text, 0, factors=True, windows=True, highlight=[1])
    found = ElementTree.fromstring(drawn.svg)
    assert {each.tag.removeprefix(SVG) for each in found.iter()} <= {
        "svg", "g", "path", "text", "title", "desc", "rect"
    }  # fmt: skip
    assert not [
        name for each in found.iter() for name in each.attrib if name.startswith("on") or "href" in name
    ]
    assert len(drawn.svg) < 20_000
    assert "\u202e" not in drawn.svg


def test_a_long_ply_is_cut_in_its_box_and_whole_in_its_title() -> None:
    drawn = drawn_of({"children": [{"ply": "long " * 20, "score": 1}]})
    box = drawn.laid.boxes[1]
    assert box.ply.endswith("…")
    assert width(box.ply, 11.5) <= 120
    assert ("long " * 20).strip() in drawn.svg


def test_edges_below_chance_have_their_probabilities() -> None:
    sides = [{"ply": "six", "prior": 0.25, "score": 4}, {"ply": "other", "score": 0, "prior": 0.75}]
    drawn = drawn_of({"layer": "chance", "score": 1, "children": sides})
    assert [face.ply for face in drawn.faces] == ["", "six (0.25)", "other (0.75)"]


def test_a_chain_of_many_levels_needs_no_recursion() -> None:
    rows = (json.dumps({"id": at, "parent": at - 1, "score": 1}) for at in range(1, 4000))
    tree = Tree(read_log("\n".join(['{"plyscope": 1}', '{"id": 0, "score": 1}', *rows]).encode()))
    drawn = drawn_of(tree, levels=4000)
    assert len(drawn.choice.items) == 4000
    assert "All 4,000 nodes." in drawn.svg
    assert drawn_of(tree).choice.levels == 8
