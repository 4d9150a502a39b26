"""The first page: which files it asks for, and how often; what a first visit is shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from plyscope.visualizer.shelf.folders import shipped_folder
from plyscope.visualizer.web.page.page_files import PageFiles
from tests.page.conftest import NewPage, Server, press, settled, visit

ANNOUNCED = "[...document.querySelectorAll('link[rel=modulepreload]')].map(({href}) => href)"
LOADED = """performance.getEntriesByType("resource").filter(({name}) => name.includes("/static/"))
    .map(({name, transferSize}) => [name, transferSize])"""


def test_the_modules_that_are_announced_are_those_that_an_empty_page_loads(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    """No log is there, so nothing is loaded late: the browser's own reading of the imports is the measure."""
    (tmp_path / "none").mkdir()
    page = visit(new_page(own=True), serve(EXAMPLES=tmp_path / "none"))
    loaded = [name for name, _ in page.evaluate(LOADED) if name.endswith(".js")]
    assert loaded == page.evaluate(ANNOUNCED)
    assert [name.rpartition("/")[2] for name in loaded] == ["main.js"]


def test_modules_that_are_no_script_are_announced_as_an_empty_page_loads_them(
    new_page: Callable[..., Page],
    serve: Callable[..., Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = PageFiles(shipped_folder("static"), as_modules=True)
    monkeypatch.setattr("plyscope.visualizer.web.app.page_files", lambda folder: whole)
    (tmp_path / "none").mkdir()
    page = visit(new_page(own=True), serve(EXAMPLES=tmp_path / "none"))
    loaded = [name for name, _ in page.evaluate(LOADED) if name.endswith(".js")]
    assert sorted(loaded) == sorted(page.evaluate(ANNOUNCED))
    assert len(loaded) > 90


def test_a_reload_asks_for_no_file_again(new_page: Callable[..., Page], server: Server) -> None:
    page = visit(new_page(own=True), server)
    assert all(size > 0 for _, size in page.evaluate(LOADED))
    page.reload()
    settled(page)
    sizes = [size for _, size in page.evaluate(LOADED)]
    assert len(sizes) > 2
    assert not any(sizes)


def test_a_first_visit_shows_four_things_to_try_until_all_were_tried(
    new_page: NewPage, server: Server
) -> None:
    page = new_page()
    tries = page.locator("#first-visit")

    def try_out(name: str) -> None:
        page.goto(f"{server.address}?testing=first")
        page.evaluate("localStorage.clear()")
        page.reload()
        expect(settled(page).locator("#first-visit").get_by_role("button")).to_have_count(5)
        press(page, tries.get_by_role("button", name=name))
        expect(tries.get_by_role("button", name=name)).to_be_hidden()

    try_out("Why this ply")
    expect(page.locator("#why .why-title")).to_be_focused()
    # Tab stops at a group once, arrows go through it.
    figures = page.locator("#why .waterfall button")
    assert figures.evaluate_all("all => all.filter(one => one.tabIndex >= 0).length") == 1
    figures.first.focus()
    page.keyboard.press("ArrowDown")
    expect(figures.nth(1)).to_be_focused()
    assert figures.evaluate_all("all => all.map(one => one.tabIndex).indexOf(0)") == 1
    try_out("finding of a search with a bug")
    expect(page.locator("#check-panel .check-finding")).to_be_visible()
    assert "check=wrong" in page.url
    try_out("What a deeper search changed")
    expect(page.locator(".diff-part")).to_contain_text("The choice changed, from Bxd1 +5.56 to dxe5 +0.42.")
    # The others stay, in the next visit too; the last one ends it, and so does its button.
    page.reload()
    expect(settled(page).locator("#first-visit").get_by_role("button")).to_have_count(4)
    for name in ("Why this ply", "finding of a search with a bug", "A search of your own"):
        expect(tries).to_be_visible()
        press(page, tries.get_by_role("button", name=name))
        settled(page)
    expect(tries).to_be_hidden()
    try_out("Do not show")
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
