"""What is not drawn: subtrees hidden by their size; other visits of a position, tied where they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Show, again, downloaded, keys, linked, menu, press, search, settled
from tests.page.places import place_of
from tests.page.trees import item, layered, leaf, names, node, replies, selected


def test_small_subtrees_fold_and_come_back(show: Show) -> None:
    plies = [
        node("big", 9, *(node(f"b{at}", 9 - at, *replies(3, 2, 1)) for at in range(3))),
        node("two", 4, leaf("x", 4)),
        node("three", 3, *replies(3, 2)),
        leaf("one", 2),
    ]
    root = layered({"score": 9, "bound": "exact", "outcome": "searched", "children": plies})
    page = show({"plyscope": 1, "root": root}, only="0.1")
    whole = names(page)
    sizes = page.get_by_label("Subtrees that are drawn")
    more = page.locator("#tree .more")
    # Chosen in the line below the tree: the node above says what is hidden. The principal variation stays.
    sizes.select_option(label="from 10 nodes")
    assert names(settled(page)) == ["root", "big", "b0"]
    expect(more).to_have_text(["+ 8 nodes in 2 small plies", "+ 6 nodes in 3 small plies"])
    # Arrow keys skip what is hidden.
    item(page, "big").focus()
    keys(page, "ArrowDown", "ArrowDown", "ArrowDown")
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
    search(page, "three")
    assert selected(page) == "three"
    assert names(page) == ["root", "big", "b0", "three"]
    expect(more.last).to_have_text("+ 3 nodes in 2 small plies")
    page.keyboard.press("Escape")
    keys(page, "Escape")
    # So does the overview.
    again(page, link)
    keys(page, "v")
    box = place_of(page.locator(".overview-drawing"))
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] * 3 / 8)  # of four levels
    assert selected(settled(page)) == "one"
    assert names(page) == ["root", "big", "b0", "one"]
    keys(page, "v")
    # The key goes from size to size, and comes to none.
    again(page, link)
    page.locator("#tree").get_by_role("treeitem", selected=True).focus()
    keys(page, "z")
    expect(sizes).to_have_value("0")
    assert names(page) == whole
    keys(page, "z")
    assert "one" not in names(page)
    assert "two" in names(page)


def card(page: Page, node_id: int) -> Locator:
    return page.locator(f'#tree [data-id="{node_id}"] .node-card')


def transposed() -> dict[str, Any]:
    """The plies a, b and b, a lead to one position, which c reaches at once; below d it is folded.

    0 root: 1 a (2 b), 3 b (4 a), 5 c, 6 d (7 e, 8 f: the position once more)
    """
    plies = [
        node("a", 5, leaf("b", 5, key="both"), key="a", outcome="searched"),
        node("b", 4, leaf("a", 5, key="both"), key="b", outcome="searched"),
        leaf("c", 3, key="both"),
        node("d", 2, leaf("e", 2, key="e"), leaf("f", 3, key="both"), key="d", outcome="searched"),
    ]
    root = {"layer": "max", "score": 5, "bound": "exact", "outcome": "searched", "key": "root"}
    return {"plyscope": 1, "root": root | {"children": plies}}


def test_a_node_is_tied_to_the_drawn_visits_of_its_position(show: Show, alone: Callable[..., Page]) -> None:
    page = show(transposed(), only="0.1.2")
    part = page.get_by_label("Visits of this position", exact=True)
    ties = page.locator("#tree path.tie")
    # The root is visited once: neither ties nor a sentence.
    expect(ties).to_have_count(0)
    expect(part).to_be_hidden()
    # Of the four visits the one below d is not drawn; the ends of both ties are marked, and said.
    press(page, card(page, 2))
    expect(ties).to_have_count(2)
    expect(page.locator("#tree .node-tied")).to_have_count(2)
    expect(page.locator('#tree [data-id="5"]')).to_have_accessible_name(re.compile("same position as"))
    expect(part).to_contain_text("4 visits of this position in the log, 3 of them drawn.")
    expect(page.locator("#legend .legend-tie")).to_be_attached()
    link = linked(page)
    # Each is reached by its button, also by arrows from one to the next; what was folded is tied then.
    part.get_by_role("button", name="a > b").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    keys(page, "Enter")
    assert selected(page) == "f"
    expect(part).to_contain_text("all of them drawn")
    expect(ties).to_have_count(3)
    # A shared page ties what it has.
    menu(page, "Share as one file")
    shared = alone(downloaded(page, page.get_by_role("button", name="Save it")))
    expect(shared.locator("#tree path.tie")).to_have_count(3)
    inside = "4 visits of this position in this file, all of them drawn"
    expect(shared.get_by_label("Visits of this position", exact=True)).to_contain_text(inside)
    # What folds takes its tie away.
    page.keyboard.press("Escape")
    for node_id in (2, 6, 6, 2):
        press(page, card(page, node_id))
    expect(ties).to_have_count(2)
    # All of them as a table.
    press(page, part.get_by_role("button", name="All as a table"))
    expect(page.locator("#drawer")).to_contain_text("4 visits of the position of b")
    # A replay ties nothing: it knows no later visits. Its end brings the ties back.
    again(page, link)
    page.locator("#tree").get_by_role("treeitem", selected=True).focus()
    keys(page, ".")
    expect(ties).to_have_count(0)
    expect(part).to_be_hidden()
    keys(page, "Escape")
    again(page, link)
    expect(ties).to_have_count(2)
    # Switched by key and box; the choice outlasts the visit.
    keys(page, "T")
    expect(ties).to_have_count(0)
    expect(page.locator("#legend .legend-tie")).to_have_count(0)
    page.reload()
    settled(page)
    expect(ties).to_have_count(0)
    page.get_by_label("Ties in the tree").check()
    settled(page)
    expect(ties).to_have_count(2)
