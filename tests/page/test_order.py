"""Which children come first in the tree, the table, a link and the diff: best, searched, or by pre-score."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import NewPage, Serve, Server, Show, settled, visit

N = 300
Document = dict[str, Any]


def wide(layer: str = "max", *, shift: int = 0) -> Document:
    """Plies p0, p1, … whose scores rise, and whose pre-scores rise to p149 and fall again."""
    plies = [
        {"ply": f"p{i}", "score": i + shift, "pre_score": -abs(i - N // 2) + 0.25 * (i > N // 2)}
        for i in range(N)
    ]
    return {"plyscope": 1, "root": {"layer": layer, "score": N - 1 + shift, "children": plies}}


def drawn(page: Page) -> set[str]:
    """The plies that are drawn below the root."""
    found = page.locator('[role="treeitem"][aria-level="2"]').all()
    names = {str(each.get_attribute("aria-label")).split(",")[0].split(" ")[0] for each in found}
    return {name for name in names if re.fullmatch(r"p\d+", name)}


def order(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Children shown first")


def around_the_middle(plies: set[str]) -> bool:
    """Whether these are the plies of the best pre-scores: 150, 151, 149, 152, …"""
    ranked = sorted(range(N), key=lambda i: abs(i - N // 2) - 0.25 * (i > N // 2))
    return len(plies) > 5 and plies == {f"p{i}" for i in ranked[: len(plies)]}


def test_children_come_by_pre_score_by_menu_key_and_link(show: Show) -> None:
    page = settled(show(wide()))
    assert drawn(page) == {f"p{N - 1 - i}" for i in range(len(drawn(page)))}
    order(page).select_option("pre_score")
    assert around_the_middle(drawn(settled(page)) - {f"p{N - 1}"}), (
        "the principal variation is drawn in any case"
    )
    expect(page).to_have_url(re.compile("order=pre_score"))
    page.reload()
    assert around_the_middle(drawn(settled(page)) - {f"p{N - 1}"})
    for value in ("best", "searched", "pre_score"):
        page.keyboard.press("r")
        expect(order(settled(page))).to_have_value(value)
    assert around_the_middle(drawn(page) - {f"p{N - 1}"})
    page.keyboard.press("m")
    more = drawn(settled(page)) - {f"p{N - 1}"}
    assert len(more) > 35
    assert around_the_middle(more)


def test_the_table_of_children_stands_in_the_order_of_the_tree(show: Show) -> None:
    page = settled(show(wide("min")))
    page.get_by_role("button", name=re.compile("What to ask")).click()
    page.get_by_role("button", name=re.compile("^Children")).click()
    row = page.locator("#hit-0")
    expect(row).to_contain_text("p0")
    order(settled(page)).select_option("pre_score")
    # For the opponent the least pre-score is the best: those of the first plies and of the last.
    expect(page.locator("#hit-2")).to_contain_text(f"p{N - 1}")
    expect(row).to_contain_text("p0")
    order(page).select_option("searched")
    expect(page.locator("#hit-2")).to_contain_text("p2")


def test_a_log_without_pre_scores_says_so_and_a_link_falls_back(show: Show, tmp_path: Path) -> None:
    document = wide()
    for child in document["root"]["children"]:
        del child["pre_score"]
    path = tmp_path / "plain.json"
    path.write_text(json.dumps(document))
    page = show(path, 1440, 900)
    option = order(page).locator("option[value=pre_score]")
    expect(option).to_be_disabled()
    expect(option).to_have_text("by pre-score: no node has one")
    page.keyboard.press("r")
    expect(order(page)).to_have_value("searched")
    page.keyboard.press("r")
    expect(order(page)).to_have_value("best")
    address = settled(page).url + "&order=pre_score"
    page.goto("about:blank")
    page.goto(address)
    expect(order(settled(page))).to_have_value("best")
    expect(page.get_by_text("No node of this log has a pre-score")).to_be_visible()


def test_the_diff_follows(serve: Serve, new_page: NewPage, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(json.dumps(wide(shift=1)))
    (tmp_path / "new.json").write_text(json.dumps(wide()))
    page = visit(new_page(1440, 900), serve(tmp_path / "new.json", tmp_path / "old.json"))
    order(page).select_option("pre_score")
    page.get_by_role("button", name="Compare with old.json").click()
    expect(page.locator("#lenses")).to_contain_text("old.json")
    gone_to = {"p0", f"p{N - 1}"}  # the first change, and the principal variation: drawn in any order
    assert around_the_middle(drawn(settled(page)) - gone_to)
    order(page).select_option("best")
    best = drawn(settled(page)) - {"p0"}
    assert best == {f"p{N - 1 - i}" for i in range(len(best))}
    assert len(best) > 5


@pytest.mark.parametrize(
    ("width", "rows"), [(1440, 1), pytest.param(1280, 1, marks=pytest.mark.sweep), (900, 1), (610, 2)]
)
def test_the_buttons_of_the_table_stand_in_one_row(
    server: Server, new_page: NewPage, width: int, rows: int
) -> None:
    page = visit(new_page(width, 900), server)
    page.keyboard.press("/")
    page.keyboard.type("score > 0")
    page.keyboard.press("Enter")
    expect(page.locator("#hit-0")).to_be_visible()
    n_rows = (
        settled(page)
        .locator(".drawer-head button, .drawer-head a")
        .evaluate_all(
            "all => new Set(all.filter(one => one.checkVisibility())"
            ".map(one => Math.round(one.getBoundingClientRect().y / 8))).size"
        )
    )
    assert n_rows == rows
    for name in ("Columns", "Colour", "Only these"):
        expect(page.locator("#drawer").get_by_role("button", name=name, exact=True)).to_be_in_viewport(
            ratio=1
        )
    expect(page.locator(".rows-title b")).to_be_in_viewport(ratio=1)
