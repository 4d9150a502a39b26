"""A log of a game of somebody's own: a notice where the viewer does not know it, else boards and replay."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import plyscope
from plyscope.engine.games import outside
from tests.own_game import write_strip
from tests.page.boards import board, mark
from tests.page.conftest import Serve, Show, press, settled, visit
from tests.page.panels import details, node
from tests.page.test_check import badge, panel


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
    expect(board(page)).to_have_accessible_name(
        "Position after b1. 1 white disc, 1 black disc; last ply at b1"
    )
    press(page, mark(page, re.compile("^f1")))
    expect(board(page)).to_have_accessible_name(
        "Position after f1. 1 white disc, 1 black disc; last ply at f1"
    )
    assert board(page).locator(".board-shape").count() == 2
    details(page).get_by_role("checkbox", name="Show what the ply changed").check()
    settled(page)
    assert board(page).locator(".board-changed").count() == 2
    # Its plies are played again by the check.
    press(page, badge(page))
    expect(panel(page)).to_contain_text("none is broken")
    press(page, panel(page).get_by_text(re.compile("^Checked")))
    expect(panel(page)).to_contain_text("in a known game: plies legal")
