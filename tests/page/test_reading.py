"""A log that takes long to read: its progress is shown, and it can be stopped and begun again."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from plyscope.visualizer.shelf import shelf as shelf_module
from plyscope.visualizer.shelf.log_reader import ChildReading
from plyscope.visualizer.store.log import Log
from tests.page.conftest import Server, settled


@pytest.fixture
def go_on(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Every log is read by a child, which tells of its progress and waits until the test lets it go on."""
    event = threading.Event()
    wait = ChildReading.wait

    def patiently(child: ChildReading, on_progress: Callable[[float], None]) -> Log:
        on_progress(0.25)
        event.wait(30)
        return wait(child, lambda part: None)

    monkeypatch.setattr(shelf_module, "SMALL_BYTES", 1)
    monkeypatch.setattr(ChildReading, "wait", patiently)
    return event


def test_a_long_reading_shows_its_progress_is_stopped_and_begun_again(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path, go_on: threading.Event
) -> None:
    tree: dict[str, Any] = {"plyscope": 1, "root": {"score": 1, "children": [{"ply": "c6", "score": 1}]}}
    path = tmp_path / "night.json"
    path.write_text(json.dumps(tree))
    page = new_page()
    page.goto(f"{serve(path).address}?testing=1")
    progress = page.get_by_role("progressbar", name=re.compile("night.json …$"))
    expect(progress).to_have_attribute("aria-valuenow", "25")
    page.get_by_role("button", name="Stop reading").click()
    expect(page.get_by_role("alert").filter(has_text="was stopped")).to_be_visible()
    go_on.set()
    page.get_by_role("button", name="Try again").click()
    settled(page)
    expect(page.get_by_role("treeitem", name="c6")).to_be_visible()
