"""The overview: the whole tree as one picture, walked by mouse and keys, zoomed, marked, linked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import plyscope
from tests.page.conftest import Show, again, choose, keys, linked, search, settled
from tests.page.places import place_of
from tests.page.test_accessibility import serious
from tests.page.trees import selected

REVERSI = Path(__file__).parents[2] / "examples" / "reversi-midgame.json.gz"


def place(page: Page) -> Locator:
    return page.locator(".overview-place")


def said(page: Page) -> str:
    return page.locator(".overview-said").inner_text()


def tip(page: Page) -> str:
    return page.locator(".overview-tip").inner_text()


def point(page: Page, share: float, band: int, n_bands: int = 8) -> tuple[float, float]:
    """A point of the window: so far from the left of the picture, in the middle of a band."""
    box = place_of(page.locator(".overview-drawing"))
    return box["x"] + share * box["width"], box["y"] + (band + 0.5) * box["height"] / n_bands


def test_a_best_first_tree_is_as_wide_as_its_visits(show: Show) -> None:
    children = [{"ply": "a", "visits": 60, "mean": 0.5}, {"ply": "b", "visits": 20, "mean": 0.4}]
    root = {"layer": "max", "visits": 80, "children": children}
    page = show({"plyscope": 1, "search": {"order": "best_first", "range": [0, 1]}, "root": root})
    keys(page, "v")
    assert said(page) == "All 3 nodes, as wide as their visits: 80 in all"
    for share, ply in ((0.7, "a"), (0.8, "b")):
        page.mouse.move(*point(page, share, 1, 2))
        assert tip(page).startswith(f"{ply} #")


def test_the_overview_is_walked_zoomed_linked_and_coloured(show: Show) -> None:
    page = show(REVERSI, 1440, 900)
    link = linked(keys(page, "v"))
    log = plyscope.open(REVERSI)
    n_nodes = sum(1 for node in log if not node.is_stub)
    words = page.locator(".overview-said")
    assert serious(page, "#overview") == []
    # A key shows all nodes and hides them again.
    assert said(page) == f"All {n_nodes:,} nodes, each as wide as its subtree"
    classes = {str(path.get_attribute("class")) for path in page.locator(".icicle").all()}
    assert classes == {"icicle icicle-max", "icicle icicle-min"}
    expect(page.locator(".icicle-pv")).to_have_count(8)
    keys(page, "v")
    expect(page.locator("#overview")).to_be_hidden()
    page.get_by_role("button", name=re.compile("What to ask")).click()
    page.get_by_role("button", name=re.compile("^Overview: the whole")).click()
    expect(place(settled(page))).to_be_visible()
    # Keys walk the cells and enter goes there.
    place(page).focus()
    page.keyboard.press("ArrowDown")
    first = tip(page)
    page.keyboard.press("ArrowRight")
    assert tip(page) != first
    for each in (first, tip(page)):
        assert ", level 1, min" in each
    page.keyboard.press("ArrowLeft")
    assert tip(page) == first
    keys(page, "Enter")
    assert selected(page) == first.split(" #")[0]
    expect(place(page)).to_be_focused()
    page.keyboard.press("+")
    expect(words).to_contain_text("in the order searched")
    page.keyboard.press("0")
    expect(words).to_contain_text("All ")
    # A press goes to the node under it.
    page.mouse.move(*point(page, 0.02, 1))
    ply, number = tip(page).split(",")[0].split(" #")
    node = log.node(int(number))
    assert (node.ply, node.level) == (ply, 1)
    page.mouse.click(*point(page, 0.02, 1))
    assert selected(settled(page)) == ply
    assert float(str(page.locator(".icicle-selected").get_attribute("x"))) <= 0.02 * 1440
    # The wheel shows a part that a link brings back.
    page.mouse.move(*point(page, 0.5, 3))
    page.mouse.wheel(0, -100)
    expect(words).to_contain_text("in the order searched")
    first, last = map(int, re.findall(r"overview=(\d+)-(\d+)", settled(page).url)[0])
    assert last - first == round(0.6 * n_nodes)
    shown = said(page)
    assert shown.startswith(f"Nodes {first + 1:,} to {last:,} of {n_nodes:,} in")
    page.reload()
    assert said(settled(page)) == shown
    page.get_by_role("button", name="The part to the right").click()
    assert said(settled(page)) != shown
    page.get_by_role("button", name="All of it").click()
    assert said(settled(page)).startswith("All ")
    assert "overview=all" in page.url
    # The levels give each node of a level the same width.
    again(page, link)
    forms = page.get_by_role("group", name="Form of the overview")
    forms.get_by_role("button", name="Levels").click()
    assert said(settled(page)) == f"All {n_nodes:,} nodes: those of each level are equally wide"
    expect(forms.get_by_role("button", name="Levels")).to_have_attribute("aria-pressed", "true")
    assert "overview=levels.all" in page.url
    below_root = [node.ply for node in log.roots[0].children if not node.is_stub]
    place(page).focus()
    page.keyboard.press("ArrowDown")
    for at, ply in enumerate(below_root):
        assert tip(page).split(" #")[0] == ply
        page.mouse.move(*point(page, (at + 0.5) / len(below_root), 1))
        assert tip(page).startswith(f"{ply} #")
        page.keyboard.press("ArrowRight")
    page.mouse.click(*point(page, 1.5 / len(below_root), 1))
    assert selected(settled(page)) == below_root[1]
    picture = float(str(page.locator(".overview-drawing").get_attribute("viewBox")).split()[2])
    width = float(str(page.locator(".icicle-selected").get_attribute("width")))
    assert width == pytest.approx(picture / len(below_root))
    expect(page.locator(".icicle-pv")).to_have_count(8)
    # Hits are marked in either form.
    hits = page.locator(".icicle-ticks-hits")
    search(page, f"ply = '{below_root[2]}' and level = 1")
    marks = str(hits.get_attribute("d"))
    assert float(marks[1:].split(" ")[0]) == pytest.approx(2 * picture / len(below_root), abs=1)
    # The wheel shows a share of every level and a link keeps form and part.
    page.mouse.move(*point(page, 0.5, 3))
    page.mouse.wheel(0, -100)
    expect(words).to_have_text("From 20 % to 80 % of each level")
    assert re.search(r"overview=levels\.\d+-\d+", settled(page).url)
    page.reload()
    expect(words).to_have_text("From 20 % to 80 % of each level")
    keys(settled(page), "V")
    expect(words).to_contain_text("each as wide as its subtree")
    assert "overview=all" in page.url
    assert str(hits.get_attribute("d")).count("M") == 1
    # Its colours are those of the tree.
    choose(page, "Colour by", "outcome")
    names = {str(path.get_attribute("class")).split()[-1] for path in page.locator(".icicle").all()}
    assert names == {f"icicle-outcome-{outcome}" for outcome in ("searched", "cutoff", "leaf")}
