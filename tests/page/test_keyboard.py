"""Walking the tree and the page without a pointer: the keys, the focus, the lenses that they end."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.page.conftest import Show, again, keys, linked, press, search, settled
from tests.page.panels import paste
from tests.page.places import place_of
from tests.page.test_weights import LOG
from tests.page.trees import camera, item, names, scale, selected


def test_keys_move_what_is_seen_and_walk_fold_and_open_the_tree(tree: Page) -> None:
    link = linked(tree)
    # The details follow the selection until enter pins them.
    shown = tree.locator("#details-panel .details-name")
    for pressed, name in (("ArrowDown", "c6"), ("p", "a1"), ("End ArrowUp Enter Home", "d6")):
        keys(tree, *pressed.split())
        assert shown.inner_text() == name
    keys(tree, "End", "ArrowUp", "Enter", "Home")
    assert shown.inner_text() == "root"
    # The camera stays while the selection is in view.
    again(tree, link)
    before = camera(tree)
    keys(tree, "ArrowDown", "ArrowDown", "ArrowUp")
    assert camera(tree) == before
    # Plus and minus zoom and zero resets.
    first = scale(tree)
    assert scale(keys(tree, "+")) > first
    assert scale(keys(tree, "-", "-")) < first
    assert scale(keys(tree, "0")) == 1
    # The camera follows a selection that leaves the view.
    keys(tree, "+", "+", "+", "+", "+", "End")
    card = place_of(tree.locator('#tree [aria-selected="true"] .node-card'))
    outer = place_of(tree.locator("#tree"))
    assert outer["y"] <= card["y"]
    assert card["y"] + card["height"] <= outer["y"] + outer["height"]
    # Letters typed into a field are no commands.
    again(tree, link)
    keys(tree, "/")
    tree.keyboard.type("pm0")
    assert selected(settled(tree)) == "root"
    item(tree, "root").focus()
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
    again(tree, link)
    item(tree, "root").focus()
    # A node says to a screen reader what it is.
    ply = item(tree, "d6")
    assert ply.get_attribute("aria-label") == "d6, min, score at most +4, 2 children, folded"
    places = [ply.get_attribute(f"aria-{name}") for name in ("level", "posinset", "setsize", "expanded")]
    assert places == ["2", "4", "5", "false"]
    assert tree.get_by_role("tree").count() == 1
    # Up and down go through all that is drawn, Home and End to the first and the last.
    walked = [selected(tree), *(selected(keys(tree, "ArrowDown")) for _ in range(9))]
    assert walked == names(tree)
    for key, name in (("ArrowUp", "d6"), ("End", walked[-1]), ("Home", "root")):
        assert selected(keys(tree, key)) == name
    # The focus follows the selection and only it can be tabbed to.
    keys(tree, "ArrowDown", "ArrowDown")
    focused = "document.activeElement.getAttribute('aria-label')"
    assert tree.evaluate(focused).startswith("a1,")
    assert tree.locator('#tree [tabindex="0"]').count() == 1
    # Right opens, then goes to the first child.
    again(tree, link)
    assert selected(keys(tree, "ArrowRight")) == "c6"
    keys(tree, "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown")
    assert selected(tree) == "a2"
    keys(tree, "ArrowRight")
    assert selected(tree) == "a2"
    assert item(tree, "a2").get_attribute("aria-expanded") == "true"
    assert selected(keys(tree, "ArrowRight")) == "r1"
    # Left folds, then goes to the parent; the focus stays in the tree when its node is folded away.
    again(tree, link)
    keys(tree, "ArrowRight", "ArrowRight")
    assert selected(tree) == "a1"
    keys(tree, "ArrowLeft")
    assert "r1" not in names(tree)
    assert selected(tree) == "a1"
    assert selected(keys(tree, "ArrowLeft")) == "c6"
    again(tree, link)
    keys(tree, "ArrowDown", "ArrowDown", "ArrowDown")
    assert selected(tree) == "r1"
    keys(tree, "ArrowLeft", "ArrowLeft", "ArrowLeft")
    assert tree.evaluate(focused).startswith("c6,")
    # Space toggles and star opens all siblings.
    again(tree, link)
    keys(tree, "ArrowDown", " ")
    assert "a1" not in names(tree)
    keys(tree, "*")
    assert {"a1", "b1", "g1", "h1"} <= set(names(tree))
    # P walks the principal variation and back.
    again(tree, link)
    walked = [selected(keys(tree, key)) for key in ("p", "p", "p", "p", "P")]
    assert walked == ["c6", "a1", "r1", "r1", "a1"]


def in_tree(page: Page) -> bool:
    return bool(page.evaluate("document.activeElement.closest('#tree') !== null"))


def part(page: Page) -> str:
    """The id of the part of the page that has the focus."""
    inside = "e => e.closest('header, aside, #lenses, #notes, #tree, #drawer, #replay, #rail, #legend')?.id"
    return str(page.evaluate(f"({inside})(document.activeElement)"))


def test_the_focus_leaves_a_field_of_weights_as_it_should(show: Show) -> None:
    other = json.loads(json.dumps(LOG).replace('"ply": "a"', '"ply": "other"'))
    page = keys(show(LOG, beside={"second.json": other}), "g")
    link = linked(page)
    field = page.get_by_role("spinbutton", name="Weight of mobility, a number")
    said = page.locator("[data-lens=weights]")
    # F6 leaves a field.
    field.focus()
    keys(page, "F6")
    assert part(page) == "topbar"
    # Escape in a number leaves the weight that counts.
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("77")
    keys(page, "Escape")
    expect(field).to_have_value("2")
    expect(said).to_have_count(0)
    # Escape in a field goes to the tree and ends nothing else.
    for role in ["spinbutton", "slider"]:
        again(page, link)
        page.get_by_role(role, name="Weight of mobility").first.focus()
        keys(page, "ArrowUp")
        if role == "slider":
            expect(said).to_have_count(1)
        keys(page, "Escape")
        assert in_tree(page)
        expect(said).to_have_count(1)  # the number's change is taken as the field is left
        keys(page, "Escape")
        expect(said).to_have_count(0)
    # Weights beside another log are those of that log.
    expect(page.locator(".weights-words")).to_contain_text("a is first")
    press(page, page.locator("#logs .log-button", has_text="second.json"))
    expect(page.locator(".weights-words")).to_contain_text("other is first")
    # A log that replaces the tree takes its focus.
    item(page, "root").focus()
    page.evaluate("document.activeElement.blur()")
    keys(page, "Home")
    item(page, "root").focus()
    paste(page, '{"ply": "new", "children": [{"ply": "z", "score": 1}]}')
    expect(item(page, "z")).to_be_visible()
    assert in_tree(settled(page))
    assert page.evaluate("document.activeElement.isConnected")


def chips(page: Page) -> list[str]:
    return [chip.get_attribute("data-lens") or "" for chip in page.locator(".lens").all()]


def test_the_focus_goes_from_part_to_part_and_ends_lenses_and_is_never_lost(tree: Page) -> None:
    link = linked(tree)
    # What a press beside it leaves is left.
    tree.get_by_role("button", name="Open a log").focus()
    tree.evaluate("document.activeElement.blur()")
    keys(tree, "f")
    assert tree.evaluate("document.activeElement === document.body")

    # Letters mean the same with caps lock.
    def lock(key: str, *, shift: bool) -> None:
        options = f"{{key: '{key}', shiftKey: {str(shift).lower()}, modifierCapsLock: true, bubbles: true}}"
        tree.evaluate(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {options}))")
        settled(tree)

    lock("P", shift=False)
    assert selected(tree) == "c6"
    lock("p", shift=True)
    assert selected(tree) == "root"
    # F6 goes through the parts and shift f6 back.
    again(tree, link)
    keys(tree, "s", "ArrowDown", "ArrowUp")
    there = [part(tree)]
    while len(there) < 12 and (len(there) == 1 or there[-1] != "tree"):
        keys(tree, "F6")
        expect(tree.locator("body :focus")).to_be_visible()
        there.append(part(tree))
    assert there == ["tree", "drawer", "legend", "details-panel", "topbar", "logs-panel", "tree"]
    keys(tree, "Shift+F6", "Shift+F6", "Shift+F6")
    assert part(tree) == "details-panel"
    # Escape in the tree ends a search without a hit.
    again(tree, link)
    keys(tree, "/")
    tree.keyboard.type("score > 999")
    keys(tree, "Enter")
    wrong = tree.locator("#search-error")
    expect(wrong).to_contain_text("No node of")
    keys(tree, "Shift+F6", "ArrowDown", "F6", "F6", "F6")
    assert in_tree(tree)
    expect(wrong).to_be_visible()
    keys(tree, "Escape")
    expect(wrong).not_to_be_visible()
    assert in_tree(tree)
    # A key that closes what has the focus brings it to the tree.
    for opens, inside in [
        ("s", "#drawer button"),
        ("g", "#weights-panel button:enabled"),
        ("[", "#logs .log-button"),
        ("c", "#check-panel button"),
        ("]", "#details-panel button"),
    ]:
        again(tree, link)
        if tree.locator(f"{inside}:visible").count() == 0:
            keys(tree, opens)
        tree.locator(f"{inside}:visible").first.focus()
        assert not in_tree(tree)
        keys(tree, opens)
        expect(tree.locator(f"{inside}:visible")).to_have_count(0)
        assert in_tree(tree)
    # Each lens is a chip that says itself and ends.
    again(tree, link)
    row = tree.get_by_role("group", name="Lenses")
    chosen = tree.locator("#tree [role=treeitem][tabindex='0']")
    # Without a lens there is no row, and a tab without anything to show opens no drawer.
    expect(row).to_be_hidden()
    again(tree, linked(tree) + "&drawer=rows")
    expect(tree.locator("#drawer")).to_be_hidden()
    # Escape ends the newest.
    chosen.focus()
    keys(tree, "Enter")
    assert chips(tree) == ["pair"]
    search(tree, "r1")
    assert chips(tree) == ["pair", "search"]
    expect(tree.locator(".lens[data-lens=search]")).to_contain_text("5 hits of r1")
    chosen.focus()
    keys(tree, "Escape")
    assert chips(tree) == ["pair"]
    keys(tree, "Escape")
    expect(row).to_be_hidden()
    # A cross ends its own, whichever is the newest.
    search(tree, "r1")
    chosen.focus()
    keys(tree, "Enter")
    assert chips(tree) == ["search", "pair"]
    press(tree, tree.locator(".lens[data-lens=search]").get_by_role("button"))
    assert chips(tree) == ["pair"]
    expect(tree.get_by_role("region", name="Rows")).to_have_count(0)
    keys(tree, "Escape")
    # A pair says both of its plies.
    press(tree, item(tree, "c6"))
    keys(tree, "Enter")
    press(tree, item(tree, "d6"))
    pair = tree.locator(".lens[data-lens=pair]")
    names = pair.locator("b").all_inner_texts()
    assert sorted(names) == ["c6", "d6"]
    expect(pair).to_contain_text(f"{names[0]} rather than {names[1]}")
