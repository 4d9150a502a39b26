"""Expressions in the search box, and the one table: its sources, columns, order, files, and marks."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Show, again, keys, linked, press, settled
from tests.page.test_accessibility import serious
from tests.page.trees import item, selected, textbook, write


def asked(page: Page, expression: str) -> Locator:
    """The rows of the hits of an expression."""
    box = page.locator("#search")
    box.fill(expression)
    box.press("Enter")
    settled(page)
    return rows(page)


def rows(page: Page) -> Locator:
    return page.locator("#drawer .rows-list [role=option]")


def headings(page: Page) -> list[str]:
    return page.locator(".rows-names > *").all_inner_texts()


def column(page: Page, place: int) -> list[str]:
    """The cells of a column of the rows in sight; 0 is the path."""
    return [row.locator("> *").nth(place).inner_text() for row in rows(page).all()]


def address(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).fragment)


def test_an_expression_is_asked_corrected_and_its_hits_are_walked(tree: Page) -> None:
    link = linked(tree)
    # An expression is asked by enter and lists its hits where one is.
    before = selected(tree)
    tree.locator("#search").fill("level = 2 and score > 0")
    settled(tree)
    expect(tree.locator(".search-expression")).to_have_count(1)
    assert rows(tree).count() == 0
    found = asked(tree, "level = 2 and score > 0")
    answer = tree.evaluate(
        "async log => (await fetch(`/api/logs/${log}/query?q=level+=+2+and+score+>+0`)).json()",
        address(tree)["log"][0],
    )
    assert found.count() == answer["total"] > 1
    assert tree.locator(".rows-title").text_content() == f"{answer['total']} hits of level = 2 and score > 0"
    assert headings(tree) == ["path", "level", "score", "outcome", "id"]
    assert selected(tree) == before
    expect(tree.locator('.lens[data-lens="search"]')).to_contain_text("hits of level = 2 and score > 0")
    # N steps through hits from the selected node and the row is the selected node.
    again(tree, link)
    found = asked(tree, "level = 2")
    item(tree, "root").focus()
    keys(tree, "n")
    first = selected(tree)
    assert rows(tree).nth(0).get_attribute("aria-selected") == "true"
    keys(tree, "n")
    expect(found.nth(1)).to_have_attribute("aria-selected", "true")
    keys(tree, "N")
    assert selected(tree) == first
    press(tree, item(tree, "d6"))
    press(tree, item(tree, "b1"))
    assert tree.locator("#drawer [aria-selected=true] .rows-path > b").inner_text() == "b1"
    # Fields and words are suggested as one types.
    again(tree, link)
    box = tree.locator("#search")

    def offered(text: str) -> list[str]:
        box.fill(text)
        settled(tree)
        return tree.eval_on_selector_all("#search-fields option", "all => all.map(each => each.value)")

    assert "level > 1 and outcome" in offered("level > 1 and outc")
    assert offered("outcome = 'le") == ["outcome = 'leaf'"]
    assert "parent.score" in offered("parent.sc")
    assert offered("c6") == []
    # What is wrong is underlined with what was meant and put there.
    again(tree, link)
    asked(tree, "outcom = 'leaf'")
    error = tree.locator(".search-error")
    expect(error).to_contain_text("no field outcom; did you mean outcome?")
    assert error.locator("u").inner_text() == "outcom"
    assert tree.locator("#search").get_attribute("aria-invalid") == "true"
    press(tree, error.get_by_role("button"))
    expect(error).to_be_hidden()
    assert tree.locator("#search").input_value() == "outcome = 'leaf'"
    assert rows(tree).count() > 0
    tree.locator("#search").fill("outcome = 'leaf' and")
    tree.locator("#search").press("Enter")
    settled(tree)
    expect(error).to_contain_text("found the end")
    tree.locator("#search").fill("outcome = 'leaf' an")
    expect(error).to_be_hidden()
    # Hits are marked on cards and wedges count hits below.
    again(tree, link)
    asked(tree, "outcome = 'leaf'")
    marks = tree.evaluate(
        "async log => (await fetch(`/api/logs/${log}/query/marks?q=outcome+=+'leaf'&ids=${[...document"
        ".querySelectorAll('#tree [data-id]')].map(each => each.dataset.id)}`)).json()",
        address(tree)["log"][0],
    )["marks"]
    cards = tree.locator("#tree .node")
    checked = 0
    for card in cards.all():
        mark = marks.get(card.get_attribute("data-id"), {"hit": False, "below": 0})
        assert ("node-hit" in (card.get_attribute("class") or "")) == mark["hit"]
        if card.locator(".wedge").count():
            assert card.locator(".wedge-text").text_content() == str(mark["below"])
            checked += 1
    assert checked > 2
    assert any(mark["hit"] for mark in marks.values())
    tree.locator("#search").press("Escape")
    settled(tree)
    expect(tree.locator(".node-hit, .wedge-hits, .wedge-no-hits")).to_have_count(0)


def test_the_table_is_sorted_given_columns_saved_and_closed(tree: Page, tmp_path: Path) -> None:
    link = linked(tree)
    # Headings sort turn round and go back to the order of the search.
    asked(tree, "level = 2")
    usual = column(tree, 0)
    scores = {}
    for way in ("ascending", "descending"):
        press(tree, tree.locator(".rows-names").get_by_role("button", name="score"))
        expect(tree.locator(".rows-names").get_by_role("button", name=f"score, sorted {way}")).to_be_visible()
        scores[way] = [
            float(text.replace("\u2212", "-").strip("≤≥ +")) for text in column(tree, 2) if text != "\u2013"
        ]
    assert scores["ascending"] == sorted(scores["ascending"])
    assert scores["descending"] == sorted(scores["ascending"], reverse=True)
    press(tree, tree.locator(".rows-names").get_by_role("button", name="score"))
    assert column(tree, 0) == usual
    assert "sort" not in address(tree)
    # Children and visits are listed and the table closes.
    again(tree, link)
    item(tree, "c6").click()
    keys(tree, "t")
    expect(tree.locator(".rows-title")).to_contain_text("children of c6")
    press(tree, tree.locator("#drawer").get_by_role("button", name="Visits"))
    expect(tree.locator(".rows-title")).to_contain_text("of the position of c6")
    assert address(tree)["rows"][0].startswith("visits.")
    press(tree, tree.get_by_role("button", name="Close this table"))
    expect(tree.locator("#drawer")).to_be_hidden()
    assert "rows" not in address(tree)
    # Columns are chosen and files have them.
    again(tree, link)
    asked(tree, "level = 1")
    press(tree, tree.get_by_role("button", name="Columns"))
    tree.get_by_role("checkbox", name="nodes_below").check()
    settled(tree)
    tree.keyboard.press("Escape")
    press(tree, tree.locator(".rows-names").get_by_role("button", name="nodes below"))
    assert "nodes below" in headings(tree)
    assert address(tree)["sort"] == ["nodes_below"]
    with tree.expect_download() as download:
        tree.get_by_role("link", name="CSV").click()
    download.value.save_as(tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open() as file:
        found = list(csv.DictReader(file))
    assert len(found) == rows(tree).count()
    assert [row["nodes_below"] for row in found] == sorted((row["nodes_below"] for row in found), key=int)


def test_an_address_brings_the_query_its_columns_and_its_order_back(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, textbook()))
    asked(page, "level = 2")
    press(page, page.locator(".rows-names").get_by_role("button", name="score"))
    before = (column(page, 0), headings(page), selected(page))
    expect(page).to_have_url(page.url)
    link = page.url
    assert parse_qs(urlsplit(link).fragment)["q"] == ["level = 2"]
    page.goto("about:blank")
    page.goto(link)
    settled(page)
    rows(page).first.wait_for()
    assert (column(page, 0), headings(page), selected(page)) == before
    assert page.locator("#search").input_value() == "level = 2"
    press(page, page.locator('.lens[data-lens="search"] button'))
    page.wait_for_function("!location.hash.includes('q=')")


def test_what_a_table_holds_is_text_and_axe_finds_nothing_serious(show: Show, tmp_path: Path) -> None:
    document = json.loads(json.dumps(textbook()))
    document["root"]["children"][0]["ply"] = "<img src=x onerror=document.title=1>"
    document["root"]["children"][0]["why"] = "<b>why</b>"
    page = show(write(tmp_path, document), 1280, 720)
    asked(page, "ply like '<img%' and why is not null")
    assert page.locator("#drawer img, #drawer .rows-list b b").count() == 0
    assert "<b>why</b>" in column(page, 2)
    assert serious(page) == []
