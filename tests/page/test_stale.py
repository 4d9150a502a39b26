"""A log whose file changes or goes while the page shows it: said once, and read again on a press."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import NewPage, Serve, Show, keys, place_of, press, settled, visit
from tests.page.panels import logs
from tests.page.stage import SCHEMES
from tests.page.trees import item, layered, leaf, names, node, selected, write, write_lines

PARENTS = [None, 0, 0, 1, 1, 2]
CHANGED = "log.jsonl has changed since it was read."
GONE = "log.jsonl is not there any more; what was read of it is shown."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of lines, its root's plies n1 and n2, with n3 and n4 below the first, n5 below the second."""
    return write_lines(tmp_path / "log.jsonl", PARENTS)


@pytest.fixture
def grown(show: Show, path: Path) -> Page:
    """The page at n4, which has been told that a line came to the log: n6 below n1."""
    page = show(path)
    press(page, item(page, "n4"))
    append(path, 6, 1)
    look(page)
    expect(notice(page)).to_be_visible()
    return page


def append(path: Path, node_id: int, parent: int) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": node_id, "parent": parent, "ply": f"n{node_id}", "score": 1}) + "\n")


def look(page: Page) -> None:
    """Have the page look at the list of logs now, as when its window comes to the front."""
    with page.expect_response("**/api/logs"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def notice(page: Page) -> Locator:
    return page.locator("#notices .notice")


def read_again(page: Page) -> Locator:
    return page.get_by_role("button", name="Read again")


def test_a_log_that_grows_says_so_once_and_is_read_again_at_the_same_node(grown: Page, path: Path) -> None:
    expect(notice(grown).locator(".notice-text")).to_have_text(CHANGED)
    grown.evaluate("window.first = document.querySelector('#notices .notice')")
    for node_id in (7, 8):
        append(path, node_id, 2)
        look(grown)
    expect(notice(grown)).to_have_count(1)
    assert grown.evaluate("window.first === document.querySelector('#notices .notice')")
    assert "n6" not in names(grown)
    press(grown, read_again(grown))
    expect(notice(grown)).to_have_count(0)
    assert selected(grown) == "n4"
    assert {"n6", "n7", "n8"} <= set(names(grown))
    expect(logs(grown).locator(".log-open")).to_contain_text("9 nodes")
    expect(logs(grown).locator(".log-open")).not_to_contain_text("changed")
    look(grown)
    expect(notice(grown)).to_have_count(0)
    # One that cannot be read any more is said, and tried again.
    before = path.read_text("utf-8")
    path.write_text("no log at all", "utf-8")
    look(grown)
    press(grown, read_again(grown))
    expect(grown.get_by_role("main").get_by_role("heading")).to_have_text("log.jsonl cannot be shown")
    expect(notice(grown)).to_have_count(0)
    path.write_text(before, "utf-8")
    press(grown, grown.get_by_role("button", name="Try again"))
    assert "n6" in names(grown)


def test_the_notice_is_announced_and_takes_no_focus(show: Show, path: Path) -> None:
    page = show(path)
    page.get_by_role("searchbox").focus()
    append(path, 6, 1)
    look(page)
    expect(page.get_by_role("status").filter(has=read_again(page))).to_contain_text(CHANGED)
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_the_keyboard_reads_again_and_goes_on_in_the_tree(grown: Page) -> None:
    item(grown, "n4").focus()
    for _ in range(60):
        if read_again(grown).evaluate("button => button === document.activeElement"):
            break
        grown.keyboard.press("Tab")
    expect(read_again(grown)).to_be_focused()
    grown.keyboard.press("Enter")
    expect(notice(grown)).to_have_count(0)
    settled(grown)
    expect(item(grown, "n4")).to_be_focused()
    keys(grown, "ArrowDown")
    assert selected(grown) == "n3"  # which stands behind the better n4


def test_a_log_whose_file_is_taken_away_says_so_and_can_still_be_walked(show: Show, path: Path) -> None:
    page = show(path)
    path.unlink()
    look(page)
    expect(notice(page).locator(".notice-text")).to_have_text(GONE)
    expect(read_again(page)).to_have_count(0)
    expect(logs(page).locator(".log-open")).to_contain_text("file gone")
    press(page, item(page, "n5"))
    assert selected(page) == "n5"
    page.get_by_role("button", name="Close this message").click()
    look(page)
    look(page)
    expect(notice(page)).to_have_count(0)
    write_lines(path, [*PARENTS, 2])
    look(page)
    look(page)
    expect(notice(page).locator(".notice-text")).to_have_text(CHANGED)
    press(page, read_again(page))
    assert "n6" in names(page)


def test_what_was_dismissed_comes_back_when_the_file_has_changed_again(grown: Page, path: Path) -> None:
    notice(grown).get_by_role("button", name="Close this message").click()
    expect(notice(grown)).to_have_count(0)
    for _ in range(2):
        look(grown)
        expect(notice(grown)).to_have_count(0)
    expect(logs(grown).locator(".log-open")).to_contain_text("changed")
    append(path, 7, 1)
    look(grown)
    look(grown)
    expect(notice(grown).locator(".notice-text")).to_have_text(CHANGED)
    press(grown, read_again(grown))
    assert {"n6", "n7"} <= set(names(grown))


def test_a_changed_log_is_marked_in_the_list_and_choosing_it_reads_it_afresh(
    serve: Serve, new_page: NewPage, path: Path, tmp_path: Path
) -> None:
    other = write_lines(tmp_path / "other.jsonl", [None, 0])
    page = visit(new_page(), serve(path, other))
    chosen = logs(page).get_by_role("listitem").filter(has_text="log.jsonl")
    press(page, logs(page).get_by_role("button", name=re.compile("^other.jsonl")))
    append(path, 6, 1)
    append(other, 2, 0)
    look(page)
    expect(chosen).to_contain_text("changed")
    press(page, chosen.get_by_role("button").first)
    expect(chosen).to_contain_text("7 nodes")
    expect(chosen).not_to_contain_text("changed")
    expect(notice(page)).to_have_count(0)  # it was of the other log
    assert "n6" in names(page)


def test_another_page_that_reads_the_log_again_does_not_change_this_one_silently(
    grown: Page, new_page: NewPage
) -> None:
    address = grown.url
    notice(grown).get_by_role("button", name="Close this message").click()
    other = new_page()
    other.goto(address)
    settled(other)
    assert "n6" in names(other)
    look(grown)
    look(grown)
    expect(notice(grown).locator(".notice-text")).to_have_text(CHANGED)
    press(grown, read_again(grown))
    assert "n6" in names(grown)
    expect(notice(grown)).to_have_count(0)


def test_findings_hits_and_pins_of_the_old_content_are_gone_with_it(show: Show, tmp_path: Path) -> None:
    def document(score: float) -> dict[str, object]:
        return {"plyscope": 1, "root": layered({"score": score, "children": [node("c6", 5, leaf("a1", 5))]})}

    path = write(tmp_path, document(7))
    page = show(path)
    page.get_by_role("searchbox").fill("a1")
    page.get_by_role("region", name="Rows").wait_for()
    settled(page)
    item(page, "a1").click()
    press(page, page.get_by_role("button", name="Pin the details"))
    badge = page.locator("#topbar").get_by_role("button", name="wrong")
    expect(badge).to_be_visible()
    assert "pin=" in page.url
    write(tmp_path, document(5))
    look(page)
    press(page, read_again(page))
    assert selected(page) == "a1"
    assert "pin=" not in page.url
    expect(badge).to_have_count(0)
    expect(page.get_by_role("region", name="Rows")).to_have_count(0)
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_notes_that_were_closed_come_back_where_the_new_content_has_others(show: Show, path: Path) -> None:
    whole = path.read_text("utf-8")
    path.write_text(whole + '{"id": 6, "par', "utf-8")
    page = show(path)
    notes = page.get_by_role("region", name="Notes on this log")
    before = notes.inner_text()
    notes.get_by_role("button", name="Close the notes").click()
    expect(notes).to_have_count(0)
    path.write_text(whole + '{"id": 6, "parent": 1, "ply": "n6"}\n{"id": 7, "par', "utf-8")
    look(page)
    press(page, read_again(page))
    assert "n6" in names(page)
    expect(notes).to_be_visible()
    assert notes.inner_text() != before


def test_the_notice_fits_a_phone_and_can_be_read_by_everybody(show: Show, path: Path) -> None:
    long = path.rename(path.with_name("a-search-of-reversi-to-depth-nine-with-aspiration-windows-off.jsonl"))
    page = show(long, width=390, height=844)
    append(long, 6, 1)
    look(page)
    expect(read_again(page)).to_be_in_viewport(ratio=1)
    box = place_of(notice(page))
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(settled(page), context="#notices")
        assert found.violations_count == 0, found.generate_report()
