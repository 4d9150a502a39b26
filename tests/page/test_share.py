"""A log as one HTML file: opened from the disk without a server and without a network."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

import plyscope
from plyscope.visualizer.web.share import share_job
from plyscope.visualizer.web.share.answers import Progress
from plyscope.visualizer.web.share.share_job import MOST_BYTES
from tests.page.conftest import NewPage, Serve, keys, press, settled, visit

ROOT = Path(__file__).parents[2]
BUG = ROOT / "examples" / "bugs" / "bug-wrong-sign.json"


@pytest.fixture
def shared(serve: Serve, new_page: NewPage, tmp_path: Path) -> Page:
    """The page on a log with a fault and a note, saved by its menu and opened from the disk, offline."""
    page = new_page()
    page.goto(f"{serve(BUG).address}?testing=1")
    settled(page)
    page.keyboard.press("a")
    expect(page.get_by_label("Note on this node")).to_be_focused()
    page.keyboard.type("</script><!-- where it begins")
    keys(page, "Enter")
    page.keyboard.press("F")
    said = page.locator(".notice-text").last
    expect(said).to_contain_text("1 note")
    expect(said).to_contain_text("bug-wrong-sign.json")
    expect(page.get_by_role("button", name="Save it")).to_be_focused()
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    target = tmp_path / "shared.html"
    download.value.save_as(target)
    assert target.stat().st_size < MOST_BYTES
    alone = new_page(own=True, offline=True)
    alone.goto(target.as_uri())
    return settled(alone)


def test_a_shared_page_answers_without_a_server(shared: Page) -> None:
    page = shared
    assert page.url.startswith("file:")
    # The tree with its note, its details, and why the root chose its ply.
    expect(page.locator("#tree .note-flag")).to_be_attached()
    expect(page.get_by_label("Note on this node")).to_have_value("</script><!-- where it begins")
    expect(page.locator("#details-panel .details-name")).to_have_text("root")
    expect(page.locator("#why .why-title")).to_be_visible()
    expect(page.locator(".board-figure, #details-panel svg").first).to_be_visible()
    # Walked by keys, to the last node that is open and back along the line.
    keys(page, "End")
    selected = page.locator('#tree [aria-selected="true"]')
    assert int(selected.get_attribute("aria-level") or 0) >= 3
    # There it says itself why it does not say why.
    page.keyboard.press("y")
    page.evaluate(  # the policy of the page forbids what `wait_for_function` asks a second time
        """async () => {
          const why = document.querySelector('#why');
          while (why.getAnimations().length !== 1) await new Promise(requestAnimationFrame);
        }"""
    )
    expect(page.locator("#why")).to_contain_text("says why of the root, its plies and the nodes above")
    expect(page.locator("#why .panel-error")).to_have_count(0)
    expect(page.locator(".notice")).to_have_count(0)
    # Findings of the check are walked.
    keys(page, "e")
    expect(page.locator("#check-panel")).to_be_visible()
    expect(page.locator("#tree .finding-outline").first).to_be_attached()
    page.get_by_label("Close the check").click()
    # The search box finds plies and notes.
    page.keyboard.press("/")
    page.keyboard.type("where it begins")
    keys(page, "Enter")
    expect(page.locator(".lens-words")).to_contain_text("1 hit")
    page.keyboard.press("Escape")
    # Statistics are tables, and nothing there asks a server.
    keys(page, "s")
    expect(page.locator("#drawer .figure-parts")).to_be_visible()
    # What needs a server is not offered.
    for name in ("Open a log", "Share as one file…", "Other weights", "Replay the search"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    page.keyboard.press(".")
    page.keyboard.press("v")
    keys(page, "t", "d")
    expect(page.locator(".notice-note").last).to_contain_text("Not in a shared page")
    expect(page.locator(".notice-note").last).to_contain_text("compare with another log")
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator("#overview")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).not_to_contain_text("replay")
    expect(page.locator("#help-dialog")).not_to_contain_text("open a log")
    expect(page.locator("#help-dialog .dialog-aside")).to_have_text(re.compile(r"^Plyscope [\d.]+$"))
    # A link within it goes where it went, and nothing is kept.
    page.keyboard.press("Escape")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    settled(page)
    # What it has is said, and each is one press.
    offered = page.locator("#first-visit")
    expect(offered.get_by_role("button")).to_have_text(
        ["Why this ply and not that one", re.compile("findings"), "1 note", "Statistics", ""]
    )
    offered.get_by_role("button", name="findings").click()
    expect(settled(page).locator("#check-panel .check-finding")).to_be_visible()
    expect(offered.get_by_role("button")).to_have_count(4)
    assert re.search(r"node=\d+", page.url)
    assert page.evaluate("localStorage.length") == 0
    assert not page.locator(".notice-error").count()


def test_a_shared_page_opens_where_it_was_shared(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    paths = [ROOT / "examples" / f"chess-{name}.json.gz" for name in ("middlegame", "three-plies")]
    page = visit(new_page(), serve(*paths))
    keys(page, "d")
    page.keyboard.press("Enter")
    expect(settled(page).locator('[data-lens="against"]')).to_be_visible()
    page.keyboard.press("F")
    expect(page.locator(".notice-text")).to_contain_text(
        "Not inside: the comparison with chess-three-plies.json.gz."
    )
    page.keyboard.press("Escape")
    keys(page, "Escape")
    for key in ("ArrowRight", "ArrowDown", "ArrowRight"):
        keys(page, key)
    plies = "[...document.querySelectorAll('#tree .node[aria-expanded=true]')].map(each => each.dataset.id)"
    shown, title = page.evaluate(plies), page.locator("#details-panel .details-name").inner_text()
    page.keyboard.press("F")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save it").click()
    download.value.save_as(tmp_path / "shared.html")
    alone = new_page(own=True, offline=True)
    alone.goto((tmp_path / "shared.html").as_uri())
    settled(alone)
    expect(alone.locator("#details-panel .details-name")).to_have_text(title)
    assert title != "root"
    assert alone.evaluate(plies) == shown
    expect(alone.locator("#why .why-title .why-ply")).to_have_count(2)


def test_a_page_made_before_is_not_saved_while_a_new_one_begins(serve: Serve, new_page: NewPage) -> None:
    page, held = visit(new_page(own=True), serve(BUG)), list[Route]()
    page.keyboard.press("F")
    save = page.get_by_role("button", name="Save it")
    expect(save).to_be_visible()
    page.route("**/share?labels=*", lambda route: held.append(route), times=1)
    page.keyboard.press("F")
    expect(save).to_have_count(0)
    page.locator(".notice").get_by_role("button", name="Stop").click()
    expect(page.locator(".notice")).to_have_count(0)
    # It was stopped before it had begun, so it is stopped again once it has.
    with page.expect_request(lambda request: request.method == "DELETE" and request.url.endswith("/share")):
        held.pop().continue_()


def test_the_page_that_is_made_says_how_far_it_is_and_is_stopped(
    serve: Serve, new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, has_ended = threading.Event(), threading.Event()

    def gather(app: Flask, log_id: str, labels: object, view: object, on_progress: Progress) -> None:
        try:
            on_progress("gathering", 0.25)
            goes_on.wait(60)
            on_progress("gathering", 0.5)
        finally:
            has_ended.set()

    monkeypatch.setattr(share_job, "contents", gather)
    page = visit(new_page(), serve(BUG))
    page.evaluate("document.querySelector('#page-menu').showPopover()")
    share = page.get_by_role("button", name="Share as one file")
    expect(share.locator("kbd")).to_have_text(["Shift", "F"])
    share.click()
    notice = page.locator(".notice")
    expect(notice).to_contain_text("Making one file of bug-wrong-sign.json")
    expect(notice.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "25")
    press(page, notice.get_by_role("button", name="Stop"))
    goes_on.set()
    assert has_ended.wait(60)
    expect(notice).to_have_count(0)


def test_what_a_shared_page_leaves_out_is_said(new_page: NewPage, tmp_path: Path) -> None:
    log = plyscope.open(ROOT / "examples" / "reversi-midgame.json.gz")
    page = plyscope.share(log, nodes=60)
    target = tmp_path / "part.html"
    page.write(target)
    alone = new_page(own=True, offline=True)
    alone.goto(target.as_uri())
    settled(alone)
    drawn = alone.locator("#tree .node[data-id]")
    assert drawn.count() > 5
    # Of a family that was left out, only what decided is there, and that is said.
    alone.keyboard.press("End")
    alone.keyboard.press("ArrowUp")
    keys(alone, "ArrowRight", "m")
    expect(alone.locator(".notice-note")).to_contain_text("This file has 1 of the 3 children of the node.")
    keys(alone, "ArrowRight")
    expect(alone.locator("#details-panel")).to_contain_text(
        "says why of the root, its plies and the nodes above"
    )


def test_findings_of_a_shared_page_are_those_inside(new_page: NewPage, tmp_path: Path) -> None:
    log = plyscope.open(ROOT / "examples" / "bugs" / "bug-lost-alpha.json")
    plyscope.share(log).write(tmp_path / "part.html")
    alone = new_page(own=True, offline=True)
    alone.goto((tmp_path / "part.html").as_uri())
    settled(alone)
    keys(alone, "e")
    expect(alone.locator("#check-panel")).to_contain_text("The log has 414 findings; this file holds 240")
    keys(alone, "E")
    expect(alone.locator(".check-steps")).to_contain_text("240 of 240")
    expect(alone.locator(".check-finding")).to_be_visible()
    keys(alone, "e")
    expect(alone.locator(".check-steps")).to_contain_text("1 of 240")
    expect(alone.locator(".notice")).to_have_count(0)


def test_a_finding_at_a_node_outside_a_shared_page_is_read_and_a_note_says_so(
    new_page: NewPage, tmp_path: Path
) -> None:
    log = plyscope.open(ROOT / "examples" / "bugs" / "bug-lost-alpha.json")
    plyscope.share(log, nodes=30).write(tmp_path / "part.html")
    alone = new_page(own=True, offline=True)
    alone.goto((tmp_path / "part.html").as_uri())
    settled(alone)
    keys(alone, "E", "E")
    expect(alone.locator(".check-steps")).to_contain_text("239 of 240")
    expect(alone.locator(".check-finding")).to_be_visible()
    expect(alone.locator(".notice")).to_have_count(1)
    expect(alone.locator(".notice-note")).to_contain_text("not in this file, which has")
