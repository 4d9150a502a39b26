"""What cards show, chosen and kept for the game, and the widths of the panels, which are kept too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Show, downloaded, keys, menu, press, settled
from tests.page.panels import details, drag, logs
from tests.page.places import middle_of, place_of
from tests.page.trees import card, layered, leaf, node, selected


def log(game: str, **header: Any) -> dict[str, Any]:
    """A root of two plies with depths, statics and a factor; one reply."""
    plies = [
        node("c6", 12, leaf("a1", 12, depth=0, static=12), depth=1, static=3.5, factors=[7]),
        leaf("d6", 4, depth=1, factors=[-2]),
    ]
    root = layered({"score": 12, "bound": "exact", "outcome": "searched", "depth": 2, "children": plies})
    return {"plyscope": 1, "game": game, "factors": [{"name": "mobility"}], "root": root, **header}


def said(page: Page, node_id: int) -> list[str]:
    parts = card(page, node_id).locator(".node-name, .node-score, .node-visits")
    return [text for text in parts.all_text_contents() if text]


def select(page: Page, layer: str, place: str) -> Locator:
    return page.get_by_label(f"{layer}: {place}", exact=True)


def close(page: Page) -> None:
    press(page, page.get_by_role("dialog").get_by_role("button", name="Close"))


def test_labels_are_chosen_by_layer_and_kept_for_the_game(show: Show, alone: Callable[..., Page]) -> None:
    tree = {"visits": 9, "mean": 0.5, "children": [{"ply": "a", "visits": 6, "mean": 0.75, "wins": 4}]}
    grown = {"plyscope": 1, "game": "ours", "search": {"order": "best_first"}, "root": layered(tree)}
    others = {"again.json": log("ours"), "others.json": log("others"), "grown.json": grown}
    page = show(log("ours"), named="ours.json", beside=others)
    assert said(page, 1) == ["c6", "+12"]
    # By keys alone: the opponent's cards have their static, and small behind it a factor.
    keys(page, "L")
    select(page, "Opponent", "At the right").focus()
    page.keyboard.type("static")
    select(page, "Opponent", "Small, behind it").focus()
    page.keyboard.type("factors.mob")
    keys(page, "Escape")
    assert said(page, 1) == ["c6", "static +3.5", "mobility +7"]
    # What a node does not state is left out; other layers are as they were. It is said, too.
    assert said(page, 3) == ["d6", "mobility \u22122"]
    assert said(page, 0) == ["root", "+12"]
    expect(card(page, 1)).to_have_accessible_name(re.compile(r"score \+12, static \+3\.5, mobility \+7,"))
    # A picture has it as well.
    with page.expect_download() as download:
        page.keyboard.press("S")
    picture = download.value.path().read_text("utf-8")
    assert "static +3.5" in picture
    assert "mobility +7" in picture
    # A shared page has it; its dialog works without a server, and what is chosen there is not kept.
    menu(page, "Share as one file")
    shared = alone(downloaded(page, page.get_by_role("button", name="Save it")))
    assert said(shared, 1) == ["c6", "static +3.5", "mobility +7"]
    keys(shared, "L")
    expect(shared.get_by_role("dialog")).to_contain_text("lasts until it is closed")
    select(shared, "Opponent", "At the right").select_option("depth")
    close(shared)
    assert said(shared, 1) == ["c6", "depth 1", "mobility +7"]
    assert shared.evaluate("localStorage.length") == 0
    # It is kept, also for another log of the game, and not for another game.
    page.reload()
    assert said(settled(page), 1) == ["c6", "static +3.5", "mobility +7"]
    for name, expected in (("again", "static +3.5"), ("others", "+12"), ("ours", "static +3.5")):
        press(page, page.locator(".log-button", has_text=f"{name}.json"))
        assert said(page, 1)[1] == expected
    # By the mouse, at the left; and all as usual again.
    menu(page, "What cards show")
    select(page, "Root player", "At the left").select_option("depth")
    assert said(settled(page), 0) == ["depth 2", "+12"]
    press(page, page.get_by_role("button", name="As usual"))
    close(page)
    assert (said(page, 0), said(page, 1)) == (["root", "+12"], ["c6", "+12"])
    page.reload()
    assert said(settled(page), 1) == ["c6", "+12"]
    # A best-first tree has labels of its own.
    press(page, page.locator(".log-button", has_text="grown.json"))
    assert said(page, 1) == ["a", "0.75", "6"]
    keys(page, "L")
    select(page, "Opponent", "Small, behind it").select_option("wins")
    select(page, "Opponent", "At the right").select_option("visits")
    close(page)
    assert said(page, 1) == ["a", "6", "wins 4"]
    expect(card(page, 1).locator(".share-bar")).to_be_attached()
    kept = json.loads(page.evaluate("localStorage.plyscope"))["labels"]
    assert kept == {"ours": {}, "ours best-first": {"min": ["ply", "visits", "wins"]}}


def edge(page: Page, side: str) -> Locator:
    return page.get_by_role("separator", name=f"Width of the {side}")


def width(panel: Locator) -> float:
    return place_of(panel)["width"]


def test_an_edge_is_dragged_or_moved_by_keys_and_stays_there(tree: Page) -> None:
    drawn = tree.locator("#tree")
    # A dragged edge takes its panel along; a double click gives the usual width back.
    usual = width(logs(tree))
    drag(tree, middle_of(edge(tree, "logs")), (90, 0))
    assert width(logs(tree)) == usual + 90
    edge(tree, "logs").dblclick()
    assert width(logs(settled(tree))) == usual
    before, tree_before = width(details(tree)), width(drawn)
    drag(tree, middle_of(edge(tree, "details")), (-100, 0))
    assert (width(details(tree)), width(drawn)) == (before + 100, tree_before - 100)
    # The keys of an edge move it and not the selection.
    usual = width(details(tree))
    edge(tree, "details").focus()
    for key, wide in (("ArrowLeft", usual + 16), ("ArrowRight", usual), ("Home", 200)):
        keys(tree, key)
        assert width(details(tree)) == wide
        expect(edge(tree, "details")).to_have_attribute("aria-valuenow", str(round(wide)))
    assert selected(tree) == "root"
    # A moved edge stays there in the next visit.
    drag(tree, middle_of(edge(tree, "details")), (-80, 0))
    kept = width(details(tree))
    tree.reload()
    assert width(details(settled(tree))) == kept
    # No panel takes the tree its room.
    for side in ("logs", "details"):
        edge(tree, side).focus()
        keys(tree, "End")
    assert width(drawn) >= 0.2 * 1440 - 1
    # The edge of a folded panel is gone.
    keys(tree, "]")
    expect(edge(tree, "details")).to_be_hidden()
    keys(tree, "c")
    expect(edge(tree, "details")).to_be_visible()
