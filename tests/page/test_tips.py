"""The tip of a node: small, and out of the way of what one looks at next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.conftest import Server, settled, visit
from tests.page.panels import SAMPLE, node, press, write_log

FACTORS = [{"name": f"factor {n}", "weight": 1} for n in range(7)]


def forked() -> dict[str, Any]:
    """Two plies, each with two replies and a breakdown of which most is 0."""
    factors = [0, 3, 0, 0, -1, 0, 0]
    below = [{"ply": ply, "score": 1, "factors": factors} for ply in ("c", "d")]
    children = [{"ply": ply, "score": 2, "factors": factors, "children": below} for ply in ("a", "b")]
    return {"plyscope": 1, "factors": FACTORS, "root": {"layer": "max", "score": 2, "children": children}}


def test_the_tip_covers_no_child_of_its_node(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write_log(tmp_path, forked())))
    expect(node(page, "a")).to_have_attribute("aria-expanded", "true")
    node(page, "a").locator(".node-card").hover()
    settled(page)
    tip = page.get_by_role("tooltip").bounding_box()
    assert tip
    assert tip["width"] <= 350
    card = node(page, "a").locator(".node-card").bounding_box()
    assert card
    assert tip["y"] >= card["y"] + card["height"]
    for child in (node(page, "c").first, node(page, "d").first):
        box = child.bounding_box()
        assert box
        assert tip["x"] + tip["width"] <= box["x"] or tip["y"] >= box["y"] + box["height"]


def test_a_tip_with_the_meanings_of_many_factors_leaves_its_card_in_sight(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    """Nine factors, each explained, fit neither below nor above a card in the middle of a low window."""
    factors = [{"name": f"factor {n}", "weight": 1, "meaning": "What it counts. " * 3} for n in range(9)]
    below = [{"ply": ply, "score": 1, "factors": [1] * 9} for ply in ("c", "d")]
    children = [{"ply": ply, "score": 2, "factors": [1] * 9, "children": below} for ply in ("a", "b")]
    log = {"plyscope": 1, "factors": factors, "root": {"layer": "max", "score": 2, "children": children}}
    page = visit(new_page(1440, 700), serve(write_log(tmp_path, log)))
    page.keyboard.press("w")
    node(page, "a").locator(".node-card").hover()
    settled(page)
    tip = page.get_by_role("tooltip").bounding_box()
    card = node(page, "a").locator(".node-card").bounding_box()
    assert tip
    assert card
    assert tip["height"] > 400
    assert tip["x"] + tip["width"] <= card["x"] or tip["x"] >= card["x"] + card["width"]


def test_factors_that_add_nothing_are_one_row_of_the_tip(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write_log(tmp_path, forked())))
    node(page, "b").locator(".node-card").hover()
    settled(page)
    names = page.get_by_role("tooltip").locator("tbody th").all_inner_texts()
    assert names == ["factor 1", "factor 4", "5 more are 0"]
    expect(page.get_by_role("tooltip")).to_contain_text("+2")


def test_the_tip_of_a_folded_icon_says_what_lies_below(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write_log(tmp_path, forked())))
    press(page, node(page, "b"))
    press(page, node(page, "b"))
    expect(node(page, "b")).to_have_attribute("aria-expanded", "false")
    node(page, "b").locator(".wedge").hover(force=True)
    settled(page)
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("2 nodes below, 1 level deep")
    expect(tip).to_contain_text("best +1")
    assert tip.locator(".bars").count() == 0


def test_the_tip_of_the_root_and_the_panel_say_how_often_techniques_succeeded(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    counters = {
        "table": {"tried": 12345, "succeeded": 4321},
        "internal_deepening": {"tried": 40, "succeeded": 30},
    }
    log = SAMPLE | {"result": {**SAMPLE["result"], "counters": counters}}
    page = visit(new_page(), serve(write_log(tmp_path, log)))
    node(page, "root").locator(".node-card").hover()
    settled(page)
    for place in (page.get_by_role("tooltip"), page.get_by_role("region", name="The run")):
        names = [
            text for text in place.locator("dt").all_inner_texts() if text in ("table", "internal deepening")
        ]
        assert names == ["table", "internal deepening"]
        expect(place).to_contain_text("12,345 probed, 4,321 hit (35\N{NO-BREAK SPACE}%)")
        expect(place).to_contain_text("40 tried, 30 found the best (75\N{NO-BREAK SPACE}%)")
    tip = page.get_by_role("tooltip").bounding_box()
    assert tip
    assert tip["width"] <= 400
