"""A log that takes long to read: its progress is shown, and it can be stopped and begun again."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from plyscope.visualizer.formats.detect import LARGE_BYTES
from plyscope.visualizer.shelf import readings
from plyscope.visualizer.shelf.jobs.log_reader import ChildReading
from plyscope.visualizer.shelf.uploads import Upload
from plyscope.visualizer.store.log import Log
from tests.page.conftest import NewPage, Serve, Show, press, settled
from tests.page.panels import SAMPLE, logs, node, write_log
from tests.patience import PATIENCE, wait_for


@pytest.fixture
def go_on(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Every log is read by a child, which tells of its progress and waits until the test lets it go on."""
    event = threading.Event()
    wait = ChildReading.wait

    def patiently(child: ChildReading, on_progress: Callable[[float], None]) -> Log:
        on_progress(0.25)
        event.wait(PATIENCE)
        return wait(child, lambda part: None)

    monkeypatch.setattr(readings, "SMALL_BYTES", 1)
    monkeypatch.setattr(ChildReading, "wait", patiently)
    return event


def test_a_long_reading_shows_its_progress_is_stopped_and_begun_again_where_it_is_kept(
    new_page: NewPage, serve: Serve, tmp_path: Path, go_on: threading.Event
) -> None:
    page = new_page()
    page.goto(f"{serve(write_log(tmp_path, None, 'night.json'))}?testing=1")
    progress = page.get_by_role("progressbar", name=re.compile("night.json …$"))
    expect(progress).to_have_attribute("aria-valuenow", "25")
    page.get_by_role("button", name="Stop reading").click()
    expect(page.get_by_role("alert").filter(has_text="was stopped")).to_be_visible()
    expect(page.get_by_role("heading", name="Reading was stopped")).to_be_visible()
    expect(page.get_by_text("Correct it and try again")).to_have_count(0)
    go_on.set()
    press(page, page.get_by_role("button", name="Try again"))
    expect(node(page, "wA1")).to_be_visible()
    # One of which nothing is kept cannot be tried again.
    why = "the reading of night.json was stopped; nothing of it is kept, bring it again"
    page.route("**/reading*", lambda route: route.fulfill(status=422, json={"error": why, "status": 422}))
    page.reload()
    expect(page.get_by_role("alert").filter(has_text=why)).to_be_visible()
    expect(page.get_by_role("heading", name="Reading was stopped")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def run(page: Page) -> Locator:
    return page.get_by_role("region", name="The run")


def test_a_large_log_that_is_dropped_is_stopped_or_shows_the_top_of_the_tree_before_its_end_has_come(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is sent in pieces and read by machine code, on the page of another log."""
    row = '{"ply":"c%d","score":%d,"note":"' + "as long as a note of an engine may be, " * 6 + '"}'
    children = ",".join(row % (i, i % 50) for i in range(130_000))
    log = f'{{"plyscope":1,"root":{{"score":49,"children":[{children}]}}}}'
    night = write_log(tmp_path, log, "night.json")
    assert night.stat().st_size > LARGE_BYTES
    page = show(SAMPLE)
    page.evaluate(
        """() => {
            const input = document.body.appendChild(document.createElement("input"));
            Object.assign(input, {type: "file", id: "large", hidden: true});
        }"""
    )

    def bring() -> Page:
        page.set_input_files("#large", night)
        page.evaluate(
            """() => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(document.getElementById("large").files[0]);
                const how = {dataTransfer, bubbles: true, cancelable: true};
                document.body.dispatchEvent(new DragEvent("drop", how));
            }"""
        )
        return page

    go_on = threading.Event()
    append = Upload.append

    def slowly(upload: Upload, at: int, *piece: Any) -> bool:
        if at > 2**23:
            go_on.wait(PATIENCE)
        is_whole = append(upload, at, *piece)
        wait_for(lambda: upload.child.top is not None)
        return is_whole

    monkeypatch.setattr(Upload, "append", slowly)
    bring()
    top = page.get_by_role("region", name="The top of the tree so far")
    expect(top).to_contain_text("root", timeout=240_000)
    expect(top.get_by_role("listitem").first).to_have_text("c0")
    expect(top.get_by_role("listitem").last).to_contain_text("more")
    expect(run(page)).to_be_hidden()
    # One that is stopped leaves the page as it was.
    page.get_by_role("button", name="Stop reading").click()
    expect(page.get_by_role("alert").filter(has_text="nothing of it was kept")).to_be_visible()
    go_on.set()
    expect(node(settled(page), "wA1")).to_be_visible()
    expect(page.get_by_role("button", name="Stop reading")).to_be_hidden()
    assert list((tmp_path / "data").rglob("*.log")) == []
    # One that comes to its end is the open log.
    expect(run(bring())).to_contain_text("130,001", timeout=240_000)
    expect(top).to_be_hidden()
    entry = logs(page).get_by_role("button", name=re.compile("night.json")).first
    expect(entry).to_have_attribute("aria-current", "true")
