"""The first page: its files and what a first visit is shown; addresses, title, a viewer's token."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from plyscope.visualizer.shelf.folders import shipped_folder
from plyscope.visualizer.web.guard import Token
from plyscope.visualizer.web.page.page_files import PageFiles
from tests.page.conftest import NewPage, Serve, Server, press, settled, visit
from tests.page.panels import node, write_log
from tests.page.trees import item, middle, names, scale, selected

ANNOUNCED = "[...document.querySelectorAll('link[rel=modulepreload]')].map(({href}) => href)"
LOADED = """performance.getEntriesByType("resource").filter(({name}) => name.includes("/static/"))
    .map(({name, transferSize}) => [name, transferSize])"""


def modules(page: Page) -> list[str]:
    return [name for name, _ in page.evaluate(LOADED) if name.endswith(".js")]


@pytest.mark.parametrize("whole", [False, True], ids=["one script", "modules"])
def test_the_modules_that_are_announced_are_those_that_an_empty_page_loads_and_no_reload_asks_again(
    new_page: NewPage, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    """No log is there, so nothing is loaded late: the browser's own reading of the imports is the measure."""
    if whole:
        files = PageFiles(shipped_folder("static"), as_modules=True)
        monkeypatch.setattr("plyscope.visualizer.web.app.page_files", lambda folder: files)
    (tmp_path / "none").mkdir()
    page = visit(new_page(own=True), serve(EXAMPLES=tmp_path / "none"))
    loaded = modules(page)
    assert sorted(loaded) == sorted(page.evaluate(ANNOUNCED))
    if whole:
        assert len(loaded) > 90
        return
    assert [name.rpartition("/")[2] for name in loaded] == ["main.js"]
    assert all(size > 0 for _, size in page.evaluate(LOADED))
    page.reload()
    sizes = [size for _, size in settled(page).evaluate(LOADED)]
    assert len(sizes) > 1
    assert not any(sizes)


def test_a_first_visit_shows_four_things_to_try_until_all_were_tried(
    new_page: NewPage, server: Server
) -> None:
    page = new_page()
    tries = page.locator("#first-visit")

    def try_out(name: str) -> None:
        button = tries.get_by_role("button", name=name)
        press(page, button)
        expect(button).to_be_hidden()

    page.goto(f"{server.address}?testing=first")
    settled(page)
    expect(tries.get_by_role("button")).to_have_count(5)
    try_out("Why this ply")
    expect(page.locator("#why .why-title")).to_be_focused()
    # Tab stops at a group once, arrows go through it.
    figures = page.locator("#why .waterfall button")
    stops = "all => all.flatMap((one, place) => (one.tabIndex >= 0 ? [place] : []))"
    assert figures.evaluate_all(stops) == [0]
    figures.first.focus()
    page.keyboard.press("ArrowDown")
    expect(figures.nth(1)).to_be_focused()
    assert figures.evaluate_all(stops) == [1]
    try_out("finding of a search with a bug")
    expect(page.locator("#check-panel .check-finding")).to_be_visible()
    assert "check=wrong" in page.url
    # The others stay, in the next visit too; the last one ends it, and so does its button.
    page.reload()
    expect(settled(page).locator("#first-visit").get_by_role("button")).to_have_count(3)
    try_out("What a deeper search changed")
    expect(page.locator(".diff-part")).to_contain_text("The choice changed, from Bxd1 +5.56 to dxe5 +0.42.")
    press(page, tries.get_by_role("button", name="A search of your own"))
    expect(tries).to_be_hidden()
    page.evaluate("localStorage.clear()")
    page.goto(f"{server.address}?testing=first")
    press(settled(page), tries.get_by_role("button", name="Do not show"))
    expect(tries).to_be_hidden()
    page.reload()
    expect(settled(page).locator("#first-visit")).to_be_hidden()
    # The help is searched.
    page.keyboard.press("?")
    page.keyboard.type("Replay back")
    rows = page.locator("#help-dialog .help-row").filter(visible=True)
    expect(rows).to_have_text([re.compile("step back"), re.compile("back to the last stop")])
    page.keyboard.type(" zebra")
    expect(rows).to_have_count(0)
    expect(page.locator("#help-dialog")).to_contain_text("Nothing found for “Replay back zebra”.")


def test_the_address_is_a_link_to_exactly_this_view(tree: Page, new_page: NewPage) -> None:
    assert tree.title() == "root \u00b7 log \u00b7 Plyscope"
    press(tree, item(tree, "d6"))
    press(tree, item(tree, "b1"))
    assert tree.title() == "b1 \u00b7 log \u00b7 Plyscope"
    tree.mouse.move(*middle(tree, "b1"))
    tree.mouse.wheel(0, 300)
    settled(tree).wait_for_function("() => location.hash.includes('node=')")
    other = new_page()
    other.goto(tree.url)
    assert names(settled(other)) == names(tree)
    assert selected(other) == "b1"
    assert round(scale(other), 2) == round(scale(tree), 2)
    for mine, theirs in zip(middle(tree, "b1"), middle(other, "b1"), strict=True):
        assert abs(mine - theirs) < 2
    # A damaged one, typed into an open page too, shows what it can and says so once.
    tree.evaluate("location.hash = location.hash.split('&')[0] + '&node=3&open=0.1.zzz.1&pin=999'")
    tree.wait_for_selector("#notices .notice")
    assert settled(tree).locator("#notices .notice").count() == 1
    assert selected(tree) == "r1"


def test_the_printed_address_opens_the_page_which_then_needs_no_token_in_its_address(
    new_page: NewPage, serve: Serve, tmp_path: Path
) -> None:
    token = Token.drawn()
    server = serve(write_log(tmp_path), TOKEN=token)
    page = new_page()
    page.goto(f"{server.address}?testing=1")
    expect(page.locator("body")).to_contain_text("this viewer asks for its token")
    page.goto(f"{server.address}?testing=1&token={token.secret}")
    for _ in range(2):
        expect(node(settled(page), "wA1")).to_be_visible()
        assert token.secret not in page.url
        page.reload()
