"""Messages of the page: below the tree, two at most, gone once read or once another log is open."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.page.conftest import NewPage, Serve, keys, press, visit
from tests.page.panels import drag_files, logs, write_log

BAD = {f"{name}.py": "import sys" for name in ("first", "second", "third")}


def said(page: Page) -> list[str]:
    return [text.split(":")[0] for text in page.locator(".notice-text").all_inner_texts()]


def test_a_note_has_room_of_its_own_is_reached_by_keys_and_goes_once_it_was_read(tree: Page) -> None:
    page = tree
    page.keyboard.press("j")
    expect(page.locator(".notice")).to_contain_text("There are no notes yet")
    # It lies over nothing: the tree ends above it, the key begins below.
    boxes = [page.locator(name).bounding_box() for name in ("#tree", "#notices", "#legend")]
    ends = [(box["y"], box["y"] + box["height"]) for box in boxes if box is not None]
    assert ends[0][1] <= ends[1][0]
    assert ends[1][1] <= ends[2][0]
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


def test_two_are_shown_at_most_and_all_go_with_their_log(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    page = visit(new_page(), serve(write_log(tmp_path), write_log(tmp_path, None, "other.json")))
    drag_files(page, "drop", BAD)
    assert said(page) == ["second.py", "third.py"]
    # An older one comes back.
    press(page, page.get_by_role("button", name="Close this message").last)
    assert sorted(said(page)) == ["first.py", "second.py"]
    other = logs(page).get_by_role("button", name=re.compile("^(other|sample)"))
    press(page, other.and_(page.locator(":not([aria-current])")).first)
    expect(page.locator(".notice")).to_have_count(0)
    # What is wrong with one of several files is told of the log that the others open.
    good = '{"children": [{"score": 1}, {"score": 2}]}'
    drag_files(page, "drop", {"bad.py": "import sys", "good.json": good})
    expect(logs(page).locator(".log-open")).to_contain_text("good.json")
    assert said(page) == ["bad.py"]
