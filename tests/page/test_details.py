"""The details beside the tree: they follow the selection until pinned, and say nothing that is not so."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.page.conftest import Server, Show, keys, place_of, press, settled, visit
from tests.page.panels import SAMPLE, details, node

MATE = {"score": 1000000, "step": 1, "threshold": 999000}


def test_the_details_follow_the_selection_until_they_are_pinned(show: Show) -> None:
    page = show(SAMPLE)
    pin = details(page).get_by_role("button", name="Pin the details")
    expect(pin).to_have_attribute("aria-pressed", "false")
    press(page, node(page, "wB1"))
    expect(details(page).get_by_role("heading", name="wB1", exact=True)).to_be_visible()
    press(page, pin)
    expect(pin).to_have_attribute("aria-pressed", "true")
    press(page, node(page, "wA1"))
    expect(details(page).get_by_role("heading", name="wB1", exact=True)).to_be_visible()
    press(page, pin)
    expect(pin).to_have_attribute("aria-pressed", "false")
    expect(details(page).get_by_role("heading", name="wA1", exact=True)).to_be_visible()
    # A step of the path selects, and leaves the pin.
    press(page, node(page, "wB1"))
    press(page, pin)
    path = details(page).get_by_role("navigation", name="Path of the node")
    press(page, path.get_by_role("button", name="root"))
    expect(node(page, "root")).to_have_attribute("aria-selected", "true")
    expect(details(page).get_by_role("heading", name="wB1", exact=True)).to_be_visible()


def test_a_game_that_cannot_be_drawn_shows_its_position_among_the_fields(show: Show) -> None:
    children = [{"ply": "take 2", "position": "3 4 3", "score": 1}]
    page = show({"plyscope": 1, "game": "nim", "position": "3 4 5", "root": {"children": children}})
    expect(details(page).locator("dt", has_text="position")).to_be_visible()
    expect(details(page)).to_contain_text("3 4 5")
    press(page, node(page, "take 2"))
    expect(details(page)).to_contain_text("3 4 3")
    expect(details(page)).not_to_contain_text("No game")
    assert "Position" not in details(page).locator("summary").all_inner_texts()


def test_wins_and_losses_are_said_by_their_distance_and_by_their_proof(show: Show) -> None:
    """A win proven by the game's end, one among the plies searched, a loss of which a later one is proven."""
    over = {"ply": "over", "score": 999995, "outcome": "terminal", "ending": "win"}
    lost = {"ply": "lost", "layer": "min", "score": -999993, "outcome": "terminal", "ending": "loss"}
    children = [
        {"ply": "win", "layer": "min", "score": 999995, "moves": 1, "children": [over]},
        {"ply": "claim", "layer": "min", "score": 999995, "bound": "exact"},
        {"ply": "loss", "layer": "max", "score": -999997, "moves": 1, "children": [lost]},
        {"ply": "limit", "layer": "min", "score": 999997, "bound": "upper"},
    ]
    root = {"layer": "max", "score": 999995, "moves": 9, "children": children}
    log = {"plyscope": 1, "search": {"mate": MATE}, "result": {"ply": "win", "score": 999995}, "root": root}
    page = show(log)
    for ply, short, words, figure in (
        ("win", "win in 5", "win in 5", "+999,995"),
        ("claim", "win in 5?", "win in 5 among the plies searched", "+999,995"),
        (
            "loss",
            "loss in 7, 3?",
            "loss in 3 among the plies searched, proven only in 7",
            "\N{MINUS SIGN}999,997",
        ),
        ("limit", "≤\N{NO-BREAK SPACE}win in 3", "at best a win in 3", "≤\N{NO-BREAK SPACE}+999,997"),
    ):
        assert node(page, ply).locator(".node-score").text_content() == short
        assert f", {words}, " in f"{node(page, ply).get_attribute('aria-label')}, "
        press(page, node(page, ply))
        keys(page, "i")
        for place in (
            page.get_by_role("tooltip").locator(".tip-result"),
            details(page).locator(".details-result"),
        ):
            expect(place).to_contain_text(words)
            assert ("searched" in place.inner_text()) == ("searched" in words)
        for place in (page.get_by_role("tooltip"), details(page)):
            expect(place).to_contain_text(figure)
    expect(page.locator("#legend")).to_contain_text("? not proven: among the plies searched")
    score = page.get_by_role("region", name="The run").locator("dt:text-is('score') + dd")
    expect(score).to_have_text("win in 5")
    expect(score).to_have_attribute("title", "+999,995 (win in 5)")


def test_wins_and_losses_have_colours_of_their_own(show: Show) -> None:
    over = {"ply": "over", "score": 999995, "outcome": "terminal", "ending": "win"}
    scores = {"claim": 999995, "loss": -999995, "best": 40, "worst": -40, "even": 0}
    children = [over, *({"ply": ply, "score": score} for ply, score in scores.items())]
    page = show({"plyscope": 1, "search": {"mate": MATE}, "root": {"score": 999995, "children": children}})
    page.get_by_role("combobox").first.select_option("score")
    settled(page)
    fills = [
        node(page, ply).locator(".node-card").evaluate("card => getComputedStyle(card).fill")
        for ply in ("over", *scores)
    ]
    assert len(set(fills)) == 6
    expect(page.locator("#legend")).to_contain_text("+40")
    expect(page.locator("#legend li", has_text=re.compile("^(win|loss)$"))).to_have_count(2)


def test_on_a_phone_the_details_are_a_sheet_below_the_tree_and_name_the_whole_way(
    server: Server, new_page: Callable[..., Page]
) -> None:
    page = visit(new_page(width=390, height=844), server)
    for key in ("]", "p", "p"):
        keys(page, key)
    sheet, chosen = place_of(details(page)), place_of(page.get_by_role("treeitem", selected=True))
    assert (sheet["width"], sheet["y"] + sheet["height"]) == (390, 844)
    assert sheet["height"] <= 0.4 * 844
    assert chosen["y"] + chosen["height"] <= sheet["y"]
    details(page).evaluate("panel => panel.scrollTo(0, panel.scrollHeight)")
    expect(details(page).get_by_role("button", name="Close the details")).to_be_in_viewport(ratio=1)
    # The path goes to a node below.
    keys(page, "p")
    path = details(page).get_by_role("navigation", name="Path of the node")
    way = path.get_by_role("listitem").all_inner_texts()
    assert way[0].strip() == "root"
    assert len(way) >= 4


def test_the_path_of_a_deep_node_takes_few_lines_and_opens_where_it_is_folded(show: Show) -> None:
    branch: dict[str, object] = {"ply": "n299", "score": 1, "outcome": "leaf"}
    for i in reversed(range(299)):
        branch = {"ply": f"n{i}", "score": 1, "children": [branch]}
    page = show({"plyscope": 1, "root": branch})
    page.get_by_role("searchbox").fill("#290")
    page.get_by_role("searchbox").press("Enter")
    settled(page)
    expect(page.locator("#details-panel .details-name")).to_have_text("n290")
    path = details(page).get_by_role("navigation", name="Path of the node")
    near = [f"n{i}" for i in range(284, 291)]
    assert path.get_by_role("listitem").all_inner_texts() == ["n0", "… 283 nodes", *near]
    box = place_of(path)
    assert box["height"] < 80
    path.get_by_role("button", name="… 283 nodes").click()
    opened = ["n0", "230 nodes not shown", *(f"n{i}" for i in range(231, 291))]
    assert path.get_by_role("listitem").all_inner_texts() == opened


def test_a_long_line_is_folded_in_its_middle_into_one_piece_that_opens(show: Show) -> None:
    branch: dict[str, object] = {"ply": "n59", "score": 1, "outcome": "leaf"}
    for i in reversed(range(59)):
        branch = {"ply": f"n{i}", "score": 1, "children": [branch]}
    page = show({"plyscope": 1, "root": branch})
    steps = page.locator("#details-panel .steps").first.locator(".step")
    expect(steps).to_have_count(29)
    piece = page.locator("#details-panel .step-folded")
    assert piece.text_content() == "… 31 plies"
    piece.click()
    expect(steps).to_have_count(59)
    assert steps.all_text_contents() == [f"n{i}" for i in range(1, 60)]
    assert page.evaluate("document.activeElement.textContent") == "n15"
