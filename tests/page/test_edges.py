"""The edges of the panels: dragged or moved by keys, they give a panel another width, which is remembered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import keys, module_address, place_of, settled
from tests.page.panels import details, logs


@pytest.fixture
def page(tree: Page) -> Page:
    """A small tree: the panels beside it are those of every log."""
    return tree


def edge(page: Page, side: str) -> Locator:
    return page.get_by_role("separator", name=f"Width of the {side}")


def width(panel: Locator) -> float:
    box = place_of(panel)
    return box["width"]


def drag(page: Page, target: Locator, by: float) -> None:
    """Press the middle of `target`, move it `by` pixels to the right in steps, let go."""
    box = place_of(target)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=4)
    page.mouse.up()
    settled(page)


def test_an_edge_is_dragged_or_moved_by_keys_and_stays_there(page: Page) -> None:
    # A double click gives the usual width back.
    usual = width(logs(page))
    drag(page, edge(page, "logs"), 90)
    edge(page, "logs").dblclick()
    settled(page)
    assert width(logs(page)) == usual
    # A dragged edge takes its panel along.
    before, tree_before = width(details(page)), width(page.locator("#tree"))
    drag(page, edge(page, "details"), -100)
    assert width(details(page)) == before + 100
    assert width(page.locator("#tree")) == tree_before - 100
    before = width(logs(page))
    drag(page, edge(page, "logs"), 60)
    assert width(logs(page)) == before + 60
    # The keys of an edge move it and not the selection.
    selected = page.get_by_role("treeitem", selected=True).get_attribute("aria-label")
    usual = width(details(page))
    edge(page, "details").focus()
    for key, wide in (("ArrowLeft", usual + 16), ("ArrowRight", usual), ("Home", 200)):
        keys(page, key)
        assert width(details(page)) == wide
        expect(edge(page, "details")).to_have_attribute("aria-valuenow", str(round(wide)))
    assert page.get_by_role("treeitem", selected=True).get_attribute("aria-label") == selected
    # A moved edge stays there in the next visit.
    drag(page, edge(page, "details"), -80)
    kept = width(details(page))
    page.reload()
    assert width(details(settled(page))) == kept
    # No panel takes the tree its room.
    for side in ("logs", "details"):
        edge(page, side).focus()
        page.keyboard.press("End")
    settled(page)
    assert width(page.locator("#tree")) >= 0.2 * 1440 - 1
    # The edge of a folded panel is gone.
    page.keyboard.press("[")
    expect(edge(settled(page), "logs")).to_be_hidden()
    page.keyboard.press("]")
    expect(edge(settled(page), "details")).to_be_hidden()
    page.keyboard.press("c")
    expect(edge(settled(page), "details")).to_be_visible()


def test_kept_widths_are_taken_and_those_that_make_no_sense_are_not(page: Page) -> None:
    """None of the latter is stored again as it is left, so each is the one that is read."""
    for kept, widths in (
        ('{"left": 300, "right": 400}', (300, 400)),
        ('{"left": 9, "right": 1e9}', (256, 344)),
    ):
        page.evaluate("kept => localStorage.setItem('plyscope', kept)", kept)
        page.reload()
        settled(page)
        assert page.evaluate("localStorage.getItem('plyscope')") == kept
        assert (width(logs(page)), width(details(page))) == widths, kept
    read = """([address, kept]) => import(address).then(({ readSettings }) =>
        readSettings({ getItem: () => kept }).widths ?? null)"""
    settings = module_address(page, "views/page/settings.js")
    for kept in ('{"left": "wide"}', "[]"):
        assert page.evaluate(read, [settings, kept]) == {"left": 256, "right": 344}, kept
    for kept in ("no JSON", "null"):
        assert page.evaluate(read, [settings, kept]) in (None, {"left": 256, "right": 344}), kept
