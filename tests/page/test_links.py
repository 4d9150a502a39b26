"""Addresses, history and title: a link is exactly one view."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.page.conftest import NewPage, keys, press, settled
from tests.page.trees import item, middle, names, scale, selected


def test_the_address_is_a_link_to_exactly_this_view(tree: Page, new_page: NewPage) -> None:
    press(tree, item(tree, "d6"))
    press(tree, item(tree, "b1"))
    tree.mouse.move(*middle(tree, "b1"))
    tree.mouse.wheel(0, 300)
    settled(tree)
    tree.wait_for_function("() => location.hash.includes('node=')")
    other = new_page()
    other.goto(tree.url)
    settled(other)
    assert names(other) == names(tree)
    assert selected(other) == "b1"
    assert round(scale(other), 2) == round(scale(tree), 2)
    for mine, theirs in zip(middle(tree, "b1"), middle(other, "b1"), strict=True):
        assert abs(mine - theirs) < 2


def test_a_damaged_link_shows_what_it_can_and_says_so_once(tree: Page) -> None:
    """Typed into the address of an open page, too: `new_page` fails its test on an uncaught error."""
    tree.wait_for_function("() => location.hash.includes('node=')")
    tree.evaluate("location.hash = location.hash.split('&')[0] + '&node=3&open=0.1.zzz.1&pin=999'")
    tree.wait_for_selector("#notices .notice")
    settled(tree)
    assert tree.locator("#notices .notice").count() == 1
    assert selected(tree) == "r1"


def test_the_title_names_the_node_and_the_log(tree: Page) -> None:
    assert tree.title() == "root \u00b7 log \u00b7 Plyscope"
    keys(tree, "p")
    assert tree.title() == "c6 \u00b7 log \u00b7 Plyscope"
