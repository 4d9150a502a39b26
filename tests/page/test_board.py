"""The position of the pinned node as a drawn board."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.page.boards import board, leaf, mark, marks, opened, searched
from tests.page.conftest import settled
from tests.page.panels import details, node, press


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


REVERSI = searched("reversi", leaf("d3", -4), leaf("c4", 9), leaf("f5", 2), leaf("e6", 1, bound="upper"))
HIVE = searched(
    "hive",
    leaf("wA1 -wS1", 9),
    leaf("wQ -wS1", 3),
    leaf("wQ /wS1", -2),
    position="Base+MLP;InProgress;White[2];wS1;bL wS1-",
)


def test_searched_plies_lie_on_the_board_larger_the_better_and_coloured_by_score(
    show: Callable[..., Page],
) -> None:
    page = show(REVERSI)
    radii = {
        name: float(mark(page, name).locator(".ply-dot").get_attribute("r") or "nan")
        for name in ("c4, +9, best of 4", "f5, +2, number 2", "d3", "e6")
    }
    assert sorted(radii.values(), reverse=True) == list(radii.values())
    expect(mark(page, "d3")).to_have_class("ply-mark ply-against")
    expect(mark(page, "f5")).to_have_class("ply-mark ply-for")
    expect(mark(page, "e6")).to_have_class("ply-mark ply-for ply-bound")
    expect(mark(page, "c4, +9")).to_have_class("ply-mark ply-for ply-best")


def test_pointing_at_a_ply_on_the_board_marks_its_card_and_back(show: Callable[..., Page]) -> None:
    page = show(REVERSI)
    mark(page, "f5").hover()
    settled(page)
    expect(page.locator("#tree .node-pointed")).to_have_attribute("aria-label", re.compile("^f5,"))
    node(page, "d3").locator(".node-card").hover()
    settled(page)
    expect(page.locator("#tree .node-pointed")).to_have_attribute("aria-label", re.compile("^d3,"))
    expect(details(page).locator(".ply-mark.ply-pointed")).to_have_attribute("aria-label", re.compile("^d3,"))


def test_a_press_on_a_ply_of_the_board_goes_to_it(show: Callable[..., Page]) -> None:
    page = show(REVERSI)
    press(page, mark(page, "f5"))
    expect(page.locator("#tooltip")).to_be_hidden()
    expect(node(page, "f5")).to_have_attribute("aria-selected", "true")
    expect(board(page)).to_have_accessible_name(re.compile("Position after f5"))
    assert marks(page).count() == 0


def test_plies_that_end_on_one_cell_share_a_mark_that_lists_them(show: Callable[..., Page]) -> None:
    page = show(HIVE)
    assert marks(page).count() == 2
    shared = mark(page, "2 plies end here; the best: wA1 -wS1")
    expect(shared.locator(".ply-count")).to_have_text("2")
    press(page, shared)
    listed = details(page).locator(".ply-button")
    expect(listed).to_have_text(["wA1 -wS1+9", "wQ -wS1+3"])
    expect(listed.first).to_be_focused()
    press(page, listed.last)
    expect(node(page, "wQ -wS1")).to_have_attribute("aria-selected", "true")


def test_the_keyboard_walks_the_plies_of_the_board_by_rank(show: Callable[..., Page]) -> None:
    page = show(REVERSI)
    mark(page, "c4, +9").focus()
    page.keyboard.press("ArrowRight")
    expect(mark(page, "f5")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(mark(page, "e6, ≤")).to_be_focused()
    page.keyboard.press("Enter")
    settled(page)
    expect(node(page, "e6")).to_have_attribute("aria-selected", "true")


def test_the_plies_on_the_board_can_be_hidden_and_stay_so(show: Callable[..., Page]) -> None:
    page = show(REVERSI)
    page.keyboard.press("o")
    settled(page)
    assert marks(page).count() == 0
    page.reload()
    settled(page)
    assert marks(page).count() == 0
    details(page).get_by_role("checkbox", name="Searched plies").check()
    settled(page)
    assert marks(page).count() == 4


def test_a_board_without_searched_plies_offers_no_switch_for_them(show: Callable[..., Page]) -> None:
    page = show(opened("reversi"))
    expect(board(page)).to_be_visible()
    expect(details(page).get_by_role("checkbox", name="Searched plies")).to_have_count(0)


@pytest.mark.parametrize(("game", "ply"), [("tictactoe", "b2"), ("connect_four", "4")])
def test_every_game_with_cells_shows_its_searched_plies(
    show: Callable[..., Page], game: str, ply: str
) -> None:
    page = show(searched(game, leaf(ply, 1)))
    expect(marks(page)).to_have_accessible_name(f"{ply}, +1, best of 1")


def test_a_hive_position_tells_bugs_stacks_hands_and_the_piece_that_moved(show: Callable[..., Page]) -> None:
    """White's beetle climbs onto black's ladybug."""
    page = show(
        searched(
            "hive",
            leaf("wB1 bL", 3),
            position="Base+MLP;InProgress;White[5];wS1;bL wS1-;wQ -wS1;bQ bL-;wB1 /wS1;bA1 bQ-;wB1 wS1\\;"
            "bA2 bQ/",
        )
    )
    press(page, node(page, "wB1 bL"))
    expect(board(page).first).to_have_accessible_name(
        "Position after wB1 bL. white queen, spider 1, beetle 1; black queen, ant 1, ant 2, ladybug; "
        "white beetle 1 on black ladybug; last ply by white beetle 1"
    )
    expect(board(page).first.locator(".board-left")).to_have_count(1)
    expect(board(page).first.locator(".board-way")).to_have_count(1)
    expect(
        details(page).get_by_role("img", name=re.compile("^white in hand: spider 2, beetle 2"))
    ).to_be_visible()
    expect(
        details(page).get_by_role("img", name="Stack, top first: white beetle 1 on black ladybug")
    ).to_be_visible()


def test_a_game_is_walked_on_the_large_board(show: Callable[..., Page]) -> None:
    page = show(REVERSI)
    page.keyboard.press("b")
    settled(page)
    large = page.get_by_role("dialog", name="Position")
    small, big = (each.bounding_box() for each in (board(page).first, large.get_by_role("img")))
    assert small is not None
    assert big is not None
    assert big["width"] > 1.3 * small["width"]
    press(page, large.get_by_role("group", name="Searched plies").get_by_role("button", name="f5, +2"))
    expect(page.get_by_role("dialog", name="Position after f5")).to_be_visible()
    press(page, page.get_by_role("button", name="Take the ply back"))
    expect(large.locator(".ply-mark")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
