"""The tree on the page: what is drawn of each node, what small subtrees hide, how visits are tied."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.conftest import (
    Show,
    again,
    choose,
    downloaded,
    drawn_twice,
    keys,
    linked,
    menu,
    press,
    search,
    settled,
)
from tests.page.places import inside, place_of, width_of
from tests.page.test_accessibility import serious
from tests.page.trees import REVERSI, card, item, layered, leaf, names, node, scale, selected, textbook, wide


def test_the_tree_is_drawn_with_its_line_scores_marks_and_wedges(tree: Page) -> None:
    # The principal variation is open and its line the heaviest; the best stands first, by what is guaranteed.
    limited = "6 siblings over the branching limit"
    assert names(tree) == ["root", "c6", "a1", "r1", "r2", "a2", "e6", "f6", "d6", limited]
    assert tree.locator("#tree .link-pv").count() == 3
    width = "line => parseFloat(getComputedStyle(line).strokeWidth)"
    kinds = (".link-pv", ".link:not(.link-pv)")
    heavy, usual = (tree.locator(f"#tree {kind}").first.evaluate(width) for kind in kinds)
    assert heavy >= 1.8 * usual
    # Scores carry their bound and a real minus sign.
    for name, text in (("c6", "+12.5"), ("d6", "≤\u00a0+4.0"), ("e6", "≥\u00a0+5.0"), ("f6", "−2.6")):
        expect(item(tree, name).locator(".node-score")).to_have_text(text)
    # Layers differ by shape and by colour.
    look = "mark => [mark.getAttribute('d'), getComputedStyle(mark).fill]"
    ours, theirs = (item(tree, name).locator(".node-mark").evaluate(look) for name in ("root", "c6"))
    assert ours[0] != theirs[0]
    assert ours[1] != theirs[1]
    # A folded node has a wedge that says what is below.
    wedge = item(tree, "f6").locator(".wedge")
    assert wedge.locator(".wedge-text").text_content() == "3"
    below = "3 nodes below, 2 levels deep; best −2.6, worst −2.6"
    assert wedge.locator("title").text_content() == below
    # A stub is one dashed node with its count.
    press(tree, item(tree, "d6"))
    stub = item(tree, "27 siblings cut off by alpha-beta")
    assert stub.locator(".node-name").text_content() == "27 pruned"
    assert stub.locator(".node-card").evaluate("card => getComputedStyle(card).strokeDasharray") != "none"
    assert serious(tree) == []


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
    for mark in (
        "root player moves",
        "opponent moves",
        "principal variation",
        "pruned",
        "over the limit",
        "+14",
    ):
        expect(page.locator("#legend")).to_contain_text(mark)
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
    page = keys(show(REVERSI, 1280, 900), *"pppppp")
    crumbs, box = page.locator(".topbar .crumb-button"), page.locator(".crumbs-box")
    folded = page.locator(".topbar .crumb-far button")
    between = page.locator(".topbar .crumb-choice")
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        drawn_twice(page)
        assert crumbs.evaluate_all(cut) == 0
        shown = crumbs.all_text_contents()
        at, last = shown.index("…"), place_of(crumbs.last)
        assert last["x"] + last["width"] <= place_of(box)["x"] + place_of(box)["width"] + 1
        way = [*shown[:at], *between.all_text_contents(), *shown[at + 1 :]]
        assert way == ["root", "f8", "b5", "c6", "a7", "d6", "b4"]
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


def test_a_phone_has_cards_for_fingers_and_one_row_of_commands_which_unfolds_the_others(show: Show) -> None:
    page = show(wide(90), width=390, height=844, has_touch=True)
    # Every card is 44 pixels high, and all that is open fits.
    heights = page.locator("#tree .node-card, #tree .more .wedge-reach").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert len(heights) > 6
    assert min(heights) >= 44
    drawn, world = place_of(page.locator("#tree")), place_of(page.locator("#tree .world"))
    assert drawn["y"] <= world["y"]
    assert world["y"] + world["height"] <= drawn["y"] + drawn["height"]
    # Commands that have no room are unfolded.
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


def test_small_subtrees_fold_and_come_back(show: Show) -> None:
    three = [leaf("x", 3), leaf("y", 2), leaf("z", 1)]
    plies = [
        node("big", 9, *(node(f"b{at}", 9 - at, *three) for at in range(3))),
        node("two", 4, leaf("x", 4)),
        node("three", 3, leaf("x", 3), leaf("y", 2)),
        leaf("one", 2),
    ]
    root = layered({"score": 9, "bound": "exact", "outcome": "searched", "children": plies})
    page = show({"plyscope": 1, "root": root}, only="0.1")
    whole = names(page)
    sizes = page.get_by_label("Subtrees that are drawn")
    more = page.locator("#tree .more")
    # Chosen in the line below the tree: the node above says what is hidden. The principal variation stays.
    sizes.select_option(label="from 10 nodes")
    assert names(settled(page)) == ["root", "big", "b0"]
    expect(more).to_have_text(["+ 8 nodes in 2 small plies", "+ 6 nodes in 3 small plies"])
    # Arrow keys skip what is hidden.
    item(page, "big").focus()
    keys(page, "ArrowDown", "ArrowDown", "ArrowDown")
    assert selected(page) == "b0"
    # It is part of the link, and its lack too.
    link = linked(page)
    again(page, link.replace("&least=10", ""))
    assert names(page) == whole
    again(page, link)
    # One press shows them; fewer again by a key.
    press(page, more.first)
    assert names(page) == ["root", "big", "b2", "b1", "b0"]
    expect(more).to_have_text(["+ 6 nodes in 3 small plies"])
    keys(page, "M")
    assert names(page) == ["root", "big", "b0"]
    # A search reaches what is hidden, and has it drawn.
    search(page, "three")
    assert selected(page) == "three"
    assert names(page) == ["root", "big", "b0", "three"]
    expect(more.last).to_have_text("+ 3 nodes in 2 small plies")
    page.keyboard.press("Escape")
    keys(page, "Escape")
    # The key goes from size to size, and comes to none.
    again(page, link)
    page.locator("#tree").get_by_role("treeitem", selected=True).focus()
    keys(page, "z")
    expect(sizes).to_have_value("0")
    assert names(page) == whole
    keys(page, "z")
    assert "one" not in names(page)
    assert "two" in names(page)


def transposed() -> dict[str, Any]:
    """The plies a, b and b, a lead to one position, which c reaches at once; below d it is folded.

    0 root: 1 a (2 b), 3 b (4 a), 5 c, 6 d (7 e, 8 f: the position once more)
    """
    plies = [
        node("a", 5, leaf("b", 5, key="both"), key="a", outcome="searched"),
        node("b", 4, leaf("a", 5, key="both"), key="b", outcome="searched"),
        leaf("c", 3, key="both"),
        node("d", 2, leaf("e", 2, key="e"), leaf("f", 3, key="both"), key="d", outcome="searched"),
    ]
    root = {"layer": "max", "score": 5, "bound": "exact", "outcome": "searched", "key": "root"}
    return {"plyscope": 1, "root": root | {"children": plies}}


def test_a_node_is_tied_to_the_drawn_visits_of_its_position(show: Show, alone: Callable[..., Page]) -> None:
    page = show(transposed(), only="0.1.2")
    part = page.get_by_label("Visits of this position", exact=True)
    ties = page.locator("#tree path.tie")
    # The root is visited once: neither ties nor a sentence.
    expect(ties).to_have_count(0)
    expect(part).to_be_hidden()
    # Of the four visits the one below d is not drawn; the ends of both ties are marked, and said.
    press(page, card(page, 2).locator(".node-card"))
    expect(ties).to_have_count(2)
    expect(page.locator("#tree .node-tied")).to_have_count(2)
    expect(card(page, 5)).to_have_accessible_name(re.compile("same position as"))
    expect(part).to_contain_text("4 visits of this position in the log, 3 of them drawn.")
    expect(page.locator("#legend .legend-tie")).to_be_attached()
    link = linked(page)
    # Each is reached by its button, also by arrows from one to the next; what was folded is tied then.
    part.get_by_role("button", name="a > b").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    keys(page, "Enter")
    assert selected(page) == "f"
    expect(part).to_contain_text("all of them drawn")
    expect(ties).to_have_count(3)
    # A shared page ties what it has.
    menu(page, "Share as one file")
    shared = alone(downloaded(page, page.get_by_role("button", name="Save it")))
    expect(shared.locator("#tree path.tie")).to_have_count(3)
    inside = "4 visits of this position in this file, all of them drawn"
    expect(shared.get_by_label("Visits of this position", exact=True)).to_contain_text(inside)
    # What folds takes its tie away.
    page.keyboard.press("Escape")
    for node_id in (2, 6, 6, 2):
        press(page, card(page, node_id).locator(".node-card"))
    expect(ties).to_have_count(2)
    # All of them as a table.
    press(page, part.get_by_role("button", name="All as a table"))
    expect(page.locator("#drawer")).to_contain_text("4 visits of the position of b")
    # A replay ties nothing: it knows no later visits. Its end brings the ties back.
    again(page, link)
    page.locator("#tree").get_by_role("treeitem", selected=True).focus()
    keys(page, ".")
    expect(ties).to_have_count(0)
    keys(page, "Escape")
    again(page, link)
    expect(ties).to_have_count(2)
    # Switched by key and box; the choice outlasts the visit.
    keys(page, "T")
    expect(ties).to_have_count(0)
    page.reload()
    settled(page)
    expect(ties).to_have_count(0)
    page.get_by_label("Ties in the tree").check()
    settled(page)
    expect(ties).to_have_count(2)
