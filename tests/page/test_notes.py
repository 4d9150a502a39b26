"""Notes on nodes: written, coloured, listed, walked, found, deleted and put back."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.page.conftest import NewPage, Serve, Show, keys, linked, press, settled, visit
from tests.page.trees import layered, leaf, textbook, write


def card(page: Page, node: int) -> str:
    return f'#tree [data-id="{node}"]'


def note(page: Page, node: int, text: str) -> None:
    press(page, page.locator(f"{card(page, node)} .node-name"))
    page.keyboard.press("a")
    expect(page.get_by_label("Note on this node")).to_be_focused()
    page.keyboard.type(text)
    keys(page, "Enter")


def test_a_note_is_written_marked_listed_walked_found_and_put_back(tree: Page) -> None:
    page = tree
    keys(page, "J")
    expect(page.locator(".notice-text")).to_contain_text("There are no notes yet")
    page.get_by_label("Close this message").click()
    # Written by keys alone, and marked in the tree; Enter without a word is a bookmark.
    note(page, 1, "wins a tempo")
    expect(page.locator(f"{card(page, 1)} .note-flag")).to_be_attached()
    expect(page.locator(card(page, 1))).to_be_focused()
    assert "note: wins a tempo" in (page.locator(card(page, 1)).get_attribute("aria-label") or "")
    note(page, 2, "")
    assert "bookmark" in (page.locator(card(page, 2)).get_attribute("aria-label") or "")
    # Another colour, and more words: what was written is kept when the field is left.
    press(page, page.get_by_label("Red note"))
    expect(page.locator(f'{card(page, 2)} .note-flag[data-colour="red"]')).to_be_attached()
    page.get_by_label("Note on this node").fill("dubious")
    keys(page, "Escape")
    assert "note: dubious" in (page.locator(card(page, 2)).get_attribute("aria-label") or "")
    # Walked, from one to the next and round.
    for expected in (1, 2):
        keys(page, "j")
        expect(page.locator(card(page, expected))).to_have_attribute("aria-selected", "true")
    # Listed below the tree, in the order of the log, and part of the link.
    page.evaluate("document.querySelector('#page-menu').showPopover()")
    press(page, page.get_by_role("button", name="All notes"))
    rows = page.locator(".note-row .note-go")
    assert [" ".join(text.split()) for text in rows.all_inner_texts()] == [
        "c6 wins a tempo",
        "c6 > a1 dubious",
    ]
    assert "drawer=notes" in linked(page)
    save = page.get_by_role("link", name="Save with notes").get_attribute("href") or ""
    assert "loads" not in save
    copied = page.request.get(page.url.partition("?")[0].rstrip("/") + save).json()
    assert [each["text"] for each in copied["notes"]] == ["wins a tempo", "dubious"]
    # Found by the search, and marked in a table.
    page.keyboard.press("/")
    page.keyboard.type("DUBI")
    keys(page, "Enter")
    expect(page.locator(".lens-words")).to_contain_text("1 hit")
    expect(page.locator(card(page, 2))).to_have_attribute("aria-selected", "true")
    expect(page.locator(".rows-row .note-dot")).to_have_attribute("aria-label", "note: dubious")
    # A loaded page has them still; a deleted one comes back.
    page.reload()
    settled(page)
    press(page, page.get_by_role("button", name="Delete the note", exact=True))
    expect(page.locator(f"{card(page, 2)} .note-flag")).not_to_be_attached()
    press(page, page.get_by_role("button", name="Undo"))
    expect(page.locator(f'{card(page, 2)} .note-flag[data-colour="red"]')).to_be_attached()
    # The overview outlines their nodes.
    keys(page, "v")
    expect(page.locator(".icicle-note")).to_have_count(2)


def test_notes_on_roots_and_in_other_trees_say_of_which(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    roots = [
        layered({"iteration": number, "score": number, "children": [leaf("c6", number)]}) for number in (1, 2)
    ]
    page = visit(new_page(), serve(write(tmp_path, {"plyscope": 1, "roots": roots})))
    for node in (0, 1):
        note(page, node, "here")
    page.evaluate("document.querySelector('#page-menu').showPopover()")
    press(page, page.get_by_role("button", name="All notes"))
    paths = page.locator(".note-path").all_inner_texts()
    assert paths == ["root, iteration 1", "c6, iteration 1"]


def test_on_a_phone_the_field_of_a_note_has_the_cursor(show: Show) -> None:
    page = show(textbook(), 390, 844)
    keys(page, "a")
    field = page.get_by_label("Note on this node")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
