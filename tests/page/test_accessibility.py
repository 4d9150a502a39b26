"""The page for everybody: axe finds nothing serious in any state, in both themes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import NewPage, Serve, Show, keys, menu, press, settled
from tests.page.panels import SAMPLE, drag_files, logs, node, paste, write_log
from tests.page.places import place_of, width_of
from tests.page.stage import SCHEMES

FOREIGN = '{"move": "start", "value": 4, "nextMove": [{"move": "a", "value": 4, "nextMove": []}]}'
ALL: dict[str, Any] = {"resultTypes": ["violations"]}
COLOURS_ALONE = ALL | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
FADED = """() => Promise.all(document.getAnimations().filter(one => one instanceof CSSTransition)
    .map(one => one.finished))"""
"""When all colours are those of the theme, also on a page whose motion is not stopped."""


def serious(page: Page, within: str | None = None) -> list[str]:
    """What axe finds in both themes, moderate or worse, with the elements; the page is dark then.

    Only colours differ between the themes, so in the dark one axe looks at nothing else.
    """
    found = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    ask = "([within, options]) => axe.run(within ?? document, options)"
    for scheme, options in zip(SCHEMES, (ALL, COLOURS_ALONE), strict=True):
        page.emulate_media(color_scheme=scheme)
        settled(page).evaluate(FADED)
        found += [
            f"{scheme}, {one['id']}: {[part['target'] for part in one['nodes']][:4]}"
            for one in page.evaluate(ask, [within, options])["violations"]
            if one["impact"] in ("moderate", "serious", "critical")
        ]
    return found


def test_axe_finds_nothing_serious_on_an_open_log_and_all_that_opens_over_it(show: Show) -> None:
    page = show(SAMPLE, beside={"bad.json": {"plyscope": 1, "root": {"ply": 3}}})
    # Details, a tip, and a search in vain.
    press(page, node(page, "wB1"))
    page.get_by_role("searchbox").fill("zz")
    node(page, "wB1").hover()
    assert serious(settled(page)) == []
    # A text that is no log, in the box for it.
    page.get_by_role("searchbox").fill("")
    press(page, page.get_by_role("button", name="Open a log"))
    press(page, page.get_by_role("button", name="Paste JSON"))
    page.get_by_role("textbox", name="Log as text").fill("{]")
    press(page, page.get_by_role("button", name="Load"))
    assert serious(page) == []
    keys(page, "Escape")
    # The help.
    menu(page, "Keys and help")
    assert serious(page) == []
    keys(page, "Escape")
    # How a foreign tree was read; a log that may be deleted, below the message about a file.
    paste(page, FOREIGN)
    press(page, page.get_by_role("button", name="Change"))
    assert serious(page) == []
    keys(page, "Escape")
    press(page, logs(page).get_by_role("button", name=re.compile("^Delete")))
    drag_files(page, "drop", {"notes.txt": "shopping: milk"})
    assert serious(page) == []
    # A log that cannot be read says why in its place and in the list.
    bad = logs(page).get_by_role("button", name=re.compile("^bad.json"))
    press(page, bad)
    expect(page.locator("#phase").get_by_role("alert")).to_contain_text("root.ply")
    expect(bad).to_contain_text("root.ply")
    assert serious(page) == []


def test_axe_finds_nothing_serious_on_a_phone_or_a_tablet(show: Show) -> None:
    page = show(SAMPLE, 390, 844)
    assert serious(page) == []
    # The bar of the overview has all its buttons within the window.
    keys(page, "v")
    close = place_of(page.locator(".overview-bar button").last)
    assert close["x"] + close["width"] <= 390
    keys(page, "v")
    page.set_viewport_size({"width": 820, "height": 1180})
    press(page, page.get_by_role("button", name="Logs and run"))
    assert serious(page) == []


def test_the_bar_is_reached_by_tab_and_a_dialog_gives_the_focus_back(show: Show) -> None:
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
    settings = "What to ask, page settings and help"
    assert {"Open a log", settings, "Colour by", "Details of the node"} <= reached
    # Focus returns to the button that opened a dialog.
    button = page.get_by_role("button", name=settings)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Why this ply")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Keys and help")).to_be_visible()
    keys(settled(page), "Escape")
    expect(button).to_be_focused()


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
    assert width_of(page) <= 820


def test_motion_stops_and_forced_colours_keep_states_apart_where_a_person_asks_for_that(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    server = serve(write_log(tmp_path), write_log(tmp_path, name="other.json"))
    page = new_page(forced_colors="active", reduced_motion="reduce")
    page.goto(server)
    motion = "getComputedStyle(document.documentElement).getPropertyValue('--motion').trim()"
    assert settled(page).evaluate(motion) == "0ms"
    keys(page, "p", "p")

    def ground(found: Locator) -> str:
        return str(found.first.evaluate("found => getComputedStyle(found).backgroundColor"))

    canvas = ground(page.locator("body"))
    bars = page.locator("#details-panel .bars tr:not(.bars-nothing)")
    assert ground(bars.locator(".bar-for")) != canvas
    against = bars.locator(".bar-against").first
    assert against.evaluate("bar => getComputedStyle(bar).borderTopStyle") == "solid"
    assert ground(page.locator("#run .levels .bar")) != canvas
    commands = [page.get_by_role("button", name=name) for name in ("Details of the node", "Page settings")]
    for there, not_there in (
        commands,
        (page.locator(".log-open .log-button"), page.locator(".log:not(.log-open) .log-button")),
        (page.locator("#run .step[aria-current]"), page.locator("#run .step:not([aria-current])")),
    ):
        assert ground(there) != ground(not_there)
    ring = page.get_by_role("treeitem", selected=True).locator(".node-ring")
    expect(ring).to_be_visible()
    assert ring.evaluate("ring => getComputedStyle(ring).stroke") != canvas
    page.emulate_media(reduced_motion="no-preference", forced_colors="none")
    page.reload()
    assert settled(page).evaluate(motion) == "180ms"
