"""The first page and its address, the list of logs, and the messages below the tree."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from plyscope.visualizer.shelf.folders import shipped_folder
from plyscope.visualizer.web.page.page_files import PageFiles
from tests.page.conftest import NewPage, Serve, Show, keys, press, settled, visit
from tests.page.panels import SAMPLE, drag_files, logs, node, paste, write_log
from tests.page.places import place_of
from tests.page.test_accessibility import serious
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


def test_a_first_visit_shows_four_things_to_try_until_all_were_tried(new_page: NewPage, serve: Serve) -> None:
    page, server = new_page(), serve()
    tries = page.locator("#first-visit")

    def try_out(name: str) -> None:
        button = tries.get_by_role("button", name=name)
        press(page, button)
        expect(button).to_be_hidden()

    page.goto(f"{server}?testing=first")
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
    page.goto(f"{server}?testing=first")
    press(settled(page), tries.get_by_role("button", name="Do not show"))
    page.reload()
    expect(settled(page).locator("#first-visit")).to_be_hidden()
    # The help is searched.
    page.keyboard.press("?")
    expect(page.get_by_role("region", name="Keys", exact=True)).to_be_focused()
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
    assert middle(other, "b1") == pytest.approx(middle(tree, "b1"), abs=2)
    # A damaged one, typed into an open page too, shows what it can and says so once.
    tree.evaluate("location.hash = location.hash.split('&')[0] + '&node=3&open=0.1.zzz.1&pin=999'")
    tree.wait_for_selector("#notices .notice")
    assert settled(tree).locator("#notices .notice").count() == 1
    assert selected(tree) == "r1"


def literal(ply: str) -> str:
    return f'{{"root": {{"children": [{{"ply": "{ply}", "score": 3}}]}}}}'


def listed(page: Page) -> list[str]:
    return logs(page).locator(".log-name").all_inner_texts()


def test_pastes_are_numbered_renamed_and_keep_their_order_over_a_reload(show: Show) -> None:
    page = show(SAMPLE, named="sample.json")
    paste(page, literal("one"))
    paste(page, literal("two"))
    assert sorted(listed(page)) == ["pasted 1", "pasted 2", "sample.json"]
    about = logs(page).locator(".log-about").first.inner_text()
    assert re.fullmatch(r"2 nodes · \d\d:\d\d", about), about
    # A paste is given another name, unless that is given up.
    rename = logs(page).get_by_role("button", name="Rename pasted 2")
    field = logs(page).get_by_role("textbox", name="New name of pasted 2")
    press(page, rename)
    expect(field).to_be_focused()
    field.fill("given up")
    field.press("Escape")
    assert "pasted 2" in listed(settled(page))
    press(page, rename)
    field.fill("quiet moves off")
    field.press("Enter")
    expect(logs(page).locator(".log-open .log-name")).to_have_text("quiet moves off")
    before = listed(page)
    page.reload()
    assert listed(settled(page)) == before
    assert sorted(before) == ["pasted 1", "quiet moves off", "sample.json"]
    expect(logs(page).get_by_role("button", name="Rename sample.json")).to_have_count(0)
    # Tab stops at the list once, also where one row of it was drawn anew.
    logs(page).get_by_role("button", name="Rename pasted 1").click()
    page.keyboard.press("Escape")
    stops = "all => all.filter(one => one.tabIndex >= 0).length"
    assert logs(page).locator(".logs button").evaluate_all(stops) == 1


def test_a_long_list_has_its_own_room_with_the_open_log_in_sight(show: Show) -> None:
    names = [f"log {n:02}.json" for n in range(20)]
    page = show(SAMPLE, named=names[0], beside=dict.fromkeys(names[1:], SAMPLE))
    facts = page.get_by_role("region", name="The run").locator(".facts").first.bounding_box()
    assert facts
    assert facts["y"] < 450
    press(page, logs(page).get_by_role("button", name=re.compile(f"^{names[-1]}")))
    page.reload()
    expect(logs(settled(page)).locator(".log-open")).to_be_in_viewport(ratio=0.9)
    paste(page, literal("last"))
    expect(logs(page).locator(".log-open")).to_contain_text("pasted 1")
    expect(logs(page).locator(".log-open")).to_be_in_viewport(ratio=0.9)


def test_a_folder_is_looked_at_again_and_a_log_of_it_that_is_gone_leads_to_the_others(
    new_page: NewPage, serve: Serve, tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mappings.json").write_text("null")  # which is told, but no reason to show no logs
    server = serve(runs)
    page = visit(new_page(), server)
    # An empty folder is named, and how to begin; its first log opens on looking again.
    card = page.get_by_role("main")
    expect(card).to_contain_text("plyscope search")
    press(page, card.get_by_role("button", name="Paste JSON"))
    expect(page.get_by_role("dialog", name="Paste JSON")).to_be_visible()
    page.keyboard.press("Escape")
    assert serious(settled(page)) == []
    look_again = card.get_by_role("button", name="Look again")
    for _ in range(2):
        expect(card.get_by_role("heading")).to_have_text("There are no logs in runs yet")
        press(page, look_again)
    first = write_log(runs, None, "first.json")
    os.utime(first, (1_000_000_000, 1_000_000_000))
    look_again.evaluate_all("all => all.forEach(one => one.click())")  # it may have looked by itself
    expect(node(page, "wA1")).to_be_visible()
    # A log that comes while the page is open appears first, and is opened from there.
    assert listed(page) == ["first.json"]
    write_log(runs, None, "second.json")
    expect(logs(page).locator(".log-name")).to_have_text(["second.json", "first.json"])
    expect(logs(page).locator(".log-open")).to_contain_text("first.json")
    press(page, logs(page).get_by_role("button", name=re.compile("^second.json")))
    expect(logs(page).locator(".log-open")).to_contain_text("second.json")
    # A link to a deleted log offers the others.
    page.goto("about:blank")
    visit(page, server, "#log=f288deadbeef")
    expect(card.get_by_role("heading")).to_have_text("This log is not on the list any more")
    expect(card).not_to_contain_text("/api/")
    expect(card.get_by_role("button", name="Try again")).to_have_count(0)
    press(page, card.get_by_role("button", name="first.json"))
    expect(node(page, "wA1")).to_be_visible()


BAD = {f"{name}.py": "import sys" for name in ("first", "second", "third")}


def said(page: Page) -> list[str]:
    return [text.split(":")[0] for text in page.locator(".notice-text").all_inner_texts()]


def test_a_note_has_room_of_its_own_is_reached_by_keys_and_goes_once_it_was_read(tree: Page) -> None:
    page = tree
    page.keyboard.press("j")
    expect(page.locator(".notice")).to_contain_text("There are no notes yet")
    # It lies over nothing: the tree ends above it, the key begins below.
    drawn, notices, legend = (place_of(page.locator(name)) for name in ("#tree", "#notices", "#legend"))
    assert drawn["y"] + drawn["height"] <= notices["y"]
    assert notices["y"] + notices["height"] <= legend["y"]
    # The keys reach it, and from there the tree again.
    page.keyboard.press("F6")
    expect(page.get_by_role("button", name="Close this message")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_have_count(0)
    expect(page.get_by_role("treeitem", selected=True)).to_be_focused()
    # It goes by itself, but not while somebody is at it.
    keys(page, "j")
    page.evaluate("delete document.documentElement.dataset.testing")
    state = "getComputedStyle(document.querySelector('.notice')).animationPlayState"
    assert page.evaluate(state) == "running"
    page.locator(".notice").hover()
    assert page.evaluate(state) == "paused"
    page.evaluate("for (const each of document.querySelector('.notice').getAnimations()) each.finish()")
    expect(page.locator(".notice")).to_have_count(0)


def test_two_are_shown_at_most_and_all_go_with_their_log(show: Show) -> None:
    page = show(SAMPLE, named="sample.json", beside={"other.json": SAMPLE})
    drag_files(page, "drop", BAD)
    assert said(page) == ["second.py", "third.py"]
    # An older one comes back.
    press(page, page.get_by_role("button", name="Close this message").last)
    assert sorted(said(page)) == ["first.py", "second.py"]
    press(page, logs(page).get_by_role("button", name=re.compile("^other")))
    expect(page.locator(".notice")).to_have_count(0)
    # What is wrong with one of several files is told of the log that the others open.
    good = '{"children": [{"score": 1}, {"score": 2}]}'
    drag_files(page, "drop", {"bad.py": "import sys", "good.json": good})
    expect(logs(page).locator(".log-open")).to_contain_text("good.json")
    assert said(page) == ["bad.py"]
