"""Lenses: a chip each over the tree, which says itself and ends; and the drawer below it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.page.conftest import settled


def chips(page: Page) -> list[str]:
    """What the chips say, the oldest first."""
    return [text.strip() for text in page.locator(".lens-words").all_inner_texts()]


def search(page: Page, text: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    settled(page)


def test_without_a_lens_there_is_no_row(tree: Page) -> None:
    expect(tree.get_by_role("group", name="Lenses")).to_be_hidden()


def test_each_lens_says_itself_and_escape_ends_the_newest(tree: Page) -> None:
    tree.locator("#tree [role=treeitem]").first.focus()
    tree.keyboard.press("Enter")
    settled(tree)
    pinned = chips(tree)
    assert len(pinned) == 1
    search(tree, "r1")
    assert chips(tree) == [*pinned, "5 hits of r1"]
    tree.locator("#tree [role=treeitem][tabindex='0']").focus()
    tree.keyboard.press("Escape")
    settled(tree)
    assert chips(tree) == pinned
    tree.keyboard.press("Escape")
    settled(tree)
    expect(tree.get_by_role("group", name="Lenses")).to_be_hidden()


def test_a_lens_ends_with_its_cross_whichever_is_the_newest(tree: Page) -> None:
    search(tree, "r1")
    tree.locator("#tree [role=treeitem][tabindex='0']").focus()
    tree.keyboard.press("Enter")
    settled(tree)
    assert len(chips(tree)) == 2
    tree.locator(".lens[data-lens=search]").get_by_role("button").click()
    settled(tree)
    assert chips(tree) != []
    assert not any("hits" in chip for chip in chips(tree))
    expect(tree.get_by_role("region", name="Rows")).to_have_count(0)


def test_a_link_to_a_tab_without_anything_to_show_opens_no_drawer(tree: Page) -> None:
    tree.evaluate("location.hash = location.hash + '&drawer=rows'")
    settled(tree)
    expect(tree.locator("#drawer")).to_be_hidden()
