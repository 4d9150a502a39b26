"""Subtrees hidden by their size: counted at the node above, shown by a press, reached from anywhere."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.page.conftest import NewPage, Serve, again, keys, linked, opened_at, place_of, press, settled
from tests.page.trees import item, layered, leaf, names, node, replies, selected, write


def test_small_subtrees_fold_and_come_back(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    plies = [
        node("big", 9, *(node(f"b{at}", 9 - at, *replies(3, 2, 1)) for at in range(3))),
        node("two", 4, leaf("x", 4)),
        node("three", 3, *replies(3, 2)),
        leaf("one", 2),
    ]
    root = layered({"score": 9, "bound": "exact", "outcome": "searched", "children": plies})
    page = opened_at(new_page(), serve(write(tmp_path, {"plyscope": 1, "root": root})), "0.1")
    whole = names(page)
    sizes = page.get_by_label("Subtrees that are drawn")
    more = page.locator("#tree .more")
    # Chosen in the line below the tree: the node above says what is hidden. The principal variation stays.
    sizes.select_option(label="from 10 nodes")
    settled(page)
    assert names(page) == ["root", "big", "b0"]
    expect(more).to_have_text(["+ 8 nodes in 2 small plies", "+ 6 nodes in 3 small plies"])
    # Arrow keys skip what is hidden.
    item(page, "big").focus()
    for _ in range(3):
        keys(page, "ArrowDown")
    assert selected(page) == "b0"
    # It is part of the link, and its lack too.
    link = linked(page)
    assert "least=10" in link
    again(page, link.replace("&least=10", ""))
    assert names(page) == whole
    again(page, link)
    assert names(page) == ["root", "big", "b0"]
    # One press shows them; fewer again by a key.
    press(page, more.first)
    assert names(page) == ["root", "big", "b2", "b1", "b0"]
    expect(more).to_have_text(["+ 6 nodes in 3 small plies"])
    keys(page, "M")
    assert names(page) == ["root", "big", "b0"]
    # A search reaches what is hidden, and has it drawn.
    page.keyboard.press("/")
    page.keyboard.type("three")
    keys(page, "Enter")
    assert selected(page) == "three"
    assert names(page) == ["root", "big", "b0", "three"]
    expect(more.last).to_have_text("+ 3 nodes in 2 small plies")
    # The key goes from size to size, and comes to none.
    page.keyboard.press("Escape")
    keys(page, "Escape")
    page.locator("#tree").get_by_role("treeitem", selected=True).focus()
    keys(page, "z")
    expect(sizes).to_have_value("0")
    assert names(page) == whole
    keys(page, "z")
    assert "one" not in names(page)
    assert "two" in names(page)


def test_the_overview_reaches_what_is_hidden(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    root = layered(
        {"score": 3, "children": [node("big", 3, *replies(*range(12))), node("two", 2, leaf("x", 2))]}
    )
    page = opened_at(new_page(), serve(write(tmp_path, {"plyscope": 1, "root": root})), "0")
    page.get_by_label("Subtrees that are drawn").select_option(label="from 10 nodes")
    page.keyboard.press("Escape")
    keys(page, "v")
    assert names(page) == ["root", "big"]
    box = place_of(page.locator(".overview-drawing"))
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)  # the second of three levels
    settled(page)
    assert selected(page) == "two"
    assert names(page) == ["root", "big", "two"]
