"""Around the tree: the run, the tip, the details, search, appearance, and what there is without a tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from plyscope.visualizer.shelf.folders import shipped_folder
from tests.page.conftest import (
    Server,
    Show,
    again,
    keys,
    linked,
    module_address,
    place_of,
    press,
    settled,
    visit,
)
from tests.page.panels import details, logs, node, write_log

MINUS = "\u2212"


@pytest.fixture
def sample(show: Show, tmp_path: Path) -> Page:
    """The page on the sample log, at 1440 by 900."""
    return show(write_log(tmp_path))


def test_the_run_and_the_tips_say_what_was_searched(sample: Page) -> None:
    link = linked(sample)
    # The run says what was chosen and what it cost.
    run = sample.get_by_role("region", name="The run")
    facts = dict(zip(run.locator("dt").all_inner_texts(), run.locator("dd").all_inner_texts(), strict=True))
    assert facts["chosen"] == "wA1"
    assert facts["score"] == "+12.5"
    assert facts["rank (Q = 8)"] == "0"
    assert facts["nodes"] == "6"
    assert facts["leaves"] == "3"
    assert facts["prune events"] == "1"
    assert facts["siblings pruned"] == "27"
    assert facts["time"] == "0.41 s"
    levels = run.get_by_role("table", name="Nodes on each level of the tree")
    assert [row.split() for row in levels.locator("tbody tr").all_inner_texts()] == [
        ["0", "1"],
        ["1", "2"],
        ["2", "3"],
    ]
    # Unknown fields are shown as text and never as markup.
    again(sample, link)
    panel = details(sample)
    expect(panel).to_contain_text("<img src=x onerror=alert(1)>")
    expect(panel.get_by_role("region", name="clock")).to_contain_text('"left": [')
    assert panel.locator("img").count() == 0
    # The principal variation is walked from the panel.
    again(sample, link)
    press(sample, sample.get_by_role("region", name="The run").get_by_role("button", name="bA2"))
    expect(node(sample, "bA2")).to_have_attribute("aria-selected", "true")
    # Pointing at a node shows its factors and why it ended.
    again(sample, link)
    node(sample, "wB1").hover()
    settled(sample)
    tip = sample.get_by_role("tooltip")
    rows = [row.split("\t") for row in tip.locator("tbody tr").all_inner_texts()]
    assert [[cell for cell in row if cell.strip()] for row in rows] == [
        ["queen ring", f"{MINUS}2 × 10", f"{MINUS}20"],
        ["mobility", "0 × 0.5", "0"],
    ]
    expect(tip).to_contain_text("= static")
    expect(tip).to_contain_text("\u2264\u00a0+4")
    expect(tip).to_contain_text(f"pre-score {MINUS}3.2")
    expect(tip).to_contain_text("window [+12.5, +\u221e]")
    expect(tip).to_contain_text("cut after 1 of 28")
    # The tip goes on escape.
    keys(sample, "Escape")
    expect(tip).to_be_hidden()
    # Pointing at the root shows the whole run.
    again(sample, link)
    node(sample, "root").hover()
    settled(sample)
    tip = sample.get_by_role("tooltip")
    expect(tip).to_contain_text("siblings pruned")
    expect(tip).to_contain_text("rank (Q = 8)")
    # Pointing at a stub shows its count and plies.
    again(sample, link)
    press(sample, node(sample, "wB1"))
    sample.get_by_role("treeitem", name=re.compile("27 siblings")).hover()
    settled(sample)
    tip = sample.get_by_role("tooltip")
    expect(tip).to_contain_text("27 siblings cut off by alpha-beta")
    expect(tip).to_contain_text("bS1")
    # The tip is there for the keyboard and is said aloud.
    again(sample, link)
    press(sample, node(sample, "wB1"))
    keys(sample, "i")
    tip = sample.get_by_role("tooltip")
    expect(tip).to_contain_text("cut after 1 of 28")
    expect(tip).to_have_attribute("aria-live", "polite")
    keys(sample, "i")
    expect(tip).to_be_hidden()


def test_the_details_say_where_a_node_stands_and_what_decided_it(sample: Page) -> None:
    link = linked(sample)
    # A pressed node stays in the details.
    press(sample, node(sample, "wB1"))
    panel = details(sample)
    expect(panel.get_by_role("heading", name="wB1", exact=True)).to_be_visible()
    expect(panel).to_contain_text("upper bound")
    expect(panel).to_contain_text("cut after 1 of 28")
    node(sample, "wA1").hover()
    settled(sample)
    expect(panel.get_by_role("heading", name="wB1", exact=True)).to_be_visible()
    # The path in the details is walkable.
    again(sample, link)
    press(sample, node(sample, "bA2"))
    path = details(sample).get_by_role("navigation", name="Path of the node")
    assert path.get_by_role("button").all_inner_texts() == ["root", "wA1", "bA2"]
    press(sample, path.get_by_role("button", name="wA1"))
    expect(node(sample, "wA1")).to_have_attribute("aria-selected", "true")
    # The line that decided a score ends in its leafs factors.
    again(sample, link)
    press(sample, node(sample, "root"))
    panel = details(sample)
    bars = panel.get_by_role("table", name="Factors of bA2")
    expect(bars).to_contain_text("+15.0")
    expect(bars).to_contain_text(f"{MINUS}2.5")
    expect(bars).to_contain_text("= static")
    press(sample, panel.get_by_role("list").get_by_role("button", name="bA2").first)
    expect(node(sample, "bA2")).to_have_attribute("aria-selected", "true")
    # The details of a stub list its plies.
    again(sample, link)
    press(sample, node(sample, "wB1"))
    press(sample, sample.get_by_role("treeitem", name=re.compile("27 siblings")))
    assert [text.strip() for text in details(sample).locator(".plies li").all_inner_texts()] == ["bS1", "bS2"]
    # The breadcrumbs name the log and the way to the selected node.
    again(sample, link)
    press(sample, node(sample, "bA2"))
    crumbs = sample.get_by_role("navigation", name="Path of the selected node")
    assert crumbs.get_by_role("listitem").all_inner_texts() == ["sample.json", "root", "wA1", "bA2"]
    press(sample, crumbs.get_by_role("button", name="root"))
    expect(node(sample, "root")).to_have_attribute("aria-selected", "true")
    # Back and forward go over visited nodes.
    again(sample, link)
    press(sample, node(sample, "wA1"))
    press(sample, node(sample, "wB1"))
    press(sample, sample.get_by_role("button", name="Back"))
    expect(node(sample, "wA1")).to_have_attribute("aria-selected", "true")
    press(sample, sample.get_by_role("button", name="Forward"))
    expect(node(sample, "wB1")).to_have_attribute("aria-selected", "true")
    # Search counts hits and walks them around the end.
    again(sample, link)
    box = sample.get_by_role("searchbox", name="Search plies, paths, ids and expressions")
    box.fill("bG")
    settled(sample)
    status = sample.get_by_role("search").get_by_role("status")
    expect(status).to_have_text("1 of 2")
    press(sample, sample.get_by_role("button", name="Next hit"))
    expect(status).to_have_text("2 of 2")
    box.press("Enter")
    settled(sample)
    expect(status).to_have_text("1 of 2")
    box.press("Shift+Enter")
    settled(sample)
    expect(status).to_have_text("2 of 2")
    expect(node(sample, "bG2")).to_have_attribute("aria-selected", "true")
    box.fill("zz")
    settled(sample)
    expect(status).to_have_text("no hits")
    expect(sample.get_by_role("button", name="Next hit")).to_be_hidden()


def test_the_source_of_a_table_entry_is_one_press_away(show: Show, tmp_path: Path) -> None:
    entry = {"use": "cut", "depth": 3, "bound": "lower", "score": 9.5, "from": 1}
    children = [{"ply": "a", "score": 9.5}, {"ply": "b", "score": 9.5, "outcome": "tt", "tt": entry}]
    document = {"plyscope": 1, "root": {"score": 9.5, "children": children}}
    page = show(write_log(tmp_path, document))
    press(page, node(page, "b"))
    expect(details(page)).to_contain_text("worth \u2265\u00a0+9.5 of depth 3")
    press(page, details(page).get_by_role("button", name="Go to #1, which stored it"))
    expect(node(page, "a")).to_have_attribute("aria-selected", "true")


def test_the_theme_goes_round_and_is_kept(sample: Page) -> None:
    root = sample.locator("html")
    press(sample, sample.get_by_role("button", name="Page settings"))
    button = sample.get_by_role("button", name=re.compile("^Theme"))
    press(sample, button)
    expect(root).to_have_attribute("data-theme", "light")
    press(sample, button)
    expect(root).to_have_attribute("data-theme", "dark")
    sample.reload()
    settled(sample)
    expect(root).to_have_attribute("data-theme", "dark")


def test_the_page_is_set_folded_and_explained(sample: Page) -> None:
    link = linked(sample)
    # The key to the colours follows the choice.
    key = sample.get_by_role("list", name="Key to the tree")
    expect(key).not_to_contain_text("cut off")
    sample.get_by_role("combobox", name="Colour by").select_option("outcome")
    settled(sample)
    expect(key).to_contain_text("cut off")
    sample.get_by_role("combobox", name="Colour by").select_option("score")
    settled(sample)
    expect(key).to_contain_text("+14")
    # Panels fold and the tree takes their room.
    again(sample, link)
    tree = sample.locator("#tree")
    before = place_of(tree)
    press(sample, sample.get_by_role("button", name="Logs and run"))
    press(sample, sample.get_by_role("button", name="Details of the node"))
    expect(logs(sample)).to_be_hidden()
    expect(details(sample)).to_be_hidden()
    after = place_of(tree)
    assert after["width"] == 1440 > before["width"]
    # Motion can be turned off.
    again(sample, link)
    press(sample, sample.get_by_role("button", name="Page settings"))
    button = sample.get_by_role("button", name="Animation")
    expect(button).to_have_attribute("aria-pressed", "true")
    press(sample, button)
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(sample.locator("html")).to_have_attribute("data-motion", "off")
    # Every key that works is in the help.
    again(sample, link)
    keys(sample, "?")
    dialog = sample.get_by_role("dialog", name="Keys and help")
    expect(dialog).to_contain_text("open, or go to the first child")
    listed = dialog.locator("dt").count()
    keyboard = module_address(sample, "views/page/keyboard.js")
    in_table = sample.evaluate("address => import(address).then(module => module.KEYS.length)", keyboard)
    assert listed >= in_table > 10
    sample.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    settled(sample)
    sample.keyboard.press("?")
    expect(dialog).to_be_visible()


def test_a_small_window_starts_with_the_logs_folded(show: Show, tmp_path: Path) -> None:
    page = show(write_log(tmp_path), 1280, 720)
    expect(logs(page)).to_be_hidden()
    expect(details(page)).to_be_visible()


def test_the_page_never_scrolls_sideways(show: Show, tmp_path: Path) -> None:
    page = show(write_log(tmp_path), 1440, 900)
    for width in (1440, 1280, 1024, 820, 600):
        page.set_viewport_size({"width": width, "height": 900})
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for button in page.get_by_role("banner").get_by_role("button").all():
            box = button.bounding_box()
            assert box is None or box["x"] + box["width"] <= width


def test_on_a_tablet_panels_lie_over_the_tree(show: Show, tmp_path: Path) -> None:
    page = show(write_log(tmp_path), 820, 1180)
    expect(details(page)).to_be_hidden()
    before = page.locator("#tree").bounding_box()
    press(page, page.get_by_role("button", name="Details of the node"))
    expect(details(page).get_by_role("heading", name="root", exact=True)).to_be_visible()
    expect(page.get_by_role("separator", name="Width of the details")).to_be_hidden()
    assert page.locator("#tree").bounding_box() == before


def test_with_no_log_the_page_says_how_to_begin(show: Show, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    page = show(empty)
    main = page.get_by_role("main")
    expect(main.get_by_role("heading")).to_be_visible()
    expect(main).to_contain_text("plyscope search")
    press(page, main.get_by_role("button", name="Paste JSON"))
    expect(page.get_by_role("dialog", name="Paste JSON")).to_be_visible()


def test_a_line_through_the_table_names_no_ply_twice(show: Show) -> None:
    page = show(shipped_folder("examples") / "bugs" / "bug-bounds-as-exact.json")
    steps = details(page).locator(".step[data-key^='line-']")
    expect(steps).to_have_count(6)
    assert steps.all_inner_texts() == ["d", "b", "c", "(table)", "b", "c"]


def test_a_log_that_cannot_be_read_says_why_in_its_place_and_in_the_list(
    new_page: Callable[..., Page], serve: Callable[..., Server], tmp_path: Path
) -> None:
    good = write_log(tmp_path)
    bad = write_log(tmp_path, {"plyscope": 1, "root": {"ply": 3}}, "bad.json")
    page = visit(new_page(), serve(good, bad))
    press(page, logs(page).get_by_role("button", name=re.compile("^bad.json")))
    expect(page.locator("#phase").get_by_role("alert")).to_contain_text("root.ply")
    expect(page.get_by_role("main").get_by_role("heading")).to_contain_text("bad.json")
    expect(logs(page).get_by_role("button", name=re.compile("^bad.json"))).to_contain_text("root.ply")
    press(page, logs(page).get_by_role("button", name=re.compile("^sample.json")))
    expect(node(page, "wA1")).to_be_visible()


def test_a_dialog_that_is_asked_for_again_as_it_closes_opens(sample: Page) -> None:
    # A dialog asked for again in the frame of its closing opens.
    keys(sample, "?")
    sample.evaluate("""() => {
        const dialog = document.getElementById("help-dialog");
        const keydown = (key) => new KeyboardEvent("keydown", { key, bubbles: true });
        dialog.dispatchEvent(keydown("Escape"));
        dialog.close();
        document.body.dispatchEvent(keydown("?"));
        dialog.dispatchEvent(new Event("close"));
    }""")
    settled(sample)
    dialog = sample.get_by_role("dialog", name="Keys and help")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    settled(sample)
    sample.keyboard.press("?")
    expect(dialog).to_be_visible()
    # A dialog asked for again right after its button closed it opens.
    keys(sample, "Escape", "?")
    sample.evaluate("""() => {
        document.querySelector("#help-dialog button[type=submit]").click();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
    }""")
    settled(sample)
    expect(sample.get_by_role("dialog", name="Keys and help")).to_be_visible()


def test_a_log_of_contributions_alone_has_bars_too(show: Show, tmp_path: Path) -> None:
    document = {"plyscope": 1, "root": {"score": 2, "contributions": {"mobility": 15, "corners": -13}}}
    page = show(write_log(tmp_path, document))
    bars = details(page).get_by_role("table", name="Factors of root")
    expect(bars).to_contain_text("+15")
    expect(bars).to_contain_text(f"{MINUS}13")
