"""The overview: the whole tree as one picture, walked by mouse and keys, zoomed, marked, linked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

import plyscope
from tests.page.conftest import Show, keys, place_of, settled
from tests.page.stage import SCHEMES
from tests.page.trees import selected

REVERSI = Path(__file__).parents[2] / "examples" / "reversi-midgame.json.gz"


@pytest.fixture
def reversi(show: Show) -> Page:
    page = show(REVERSI, 1440, 900)
    page.keyboard.press("v")
    return settled(page)


def place(page: Page) -> Locator:
    return page.locator(".overview-place")


def said(page: Page) -> str:
    return page.locator(".overview-said").inner_text()


def tip(page: Page) -> str:
    return page.locator(".overview-tip").inner_text()


def at(page: Page, share: float, band: int, n_bands: int = 8) -> tuple[float, float]:
    """A point of the window: so far from the left of the picture, in the middle of a band."""
    box = place_of(page.locator(".overview-drawing"))
    return box["x"] + share * box["width"], box["y"] + (band + 0.5) * box["height"] / n_bands


def test_the_levels_give_each_node_of_a_level_the_same_width(reversi: Page) -> None:
    log = plyscope.open(REVERSI)
    n_below_root = sum(1 for node in log.roots[0].children if not node.is_stub)
    n_nodes = sum(1 for node in log if not node.is_stub)
    forms = reversi.get_by_role("group", name="Form of the overview")
    forms.get_by_role("button", name="Levels").click()
    assert said(settled(reversi)) == f"All {n_nodes:,} nodes: those of each level are equally wide"
    expect(forms.get_by_role("button", name="Levels")).to_have_attribute("aria-pressed", "true")
    assert "overview=levels.all" in reversi.url
    plies = []
    place(reversi).focus()
    reversi.keyboard.press("ArrowDown")
    for _ in range(n_below_root):
        plies.append(tip(reversi).split(" #")[0])
        reversi.keyboard.press("ArrowRight")
    assert plies == [node.ply for node in log.roots[0].children if not node.is_stub]
    for at_ply, ply in enumerate(plies):
        reversi.mouse.move(*at(reversi, (at_ply + 0.5) / n_below_root, 1))
        assert tip(reversi).startswith(f"{ply} #")
    reversi.mouse.click(*at(reversi, 1.5 / n_below_root, 1))
    assert selected(settled(reversi)) == plies[1]
    box = reversi.locator(".icicle-selected")
    width = float(str(box.get_attribute("width")))
    picture = float(str(reversi.locator(".overview-drawing").get_attribute("viewBox")).split()[2])
    assert width == pytest.approx(picture / n_below_root)
    expect(reversi.locator(".icicle-pv")).to_have_count(8)
    reversi.keyboard.press("/")
    reversi.keyboard.type(f"ply = '{plies[2]}' and level = 1")
    reversi.keyboard.press("Enter")
    marks = str(reversi.locator(".icicle-ticks-hits").get_attribute("d"))
    assert float(marks[1:].split(" ")[0]) == pytest.approx(2 * picture / n_below_root, abs=1)


def test_a_best_first_tree_is_as_wide_as_its_visits(show: Show) -> None:
    children = [{"ply": "a", "visits": 60, "mean": 0.5}, {"ply": "b", "visits": 20, "mean": 0.4}]
    root = {"layer": "max", "visits": 80, "children": children}
    page = show({"plyscope": 1, "search": {"order": "best_first", "range": [0, 1]}, "root": root})
    page.keyboard.press("v")
    assert said(settled(page)) == "All 3 nodes, as wide as their visits: 80 in all"
    for share, ply in ((0.7, "a"), (0.8, "b")):
        page.mouse.move(*at(page, share, 1, 2))
        assert tip(page).startswith(f"{ply} #")


def test_the_overview_is_walked_zoomed_linked_and_coloured(reversi: Page) -> None:
    # Nothing of it is out of reach.
    for scheme in SCHEMES:
        reversi.emulate_media(color_scheme=scheme)
        found = Axe().run(settled(reversi), context="#overview").response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    # A key shows all nodes and hides them again.
    log = plyscope.open(REVERSI)
    n_nodes = sum(1 for node in log if not node.is_stub)
    assert said(reversi) == f"All {n_nodes:,} nodes, each as wide as its subtree"
    assert {str(path.get_attribute("class")) for path in reversi.locator(".icicle").all()} == {
        "icicle icicle-max", "icicle icicle-min"
    }  # fmt: skip
    expect(reversi.locator(".icicle-pv")).to_have_count(8)
    reversi.keyboard.press("v")
    expect(reversi.locator("#overview")).to_be_hidden()
    reversi.get_by_role("button", name=re.compile("What to ask")).click()
    reversi.get_by_role("button", name=re.compile("^Overview: the whole")).click()
    expect(settled(reversi).locator(".overview-place")).to_be_visible()
    # Keys walk the cells and enter goes there.
    place(reversi).focus()
    reversi.keyboard.press("ArrowDown")
    first = tip(reversi)
    assert ", level 1, min" in first
    reversi.keyboard.press("ArrowRight")
    assert tip(reversi) != first
    assert ", level 1, min" in tip(reversi)
    reversi.keyboard.press("ArrowLeft")
    assert tip(reversi) == first
    reversi.keyboard.press("Enter")
    assert selected(settled(reversi)) == first.split(" #")[0]
    expect(place(reversi)).to_be_focused()
    reversi.keyboard.press("+")
    expect(reversi.locator(".overview-said")).to_contain_text("in the order searched")
    reversi.keyboard.press("0")
    expect(reversi.locator(".overview-said")).to_contain_text("All ")
    # A press goes to the node under it.
    reversi.mouse.move(*at(reversi, 0.02, 1))
    ply, number = tip(reversi).split(",")[0].split(" #")
    node = plyscope.open(REVERSI).node(int(number))
    assert (node.ply, node.level) == (ply, 1)
    reversi.mouse.click(*at(reversi, 0.02, 1))
    assert selected(settled(reversi)) == ply
    box = reversi.locator(".icicle-selected")
    assert float(str(box.get_attribute("x"))) <= 0.02 * 1440
    # The wheel shows a part that a link brings back.
    reversi.mouse.move(*at(reversi, 0.5, 3))
    reversi.mouse.wheel(0, -100)
    expect(reversi.locator(".overview-said")).to_contain_text("in the order searched")
    first, last = map(int, re.findall(r"overview=(\d+)-(\d+)", settled(reversi).url)[0])
    n_nodes = int(re.findall(r"of ([\d,]+) in", said(reversi))[0].replace(",", ""))
    assert last - first == round(0.6 * n_nodes)
    assert said(reversi).startswith(f"Nodes {first + 1:,} to {last:,} of")
    shown = said(reversi)
    reversi.reload()
    assert said(settled(reversi)) == shown
    reversi.get_by_role("button", name="The part to the right").click()
    assert said(settled(reversi)) != shown
    reversi.get_by_role("button", name="All of it").click()
    assert said(settled(reversi)).startswith("All ")
    assert "overview=all" in reversi.url
    # The wheel shows a share of every level and a link keeps form and part.
    keys(reversi, "V")
    reversi.mouse.move(*at(reversi, 0.5, 3))
    reversi.mouse.wheel(0, -100)
    expect(reversi.locator(".overview-said")).to_have_text("From 20 % to 80 % of each level")
    assert re.search(r"overview=levels\.\d+-\d+", settled(reversi).url)
    reversi.reload()
    expect(reversi.locator(".overview-said")).to_have_text("From 20 % to 80 % of each level")
    settled(reversi).keyboard.press("V")
    expect(reversi.locator(".overview-said")).to_contain_text("each as wide as its subtree")
    assert "overview=all" in settled(reversi).url
    # Its colours are those of the tree and hits are marked.
    reversi.get_by_role("combobox", name=re.compile("colour", re.IGNORECASE)).select_option("outcome")
    settled(reversi)
    names = {str(path.get_attribute("class")).split()[-1] for path in reversi.locator(".icicle").all()}
    assert names == {"icicle-outcome-searched", "icicle-outcome-cutoff", "icicle-outcome-leaf"}
    expect(reversi.locator(".icicle-ticks")).to_have_count(0)
    reversi.keyboard.press("/")
    reversi.keyboard.type("ply = 'f8' and level = 1")
    reversi.keyboard.press("Enter")
    expect(reversi.locator(".icicle-ticks-hits")).to_have_count(1)
    assert str(reversi.locator(".icicle-ticks-hits").get_attribute("d")).count("M") == 1
