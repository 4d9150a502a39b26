"""What cards show: two or three fields of the log by layer, chosen in a dialog and kept for the game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import NewPage, Serve, Show, keys, press, settled, visit
from tests.page.trees import layered, leaf, node, write


def log(game: str, **header: Any) -> dict[str, Any]:
    """A root of two plies with depths, statics and a factor; one reply."""
    plies = [
        node("c6", 12, leaf("a1", 12, depth=0, static=12), depth=1, static=3.5, factors=[7]),
        leaf("d6", 4, depth=1, factors=[-2]),
    ]
    root = layered({"score": 12, "bound": "exact", "outcome": "searched", "depth": 2, "children": plies})
    return {"plyscope": 1, "game": game, "factors": [{"name": "mobility"}], "root": root, **header}


def card(page: Page, node_id: int) -> Locator:
    return page.locator(f'#tree [data-id="{node_id}"]')


def said(page: Page, node_id: int) -> list[str]:
    parts = card(page, node_id).locator(".node-name, .node-score, .node-visits")
    return [text for text in parts.all_text_contents() if text]


def select(page: Page, layer: str, place: str) -> Locator:
    return page.get_by_label(f"{layer}: {place}", exact=True)


def close(page: Page) -> None:
    press(page, page.get_by_role("dialog").get_by_role("button", name="Close"))


def test_labels_are_chosen_by_layer_and_kept_for_the_game(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    ours = write(tmp_path, log("ours"), "ours.json")
    again = write(tmp_path, log("ours"), "again.json")
    others = write(tmp_path, log("others"), "others.json")
    page = visit(new_page(), serve(ours, again, others))
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
    # It is kept, also for another log of the game, and not for another game.
    page.reload()
    settled(page)
    assert said(page, 1) == ["c6", "static +3.5", "mobility +7"]
    for name, expected in (("again", "static +3.5"), ("others", "+12"), ("ours", "static +3.5")):
        press(page, page.locator(".log-button", has_text=f"{name}.json"))
        assert said(page, 1)[1] == expected
    # By the mouse, at the left; and all as usual again.
    page.evaluate("document.querySelector('#page-menu').showPopover()")
    press(page, page.get_by_role("button", name="What cards show"))
    select(page, "Root player", "At the left").select_option("depth")
    settled(page)
    assert said(page, 0) == ["depth 2", "+12"]
    press(page, page.get_by_role("button", name="As usual"))
    close(page)
    assert (said(page, 0), said(page, 1)) == (["root", "+12"], ["c6", "+12"])
    page.reload()
    assert said(settled(page), 1) == ["c6", "+12"]


def test_a_best_first_tree_has_labels_of_its_own(show: Show) -> None:
    tree = {"visits": 9, "mean": 0.5, "children": [{"ply": "a", "visits": 6, "mean": 0.75, "wins": 4}]}
    header = {"plyscope": 1, "game": "ours", "search": {"order": "best_first"}}
    page = show({**header, "root": layered(tree)})
    assert said(page, 1) == ["a", "0.75", "6"]
    keys(page, "L")
    select(page, "Opponent", "Small, behind it").select_option("wins")
    select(page, "Opponent", "At the right").select_option("visits")
    close(page)
    assert said(page, 1) == ["a", "6", "wins 4"]
    expect(card(page, 1).locator(".share-bar")).to_be_attached()
    kept = json.loads(page.evaluate("localStorage.plyscope"))["labels"]
    assert kept == {"ours best-first": {"min": ["ply", "visits", "wins"]}}


def test_a_shared_page_shows_what_was_chosen_and_keeps_nothing(
    show: Show, new_page: NewPage, tmp_path: Path
) -> None:
    page = show(log("ours"))
    keys(page, "L")
    select(page, "Opponent", "At the right").select_option("static")
    close(page)
    page.evaluate("document.querySelector('#page-menu').showPopover()")
    press(page, page.get_by_role("button", name="Share as one file"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save it").click()
    target = tmp_path / "shared.html"
    download.value.save_as(target)
    alone = new_page(own=True, offline=True)
    alone.goto(target.as_uri())
    settled(alone)
    assert said(alone, 1) == ["c6", "static +3.5"]
    # Its dialog works without a server, and what is chosen there is not kept.
    keys(alone, "L")
    expect(alone.get_by_role("dialog")).to_contain_text("lasts until it is closed")
    select(alone, "Opponent", "At the right").select_option("depth")
    close(alone)
    assert said(alone, 1) == ["c6", "depth 1"]
    assert alone.evaluate("localStorage.length") == 0
