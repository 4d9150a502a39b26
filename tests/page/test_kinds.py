"""Logs of their own kind: more than two players, chance, a drawn ply, 6,000 plays at once."""

from __future__ import annotations

import re
from itertools import permutations
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Show, keys, press, settled
from tests.page.panels import node
from tests.page.places import inside, place_of
from tests.page.trees import leaf

LEAF = {"outcome": "leaf", "bound": "exact", "layer": "min"}


def turn(ply: str, player: str, scores: list[float | None], *children: dict[str, Any]) -> dict[str, Any]:
    layer = "max" if player == "ann" else "other"
    return {"ply": ply, "player": player, "layer": layer, "scores": scores, "children": list(children)}


def test_each_player_has_a_name_a_colour_a_shape_and_bars(show: Show) -> None:
    """Four players; ann is the root player, and what dan gets after c is not known."""
    known: list[float | None] = [4, 1, 3, -2]
    below = turn("c", "dan", [4, 1, 3, None], turn("d", "ann", known))
    root = turn("", "ann", known, turn("a", "bob", known, turn("b", "cho", known, below)))
    del root["ply"]
    search = {"algorithm": "maxn", "root_player": "ann"}
    log = {"plyscope": 1, "players": ["ann", "bob", "cho", "dan"], "search": search, "root": root}
    page = keys(show(log), *["ArrowRight"] * 4)
    # A colour and a shape of its own.
    cards = [node(page, ply) for ply in ("a", "b", "c")]
    assert len({card.locator(".node-mark").get_attribute("d") for card in cards}) == 3
    stroke = "one => getComputedStyle(one).stroke"
    assert len({card.locator(".node-card").evaluate(stroke) for card in cards}) == 3
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
    ann, dan = (place_of(panel.nth(at).locator(".seat-bar")) for at in (0, 3))
    assert ann["width"] == pytest.approx(2 * dan["width"], abs=1)
    assert dan["x"] + dan["width"] == pytest.approx(ann["x"], abs=1)


def test_at_a_roll_nothing_is_chosen_and_the_large_board_stops(show: Show) -> None:
    """A ply d3 in Reversi, after which a die decides (made up), and another one."""
    rolls = [{"ply": f"roll {n}", "score": score, "prior": 0.5, **LEAF} for n, score in ((1, -5), (6, 9))]
    searched = {"score": 2, "bound": "exact", "outcome": "searched"}
    dice = {"ply": "d3", "layer": "chance", **searched, "children": rolls}
    root = {"layer": "max", **searched, "children": [dice, {"ply": "c4", "score": 1, **LEAF}]}
    page = show({"plyscope": 1, "game": "reversi", "result": {"ply": "d3", "score": 2}, "root": root})
    why, dialog = page.locator("#why"), page.locator("dialog[open]")
    expect(why.locator(".why-badge")).to_have_count(2)
    press(page, node(page, "d3"))
    keys(page, "b")
    expect(dialog).to_contain_text("Chance moves here: roll 1 50.0\u202f% roll 6 50.0\u202f%")
    keys(page, "ArrowRight")
    expect(dialog.locator("#board-title")).to_contain_text("d3")
    press(page, dialog.get_by_role("button", name=re.compile("^roll 6")))
    page.keyboard.press("Escape")
    expect(why.locator("h2")).to_have_text("Chance moves here")
    expect(why).to_contain_text("the mean of 2 outcomes is +2. Each comes with a probability of 50 %.")
    expect(why.locator(".why-badge")).to_have_count(0)


DRAWN = {"ply": "b", "score": 6, "rank": 1, "randomness_quotient": 2, "seed": 1}
RANKED = {"layer": "max", "score": 6, "children": [leaf("a", 8), leaf("b", 6), leaf("c", 3, bound="upper")]}
"""The expected loss is 1/2 of nothing, 1/4 of 2, and 1/4 of 5 at least: 1.75."""


def test_the_root_shows_its_plies_by_rank_rings_the_drawn_one_and_tries_other_quotients(show: Show) -> None:
    page = show({"plyscope": 1, "result": DRAWN, "root": RANKED}, 1280, 720)
    part = page.locator("#quotient")
    rows = part.locator("tbody tr")
    expect(rows).to_have_count(3)
    # The ranks stand before all other details of the root.
    others = page.locator("#details-panel details.section")
    expect(others.first).to_be_visible()
    tops = [box["y"] for each in others.all() if (box := each.bounding_box()) is not None]
    assert place_of(part)["y"] < min(tops)
    told = [row.inner_text().split() for row in rows.all()]
    assert told[0] == ["0", "a", "50", "%", "8.00", "0.00"]
    assert told[1] == ["1", "b", "25", "%", "6.00", "2.00"]
    assert told[2][-2:] == ["≥", "5.00"]
    assert "≤" in told[2]
    ringed = part.locator(".figures-strong")
    expect(ringed).to_have_count(1)
    expect(ringed.locator("th")).to_have_text("1 b")
    outline = "bar => getComputedStyle(bar).outlineStyle"
    assert ringed.locator(".bar-track").evaluate(outline) == "solid"
    expect(part.locator(".figure-caption").first).to_contain_text("Expected loss at least 1.75.")
    # The slider puts another quotient in its place: 2/3 for the best.
    slider = part.get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    expect(part.locator("output")).to_have_text("3")
    expect(rows.first).to_contain_text("67 %")
    expect(part).to_contain_text("The search drew with Q = 2.")
    # A rank leads to its ply, which has none.
    press(settled(page), part.get_by_role("button", name="0 a"))
    expect(part).to_be_hidden()


CELLS: Final = tuple(f"{column}{row}" for row in range(8, 0, -1) for column in "abcdefghij")
ZONES: Final = {"w": "inside wall", "g": "ground"}
WEIGHTS: Final = {"tile_score": 100.0, "double_bonus": 30.0, "next_1": -100.0, "heat": 160.0}
PLAYS: Final = [f"great-hall corner {one} + blank wall {other}" for one, other in permutations(CELLS, 2)]


def fan_log() -> dict[str, Any]:
    """A leaf for each play, the best rank first, below a board whose cells have heat."""
    scores = range(len(PLAYS), 0, -1)
    plays = [
        {"ply": ply, "score": score, "factors": [0, 0, 0, score % 30], "layer": "min", "outcome": "leaf"}
        for ply, score in zip(PLAYS, scores, strict=True)
    ]
    cells = [
        {"x": at % 10, "y": at // 10, "name": name, "label": "wg"[at % 2], "value": at / 10}
        for at, name in enumerate(CELLS)
    ]
    return {
        "plyscope": 1,
        "board": {"kind": "squares", "cells": cells, "value": "heat", "labels": ZONES},
        "search": {"algorithm": "ranked", "depth": 1},
        "factors": [{"name": name, "weight": weight} for name, weight in WEIGHTS.items()],
        "root": {"layer": "max", "score": len(PLAYS), "children": plays},
    }


def test_the_table_of_6000_plays_is_open_with_its_factors_beside_a_board_with_heat(show: Show) -> None:
    log = fan_log()
    fan = show(log, 1600, 900)
    assert len(PLAYS) > 6_000
    expect(fan.locator(".rows-title")).to_contain_text(f"{len(PLAYS):,} children of")
    headings, rows = fan.locator(".rows-names"), fan.locator("#drawer .rows-list [role=option]")
    for name in WEIGHTS:
        expect(headings).to_contain_text(name.replace("_", " "))
    columns = rows.first.locator("> span")
    assert columns.first.evaluate("it => it.clientWidth") > 220  # room for most of a play's text
    assert inside(place_of(columns.last), place_of(fan.locator("#drawer .rows-list")), 1)
    # A factor sorts the plays: the first is of the least heat, or of the most.
    headings.get_by_role("button", name="heat").press("Enter")
    settled(fan)
    place = int(rows.first.inner_text().split()[-1].lstrip("#")) - 1  # the root has id 0, the plays follow
    ascending = headings.get_by_role("button", name="heat, sorted ascending").count() > 0
    heat = [child["factors"][-1] for child in log["root"]["children"]]
    assert heat[place] == (min(heat) if ascending else max(heat))
    assert "sort=factors.heat" in fan.url
    # The board shows the heat map, and the play that is selected.
    board, panel = fan.locator("#details-panel svg.board-squares"), fan.locator("#details-panel")
    expect(board.locator(".board-value")).to_have_count(len(CELLS))
    expect(panel.locator(".board-key")).to_contain_text("Shaded: heat, ")
    expect(panel.locator(".board-key")).to_contain_text(f"w {ZONES['w']}")
    expect(fan.get_by_role("region", name="Board", exact=True)).to_have_count(0)
    expect(panel.locator(".facts-extra")).to_contain_text("ranked")
    expect(panel.locator(".facts-extra")).not_to_contain_text("cells")
    press(fan, rows.first)
    for part, n in (("value", len(CELLS) - 2), ("last", 1), ("touched", 1)):
        expect(board.locator(f".board-{part}")).to_have_count(n)
