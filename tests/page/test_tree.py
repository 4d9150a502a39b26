"""The tree on the page: what is drawn of each node, its marks and colours, and the line to explain them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import NewPage, Serve, Show, again, keys, linked, place_of, press, settled, visit
from tests.page.test_accessibility import serious
from tests.page.trees import item, leaf, middle, names, scale, selected, textbook, write

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_tree_is_drawn_with_its_line_scores_marks_and_wedges(tree: Page) -> None:
    link = linked(tree)
    # The principal variation is open and its line the heaviest; the best stands first, by what is guaranteed.
    assert names(tree) == [
        "root",
        "c6",
        "a1",
        "r1",
        "r2",
        "a2",
        "e6",
        "f6",
        "d6",
        "6 siblings over the branching limit",
    ]
    assert tree.locator("#tree .link-pv").count() == 3
    widths = [
        float(
            tree.locator(f"#tree {kind}").first.evaluate(
                "line => parseFloat(getComputedStyle(line).strokeWidth)"
            )
        )
        for kind in (".link-pv", ".link:not(.link-pv)")
    ]
    assert widths[0] >= 1.8 * widths[1]
    # Scores carry their bound and a real minus sign.
    texts = {
        name: item(tree, name).locator(".node-score").text_content() for name in ("c6", "d6", "e6", "f6")
    }
    assert texts == {"c6": "+12.5", "d6": "≤\u00a0+4.0", "e6": "≥\u00a0+5.0", "f6": "−2.6"}
    # Layers differ by shape and by colour.
    root, ply = item(tree, "root"), item(tree, "c6")
    shapes = [one.locator(".node-mark").get_attribute("d") for one in (root, ply)]
    colours = [
        one.locator(".node-mark").evaluate("mark => getComputedStyle(mark).fill") for one in (root, ply)
    ]
    assert shapes[0] != shapes[1]
    assert colours[0] != colours[1]
    # A folded node has a wedge that says what is below.
    wedge = item(tree, "f6").locator(".wedge")
    assert wedge.locator(".wedge-text").text_content() == "3"
    title = wedge.locator("title").text_content()
    assert title == "3 nodes below, 2 levels deep; best −2.6, worst −2.6"
    # A wedge of more nodes is longer.
    few, many = (
        item(tree, name).locator(".wedge path").evaluate("path => path.getBBox().width")
        for name in ("e6", "f6")
    )
    assert many > few
    # A stub is one dashed node with its count.
    press(tree, item(tree, "d6"))
    stub = item(tree, "27 siblings cut off by alpha-beta")
    assert stub.locator(".node-name").text_content() == "27 pruned"
    assert stub.locator(".node-card").evaluate("card => getComputedStyle(card).strokeDasharray") != "none"
    # Axe finds nothing serious.
    again(tree, link)
    press(tree, item(tree, "d6"))
    assert serious(tree) == []
    # Cards can be coloured otherwise.
    for colour in ["score", "outcome"]:
        again(tree, link)

        def fills() -> list[str]:
            cards = [item(tree, name).locator(".node-card") for name in ("c6", "d6", "f6")]
            return [str(card.evaluate("card => getComputedStyle(card).fill")) for card in cards]

        by_layer = fills()
        assert len(set(by_layer)) == 1
        tree.get_by_role("combobox").first.select_option(colour)
        settled(tree)
        assert len(set(fills())) > 1
    # A window that becomes narrow folds its panels and opens one at a time.
    again(tree, link)
    panels = [tree.locator("#logs-panel"), tree.locator("#details-panel")]
    assert all(panel.is_visible() for panel in panels)
    tree.set_viewport_size({"width": 800, "height": 900})
    for panel in panels:
        panel.wait_for(state="hidden")
    keys(tree, "[")
    assert [panel.is_visible() for panel in panels] == [True, False]
    keys(tree, "]")
    assert [panel.is_visible() for panel in panels] == [False, True]


def test_a_tree_that_fits_the_window_is_open_from_the_start(show: Show) -> None:
    page = show(textbook())
    expect(page.get_by_role("button", name="All commands")).to_be_hidden()
    assert page.locator('#tree [aria-expanded="false"], #tree .wedge, #tree .more').count() == 0
    assert len(names(page)) == 20
    assert scale(page) >= 0.9
    outer = place_of(page.locator("#tree"))
    for name in names(page):
        x, y = middle(page, name)
        assert outer["x"] < x < outer["x"] + outer["width"]
        assert outer["y"] < y < outer["y"] + outer["height"]


def test_what_a_log_holds_is_text_and_never_markup(show: Show, tmp_path: Path) -> None:
    evil = '<img src=x onerror="document.title=1"></text><script>document.title=2</script>'
    page = show(write(tmp_path, {"plyscope": 1, "root": {"children": [leaf(evil, 1)]}}))
    assert page.locator("#tree img, #tree script").count() == 0
    assert page.title() not in {"1", "2"}
    assert "<img" in str(page.locator("#tree .node-name").last.text_content())


def test_the_legend_tells_of_the_marks_that_the_log_has_and_of_no_others(show: Show, tmp_path: Path) -> None:
    bare = {"plyscope": 1, "root": {"children": [{"ply": "a"}, {"ply": "b", "purpose": "scout"}]}}
    page = show(write(tmp_path, bare, "bare.json"))
    legend = page.locator("#legend li")
    assert [str(text).partition(" ")[2] for text in legend.all_text_contents()] == ["scout"]
    assert item(page, "b").get_attribute("aria-label") == "b, scout"
    page = show(textbook(), width=820)
    page.get_by_role("combobox").first.select_option("score")
    settled(page)
    texts = " ".join(page.locator("#legend li").all_text_contents())
    for mark in (
        "root player moves",
        "opponent moves",
        "principal variation",
        "pruned",
        "over the limit",
        "+14",
    ):
        assert mark in texts
    # One line of marks: where it has no room for all, a button lists them.
    expect(page.locator("#legend")).to_have_css("height", re.compile(r"^3\d(\.\d+)?px$"))
    page.get_by_role("button", name="Key", exact=True).press("Enter")
    listed = page.get_by_role("group", name="Key to the tree").get_by_role("listitem")
    assert len(listed.all_text_contents()) == page.locator(".legend-marks > li").count()
    for each in listed.all():
        expect(each).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(listed.first).to_be_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("combobox").first.select_option("layer")
    cut = (
        settled(page)
        .locator(".legend-marks > li")
        .evaluate_all("marks => marks.filter(mark => mark.offsetTop > marks[0].offsetTop).length")
    )
    assert page.get_by_role("button", name="Key", exact=True).count() == (cut > 0)


@pytest.mark.parametrize(
    "width", [1280, 390, *(pytest.param(n, marks=pytest.mark.sweep) for n in (1440, 820))]
)
def test_the_way_to_a_node_deep_down_can_be_read(show: Show, width: int) -> None:
    """Crumbs without room fold in the middle and are listed there; nothing is cut off at the end."""
    page = show(EXAMPLES / "reversi-midgame.json.gz", width=width)
    for _ in range(6):
        keys(page, "p")
    crumbs = page.locator(".topbar .crumb-button")
    cut = crumbs.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length")
    assert cut == 0
    shown = crumbs.all_text_contents()
    assert shown[-1] == "b4"
    if width > 600:
        assert shown == ["root", "…", "a7", "d6", "b4"]
    box, last = place_of(page.locator(".crumbs-box")), place_of(crumbs.last)
    assert last["x"] + last["width"] <= box["x"] + box["width"] + 1
    folded = page.locator(".topbar .crumb-far button")
    between = page.locator(".topbar .crumb-choice")
    at = shown.index("…")
    way = [*shown[:at], *between.all_text_contents(), *shown[at + 1 :]]
    assert way == ["root", "f8", "b5", "c6", "a7", "d6", "b4"]
    assert folded.get_attribute("title") == " \u203a ".join(between.all_text_contents())
    assert folded.get_attribute("aria-label") == f"{between.count()} further nodes of the path"
    folded.click()
    page.keyboard.press("Escape")
    expect(between.first).to_be_hidden()
    expect(folded).to_be_focused()
    folded.click()
    press(page, between.filter(has_text="b5"))
    assert selected(page) == "b5"
    expect(page.locator(".topbar .crumbs-menu")).to_be_hidden()


def test_what_was_searched_stays_readable_beside_a_long_path(show: Show) -> None:
    page = show(EXAMPLES / "hive-midgame.json.gz", width=1440)
    for _ in range(5):
        keys(page, "p")
    page.keyboard.press("/")
    page.locator("#search").fill("bB2 \\bS1")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Next hit").wait_for()
    settled(page)
    for width in (1440, 1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settled(page)
        field = page.locator("#search").evaluate("box => [box.clientWidth, box.scrollWidth]")
        assert field[0] >= 60
        assert field[0] >= field[1]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_phone_has_one_row_of_commands_and_unfolds_the_others(serve: Serve, new_page: NewPage) -> None:
    page = visit(
        new_page(width=390, height=844, has_touch=True), serve(EXAMPLES / "textbook-alpha-beta.json")
    )
    topbar, every = page.locator("#topbar"), page.get_by_role("button", name="All commands")
    search = page.get_by_role("searchbox")

    def height() -> float:
        box = place_of(topbar)
        return box["height"]

    assert height() < 60
    expect(every).to_have_attribute("aria-expanded", "false")
    expect(search).to_be_hidden()
    every.tap()
    expect(every).to_have_attribute("aria-expanded", "true")
    expect(search).to_be_visible()
    expect(page.get_by_role("button", name="Open a log")).to_be_visible()
    assert height() > 90
    every.tap()
    expect(search).to_be_hidden()
    page.keyboard.press("/")
    expect(search).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
