"""Texts of a log on the page: whatever they hold, they stay what they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.page.conftest import Server, visit
from tests.page.panels import details, node, press, write_log

OVERRIDE = "\u202eevil"
SHOWN = "\u2039U+202E\u203aevil"


def test_an_override_in_a_ply_is_a_sign_wherever_the_ply_stands(
    new_page: Callable[..., Any], serve: Callable[..., Server], tmp_path: Path
) -> None:
    stub = {"outcome": "pruned", "count": 1, "plies": [OVERRIDE]}
    children = [{"ply": OVERRIDE, "score": 1, "why": OVERRIDE, "remark": OVERRIDE}, stub]
    document = {"plyscope": 1, "result": {"ply": OVERRIDE}, "root": {"score": 1, "children": children}}
    page = visit(new_page(), serve(write_log(tmp_path, document)))
    drawn = node(page, SHOWN)
    expect(drawn.locator(".node-name")).to_have_text(SHOWN)
    press(page, drawn)
    expect(details(page).get_by_role("heading", name=SHOWN)).to_be_visible()
    press(page, page.get_by_role("treeitem", name="1 sibling cut off by alpha-beta"))
    expect(details(page).locator(".plies")).to_have_text(SHOWN)
    assert OVERRIDE[0] not in page.locator("body").inner_text()
