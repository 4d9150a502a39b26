"""Games of more than two: each player has a name, a colour and a shape, and everybody's scores are bars."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Show, keys, press
from tests.page.panels import node


def turn(ply: str, player: str, scores: list[float | None], *children: dict[str, Any]) -> dict[str, Any]:
    layer = "max" if player == "ann" else "other"
    return {"ply": ply, "player": player, "layer": layer, "scores": scores, "children": list(children)}


@pytest.fixture
def page(show: Show) -> Page:
    """Four players; ann is the root player, and what dan gets after c is not known."""
    last = turn("d", "ann", [4, 1, 3, -2])
    root = turn("", "ann", [4, 1, 3, -2], turn("a", "bob", [4, 1, 3, -2], turn("b", "cho", [4, 1, 3, -2])))
    root["children"][0]["children"][0]["children"] = [turn("c", "dan", [4, 1, 3, None], last)]
    del root["ply"]
    search = {"algorithm": "maxn", "root_player": "ann"}
    log = {"plyscope": 1, "players": ["ann", "bob", "cho", "dan"], "search": search, "root": root}
    page = show(log)
    for _ in range(4):
        keys(page, "ArrowRight")
    return page


def test_each_player_has_a_name_a_colour_a_shape_and_bars(page: Page) -> None:
    # A colour and a shape of its own.
    marks, colours = set(), set()
    for ply in ("a", "b", "c"):
        card = node(page, ply)
        marks.add(card.locator(".node-mark").get_attribute("d"))
        colours.add(card.locator(".node-card").evaluate("one => getComputedStyle(one).stroke"))
    assert (len(marks), len(colours)) == (3, 3)
    expect(page.locator(".legend-marks")).to_contain_text("bob")
    expect(page.locator(".legend-marks .layer-mark")).to_have_count(4)
    # A screen reader hears who moves.
    expect(node(page, "b")).to_have_attribute("aria-label", re.compile(r"^b, cho,"))
    # Scores are bars with names in the tip and in the details.
    node(page, "c").locator(".node-card").hover(force=True)
    rows = page.get_by_role("tooltip").locator(".seats tr")
    expect(rows.locator("th")).to_have_text(["ann", "bob", "cho", "dan"])
    expect(rows.locator("td.number")).to_have_text(["+4", "+1", "+3", "?"])
    press(page, node(page, "b"))
    panel = page.locator("#details-panel .seats tr")
    expect(panel.locator("td.number")).to_have_text(["+4", "+1", "+3", "−2"])
    bars = [panel.nth(at).locator(".seat-bar").bounding_box() for at in (0, 3)]
    assert bars[0]
    assert bars[1]
    assert bars[0]["width"] == pytest.approx(2 * bars[1]["width"], abs=1)
    assert bars[1]["x"] + bars[1]["width"] == pytest.approx(bars[0]["x"], abs=1)
