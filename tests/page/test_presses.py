"""A press lasts a tenth of a second, in which what is pressed may be drawn anew: it counts all the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Locator, Page, Route, expect

from tests.page.conftest import NewPage, Serve, Show, keys, settled
from tests.page.panels import SAMPLE, details, logs, write_log
from tests.page.places import middle_of
from tests.page.test_live import append, ply
from tests.page.trees import item


def press_during(page: Page, control: Locator, change: Callable[[], Any]) -> None:
    """Press, have something of `control` drawn anew by `change`, and let go."""
    middle = middle_of(control)
    page.mouse.move(*middle)
    hit = page.evaluate_handle("([x, y]) => document.elementFromPoint(x, y)", middle)
    page.mouse.down()
    change()
    page.wait_for_function("hit => !hit.isConnected", arg=hit)
    page.mouse.up()


def test_a_row_or_a_command_is_pressed_while_the_log_grows(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    append(path, {"plyscope": 1}, {"id": 0, "layer": "max"}, ply(1, 0))
    live = keys(show(path, FOLLOW=True), "t")
    row = live.locator("#drawer").get_by_role("option").filter(has_text="n1")
    press_during(live, row, lambda: append(path, ply(4, 0)))
    expect(item(live, "n1")).to_have_attribute("aria-selected", "true")
    pin = details(live).get_by_role("button", name="Pin the details")

    def grow_and_move_away() -> None:
        append(path, ply(2, 1))
        live.mouse.move(700, 500)

    press_during(settled(live), pin, lambda: append(path, ply(3, 1)))
    expect(pin).to_have_attribute("aria-pressed", "true")
    press_during(settled(live), pin, grow_and_move_away)
    settled(live)
    expect(pin).to_have_attribute("aria-pressed", "true")


def test_a_control_is_pressed_that_is_drawn_anew_twice_or_moves_as_the_list_of_logs_grows(show: Show) -> None:
    page = show(SAMPLE, named="a.json", beside={"b.json": SAMPLE})
    n_clicks = page.evaluate(
        """async () => {
            let nClicks = 0;
            const draw = () => {
                const button = document.createElement("button");
                button.dataset.key = "drawn anew";
                button.textContent = "press";
                button.addEventListener("click", () => (nClicks += 1));
                document.querySelector("[data-key='drawn anew']")?.remove();
                document.body.append(button);
                return button;
            };
            draw().dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
            draw().dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
            draw();
            await new Promise((done) => setTimeout(done, 20));
            return nClicks;
        }"""
    )
    assert n_clicks == 1

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
        page.goto(f"{serve(write_log(tmp_path))}?testing=1")
    badge = page.locator("#topbar").get_by_role("button", name="Check: running, 10 %")
    press_during(page, badge, lambda: held.pop().fulfill(json={**running, "progress": 0.5}))
    expect(page.locator("#check-panel")).to_be_visible()
