"""The details beside the tree: they follow the selection until pinned, and say nothing that is not so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Server, settled, visit
from tests.page.panels import details, node, press, write_log

MATE = {"score": 1000000, "step": 1, "threshold": 999000}


@pytest.fixture
def show(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> Callable[[object], Page]:
    """`show(document)`: the page on this log."""
    return lambda document: visit(new_page(), serve(write_log(tmp_path, document)))


def test_the_details_follow_the_selection_until_they_are_pinned(show: Callable[[object], Page]) -> None:
    page = show(None)
    pin = details(page).get_by_role("button", name="Pin the details")
    expect(pin).to_have_attribute("aria-pressed", "false")
    press(page, node(page, "wB1"))
    expect(details(page).get_by_role("heading", name="wB1", exact=True)).to_be_visible()
    press(page, pin)
    expect(pin).to_have_attribute("aria-pressed", "true")
    press(page, node(page, "wA1"))
    expect(details(page).get_by_role("heading", name="wB1", exact=True)).to_be_visible()
    press(page, pin)
    expect(pin).to_have_attribute("aria-pressed", "false")
    expect(details(page).get_by_role("heading", name="wA1", exact=True)).to_be_visible()


def test_a_step_of_the_path_selects_and_leaves_the_pin(show: Callable[[object], Page]) -> None:
    page = show(None)
    press(page, node(page, "wB1"))
    press(page, details(page).get_by_role("button", name="Pin the details"))
    path = details(page).get_by_role("navigation", name="Path of the node")
    press(page, path.get_by_role("button", name="root"))
    expect(node(page, "root")).to_have_attribute("aria-selected", "true")
    expect(details(page).get_by_role("heading", name="wB1", exact=True)).to_be_visible()


def test_a_game_that_cannot_be_drawn_shows_its_position_among_the_fields(
    show: Callable[[object], Page],
) -> None:
    children = [{"ply": "take 2", "position": "3 4 3", "score": 1}]
    page = show({"plyscope": 1, "game": "nim", "position": "3 4 5", "root": {"children": children}})
    expect(details(page).locator("dt", has_text="position")).to_be_visible()
    expect(details(page)).to_contain_text("3 4 5")
    press(page, node(page, "take 2"))
    expect(details(page)).to_contain_text("3 4 3")
    expect(details(page)).not_to_contain_text("No game")
    assert "Position" not in details(page).locator("summary").all_inner_texts()


def test_wins_and_losses_are_said_by_their_distance(show: Callable[[object], Page]) -> None:
    children = [
        {"ply": "win", "score": 999995, "bound": "exact"},
        {"ply": "loss", "score": -999996, "bound": "exact"},
    ]
    root = {"layer": "max", "score": 999995, "children": children}
    page = show({"plyscope": 1, "search": {"mate": MATE}, "root": root})
    for ply, words in (("win", "win in 5"), ("loss", "loss in 4")):
        assert node(page, ply).locator(".node-score").text_content() == words
        assert words in str(node(page, ply).get_attribute("aria-label"))
        node(page, ply).hover()
        settled(page)
        expect(page.get_by_role("tooltip")).to_contain_text(words)
        press(page, node(page, ply))
        expect(details(page).locator(".details-head")).to_contain_text(words)


def test_on_a_phone_the_details_name_the_whole_way_to_the_node(
    server: Server, new_page: Callable[..., Page]
) -> None:
    page = visit(new_page(width=390, height=844), server)
    for key in ("p", "p", "p", "]"):
        page.keyboard.press(key)
        settled(page)
    path = details(page).get_by_role("navigation", name="Path of the node")
    way = path.get_by_role("listitem").all_inner_texts()
    assert way[0].strip() == "root"
    assert len(way) >= 4


def test_on_a_phone_the_details_are_a_sheet_below_the_tree(
    server: Server, new_page: Callable[..., Page]
) -> None:
    page = visit(new_page(width=390, height=844), server)
    for key in ("]", "p", "p"):
        page.keyboard.press(key)
        settled(page)
    sheet, chosen = details(page).bounding_box(), page.get_by_role("treeitem", selected=True).bounding_box()
    assert sheet is not None
    assert chosen is not None
    assert (sheet["width"], sheet["y"] + sheet["height"]) == (390, 844)
    assert sheet["height"] <= 0.4 * 844
    assert chosen["y"] + chosen["height"] <= sheet["y"]
    details(page).evaluate("panel => panel.scrollTo(0, panel.scrollHeight)")
    expect(details(page).get_by_role("button", name="Close the details")).to_be_in_viewport(ratio=1)
