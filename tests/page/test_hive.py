"""Boards of Hive, and `plyscope search hive … --view` as a person runs it, in a browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.page.boards import board, mark, searched
from tests.page.conftest import NewPage, Show, again, keys, linked, press, settled, visit
from tests.page.panels import details
from tests.page.places import place_of
from tests.page.trees import leaf
from tests.patience import PATIENCE

PLAYED = "wB1;bB1 -wB1;wQ wB1-;bQ /bB1;wB2 wQ-;bQ /wB1;wB2 wQ;bB1 bQ"
STACKED = searched(
    "hive",
    leaf("wB2 wB1", 3),
    leaf("wS1 \\wB2", 2, bound="upper"),
    leaf("wA1 \\wB2", 1, bound="upper"),
    position=f"Base+MLP;InProgress;White[5];{PLAYED}",
)


def test_stacks_hands_and_marks_of_a_hive_are_told_on_its_boards_which_stay_in_their_place(
    show: Show,
) -> None:
    children = [
        child | {"factors": [child["score"], *([0] * 13)] if i else [1] * 14}
        for i, child in enumerate(STACKED["root"]["children"])  # type: ignore[index]
    ]
    factors = [{"name": f"factor {i}", "weight": 1} for i in range(14)]
    root = {**STACKED["root"], "children": children}  # type: ignore[dict-item]
    page = show(STACKED, beside={"bars.json": {**STACKED, "factors": factors, "root": root}})
    link = linked(page)
    # A stack unfolds where one points and its row marks it. Both queens stand under beetles.
    rows = details(page).locator(".board-stack-row")
    expect(rows).to_have_count(2)
    expect(rows.last.locator("text")).to_have_text(["B1", "Q"])
    held = re.compile("^white in hand: spider 1, spider 2, grasshopper 1")
    for name in (held, "Stack, top first: black beetle 1 on black queen"):
        expect(details(page).get_by_role("img", name=name)).to_have_count(1)
    details(page).locator("text[data-stack='1,0']").first.hover()
    bubble = details(page).locator(".board-bubble")
    expect(bubble.locator("text")).to_have_text(["B2", "Q"])
    expect(details(page).locator(".board-stack-pointed text")).to_have_text(["B2", "Q"])
    rows.last.hover()
    expect(bubble).to_have_count(0)
    expect(details(page).locator(".board .board-tile-pointed").first).to_have_attribute("data-stack", "-1,1")
    # The marks are explained as far as there are any.
    key = details(page).get_by_role("list", name="Key to the marks").get_by_role("listitem")
    bounds = ["hollow: a bound", "2so many end here"]
    expect(key).to_have_text(["3 searched plies", "larger: better rank", "for the root player", *bounds])
    # White's second beetle may climb onto the first: its mark leaves the name of that readable.
    dot = place_of(mark(page, "wB2 wB1").locator(".ply-dot"))
    name = place_of(board(page).first.locator("text.board-piece-white", has_text="B1"))
    assert dot["x"] >= name["x"] + name["width"] or dot["y"] + dot["height"] <= name["y"]
    # What a placement takes from the hand is marked; its tip covers neither the board nor its plies.
    mark(page, "2 plies end here; the best: wS1").hover()
    held = details(page).locator(".board-hand .board-tile-pointed.board-tile").all()
    assert {tile.get_attribute("data-held") for tile in held} == {"wS1", "wA1"}
    expect(details(page).locator(".ply-button")).to_have_text(["wS1 \\wB2≤ +2", "wA1 \\wB2≤ +1"])
    tip = place_of(settled(page).locator("#tooltip"))
    assert tip["x"] + tip["width"] <= place_of(details(page))["x"]
    # A hive stays in its place from node to node: the first beetle stands where it stood.
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
    listed = large.get_by_role("group", name="By rank").get_by_role("button")
    expect(listed).to_have_text(["wB2 wB1+3", "wS1 \\wB2≤ +2", "wA1 \\wB2≤ +1"])
    listed.nth(2).hover()
    expect(large.locator(".ply-mark.ply-pointed")).to_have_attribute("data-ids", "2 3")
    press(page, listed.nth(1))
    expect(page.get_by_role("dialog", name="Position after wS1")).to_be_visible()
    # A board that was scrolled to stays, though a finding, a line and bars above it differ from node to node.
    keys(page, "Escape")
    press(page, page.locator("#logs .log-button", has_text="bars.json"))
    place = details(page).locator(".board-place")
    place.scroll_into_view_if_needed()
    top = place_of(place)["y"]
    for ply in ("wB2 wB1", "wS1 \\wB2", "wA1 \\wB2"):
        press(page, page.locator("#tree").get_by_text(ply, exact=True))
        assert place_of(place)["y"] == pytest.approx(top, abs=1)


@pytest.mark.slow
def test_a_search_of_hive_is_viewed_once_it_is_done(new_page: NewPage, tmp_path: Path) -> None:
    run = "from plyscope.visualizer.cli.main import run; run()"
    process = subprocess.Popen(
        (sys.executable, "-c", run, "search", "hive", "--depth", "2", "--limit", "4", "--view"),
        env={**os.environ, "BROWSER": "true", "PLYSCOPE_DATA": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        best, figures, showing = (process.stdout.readline() for _ in range(3))
        chosen = re.match(r"(\S.*?)  [+-]?[\d.]+  \(", best)
        assert chosen, best
        assert re.match(r"(depth \d: )?[\d,]+ nodes \([\d,]+ leaves\) in ", figures), figures
        address = re.search(r"showing hive\.json at (\S+) \(press Ctrl\+C to stop\)", showing)
        assert address, showing
        page = visit(new_page(), address[1])
        press(page, page.locator("#tree").get_by_text(chosen[1], exact=True).first)
        after = re.compile(f"^Position after {re.escape(chosen[1])}")
        expect(board(page).first).to_have_accessible_name(after)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        known = ("plyscope: compiling ", "plyscope: searching; watch it at ")
        errors = [line for line in said.splitlines() if not line.startswith(known)]
        assert (process.returncode, errors) == (0, [])
    finally:
        process.kill()
        process.wait()
