"""Tests of boards of Hive: stacks, hands, a plane without edges, the end of a game."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.page.boards import board, leaf, mark, searched
from tests.page.conftest import Show, again, keys, linked, place_of, press, settled
from tests.page.panels import details

STACKED = searched(
    "hive",
    leaf("wB2 wB1", 3),
    leaf("wS1 \\wB2", 2, bound="upper"),
    leaf("wA1 \\wB2", 1, bound="upper"),
    position="Base+MLP;InProgress;White[5];wB1;bB1 -wB1;wQ wB1-;bQ /bB1;wB2 wQ-;bQ /wB1;wB2 wQ;bB1 bQ",
)


def test_stacks_hands_and_marks_of_a_hive_are_told_on_its_boards(show: Show) -> None:
    page = show(STACKED)
    link = linked(page)
    # A stack unfolds where one points and its row marks it. Both queens stand under beetles.
    rows = details(page).locator(".board-stack-row")
    expect(rows).to_have_count(2)
    expect(rows.last.locator("text")).to_have_text(["B1", "Q"])
    details(page).locator("text[data-stack='1,0']").first.hover()
    bubble = details(page).locator(".board-bubble")
    expect(bubble.locator("text")).to_have_text(["B2", "Q"])
    expect(details(page).locator(".board-stack-pointed text")).to_have_text(["B2", "Q"])
    rows.last.hover()
    expect(bubble).to_have_count(0)
    pointed = details(page).locator(".board .board-tile-pointed")
    assert {tile.get_attribute("data-stack") for tile in pointed.all()} == {"-1,1"}
    # The marks are explained as far as there are any.
    key = details(page).get_by_role("list", name="Key to the marks").get_by_role("listitem")
    expect(key).to_have_text(
        [
            "3 searched plies",
            "larger: better rank",
            "for the root player",
            "hollow: a bound",
            "2so many end here",
        ]
    )
    # No mark lies on the name of a piece. White's second beetle may climb onto the first, whose name stays
    # readable.
    dot = place_of(mark(page, "wB2 wB1").locator(".ply-dot"))
    name = place_of(board(page).first.locator("text.board-piece-white", has_text="B1"))
    assert dot["x"] >= name["x"] + name["width"] or dot["y"] + dot["height"] <= name["y"]
    # What a placement takes from the hand is marked.
    mark(page, "2 plies end here; the best: wS1").hover()
    held = details(page).locator(".board-hand .board-tile-pointed.board-tile")
    assert {tile.get_attribute("data-held") for tile in held.all()} == {"wS1", "wA1"}
    expect(details(page).locator(".ply-button")).to_have_text(["wS1 \\wB2≤ +2", "wA1 \\wB2≤ +1"])
    # The tip of a mark covers neither the board nor its plies.
    mark(page, "2 plies end here; the best: wS1").hover()
    settled(page)
    boxes = [each.bounding_box() for each in (page.locator("#tooltip"), details(page))]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    # A hive stays in its place from node to node. The first beetle stands where it stood, in the panel and
    # on the large board.
    again(page, link)

    def beetle(within: Locator) -> tuple[float, float]:
        box = place_of(within.locator("svg.board-hexes text.board-piece-white", has_text="B1"))
        return round(box["x"]), round(box["y"])

    keys(page, "b")
    large = page.get_by_role("dialog")
    before = beetle(large)
    press(page, large.get_by_role("group", name="By rank").get_by_role("button", name="wS1"))
    assert beetle(large) == before
    press(page, page.get_by_role("button", name="Take back"))
    assert beetle(large) == before
    # The large board lists every searched ply by rank.
    keys(page, "Escape", "b")
    listed = page.get_by_role("dialog").get_by_role("group", name="By rank").get_by_role("button")
    expect(listed).to_have_text(["wB2 wB1+3", "wS1 \\wB2≤ +2", "wA1 \\wB2≤ +1"])
    listed.nth(2).hover()
    pointed = page.get_by_role("dialog").locator(".ply-mark.ply-pointed")
    expect(pointed).to_have_attribute("data-ids", "2 3")
    press(page, listed.nth(1))
    expect(page.get_by_role("dialog", name="Position after wS1")).to_be_visible()


def test_the_end_of_a_game_is_said_with_the_queen_that_is_surrounded(show: Show) -> None:
    won = (
        "Base;WhiteWins;White[7];wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;"
        "wA1 wQ\\;bA1 bG2/;wA1 bG2\\;bA1 /bG1"
    )
    root = {"layer": "max", "score": 1e6, "outcome": "terminal", "ending": "win"}
    page = show({"plyscope": 1, "game": "hive", "position": won, "root": root})
    expect(details(page).get_by_text("White wins: the black queen is surrounded")).to_be_visible()
    expect(board(page).first.locator(".board-surrounded")).to_have_count(1)
    expect(board(page).first).to_have_accessible_name(re.compile("black queen surrounded"))
    expect(board(page).first.locator(".board-last")).to_have_count(1)


def test_a_board_that_was_scrolled_to_stays_in_the_panel_whatever_stands_above_it(show: Show) -> None:
    """A finding, a line and bars above it differ from node to node."""
    document = json.loads(json.dumps(STACKED))
    document["factors"] = [{"name": f"factor {i}", "weight": 1} for i in range(14)]
    for i, child in enumerate(document["root"]["children"]):
        child["factors"] = [child["score"], *([0] * 13)] if i else [1] * 14
    page = show(document)
    place = details(page).locator(".board-place")
    place.scroll_into_view_if_needed()
    before = place_of(place)
    for ply in ("wB2 wB1", "wS1 \\wB2", "wA1 \\wB2"):
        press(page, page.locator("#tree").get_by_text(ply, exact=True))
        after = place_of(place)
        assert after["y"] == pytest.approx(before["y"], abs=1)
