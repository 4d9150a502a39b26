"""The focus by keys alone: it goes from part to part, comes back, and is never lost."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.page.conftest import NewPage, Serve, Show, again, keys, linked, press, settled, visit
from tests.page.test_weights import LOG
from tests.page.trees import item, textbook

IN_TREE = "document.activeElement.closest('#tree') !== null"


def part(page: Page) -> str:
    """The id of the part of the page that has the focus."""
    inside = "e => e.closest('header, aside, #lenses, #notes, #tree, #drawer, #replay, #rail, #legend')?.id"
    return str(page.evaluate(f"({inside})(document.activeElement)"))


def seen(page: Page) -> bool:
    """Whether what has the focus is something, and drawn."""
    return bool(
        page.evaluate("document.activeElement !== document.body && document.activeElement.checkVisibility()")
    )


def test_the_focus_leaves_a_field_of_weights_as_it_should(show: Show) -> None:
    page = show(LOG)
    keys(page, "g")
    link = linked(page)
    # F6 leaves a field.
    page.get_by_role("spinbutton", name="Weight of mobility, a number").focus()
    keys(page, "F6")
    assert part(page) == "topbar"
    # Escape in a number leaves the weight that counts.
    again(page, link)
    field = page.get_by_role("spinbutton", name="Weight of mobility, a number")
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("77")
    keys(page, "Escape")
    expect(field).to_have_value("2")
    expect(page.locator("[data-lens=weights]")).to_have_count(0)
    # Escape in a field goes to the tree and ends nothing else.
    for role in ["spinbutton", "slider"]:
        again(page, link)
        page.get_by_role(role, name="Weight of mobility").first.focus()
        keys(page, "ArrowUp")
        said = page.locator("[data-lens=weights]")
        if role == "slider":
            expect(said).to_have_count(1)
        keys(page, "Escape")
        assert page.evaluate(IN_TREE)
        expect(said).to_have_count(1)  # the number's change is taken as the field is left
        keys(page, "Escape")
        expect(said).to_have_count(0)


def test_a_log_that_replaces_the_tree_takes_its_focus(show: Show) -> None:
    page = show(textbook())
    keys(page, "ArrowDown")
    page.evaluate(
        """() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData('text/plain', '{"ply": "new", "children": [{"ply": "z", "score": 1}]}');
            document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true}));
        }"""
    )
    expect(item(page, "z")).to_be_visible()
    settled(page)
    assert page.evaluate(IN_TREE)
    assert page.evaluate("document.activeElement.isConnected")


def test_the_focus_goes_from_part_to_part_and_is_never_lost(tree: Page) -> None:
    link = linked(tree)
    # What a press beside it leaves is left.
    tree.get_by_role("button", name="Open a log").focus()
    tree.evaluate("document.activeElement.blur()")
    keys(tree, "f")
    assert tree.evaluate("document.activeElement === document.body")
    # Letters mean the same with caps lock.
    again(tree, link)

    def lock(key: str, *, shift: bool) -> None:
        options = f"{{key: '{key}', shiftKey: {str(shift).lower()}, modifierCapsLock: true, bubbles: true}}"
        tree.evaluate(f"document.body.dispatchEvent(new KeyboardEvent('keydown', {options}))")
        settled(tree)

    lock("P", shift=False)
    assert tree.locator("#details-panel .details-name").inner_text() == "c6"
    lock("p", shift=True)
    assert tree.locator("#details-panel .details-name").inner_text() == "root"
    # F6 goes through the parts and shift f6 back.
    again(tree, link)
    keys(tree, "s", "ArrowDown", "ArrowUp")
    there = [part(tree)]
    while len(there) < 12 and (len(there) == 1 or there[-1] != "tree"):
        keys(tree, "F6")
        assert seen(tree)
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
    assert tree.evaluate(IN_TREE)
    expect(wrong).to_be_visible()
    keys(tree, "Escape")
    expect(wrong).not_to_be_visible()
    assert tree.evaluate(IN_TREE)
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
        assert not tree.evaluate(IN_TREE)
        keys(tree, opens)
        expect(tree.locator(f"{inside}:visible")).to_have_count(0)
        assert tree.evaluate(IN_TREE)


def test_the_help_is_read_by_keys_at_once(show: Show) -> None:
    page = show(textbook(), 1280, 600)
    keys(page, "?")
    help_text = page.get_by_role("dialog").get_by_role("region", name="Keys")
    expect(help_text).to_be_focused()
    help_text.evaluate("region => region.addEventListener('scroll', () => (region.dataset.moved = 'yes'))")
    page.keyboard.press("End")
    expect(help_text).to_have_attribute("data-moved", "yes")
    keys(page, "Escape")
    assert page.locator("dialog[open]").count() == 0


def test_weights_beside_another_log_are_those_of_that_log(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_text(json.dumps(LOG), "utf-8")
    other = json.loads(json.dumps(LOG).replace('"ply": "a"', '"ply": "other"'))
    second.write_text(json.dumps(other), "utf-8")
    page = visit(new_page(), serve(first, second))
    keys(page, "g")
    expect(page.locator(".weights-words")).to_contain_text("a is first")
    press(page, page.locator("#logs .log-button", has_text="second.json"))
    expect(page.locator(".weights-words")).to_contain_text("other is first")
