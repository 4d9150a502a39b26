"""The search box: hits, expressions, and the one table, its sources, columns, order, files, and marks."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import again, downloaded, keys, linked, press, settled
from tests.page.trees import camera, item, names, selected


def asked(page: Page, expression: str) -> Locator:
    box = page.locator("#search")
    box.fill(expression)
    box.press("Enter")
    return rows(settled(page))


def answer(page: Page, question: str) -> dict[str, Any]:
    """What the API says of the open log."""
    ask = "async ([log, question]) => (await fetch(`/api/logs/${log}${question}`)).json()"
    found: dict[str, Any] = page.evaluate(ask, [address(page)["log"][0], question])
    return found


def rows(page: Page) -> Locator:
    return page.locator("#drawer .rows-list [role=option]")


def headings(page: Page) -> list[str]:
    return page.locator(".rows-names > *").all_inner_texts()


def column(page: Page, place: int) -> list[str]:
    """The cells of a column of the rows in sight; 0 is the path."""
    return [row.locator("> *").nth(place).inner_text() for row in rows(page).all()]


def address(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).fragment)


def region(page: Page) -> Locator:
    return page.get_by_role("region", name="Rows")


def sought(page: Page, text: str) -> Locator:
    """The rows of the hits, once they are there."""
    page.get_by_role("searchbox").fill(text)
    region(page).wait_for()
    return region(settled(page)).get_by_role("option")


def test_an_expression_is_asked_and_corrected_and_its_hits_are_walked_sorted_and_saved(
    tree: Page, tmp_path: Path
) -> None:
    link = linked(tree)
    box = tree.locator("#search")
    # An expression is asked by enter and lists its hits where one is.
    logged: list[str] = []
    tree.on("console", lambda message: logged.append(message.text))
    before = selected(tree)
    expression = "level = 2 and score > 0"
    box.fill(expression)
    expect(tree.locator(".search-expression")).to_have_count(1)
    assert rows(settled(tree)).count() == 0
    found = asked(tree, expression)
    total = answer(tree, "/query?q=level+=+2+and+score+>+0")["total"]
    assert found.count() == total > 1
    assert tree.locator(".rows-title").text_content() == f"{total} hits of {expression}"
    assert headings(tree) == ["path", "level", "score", "outcome", "id"]
    assert selected(tree) == before
    expect(tree.locator('.lens[data-lens="search"]')).to_contain_text(f"hits of {expression}")
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

    def offered(text: str) -> list[str]:
        box.fill(text)
        return settled(tree).eval_on_selector_all(
            "#search-fields option", "all => all.map(each => each.value)"
        )

    assert "level > 1 and outcome" in offered("level > 1 and outc")
    assert offered("outcome = 'le") == ["outcome = 'leaf'"]
    assert "parent.score" in offered("parent.sc")
    assert offered("c6") == []
    # What is wrong is underlined with what was meant and put there, and nothing of it is in the console.
    asked(tree, "outcom = 'leaf'")
    error = tree.locator(".search-error")
    expect(error).to_contain_text("no field outcom; did you mean outcome?")
    assert error.locator("u").inner_text() == "outcom"
    assert box.get_attribute("aria-invalid") == "true"
    press(tree, error.get_by_role("button"))
    expect(error).to_be_hidden()
    assert box.input_value() == "outcome = 'leaf'"
    assert rows(tree).count() > 0
    asked(tree, "outcome = 'leaf' and")
    expect(error).to_contain_text("found the end")
    box.fill("outcome = 'leaf' an")
    expect(error).to_be_hidden()
    assert logged == []
    # Hits are marked on cards and wedges count hits below.
    again(tree, link)
    asked(tree, "outcome = 'leaf'")
    expect(tree.locator("#tree .node-hit .node-name")).to_have_text(["r1", "r2"])
    for name, n_hits in (("a2", "2"), ("d6", "1"), ("e6", "1"), ("f6", "2")):
        expect(item(tree, name).locator(".wedge-text")).to_have_text(n_hits)
    box.press("Escape")
    expect(settled(tree).locator(".node-hit, .wedge-hits, .wedge-no-hits")).to_have_count(0)
    again(tree, link)
    heads = tree.locator(".rows-names")
    # Headings sort turn round and go back to the order of the search.
    asked(tree, "level = 2")
    usual = column(tree, 0)
    scores = {}
    for way in ("ascending", "descending"):
        press(tree, heads.get_by_role("button", name="score"))
        expect(heads.get_by_role("button", name=f"score, sorted {way}")).to_be_visible()
        figures = [text.replace("\u2212", "-").strip("≤≥ +") for text in column(tree, 2)]
        scores[way] = [float(text) for text in figures if text != "\u2013"]
    assert scores["ascending"] == sorted(scores["ascending"])
    assert scores["descending"] == sorted(scores["ascending"], reverse=True)
    # An address brings the query, its columns and its order back.
    before = (column(tree, 0), headings(tree), selected(tree))
    assert address(tree)["q"] == ["level = 2"]
    tree.reload()
    rows(settled(tree)).first.wait_for()
    assert (column(tree, 0), headings(tree), selected(tree)) == before
    assert tree.locator("#search").input_value() == "level = 2"
    press(tree, heads.get_by_role("button", name="score"))
    assert column(tree, 0) == usual
    assert "sort" not in address(tree)
    press(tree, tree.locator('.lens[data-lens="search"] button'))
    tree.wait_for_function("!location.hash.includes('q=')")
    # Children and visits are listed and the table closes.
    again(tree, link)
    item(tree, "c6").click()
    keys(tree, "t")
    expect(tree.locator(".rows-title")).to_contain_text("children of c6")
    press(tree, tree.locator("#drawer").get_by_role("button", name="Visits"))
    expect(tree.locator(".rows-title")).to_contain_text("of the position of c6")
    press(tree, tree.get_by_role("button", name="Close this table"))
    expect(tree.locator("#drawer")).to_be_hidden()
    assert "rows" not in address(tree)
    # Columns are chosen and files have them.
    again(tree, link)
    asked(tree, "level = 1")
    press(tree, tree.get_by_role("button", name="Columns"))
    tree.get_by_role("checkbox", name="nodes_below").check()
    settled(tree).keyboard.press("Escape")
    press(tree, heads.get_by_role("button", name="nodes below"))
    assert "nodes below" in headings(tree)
    assert address(tree)["sort"] == ["nodes_below"]
    file = tmp_path / "rows.csv"
    downloaded(tree, tree.get_by_role("link", name="CSV")).save_as(file)
    found = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert len(found) == rows(tree).count()
    below = [int(row["nodes_below"]) for row in found]
    assert below == sorted(below)
    # The buttons of the table stand in one row, or in two where there is little room.
    lines = """all => new Set(all.filter(one => one.checkVisibility())
        .map(one => Math.round(one.getBoundingClientRect().y / 8))).size"""
    for width, n_rows in ((1440, 1), (900, 1), (610, 2)):
        tree.set_viewport_size({"width": width, "height": 900})
        head = settled(tree).locator(".drawer-head button, .drawer-head a")
        assert head.evaluate_all(lines) == n_rows
        expect(head.filter(visible=True).last).to_be_in_viewport(ratio=1)
        expect(tree.locator(".rows-title b")).to_be_in_viewport(ratio=1)
    # What is no expression is sought.
    tree.set_viewport_size({"width": 1440, "height": 900})
    again(tree, link)
    # Hits are listed with path and score and counted.
    found = sought(tree, "r1")
    assert tree.locator(".rows-title").text_content() == "5 hits of r1"
    assert found.count() == 5
    assert found.first.locator(".rows-path").inner_text().split() == ["c6", "›", "a1", "›", "r1"]
    assert [row.locator("> .number").first.inner_text() for row in found.all()][:2] == ["+12.5", "+14.0"]
    # A press on a hit goes there and arrow keys go on.
    press(tree, found.nth(2))
    assert tree.get_by_role("status").first.inner_text() == "3 of 5"
    expect(found.nth(2)).to_have_attribute("aria-selected", "true")
    assert "b1" in names(tree)
    keys(tree, "ArrowDown")
    expect(found.nth(3)).to_have_attribute("aria-selected", "true")
    keys(tree, "Home")
    expect(found.nth(0)).to_have_attribute("aria-selected", "true")
    box, status = tree.get_by_role("searchbox"), tree.get_by_role("status").first
    box.focus()
    for key, said in (("ArrowUp", "5 of 5"), ("Enter", "1 of 5"), ("Shift+Enter", "5 of 5")):
        keys(tree, key)
        expect(status).to_have_text(said)
    expect(found.nth(4)).to_have_attribute("aria-selected", "true")
    assert tree.evaluate("document.activeElement.id") == "search"
    press(tree, tree.get_by_role("button", name="Next hit"))
    expect(status).to_have_text("1 of 5")
    box.fill("zz")
    expect(settled(tree).get_by_role("button", name="Next hit")).to_be_hidden()
    expect(status).to_have_text("no hits")
    # The list folds, and ends where one is.
    sought(tree, "r1")
    item(tree, "root").focus()
    keys(tree, "\\")
    assert tree.locator(".rows-list").is_hidden()
    press(tree, tree.get_by_role("button", name="Show what lies below"))
    assert tree.locator(".rows-list").is_visible()
    there = selected(tree)
    press(tree, tree.get_by_role("button", name="End the search, stay here"))
    expect(region(tree)).to_have_count(0)
    assert selected(tree) == there
    # Escape returns to where the search began.
    again(tree, link)
    press(tree, item(tree, "d6"))
    before = (names(tree), selected(tree), camera(tree))
    sought(tree, "h1")
    assert selected(tree) == "h1"
    keys(tree, "Escape")
    expect(region(tree)).to_have_count(0)
    tree.wait_for_function(
        "all => document.querySelector('#tree .world').getAttribute('transform') === all", arg=before[2]
    )
    assert (names(tree), selected(tree), camera(tree)) == before
