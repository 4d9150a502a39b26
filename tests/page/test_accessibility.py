"""The page for everybody: axe finds nothing serious in any state, in both themes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Server, Show, keys, place_of, press, settled, visit
from tests.page.panels import SAMPLE, drag_files, logs, node, paste, write_log
from tests.page.stage import SCHEMES, SharedPage

FOREIGN = '{"move": "start", "value": 4, "nextMove": [{"move": "a", "value": 4, "nextMove": []}]}'


def begin_empty(page: Page) -> None:
    expect(page.get_by_role("main").get_by_role("heading")).to_be_visible()


def open_details(page: Page) -> None:
    press(page, node(page, "wB1"))


def open_tip(page: Page) -> None:
    node(page, "wB1").hover()
    settled(page)


def open_paste(page: Page) -> None:
    press(page, page.get_by_role("button", name="Open a log"))
    press(page, page.get_by_role("button", name="Paste JSON"))
    page.get_by_role("textbox", name="Log as text").fill("{]")
    press(page, page.get_by_role("button", name="Load"))


def open_help(page: Page) -> None:
    press(page, page.get_by_role("button", name="Page settings"))
    press(page, page.get_by_role("button", name="Keys and help"))


def open_mapping(page: Page) -> None:
    paste(page, FOREIGN)
    press(page, page.get_by_role("button", name="Change"))


def fail_a_file(page: Page) -> None:
    drag_files(page, "drop", {"notes.txt": "shopping: milk"})


def fail_a_log(page: Page) -> None:
    press(page, logs(page).get_by_role("button", name=re.compile("^bad.json")))


def ask_to_delete(page: Page) -> None:
    paste(page, FOREIGN)
    press(page, logs(page).get_by_role("button", name=re.compile("^Delete")))


def search_in_vain(page: Page) -> None:
    page.get_by_role("searchbox").fill("zz")
    settled(page)


STATES = {
    "details": open_details,
    "tip": open_tip,
    "paste": open_paste,
    "help": open_help,
    "mapping": open_mapping,
    "message": fail_a_file,
    "failed": fail_a_log,
    "delete": ask_to_delete,
    "search": search_in_vain,
}


ALL: dict[str, Any] = {"resultTypes": ["violations"]}
COLOURS_ALONE = ALL | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def serious(page: Page) -> list[str]:
    """What axe finds in both themes, moderate or worse, with the elements; the page is dark then.

    Only colours differ between the themes, so in the dark one axe looks at nothing else.
    """
    found = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    for scheme, options in zip(SCHEMES, (ALL, COLOURS_ALONE), strict=True):
        page.emulate_media(color_scheme=scheme)
        settled(page)
        found += [
            f"{scheme}, {one['id']}: {[part['target'] for part in one['nodes']][:4]}"
            for one in page.evaluate("options => axe.run(document, options)", options)["violations"]
            if one["impact"] in ("moderate", "serious", "critical")
        ]
    return found


def test_axe_finds_nothing_serious_on_an_open_log_and_all_that_opens_over_it(
    new_page: Callable[..., Page],
    serve: Callable[..., Server],
    shared_page: SharedPage,
    tmp_path: Path,
) -> None:
    bad = write_log(tmp_path, {"plyscope": 1, "root": {"ply": 3}}, "bad.json")
    server = serve(write_log(tmp_path), bad)
    page, found = new_page(), {}
    for name, reach in STATES.items():
        reach(visit(page, server))
        problems = serious(page)
        if problems:
            found[name] = problems
        shared_page.wipe()
    assert not found


def test_axe_finds_nothing_serious_on_a_phone(show: Show) -> None:
    page = show(SAMPLE, 390, 844)
    assert serious(page) == []
    # The bar of the overview has all its buttons within the window.
    keys(page, "v")
    close = place_of(page.locator(".overview-bar button").last)
    assert close["x"] + close["width"] <= 390


def test_axe_finds_nothing_serious_on_the_empty_page(show: Show, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    page = show(empty)
    begin_empty(page)
    assert serious(page) == []


def test_axe_finds_nothing_serious_on_a_tablet_with_a_panel_open(show: Show) -> None:
    page = show(SAMPLE, 820, 1180)
    press(page, page.get_by_role("button", name="Logs and run"))
    assert serious(page) == []


def test_every_control_of_the_bar_is_reached_by_tab_and_shows_the_focus(show: Show) -> None:
    page = show(SAMPLE)
    page.get_by_role("link", name="Skip to the tree").focus()
    reached = set()
    while True:
        page.keyboard.press("Tab")
        in_bar, name, outline = page.evaluate(
            """() => {
                const element = document.activeElement;
                const box = element.closest('.search:focus-within') ?? element;
                const name = element.getAttribute('aria-label') ?? element.textContent;
                return [element.closest('header') !== null, name, getComputedStyle(box).outlineStyle];
            }"""
        )
        if not in_bar:
            break
        reached.add(name.strip())
        assert outline != "none", name
    assert {
        "Open a log",
        "What to ask, page settings and help",
        "Colour by",
        "Details of the node",
    } <= reached


def test_focus_returns_to_the_button_that_opened_a_dialog(show: Show) -> None:
    page = show(SAMPLE)
    button = page.get_by_role("button", name="Page settings")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Why this ply")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Keys and help")).to_be_visible()
    settled(page)
    keys(page, "Escape")
    expect(button).to_be_focused()


def test_motion_stops_where_the_person_asks_for_less(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve(write_log(tmp_path))
    calm = new_page(reduced_motion="reduce")
    calm.goto(server.address)
    settled(calm)
    read = "getComputedStyle(document.documentElement).getPropertyValue('--motion').trim()"
    assert calm.evaluate(read) == "0ms"
    lively = new_page()
    lively.goto(server.address)
    settled(lively)
    assert lively.evaluate(read) == "180ms"


@pytest.mark.parametrize(("touch", "least"), [(False, 24), (True, 44)])
def test_what_is_pressed_is_large_enough_for_its_pointer(show: Show, touch: bool, least: int) -> None:
    page = show(SAMPLE, 820, 1180, has_touch=touch, is_mobile=touch)
    paste(page, FOREIGN)
    for panel in ("Logs and run", "Details of the node"):
        toggle = page.get_by_role("button", name=panel)
        press(page, toggle)
        buttons = [toggle, *page.get_by_role("complementary", name=panel).get_by_role("button").all()]
        assert len(buttons) > 3
        for button in buttons:
            box = place_of(button)
            assert min(box["width"], box["height"]) >= least, button.get_attribute("data-key")
        press(page, toggle)
    assert page.evaluate("document.documentElement.scrollWidth") <= 820


def test_forced_colours_keep_bars_selection_and_pressed_states_apart(
    serve: Callable[..., Server], new_page: Callable[..., Page], tmp_path: Path
) -> None:
    server = serve(write_log(tmp_path), write_log(tmp_path, name="other.json"))
    page = visit(new_page(forced_colors="active"), server)
    keys(page, "p", "p")

    def ground(found: Locator) -> str:
        return str(found.first.evaluate("found => getComputedStyle(found).backgroundColor"))

    canvas = ground(page.locator("body"))
    bars = page.locator("#details-panel .bars")
    assert ground(bars.locator("tr:not(.bars-nothing) .bar-for")) != canvas
    against = bars.locator("tr:not(.bars-nothing) .bar-against").first
    assert against.evaluate("bar => getComputedStyle(bar).borderTopStyle") == "solid"
    assert ground(page.locator("#run .levels .bar")) != canvas
    for there, not_there in (
        (
            page.get_by_role("button", name="Details of the node"),
            page.get_by_role("button", name="Page settings"),
        ),
        (page.locator(".log-open .log-button"), page.locator(".log:not(.log-open) .log-button")),
        (page.locator("#run .step[aria-current]"), page.locator("#run .step:not([aria-current])")),
    ):
        assert ground(there) != ground(not_there)
    ring = page.get_by_role("treeitem", selected=True).locator(".node-ring")
    expect(ring).to_be_visible()
    assert ring.evaluate("ring => getComputedStyle(ring).stroke") != canvas
