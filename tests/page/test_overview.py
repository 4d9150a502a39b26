"""The overview: the whole tree as one picture, walked by mouse and keys, zoomed, marked, linked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

import plyscope
from tests.page.conftest import NewPage, Serve, settled, visit
from tests.page.trees import selected

REVERSI = Path(__file__).parents[2] / "examples" / "reversi-midgame.json.gz"


@pytest.fixture
def reversi(serve: Serve, new_page: NewPage) -> Page:
    page = visit(new_page(1440, 900), serve(REVERSI))
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
    box = page.locator(".overview-drawing").bounding_box()
    assert box is not None
    return box["x"] + share * box["width"], box["y"] + (band + 0.5) * box["height"] / n_bands


def test_a_key_shows_all_nodes_and_hides_them_again(reversi: Page) -> None:
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


def test_a_press_goes_to_the_node_under_it(reversi: Page) -> None:
    reversi.mouse.move(*at(reversi, 0.02, 1))
    ply, number = tip(reversi).split(",")[0].split(" #")
    node = plyscope.open(REVERSI).node(int(number))
    assert (node.ply, node.level) == (ply, 1)
    reversi.mouse.click(*at(reversi, 0.02, 1))
    assert selected(settled(reversi)) == ply
    box = reversi.locator(".icicle-selected")
    assert float(str(box.get_attribute("x"))) <= 0.02 * 1440


def test_the_wheel_shows_a_part_that_a_link_brings_back(reversi: Page) -> None:
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


def test_keys_walk_the_cells_and_enter_goes_there(reversi: Page) -> None:
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


def test_its_colours_are_those_of_the_tree_and_hits_are_marked(reversi: Page) -> None:
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_of_it_is_out_of_reach(reversi: Page, theme: str) -> None:
    reversi.emulate_media(color_scheme="light" if theme == "light" else "dark")
    found = Axe().run(reversi, context="#overview").response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
