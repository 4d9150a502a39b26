"""The position of the pinned node as a drawn board, of our games and of somebody's own."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import plyscope
from plyscope.engine.games import outside
from tests.own_game import write_strip
from tests.page.boards import board, mark, marks, over, searched
from tests.page.conftest import Serve, Show, again, keys, linked, press, settled, visit
from tests.page.panels import details, node
from tests.page.places import place_of
from tests.page.test_check import badge, panel
from tests.page.trees import chain, leaf, selected

STARTED = "Base+MLP;InProgress;White[2];wS1;bL wS1-"


def test_a_position_is_drawn_with_what_the_ply_changed_a_stated_one_in_its_colours_or_lines(
    show: Show,
) -> None:
    """After d3 black has four discs and white one: d4 was turned over."""
    cells = [{"x": 0, "y": 0, "pieces": ["white crowned disc"]}, {"x": 2, "y": 0, "pieces": ["red K"]}]
    written = {"ply": "b1", "score": 1, "outcome": "leaf", "board": "..X\n.O.\n<b>"}
    root = {"layer": "max", "score": 1, "children": [written]}
    stated = {"plyscope": 1, "board": {"kind": "points", "cells": cells}, "root": root}
    reversi = {"plyscope": 1, "game": "reversi", "root": chain("d3", "c3")}
    page = show(reversi, beside={"stated.json": stated})
    press(page, node(page, "d3"))
    name = "Position after d3. 4 black disc, 1 white disc; last ply at d3"
    expect(board(page)).to_have_accessible_name(name)
    for part, n in (("cell", 64), ("last", 1), ("changed", 0)):
        assert board(page).locator(f".board-{part}").count() == n
    details(page).get_by_role("checkbox", name="Show what the ply changed").check()
    settled(page)
    assert board(page).locator(".board-changed").count() == 2
    press(page, node(page, "c3"))
    assert board(page).locator(".board-changed").count() > 0
    # Where no ply was searched there is no switch for them.
    expect(details(page).get_by_role("checkbox", name="Searched plies")).to_have_count(0)
    # A board that the log states has its colours; one that is written as text keeps its lines.
    press(page, page.locator("#logs .log-button", has_text="stated.json"))
    expect(board(page)).to_have_accessible_name("Position. 1 white crowned disc, 1 red K")
    fill = "all => all.map(shape => getComputedStyle(shape).fill)"
    fills = board(page).locator(".board-shape").evaluate_all(fill)
    assert set(fills) == {"rgb(253, 252, 248)", "rgb(199, 58, 75)"}
    press(page, node(page, "b1"))
    expect(details(page).get_by_role("region", name="Board")).to_have_text("..X\n.O.\n<b>")


REVERSI = searched("reversi", leaf("d3", -4), leaf("c4", 9), leaf("f5", 2), leaf("e6", 1, bound="upper"))
HIVE = searched("hive", leaf("wA1 -wS1", 9), leaf("wQ /wS1", 5), leaf("wQ -wS1", 3), position=STARTED)


def large_board(page: Page) -> Locator:
    keys(page, "b")
    return page.get_by_role("dialog", name="Position")


def test_searched_plies_lie_on_the_board_and_are_walked_there(show: Show) -> None:
    page = show(REVERSI)
    link = linked(page)
    # Searched plies lie on the board, coloured by score.
    kinds = {"d3": "against", "f5": "for", "e6": "for ply-bound", "c4, +9, best of 4": "for ply-best"}
    for name, kind in kinds.items():
        expect(mark(page, name)).to_have_class(f"ply-mark ply-{kind}")
    # Pointing at a ply on the board marks its card and back.
    mark(page, "f5").hover()
    pointed = settled(page).locator("#tree .node-pointed")
    expect(pointed).to_have_attribute("aria-label", re.compile("^f5,"))
    node(page, "d3").locator(".node-card").hover()
    expect(settled(page).locator("#tree .node-pointed")).to_have_attribute("aria-label", re.compile("^d3,"))
    expect(details(page).locator(".ply-mark.ply-pointed")).to_have_attribute("aria-label", re.compile("^d3,"))
    # A press on a ply of the board goes to it.
    press(page, mark(page, "f5"))
    expect(page.locator("#tooltip")).to_be_hidden()
    assert selected(page) == "f5"
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
    assert selected(page) == "e6"
    # A game is walked on the large board, and no tip opens behind it.
    again(page, link)
    large = large_board(page)
    assert place_of(large.get_by_role("img"))["width"] > 1.3 * place_of(board(page).first)["width"]
    large.locator(".ply-mark").first.hover()
    expect(settled(page).locator("#tree .node-pointed")).to_have_count(1)
    expect(page.locator("#tooltip")).to_be_hidden()
    press(page, large.get_by_role("group", name="Searched plies").get_by_role("button", name="f5, +2"))
    expect(page.get_by_role("dialog", name="Position after f5")).to_be_visible()
    press(page, page.get_by_role("button", name="Take back"))
    expect(large.locator(".ply-mark")).to_have_count(4)
    keys(page, "Escape")
    expect(large).to_be_hidden()
    expect(page.locator("#tooltip")).to_be_hidden()
    # The plies on the board can be hidden and stay so.
    again(page, link)
    keys(page, "o")
    assert marks(page).count() == 0
    page.reload()
    assert marks(settled(page)).count() == 0
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
    # Plies that end where one points are marked in the list of the large board; a press leads it with them.
    again(page, link)
    large = large_board(page)
    shared = large.get_by_role("button", name="2 plies end here")
    shared.hover()
    expect(large.locator(".ply-there")).to_have_text(["wA1 -wS1+9", "wQ -wS1+3"])
    large.get_by_role("heading").hover()
    expect(large.locator(".ply-there")).to_have_count(0)
    press(page, shared)
    listed = large.locator(".ply-button")
    expect(large.locator(".ply-heading")).to_have_text("2 plies end here: choose one")
    expect(listed).to_have_text(["wA1 -wS1+9", "wQ -wS1+3", "wQ /wS1+5"])
    expect(large.locator(".ply-there")).to_have_text(["wA1 -wS1+9", "wQ -wS1+3"])
    expect(listed.first).to_be_focused()
    expect(large.locator(".ply-mark.ply-chosen")).to_have_count(1)
    press(page, listed.nth(1))
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
    for key, title in (
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
    ):
        keys(page, key)
        said = re.compile(f"^Position {title}".rstrip() + r"[+−≤\s]*\d")
        expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text(said)
    expect(page.get_by_role("dialog")).to_contain_text("take it back")
    keys(page, "b")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert selected(page) == "d3"
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
    # On a phone it opens by one press, though the details are closed, which the board leads.
    keys(page, "Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(details(page)).to_be_hidden()
    again(page, link)
    keys(page, "b", "ArrowRight")
    expect(page.get_by_role("dialog", name="Position after d3")).to_be_visible()
    keys(page, "Escape")
    if details(page).is_hidden():
        keys(page, "]")
    line = place_of(details(page).get_by_text("The line that decided the score"))
    figure = place_of(board(page).first)
    assert figure["y"] + figure["height"] <= line["y"]


def test_plies_near_a_win_are_said_in_words_and_one_that_was_searched_twice_is_one_step(show: Show) -> None:
    log = searched("reversi", leaf("d3", 999_995), leaf("c4", 999_997, bound="upper"), over("f5", 999_994))
    mate = {"score": 1_000_000, "step": 1, "threshold": 999_000}
    scout = leaf("d3", 5, bound="lower", purpose="scout")
    twice = searched("reversi", scout, leaf("d3", 9, purpose="research"), leaf("c4", 4))
    page = show({**log, "search": {"mate": mate}}, beside={"twice.json": twice})
    for name in (
        "d3, win in 5 among the plies searched, best of 3",
        "f5, win in 6, number 2 of 3",
        "c4, at best a win in 3",
    ):
        expect(mark(page, name)).to_have_count(1)
    listed = large_board(page).locator(".ply-score")
    expect(listed).to_have_text(["win in 5?", "win in 6", "≤\N{NO-BREAK SPACE}win in 3"])
    # The end of a game is said.
    keys(page, "Escape")
    press(page, node(page, "f5"))
    expect(details(page).get_by_text("The root player wins")).to_be_visible()
    # What was searched twice is one step on the large board.
    press(page, page.locator("#logs .log-button", has_text="twice.json"))
    large_board(page)
    keys(page, "ArrowRight", "ArrowDown")
    expect(page.get_by_role("dialog", name="Position after c4")).to_be_visible()
    keys(page, "ArrowUp")
    expect(page.get_by_role("dialog", name="Position after d3")).to_be_visible()
    expect(page.locator(".board-score")).to_have_text("+9")


def test_pointing_at_a_mark_leaves_the_large_board_where_it_is(show: Show) -> None:
    """The worst ply stands below what a low window shows of the list."""
    plies = [leaf(f"{column}{row}", -index) for index, (column, row) in enumerate(product("abc", "123"))]
    page = show(searched("tictactoe", *plies), 390, 560)
    press(page, page.get_by_role("button", name="Details of the node"))
    large = large_board(page)
    worst = large.get_by_role("group", name="Searched plies").get_by_role("button", name="c3")
    worst.scroll_into_view_if_needed()
    before = place_of(worst)
    worst.hover()
    expect(large.locator(".ply-there")).to_have_text(re.compile("^c3"))
    assert place_of(worst) == before


def test_the_large_board_takes_the_room_that_is_free_and_says_who_is_to_move(show: Show) -> None:
    replies = [leaf("b2", 1, layer="min"), leaf("a1", 0, layer="min", player="o")]
    root = {"layer": "max", "player": "x", "score": 1, "outcome": "searched", "children": replies}
    page = show({"plyscope": 1, "game": "tictactoe", "players": ["x", "o"], "root": root}, 1280, 720)
    large = large_board(page)
    expect(large.get_by_role("heading")).to_have_text("Position, x to move+1")
    press(page, large.get_by_role("group", name="By rank").get_by_role("button", name="b2"))
    expect(large.get_by_role("heading")).to_have_text("Position after b2, o to move+1")
    for width, height in ((1280, 720), (1920, 1080), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        layers, body = (place_of(large.locator(name)) for name in (".board-layers", ".dialog-body"))
        assert max(layers["width"] / body["width"], layers["height"] / body["height"]) > 0.9


def test_a_game_of_a_file_has_boards_along_a_path_and_is_replayed(
    show: Show, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = write_strip(tmp_path)
    log = tmp_path / "strip.json"
    plyscope.search(place, depth=4, algorithm="minimax", progress=False).write(log, progress=False)
    # A viewer that was started without the game says so, and how to start it.
    monkeypatch.setattr(outside, "_brought", {})
    page = show(log)
    notes = page.get_by_role("region", name="Notes on this log")
    expect(notes).to_contain_text("The game 'strip' is not known here: no boards, no replay.")
    expect(notes.locator("code")).to_have_text("plyscope view strip.json --game FILE.py:Class")
    # One that was given the game draws it along every path, with the plies that were searched.
    outside.bring(place)
    visit(page, serve(log))
    expect(notes).to_be_hidden()
    press(page, node(page, "b1"))
    after = "Position after {0}. 1 white disc, 1 black disc; last ply at {0}"
    expect(board(page)).to_have_accessible_name(after.format("b1"))
    press(page, mark(page, re.compile("^f1")))
    expect(board(page)).to_have_accessible_name(after.format("f1"))
    assert board(page).locator(".board-shape").count() == 2
    details(page).get_by_role("checkbox", name="Show what the ply changed").check()
    settled(page)
    assert board(page).locator(".board-changed").count() == 2
    # Its plies are played again by the check.
    press(page, badge(page))
    expect(panel(page)).to_contain_text("none is broken")
    press(page, panel(page).get_by_text(re.compile("^Checked")))
    expect(panel(page)).to_contain_text("in a known game: plies legal")
