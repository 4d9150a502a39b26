"""Walking the tree without a pointer: the keys of an ARIA tree, and those of the page."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.page.conftest import Show, again, keys, linked, place_of, press, settled
from tests.page.trees import item, names, selected, wide


def test_the_keys_of_the_page_move_what_is_seen(tree: Page) -> None:
    link = linked(tree)
    # The details follow the selection until enter pins them.
    shown = tree.locator("#details-panel .details-name")
    keys(tree, "ArrowDown")
    assert shown.inner_text() == "c6"
    keys(tree, "p")
    assert shown.inner_text() == "a1"
    keys(tree, "End", "ArrowUp", "Enter", "Home")
    assert shown.inner_text() == "d6"
    keys(tree, "End", "ArrowUp", "Enter", "Home")
    assert shown.inner_text() == "root"
    # The camera stays while the selection is in view.
    again(tree, link)
    world = tree.locator("#tree .world")
    before = world.get_attribute("transform")
    keys(tree, "ArrowDown", "ArrowDown", "ArrowUp")
    assert world.get_attribute("transform") == before
    # Plus and minus zoom and zero resets.
    again(tree, link)

    def scale() -> float:
        return float(str(tree.locator("#tree .world").get_attribute("transform")).partition("scale(")[2][:-1])

    first = scale()
    keys(tree, "+")
    assert scale() > first
    keys(tree, "-", "-")
    assert scale() < first
    keys(tree, "0")
    assert scale() == 1
    # The camera follows a selection that leaves the view.
    again(tree, link)
    keys(tree, "+", "+", "+", "+", "+", "End")
    outer = place_of(tree.locator("#tree"))
    card = place_of(tree.locator('#tree [aria-selected="true"] .node-card'))
    assert outer["y"] <= card["y"]
    assert card["y"] + card["height"] <= outer["y"] + outer["height"]
    # Backspace goes back to the node visited before.
    again(tree, link)
    for name in ("d6", "e6"):
        press(tree, item(tree, name))
        node_id = item(tree, name).get_attribute("data-id")
        tree.wait_for_function("id => location.hash.includes(`node=${id}&`)", arg=node_id)
    tree.keyboard.press("Backspace")
    tree.wait_for_selector('[aria-selected="true"][aria-label^="d6,"]')
    tree.keyboard.press("Alt+ArrowRight")
    tree.wait_for_selector('[aria-selected="true"][aria-label^="e6,"]')
    # Slash goes to the search and n to the next hit.
    again(tree, link)
    keys(tree, "/")
    tree.keyboard.type("r1")
    keys(tree, "Enter")
    assert selected(tree) == "r1"
    first = tree.locator('#tree [aria-selected="true"]').get_attribute("data-id")
    item(tree, "root").focus()
    keys(tree, "n")
    assert selected(tree) == "r1"
    assert tree.locator('#tree [aria-selected="true"]').get_attribute("data-id") != first
    # Letters typed into a field are no commands.
    keys(tree, "Escape")
    again(tree, link)
    keys(tree, "/")
    tree.keyboard.type("pm0")
    settled(tree)
    assert selected(tree) == "root"
    # Brackets show and hide the panels.
    item(tree, "root").focus()
    for key, panel in (("[", "#logs-panel"), ("]", "#details-panel")):
        before = tree.locator(panel).is_visible()
        keys(tree, key)
        assert tree.locator(panel).is_visible() != before
    # A key opens the menu, whose commands the arrows go through, round its end too.
    keys(tree, "q")
    expect(tree.locator("#page-menu button").first).to_be_focused()
    keys(tree, "ArrowUp", "ArrowUp")
    expect(tree.get_by_role("button", name="Share as one file")).to_be_focused()
    # The key of a command does it from the menu, too, which is in no one's way then.
    keys(tree, "v")
    expect(tree.locator("#page-menu")).to_be_hidden()
    expect(tree.locator("#overview")).to_be_visible()
    keys(tree, "v")
    # Question mark lists the keys.
    keys(tree, "?")
    assert "first child" in tree.get_by_role("dialog").inner_text()


def test_m_brings_the_new_children_into_the_window(show: Show) -> None:
    page = show(wide(500))
    keys(page, "r", "m", "m")  # those searched first, so that the next stand below them all
    before = set(names(page))
    keys(page, "m")
    new = set(names(page)) - before
    brought = [f"p{i}" for i in range(500) if f"p{i}" in new]
    assert len(brought) > 15
    for name in brought[:15]:
        expect(item(page, name)).to_be_in_viewport(ratio=0.99)
    assert selected(page) == "root"


def test_the_keys_of_a_tree_walk_fold_and_open_it(tree: Page) -> None:
    link = linked(tree)
    # A node says to a screen reader what it is.
    ply = item(tree, "d6")
    assert ply.get_attribute("aria-label") == "d6, min, score at most +4, 2 children, folded"
    places = [ply.get_attribute(f"aria-{name}") for name in ("level", "posinset", "setsize", "expanded")]
    assert places == ["2", "4", "5", "false"]
    assert tree.get_by_role("tree").count() == 1
    # Right opens then goes to the first child.
    again(tree, link)
    keys(tree, "ArrowRight")
    assert selected(tree) == "c6"
    keys(tree, "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown")
    assert selected(tree) == "a2"
    keys(tree, "ArrowRight")
    assert selected(tree) == "a2"
    assert item(tree, "a2").get_attribute("aria-expanded") == "true"
    keys(tree, "ArrowRight")
    assert selected(tree) == "r1"
    # Left folds then goes to the parent.
    again(tree, link)
    keys(tree, "ArrowRight", "ArrowRight")
    assert selected(tree) == "a1"
    keys(tree, "ArrowLeft")
    assert "r1" not in names(tree)
    assert selected(tree) == "a1"
    keys(tree, "ArrowLeft")
    assert selected(tree) == "c6"
    # Up and down go through all that is drawn.
    again(tree, link)
    walked = [selected(tree)]
    for _ in range(9):
        keys(tree, "ArrowDown")
        walked.append(selected(tree))
    assert walked == names(tree)
    keys(tree, "ArrowUp")
    assert selected(tree) == "d6"
    # Home and end go to the first and the last.
    again(tree, link)
    keys(tree, "End")
    assert selected(tree) == names(tree)[-1]
    keys(tree, "Home")
    assert selected(tree) == "root"
    # The focus follows the selection and only it can be tabbed to.
    again(tree, link)
    keys(tree, "ArrowDown", "ArrowDown")
    focused = tree.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("a1,")
    assert tree.locator('#tree [tabindex="0"]').count() == 1
    # The focus stays in the tree when its node is folded away.
    again(tree, link)
    keys(tree, "ArrowDown", "ArrowDown", "ArrowDown")
    assert selected(tree) == "r1"
    keys(tree, "ArrowLeft", "ArrowLeft", "ArrowLeft")
    assert tree.evaluate("document.activeElement.getAttribute('aria-label')").startswith("c6,")
    # Space toggles and star opens all siblings.
    again(tree, link)
    keys(tree, "ArrowDown", " ")
    assert "a1" not in names(tree)
    keys(tree, "*")
    assert {"a1", "b1", "g1", "h1"} <= set(names(tree))
    # P walks the principal variation and back.
    again(tree, link)
    walked = []
    for key in ("p", "p", "p", "p", "P"):
        keys(tree, key)
        walked.append(selected(tree))
    assert walked == ["c6", "a1", "r1", "r1", "a1"]
