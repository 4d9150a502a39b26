"""A press lasts a tenth of a second, in which what is pressed may be drawn anew: it counts all the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.page.conftest import NewPage, Serve, keys, place_of, press, settled, visit
from tests.page.panels import details, logs, write_log
from tests.page.trees import item


def press_during(page: Page, control: Locator, change: Callable[[], Any]) -> None:
    """Press, have something of `control` drawn anew by `change`, and let go."""
    box = place_of(control)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    hit = page.evaluate_handle("([x, y]) => document.elementFromPoint(x, y)", middle)
    page.mouse.down()
    change()
    page.wait_for_function("hit => !hit.isConnected", arg=hit)
    page.mouse.up()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    path.write_text("")
    append(path, {"plyscope": 1}, {"id": 0, "layer": "max"}, {"id": 1, "parent": 0, "ply": "n1"})
    return path


@pytest.fixture
def live(serve: Serve, new_page: NewPage, path: Path) -> Page:
    return visit(new_page(), serve(path, FOLLOW=True))


def append(path: Path, *records: Any) -> None:
    with path.open("a") as file:
        file.write("".join(json.dumps(record) + "\n" for record in records))


def test_a_command_of_the_details_is_pressed_while_the_log_grows(live: Page, path: Path) -> None:
    press(live, item(live, "n1"))
    pin = details(live).get_by_role("button", name="Pin the details")
    press_during(live, pin, lambda: append(path, {"id": 2, "parent": 1, "ply": "n2"}))
    expect(pin).to_have_attribute("aria-pressed", "true")


def test_a_row_is_pressed_while_its_table_grows(live: Page, path: Path) -> None:
    keys(live, "t")
    row = live.locator("#drawer").get_by_role("option").filter(has_text="n1")
    press_during(live, row, lambda: append(path, {"id": 2, "parent": 0, "ply": "n2"}))
    expect(item(live, "n1")).to_have_attribute("aria-selected", "true")


def test_a_log_is_pressed_while_the_list_grows(new_page: NewPage, serve: Serve, tmp_path: Path) -> None:
    files = [write_log(tmp_path, None, name) for name in ("a.json", "b.json")]
    page = visit(new_page(), serve(*files))

    def bring() -> None:
        literal = '{"root": {"children": [{"ply": "x", "score": 3}]}}'
        assert page.request.post(urljoin(page.url, "/api/logs"), data=literal).ok
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    press_during(page, logs(page).get_by_role("button", name="b.json", exact=False).first, bring)
    expect(logs(page).locator(".log-open")).to_contain_text("b.json")


def test_the_check_is_opened_while_it_says_how_far_it_is(
    new_page: NewPage, serve: Serve, tmp_path: Path
) -> None:
    page = new_page()
    held: list[Route] = []
    running = {"state": "running", "rows": 100, "quick": False, "done": 10, "progress": 0.1}

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(json=running)
        else:
            held.append(route)

    page.route("**/check*", hold)
    with page.expect_request(lambda request: request.url.endswith("wait=1")):
        page.goto(f"{serve(write_log(tmp_path)).address}?testing=1")
    badge = page.locator("#topbar").get_by_role("button", name="Check")
    press_during(page, badge, lambda: held.pop().fulfill(json={**running, "progress": 0.5}))
    expect(page.locator("#check-panel")).to_be_visible()


def test_a_press_that_ends_elsewhere_presses_nothing(live: Page, path: Path) -> None:
    press(live, item(live, "n1"))
    pin = details(live).get_by_role("button", name="Pin the details")

    def change() -> None:
        append(path, {"id": 2, "parent": 1, "ply": "n2"})
        live.mouse.move(700, 500)

    press_during(live, pin, change)
    live.mouse.up()
    settled(live)
    expect(pin).to_have_attribute("aria-pressed", "false")
