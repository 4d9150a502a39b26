"""Around the tree: the run, the tip, the details, search, appearance, and what there is without a tree."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Show, again, keys, linked, press, settled
from tests.page.panels import SAMPLE, details, logs, node, paste
from tests.page.places import place_of, width_of
from tests.page.trees import chain, selected

MINUS = "\u2212"


@pytest.fixture
def sample(show: Show) -> Page:
    return show(SAMPLE, named="sample.json")


def test_run_tips_and_details_say_what_was_searched_and_what_decided_it(sample: Page) -> None:
    link = linked(sample)
    # The run says what was chosen and what it cost.
    run = sample.get_by_role("region", name="The run")
    facts = dict(zip(run.locator("dt").all_inner_texts(), run.locator("dd").all_inner_texts(), strict=True))
    told = {"chosen": "wA1", "score": "+12.5", "rank (Q = 8)": "0", "time": "0.41 s"}
    counts = {"nodes": "6", "leaves": "3", "prune events": "1", "siblings pruned": "27"}
    assert facts.items() >= (told | counts).items()
    levels = run.get_by_role("table", name="Nodes on each level of the tree").locator("tbody tr")
    assert [row.split() for row in levels.all_inner_texts()] == [["0", "1"], ["1", "2"], ["2", "3"]]
    # Unknown fields are shown as text and never as markup.
    panel = details(sample)
    expect(panel).to_contain_text("<img src=x onerror=alert(1)>")
    expect(panel.get_by_role("region", name="clock")).to_contain_text('"left": [')
    assert panel.locator("img").count() == 0
    # The principal variation is walked from the panel.
    press(sample, run.get_by_role("button", name="bA2"))
    assert selected(sample) == "bA2"
    # Pointing at a node shows its factors and why it ended.
    again(sample, link)
    tip = sample.get_by_role("tooltip")
    node(sample, "wB1").hover()
    settled(sample)
    rows = [row.split("\t") for row in tip.locator("tbody tr").all_inner_texts()]
    assert [[cell for cell in row if cell.strip()] for row in rows] == [
        ["queen ring", f"{MINUS}2 × 10", f"{MINUS}20"],
        ["mobility", "0 × 0.5", "0"],
    ]
    window = "window [+12.5, +\u221e]"
    for words in ("= static", "\u2264\u00a0+4", f"pre-score {MINUS}3.2", window, "cut after 1 of 28"):
        expect(tip).to_contain_text(words)
    # The tip goes on escape.
    keys(sample, "Escape")
    expect(tip).to_be_hidden()
    # Pointing at the root shows the whole run.
    again(sample, link)
    node(sample, "root").hover()
    settled(sample)
    expect(tip).to_contain_text("siblings pruned")
    for place in (tip, run):
        expect(place).to_contain_text("12,345 probed, 4,321 hit (35\N{NO-BREAK SPACE}%)")
    # The tip is there for the keyboard and is said aloud.
    press(sample, node(sample, "wB1"))
    keys(sample, "i")
    expect(tip).to_contain_text("cut after 1 of 28")
    expect(tip).to_have_attribute("aria-live", "polite")
    keys(sample, "i")
    expect(tip).to_be_hidden()
    # Pointing at a stub shows its count and plies, which the details list.
    stub = sample.get_by_role("treeitem", name=re.compile("27 siblings"))
    stub.hover()
    settled(sample)
    expect(tip).to_contain_text("27 siblings cut off by alpha-beta")
    expect(tip).to_contain_text("bS1")
    press(sample, stub)
    plies = details(sample).locator(".plies li").all_inner_texts()
    assert [text.strip() for text in plies] == ["bS1", "bS2"]
    again(sample, link)
    # The path in the details is walkable, and so are the breadcrumbs, which name the log.
    press(sample, node(sample, "bA2"))
    path = panel.get_by_role("navigation", name="Path of the node")
    assert path.get_by_role("button").all_inner_texts() == ["root", "wA1", "bA2"]
    crumbs = sample.get_by_role("navigation", name="Path of the selected node")
    assert crumbs.get_by_role("listitem").all_inner_texts() == ["sample.json", "root", "wA1", "bA2"]
    press(sample, path.get_by_role("button", name="wA1"))
    assert selected(sample) == "wA1"
    press(sample, crumbs.get_by_role("button", name="root"))
    assert selected(sample) == "root"
    # The line that decided a score ends in its leaf's factors.
    bars = panel.get_by_role("table", name="Factors of bA2")
    for words in ("+15.0", f"{MINUS}2.5", "= static"):
        expect(bars).to_contain_text(words)
    press(sample, panel.get_by_role("list").get_by_role("button", name="bA2").first)
    assert selected(sample) == "bA2"
    # Back and forward go over visited nodes.
    again(sample, link)
    press(sample, node(sample, "wA1"))
    press(sample, node(sample, "wB1"))
    for button, ply in (("Back", "wA1"), ("Forward", "wB1")):
        press(sample, sample.get_by_role("button", name=button))
        expect(node(sample, ply)).to_have_attribute("aria-selected", "true")
    for key, ply in (("Backspace", "wA1"), ("Alt+ArrowRight", "wB1")):
        sample.keyboard.press(key)
        expect(node(sample, ply)).to_have_attribute("aria-selected", "true")
    # A node counts as visited at once, however soon one goes back from it.
    again(sample, link)
    press(sample, node(sample, "wA1"))
    sample.evaluate(
        """() => new Promise(done => {
            addEventListener("popstate", () => setTimeout(done), { once: true });
            for (const key of ["ArrowDown", "Backspace"])
                document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        })"""
    )
    settled(sample)
    assert selected(sample) == "wA1"


def test_the_source_of_a_table_entry_is_one_press_away(show: Show) -> None:
    """The root has contributions alone, of which bars are made too."""
    entry = {"use": "cut", "depth": 3, "bound": "lower", "score": 9.5, "from": 1}
    children = [{"ply": "a", "score": 9.5}, {"ply": "b", "score": 9.5, "outcome": "tt", "tt": entry}]
    contributions = {"mobility": 15, "corners": -13}
    page = show({"plyscope": 1, "root": {"score": 9.5, "contributions": contributions, "children": children}})
    bars = details(page).get_by_role("table", name="Factors of root")
    expect(bars).to_contain_text("+15")
    expect(bars).to_contain_text(f"{MINUS}13")
    press(page, node(page, "b"))
    expect(details(page)).to_contain_text("worth \u2265\u00a0+9.5 of depth 3")
    press(page, details(page).get_by_role("button", name="Go to #1, which stored it"))
    assert selected(page) == "a"


def test_the_page_is_set_folded_and_explained(sample: Page) -> None:
    # Panels fold and the tree takes their room.
    before = place_of(sample.locator("#tree"))
    for name in ("Logs and run", "Details of the node"):
        press(sample, sample.get_by_role("button", name=name))
    expect(logs(sample)).to_be_hidden()
    expect(details(sample)).to_be_hidden()
    assert place_of(sample.locator("#tree"))["width"] == 1440 > before["width"]
    # Motion can be turned off.
    press(sample, sample.get_by_role("button", name="Page settings"))
    button = sample.get_by_role("button", name="Animation")
    expect(button).to_have_attribute("aria-pressed", "true")
    press(sample, button)
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(sample.locator("html")).to_have_attribute("data-motion", "off")
    # The theme goes round and is kept.
    for theme in ("light", "dark"):
        press(sample, sample.get_by_role("button", name=re.compile("^Theme")))
        expect(sample.locator("html")).to_have_attribute("data-theme", theme)
    sample.reload()
    expect(settled(sample).locator("html")).to_have_attribute("data-theme", "dark")
    # The keys are in the help, which is read by keys at once.
    sample.set_viewport_size({"width": 1280, "height": 600})
    keys(sample, "?")
    dialog = sample.get_by_role("dialog", name="Keys and help")
    text = dialog.get_by_role("region", name="Keys")
    expect(text).to_be_focused()
    text.evaluate("region => region.addEventListener('scroll', () => (region.dataset.moved = 'yes'))")
    sample.keyboard.press("End")
    expect(text).to_have_attribute("data-moved", "yes")
    for words in ("open, or go to the first child", "next finding of the check", "walk both lines of why"):
        expect(dialog).to_contain_text(words)
    # A dialog that is asked for again in the frame of its closing opens, also after its button closed it.
    sample.evaluate("""() => {
        const dialog = document.getElementById("help-dialog");
        const keydown = (key) => new KeyboardEvent("keydown", { key, bubbles: true });
        dialog.dispatchEvent(keydown("Escape"));
        dialog.close();
        document.body.dispatchEvent(keydown("?"));
        dialog.dispatchEvent(new Event("close"));
    }""")
    settled(sample)
    expect(dialog).to_be_visible()
    sample.evaluate("""() => {
        document.querySelector("#help-dialog button[type=submit]").click();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
    }""")
    settled(sample)
    expect(dialog).to_be_visible()


def test_a_window_of_any_size_has_its_panels_in_their_place_and_never_scrolls_sideways(show: Show) -> None:
    page = show(SAMPLE, 1280, 720)
    # A small window starts with the logs folded.
    expect(logs(page)).to_be_hidden()
    expect(details(page)).to_be_visible()
    for width in (1440, 1280, 1024, 820, 600):
        page.set_viewport_size({"width": width, "height": 900})
        settled(page)
        assert width_of(page) <= width
        for button in page.get_by_role("banner").get_by_role("button").all():
            box = button.bounding_box()
            assert box is None or box["x"] + box["width"] <= width
    # On a tablet panels lie over the tree.
    page.set_viewport_size({"width": 820, "height": 1180})
    page.reload()
    expect(details(settled(page))).to_be_hidden()
    before = place_of(page.locator("#tree"))
    press(page, page.get_by_role("button", name="Details of the node"))
    expect(details(page).locator(".details-name")).to_have_text("root")
    expect(page.get_by_role("separator", name="Width of the details")).to_be_hidden()
    assert place_of(page.locator("#tree")) == before
    # One opens at a time.
    keys(page, "[")
    expect(logs(page)).to_be_visible()
    expect(details(page)).to_be_hidden()


PLIES = [f"{letter}{n}" for n in (1, 2, 3) for letter in "abcde"]


def test_the_run_names_its_whole_line_and_whose_levels_it_counts(show: Show) -> None:
    three = {"plyscope": 1, "roots": [{"iteration": n, **chain(*PLIES[:n])} for n in (1, 2, 3)]}
    page = show({"plyscope": 1, "root": chain(*PLIES)}, beside={"three.json": three})
    run = page.get_by_role("region", name="The run")
    # Every ply of the principal variation is named before its node is loaded.
    assert run.locator(".steps").get_by_role("button").all_inner_texts() == PLIES
    labels = run.locator("dt")
    assert "siblings pruned" in labels.all_inner_texts()
    # The levels of a forest are said to be of all its trees.
    press(page, logs(page).get_by_role("button", name=re.compile("^three.json")))
    assert run.get_by_role("table", name="Nodes on each level of all trees").count() == 1
    assert run.get_by_role("heading", name="Nodes per level, all 3 trees").count() == 1
    # A foreign tree is not said to have pruned nothing.
    paste(page, '{"move": "start", "value": 4, "nextMove": [{"move": "a", "value": 4, "nextMove": []}]}')
    assert "nodes" in labels.all_inner_texts()
    assert not {"siblings pruned", "limited", "prune events"} & set(labels.all_inner_texts())
