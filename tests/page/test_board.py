"""The position of the pinned node as a drawn board."""

from __future__ import annotations

import re
from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.boards import board, leaf, mark, marks, opened, over, searched
from tests.page.conftest import Show, again, keys, linked, place_of, press, settled
from tests.page.panels import details, node


def test_a_reversi_position_is_drawn_with_what_the_ply_changed(show: Show) -> None:
    page = show(opened("reversi", "d3", "c3"))
    link = linked(page)
    # A reversi position is drawn with its last ply marked. After d3 black has four discs and white one: d4
    # was turned over.
    press(page, node(page, "d3"))
    expect(board(page)).to_have_accessible_name(
        "Position after d3. 4 black disc, 1 white disc; last ply at d3"
    )
    assert board(page).locator(".board-cell").count() == 64
    assert board(page).locator(".board-last").count() == 1
    # What a ply changed is shown on request.
    again(page, link)
    press(page, node(page, "d3"))
    assert board(page).locator(".board-changed").count() == 0
    details(page).get_by_role("checkbox", name="Show what the ply changed").check()
    settled(page)
    assert board(page).locator(".board-changed").count() == 2
    press(page, node(page, "c3"))
    assert board(page).locator(".board-changed").count() > 0


def test_connect_four_discs_fall(show: Show) -> None:
    page = show(opened("connect_four", "4", "4"))
    press(page, page.get_by_role("treeitem", level=2))
    press(page, page.get_by_role("treeitem", level=3))
    assert board(page).locator(".board-cell").count() == 42
    discs = board(page).locator(".board-shape")
    assert discs.count() == 2
    places = sorted(disc.get_attribute("transform") or "" for disc in discs.all())
    assert places == ["translate(3 4) scale(0.01)", "translate(3 5) scale(0.01)"]


def test_a_stated_board_of_lines_is_drawn_and_heard(show: Show) -> None:
    cells = [
        {"x": 0, "y": 0, "name": "a2", "pieces": ["white crowned disc"]},
        {"x": 2, "y": 0, "name": "c2", "pieces": ["red K"]},
        {"x": 1, "y": 1, "name": "b1"},
    ]
    stated = {"kind": "points", "cells": cells, "lines": [["a2", "c2", "b1", "a2"]]}
    root = {"layer": "max", "score": 1, "children": [{"ply": "b1", "score": 1, "outcome": "leaf"}]}
    page = show({"plyscope": 1, "board": stated, "root": root})
    expect(board(page)).to_have_accessible_name("Position. 1 white crowned disc, 1 red K")
    assert board(page).locator(".board-lines").get_attribute("d") == "M0 0L2 0L1 1L0 0"
    assert board(page).locator(".board-shape-line").count() == 1
    expect(board(page).locator("text.board-piece")).to_have_text("K")
    fills = {
        shape.evaluate("shape => getComputedStyle(shape).fill")
        for shape in board(page).locator(".board-shape").all()
    }
    assert fills == {"rgb(253, 252, 248)", "rgb(199, 58, 75)"}


def test_a_board_written_as_text_keeps_its_lines(show: Show) -> None:
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


def test_searched_plies_lie_on_the_board_and_are_walked_there(show: Show) -> None:
    page = show(REVERSI)
    link = linked(page)
    # Searched plies lie on the board larger the better and coloured by score.
    radii = {
        name: float(mark(page, name).locator(".ply-dot").get_attribute("r") or "nan")
        for name in ("c4, +9, best of 4", "f5, +2, number 2", "d3", "e6")
    }
    assert sorted(radii.values(), reverse=True) == list(radii.values())
    expect(mark(page, "d3")).to_have_class("ply-mark ply-against")
    expect(mark(page, "f5")).to_have_class("ply-mark ply-for")
    expect(mark(page, "e6")).to_have_class("ply-mark ply-for ply-bound")
    expect(mark(page, "c4, +9")).to_have_class("ply-mark ply-for ply-best")
    # Pointing at a ply on the board marks its card and back.
    again(page, link)
    mark(page, "f5").hover()
    settled(page)
    expect(page.locator("#tree .node-pointed")).to_have_attribute("aria-label", re.compile("^f5,"))
    node(page, "d3").locator(".node-card").hover()
    settled(page)
    expect(page.locator("#tree .node-pointed")).to_have_attribute("aria-label", re.compile("^d3,"))
    expect(details(page).locator(".ply-mark.ply-pointed")).to_have_attribute("aria-label", re.compile("^d3,"))
    # A press on a ply of the board goes to it.
    again(page, link)
    press(page, mark(page, "f5"))
    expect(page.locator("#tooltip")).to_be_hidden()
    expect(node(page, "f5")).to_have_attribute("aria-selected", "true")
    expect(board(page)).to_have_accessible_name(re.compile("Position after f5"))
    assert marks(page).count() == 0
    # The keyboard walks the plies of the board by rank.
    again(page, link)
    mark(page, "c4, +9").focus()
    page.keyboard.press("ArrowRight")
    expect(mark(page, "f5")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(mark(page, "e6, ≤")).to_be_focused()
    keys(page, "Enter")
    expect(node(page, "e6")).to_have_attribute("aria-selected", "true")
    # A game is walked on the large board.
    again(page, link)
    keys(page, "b")
    large = page.get_by_role("dialog", name="Position")
    small, big = (each.bounding_box() for each in (board(page).first, large.get_by_role("img")))
    assert small is not None
    assert big is not None
    assert big["width"] > 1.3 * small["width"]
    press(page, large.get_by_role("group", name="Searched plies").get_by_role("button", name="f5, +2"))
    expect(page.get_by_role("dialog", name="Position after f5")).to_be_visible()
    press(page, page.get_by_role("button", name="Take back"))
    expect(large.locator(".ply-mark")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    # No tip opens behind the large board.
    again(page, link)
    large = large_board(page)
    large.locator(".ply-mark").first.hover()
    settled(page)
    expect(page.locator("#tree .node-pointed")).to_have_count(1)
    expect(page.locator("#tooltip")).to_be_hidden()
    keys(page, "Escape")
    expect(page.locator("#tooltip")).to_be_hidden()
    # The plies on the board can be hidden and stay so.
    again(page, link)
    keys(page, "o")
    assert marks(page).count() == 0
    page.reload()
    settled(page)
    assert marks(page).count() == 0
    details(page).get_by_role("checkbox", name="Searched plies").check()
    settled(page)
    assert marks(page).count() == 4


def test_plies_that_end_on_one_cell_are_one_mark_with_a_list(show: Show) -> None:
    page = show(HIVE)
    link = linked(page)
    # Plies that end on one cell share a mark that lists them.
    assert marks(page).count() == 2
    shared = mark(page, "2 plies end here; the best: wA1 -wS1")
    expect(shared.locator(".ply-count")).to_have_text("2")
    press(page, shared)
    listed = details(page).locator(".ply-button")
    expect(listed).to_have_text(["wA1 -wS1+9", "wQ -wS1+3"])
    expect(listed.first).to_be_focused()
    press(page, listed.last)
    expect(node(page, "wQ -wS1")).to_have_attribute("aria-selected", "true")
    # Plies that end where one points are marked in the list.
    again(page, link)
    large = large_board(page)
    large.get_by_role("button", name="2 plies end here").hover()
    expect(large.locator(".ply-there")).to_have_text(["wA1 -wS1+9", "wQ -wS1+3"])
    large.get_by_role("heading").hover()
    expect(large.locator(".ply-there")).to_have_count(0)


def test_a_board_without_searched_plies_offers_no_switch_for_them(show: Show) -> None:
    page = show(opened("reversi"))
    expect(board(page)).to_be_visible()
    expect(details(page).get_by_role("checkbox", name="Searched plies")).to_have_count(0)


@pytest.mark.parametrize(("game", "ply"), [("tictactoe", "b2"), ("connect_four", "4")])
def test_every_game_with_cells_shows_its_searched_plies(show: Show, game: str, ply: str) -> None:
    page = show(searched(game, leaf(ply, 1)))
    expect(marks(page)).to_have_accessible_name(f"{ply}, +1, best of 1")


def test_a_hive_position_tells_bugs_stacks_hands_and_the_piece_that_moved(show: Show) -> None:
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


def large_board(page: Page) -> Locator:
    keys(page, "b")
    return page.get_by_role("dialog", name="Position")


def test_a_mark_of_several_plies_leads_the_list_of_the_large_board_with_them(show: Show) -> None:
    plies = [leaf("wA1 -wS1", 9), leaf("wQ /wS1", 5), leaf("wQ -wS1", 3)]
    page = show(searched("hive", *plies, position="Base+MLP;InProgress;White[2];wS1;bL wS1-"))
    large = large_board(page)
    press(page, large.get_by_role("button", name="2 plies end here"))
    expect(large.locator(".ply-heading")).to_have_text("2 plies end here: choose one")
    expect(large.locator(".ply-button")).to_have_text(["wA1 -wS1+9", "wQ -wS1+3", "wQ /wS1+5"])
    expect(large.locator(".ply-there")).to_have_text(["wA1 -wS1+9", "wQ -wS1+3"])
    expect(large.locator(".ply-button").first).to_be_focused()
    expect(large.locator(".ply-mark.ply-chosen")).to_have_count(1)
    press(page, large.locator(".ply-button").nth(1))
    expect(page.get_by_role("dialog", name="Position after wQ -wS1")).to_be_visible()


def forked() -> dict[str, object]:
    """Black's best ply is d3, then c4, both with a reply; e6 is a bound, and so the last."""
    best = {**leaf("d3", 9), "outcome": "searched", "layer": "min", "children": [leaf("c3", 9)]}
    second = {**leaf("c4", 4), "outcome": "searched", "layer": "min", "children": [leaf("c3", 4)]}
    log = searched("reversi", second, leaf("e6", 9, bound="upper"), best)
    return {**log, "result": {"ply": "d3", "score": 9, "pv": ["d3", "c3"]}}


def test_the_large_board_is_walked_by_the_keys_of_the_tree(show: Show) -> None:
    page = show(forked())
    link = linked(page)
    # The keys of the tree walk the large board.
    large_board(page)
    steps = [
        ("ArrowRight", "after d3"),
        ("ArrowDown", "after c4"),
        ("ArrowDown", "after e6"),
        ("ArrowDown", "after e6"),
        ("ArrowUp", "after c4"),
        ("ArrowRight", "after c3"),
        ("ArrowLeft", "after c4"),
        ("Backspace", "after c3"),
        ("Home", ""),
        ("p", "after d3"),
        ("p", "after c3"),
        ("P", "after d3"),
    ]
    for key, title in steps:
        keys(page, key)
        expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text(
            re.compile(f"^Position {title}".rstrip() + r"[+−≤\s]*\d")
        )
    expect(page.get_by_role("dialog")).to_contain_text("take it back")
    keys(page, "b")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(node(page, "d3")).to_have_attribute("aria-selected", "true")
    # The first ply taken back leaves the focus in the dialog.
    again(page, link)
    large_board(page)
    keys(page, "ArrowRight")
    press(page, page.get_by_role("button", name="Take back"))
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()
    expect(page.get_by_role("button", name="Close", exact=True)).to_be_focused()
    # The large board of held details is walked and lets them follow.
    keys(page, "Escape")
    again(page, link)
    press(page, details(page).get_by_role("button", name="Pin the details"))
    large = large_board(page)
    press(page, large.get_by_role("group", name="Searched plies").get_by_role("button", name="c4"))
    expect(page.get_by_role("dialog", name="Position after c4")).to_be_visible()


def test_plies_near_a_win_are_said_in_words_on_the_board(show: Show) -> None:
    log = searched("reversi", leaf("d3", 999_995), leaf("c4", 999_997, bound="upper"), over("f5", 999_994))
    mate = {"score": 1_000_000, "step": 1, "threshold": 999_000}
    page = show({**log, "search": {"mate": mate}})
    expect(mark(page, "d3, win in 5 among the plies searched, best of 3")).to_have_count(1)
    expect(mark(page, "f5, win in 6, number 2 of 3")).to_have_count(1)
    expect(mark(page, "c4, at best a win in 3")).to_have_count(1)
    listed = large_board(page).locator(".ply-score")
    expect(listed).to_have_text(["win in 5?", "win in 6", "≤\N{NO-BREAK SPACE}win in 3"])


def test_on_a_phone_the_board_leads_the_details(show: Show) -> None:
    page = show(forked(), 390, 844)
    # The large board opens by one press, though the details are closed at first.
    page.keyboard.press("b")
    expect(page.locator("#board-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    keys(page, "]")
    press(page, page.get_by_role("button", name="Details of the node"))
    line = details(page).get_by_text("The line that decided the score")
    figure, first = place_of(board(page).first), place_of(line)
    assert figure["y"] + figure["height"] <= first["y"]


def test_pointing_at_a_mark_leaves_the_large_board_where_it_is(show: Show) -> None:
    """The worst ply stands below what a low window shows of the list."""
    plies = [leaf(f"{column}{row}", -index) for index, (column, row) in enumerate(product("abc", "123"))]
    page = show(searched("tictactoe", *plies), 390, 560)
    press(page, page.get_by_role("button", name="Details of the node"))
    large = large_board(page)
    worst = large.get_by_role("group", name="Searched plies").get_by_role("button", name="c3")
    worst.scroll_into_view_if_needed()
    before = worst.bounding_box()
    worst.hover()
    expect(large.locator(".ply-there")).to_have_text(re.compile("^c3"))
    assert worst.bounding_box() == before


def test_a_ply_that_was_searched_twice_is_one_step_on_the_large_board(show: Show) -> None:
    scout = leaf("d3", 5, bound="lower", purpose="scout")
    page = show(searched("reversi", scout, leaf("d3", 9, purpose="research"), leaf("c4", 4)))
    large_board(page)
    keys(page, "ArrowRight", "ArrowDown")
    expect(page.get_by_role("dialog", name="Position after c4")).to_be_visible()
    keys(page, "ArrowUp")
    expect(page.get_by_role("dialog", name="Position after d3")).to_be_visible()
    expect(page.locator(".board-score")).to_have_text("+9")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900), (1920, 1080), (390, 844)])
def test_the_large_board_takes_the_room_that_is_free_and_says_who_is_to_move(
    show: Show, width: int, height: int
) -> None:
    replies = [leaf("b2", 1, layer="min"), leaf("a1", 0, layer="min", player="o")]
    root = {"layer": "max", "player": "x", "score": 1, "outcome": "searched", "children": replies}
    log = {"plyscope": 1, "game": "tictactoe", "players": ["x", "o"], "root": root}
    page = show(log, width, height)
    if width < 600:
        press(page, page.get_by_role("button", name="Details of the node"))
    large = large_board(page)
    expect(large.get_by_role("heading")).to_have_text("Position, x to move+1")
    boxes = [large.locator(name).bounding_box() for name in (".board-layers", ".dialog-body")]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert max(boxes[0][side] / boxes[1][side] for side in ("width", "height")) > 0.9
    press(page, large.get_by_role("group", name="By rank").get_by_role("button", name="b2"))
    expect(large.get_by_role("heading")).to_have_text("Position after b2, o to move+1")


def test_below_a_wide_board_is_the_list_of_its_plies(show: Show) -> None:
    cells = [{"x": x, "y": 0, "name": f"{column}1"} for x, column in enumerate("abcdefgh")]
    large = large_board(
        show({"plyscope": 1, "board": {"kind": "free", "cells": cells}, "root": {"layer": "max", "score": 1}})
    )
    boxes = [large.locator(name).bounding_box() for name in (".board-layers", ".dialog-body")]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["width"] > 0.95 * boxes[1]["width"]
