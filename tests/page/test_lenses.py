"""Lenses: a chip each over the tree, which says itself and ends; and the drawer below it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.page.conftest import keys, press, settled
from tests.page.trees import item


def chips(page: Page) -> list[str]:
    """The lenses that are on, the oldest first."""
    return [chip.get_attribute("data-lens") or "" for chip in page.locator(".lens").all()]


def search(page: Page, text: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type(text)
    keys(page, "Enter")


def test_without_a_lens_there_is_no_row(tree: Page) -> None:
    expect(tree.get_by_role("group", name="Lenses")).to_be_hidden()


def test_each_lens_says_itself_and_escape_ends_the_newest(tree: Page) -> None:
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
    expect(tree.get_by_role("group", name="Lenses")).to_be_hidden()


def test_a_lens_ends_with_its_cross_whichever_is_the_newest(tree: Page) -> None:
    search(tree, "r1")
    tree.locator("#tree [role=treeitem][tabindex='0']").focus()
    keys(tree, "Enter")
    assert chips(tree) == ["search", "pair"]
    press(tree, tree.locator(".lens[data-lens=search]").get_by_role("button"))
    assert chips(tree) == ["pair"]
    expect(tree.get_by_role("region", name="Rows")).to_have_count(0)


def test_a_pair_says_both_of_its_plies(tree: Page) -> None:
    press(tree, item(tree, "c6"))
    keys(tree, "Enter")
    press(tree, item(tree, "d6"))
    names = [name.inner_text() for name in tree.locator(".lens[data-lens=pair] b").all()]
    assert sorted(names) == ["c6", "d6"]
    expect(tree.locator(".lens[data-lens=pair]")).to_contain_text(f"{names[0]} rather than {names[1]}")


def test_a_link_to_a_tab_without_anything_to_show_opens_no_drawer(tree: Page) -> None:
    tree.evaluate("location.hash = location.hash + '&drawer=rows'")
    settled(tree)
    expect(tree.locator("#drawer")).to_be_hidden()
