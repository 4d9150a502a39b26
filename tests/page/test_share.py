"""A log as one HTML file: opened from the disk without a server and without a network."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

import plyscope
from plyscope.visualizer.web.share import share_job
from plyscope.visualizer.web.share.answers import Progress
from plyscope.visualizer.web.share.share_job import MOST_BYTES
from tests.page.conftest import Show, downloaded, keys, press, search, settled
from tests.page.test_diff import NEW, OLD, log
from tests.page.trees import EXAMPLES, REVERSI, WRONG_SIGN

OPEN = "[...document.querySelectorAll('#tree .node[aria-expanded=true]')].map(each => each.dataset.id)"

Alone = Callable[..., Page]


def test_a_shared_page_answers_without_a_server(show: Show, alone: Alone) -> None:
    """A log with a fault and a note, saved by its key."""
    served = show(WRONG_SIGN)
    served.keyboard.press("a")
    expect(served.get_by_label("Note on this node")).to_be_focused()
    served.keyboard.type("</script><!-- where it begins")
    keys(served, "Enter")
    served.keyboard.press("F")
    said = served.locator(".notice-text").last
    expect(said).to_contain_text("1 note")
    expect(said).to_contain_text("bug-wrong-sign.json")
    expect(served.get_by_role("button", name="Save it")).to_be_focused()
    with served.expect_download() as download:
        served.keyboard.press("Enter")
    assert Path(download.value.path()).stat().st_size < MOST_BYTES
    page = alone(download.value)
    assert page.url.startswith("file:")
    # The tree with its note, its details, and why the root chose its ply.
    expect(page.locator("#tree .note-flag")).to_be_attached()
    expect(page.get_by_label("Note on this node")).to_have_value("</script><!-- where it begins")
    expect(page.locator("#why .why-title")).to_be_visible()
    expect(page.locator(".board-figure, #details-panel svg").first).to_be_visible()
    # Walked by keys, to the last node that is open.
    keys(page, "End")
    selected = page.locator('#tree [aria-selected="true"]')
    assert int(selected.get_attribute("aria-level") or 0) >= 3
    # There it says itself why it does not say why.
    page.keyboard.press("y")
    expect(page.locator("#why")).to_contain_text("says why of the root, its plies and the nodes above")
    expect(page.locator(".notice")).to_have_count(0)
    # Findings of the check are walked.
    keys(page, "e")
    expect(page.locator("#check-panel")).to_be_visible()
    expect(page.locator("#tree .finding-outline").first).to_be_attached()
    page.get_by_label("Close the check").click()
    # The search box finds plies and notes.
    search(page, "where it begins")
    expect(page.locator(".lens-words")).to_contain_text("1 hit")
    page.keyboard.press("Escape")
    # Statistics are tables, and nothing there asks a server.
    keys(page, "s")
    expect(page.locator("#drawer .figure-parts")).to_be_visible()
    # What needs a server is not offered.
    for name in ("Open a log", "Share as one file…", "Other weights", "Replay the search"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    keys(page, ".", "v", "t", "d")
    expect(page.locator(".notice-note").last).to_contain_text("Not in a shared page")
    expect(page.locator(".notice-note").last).to_contain_text("compare with another log")
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator("#overview")).to_be_hidden()
    page.keyboard.press("?")
    dialog = page.locator("#help-dialog")
    expect(dialog).to_be_visible()
    expect(dialog).not_to_contain_text("open a log")
    expect(dialog.locator(".dialog-aside")).to_have_text(re.compile(r"^Plyscope [\d.]+$"))
    page.keyboard.press("Escape")
    # What it has is said, and each is one press.
    offered = page.locator("#first-visit")
    tries = ["Why this ply and not that one", re.compile("findings"), "1 note", "Statistics", ""]
    expect(offered.get_by_role("button")).to_have_text(tries)
    press(page, offered.get_by_role("button", name="findings"))
    expect(page.locator("#check-panel .check-finding")).to_be_visible()
    expect(offered.get_by_role("button")).to_have_count(4)
    assert re.search(r"node=\d+", page.url)
    assert page.evaluate("localStorage.length") == 0
    assert not page.locator(".notice-error").count()


def test_a_shared_page_opens_where_it_was_shared(show: Show, alone: Alone) -> None:
    page = show(log(NEW), named="new.json", beside={"old.json": log(OLD)})
    keys(page, "d", "Enter")
    expect(page.locator('[data-lens="against"]')).to_be_visible()
    page.keyboard.press("F")
    expect(page.locator(".notice-text")).to_contain_text("Not inside: the comparison with old.json.")
    page.keyboard.press("Escape")
    keys(page, "Escape", "Home", "ArrowRight", "ArrowDown")
    shown, title = page.evaluate(OPEN), page.locator("#details-panel .details-name").inner_text()
    assert title != "root"
    page.keyboard.press("F")
    shared = alone(downloaded(page, page.get_by_role("button", name="Save it")))
    expect(shared.locator("#details-panel .details-name")).to_have_text(title)
    assert shared.evaluate(OPEN) == shown
    expect(shared.locator("#why .why-title .why-ply")).to_have_count(2)


def test_the_making_of_a_page_is_shown_and_stopped(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    page, held = show(WRONG_SIGN, own=True), list[Route]()
    notice = page.locator(".notice")
    page.keyboard.press("F")
    save = page.get_by_role("button", name="Save it")
    expect(save).to_be_visible()
    page.route("**/share?labels=*", lambda route: held.append(route), times=1)
    page.keyboard.press("F")
    expect(save).to_have_count(0)
    notice.get_by_role("button", name="Stop").click()
    expect(notice).to_have_count(0)
    while not held:  # it was stopped before it had begun, so it is stopped again once it has
        page.evaluate("0")
    with page.expect_request(lambda request: request.method == "DELETE" and request.url.endswith("/share")):
        held.pop().continue_()
    settled(page)
    # One that takes long says how far it is.
    goes_on, has_ended = threading.Event(), threading.Event()

    def gather(app: Flask, log_id: str, labels: object, view: object, on_progress: Progress) -> None:
        try:
            on_progress("gathering", 0.25)
            goes_on.wait(60)
            on_progress("gathering", 0.5)
        finally:
            has_ended.set()

    monkeypatch.setattr(share_job, "contents", gather)
    keys(page, "q")
    share = page.get_by_role("button", name="Share as one file")
    expect(share.locator("kbd")).to_have_text(["Shift", "F"])
    share.click()
    expect(notice).to_contain_text("Making one file of bug-wrong-sign.json")
    expect(notice.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "25")
    press(page, notice.get_by_role("button", name="Stop"))
    goes_on.set()
    assert has_ended.wait(60)
    expect(notice).to_have_count(0)


def test_what_a_shared_page_leaves_out_is_said(alone: Alone) -> None:
    page = alone(plyscope.share(plyscope.open(REVERSI), nodes=60))
    assert page.locator("#tree .node[data-id]").count() > 5
    # Of a family that was left out, only what decided is there, and that is said.
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    keys(page, "ArrowRight", "m")
    expect(page.locator(".notice-note")).to_contain_text("This file has 1 of the 3 children of the node.")


def test_findings_of_a_shared_page_are_those_inside_also_where_their_nodes_are_not(alone: Alone) -> None:
    page = alone(plyscope.share(plyscope.open(EXAMPLES / "bugs" / "bug-lost-alpha.json"), nodes=30))
    steps, finding = page.locator(".check-steps"), page.locator(".check-finding")
    keys(page, "e")
    expect(page.locator("#check-panel")).to_contain_text("The log has 414 findings; this file holds 240")
    keys(page, "E")
    expect(steps).to_contain_text("240 of 240")
    expect(finding).to_be_visible()
    # A finding at a node outside is read and a note says so.
    keys(page, "E")
    expect(steps).to_contain_text("239 of 240")
    expect(finding).to_be_visible()
    expect(page.locator(".notice")).to_have_count(1)
    expect(page.locator(".notice-note")).to_contain_text("not in this file, which has")
    keys(page, "e", "e")
    expect(steps).to_contain_text("1 of 240")
