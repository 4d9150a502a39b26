"""The position of the pinned node as a drawn board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Server, settled, visit
from tests.page.panels import details, node, press, write_log


def opened(game: str, *plies: str) -> dict[str, object]:
    """A log of one line of plies from the start of `game`."""
    root: dict[str, object] = {"children": []}
    at = root
    for ply in plies:
        child: dict[str, object] = {"ply": ply, "children": []}
        at["children"] = [child]
        at = child
    return {"plyscope": 1, "game": game, "root": root}


@pytest.fixture
def show(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> Callable[[dict[str, object]], Page]:
    def make(document: dict[str, object]) -> Page:
        return visit(new_page(), serve(write_log(tmp_path, document)))

    return make


def board(page: Page) -> Locator:
    return details(page).get_by_role("img")


def test_a_reversi_position_is_drawn_with_its_last_ply_marked(show: Callable[..., Page]) -> None:
    """After d3 black has four discs and white one: d4 was turned over."""
    page = show(opened("reversi", "d3", "c3"))
    press(page, node(page, "d3"))
    expect(board(page)).to_have_accessible_name(
        "Position after d3. 4 black disc, 1 white disc; last ply at d3"
    )
    assert board(page).locator(".board-cell").count() == 64
    assert board(page).locator(".board-last").count() == 1


def test_what_a_ply_changed_is_shown_on_request(show: Callable[..., Page]) -> None:
    page = show(opened("reversi", "d3", "c3"))
    press(page, node(page, "d3"))
    assert board(page).locator(".board-changed").count() == 0
    details(page).get_by_role("checkbox", name="Show what the ply changed").check()
    settled(page)
    assert board(page).locator(".board-changed").count() == 2
    press(page, node(page, "c3"))
    assert board(page).locator(".board-changed").count() > 0


def test_connect_four_discs_fall(show: Callable[..., Page]) -> None:
    page = show(opened("connect_four", "4", "4"))
    press(page, page.get_by_role("treeitem", level=2))
    press(page, page.get_by_role("treeitem", level=3))
    assert board(page).locator(".board-cell").count() == 42
    discs = board(page).locator(".board-disc")
    assert discs.count() == 2
    heights = sorted(float(disc.get_attribute("cy") or "nan") for disc in discs.all())
    assert heights == [4, 5]


def test_a_board_written_as_text_keeps_its_lines(show: Callable[..., Page]) -> None:
    page = show({"plyscope": 1, "root": {"board": "..X\n.O.\n<b>"}})
    expect(details(page).get_by_role("region", name="Board")).to_have_text("..X\n.O.\n<b>")
