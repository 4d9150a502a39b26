"""Tests of "Why X rather than Y": there on opening, follows selection and pin, figures lead to nodes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import plyscope
from tests.page.conftest import NewPage, Serve, Show, again, keys, linked, place_of, press, settled, visit
from tests.page.panels import node, write_log

LEAF = {"outcome": "leaf", "bound": "exact"}
LOG: dict[str, Any] = {
    "plyscope": 1,
    "players": ["white", "black"],
    "factors": [
        {"name": "mobility", "weight": 1, "meaning": "Plies of the side to move."},
        {"name": "discs", "weight": 1},
        {"name": "parity", "weight": 1},
    ],
    "result": {"ply": "alpha", "score": 7},
    "root": {
        "layer": "max",
        "score": 7,
        "bound": "exact",
        "outcome": "searched",
        "children": [
            {
                "ply": "alpha",
                "layer": "min",
                "score": 7,
                "bound": "exact",
                "outcome": "searched",
                "children": [
                    {"ply": "answer", "layer": "max", "score": 7, "factors": [5, 2, 0], **LEAF},
                    {"ply": "late", "layer": "max", "score": 9, **LEAF},
                ],
            },
            {"ply": "beta", "layer": "min", "score": 4, "factors": [1, 3, 0], **LEAF},
            {
                "ply": "gamma",
                "layer": "min",
                "score": 2,
                "bound": "upper",
                "outcome": "cutoff",
                "children": [
                    {"ply": "refuter", "layer": "max", "score": 2, "factors": [1, 1, 0], **LEAF},
                    {"outcome": "pruned", "count": 4},
                ],
            },
        ],
    },
}


@pytest.fixture
def page(show: Show) -> Page:
    """The page on the small log: alpha is best, beta next, gamma refuted."""
    return show(LOG)


def why(page: Page) -> Locator:
    """The section at the top of the details."""
    return page.locator("#why")


def test_why_one_ply_rather_than_another_is_told_and_leads_to_nodes(page: Page) -> None:
    link = linked(page)
    # It stands there before anything is asked.
    expect(why(page)).to_be_visible()
    expect(why(page).locator(".why-title")).to_contain_text("alpha")
    expect(why(page)).to_contain_text("alpha is worth +7, beta +4: 3 better.")
    rows = why(page).locator(".waterfall tr")
    expect(rows.locator("th")).to_have_text(["beta", "mobility", "discs", "1 other, equal", "alpha"])
    expect(rows.locator("td.number")).to_have_text(["+4", "+4", "−1", "0", "+7"])
    # What a factor counts stands beside its name, in the words and in the chart.
    counts = "Plies of the side to move."
    expect(why(page).locator(".why-words [title]").first).to_have_attribute("title", counts)
    expect(rows.locator("th").nth(1)).to_have_attribute("title", f"mobility: {counts}")
    # Its words are those of the api.
    again(page, link)
    origin = page.url.partition("?")[0]
    with urlopen(f"{origin}api/logs") as answer:
        name = json.load(answer)["logs"][0]["id"]
    with urlopen(f"{origin}api/logs/{name}/explain") as answer:
        sentences = json.load(answer)["sentences"]
    for sentence in sentences:
        expect(why(page)).to_contain_text(sentence)
    # Both lines are drawn in the tree x solid and y dashed.
    again(page, link)
    expect(page.locator("#tree .link-x")).not_to_have_count(0)
    expect(page.locator("#tree .link-y")).to_have_count(1)
    dashes = page.locator("#tree .link-y").evaluate("link => getComputedStyle(link).strokeDasharray")
    assert dashes != "none"
    # The selected ply is set against the best and a pinned one is x.
    again(page, link)
    press(page, node(page, "gamma"))
    expect(why(page)).to_contain_text("alpha is worth +7, gamma at most +2: at least 5 better.")
    expect(why(page)).to_contain_text(
        "The reply refuter refutes gamma, and the 4 replies after it were not searched."
    )
    press(page, node(page, "beta"))
    page.keyboard.press("Enter")
    press(page, node(page, "gamma"))
    expect(why(page)).to_contain_text("beta is worth +4, gamma at most +2: at least 2 better.")
    keys(page, "Escape")
    expect(why(page)).to_contain_text("alpha is worth +7, gamma at most +2")
    # Figures lead to their nodes.
    again(page, link)
    press(page, why(page).get_by_role("button", name="+4", exact=True))
    expect(node(page, "beta")).to_have_attribute("aria-selected", "true")
    # A factor in a sentence leads there too by the keyboard.
    again(page, link)
    why(page).get_by_role("button", name="mobility (+4").focus()
    keys(page, "Enter")
    expect(node(page, "answer")).to_have_attribute("aria-selected", "true")
    # Bars and names of the waterfall lead to the leaf they came from.
    again(page, link)
    row = why(page).locator(".waterfall tr", has_text="mobility")
    row.hover()
    expect(node(page, "answer")).to_have_class(re.compile("node-pointed"))
    press(page, row.get_by_role("button", name="mobility"))
    expect(node(page, "answer")).to_have_attribute("aria-selected", "true")
    keys(page, "Backspace")
    expect(node(page, "answer")).to_have_attribute("aria-selected", "false")
    press(page, why(page).locator(".waterfall tr", has_text="discs").locator("svg"))
    expect(node(page, "beta")).to_have_attribute("aria-selected", "true")
    # The chart is saved as a picture.
    again(page, link)
    with page.expect_download() as download:
        why(page).get_by_role("button", name="Save picture").click()
    text = Path(download.value.path()).read_text()
    assert text.startswith("<svg")
    assert "mobility" in text
    # At a node of the opponent the answer says for whom.
    again(page, link)
    press(page, node(page, "alpha"))
    press(page, node(page, "answer"))
    expect(why(page).locator(".why-words")).to_contain_text("better for the opponent, who moves here")
    expect(why(page).locator(".why-chart-head .dim")).to_have_text(
        "as the root player sees it; the opponent moves here"
    )
    # X swaps the two and y brings the section the focus.
    again(page, link)
    keys(page, "x")
    expect(why(page)).to_contain_text("beta is worth +4, alpha +7: 3 worse.")
    page.keyboard.press("y")
    expect(why(page).locator(".why-title")).to_be_focused()


def test_where_there_is_nothing_to_compare_the_reason_stands_there(show: Show) -> None:
    root = {"layer": "max", "score": 1, "children": [{"ply": "only", "score": 1, **LEAF}]}
    page = show({"plyscope": 1, "root": root})
    expect(why(page)).to_contain_text("only is the only ply that was searched here")
    expect(why(page).locator(".waterfall")).to_have_count(0)


def test_both_lines_are_walked_by_key_and_by_mouse(page: Page) -> None:
    link = linked(page)
    # Both plies wear their badge in the tree.
    expect(node(page, "alpha").locator(".pair-x")).to_have_count(1)
    expect(node(page, "beta").locator(".pair-y")).to_have_count(1)
    expect(node(page, "alpha")).to_have_attribute("aria-label", re.compile("X of the pair"))
    keys(page, "x")
    expect(node(page, "alpha").locator(".pair-y")).to_have_count(1)
    expect(node(page, "beta").locator(".pair-x")).to_have_count(1)
    expect(page.locator("#tree .pair-badge")).to_have_count(2)
    # The walk begins and ends by the mouse too.
    again(page, link)
    button = why(page).get_by_role("button", name="Walk both lines")
    press(page, button)
    expect(button).to_have_attribute("aria-pressed", "true")
    press(page, node(page, "root"))  # on neither line
    expect(page.locator(".lens[data-lens=lines]")).to_have_count(0)
    press(page, button)
    press(page, button)
    expect(page.locator(".lens[data-lens=lines]")).to_have_count(0)
    # Both lines are walked by the keyboard and the tree folds to them.
    again(page, link)
    press(page, node(page, "gamma"))
    page.keyboard.press("Enter")
    keys(page, "l")
    expect(page.locator(".lens[data-lens=lines]")).to_contain_text("both lines, ply 1 of 2 of X")
    for name in ("alpha", "answer", "gamma", "refuter"):
        expect(node(page, name)).to_be_visible()
    page.keyboard.press("ArrowRight")
    selected(page, "refuter")
    page.keyboard.press("ArrowUp")  # alpha stands above gamma, and its line above that of gamma
    selected(page, "answer")
    page.keyboard.press("ArrowUp")
    selected(page, "answer")
    expect(why(page)).to_contain_text("gamma is worth at most +2, alpha +7: at least 5 worse.")
    page.keyboard.press("ArrowLeft")
    selected(page, "alpha")
    page.keyboard.press("ArrowDown")
    selected(page, "gamma")
    keys(page, "x")
    expect(page.locator(".lens[data-lens=lines]")).to_contain_text("ply 1 of 2 of Y")
    keys(page, "Escape")
    expect(page.locator(".lens[data-lens=lines]")).to_have_count(0)
    expect(page.locator(".lens[data-lens=pair]")).to_have_count(1)
    page.keyboard.press("ArrowDown")  # the keys of the tree work as before
    settled(page)
    expect(node(page, "gamma")).to_have_attribute("aria-selected", "false")
    # The help says what the key does.
    again(page, link)
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_contain_text("walk both lines of why X rather than Y")


@pytest.fixture
def ours(show: Show, tmp_path: Path) -> Page:
    """A search of our own of Reversi, of whose four first plies one has a bound and one no row."""
    log = plyscope.search("reversi", depth=4, limit=3)
    log.write(tmp_path / "reversi.json")
    return show(tmp_path / "reversi.json")


def test_a_search_of_our_own_searches_exactly_what_has_a_bound_or_no_row(ours: Page) -> None:
    link = linked(ours)
    # An exact search can be cancelled.
    running = {"state": "running", "nodes": 1204, "compiling": False, "writing": False}
    waiting: list[Route] = []

    def answer(route: Route) -> None:
        """As the server does: how far it is, later, until it is cancelled."""
        if route.request.method == "POST":
            route.fulfill(json=running)
        elif route.request.method == "GET":
            waiting.append(route)
        else:
            for each in (*waiting, route):
                each.fulfill(json={"state": "none"})

    ours.route("**/explain/exact?*", answer)
    why(ours).get_by_role("button", name="Search c4 exactly").click()
    expect(why(ours)).to_contain_text("Searching c4: 1,204 nodes…")
    press(ours, why(ours).get_by_role("button", name="Cancel"))
    expect(why(ours).get_by_role("button", name="Search c4 exactly")).to_be_visible()
    ours.unroute("**/explain/exact?*")
    # Two large boards show both lines.
    again(ours, link)
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
    button = why(ours).get_by_role("button", name=re.compile(r"^Search \w+$"))
    button.focus()
    keys(ours, "Enter")
    expect(why(ours).locator(".why-exact")).to_contain_text("Searched exactly, ")
    # A ply with a bound is searched exactly and opens as a log.
    again(ours, link)
    press(ours, why(ours).get_by_role("button", name="Search c4 exactly"))
    expect(why(ours).locator(".why-exact")).to_contain_text(
        "Searched exactly, c4 is worth −3.75, as much as d3. That took 29 nodes, 3 plies deep."
    )
    press(ours, why(ours).get_by_role("button", name="Open this search"))
    expect(ours.locator("#logs .log-open")).to_contain_text("reversi after c4")
    expect(ours.locator("#tree [role=treeitem]").first).to_have_attribute("aria-label", re.compile("root"))


def test_why_a_ply_cannot_be_searched_is_said(show: Show) -> None:
    log = {**LOG, "game": "reversi", "search": {"engine": "mine"}}
    page = show(log)
    press(page, node(page, "gamma"))
    expect(why(page)).to_contain_text(
        "gamma cannot be searched exactly: the engine of this log is 'mine'; only Plyscope's own"
    )
    expect(why(page).get_by_role("button", name="Search")).to_have_count(0)


def selected(page: Page, name: str) -> None:
    """Wait until the node of this name is the selected one, in tree and details."""
    settled(page)
    expect(node(page, name)).to_have_attribute("aria-selected", "true")
    expect(page.locator("#details-panel .details-name")).to_have_text(name)


def test_a_score_that_check_calls_wrong_and_an_edge_of_the_window_are_said(show: Show) -> None:
    window = {"alpha": None, "beta": None}
    best = {"ply": "a", "layer": "min", "score": 27, "static": 26, "outcome": "leaf", **window}
    edge = {"ply": "b", "layer": "min", "score": 27, "static": -2, "outcome": "leaf", "alpha": 27}
    root = {"layer": "max", "score": 27, "outcome": "searched", **window}
    log = {"plyscope": 1, "search": {"fail": "hard"}, "root": root}
    root["children"] = [best, edge | {"beta": None}]
    page = show(log)
    expect(why(page).locator(".why-ply").last).to_contain_text("−2")
    expect(why(page).locator(".why-caveat").last).to_contain_text("check calls the score of a wrong (leaf)")
    expect(why(page).locator(".why-caveat").last).to_contain_text(
        "returned the edge of its window, +27, for b; the rows behind it say −2."
    )


def test_on_a_phone_the_answer_is_first_in_a_sheet_that_its_handle_makes_tall(show: Show) -> None:
    page = show(LOG, width=390, height=844)
    keys(page, "]")
    expect(why(page).locator(".why-title")).to_be_in_viewport()
    expect(why(page).locator(".why-words").first).to_be_in_viewport()
    panel, handle = (
        page.locator("#details-panel"),
        page.get_by_role("button", name="More room for the details"),
    )
    low = place_of(panel)
    handle.click()
    expect(handle).to_have_attribute("aria-expanded", "true")
    tall = place_of(panel)
    assert tall["height"] > 1.8 * low["height"]
    assert handle.bounding_box()["height"] >= 32  # type: ignore[index]
    handle.focus()
    page.keyboard.press("Enter")
    expect(handle).to_have_attribute("aria-expanded", "false")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(handle).to_be_hidden()


def test_on_a_phone_the_answer_stands_above_the_board(show: Show, tmp_path: Path) -> None:
    plyscope.search("reversi", depth=4, limit=3).write(path := tmp_path / "reversi.json")
    page = show(path, width=390, height=844)
    keys(page, "]")
    expect(why(page).locator(".why-words").first).to_be_in_viewport()
    answer, board = place_of(why(page)), place_of(page.locator("#details-panel .board-figure"))
    assert answer["y"] < board["y"]


def test_the_key_lights_up_what_it_leads_to_or_says_that_there_is_nothing(
    new_page: NewPage, serve: Serve, tmp_path: Path
) -> None:
    server = serve(write_log(tmp_path, LOG), write_log(tmp_path, {"root": {"score": 1}}, "alone.json"))
    api = new_page(own=True).request
    ids = {log["name"]: log["id"] for log in api.get(f"{server.address}api/logs").json()["logs"]}
    lit = "document.querySelector('#why').getAnimations().length"
    # On a phone the details are closed at first.
    for width, height in ((1440, 900), (390, 844)):
        page = new_page(width, height, own=True)
        visit(page, server, f"#log={ids['sample.json']}")
        page.keyboard.press("y")
        expect(page.locator("#why .why-title")).to_be_focused()
        page.wait_for_function(f"{lit} === 1")
    visit(page, server, f"#log={ids['alone.json']}")
    page.keyboard.press("y")
    expect(page.locator(".notice-text")).to_contain_text("Nothing to explain here")
