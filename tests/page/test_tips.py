"""The tip of a node, small and out of the way, and what factors mean, by pointer, keyboard and finger."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.page.conftest import Show, keys, press, settled
from tests.page.panels import SAMPLE, details, node
from tests.page.places import inside, place_of, width_of


def explained(n_factors: int, **more: Any) -> list[dict[str, Any]]:
    return [{"name": f"factor {n}", "weight": 1, **more} for n in range(n_factors)]


def forked(factors: list[float]) -> dict[str, Any]:
    """A root with ten plies of this breakdown, of which two have two replies."""
    below = [{"ply": ply, "score": 1, "factors": factors} for ply in ("c", "d")]
    forks = [{"ply": ply, "score": 2, "factors": factors, "children": below} for ply in ("a", "b")]
    leaves = [{"ply": f"p{n}", "score": 1, "factors": factors} for n in range(8)]
    return {"layer": "max", "score": 2, "children": [*forks, *leaves]}


def overlap(one: FloatRect, other: FloatRect) -> bool:
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return not beside and not above


def test_a_tip_leaves_the_cards_in_sight_and_that_of_a_folded_icon_says_what_lies_below(show: Show) -> None:
    """Nine factors, each explained, fit neither below nor above a card in the middle of a low window."""
    factors = explained(9, meaning="What it counts. " * 3)
    page = keys(show({"plyscope": 1, "factors": factors, "root": forked([1] * 9)}, 820, 560), "w")
    tip = page.get_by_role("tooltip")
    for ply in ("a", "p3"):
        node(page, ply).locator(".node-card").hover()
        expect(tip.locator(".tip-head strong").first).to_have_text(ply)
        place = place_of(settled(page).locator("#tooltip"))
        assert place["height"] > 500
        assert inside(place, {"x": 0, "y": 0, "width": 820, "height": 560})
        cards = page.locator("#tree .node-card").all()
        assert len(cards) == 15
        assert not any(overlap(place, place_of(card)) for card in cards)
    press(page, node(page, "b"))
    press(page, node(page, "b"))
    expect(node(page, "b")).to_have_attribute("aria-expanded", "false")
    node(page, "b").locator(".wedge").hover(force=True)
    expect(tip).to_contain_text("2 nodes below, 1 level deep")
    expect(tip).to_contain_text("highest +1")
    expect(tip.locator(".bars")).to_have_count(0)


def test_the_tip_has_what_the_node_of_somebodys_own_tree_carries_and_what_the_run_says(show: Show) -> None:
    many = {f"field{i}": i for i in range(11)}
    own = {"killer": "d3", "note": "<b>" + "x" * 900, "extra": list(range(80))}
    children = [{"move": "a", "value": 4, **own, **many}, {"move": "b", "value": 2}]
    tree = {"move": None, "value": 4, "hash": "ab12", "time_ms": 310, "children": children}
    page = show({"elapsed": 0.31, "nodes": 4711, "stats": {"ms": 12}, "tree": tree})
    tip = page.get_by_role("tooltip")
    node(page, "a").locator(".node-card").hover(force=True)
    expect(tip.locator(".tip-others dt")).to_have_count(8)
    assert tip.locator(".tip-others dd").all_inner_texts()[:2] == ["d3", "<b>" + "x" * 76 + "…"]
    expect(tip.locator(".tip-rest")).to_have_text("6 more fields in the details")
    assert place_of(tip)["width"] <= 350
    page.get_by_role("treeitem").first.hover()
    expect(tip.locator(".tip-others")).to_contain_text("ab12")
    for name, figure in (
        ("nodes, as stated", "4,711"),
        ("elapsed", "0.31"),
        ("time_ms", "310"),
        ("stats.ms", "12"),
    ):
        label = tip.locator(".tip-run dt", has_text=name)
        expect(label.locator("xpath=following-sibling::dd[1]")).to_have_text(figure)
    expect(tip.get_by_text("time_ms")).to_have_count(1)


RING = "Pieces around the <b>other</b> queen."
FACTORS = [{**SAMPLE["factors"][0], "meaning": RING}, SAMPLE["factors"][1]]
WHOSE = "Values are white's less black's: white is the root player."
LOG = SAMPLE | {"factors": FACTORS}


def switch(page: Page) -> Locator:
    return details(page).get_by_role("checkbox", name="What each factor counts")


def first_cells(bars: Locator) -> list[str]:
    """The text of the first cell in each row of the body."""
    return bars.locator("tbody tr > :first-child").all_inner_texts()


def test_the_meanings_of_factors_are_shown_on_request_wherever_bars_are(show: Show) -> None:
    page = show(LOG, beside={"bare.json": SAMPLE})
    tip = page.get_by_role("tooltip")
    # The row of a factor tells what it counts to a resting pointer.
    bars = details(page).get_by_role("table", name="Factors of root")
    rows = bars.locator("tbody tr")
    expect(rows.first).to_have_attribute("title", RING)
    expect(rows.first.get_by_role("rowheader")).to_have_attribute("title", f"queen ring: {RING}")
    assert rows.nth(1).get_attribute("title") is None
    # The sum is said to be for the root player.
    expect(details(page).get_by_role("table", name="Factors of bA2")).to_contain_text("= static for white")
    node(page, "wB1").locator(".node-card").hover()
    expect(tip).to_contain_text("= static for white")
    # The words of all factors are shown below them as text, by pointer and by keyboard.
    assert first_cells(bars) == ["queen ring", "mobility"]
    expect(details(page)).not_to_contain_text(WHOSE)
    press(page, switch(page))
    assert first_cells(bars) == ["queen ring", RING, "mobility"]
    expect(details(page)).to_contain_text(WHOSE)
    switch(page).focus()
    keys(page, "Space")
    assert first_cells(bars) == ["queen ring", "mobility"]
    expect(switch(page)).to_be_focused()
    # The tip names the key that shows the words in it.
    node(page, "wB1").locator(".node-card").hover()
    settled(page)
    assert first_cells(tip) == ["queen ring", "mobility"]
    expect(tip).to_contain_text("W: what each factor counts")
    keys(page, "w")
    assert first_cells(tip) == ["queen ring", RING, "mobility"]
    expect(tip).to_contain_text(WHOSE)
    # One switch serves both evaluations of a node: that of the leaf which decided stands above its own.
    assert details(page).locator(".bars").count() == 2
    assert switch(page).count() == 1
    for bars in details(page).locator(".bars").all():
        assert first_cells(bars)[1] == RING
    press(page, node(page, "wB1"))
    assert switch(page).count() == 1
    expect(switch(page)).to_be_checked()
    # The choice is kept for the next visit; a log that explains nothing has no switch and no hint.
    page.reload()
    settled(page)
    expect(switch(page)).to_be_checked()
    press(page, page.locator("#logs .log-button", has_text="bare.json"))
    expect(switch(page)).to_have_count(0)
    keys(page, "i")
    expect(tip).to_contain_text("mobility")
    for place in (tip, details(page)):
        expect(place).not_to_contain_text("Values are")
        expect(place).not_to_contain_text("counts")


def test_long_words_wrap_inside_the_panel_and_a_finger_presses_the_switch(show: Show) -> None:
    factors = [
        {"name": "a" * 80, "weight": 10, "meaning": "x" * 900},
        {"name": "b", "weight": 0.5, "meaning": "é " * 400},
    ]
    page = show(SAMPLE | {"factors": factors}, 390, 844, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Details of the node").tap()
    label = details(settled(page)).locator("label", has_text="What each factor counts")
    assert place_of(label)["height"] >= 44
    label.tap()
    expect(details(settled(page))).to_contain_text("é é")
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        if details(settled(page)).is_hidden():
            press(page, page.get_by_role("button", name="Details of the node"))
        panel = place_of(details(page))
        for bars in details(page).locator(".bars").all():
            box = place_of(bars)
            assert box["x"] >= panel["x"]
            assert box["x"] + box["width"] <= panel["x"] + panel["width"]
        assert width_of(page) <= width
