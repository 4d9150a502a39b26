"""Lenses: a chip each over the tree, which says itself and ends; and the drawer below it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.page.conftest import again, keys, linked, press
from tests.page.trees import item


def chips(page: Page) -> list[str]:
    """The lenses that are on, the oldest first."""
    return [chip.get_attribute("data-lens") or "" for chip in page.locator(".lens").all()]


def search(page: Page, text: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type(text)
    keys(page, "Enter")


def test_each_lens_is_a_chip_that_says_itself_and_ends(tree: Page) -> None:
    row = tree.get_by_role("group", name="Lenses")
    # Without a lens there is no row, and a tab without anything to show opens no drawer.
    expect(row).to_be_hidden()
    again(tree, linked(tree) + "&drawer=rows")
    expect(tree.locator("#drawer")).to_be_hidden()
    # Escape ends the newest.
    tree.locator("#tree [role=treeitem]").first.focus()
    keys(tree, "Enter")
    assert chips(tree) == ["pair"]
    search(tree, "r1")
    assert chips(tree) == ["pair", "search"]
    expect(tree.locator(".lens[data-lens=search]")).to_contain_text("5 hits of r1")
    tree.locator("#tree [role=treeitem][tabindex='0']").focus()
    keys(tree, "Escape")
    assert chips(tree) == ["pair"]
    keys(tree, "Escape")
    expect(row).to_be_hidden()
    # A cross ends its own, whichever is the newest.
    search(tree, "r1")
    tree.locator("#tree [role=treeitem][tabindex='0']").focus()
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
