"""Tests of "Why X rather than Y": there on opening, follows selection and pin, figures lead to nodes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

import plyscope
from tests.page.conftest import Show, again, downloaded, keys, linked, press, settled
from tests.page.panels import details, node
from tests.page.places import place_of
from tests.page.test_query import answer

LEAF = {"outcome": "leaf", "bound": "exact"}


def ply(name: str, layer: str, score: float, factors: list[float] | None = None) -> dict[str, Any]:
    told = {} if factors is None else {"factors": factors}
    return {"ply": name, "layer": layer, "score": score, **told, **LEAF}


SEARCHED = {"score": 7, "bound": "exact", "outcome": "searched"}
ANSWERS = [ply("answer", "max", 7, [5, 2, 0]), ply("late", "max", 9)]
REFUTED = [ply("refuter", "max", 2, [1, 1, 0]), {"outcome": "pruned", "count": 4}]
PLIES = [
    {"ply": "alpha", "layer": "min", **SEARCHED, "children": ANSWERS},
    ply("beta", "min", 4, [1, 3, 0]),
    {"ply": "gamma", "layer": "min", "score": 2, "bound": "upper", "outcome": "cutoff", "children": REFUTED},
]
COUNTS = "Plies of the side to move."
LOG: dict[str, Any] = {
    "plyscope": 1,
    "players": ["white", "black"],
    "factors": [
        {"name": "mobility", "weight": 1, "meaning": COUNTS},
        {"name": "discs", "weight": 1},
        {"name": "parity", "weight": 1},
    ],
    "result": {"ply": "alpha", "score": 7},
    "root": {"layer": "max", **SEARCHED, "children": PLIES},
}


def why(page: Page) -> Locator:
    return page.locator("#why")


def selected(page: Page, name: str) -> None:
    """Wait until the node of this name is the selected one, in tree and details."""
    settled(page)
    expect(node(page, name)).to_have_attribute("aria-selected", "true")
    expect(page.locator("#details-panel .details-name")).to_have_text(name)


def test_why_one_ply_rather_than_another_is_told_leads_to_nodes_and_both_lines_are_walked(show: Show) -> None:
    """Alpha is best, beta next, gamma refuted."""
    page = show(LOG)
    link = linked(page)
    # It stands there before anything is asked.
    expect(why(page).locator(".why-title")).to_contain_text("alpha")
    expect(why(page)).to_contain_text("alpha is worth +7, beta +4: 3 better.")
    rows = why(page).locator(".waterfall tr")
    expect(rows.locator("th")).to_have_text(["beta", "mobility", "discs", "1 other, equal", "alpha"])
    expect(rows.locator("td.number")).to_have_text(["+4", "+4", "−1", "0", "+7"])
    # What a factor counts stands beside its name, in the words and in the chart.
    expect(why(page).locator(".why-words [title]").first).to_have_attribute("title", COUNTS)
    expect(rows.locator("th").nth(1)).to_have_attribute("title", f"mobility: {COUNTS}")
    # Both lines are drawn in the tree, X solid and Y dashed, and both plies wear their badge.
    expect(page.locator("#tree .link-x")).not_to_have_count(0)
    expect(page.locator("#tree .link-y")).to_have_count(1)
    dashes = page.locator("#tree .link-y").evaluate("link => getComputedStyle(link).strokeDasharray")
    assert dashes != "none"
    expect(node(page, "alpha").locator(".pair-x")).to_have_count(1)
    expect(node(page, "beta").locator(".pair-y")).to_have_count(1)
    expect(node(page, "alpha")).to_have_attribute("aria-label", re.compile("X of the pair"))
    # The chart is saved as a picture.
    saved = downloaded(page, why(page).get_by_role("button", name="Save picture"))
    assert "mobility" in Path(saved.path()).read_text()
    # The selected ply is set against the best and a pinned one is X.
    press(page, node(page, "gamma"))
    expect(why(page)).to_contain_text("alpha is worth +7, gamma at most +2: at least 5 better.")
    press(page, node(page, "beta"))
    page.keyboard.press("Enter")
    press(page, node(page, "gamma"))
    expect(why(page)).to_contain_text("beta is worth +4, gamma at most +2: at least 2 better.")
    keys(page, "Escape")
    expect(why(page)).to_contain_text("alpha is worth +7, gamma at most +2")
    # Figures lead to their nodes, and so do a factor in a sentence, by the keyboard, a bar and a name.
    again(page, link)
    press(page, why(page).get_by_role("button", name="+4", exact=True))
    selected(page, "beta")
    again(page, link)
    why(page).get_by_role("button", name="mobility (+4").focus()
    keys(page, "Enter")
    selected(page, "answer")
    again(page, link)
    row = why(page).locator(".waterfall tr", has_text="mobility")
    row.hover()
    expect(node(page, "answer")).to_have_class(re.compile("node-pointed"))
    press(page, row.get_by_role("button", name="mobility"))
    selected(page, "answer")
    keys(page, "Backspace")
    expect(node(page, "answer")).to_have_attribute("aria-selected", "false")
    selected(page, "root")  # the browser goes back by itself, and the section is drawn anew after the tree
    press(page, why(page).locator(".waterfall tr", has_text="discs").locator("svg"))
    selected(page, "beta")
    # At a node of the opponent the answer says for whom.
    again(page, link)
    press(page, node(page, "alpha"))
    press(page, node(page, "answer"))
    expect(why(page).locator(".why-words")).to_contain_text("better for the opponent, who moves here")
    for_whom = "as the root player sees it; the opponent moves here"
    expect(why(page).locator(".why-chart-head .dim")).to_have_text(for_whom)
    # X swaps the two and y brings the section the focus.
    again(page, link)
    keys(page, "x")
    expect(why(page)).to_contain_text("beta is worth +4, alpha +7: 3 worse.")
    expect(node(page, "alpha").locator(".pair-y")).to_have_count(1)
    expect(page.locator("#tree .pair-badge")).to_have_count(2)
    page.keyboard.press("y")
    expect(why(page).locator(".why-title")).to_be_focused()
    again(page, link)
    lens = page.locator(".lens[data-lens=lines]")
    # The walk begins and ends by the mouse.
    button = why(page).get_by_role("button", name="Walk both lines")
    press(page, button)
    expect(button).to_have_attribute("aria-pressed", "true")
    press(page, node(page, "root"))  # on neither line
    expect(lens).to_have_count(0)
    press(page, button)
    press(page, button)
    expect(lens).to_have_count(0)
    # Both lines are walked by the keyboard and the tree folds to them.
    again(page, link)
    press(page, node(page, "gamma"))
    page.keyboard.press("Enter")
    keys(page, "l")
    expect(lens).to_contain_text("both lines, ply 1 of 2 of X")
    for name in ("alpha", "answer", "gamma", "refuter"):
        expect(node(page, name)).to_be_visible()
    for key, name in (
        ("ArrowRight", "refuter"),
        ("ArrowUp", "answer"),  # alpha stands above gamma, and its line above that of gamma
        ("ArrowUp", "answer"),
        ("ArrowLeft", "alpha"),
        ("ArrowDown", "gamma"),
    ):
        page.keyboard.press(key)
        selected(page, name)
        if key == "ArrowUp":
            expect(why(page)).to_contain_text("gamma is worth at most +2, alpha +7: at least 5 worse.")
    keys(page, "x")
    expect(lens).to_contain_text("ply 1 of 2 of Y")
    keys(page, "Escape")
    expect(lens).to_have_count(0)
    expect(page.locator(".lens[data-lens=pair]")).to_have_count(1)
    keys(page, "ArrowDown")  # the keys of the tree work as before
    expect(node(page, "gamma")).to_have_attribute("aria-selected", "false")


def test_a_search_of_our_own_searches_exactly_what_has_a_bound_or_no_row(show: Show, tmp_path: Path) -> None:
    """A search of Reversi, of whose four first plies one has a bound and one no row."""
    plyscope.search("reversi", depth=4, limit=3).write(tmp_path / "reversi.json")
    ours = show(tmp_path / "reversi.json")
    link = linked(ours)
    exactly = why(ours).get_by_role("button", name="Search c4 exactly")
    # An exact search can be cancelled.
    running = {"state": "running", "nodes": 1204, "compiling": False, "writing": False}
    waiting: list[Route] = []

    def pretend(route: Route) -> None:
        """As the server does: how far it is, later, until it is cancelled."""
        if route.request.method == "POST":
            route.fulfill(json=running)
        elif route.request.method == "GET":
            waiting.append(route)
        else:
            for each in (*waiting, route):
                each.fulfill(json={"state": "none"})

    ours.route("**/explain/exact?*", pretend)
    exactly.click()
    expect(why(ours)).to_contain_text("Searching c4: 1,204 nodes…")
    press(ours, why(ours).get_by_role("button", name="Cancel"))
    expect(exactly).to_be_visible()
    ours.unroute("**/explain/exact?*")
    # Two large boards show both lines.
    keys(ours, "l", "b")
    boards = ours.locator("dialog[open] .board-of")
    expect(boards).to_have_count(2)
    expect(boards.locator(".board-place")).to_have_count(2)
    titles = boards.locator(".board-of-title b")
    expect(titles).to_have_text(["Position after d3", "Position after c4"])
    keys(ours, "ArrowRight")
    expect(titles.first).not_to_have_text("Position after d3")
    expect(boards.locator(".board-place")).to_have_count(2)
    before = titles.all_text_contents()
    press(ours, ours.locator("dialog[open]").get_by_role("button", name="On"))
    assert titles.all_text_contents() != before
    keys(ours, "ArrowDown")
    expect(boards.nth(1)).to_have_attribute("aria-current", "true")
    keys(ours, "b")
    expect(ours.locator("dialog[open]")).to_have_count(0)
    # A ply over the limit is chosen and searched by the keyboard.
    again(ours, link)
    press(ours, ours.locator("#tree .node-stub").first)
    one = why(ours).get_by_role("combobox")
    one.focus()
    one.select_option(index=1)
    settled(ours)
    expect(why(ours)).to_contain_text("was never searched here: it is over the branching limit")
    why(ours).get_by_role("button", name=re.compile(r"^Search \w+$")).focus()
    keys(ours, "Enter")
    expect(why(ours).locator(".why-exact")).to_contain_text("Searched exactly, ")
    # A ply with a bound is searched exactly and opens as a log.
    again(ours, link)
    press(ours, exactly)
    expect(why(ours).locator(".why-exact")).to_contain_text(
        "Searched exactly, c4 is worth −3.75, as much as d3. That took 29 nodes, 3 plies deep."
    )
    log = plyscope.open(tmp_path / "reversi.json")
    state = answer(ours, f"/explain/exact?versus={log.node('c4').id}")
    said = plyscope.explain(log, None, "c4", exact=True).sentences[-1]
    assert (state["score"], state["depth"], state["sentences"][-1]) == (-3.75, 3, said)
    press(ours, why(ours).get_by_role("button", name="Open this search"))
    expect(ours.locator("#logs .log-open")).to_contain_text("reversi after c4")
    expect(ours.locator("#tree [role=treeitem]").first).to_have_attribute("aria-label", re.compile("root"))


def test_what_cannot_be_compared_or_searched_is_said(show: Show) -> None:
    root = {"layer": "max", "score": 1, "children": [ply("only", "min", 1)]}
    others = {"only.json": {"plyscope": 1, "root": root}, "alone.json": {"root": {"score": 1}}}
    page = show({**LOG, "game": "reversi", "search": {"engine": "mine"}}, beside=others)
    # Why a ply cannot be searched is said.
    press(page, node(page, "gamma"))
    refused = "gamma cannot be searched exactly: the engine of this log is 'mine'; only Plyscope's own"
    expect(why(page)).to_contain_text(refused)
    expect(why(page).get_by_role("button", name="Search")).to_have_count(0)
    # Where there is nothing to compare the reason stands there.
    press(page, page.locator("#logs .log-button", has_text="only.json"))
    expect(why(page)).to_contain_text("only is the only ply that was searched here")
    expect(why(page).locator(".waterfall")).to_have_count(0)
    # The key says that there is nothing.
    press(page, page.locator("#logs .log-button", has_text="alone.json"))
    keys(page, "y")
    expect(page.locator(".notice-text")).to_contain_text("Nothing to explain here")


def test_on_a_phone_the_answer_is_first_in_a_sheet_that_its_handle_makes_tall(show: Show) -> None:
    page = show(LOG, width=390, height=844, own=True)
    # The key opens the details, which are closed at first, and lights up what it leads to; so on a desk.
    lit = "document.querySelector('#why').getAnimations().length === 1"
    page.keyboard.press("y")
    expect(why(page).locator(".why-title")).to_be_focused()
    page.wait_for_function(lit)
    expect(why(page).locator(".why-title")).to_be_in_viewport()
    expect(why(page).locator(".why-words").first).to_be_in_viewport()
    handle = page.get_by_role("button", name="More room for the details")
    low = place_of(details(page))
    handle.click()
    expect(handle).to_have_attribute("aria-expanded", "true")
    assert place_of(details(page))["height"] > 1.8 * low["height"]
    assert place_of(handle)["height"] >= 32
    handle.focus()
    page.keyboard.press("Enter")
    expect(handle).to_have_attribute("aria-expanded", "false")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(handle).to_be_hidden()
