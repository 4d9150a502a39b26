"""The hits of a search: a list below the tree, walked by pointer and keys, and the way back."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Show, again, keys, linked, press, settled
from tests.page.test_accessibility import serious
from tests.page.trees import camera, item, names, selected, textbook, wide, write_lines


def sought(page: Page, text: str) -> Locator:
    """The rows of the hits, once they are there."""
    page.get_by_role("searchbox").fill(text)
    page.get_by_role("region", name="Rows").wait_for()
    settled(page)
    return page.get_by_role("region", name="Rows").get_by_role("option")


def test_hits_are_listed_and_walked_by_pointer_and_keys(tree: Page) -> None:
    link = linked(tree)
    # Hits are listed with path and score and counted.
    rows = sought(tree, "r1")
    assert tree.locator(".rows-title").text_content() == "5 hits of r1"
    assert rows.count() == 5
    assert rows.first.locator(".rows-path").inner_text().split() == ["c6", "›", "a1", "›", "r1"]
    assert [row.locator("> .number").first.inner_text() for row in rows.all()][:2] == ["+12.5", "+14.0"]
    # A press on a hit goes there and arrow keys go on.
    again(tree, link)
    rows = sought(tree, "r1")
    press(tree, rows.nth(2))
    assert tree.get_by_role("status").first.inner_text() == "3 of 5"
    expect(rows.nth(2)).to_have_attribute("aria-selected", "true")
    assert "b1" in names(tree)
    keys(tree, "ArrowDown")
    expect(rows.nth(3)).to_have_attribute("aria-selected", "true")
    keys(tree, "Home")
    expect(rows.nth(0)).to_have_attribute("aria-selected", "true")
    tree.get_by_role("searchbox").focus()
    keys(tree, "ArrowUp")
    expect(rows.nth(4)).to_have_attribute("aria-selected", "true")
    assert tree.evaluate("document.activeElement.id") == "search"


def test_escape_returns_to_where_the_search_began(tree: Page) -> None:
    press(tree, item(tree, "d6"))
    before = (names(tree), selected(tree), camera(tree))
    sought(tree, "h1")
    assert selected(tree) == "h1"
    keys(tree, "Escape")
    expect(tree.get_by_role("region", name="Rows")).to_have_count(0)
    tree.wait_for_function(
        "all => document.querySelector('#tree .world').getAttribute('transform') === all", arg=before[2]
    )
    assert (names(tree), selected(tree), camera(tree)) == before


def test_of_ten_thousand_hits_only_those_in_sight_are_drawn_and_all_can_be_scrolled_to(
    show: Show, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "wide.jsonl", [None, *[0] * 10_000])
    page = show(path)
    rows = sought(page, "n")
    assert page.locator(".rows-title").text_content() == "10,000 hits of n"
    assert rows.count() < 20
    page.locator(".rows-list").evaluate("list => { list.scrollTop = list.scrollHeight }")
    expect(rows.last).to_contain_text("n10000")
    page.locator(".rows-list").focus()
    keys(page, "End")
    assert selected(page) == "n10000"


def test_the_list_folds_and_ends_where_one_is(show: Show) -> None:
    page = show(wide(60), 1280, 720)
    sought(page, "p5")
    item(page, "root").focus()
    keys(page, "\\")
    assert page.locator(".rows-list").is_hidden()
    press(page, page.get_by_role("button", name="Show what lies below"))
    assert page.locator(".rows-list").is_visible()
    there = selected(page)
    press(page, page.get_by_role("button", name="End the search, stay here"))
    expect(page.get_by_role("region", name="Rows")).to_have_count(0)
    assert selected(page) == there


def test_what_hits_hold_is_text_and_axe_finds_nothing_serious(show: Show) -> None:
    document = textbook()
    document["root"]["children"][0]["ply"] = "<img src=x onerror=document.title=1>"
    page = show(document)
    sought(page, "<img")
    assert page.locator("#drawer img").count() == 0
    assert serious(page) == []
