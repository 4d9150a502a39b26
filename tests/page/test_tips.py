"""The tip of a node: small, and out of the way of what one looks at next."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import FloatRect, Locator, expect

from tests.page.conftest import Show, keys, place_of, press, settled
from tests.page.panels import SAMPLE, node

FACTORS = [{"name": f"factor {n}", "weight": 1} for n in range(7)]


def forked() -> dict[str, Any]:
    """Two plies, each with two replies and a breakdown of which most is 0."""
    factors = [0, 3, 0, 0, -1, 0, 0]
    below = [{"ply": ply, "score": 1, "factors": factors} for ply in ("c", "d")]
    children = [{"ply": ply, "score": 2, "factors": factors, "children": below} for ply in ("a", "b")]
    return {"plyscope": 1, "factors": FACTORS, "root": {"layer": "max", "score": 2, "children": children}}


def test_the_tip_covers_neither_siblings_nor_children_of_its_node(show: Show) -> None:
    """Ten plies, one of them open with six replies; pointed at: the ends of their column and its middle."""
    factors = [2, 3, 4, 5, -1, 6, 7]
    replies = [{"ply": f"r{i}", "layer": "max", "score": i, "factors": factors} for i in range(6)]
    plies: list[dict[str, Any]] = [
        {"ply": f"p{i}", "layer": "min", "score": i, "factors": factors} for i in range(10)
    ]
    plies[9]["children"] = replies
    root = {"layer": "max", "score": 9, "children": plies}
    log = {"plyscope": 1, "factors": FACTORS, "result": {"ply": "p9", "pv": ["p9", "r0"]}, "root": root}
    page = show(log, 1920, 1080)
    expect(node(page, "p9")).to_have_attribute("aria-expanded", "true")
    for width, height in ((1920, 1080), (1280, 720), (820, 560)):
        page.set_viewport_size({"width": width, "height": height})
        keys(page, "f")
        drawn = [f"p{i}" for i in range(10) if node(page, f"p{i}").count()]
        assert len(drawn) >= 5
        for ply in (drawn[0], drawn[len(drawn) // 2], "p9"):
            node(page, ply).locator(".node-card").hover(force=True)
            expect(page.get_by_role("tooltip").locator(".tip-head strong").first).to_have_text(ply)
            settled(page)
            tip = place_of(page.get_by_role("tooltip"))
            assert (tip["x"] >= 0, tip["y"] >= 0) == (True, True)
            assert tip["x"] + tip["width"] <= width
            assert tip["y"] + tip["height"] <= height
            near = drawn + [f"r{i}" for i in range(6) if ply == "p9" and node(page, f"r{i}").count()]
            covered = [other for other in near if overlap(tip, node(page, other).locator(".node-card"))]
            assert covered == [], f"the tip of {ply} at {width} pixels"


def overlap(tip: FloatRect, card: Locator) -> bool:
    box = place_of(card)
    beside = tip["x"] + tip["width"] <= box["x"] or box["x"] + box["width"] <= tip["x"]
    above = tip["y"] + tip["height"] <= box["y"] or box["y"] + box["height"] <= tip["y"]
    return not beside and not above


def test_a_tip_with_the_meanings_of_many_factors_leaves_its_card_in_sight(show: Show) -> None:
    """Nine factors, each explained, fit neither below nor above a card in the middle of a low window."""
    factors = [{"name": f"factor {n}", "weight": 1, "meaning": "What it counts. " * 3} for n in range(9)]
    below = [{"ply": ply, "score": 1, "factors": [1] * 9} for ply in ("c", "d")]
    children = [{"ply": ply, "score": 2, "factors": [1] * 9, "children": below} for ply in ("a", "b")]
    log = {"plyscope": 1, "factors": factors, "root": {"layer": "max", "score": 2, "children": children}}
    page = show(log, 1440, 700)
    page.keyboard.press("w")
    node(page, "a").locator(".node-card").hover()
    settled(page)
    tip = place_of(page.get_by_role("tooltip"))
    card = place_of(node(page, "a").locator(".node-card"))
    assert tip["height"] > 400
    assert tip["x"] + tip["width"] <= card["x"] or tip["x"] >= card["x"] + card["width"]


def test_the_tip_of_a_folded_icon_says_what_lies_below(show: Show) -> None:
    page = show(forked())
    press(page, node(page, "b"))
    press(page, node(page, "b"))
    expect(node(page, "b")).to_have_attribute("aria-expanded", "false")
    node(page, "b").locator(".wedge").hover(force=True)
    settled(page)
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("2 nodes below, 1 level deep")
    expect(tip).to_contain_text("highest +1")
    assert tip.locator(".bars").count() == 0


def test_the_tip_of_the_root_and_the_panel_say_how_often_techniques_succeeded(show: Show) -> None:
    counters = {
        "table": {"tried": 12345, "succeeded": 4321},
        "iid": {"tried": 40, "succeeded": 30},
    }
    log = SAMPLE | {"result": {**SAMPLE["result"], "counters": counters}}
    page = show(log)
    node(page, "root").locator(".node-card").hover()
    settled(page)
    for place in (page.get_by_role("tooltip"), page.get_by_role("region", name="The run")):
        names = [text for text in place.locator("dt").all_inner_texts() if text in ("table", "iid")]
        assert names == ["table", "iid"]
        expect(place).to_contain_text("12,345 probed, 4,321 hit (35\N{NO-BREAK SPACE}%)")
        expect(place).to_contain_text("40 tried, 30 found the best (75\N{NO-BREAK SPACE}%)")
    tip = place_of(page.get_by_role("tooltip"))
    assert tip["width"] <= 400


def test_the_tip_has_what_the_node_of_somebodys_own_tree_carries_and_what_the_run_says(show: Show) -> None:
    many = {f"field{i}": i for i in range(11)}
    child = {
        "move": "a",
        "value": 4,
        "killer": "d3",
        "note": "<b>" + "x" * 900,
        "extra": list(range(80)),
        **many,
    }
    tree = {
        "move": None,
        "value": 4,
        "hash": "ab12",
        "time_ms": 310,
        "children": [child, {"move": "b", "value": 2}],
    }
    page = show({"elapsed": 0.31, "nodes": 4711, "tree": tree})
    tip = page.get_by_role("tooltip")
    node(page, "a").locator(".node-card").hover(force=True)
    expect(tip.locator(".tip-others dt")).to_have_count(8)
    assert tip.locator(".tip-others dd").all_inner_texts()[:2] == ["d3", "<b>" + "x" * 76 + "…"]
    expect(tip.locator(".tip-rest")).to_have_text("6 more fields in the details")
    box = place_of(tip)
    assert box["width"] <= 350
    page.get_by_role("treeitem").first.hover()
    expect(tip.locator(".tip-others")).to_contain_text("ab12")
    for name, figure in (("nodes, as stated", "4,711"), ("elapsed", "0.31"), ("time_ms", "310")):
        label = tip.locator(".tip-run dt", has_text=name)
        expect(label.locator("xpath=following-sibling::dd[1]")).to_have_text(figure)
    expect(tip.get_by_text("time_ms")).to_have_count(1)
