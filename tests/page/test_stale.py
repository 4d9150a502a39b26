"""A log whose file changes or goes while the page shows it: said once, and read again on a press."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Show, drawn_twice, keys, press, settled
from tests.page.panels import logs, write_log
from tests.page.test_accessibility import serious
from tests.page.trees import item, layered, leaf, names, node, selected, write_lines

PARENTS = [None, 0, 0, 1, 1, 2]
CHANGED = "log.jsonl has changed since it was read."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of lines, its root's plies n1 and n2, with n3 and n4 below the first, n5 below the second."""
    return write_lines(tmp_path / "log.jsonl", PARENTS)


def append(path: Path, node_id: int, parent: int) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": node_id, "parent": parent, "ply": f"n{node_id}", "score": 1}) + "\n")


def look(page: Page, times: int = 1) -> None:
    """Have the page look at the list of logs now, as when its window comes to the front."""
    for _ in range(times):
        with page.expect_response("**/api/logs"):
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        drawn_twice(page)


def notice(page: Page) -> Locator:
    return page.locator("#notices .notice")


def read_again(page: Page) -> Locator:
    return page.get_by_role("button", name="Read again")


def said(page: Page, text: str) -> None:
    expect(notice(page).locator(".notice-text")).to_have_text(text)


def entry(page: Page) -> Locator:
    return logs(page).locator(".log-open")


def test_a_log_that_grows_says_so_once_and_is_read_again_at_the_same_node(show: Show, path: Path) -> None:
    page = show(path, beside={"other.jsonl": path.read_text("utf-8")})
    press(page, item(page, "n4"))
    append(path, 6, 1)
    look(page)
    said(page, CHANGED)
    page.evaluate("window.first = document.querySelector('#notices .notice')")
    for node_id in (7, 8):
        append(path, node_id, 2)
        look(page)
    expect(notice(page)).to_have_count(1)
    assert page.evaluate("window.first === document.querySelector('#notices .notice')")
    assert "n6" not in names(page)
    assert serious(page, "#notices") == []
    # It takes no focus and is announced; the keyboard reads again and goes on in the tree.
    expect(page.get_by_role("status").filter(has=read_again(page))).to_contain_text(CHANGED)
    item(page, "n4").focus()
    for _ in range(60):
        if read_again(page).evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(read_again(page)).to_be_focused()
    keys(page, "Enter")
    expect(notice(page)).to_have_count(0)
    expect(item(page, "n4")).to_be_focused()
    assert selected(page) == "n4"
    assert {"n6", "n7", "n8"} <= set(names(page))
    expect(entry(page)).to_contain_text("9 nodes")
    expect(entry(page)).not_to_contain_text("changed")
    look(page)
    expect(notice(page)).to_have_count(0)
    keys(page, "ArrowDown")
    assert selected(page) == "n3"  # which stands behind the better n4
    # One that cannot be read any more is said, and tried again.
    before = path.read_text("utf-8")
    path.write_text("no log at all", "utf-8")
    look(page)
    press(page, read_again(page))
    expect(page.get_by_role("main").get_by_role("heading")).to_have_text("log.jsonl cannot be shown")
    expect(notice(page)).to_have_count(0)
    path.write_text(before, "utf-8")
    press(page, page.get_by_role("button", name="Try again"))
    assert "n6" in names(page)
    # A log whose file is taken away says so and can still be walked.
    path.unlink()
    look(page)
    said(page, "log.jsonl is not there any more; what was read of it is shown.")
    expect(read_again(page)).to_have_count(0)
    expect(entry(page)).to_contain_text("file gone")
    press(page, item(page, "n5"))
    assert selected(page) == "n5"
    press(page, notice(page).get_by_role("button", name="Close this message"))
    look(page, 2)
    expect(notice(page)).to_have_count(0)
    write_lines(path, [*PARENTS, 2])
    look(page, 2)
    said(page, CHANGED)
    press(page, read_again(page))
    assert "n6" in names(page)
    assert "n7" not in names(page)
    # One that is not shown is marked in the list, and read afresh when it is opened.
    press(page, logs(page).get_by_role("button", name=re.compile("^other.jsonl")))
    append(path, 7, 1)
    append(path.with_name("other.jsonl"), 6, 0)
    look(page)
    chosen = logs(page).get_by_role("listitem").filter(has_text="log.jsonl")
    expect(chosen).to_contain_text("changed")
    press(page, chosen.get_by_role("button").first)
    expect(chosen).to_contain_text("8 nodes")
    expect(chosen).not_to_contain_text("changed")
    expect(notice(page)).to_have_count(0)  # it was of the other log
    assert "n7" in names(page)


def test_findings_hits_and_pins_of_the_old_content_are_gone_with_it(show: Show, tmp_path: Path) -> None:
    def document(score: float) -> dict[str, object]:
        return {"plyscope": 1, "root": layered({"score": score, "children": [node("c6", 5, leaf("a1", 5))]})}

    page = show(document(7))
    search, region = page.get_by_role("searchbox"), page.get_by_role("region", name="Rows")
    search.fill("a1")
    region.wait_for()
    settled(page)
    item(page, "a1").click()
    press(page, page.get_by_role("button", name="Pin the details"))
    badge = page.locator("#topbar").get_by_role("button", name="wrong")
    expect(badge).to_be_visible()
    assert "pin=" in page.url
    write_log(tmp_path, document(5), "shown.json")
    search.focus()
    look(page)
    expect(read_again(page)).to_be_visible()
    expect(search).to_be_focused()
    press(page, read_again(page))
    assert selected(page) == "a1"
    assert "pin=" not in page.url
    expect(badge).to_have_count(0)
    expect(region).to_have_count(0)
    expect(search).to_have_value("")


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
