"""Tests of opening and folding in the tree: presses, wide and deep nodes, and what makes room for what."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.page.conftest import NewPage, Serve, Show, again, choose, keys, linked, press, search, settled
from tests.page.panels import write_log
from tests.page.trees import item, layered, leaf, names, node, selected, wide, write_lines

ORDER = "Children shown first"


def plies(page: Page) -> list[str]:
    return [name for name in names(page) if name.startswith("p")]


def best(n_drawn: int, n_plies: int) -> list[str]:
    return [f"p{i}" for i in reversed(range(n_plies - n_drawn, n_plies))]


N = 300


def ranked(layer: str = "max", *, shift: int = 0) -> dict[str, Any]:
    """Plies p0, p1, … whose scores rise, and whose pre-scores rise to p149 and fall again."""
    children = [
        {"ply": f"p{i}", "score": i + shift, "pre_score": -abs(i - N // 2) + 0.25 * (i > N // 2)}
        for i in range(N)
    ]
    return {"plyscope": 1, "root": {"layer": layer, "score": N - 1 + shift, "children": children}}


def around_the_middle(drawn: set[str]) -> bool:
    """Whether these are the plies of the best pre-scores: 150, 151, 149, 152, …"""
    order = sorted(range(N), key=lambda i: abs(i - N // 2) - 0.25 * (i > N // 2))
    return len(drawn) > 5 and drawn == {f"p{i}" for i in order[: len(drawn)]}


def test_children_come_best_or_searched_first_or_by_pre_score_by_menu_key_and_link(show: Show) -> None:
    """The principal variation, p299, is drawn in any case."""
    others = {"least.json": ranked("min"), "old.json": ranked(shift=1), "plain.json": wide(20)}
    page = show(ranked(), beside=others, only="0")
    link = linked(page)
    order = page.get_by_role("combobox", name=ORDER)
    choose(page, ORDER, "searched")
    drawn = plies(page)
    assert drawn == [*(f"p{i}" for i in range(len(drawn) - 1)), "p299"]
    page.locator("#tree").focus()
    keys(page, "m")
    assert plies(page) == [*(f"p{i}" for i in range(len(drawn) + 29)), "p299"]
    # The next ones stand below them all: they are shown where one looks.
    for i in range(len(drawn), len(drawn) + 15):
        expect(item(page, f"p{i}")).to_be_in_viewport(ratio=0.99)
    assert selected(page) == "root"
    choose(page, ORDER, "pre_score")
    assert around_the_middle({*plies(page)} - {"p299"})
    expect(page).to_have_url(re.compile("order=pre_score"))
    page.reload()
    assert around_the_middle({*plies(settled(page))} - {"p299"})
    for value in ("best", "searched", "pre_score"):
        keys(page, "r")
        expect(order).to_have_value(value)
        if value == "best":
            assert plies(page) == best(len(plies(page)), N)
    keys(page, "m")
    more = plies(page)
    assert len(more) > 35
    assert around_the_middle({*more} - {"p299"})
    # A comparison follows the order.
    again(page, link)
    choose(page, ORDER, "pre_score")
    press(page, page.get_by_role("button", name="Compare with old.json"))
    expect(page.locator("#lenses")).to_contain_text("old.json")
    gone_to = {"p0", f"p{N - 1}"}  # the first change, and the principal variation: drawn in any order
    assert around_the_middle({*plies(page)} - gone_to)
    choose(page, ORDER, "best")
    shown = {*plies(page)}
    assert shown - {"p0"} == {*best(len(shown) - 1, N)}
    assert len(shown) > 6
    # The table of children stands in the order of the tree.
    press(page, page.locator("#logs .log-button", has_text="least.json"))
    page.get_by_role("button", name=re.compile("What to ask")).click()
    press(page, page.get_by_role("button", name=re.compile("^Children")))
    first, third = page.locator("#hit-0"), page.locator("#hit-2")
    expect(first).to_contain_text("p0")
    choose(page, ORDER, "pre_score")
    # For the opponent the least pre-score is the best: those of the first plies and of the last.
    expect(third).to_contain_text(f"p{N - 1}")
    expect(first).to_contain_text("p0")
    choose(page, ORDER, "searched")
    expect(third).to_contain_text("p2")
    # A log without pre-scores says so, and a link falls back.
    press(page, page.locator("#logs .log-button", has_text="plain.json"))
    option = order.locator("option[value=pre_score]")
    expect(option).to_be_disabled()
    expect(option).to_have_text("by pre-score: no node has one")
    for value in ("best", "searched", "best"):
        keys(page, "r")
        expect(order).to_have_value(value)
    linked(page)
    address = page.url + "&order=pre_score"
    for beside in ("about:blank", page.url):  # into a new page, and into one that shows the log
        page.goto(beside)
        page.goto(address)
        settled(page)
        expect(order).to_have_value("best")
        expect(page.get_by_text("No node of this log has a pre-score")).to_be_visible()


def test_the_next_children_are_there_before_the_key_and_are_those_made_at_it(
    serve: Serve, new_page: NewPage, tmp_path: Path
) -> None:
    """Asked for where the root is selected, not shown before the key, and not asked for again."""
    address = serve(write_log(tmp_path, wide(300)))
    page, asked, drawn = new_page(), list[str](), []

    def more_by_key() -> None:
        shown = len(names(settled(page)))
        keys(page, "m")
        assert len(names(page)) == shown + 30
        links = page.locator("#tree .link").evaluate_all("links => links.map(link => link.outerHTML).sort()")
        drawn.append((page.locator("#tree .nodes").inner_html(), links))

    page.goto(f"{address}?testing=1")
    more_by_key()
    page.goto("about:blank")
    with page.expect_response(lambda answer: "offset=" in answer.url) as early:
        page.goto(f"{address}?testing=ahead")
    early.value.finished()
    page.on("request", lambda request: asked.append(request.url))
    more_by_key()
    assert early.value.url not in asked
    assert drawn[0] == drawn[1]


def test_a_node_three_thousand_levels_down_is_reached(show: Show, tmp_path: Path) -> None:
    page = show(write_lines(tmp_path / "deep.jsonl", [None, *range(3000)]))
    search(page, "#2900")
    assert selected(page) == "n2900"
    above = page.locator("#tree .above")
    assert "levels above" in str(above.text_content())
    press(page, page.get_by_role("button", name="End the search, stay here"))
    top = names(page)[0]
    page.locator("#tree").hover(position={"x": 5, "y": 5})
    for event in ("pointerdown", "pointerup"):
        above.dispatch_event(event, {"pointerId": 1, "button": 0, "pointerType": "mouse"})
    assert selected(settled(page)) == f"n{int(top[1:]) - 1}"


def test_branches_off_the_way_fold_when_the_window_is_full_but_for_those_held_open(show: Show) -> None:
    plies = [node(f"p{i}", i, *(leaf(f"q{i}{j}", i) for j in range(6))) for i in range(5)]
    page = show({"plyscope": 1, "root": layered({"score": 4, "children": plies})}, height=720, only="0")
    link = linked(page)
    for name in ("p0", "p1", "p2"):
        press(page, item(page, name))
    shown = names(page)
    assert "q00" not in shown
    assert {"q10", "q20"} <= set(shown)
    assert item(page, "p0").locator(".wedge-text").text_content() == "6"
    # A branch that was opened with Shift is held open.
    again(page, link)
    item(page, "p0").click(modifiers=["Shift"])
    settled(page)
    for name in ("p1", "p2"):
        press(page, item(page, name))
    assert "q00" in names(page)
