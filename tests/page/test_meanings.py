"""Tests of the factors' meanings beside the bars, where the log has them: by pointer, keyboard and finger."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Show, keys, place_of, press, settled
from tests.page.panels import SAMPLE, details, node, write_log

RING = "Pieces around the <b>other</b> queen."
FACTORS = [{**SAMPLE["factors"][0], "meaning": RING}, SAMPLE["factors"][1]]
WHOSE = "Values are white's less black's: white is the root player."


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path, SAMPLE | {"factors": FACTORS})


@pytest.fixture
def page(show: Show, log: Path) -> Page:
    return show(log)


def switch(page: Page) -> Locator:
    return details(page).get_by_role("checkbox", name="What each factor counts")


def first_cells(bars: Locator) -> list[str]:
    """The text of the first cell in each row of the body."""
    return bars.locator("tbody tr > :first-child").all_inner_texts()


def test_the_meanings_of_factors_are_shown_on_request_wherever_bars_are(page: Page) -> None:
    # The row of a factor tells what it counts to a resting pointer.
    rows = details(page).get_by_role("table", name="Factors of root").locator("tbody tr")
    expect(rows.first).to_have_attribute("title", RING)
    expect(rows.first.get_by_role("rowheader")).to_have_attribute("title", f"queen ring: {RING}")
    assert rows.nth(1).get_attribute("title") is None
    # The sum is said to be for the root player.
    expect(details(page).get_by_role("table", name="Factors of bA2")).to_contain_text("= static for white")
    node(page, "wB1").locator(".node-card").hover()
    settled(page)
    expect(page.get_by_role("tooltip")).to_contain_text("= static for white")
    # The words of all factors are shown below them as text.
    bars = details(page).get_by_role("table", name="Factors of root")
    assert first_cells(bars) == ["queen ring", "mobility"]
    expect(details(page)).not_to_contain_text(WHOSE)
    press(page, switch(page))
    assert first_cells(bars) == ["queen ring", RING, "mobility"]
    expect(details(page)).to_contain_text(WHOSE)
    press(page, switch(page))
    assert first_cells(bars) == ["queen ring", "mobility"]
    # The switch is pressed by keyboard and keeps the focus.
    switch(page).focus()
    keys(page, "Space")
    expect(switch(page)).to_be_checked()
    expect(switch(page)).to_be_focused()
    # The tip names the key that shows the words in it.
    press(page, switch(page))
    node(page, "wB1").locator(".node-card").hover()
    settled(page)
    tip = page.get_by_role("tooltip")
    assert first_cells(tip) == ["queen ring", "mobility"]
    expect(tip).to_contain_text("W: what each factor counts")
    keys(page, "w")
    assert first_cells(tip) == ["queen ring", RING, "mobility"]
    expect(tip).to_contain_text(WHOSE)
    # One switch serves both evaluations of a node. The root's own evaluation stands below that of the leaf
    # which decided its score.
    press(page, switch(page))
    assert details(page).locator(".bars").count() == 2
    assert switch(page).count() == 1
    press(page, switch(page))
    for bars in details(page).locator(".bars").all():
        assert first_cells(bars)[1] == RING
    press(page, node(page, "wB1"))
    assert switch(page).count() == 1
    expect(switch(page)).to_be_checked()
    # The choice is kept for the next visit.
    press(page, switch(page))
    press(page, switch(page))
    page.reload()
    settled(page)
    expect(switch(page)).to_be_checked()


def test_a_log_that_explains_nothing_has_no_switch_and_no_hint(show: Show) -> None:
    page = show(SAMPLE)
    assert switch(page).count() == 0
    page.keyboard.press("w")
    keys(page, "i")
    expect(page.get_by_role("tooltip")).to_contain_text("mobility")
    for place in (page.get_by_role("tooltip"), details(page)):
        expect(place).not_to_contain_text("Values are")
        expect(place).not_to_contain_text("counts")


@pytest.mark.parametrize("width", [1440, 390])
def test_long_words_wrap_inside_the_panel(show: Show, width: int) -> None:
    factors = [
        {"name": "a" * 80, "weight": 10, "meaning": "x" * 900},
        {"name": "b", "weight": 0.5, "meaning": "é " * 400},
    ]
    page = show(SAMPLE | {"factors": factors}, width, 844)
    if width == 390:
        press(page, page.get_by_role("button", name="Details of the node"))
    press(page, switch(page))
    panel = place_of(details(page))
    for bars in details(page).locator(".bars").all():
        box = place_of(bars)
        assert box["x"] >= panel["x"]
        assert box["x"] + box["width"] <= panel["x"] + panel["width"]
    page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_finger_presses_the_switch(show: Show, log: Path) -> None:
    page = show(log, 390, 844, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Details of the node").tap()
    settled(page)
    label = details(page).locator("label", has_text="What each factor counts")
    box = place_of(label)
    assert box["height"] >= 44
    label.tap()
    settled(page)
    expect(details(page)).to_contain_text(RING)
