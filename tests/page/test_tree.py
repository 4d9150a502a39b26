"""The tree on the page: what is drawn of each node, its marks and colours, and the line to explain them."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.page.conftest import Show, again, choose, keys, linked, press, search, settled
from tests.page.places import inside, place_of, width_of
from tests.page.test_accessibility import serious
from tests.page.trees import item, names, scale, selected, textbook

EXAMPLES = Path(__file__).parents[2] / "examples"
LIMITED = "6 siblings over the branching limit"


def test_the_tree_is_drawn_with_its_line_scores_marks_and_wedges(tree: Page) -> None:
    link = linked(tree)
    # The principal variation is open and its line the heaviest; the best stands first, by what is guaranteed.
    assert names(tree) == ["root", "c6", "a1", "r1", "r2", "a2", "e6", "f6", "d6", LIMITED]
    assert tree.locator("#tree .link-pv").count() == 3
    width = "line => parseFloat(getComputedStyle(line).strokeWidth)"
    kinds = (".link-pv", ".link:not(.link-pv)")
    heavy, usual = (tree.locator(f"#tree {kind}").first.evaluate(width) for kind in kinds)
    assert heavy >= 1.8 * usual
    # Scores carry their bound and a real minus sign.
    for name, text in (("c6", "+12.5"), ("d6", "≤\u00a0+4.0"), ("e6", "≥\u00a0+5.0"), ("f6", "−2.6")):
        expect(item(tree, name).locator(".node-score")).to_have_text(text)
    # Layers differ by shape and by colour.
    marks = [item(tree, name).locator(".node-mark") for name in ("root", "c6")]
    assert marks[0].get_attribute("d") != marks[1].get_attribute("d")
    fills = [mark.evaluate("mark => getComputedStyle(mark).fill") for mark in marks]
    assert fills[0] != fills[1]
    # A folded node has a wedge that says what is below, the longer the more there is.
    wedge = item(tree, "f6").locator(".wedge")
    assert wedge.locator(".wedge-text").text_content() == "3"
    below = "3 nodes below, 2 levels deep; best −2.6, worst −2.6"
    assert wedge.locator("title").text_content() == below
    length = "path => path.getBBox().width"
    few, many = (item(tree, name).locator(".wedge path").evaluate(length) for name in ("e6", "f6"))
    assert many > few
    # A stub is one dashed node with its count.
    press(tree, item(tree, "d6"))
    stub = item(tree, "27 siblings cut off by alpha-beta")
    assert stub.locator(".node-name").text_content() == "27 pruned"
    assert stub.locator(".node-card").evaluate("card => getComputedStyle(card).strokeDasharray") != "none"
    assert serious(tree) == []
    # Cards can be coloured otherwise.
    fill = "card => getComputedStyle(card).fill"
    for colour in ("layer", "score", "outcome"):
        again(tree, link)
        choose(tree, "Colour by", colour)
        cards = [item(tree, name).locator(".node-card") for name in ("c6", "d6", "f6")]
        assert (len({card.evaluate(fill) for card in cards}) == 1) == (colour == "layer")
    # A window that becomes narrow folds its panels and opens one at a time.
    again(tree, link)
    panels = [tree.locator("#logs-panel"), tree.locator("#details-panel")]
    assert all(panel.is_visible() for panel in panels)
    tree.set_viewport_size({"width": 800, "height": 900})
    for panel in panels:
        panel.wait_for(state="hidden")
    for key, shown in (("[", [True, False]), ("]", [False, True])):
        keys(tree, key)
        assert [panel.is_visible() for panel in panels] == shown


def test_a_tree_that_fits_the_window_is_open_from_the_start_and_its_marks_are_explained(show: Show) -> None:
    bare = {"plyscope": 1, "root": {"children": [{"ply": "a"}, {"ply": "b", "purpose": "scout"}]}}
    page = show(textbook(), beside={"bare.json": bare})
    expect(page.get_by_role("button", name="All commands")).to_be_hidden()
    assert page.locator('#tree [aria-expanded="false"], #tree .wedge, #tree .more').count() == 0
    assert len(names(page)) == 20
    assert scale(page) >= 0.9
    outer = place_of(page.locator("#tree"))
    for name in names(page):
        assert inside(place_of(item(page, name).locator(".node-card")), outer)
    # The legend tells of the marks that the log has and of no others.
    page.set_viewport_size({"width": 820, "height": 900})
    choose(settled(page), "Colour by", "score")
    marks = page.locator(".legend-marks > li")
    texts = " ".join(page.locator("#legend li").all_text_contents())
    layers = ("root player moves", "opponent moves")
    for mark in (*layers, "principal variation", "pruned", "over the limit", "+14"):
        assert mark in texts
    # One line of marks: where it has no room for all, a button lists them.
    more = page.get_by_role("button", name="Key", exact=True)
    expect(page.locator("#legend")).to_have_css("height", re.compile(r"^3\d(\.\d+)?px$"))
    more.press("Enter")
    listed = page.get_by_role("group", name="Key to the tree").get_by_role("listitem")
    assert listed.count() == marks.count()
    for each in listed.all():
        expect(each).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(listed.first).to_be_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
    choose(settled(page), "Colour by", "layer")
    cut = "marks => marks.filter(mark => mark.offsetTop > marks[0].offsetTop).length"
    assert more.count() == (marks.evaluate_all(cut) > 0)
    # Of a tree that states little there is little to explain.
    if page.locator("#logs").is_hidden():
        keys(page, "[")
    press(page, page.locator("#logs .log-button", has_text="bare.json"))
    assert [str(text).partition(" ")[2] for text in marks.all_text_contents()] == ["scout"]
    assert item(page, "b").get_attribute("aria-label") == "b, scout"


def test_the_way_to_a_node_deep_down_and_what_was_searched_beside_it_can_be_read(show: Show) -> None:
    """Crumbs without room fold in the middle and are listed there; nothing is cut off at the end."""
    page = keys(show(EXAMPLES / "reversi-midgame.json.gz", 1280, 900), *"pppppp")
    crumbs, box = page.locator(".topbar .crumb-button"), page.locator(".crumbs-box")
    folded = page.locator(".topbar .crumb-far button")
    between = page.locator(".topbar .crumb-choice")
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert crumbs.evaluate_all(cut) == 0
        shown = crumbs.all_text_contents()
        at, last = shown.index("…"), place_of(crumbs.last)
        assert last["x"] + last["width"] <= place_of(box)["x"] + place_of(box)["width"] + 1
        way = [*shown[:at], *between.all_text_contents(), *shown[at + 1 :]]
        assert way == ["root", "f8", "b5", "c6", "a7", "d6", "b4"]
        assert folded.get_attribute("title") == " \u203a ".join(between.all_text_contents())
        assert folded.get_attribute("aria-label") == f"{between.count()} further nodes of the path"
    assert shown == ["root", "…", "a7", "d6", "b4"]
    folded.click()
    page.keyboard.press("Escape")
    expect(between.first).to_be_hidden()
    expect(folded).to_be_focused()
    folded.click()
    press(page, between.filter(has_text="b5"))
    assert selected(page) == "b5"
    expect(page.locator(".topbar .crumbs-menu")).to_be_hidden()
    # What was searched stays readable beside a long path.
    search(page, "score > 9")
    page.get_by_role("button", name="Next hit").wait_for()
    for width in (1440, 1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        field = settled(page).locator("#search").evaluate("box => [box.clientWidth, box.scrollWidth]")
        assert field[0] >= max(60, field[1])
        assert width_of(page) <= width


def test_a_phone_has_one_row_of_commands_and_unfolds_the_others(show: Show) -> None:
    page = show(textbook(), width=390, height=844, has_touch=True)
    topbar, every = page.locator("#topbar"), page.get_by_role("button", name="All commands")
    box = page.get_by_role("searchbox")
    assert place_of(topbar)["height"] < 60
    expect(every).to_have_attribute("aria-expanded", "false")
    expect(box).to_be_hidden()
    every.tap()
    expect(every).to_have_attribute("aria-expanded", "true")
    expect(box).to_be_visible()
    expect(page.get_by_role("button", name="Open a log")).to_be_visible()
    assert place_of(topbar)["height"] > 90
    every.tap()
    expect(box).to_be_hidden()
    page.keyboard.press("/")
    expect(box).to_be_focused()
    assert width_of(page) <= 390
