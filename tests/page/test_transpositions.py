"""Visits of one position: ties from the selected card to the others that are drawn, and the way to each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

import plyscope
from tests.page.conftest import NewPage, Serve, again, keys, linked, opened_at, press, settled
from tests.page.trees import leaf, node, selected, write


def card(page: Page, node_id: int) -> Locator:
    return page.locator(f'#tree [data-id="{node_id}"] .node-card')


def transposed() -> dict[str, Any]:
    """The plies a, b and b, a lead to one position, which c reaches at once; below d it is folded.

    0 root: 1 a (2 b), 3 b (4 a), 5 c, 6 d (7 e, 8 f: the position once more)
    """
    return {
        "layer": "max",
        "score": 5,
        "bound": "exact",
        "outcome": "searched",
        "key": "root",
        "children": [
            node("a", 5, leaf("b", 5, key="both"), key="a", outcome="searched"),
            node("b", 4, leaf("a", 5, key="both"), key="b", outcome="searched"),
            leaf("c", 3, key="both"),
            node("d", 2, leaf("e", 2, key="e"), leaf("f", 3, key="both"), key="d", outcome="searched"),
        ],
    }


def test_a_node_is_tied_to_the_drawn_visits_of_its_position(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    server = serve(write(tmp_path, {"plyscope": 1, "root": transposed()}))
    page = opened_at(new_page(), server, "0.1.2")
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
    start = link = linked(page)
    # Each is reached by its button, also by arrows from one to the next; what was folded is tied then.
    part.get_by_role("button", name="a > b").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    keys(page, "Enter")
    assert selected(page) == "f"
    expect(part).to_contain_text("all of them drawn")
    expect(ties).to_have_count(3)
    # What folds takes its tie away.
    page.keyboard.press("Escape")
    press(page, card(page, 2))
    press(page, card(page, 6))
    press(page, card(page, 6))
    press(page, card(page, 2))
    expect(ties).to_have_count(2)
    # All of them as a table.
    press(page, part.get_by_role("button", name="All as a table"))
    expect(page.locator("#drawer")).to_contain_text("4 visits of the position of b")
    # A replay ties nothing: it knows no later visits. Its end brings the ties back.
    again(page, start)
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


def test_a_shared_page_ties_what_it_has(new_page: NewPage, tmp_path: Path) -> None:
    target = tmp_path / "shared.html"
    log = plyscope.open(write(tmp_path, {"plyscope": 1, "root": transposed()}))
    plyscope.share(log).write(target)
    page = new_page(own=True, offline=True)
    page.goto(f"{target.as_uri()}#node=2")
    settled(page)
    press(page, card(page, 2))
    expect(page.locator("#tree path.tie")).to_have_count(3)
    part = page.get_by_label("Visits of this position", exact=True)
    expect(part).to_contain_text("4 visits of this position in this file, all of them drawn")
